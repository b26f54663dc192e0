//! The target `labels`: see [`mojika_fuzz::labels`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| mojika_fuzz::labels::check(data));

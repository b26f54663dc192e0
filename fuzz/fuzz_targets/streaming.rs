//! The target `streaming`: see [`mojika_fuzz::streaming`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| mojika_fuzz::streaming::check(data));

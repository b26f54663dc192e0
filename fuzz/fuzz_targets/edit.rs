//! The target `edit`: see [`mojika_fuzz::edit`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| mojika_fuzz::edit::check(data));

//! The target `encode`: see [`mojika_fuzz::encode`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| mojika_fuzz::encode::check(data));

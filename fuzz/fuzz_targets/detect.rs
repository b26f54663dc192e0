//! The target `detect`: see [`mojika_fuzz::detect`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| mojika_fuzz::detect::check(data));

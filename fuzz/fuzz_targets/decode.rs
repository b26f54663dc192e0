//! The target `decode`: see [`mojika_fuzz::decode`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| mojika_fuzz::decode::check(data));

//! The target `sniff`: see [`mojika_fuzz::sniff`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| mojika_fuzz::sniff::check(data));

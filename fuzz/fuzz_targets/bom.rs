//! The target `bom`: see [`mojika_fuzz::bom`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| mojika_fuzz::bom::check(data));

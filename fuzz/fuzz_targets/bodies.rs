//! The target `bodies`: see [`mojika_fuzz::bodies`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| mojika_fuzz::bodies::check(data));

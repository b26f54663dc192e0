//! The target `warc`: see [`mojika_fuzz::warc`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| mojika_fuzz::warc::check(data));

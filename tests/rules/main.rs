//! The rules of every encoding in the Standard, case by case.

#[path = "../common/mod.rs"]
mod common;

mod chinese_sets;
mod cns_11643;
mod ebcdic;
mod gsm;
mod iso_2022;
mod pure_pairs;
mod shifted;
mod single_byte;
mod standard;
mod two_bytes;
mod utf_32;
mod utf_7;
mod web_api;

/// Checks the detected level, for scripts that run the tests on another processor.
#[test]
fn detected_level_is_the_one_that_the_script_expects() {
    if let Ok(expected) = std::env::var("MOJIKA_EXPECTED_LEVEL") {
        assert_eq!(mojika::simd::detected().name(), expected);
    }
}

//! The Standard's API objects, as `mojika::web` has them, compared with those of the transliteration.
//!
//! The rules of encodings are in `tests/rules`. The Web platform's shared test suite, which uses JavaScript objects,
//! runs with the npm package (`scripts/check-wpt.sh`).

#[path = "../common/mod.rs"]
mod common;

mod web_api;

/// Checks the detected level, for scripts that run the tests on another processor.
#[test]
fn detected_level_is_the_one_that_the_script_expects() {
    if let Ok(expected) = std::env::var("MOJIKA_EXPECTED_LEVEL") {
        assert_eq!(mojika::simd::detected().name(), expected);
    }
}

//! The checks of the Web platform's shared test suite (web-platform-tests, its directory `encoding/`) for an implementation
//! of the Encoding Standard, rewritten as tables.
//!
//! That suite uses JavaScript objects. Here, `mojika::web` replaces them, compared with the transliteration's objects. The
//! rules of encodings are in `tests/rules`. The suite itself runs with the npm package (`scripts/check-wpt.sh`).
//!
//! Tests are named after the file of the suite that has the case.

#[path = "../common/mod.rs"]
mod common;

mod byte_order_marks;
mod text_decoder;
mod text_encoder;
mod web_api;

/// For scripts that run the tests on another processor: checks the detected level.
#[test]
fn detected_level_is_the_one_that_the_script_expects() {
    if let Ok(expected) = std::env::var("MOJIKA_EXPECTED_LEVEL") {
        assert_eq!(mojika::simd::detected().name(), expected);
    }
}

//! The checks of the Web platform's shared test suite (web-platform-tests, its directory
//! `encoding/`) for an implementation of the Encoding Standard, as tables of our own.
//!
//! That suite talks to JavaScript objects, pages, links and forms. Here the same cases go to the functions below these.
//! [`text_decoder`] plays `TextDecoder` over streaming decoders, [`query`] links and forms over the Standard's hooks,
//! and `hooks::decode` responses. Every case also runs on `mojika-spec`, the transliteration of the Standard, and both
//! must agree. Cases that need a browser are left out: interfaces, buffers detached or shared, realms.
//!
//! Tests are named after the file of the suite that has the case.

#[path = "../common/mod.rs"]
mod common;

mod byte_order_marks;
mod chinese;
mod japanese;
mod korean;
mod labels;
mod mistakes;
mod query;
mod repertoire;
mod single_byte;
mod text_decoder;
mod text_encoder;
mod utf_16;
mod utf_8;
mod web_api;

/// For scripts that run the tests as another processor: their level must be detected.
#[test]
fn detected_level_is_the_one_that_the_script_expects() {
    if let Ok(expected) = std::env::var("MOJIKA_EXPECTED_LEVEL") {
        assert_eq!(mojika::simd::detected().name(), expected);
    }
}

//! Tests the transliteration's parts that the library lacks. The rules of encodings are tested in `tests/rules` with the
//! library, which the proof compares with the transliteration, and `bindings/encoding_rs` with another implementation.

mod random;

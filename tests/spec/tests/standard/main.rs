//! The transliteration against another implementation, and its parts that the library does not have. The rules of encodings
//! are those of `tests/rules`: the library, which the proof compares with the transliteration, is tested by name.

mod differential;
mod random;

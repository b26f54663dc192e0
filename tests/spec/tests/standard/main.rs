//! Tests the transliteration against another implementation, and its parts that the library lacks. The rules of encodings
//! are tested in `tests/rules` with the library, which the proof compares with the transliteration.

mod differential;
mod random;

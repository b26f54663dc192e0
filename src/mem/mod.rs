//! Checks and conversions between text in memory: ASCII, Latin-1, UTF-8 and UTF-16.
//!
//! Browsers and script engines hold text as Latin-1 or as UTF-16 that may have lone surrogates, and need a few checks
//! and conversions all the time. No encoding of the Standard is involved, so nothing has state: every function takes
//! whole slices.
//!
//! In *Latin-1*, a byte is the code point of the same number, as in "isomorphic decode" of the Infra Standard.
//! [`WINDOWS_1252`](crate::WINDOWS_1252), although "latin1" is one of its labels, differs. *Rtl* is short for
//! right-to-left.
//!
//! | of / to | ASCII | Latin-1 | UTF-8 | UTF-16 |
//! |---|---|---|---|---|
//! | bytes, checks | [`ascii_prefix_len`] | [`latin1_prefix_len_of_utf8`] | [`utf8_prefix_len`] | |
//! | UTF-16, checks | [`ascii_prefix_len_of_utf16`] | [`is_latin1_utf16`] | | [`utf16_prefix_len`] |
//! | ASCII | [`copy_ascii`] | | | [`ascii_to_utf16`] |
//! | Latin-1 | | | [`latin1_to_utf8`], [`decode_latin1`] | [`latin1_to_utf16`] |
//! | UTF-8 | | [`utf8_to_latin1_lossy`], [`encode_latin1_lossy`] | | [`utf8_to_utf16`], [`utf8_to_utf16_fatal`] |
//! | UTF-16 | [`utf16_to_ascii`] | [`utf16_to_latin1_lossy`] | [`utf16_to_utf8`] | [`replace_lone_surrogates`] |
//!
//! | characters | | | [`count_chars`], [`whole_chars_len_of_utf8`] | [`count_chars_of_utf16`], [`whole_chars_len_of_utf16`] |
//! | length in UTF-8 | | [`utf8_len_of_latin1`] | | [`utf8_len_of_utf16`] |
//! | length in UTF-16 | | | [`utf16_len_of_utf8`] | |
//!
//! Every conversion into a slice converts the whole characters that fit, and reports its progress. The report is a
//! [`Progress`](crate::Progress), or one number if it reads and writes equally many units. No function panics at any
//! length, and nothing is written beyond the reported units.

// Depends on `simd`, and on `Decoder` for `decode_to_capacity_fatal` and malformed UTF-8. The items hidden from the
// documentation serve `bindings/encoding_rs` only.

mod ascii;
#[cfg(feature = "alloc")]
mod capacity;
mod latin1;
mod lengths;
mod rtl;
mod unicode;

pub use ascii::{
    ascii_prefix_len, ascii_prefix_len_of_utf16, ascii_to_utf16, copy_ascii, count_text_bytes,
    iso_2022_jp_ascii_prefix_len, utf16_to_ascii,
};
#[cfg(feature = "alloc")]
pub use capacity::decode_to_capacity_fatal;
#[cfg(feature = "alloc")]
pub use latin1::{decode_latin1, encode_latin1_lossy};
pub use latin1::{
    is_latin1_utf16, latin1_prefix_len_of_utf8, latin1_to_str, latin1_to_utf8, latin1_to_utf16,
    utf8_to_latin1_lossy, utf16_to_latin1_lossy,
};
pub use lengths::{
    count_chars, count_chars_of_utf16, utf8_len_of_latin1, utf8_len_of_utf16, utf16_len_of_utf8,
    whole_chars_len_of_utf8, whole_chars_len_of_utf16,
};
pub use rtl::{has_rtl, has_rtl_or_is_malformed, is_rtl, is_rtl_unit};
pub use unicode::{
    replace_lone_surrogates, utf8_prefix_len, utf8_to_utf16, utf8_to_utf16_fatal, utf16_prefix_len,
    utf16_to_str, utf16_to_utf8,
};

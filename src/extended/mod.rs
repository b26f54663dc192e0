//! Encodings that the Encoding Standard does not have.
//!
//! Converters meet bytes that no label of the Web names: dumps in UTF-32, files from mainframes, old archives. The
//! encodings for these are values of the same type as the Standard's, and every part of the library takes them: one-shot
//! calls, streams, `io`, `offsets`. They have no labels: [`Encoding::for_label`] and [`Encoding::all`] do not know them.
//! [`for_name`] finds them by name, and [`all`] lists them.
//!
//! ```
//! # #[cfg(feature = "alloc")] {
//! use mojika::extended;
//!
//! let encoding = extended::for_name("utf-32le").unwrap();
//! assert_eq!(encoding, extended::UTF_32LE);
//! assert_eq!(encoding.decode(b"\x57\x5B\0\0").text, "字");
//! assert_eq!(*encoding.encode("字")?, *b"\x57\x5B\0\0");
//! # }
//! # Ok::<(), mojika::EncodeError>(())
//! ```
//!
//! [`rfc2781`] reads and writes the charset "UTF-16" as mail and other protocols define it.
//!
//! # UTF-32
//!
//! Four bytes that are no scalar value (a surrogate, or above U+10FFFF) are one malformed sequence. One to three bytes
//! at the end of the input are another. Encoders write no byte order mark.
//!
//! A decoder that handles byte order marks removes U+FEFF at the start of UTF-32, in its own octet order. No byte order
//! mark overrides UTF-32: the Standard's "decode" would take `FF FE 00 00` for a byte order mark of UTF-16LE.
//! [`Encoding::for_bom`], which is the Standard's "BOM sniff", does so.

pub mod rfc2781;

use crate::Encoding;
use crate::codec::Kind;
use crate::simd::Utf32Order;

/// Defines a static per encoding, numbered behind the Standard's, and the list of all.
macro_rules! extended_encodings {
    ($($(#[$doc:meta])* $ident:ident $number:literal $name:literal $kind:expr;)*) => {
        $(
            $(#[$doc])*
            pub static $ident: &Encoding = &Encoding {
                name: $name,
                number: $number,
                kind: $kind,
            };
        )*

        /// All encodings of this room, by number.
        static ALL: &[&Encoding] = &[$($ident),*];
    };
}

extended_encodings! {
    /// UTF-32BE: four bytes a character, the most significant first.
    UTF_32BE 40 "UTF-32BE" Kind::Utf32(Utf32Order::BigEndian);
    /// UTF-32LE: four bytes a character, the least significant first.
    UTF_32LE 41 "UTF-32LE" Kind::Utf32(Utf32Order::LittleEndian);
    /// UTF-32 in the octet order 2143 of XML 1.0's appendix F, 1 being the most significant.
    UTF_32_2143 42 "UTF-32-2143" Kind::Utf32(Utf32Order::Order2143);
    /// UTF-32 in the octet order 3412 of XML 1.0's appendix F, 1 being the most significant.
    UTF_32_3412 43 "UTF-32-3412" Kind::Utf32(Utf32Order::Order3412);
}

/// All encodings of this room.
///
/// ```
/// use mojika::{Encoding, extended};
/// assert!(extended::all().iter().all(|encoding| !Encoding::all().contains(encoding)));
/// ```
pub fn all() -> &'static [&'static Encoding] {
    ALL
}

/// The encoding of this room that a name means, or `None`.
///
/// ASCII whitespace around the name is ignored, and so is ASCII case. Labels of the Standard are not known here.
///
/// ```
/// use mojika::extended;
/// assert_eq!(extended::for_name(" UTF-32be "), Some(extended::UTF_32BE));
/// assert_eq!(extended::for_name("utf-8"), None);
/// ```
pub fn for_name(name: impl AsRef<[u8]>) -> Option<&'static Encoding> {
    let name = name.as_ref().trim_ascii();
    let by_name = |encoding: &&&Encoding| encoding.name.as_bytes().eq_ignore_ascii_case(name);
    ALL.iter().find(by_name).copied()
}

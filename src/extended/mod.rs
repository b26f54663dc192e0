//! Encodings without a label in the Encoding Standard: UTF-32, ISO-8859-1 itself, US-ASCII, OEM code pages,
//! EBCDIC. [`rfc2781`] reads and writes the charset "UTF-16" as mail and other protocols define it.
//!
//! Each is an [`Encoding`] like those of the Standard, and one-shot calls, streams, `io` and `offsets` take it.
//! [`Encoding::for_label`] and [`Encoding::all`] exclude these encodings, as Web content must not reach them.
//! [`for_name`] and [`all`] cover only these encodings.
//!
//! ```
//! # #[cfg(feature = "alloc")] {
//! use mojika::extended;
//!
//! let ebcdic = extended::for_name("ebcdic-cp-us").unwrap();
//! assert_eq!(Some(ebcdic), extended::ibm(37));
//! assert_eq!(ebcdic.decode(b"\xC8\x85\x93\x93\x96").text, "Hello");
//! assert_eq!(*extended::ibm(437).unwrap().encode("░▒")?, *b"\xB0\xB1");
//! # }
//! # Ok::<(), mojika::EncodeError>(())
//! ```
//!
//! # Names in both modules
//!
//! The Standard gives some names to other encodings: its "iso-8859-1", "latin1", "us-ascii" and "ascii" are
//! windows-1252, "iso-8859-9" and "latin5" are windows-1254, "iso-8859-11" is windows-874. The function decides:
//! `Encoding::for_label` returns the Standard's encoding and `for_name` the one here. The command prefers the Standard;
//! there, `extended:latin1` or `cp28591` names ISO-8859-1 itself. The other ISO-8859 parts, and IBM866, are identical
//! in the Standard, and not repeated here.
//!
//! # Line ends in EBCDIC
//!
//! Byte 0x15 is U+0085 (NEL) and byte 0x25 is U+000A (LF), in both directions, as in ICU, glibc and Python. z/OS UNIX
//! ends lines with 0x15, so such text has U+0085 at line ends.
//!
//! # UTF-32
//!
//! Four bytes that are no scalar value (a surrogate, or above U+10FFFF) are one malformed sequence. One to three bytes
//! at the end of the input are another. Encoders write no byte order mark.
//!
//! A decoder that handles byte order marks removes U+FEFF at the start of UTF-32, in its own byte order. In
//! [`UTF_32`], whose order is not stated, the mark selects the order; the default is big-endian. No other byte order
//! mark overrides UTF-32. The Standard's "BOM sniff", [`Encoding::for_bom`], takes `FF FE 00 00` for a byte order mark
//! of UTF-16LE.
//!
//! # Byte order marks in the other encodings
//!
//! [`Encoding::decode`](crate::Encoding) obeys the byte order marks of UTF-8 and UTF-16 here, too. Use
//! [`BomHandling::Keep`](crate::BomHandling::Keep) if input may start with these bytes as text.

mod encodings;
mod foreign;
mod names;
pub mod rfc2781;
mod windows;

pub use encodings::{
    ISO_8859_1, ISO_8859_9, ISO_8859_11, US_ASCII, UTF_32, UTF_32_2143, UTF_32_3412, UTF_32BE,
    UTF_32LE,
};
pub use names::without_prefix;
pub use names::{find, for_name, foreign_names, missing, standard_label};

use crate::{Encoding, IBM866};
use encodings::{ENTRIES, Entry};

/// Returns IBM's code page with the given number, also in `const` code; `None` if mojika does not have it.
///
/// Mojika has these pages:
///
/// * of DOS and AIX: 437, 720, 737, 775, 850, 852, 855 to 858, 860 to 866, 869, 874, 901, 902, 922, 1006, 1046, 1124,
///   1125, 1129, 1133 and 4909. 866 is the Standard's [`IBM866`].
/// * of EBCDIC below 1000: 37, 273, 277, 278, 280, 284, 285, 290, 297, 420, 424, 500, 833, 836, 870, 871, 875, 880, 905,
///   918 and 924.
/// * of EBCDIC above 1000: 1025 to 1027, 1047, 1097, 1112, 1122, 1123, 1130, 1132, 1137, 1140 to 1149, 1153 to 1158, 1160,
///   1164, 4971, 9030, 12712 and 16804.
/// * of EBCDIC with double bytes: 930, 933, 935, 937, 939, 1364, 1371, 1388, 1390 and 1399; of double bytes alone: 300,
///   834, 835 and 837.
/// * 367, 819, 838, 920 and 1167, other numbers of US-ASCII, ISO-8859-1, IBM9030, ISO-8859-9 and KOI8-RU.
///
/// ```
/// use mojika::{Encoding, extended};
///
/// const EBCDIC: &Encoding = extended::ibm(37).unwrap();
/// assert_eq!(EBCDIC.name(), "IBM037");
/// assert_eq!(extended::ibm(932), None);
/// ```
pub const fn ibm(number: u16) -> Option<&'static Encoding> {
    if number == 866 {
        return Some(IBM866);
    }
    let mut i = 0;
    while i < ENTRIES.len() {
        if names::has_ibm_number(&ENTRIES[i], number) {
            return Some(ENTRIES[i].encoding);
        }
        i += 1;
    }
    None
}

/// Returns the encoding at an index of [`all`], also in `const` code.
pub const fn nth(place: usize) -> Option<&'static Encoding> {
    if place < ENTRIES.len() {
        Some(ENTRIES[place].encoding)
    } else {
        None
    }
}

/// Returns all encodings of this module, in the order of their numbers.
///
/// ```
/// let mut all = mojika::extended::all();
/// assert!(all.any(|encoding| encoding.name() == "IBM437"));
/// ```
pub fn all() -> impl Iterator<Item = &'static Encoding> {
    ENTRIES.iter().map(|entry| entry.encoding)
}

/// Returns the names under which [`for_name`] knows an encoding: its own, and aliases in lower case. The Standard's
/// encodings have none.
///
/// Names with a page number, such as "cp037", "ibm-37" and "ccsid00037", are not listed.
///
/// ```
/// use mojika::extended;
/// let page = extended::ibm(500).unwrap();
/// assert!(extended::names(page).any(|name| name == "ebcdic-cp-ch"));
/// ```
pub fn names(encoding: &Encoding) -> impl Iterator<Item = &'static str> + use<> {
    let number = encoding.number;
    let entry = ENTRIES
        .iter()
        .find(move |entry| entry.encoding.number == number);
    entry.into_iter().flat_map(Entry::names)
}

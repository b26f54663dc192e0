//! UTF-32 in its four octet orders: statics, their names, and the Windows code page of each.

use super::Entry;
use crate::Encoding;
use crate::codec::{Kind, utf_32};

pages! {
    /// UTF-32BE: four bytes a character, the most significant first.
    UTF_32BE 40 "UTF-32BE" 12001 Kind::Utf32(&utf_32::BIG_ENDIAN),
        ["csutf32be" "utf32be" "ucs-4be"];
    /// UTF-32LE: four bytes a character, the least significant first.
    UTF_32LE 41 "UTF-32LE" 12000 Kind::Utf32(&utf_32::LITTLE_ENDIAN),
        ["csutf32le" "utf32le" "ucs-4le"];
    /// UTF-32 in the octet order 2143 of XML 1.0's appendix F, 1 being the most significant.
    UTF_32_2143 42 "UTF-32-2143" 0 Kind::Utf32(&utf_32::ORDER_2143),
        ["ucs-4-2143"];
    /// UTF-32 in the octet order 3412 of XML 1.0's appendix F, 1 being the most significant.
    UTF_32_3412 43 "UTF-32-3412" 0 Kind::Utf32(&utf_32::ORDER_3412),
        ["ucs-4-3412"];
}

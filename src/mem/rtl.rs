//! Detection of text that needs right-to-left layout.
//!
//! The decision is by Unicode block, whether or not code points are assigned: Hebrew to Arabic Extended-A, the Hebrew
//! and Arabic presentation forms except U+FEFF, U+10800 to U+10FFF, and U+1E800 to U+1EFFF. The controls U+200F,
//! U+202B, U+202E and U+2067 count as well. Controls that only matter next to such text do not.

use crate::EncodeSource;
use crate::encoder::Text;
use crate::simd::{self, Out};

/// True for a character of a right-to-left script, and for a control that makes text right-to-left.
///
/// ```
/// assert!(mojika::mem::is_rtl('א') && mojika::mem::is_rtl('\u{202E}') && !mojika::mem::is_rtl('a'));
/// ```
#[inline]
pub const fn is_rtl(scalar: char) -> bool {
    matches!(scalar,
        '\u{0590}'..='\u{08FF}'
        | '\u{FB1D}'..='\u{FDFF}'
        | '\u{FE70}'..='\u{FEFE}'
        | '\u{10800}'..='\u{10FFF}'
        | '\u{1E800}'..='\u{1EFFF}'
        | '\u{200F}' | '\u{202B}' | '\u{202E}' | '\u{2067}'
    )
}

/// [`is_rtl`] for a UTF-16 code unit; also true for the lead surrogates of right-to-left blocks.
#[inline]
pub fn is_rtl_unit(unit: u16) -> bool {
    simd::is_rtl_unit(unit)
}

/// True if a character of the text, UTF-8 or UTF-16, is right-to-left by [`is_rtl`]. In UTF-16, a lead surrogate that
/// only such characters have counts as well.
///
/// ```
/// assert!(mojika::mem::has_rtl("abc א") && !mojika::mem::has_rtl("abc é"));
/// assert!(mojika::mem::has_rtl(&[0x5D0]));
/// ```
#[inline]
pub fn has_rtl<S: EncodeSource + ?Sized>(text: &S) -> bool {
    match text.text() {
        Text::Utf8(text) => has_rtl_utf8(text),
        Text::Utf16(units) => simd::have_rtl_units(units),
    }
}

fn has_rtl_utf8(text: &str) -> bool {
    let rest = &text[simd::ascii_prefix_len(text.as_bytes())..];
    if rest.len() <= SHORT {
        return rest.chars().any(is_rtl);
    }
    rest.chars().take(FIRST).any(is_rtl) || in_pieces(rest.as_bytes())
}

/// True if a character is right-to-left by [`is_rtl`], or the text is malformed UTF-8.
///
/// ```
/// assert!(mojika::mem::has_rtl_or_is_malformed("abc א".as_bytes()));
/// assert!(mojika::mem::has_rtl_or_is_malformed(b"abc \xFF"));
/// assert!(!mojika::mem::has_rtl_or_is_malformed("abc é".as_bytes()));
/// ```
pub fn has_rtl_or_is_malformed(utf8: &[u8]) -> bool {
    let rest = &utf8[simd::ascii_prefix_len(utf8)..];
    if rest.len() <= SHORT {
        return core::str::from_utf8(rest).map_or(true, |text| text.chars().any(is_rtl));
    }
    // The last character may be incomplete.
    let first = &rest[..4 * FIRST];
    let valid = core::str::from_utf8(first).unwrap_or_else(|error| {
        core::str::from_utf8(&first[..error.valid_up_to()]).unwrap_or_default()
    });
    valid.chars().any(is_rtl) || in_pieces(rest)
}

/// Input up to this many bytes is examined one character at a time.
const SHORT: usize = 32;

/// The number of characters that are examined first. They already decide the result for much text.
const FIRST: usize = 2;

/// Tests text of any length in pieces, which are converted to UTF-16.
#[inline(never)]
fn in_pieces(utf8: &[u8]) -> bool {
    let mut units = [0; 256];
    let mut rest = utf8;
    while !rest.is_empty() {
        let mut out = Out::from_init(&mut units);
        let read = simd::utf8_to_utf16(rest, &mut out);
        if read == 0 || simd::have_rtl_units(out.written_slice()) {
            return true;
        }
        rest = &rest[read..];
        rest = &rest[simd::ascii_prefix_len(rest)..];
    }
    false
}

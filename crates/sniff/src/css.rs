//! CSS: the `@charset` rule, matched byte by byte (CSS Syntax, "determine the fallback encoding").

use super::html;
use core::ops::Range;
use mojika::Encoding;

/// The maximum length of the rule, in bytes.
pub(super) const HEAD_LENGTH: usize = 1024;

/// Returns the encoding of an `@charset` rule at the very start.
///
/// The bytes must be exactly `@charset "…";`: no other case, quotes or spaces. UTF-16 becomes UTF-8, because a readable
/// rule cannot be in UTF-16.
///
/// ```
/// use mojika_sniff::css::charset;
///
/// assert_eq!(charset(b"@charset \"koi8-r\";"), Some(mojika::KOI8_R));
/// assert_eq!(charset(b"@charset 'koi8-r';"), None);
/// ```
pub fn charset(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(HEAD_LENGTH)];
    Encoding::for_label(&head[label(head)?]).map(html::utf_16_is_utf_8)
}

/// Returns the place of the label in an `@charset` rule at the very start.
pub(super) fn label(bytes: &[u8]) -> Option<Range<usize>> {
    const START: &[u8] = b"@charset \"";
    let rest = bytes.strip_prefix(START)?;
    let length = rest.iter().position(|&byte| byte == b'"')?;
    (rest.get(length + 1) == Some(&b';')).then(|| START.len()..START.len() + length)
}

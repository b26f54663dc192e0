//! CSS: the `@charset` rule, matched byte by byte (CSS Syntax, "determine the fallback encoding").

use mojika::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// The maximum length of the rule, in bytes.
pub const HEAD_LENGTH: usize = 1024;

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
    let rest = head.strip_prefix(b"@charset \"")?;
    let end = rest.iter().position(|&byte| byte == b'"')?;
    if rest.get(end + 1) != Some(&b';') {
        return None;
    }
    let encoding = Encoding::for_label(&rest[..end])?;
    if encoding == UTF_16BE || encoding == UTF_16LE {
        return Some(UTF_8);
    }
    Some(encoding)
}

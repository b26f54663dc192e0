//! The maximum output of a call: encoding_rs' numbers, which dependants compare and allocate by.
//!
//! The engine's own bounds are exact, and never above encoding_rs' numbers. The engine stops only if the next character
//! does not fit, so an output of encoding_rs' size suffices.

use crate::Encoding;
use crate::bom::{Mark, Stage};
use crate::encoding::Family;
use crate::encoding::UTF_8;

/// The form of a decoder's output.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Utf8,
    Utf8WithoutReplacement,
    Utf16,
}

/// Returns the number of bytes read that may still yield output. In ISO-2022-JP, an escape sequence that no output has
/// followed counts as one byte. In all other encodings, these bytes are the decoder's whole state.
pub(crate) fn pending(family: Family, engine: &mojika::Decoder) -> usize {
    let max_utf16 = |n| engine.max_utf16_length(n).unwrap_or(0);
    match family {
        // Let p be the number of pending bytes. The maxima for 0 and for 1 further bytes are p / 2 and (p + 1) / 2,
        // rounded up: their sum is p + 1.
        Family::Utf16 => max_utf16(0) + max_utf16(1) - 1,
        Family::SingleByte | Family::XUserDefined | Family::Replacement => 0,
        // One code unit per byte.
        _ => max_utf16(0),
    }
}

/// Returns the maximum length for a decoder at `stage`. `pending` is only called if the engine has read bytes.
pub(crate) fn of_decoder(
    form: Form,
    stage: Stage,
    encoding: &'static Encoding,
    pending: impl FnOnce() -> usize,
    n: usize,
) -> Option<usize> {
    match stage {
        Stage::Converting => converting(form, encoding.family, pending(), n),
        Stage::Start(Some(_)) => converting(form, encoding.family, 0, n),
        Stage::Start(None) => {
            let utf_8 = converting(form, Family::Utf8, 0, n)?;
            let utf_16 = converting(form, Family::Utf16, 0, n)?;
            let marked = utf_8.max(utf_16);
            if Mark::of(encoding).is_some() {
                return Some(marked);
            }
            Some(marked.max(converting(form, encoding.family, 0, n)?))
        }
        Stage::Held {
            mark: Mark::Utf8,
            from: 1,
            ..
        } => converting(form, encoding.family, pending(), n.checked_add(2)?),
        Stage::Matching { mark, .. } | Stage::Held { mark, .. } => {
            // Count two bytes of a mark, although possibly only one has been read.
            let n = n.checked_add(2)?;
            let marked = converting(form, mark.encoding().family, 0, n)?;
            let is_unicode = match mark {
                Mark::Utf8 => encoding == UTF_8,
                Mark::Utf16Be | Mark::Utf16Le => encoding.family == Family::Utf16,
            };
            if is_unicode {
                return Some(marked);
            }
            Some(marked.max(converting(form, encoding.family, pending(), n)?))
        }
        Stage::Finished => panic!("Must not use a decoder that has finished."),
    }
}

/// Returns the maximum length for `n` bytes after `pending` bytes, without a search for a byte order mark.
fn converting(form: Form, family: Family, pending: usize, n: usize) -> Option<usize> {
    use Form::{Utf8, Utf8WithoutReplacement, Utf16};
    // In EUC-JP, two pending bytes count as one.
    let pending = match family {
        Family::EucJp => pending.min(1),
        _ => pending,
    };
    let len = n.checked_add(pending)?;
    match (family, form) {
        (Family::SingleByte | Family::XUserDefined, Utf16) => Some(n),
        (Family::SingleByte | Family::XUserDefined, _) => n.checked_mul(3),
        (Family::Replacement, Utf16) => Some(1),
        (Family::Replacement, _) => Some(3),
        (Family::Utf16, form) => {
            let units = len.checked_add(1)? / 2;
            match form {
                Utf16 => units.checked_add(1),
                _ => units.checked_mul(3)?.checked_add(1),
            }
        }
        (Family::Utf8 | Family::Gb18030 { .. } | Family::Big5, Utf16) => len.checked_add(1),
        (_, Utf16) => Some(len),
        (Family::Utf8, Utf8WithoutReplacement) => len.checked_add(3),
        (Family::Big5, Utf8WithoutReplacement) => len.checked_mul(2)?.checked_add(2),
        (Family::Utf8 | Family::Big5, Utf8) => len.checked_mul(3)?.checked_add(3),
        (Family::Gb18030 { .. }, _) => len.checked_mul(3)?.checked_add(1),
        (Family::EucJp | Family::EucKr, Utf8WithoutReplacement) => {
            let half = len.checked_add(1)? / 2;
            len.checked_add(half)?.checked_add(2)
        }
        (_, _) => len.checked_mul(3),
    }
}

/// Returns the maximum length for an encoder without replacement, from `n` bytes of UTF-8.
pub(crate) fn from_utf8(family: Family, n: usize) -> Option<usize> {
    match family {
        Family::Gb18030 { is_gbk: false } => n.checked_mul(2)?.checked_add(2),
        Family::Gb18030 { is_gbk: true } => n.checked_add(3),
        Family::Big5 | Family::EucJp | Family::ShiftJis | Family::EucKr => n.checked_add(1),
        Family::Iso2022Jp => n.checked_mul(3)?.checked_add(3),
        _ => Some(n),
    }
}

/// Returns the maximum length for an encoder without replacement, from `n` UTF-16 code units.
pub(crate) fn from_utf16(family: Family, n: usize) -> Option<usize> {
    match family {
        Family::SingleByte | Family::XUserDefined => Some(n),
        Family::Gb18030 { is_gbk: false } => n.checked_mul(4),
        Family::Gb18030 { is_gbk: true } => n.checked_mul(2)?.checked_add(2),
        Family::Iso2022Jp => {
            let half = n.checked_add(1)? / 2;
            n.checked_mul(4)?.checked_add(3)?.checked_add(half)
        }
        Family::Big5 | Family::EucJp | Family::ShiftJis | Family::EucKr => n.checked_mul(2),
        Family::Utf8 | Family::Utf16 | Family::Replacement => n.checked_mul(3),
    }
}

//! Insertions in stateful encodings other than ISO-2022-JP: double-byte EBCDIC, HZ, ISO-2022-KR, ISO-2022-CN and the other
//! forms of ISO-2022-JP.
//!
//! Only the encoders of such encodings know the bytes that shift. An insertion is therefore encoded after a character
//! in the preceding mode, and before a character in the following mode. The bytes before it shift to its mode.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use mojika::{Encoder, Encoding, Status};

/// True if characters of an encoding share Base64 digits. Tests the name, so that programs need not link the codecs.
pub(super) fn shares_digits(encoding: &'static Encoding) -> bool {
    matches!(encoding.name(), "UTF-7" | "UTF-7-IMAP")
}

/// The kind of text after an insertion.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum After {
    /// The document shifts there itself, or text in any mode may follow.
    Nothing,
    /// Text in the mode of the given character.
    Mode(char),
    /// The end of the document.
    End,
}

/// Returns the bytes of a text between `before` and `after`. The text starts in the mode of the character `before`, which
/// is `None` at the start of a document. Returns `None` if a character is unmappable.
pub(super) fn encode(
    encoding: &'static Encoding,
    before: Option<char>,
    text: &str,
    after: After,
) -> Option<Vec<u8>> {
    let mut encoder = encoding.new_encoder().ok()?;
    let mut bytes = Vec::new();
    if let Some(before) = before {
        push_char(&mut encoder, before, &mut bytes)?;
    }
    let start = bytes.len();
    push(&mut encoder, text, false, &mut bytes)?;
    match after {
        After::Nothing => {}
        After::End => push(&mut encoder, "", true, &mut bytes)?,
        After::Mode(scalar) => {
            let inserted = bytes.len();
            push_char(&mut encoder, scalar, &mut bytes)?;
            // Encoded a second time, the character needs no shift, so the difference in length is the length of the
            // shift. In UTF-7, the second copy may be longer.
            let end = bytes.len();
            push_char(&mut encoder, scalar, &mut bytes)?;
            let shift = (end - inserted).checked_sub(bytes.len() - end)?;
            bytes.truncate(inserted + shift);
        }
    }
    Some(bytes.split_off(start))
}

fn push_char(encoder: &mut Encoder, scalar: char, bytes: &mut Vec<u8>) -> Option<()> {
    push(encoder, scalar.encode_utf8(&mut [0; 4]), false, bytes)
}

fn push(encoder: &mut Encoder, text: &str, last: bool, bytes: &mut Vec<u8>) -> Option<()> {
    let progress = encoder.encode_append(text, bytes, last);
    (progress.status == Status::InputEmpty).then_some(())
}

/// The designation that ISO-2022-KR has once, before all text that needs it. It is empty in other encodings.
pub(super) struct Designation {
    bytes: Vec<u8>,
    /// The end of the first designation in the document.
    end: Option<usize>,
}

impl Designation {
    /// Finds the designation of a document, or of a part after one that `is_designated`.
    pub fn of(encoding: &'static Encoding, source: &[u8], is_designated: bool) -> Self {
        // The designation is the bytes that an encoder writes before a single-byte character at the start of a stream.
        let start = match encoding.is_stateful() {
            true => encoding.encode("a").unwrap_or_default(),
            false => Cow::default(),
        };
        let bytes = start.split_last().map_or(&[][..], |(_, before)| before);
        let end = match is_designated {
            true => Some(0),
            false => memchr::memmem::find(source, bytes).map(|at| at + bytes.len()),
        };
        let bytes = bytes.into();
        Self { bytes, end }
    }

    /// True if the document has a designation.
    #[cfg(all(unix, feature = "files"))]
    pub fn is_known(&self) -> bool {
        self.end.is_some()
    }

    /// True if the designation would be missing after `bytes` replaced `removed`, the old bytes at offset `start`.
    pub fn is_lost(&self, start: usize, removed: &[u8], bytes: &[u8]) -> bool {
        const SHIFT_OUT: u8 = 0x0E;
        if self.bytes.is_empty() {
            return false;
        }
        let is_in = |bytes| memchr::memmem::find(bytes, &self.bytes).is_some();
        let is_needed = is_in(removed) || bytes.contains(&SHIFT_OUT);
        is_needed && !is_in(bytes) && self.end.is_none_or(|end| end > start)
    }
}

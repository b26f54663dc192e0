//! Insertions in encodings that shift, apart from ISO-2022-JP: EBCDIC with double bytes, HZ, ISO-2022-KR, ISO-2022-CN and the
//! further forms of ISO-2022-JP.
//!
//! Only their encoders know which bytes shift. An insertion is encoded after a character of the mode before it. The
//! bytes that the encoder then writes before a character of the mode after it lead back to that mode.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use mojika::{Encoder, Encoding, Status};

/// True if characters of an encoding share digits of Base64. By name, so that no program has the codecs for this question.
pub(super) fn shares_digits(encoding: &'static Encoding) -> bool {
    matches!(encoding.name(), "UTF-7" | "UTF-7-IMAP")
}

/// The text after an insertion.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum After {
    /// A shift of the document, or text that needs none.
    Nothing,
    /// Text in the mode of this character.
    Mode(char),
    /// The end of the document.
    End,
}

/// The bytes of a text between two modes: after a character of the first one (`None` for the start of a document), and before
/// `after`. `None` if something has no bytes.
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
            // The second time, the state is reached already: these are its own bytes, in UTF-7 perhaps more.
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

/// The designation that ISO-2022-KR has once, before all text that needs it. In other encodings it is empty.
pub(super) struct Designation {
    bytes: Vec<u8>,
    /// The end of the first one of a document.
    end: Option<usize>,
}

impl Designation {
    /// Finds the designation of a document.
    pub fn of(encoding: &'static Encoding, source: &[u8]) -> Self {
        // The bytes before a single byte at the start of a stream.
        let start = match encoding.is_stateful() {
            true => encoding.encode("a").unwrap_or_default(),
            false => Cow::default(),
        };
        let bytes = start.split_last().map_or(&[][..], |(_, before)| before);
        let end = memchr::memmem::find(source, bytes).map(|at| at + bytes.len());
        let bytes = bytes.into();
        Self { bytes, end }
    }

    /// True if the text would lack it after `bytes` replace those that are `removed`, `start` bytes into the document.
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

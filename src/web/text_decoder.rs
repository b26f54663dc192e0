//! `TextDecoder` (section 7.2 of the Standard).

use super::text_decoder_common::{Sink, TextDecoderCommon};
use super::{RangeError, TextDecoderOptions, TypeError};
use crate::{Encoding, UTF_8};
use alloc::string::String;
use alloc::vec::Vec;

/// The dictionary `TextDecodeOptions`: the options of one call of [`TextDecoder::decode`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct TextDecodeOptions {
    /// `stream`: more input follows. An incomplete sequence at the end waits for it, and the next call continues in the
    /// same state.
    pub stream: bool,
}

/// `TextDecoder`: bytes to strings, in one call or several (section 7.2 of the Standard).
///
/// ```
/// use mojika::web::{TextDecoder, TextDecoderOptions};
///
/// let options = TextDecoderOptions { fatal: true, ..TextDecoderOptions::default() };
/// let mut decoder = TextDecoder::new("Shift-JIS", options)?;
/// assert_eq!((&*decoder.encoding(), decoder.fatal()), ("shift_jis", true));
/// assert_eq!(decoder.decode(b"\x95\xB6\x8E\x9A", Default::default())?, "文字");
/// let error = decoder.decode(b"abc\x82\"", Default::default()).unwrap_err();
/// assert_eq!(error.sequence.offset, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # After an error
///
/// After a [`TypeError`], the Standard's steps have these effects:
///
/// * If the call did not set `stream`, the next one starts afresh.
/// * If it did, nothing is reset. The text before the malformed sequence is lost; the input after it stays in the I/O
///   queue, and the next call decodes it first. State also remains: the character set that ISO-2022-JP has selected,
///   and a byte order mark not yet seen.
///
/// The Web platform's tests agree about the state, but expect the rest of the input to be forgotten. With `fatal` and
/// UTF-8, a call with FD EF and `stream` and then an empty call both throw by the Standard; the tests expect one error.
/// A runtime that must pass them calls [`forget_unread_input`](Self::forget_unread_input) after each error.
///
/// ```
/// use mojika::web::{TextDecodeOptions, TextDecoder, TextDecoderOptions};
///
/// let options = TextDecoderOptions { fatal: true, ..TextDecoderOptions::default() };
/// let mut decoder = TextDecoder::new("utf-8", options)?;
/// assert!(decoder.decode(b"\xFDabc", TextDecodeOptions { stream: true }).is_err());
/// assert_eq!(decoder.decode(b"d", TextDecodeOptions::default())?, "abcd");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TextDecoder {
    common: TextDecoderCommon,
    do_not_flush: bool,
}

impl TextDecoder {
    /// `new TextDecoder(label, options)`.
    ///
    /// # Errors
    ///
    /// [`RangeError`] if the label names no encoding, or replacement.
    pub fn new(label: &str, options: TextDecoderOptions) -> Result<Self, RangeError> {
        Ok(Self {
            common: TextDecoderCommon::new(label, options)?,
            do_not_flush: false,
        })
    }

    /// `encoding`: the encoding's name in lower case.
    pub fn encoding(&self) -> String {
        self.common.name()
    }

    /// `fatal`: true if malformed input is an error.
    pub fn fatal(&self) -> bool {
        self.common.fatal
    }

    /// `ignoreBOM`: true if a byte order mark is text.
    pub fn ignore_bom(&self) -> bool {
        self.common.ignore_bom
    }

    /// Returns the encoding that the label named.
    pub fn resolved_encoding(&self) -> &'static Encoding {
        self.common.encoding
    }

    /// `decode(input, options)`; a call without input passes an empty slice.
    ///
    /// # Errors
    ///
    /// [`TypeError`] with the first malformed sequence if [`fatal`](Self::fatal) is set. The type's documentation
    /// describes the next call.
    pub fn decode(
        &mut self,
        input: &[u8],
        options: TextDecodeOptions,
    ) -> Result<String, TypeError> {
        self.decode_to(input, options)
    }

    /// [`decode`](Self::decode) to UTF-16 code units, for engines with UTF-16 strings.
    ///
    /// # Errors
    ///
    /// As [`decode`](Self::decode).
    pub fn decode_to_utf16(
        &mut self,
        input: &[u8],
        options: TextDecodeOptions,
    ) -> Result<Vec<u16>, TypeError> {
        self.decode_to(input, options)
    }

    fn decode_to<S: Sink>(
        &mut self,
        input: &[u8],
        options: TextDecodeOptions,
    ) -> Result<S, TypeError> {
        // Step 1.
        if !self.do_not_flush {
            self.common.reset();
        }
        // Step 2.
        self.do_not_flush = options.stream;
        // Steps 3 to 5. End-of-queue is an item to process unless do not flush is set.
        self.common.process(input, !self.do_not_flush)
    }

    /// Returns the number of input bytes that an error has left in the I/O queue, including those that the decoder has
    /// restored.
    ///
    /// ```
    /// use mojika::web::{TextDecodeOptions, TextDecoder, TextDecoderOptions};
    ///
    /// let options = TextDecoderOptions { fatal: true, ..TextDecoderOptions::default() };
    /// let mut decoder = TextDecoder::new("gb18030", options)?;
    /// assert!(decoder.decode(b"\x81\x30\x21", TextDecodeOptions { stream: true }).is_err());
    /// // 0x81 is malformed; 0x30 and 0x21 are restored.
    /// assert_eq!(decoder.unread_input(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn unread_input(&self) -> usize {
        if self.do_not_flush {
            self.common.queued()
        } else {
            0
        }
    }

    /// Drops the input that an error has left in the I/O queue. Not in the Standard; the Web platform's tests expect
    /// it.
    ///
    /// Bytes that the decoder has restored are dropped, too. Its state stays: the character set of ISO-2022-JP, and the
    /// search for a byte order mark.
    ///
    /// ```
    /// use mojika::web::{TextDecodeOptions, TextDecoder, TextDecoderOptions};
    ///
    /// let options = TextDecoderOptions { fatal: true, ..TextDecoderOptions::default() };
    /// let mut decoder = TextDecoder::new("utf-8", options)?;
    /// assert!(decoder.decode(b"\xFD\xEF", TextDecodeOptions { stream: true }).is_err());
    /// assert_eq!(decoder.unread_input(), 1);
    /// decoder.forget_unread_input();
    /// assert_eq!(decoder.decode(b"", TextDecodeOptions::default())?, "");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn forget_unread_input(&mut self) {
        self.common.forget_queue();
    }
}

/// `new TextDecoder()`: UTF-8, malformed input replaced, a byte order mark dropped.
impl Default for TextDecoder {
    fn default() -> Self {
        Self {
            common: TextDecoderCommon::of(UTF_8, TextDecoderOptions::default()),
            do_not_flush: false,
        }
    }
}

//! `TextDecoderStream` (section 7.5 of the Standard): the two algorithms of its transform stream.

use super::text_decoder_common::{Sink, TextDecoderCommon};
use super::{RangeError, TextDecoderOptions, TypeError};
use crate::{Encoding, UTF_8};
use alloc::string::String;
use alloc::vec::Vec;

/// `TextDecoderStream`: a transform of chunks of bytes to strings (section 7.5 of the Standard).
///
/// The caller owns the queues. It passes each chunk written to [`decode_and_enqueue_a_chunk`] and, once the writer has
/// closed, calls [`flush_and_enqueue`]; both return the chunk to enqueue, if any. After a [`TypeError`] both sides of a
/// stream are errored, and so is this object: every later call returns the same error.
///
/// [`decode_and_enqueue_a_chunk`]: Self::decode_and_enqueue_a_chunk
/// [`flush_and_enqueue`]: Self::flush_and_enqueue
///
/// ```
/// use mojika::web::{TextDecoderOptions, TextDecoderStream};
///
/// let mut stream = TextDecoderStream::new("gbk", TextDecoderOptions::default())?;
/// assert_eq!(stream.decode_and_enqueue_a_chunk(b"\xCE")?, None);
/// assert_eq!(stream.decode_and_enqueue_a_chunk(b"\xC4\xD7")?.as_deref(), Some("文"));
/// assert_eq!(stream.flush_and_enqueue()?.as_deref(), Some("\u{FFFD}"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TextDecoderStream {
    common: TextDecoderCommon,
    errored: Option<TypeError>,
}

impl TextDecoderStream {
    /// `new TextDecoderStream(label, options)`.
    ///
    /// # Errors
    ///
    /// [`RangeError`] if the label names no encoding, or replacement.
    pub fn new(label: &str, options: TextDecoderOptions) -> Result<Self, RangeError> {
        Ok(Self {
            common: TextDecoderCommon::new(label, options)?,
            errored: None,
        })
    }

    /// "Set up" with an encoding, an error mode and the handling of a byte order mark, for other standards. The Fetch
    /// Standard's `textStream()` sets a stream up with UTF-8 (Encoding Standard of May 2026).
    ///
    /// ```
    /// use mojika::web::{TextDecoderOptions, TextDecoderStream};
    ///
    /// let options = TextDecoderOptions { fatal: true, ..TextDecoderOptions::default() };
    /// let mut stream = TextDecoderStream::set_up(mojika::UTF_8, options);
    /// assert_eq!(stream.encoding(), "utf-8");
    /// assert!(stream.decode_and_enqueue_a_chunk(b"\xFF").is_err());
    /// ```
    pub fn set_up(encoding: &'static Encoding, options: TextDecoderOptions) -> Self {
        Self {
            common: TextDecoderCommon::of(encoding, options),
            errored: None,
        }
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

    /// "Decode and enqueue a chunk"; returns the chunk to enqueue, which is never empty.
    ///
    /// # Errors
    ///
    /// [`TypeError`] if [`fatal`](Self::fatal) is set and the stream so far is malformed.
    pub fn decode_and_enqueue_a_chunk(
        &mut self,
        chunk: &[u8],
    ) -> Result<Option<String>, TypeError> {
        self.process(chunk, false)
    }

    /// [`decode_and_enqueue_a_chunk`](Self::decode_and_enqueue_a_chunk) to UTF-16 code units, for engines with UTF-16
    /// strings.
    ///
    /// # Errors
    ///
    /// As [`decode_and_enqueue_a_chunk`](Self::decode_and_enqueue_a_chunk).
    ///
    /// ```
    /// use mojika::web::{TextDecoderOptions, TextDecoderStream};
    ///
    /// let mut stream = TextDecoderStream::new("gbk", TextDecoderOptions::default())?;
    /// let units = stream.decode_and_enqueue_a_chunk_to_utf16(b"\xCE\xC4\xD7")?;
    /// assert_eq!(units.as_deref(), Some(&[0x6587][..]));
    /// assert_eq!(stream.flush_and_enqueue_to_utf16()?.as_deref(), Some(&[0xFFFD][..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decode_and_enqueue_a_chunk_to_utf16(
        &mut self,
        chunk: &[u8],
    ) -> Result<Option<Vec<u16>>, TypeError> {
        self.process(chunk, false)
    }

    /// [`flush_and_enqueue`](Self::flush_and_enqueue) to UTF-16 code units.
    ///
    /// # Errors
    ///
    /// As [`flush_and_enqueue`](Self::flush_and_enqueue).
    pub fn flush_and_enqueue_to_utf16(mut self) -> Result<Option<Vec<u16>>, TypeError> {
        self.process(b"", true)
    }

    /// "Flush and enqueue", at the end of the input; returns the chunk to enqueue, which is never empty.
    ///
    /// # Errors
    ///
    /// [`TypeError`] if [`fatal`](Self::fatal) is set and the stream is malformed or truncated.
    pub fn flush_and_enqueue(mut self) -> Result<Option<String>, TypeError> {
        self.process(b"", true)
    }

    fn process<S: Sink>(&mut self, chunk: &[u8], flush: bool) -> Result<Option<S>, TypeError> {
        if let Some(error) = self.errored {
            return Err(error);
        }
        let result = self.common.process(chunk, flush);
        self.errored = result.as_ref().err().copied();
        if self.errored.is_some() {
            self.common.forget_queue();
        }
        result.map(|output: S| (!output.is_empty()).then_some(output))
    }
}

/// `new TextDecoderStream()`: UTF-8, malformed input replaced, a byte order mark dropped.
impl Default for TextDecoderStream {
    fn default() -> Self {
        Self {
            common: TextDecoderCommon::of(UTF_8, TextDecoderOptions::default()),
            errored: None,
        }
    }
}

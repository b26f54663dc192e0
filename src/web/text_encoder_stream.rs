//! `TextEncoderStream` (section 7.6 of the Standard): the two algorithms of its transform stream.

use super::text_encoder::utf_8_encoder;
use crate::Encoder;
use alloc::vec::Vec;

/// `TextEncoderStream`: a transform of chunks of strings to UTF-8 (section 7.6 of the Standard).
///
/// Two chunks may share a surrogate pair. Its bytes are then part of the second output. The caller owns the queues: the
/// methods return the chunk to enqueue, if any.
///
/// ```
/// let mut stream = mojika::web::TextEncoderStream::new();
/// assert_eq!(stream.encode_and_enqueue_a_chunk(&[0x61, 0xD83D]).as_deref(), Some(&b"a"[..]));
/// let second = stream.encode_and_enqueue_a_chunk(&[0xDCA9, 0xD83D]);
/// assert_eq!(second.as_deref(), Some("💩".as_bytes()));
/// assert_eq!(stream.encode_and_flush().as_deref(), Some("\u{FFFD}".as_bytes()));
/// ```
#[derive(Clone, Debug)]
pub struct TextEncoderStream {
    /// The encoder also holds the Standard's *leading surrogate*.
    encoder: Encoder,
}

impl TextEncoderStream {
    /// `new TextEncoderStream()`.
    pub fn new() -> Self {
        Self {
            encoder: utf_8_encoder(),
        }
    }

    /// `encoding`: always "utf-8".
    ///
    /// ```
    /// assert_eq!(mojika::web::TextEncoderStream::new().encoding(), "utf-8");
    /// ```
    pub fn encoding(&self) -> &'static str {
        "utf-8"
    }

    /// "Encode and enqueue a chunk"; returns the chunk to enqueue, which is never empty.
    ///
    /// Lone surrogates become U+FFFD. For a surrogate at the end of a chunk, the next chunk decides.
    pub fn encode_and_enqueue_a_chunk(&mut self, chunk: &[u16]) -> Option<Vec<u8>> {
        let mut output = Vec::new();
        self.encoder.encode_html_append(chunk, &mut output, false);
        (!output.is_empty()).then_some(output)
    }

    /// [`encode_and_enqueue_a_chunk`](Self::encode_and_enqueue_a_chunk) for a chunk without surrogates of its own.
    ///
    /// ```
    /// let mut stream = mojika::web::TextEncoderStream::new();
    /// assert_eq!(stream.encode_and_enqueue_a_chunk(&[0xD83D]), None);
    /// assert_eq!(stream.encode_and_enqueue_text("a").as_deref(), Some("\u{FFFD}a".as_bytes()));
    /// ```
    pub fn encode_and_enqueue_text(&mut self, chunk: &str) -> Option<Vec<u8>> {
        let mut output = Vec::new();
        if !chunk.is_empty() {
            // No trail surrogate follows, so a pending lead surrogate is alone.
            self.encoder.encode_html_append(&[], &mut output, true);
            output.extend_from_slice(chunk.as_bytes());
        }
        (!output.is_empty()).then_some(output)
    }

    /// "Encode and flush", at the end of the input; returns the chunk to enqueue, which is never empty.
    pub fn encode_and_flush(mut self) -> Option<Vec<u8>> {
        let mut output = Vec::new();
        self.encoder.encode_html_append(&[], &mut output, true);
        (!output.is_empty()).then_some(output)
    }
}

impl Default for TextEncoderStream {
    fn default() -> Self {
        Self::new()
    }
}

//! Codecs for `tokio_util`'s `FramedRead`, `FramedWrite` and `Framed` (feature `tokio-util`).
//!
//! [`DecodeCodec`] turns any bytes that have arrived into pieces of text; [`EncodeCodec`] takes pieces of text. Piece
//! boundaries carry no meaning: the stream as a whole is decoded or encoded.
//!
//! ```
//! use futures_util::{SinkExt, TryStreamExt};
//! use mojika::io::codec::{EndOfText, DecodeCodec, EncodeCodec};
//! use mojika::{EUC_JP, ISO_2022_JP};
//! use tokio_util::codec::{FramedRead, FramedWrite};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut pieces = FramedRead::new(&b"\xCA\xB8\xBB\xFA"[..], DecodeCodec::new(EUC_JP));
//! let mut bytes = FramedWrite::new(Vec::new(), EncodeCodec::new(ISO_2022_JP)?);
//! while let Some(piece) = pieces.try_next().await? {
//!     bytes.send(piece).await?;
//! }
//! bytes.send(EndOfText).await?;
//! assert_eq!(bytes.get_ref(), b"\x1B$BJ8;z\x1B(B");
//! # Ok(())
//! # }
//! ```

use super::decode::Pump;
use super::invalid_data;
use super::transcode::Transcoder;
use crate::{
    Decoder, EncodeError, Encoder, Encoding, Fallback, MalformedSequence, NoEncoder, Unmappable,
};
use std::borrow::Cow;
use std::{fmt, io};
use tokio_util::bytes::{Buf, BytesMut};
use tokio_util::codec;

/// Decodes bytes in any encoding to pieces of text: a [`tokio_util::codec::Decoder`] of `String`.
///
/// No piece is empty. A character whose bytes arrive in parts is in the piece after its last byte.
pub struct DecodeCodec<H = fn(MalformedSequence)> {
    pump: Pump<H>,
}

impl DecodeCodec {
    /// Creates a codec that decodes `encoding`, unless a byte order mark names another one: the Standard's "decode"
    /// (section 6.1).
    pub fn new(encoding: &'static Encoding) -> Self {
        Self::with_decoder(encoding.new_decoder())
    }

    /// Creates a codec from a decoder, which determines the BOM handling and may be in use already.
    pub fn with_decoder(decoder: Decoder) -> Self {
        Self {
            pump: Pump::new(decoder, 0),
        }
    }
}

impl<H> DecodeCodec<H> {
    /// Switches to error mode "fatal": a malformed sequence is an error that carries a
    /// [`DecodeError`](crate::DecodeError).
    ///
    /// All text before the malformed sequence is a piece of its own. The error is reported once; the next call
    /// continues after the sequence. (`FramedRead` ends its stream once at an error, and can be polled further.)
    pub fn fatal(mut self) -> Self {
        self.pump.set_fatal();
        self
    }

    /// Calls `handler` for each malformed sequence that becomes U+FFFD.
    ///
    /// The later call of this method and [`fatal`](Self::fatal) takes effect.
    ///
    /// ```
    /// use mojika::{EUC_KR, io::codec::DecodeCodec};
    /// use tokio_util::bytes::BytesMut;
    /// use tokio_util::codec::Decoder;
    ///
    /// let mut places = Vec::new();
    /// let mut decoder = DecodeCodec::new(EUC_KR).on_malformed(|sequence| places.push(sequence.offset));
    /// let piece = decoder.decode_eof(&mut BytesMut::from(&b"a\xFFb"[..]))?;
    /// assert_eq!(piece.as_deref(), Some("a\u{FFFD}b"));
    /// drop(decoder);
    /// assert_eq!(places, [1]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn on_malformed<G: FnMut(MalformedSequence)>(self, handler: G) -> DecodeCodec<G> {
        DecodeCodec {
            pump: self.pump.with_handler(handler),
        }
    }

    /// Returns the encoding: the requested one, or the one that a byte order mark has named.
    pub fn encoding(&self) -> &'static Encoding {
        self.pump.decoder().encoding()
    }

    /// Returns the number of bytes decoded, including those of an incomplete character.
    pub fn byte_position(&self) -> u64 {
        self.pump.decoder().position()
    }

    /// True if a malformed sequence became U+FFFD.
    pub fn had_errors(&self) -> bool {
        self.pump.had_errors()
    }
}

impl<H: FnMut(MalformedSequence)> DecodeCodec<H> {
    fn piece(&mut self, src: &mut BytesMut, last: bool) -> io::Result<Option<String>> {
        let mut text = String::new();
        let taken = self.pump.run_over(src, last, &mut text);
        src.advance(taken);
        self.pump.stop_after(&text)?;
        Ok(Some(text).filter(|text| !text.is_empty()))
    }
}

impl<H: FnMut(MalformedSequence)> codec::Decoder for DecodeCodec<H> {
    type Item = String;
    type Error = io::Error;

    fn decode(&mut self, src: &mut BytesMut) -> io::Result<Option<String>> {
        self.piece(src, false)
    }

    fn decode_eof(&mut self, src: &mut BytesMut) -> io::Result<Option<String>> {
        self.piece(src, true)
    }
}

impl<H> fmt::Debug for DecodeCodec<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DecodeCodec")
            .field("encoding", &self.encoding())
            .field("byte_position", &self.byte_position())
            .finish_non_exhaustive()
    }
}

/// Encodes pieces of text in any encoding: a [`tokio_util::codec::Encoder`] of `&str`, `String`, `Cow<str>` and
/// [`EndOfText`].
///
/// An unmappable scalar value is an error, unless [`html`](Self::html) or [`on_unmappable`](Self::on_unmappable)
/// selects a replacement. At an error, the piece up to the scalar value has been encoded, and the rest of the piece is
/// lost.
pub struct EncodeCodec<H = fn(Unmappable) -> Fallback> {
    transcoder: Transcoder<H>,
    /// Bytes of text taken.
    position: u64,
}

/// The item that ends a stream: [`EncodeCodec`] writes the bytes that the encoding needs at the end.
///
/// Only ISO-2022-JP needs such bytes: it may have to return to ASCII. Text after this item is another stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EndOfText;

impl EncodeCodec {
    /// Creates an encoder in error mode "fatal".
    ///
    /// # Errors
    ///
    /// [`NoEncoder`] for replacement.
    pub fn new(encoding: &'static Encoding) -> Result<Self, NoEncoder> {
        encoding.new_encoder().map(Self::with_encoder)
    }

    /// Creates a codec from an encoder, which may be in use already. Offsets count from the first piece encoded here.
    pub fn with_encoder(encoder: Encoder) -> Self {
        EncodeCodec {
            transcoder: Transcoder::new(encoder),
            position: 0,
        }
    }

    /// Switches to error mode "html": an unmappable scalar value becomes a numeric character reference.
    pub fn html(mut self) -> Self {
        self.transcoder.set_html();
        self
    }
}

impl<H> EncodeCodec<H> {
    /// Lets `handler` decide about each unmappable scalar value, as in [`Encoding::encode_or_else`].
    pub fn on_unmappable<G: FnMut(Unmappable) -> Fallback>(self, handler: G) -> EncodeCodec<G> {
        EncodeCodec {
            transcoder: self.transcoder.with_handler(handler),
            position: self.position,
        }
    }

    /// Returns the encoding of the output.
    pub fn encoding(&self) -> &'static Encoding {
        self.transcoder.encoding()
    }

    /// Returns the number of UTF-8 bytes taken.
    pub fn text_position(&self) -> u64 {
        self.position
    }

    /// True if an unmappable scalar value was replaced or omitted.
    pub fn had_errors(&self) -> bool {
        self.transcoder.had_errors()
    }
}

impl<H: FnMut(Unmappable) -> Fallback> EncodeCodec<H> {
    fn append(&mut self, mut text: &str, dst: &mut BytesMut, last: bool) -> io::Result<()> {
        loop {
            let length = dst.len();
            dst.resize(length + text.len() + 64, 0);
            let done = self
                .transcoder
                .encode(text, self.position, &mut dst[length..], last);
            dst.truncate(length + done.written);
            if let Some(unmappable) = done.refused {
                // The whole piece is consumed even after an error, so offsets also count the part that was not encoded.
                self.position += text.len() as u64;
                return Err(invalid_data(EncodeError::Unmappable {
                    encoding: self.encoding(),
                    unmappable,
                }));
            }
            self.position += done.read as u64;
            text = &text[done.read..];
            if !done.full {
                return Ok(());
            }
        }
    }
}

impl<H: FnMut(Unmappable) -> Fallback> codec::Encoder<&str> for EncodeCodec<H> {
    type Error = io::Error;

    fn encode(&mut self, piece: &str, dst: &mut BytesMut) -> io::Result<()> {
        self.append(piece, dst, false)
    }
}

impl<H: FnMut(Unmappable) -> Fallback> codec::Encoder<String> for EncodeCodec<H> {
    type Error = io::Error;

    fn encode(&mut self, piece: String, dst: &mut BytesMut) -> io::Result<()> {
        self.append(&piece, dst, false)
    }
}

impl<H: FnMut(Unmappable) -> Fallback> codec::Encoder<Cow<'_, str>> for EncodeCodec<H> {
    type Error = io::Error;

    fn encode(&mut self, piece: Cow<'_, str>, dst: &mut BytesMut) -> io::Result<()> {
        self.append(&piece, dst, false)
    }
}

impl<H: FnMut(Unmappable) -> Fallback> codec::Encoder<EndOfText> for EncodeCodec<H> {
    type Error = io::Error;

    fn encode(&mut self, _: EndOfText, dst: &mut BytesMut) -> io::Result<()> {
        self.append("", dst, true)
    }
}

impl<H> fmt::Debug for EncodeCodec<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EncodeCodec")
            .field("encoding", &self.encoding())
            .field("text_position", &self.position)
            .finish_non_exhaustive()
    }
}

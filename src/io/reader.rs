//! `DecodeReader`: any encoding from a `Read`, as a `Read` of UTF-8.

use super::decode::{DecodeCore, Unread};
use super::read;
use crate::{Decoder, Encoding, MalformedSequence};
use std::fmt;
use std::io::{self, BufRead, Read};

/// Reads bytes in any encoding from `R` and returns UTF-8.
///
/// Malformed sequences become U+FFFD, unless [`fatal`](Self::fatal) is set; [`on_malformed`](Self::on_malformed) lists
/// them. The text does not depend on the sizes of inner reads or of calls. A caller's buffer may have any size, so a
/// read may end in the middle of a character. After the inner reader has ended, it is not read again.
///
/// The reader has buffers of its own: wrapping the inner reader in a [`BufReader`](io::BufReader) is useless. It reads
/// ahead by at most one read of the inner reader.
///
/// ```
/// use mojika::{SHIFT_JIS, UTF_16BE, io::DecodeReader};
/// use std::io::Read;
///
/// let mut text = String::new();
/// DecodeReader::new(&b"\x95\xB6\x8E\x9A"[..], SHIFT_JIS).read_to_string(&mut text)?;
/// assert_eq!(text, "文字");
///
/// // A byte order mark overrides the encoding.
/// let mut reader = DecodeReader::new(&b"\xFE\xFF\x65\x87"[..], SHIFT_JIS);
/// assert_eq!(reader.sniff()?, UTF_16BE);
/// let mut utf_8 = [0; 2];
/// reader.read_exact(&mut utf_8)?;
/// assert_eq!(utf_8, "文".as_bytes()[..2]);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct DecodeReader<R, H = fn(MalformedSequence)> {
    core: DecodeCore<H>,
    inner: R,
}

impl<R> DecodeReader<R> {
    /// Creates a reader that decodes `encoding`, unless a byte order mark names another one: the Standard's "decode"
    /// (section 6.1).
    pub fn new(inner: R, encoding: &'static Encoding) -> Self {
        Self::with_decoder(inner, encoding.new_decoder())
    }

    /// Creates a reader from a decoder, which determines the BOM handling and may be in use already.
    ///
    /// ```
    /// use mojika::{BomHandling, Decoder, UTF_8, io::DecodeReader};
    /// use std::io::Read;
    ///
    /// let decoder = Decoder::new(UTF_8, BomHandling::Keep);
    /// let mut text = String::new();
    /// DecodeReader::with_decoder(&b"\xEF\xBB\xBFabc"[..], decoder).read_to_string(&mut text)?;
    /// assert_eq!(text, "\u{FEFF}abc");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn with_decoder(inner: R, decoder: Decoder) -> Self {
        Self {
            core: DecodeCore::new(decoder),
            inner,
        }
    }
}

impl<R, H> DecodeReader<R, H> {
    /// Switches to the Standard's error mode "fatal": a malformed sequence is an error.
    ///
    /// The error is of kind [`InvalidData`](io::ErrorKind::InvalidData) and carries a
    /// [`DecodeError`](crate::DecodeError). All text before the malformed sequence is read first; the error is reported
    /// once, and the next read continues after the sequence.
    ///
    /// ```
    /// use mojika::{BIG5, io::DecodeReader};
    /// use std::io::Read;
    ///
    /// let mut reader = DecodeReader::new(&b"a\xFFb"[..], BIG5).fatal();
    /// let mut text = String::new();
    /// let error = reader.read_to_string(&mut text).unwrap_err();
    /// assert_eq!(error.to_string(), "not Big5: malformed sequence of 1 byte at byte offset 1");
    /// reader.read_to_string(&mut text)?;
    /// assert_eq!(text, "ab");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn fatal(mut self) -> Self {
        self.core.set_fatal();
        self
    }

    /// Calls `handler` for each malformed sequence that becomes U+FFFD, when it is found.
    ///
    /// Text without malformed sequences decodes as fast as without a handler. The reader decodes ahead, so the handler
    /// may be called before the U+FFFD is read. The later call of this method and [`fatal`](Self::fatal) takes effect.
    ///
    /// ```
    /// use mojika::{SHIFT_JIS, io::DecodeReader};
    /// use std::io::Read;
    ///
    /// let (mut places, mut text) = (Vec::new(), String::new());
    /// DecodeReader::new(&b"\x95\xB6\xFF\x8E\x9A\x89"[..], SHIFT_JIS)
    ///     .on_malformed(|sequence| places.push((sequence.offset, sequence.len)))
    ///     .read_to_string(&mut text)?;
    /// assert_eq!(text, "文\u{FFFD}字\u{FFFD}");
    /// assert_eq!(places, [(2, 1), (5, 1)]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn on_malformed<G: FnMut(MalformedSequence)>(self, handler: G) -> DecodeReader<R, G> {
        DecodeReader {
            core: self.core.with_handler(handler),
            inner: self.inner,
        }
    }

    /// Sets the size in bytes of the source buffer and of the text buffer; the default is 32 KiB.
    ///
    /// Each buffer is allocated on first use. Large reads and `read_to_string` do not use the text buffer.
    pub fn with_capacity(mut self, capacity: usize) -> Self {
        self.core.set_capacity(capacity);
        self
    }

    /// Returns the encoding: the requested one, or the one that a byte order mark has named.
    ///
    /// A byte order mark counts only once the start of the stream has been read: see [`sniff`](Self::sniff).
    pub fn encoding(&self) -> &'static Encoding {
        self.core.encoding()
    }

    /// Returns the number of bytes decoded, including those of an incomplete character.
    pub fn byte_position(&self) -> u64 {
        self.core.byte_position()
    }

    /// Returns the number of UTF-8 bytes read from this reader.
    pub fn text_position(&self) -> u64 {
        self.core.text_position()
    }

    /// True if a malformed sequence became U+FFFD.
    ///
    /// The reader decodes ahead, so the U+FFFD may lie in text that has not been read yet.
    pub fn had_errors(&self) -> bool {
        self.core.had_errors()
    }

    /// Returns the inner reader.
    pub fn get_ref(&self) -> &R {
        &self.inner
    }

    /// Returns the inner reader; bytes read from it directly are missing in the text.
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.inner
    }

    /// Returns the inner reader, and everything read from it but not yet from this reader.
    ///
    /// ```
    /// use mojika::{EUC_JP, io::DecodeReader};
    /// use std::io::Read;
    ///
    /// let mut reader = DecodeReader::new(&b"\xCA\xB8\xBB\xFA"[..], EUC_JP).with_capacity(16);
    /// reader.read_exact(&mut [0; 3])?;
    /// let (inner, unread) = reader.into_inner();
    /// assert_eq!((inner, &*unread.text, &*unread.bytes), (&b""[..], "字".as_bytes(), &b""[..]));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn into_inner(self) -> (R, Unread) {
        (self.inner, self.core.into_unread())
    }
}

impl<R: Read, H: FnMut(MalformedSequence)> DecodeReader<R, H> {
    /// Reads just enough to know the encoding, and returns it.
    ///
    /// If no byte order mark could change the encoding, nothing is read. Otherwise one to three bytes are usually
    /// enough, and a whole chunk of the inner reader is read. Later reads return the chunk.
    ///
    /// # Errors
    ///
    /// Errors of the inner reader.
    ///
    /// ```
    /// use mojika::{UTF_16LE, WINDOWS_1252, io::DecodeReader};
    ///
    /// let mut reader = DecodeReader::new(&b"\xFF\xFEa\0"[..], WINDOWS_1252);
    /// assert_eq!(reader.encoding(), WINDOWS_1252);
    /// assert_eq!(reader.sniff()?, UTF_16LE);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn sniff(&mut self) -> io::Result<&'static Encoding> {
        loop {
            if let Some(encoding) = self.core.sniff() {
                return Ok(encoding);
            }
            self.fill()?;
        }
    }

    /// Reads once from the inner reader.
    fn fill(&mut self) -> io::Result<()> {
        let n = read(&mut self.inner, self.core.space())?;
        self.core.filled(n)
    }
}

impl<R: Read, H: FnMut(MalformedSequence)> Read for DecodeReader<R, H> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(result) = self.core.read(buf) {
                return result;
            }
            self.fill()?;
        }
    }

    /// Reads all text to the end of `buf`, decoding straight into it.
    ///
    /// # Errors
    ///
    /// Errors of the inner reader and of error mode "fatal"; `buf` then ends with the text before the error.
    /// [`InvalidData`](io::ErrorKind::InvalidData), with `buf` unchanged, if the last read ended inside a character.
    fn read_to_string(&mut self, buf: &mut String) -> io::Result<usize> {
        let length = buf.len();
        loop {
            if let Some(result) = self.core.read_to_string(buf) {
                return result.map(|()| buf.len() - length);
            }
            self.fill()?;
        }
    }
}

impl<R: Read, H: FnMut(MalformedSequence)> BufRead for DecodeReader<R, H> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        loop {
            if let Some(result) = self.core.fill_text() {
                result?;
                return Ok(self.core.text());
            }
            self.fill()?;
        }
    }

    fn consume(&mut self, amount: usize) {
        self.core.consume(amount);
    }
}

impl<R: fmt::Debug, H> fmt::Debug for DecodeReader<R, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DecodeReader")
            .field("inner", &self.inner)
            .field("core", &self.core)
            .finish()
    }
}

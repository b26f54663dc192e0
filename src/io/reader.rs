//! `DecodeReader`: any encoding from a `Read`, as a `Read` of UTF-8.

use super::decode::{DecodeCore, Unread};
use super::read::read;
use crate::{Decoder, Encoding, MalformedSequence};
use std::fmt;
use std::io::{self, BufRead, Read};

/// Reads bytes in any encoding from `R` and gives out UTF-8.
///
/// Malformed sequences become U+FFFD, unless [`fatal`](Self::fatal) is asked for;
/// [`on_malformed`](Self::on_malformed) lists them. The text does not depend on how much
/// the inner reader gives at a time or on how much is asked for at a time; a caller's buffer may have any size, so
/// that a read may end in the middle of a character. When the inner reader has come to its end, the text ends as well
/// and the inner reader is not asked again.
///
/// The reader has buffers of its own: to wrap the inner reader in a [`BufReader`](io::BufReader) is of no use. It reads
/// ahead, by one read of the inner reader at most.
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
    /// A reader that decodes `encoding`, unless a byte order mark names another one: the Standard's "decode"
    /// (section 6.1).
    pub fn new(inner: R, encoding: &'static Encoding) -> Self {
        Self::with_decoder(inner, encoding.new_decoder())
    }

    /// A reader around a decoder, which decides about byte order marks and may have been used already.
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
    /// The error is of kind [`InvalidData`](io::ErrorKind::InvalidData) and carries a [`DecodeError`](crate::DecodeError). All text before the
    /// malformed sequence is read first; the error is reported once, and the next read goes on after the sequence.
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
    /// Text without malformed sequences is as fast as without a handler. The reader decodes ahead, so the handler may be
    /// told before the U+FFFD is read. Of this and [`fatal`](Self::fatal), the later call counts.
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

    /// Sets the size in bytes of the buffer for what is read at a time, and of the one for text; 32 KiB if not set.
    ///
    /// Either is allocated when it is first used. Large reads and `read_to_string` do without the one for text.
    pub fn with_capacity(mut self, capacity: usize) -> Self {
        self.core.set_capacity(capacity);
        self
    }

    /// The encoding: the one asked for, or the one that a byte order mark has named.
    ///
    /// Before the start of the stream has been read, nothing is known of byte order marks: see [`sniff`](Self::sniff).
    pub fn encoding(&self) -> &'static Encoding {
        self.core.encoding()
    }

    /// How many bytes of the inner reader have been decoded, those of a character that is incomplete as yet included.
    pub fn byte_position(&self) -> u64 {
        self.core.byte_position()
    }

    /// How many bytes of UTF-8 have been read from this reader.
    pub fn text_position(&self) -> u64 {
        self.core.text_position()
    }

    /// Whether there has been a malformed sequence that became U+FFFD.
    ///
    /// The reader decodes ahead, so the U+FFFD may lie in text that has not been read yet.
    pub fn had_errors(&self) -> bool {
        self.core.had_errors()
    }

    /// The inner reader.
    pub fn get_ref(&self) -> &R {
        &self.inner
    }

    /// The inner reader; what is read from it directly is missing in the text.
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.inner
    }

    /// The inner reader, and all that has been read from it and not from this reader.
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
    /// That is nothing if no byte order mark could change the encoding, else one to three bytes as a rule, or as many
    /// as the inner reader gives at a time. Nothing is lost to later reads.
    ///
    /// # Errors
    ///
    /// Those of the inner reader.
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

    /// One read of the inner reader.
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
    /// Those of the inner reader and of error mode "fatal"; the text before is in `buf` then.
    /// [`InvalidData`](io::ErrorKind::InvalidData), and nothing in `buf`, if the last read has ended inside a character.
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

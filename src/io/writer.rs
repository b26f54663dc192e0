//! `EncodeWriter`: UTF-8 to a `Write`, in any encoding.

use super::encode::{EncodeCore, Unwritten};
use crate::{Encoder, Encoding, Fallback, NoEncoder, Unmappable};
use std::fmt;
use std::io::{self, ErrorKind, Write};

/// Takes UTF-8 and writes it to `W` in any encoding.
///
/// An unmappable scalar value is an error, unless [`html`](Self::html) or [`on_unmappable`](Self::on_unmappable)
/// selects a replacement. The output does not depend on the sizes of writes. A write may end in the middle of a
/// character, whose first bytes are kept until the rest arrives.
///
/// # End of the stream
///
/// Encoded bytes are buffered, so the inner writer needs no [`BufWriter`](io::BufWriter). `flush` writes them and
/// flushes the inner writer, and the stream continues. [`finish`](Self::finish) ends the stream: it writes the bytes
/// that the encoding needs at its end (ISO-2022-JP: the return to ASCII) and flushes. Dropping a writer also tries to
/// end the stream, but does not flush the inner writer and loses errors: call `finish`.
///
/// # Errors
///
/// A failed write has consumed nothing. A write stops before an error and succeeds; the next write fails, as in
/// `write_all` and `write!`. The same write fails again, and a write of the text after the error continues. Errors
/// carry [`EncodeError::Unmappable`](crate::EncodeError::Unmappable). For malformed UTF-8 they carry
/// [`DecodeError`](crate::DecodeError), unless [`replace_invalid_utf8`](Self::replace_invalid_utf8) is set. If the
/// malformed sequence is an incomplete character of an earlier write, its bytes are dropped with the error.
///
/// ```
/// use mojika::{EncodeError, SHIFT_JIS, io::EncodeWriter};
/// use std::io::Write;
///
/// let mut writer = EncodeWriter::new(Vec::new(), SHIFT_JIS)?;
/// write!(writer, "文{}", '字')?;
/// let error = write!(writer, "化€").unwrap_err();
/// match error.get_ref().unwrap().downcast_ref() {
///     Some(EncodeError::Unmappable { unmappable, .. }) => {
///         assert_eq!((unmappable.scalar, unmappable.offset), ('€', 9));
///     }
///     other => panic!("{other:?}"),
/// }
/// writer.finish()?;
/// assert_eq!(writer.get_ref(), b"\x95\xB6\x8E\x9A\x89\xBB");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct EncodeWriter<W: Write, H: FnMut(Unmappable) -> Fallback = fn(Unmappable) -> Fallback> {
    /// `None` only while the parts are taken out.
    parts: Option<Parts<W, H>>,
}

/// The writer without its destructor.
struct Parts<W, H> {
    core: EncodeCore<H>,
    inner: W,
    /// True if the inner writer has panicked: it may have written any part of its last input.
    panicked: bool,
}

impl<W: Write> EncodeWriter<W> {
    /// Creates a writer in error mode "fatal".
    ///
    /// UTF-16BE and UTF-16LE are written without a byte order mark; for a mark, write U+FEFF first.
    /// [`Encoding::output_encoding`] gives the Web's choice of an output encoding.
    ///
    /// # Errors
    ///
    /// [`NoEncoder`] for replacement.
    pub fn new(inner: W, encoding: &'static Encoding) -> Result<Self, NoEncoder> {
        encoding
            .new_encoder()
            .map(|encoder| Self::with_encoder(inner, encoder))
    }

    /// Creates a writer from an encoder, which may be in use already. Offsets count from the first write to this
    /// writer.
    pub fn with_encoder(inner: W, encoder: Encoder) -> Self {
        EncodeWriter {
            parts: Some(Parts {
                core: EncodeCore::new(encoder),
                inner,
                panicked: false,
            }),
        }
    }

    /// Switches to the Standard's error mode "html": an unmappable scalar value becomes a numeric character reference.
    ///
    /// ```
    /// use mojika::{KOI8_U, io::EncodeWriter};
    /// use std::io::Write;
    ///
    /// let mut writer = EncodeWriter::new(Vec::new(), KOI8_U)?.html();
    /// writer.write_all("1 → 2".as_bytes())?;
    /// writer.finish()?;
    /// assert_eq!(writer.get_ref(), b"1 &#8594; 2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn html(mut self) -> Self {
        self.parts_mut().core.set_html();
        self
    }
}

impl<W: Write, H: FnMut(Unmappable) -> Fallback> EncodeWriter<W, H> {
    /// Lets `handler` decide about each unmappable scalar value, as in [`Encoding::encode_or_else`].
    ///
    /// If the handler refuses the scalar value ([`Fallback::Fail`]) or returns unmappable text, the write fails. A
    /// refused scalar value is not consumed. When it is written again, the handler is called again. If other text
    /// precedes the scalar value, `write_all` and `write!` write it again once by themselves.
    ///
    /// ```
    /// use mojika::{Fallback, ISO_8859_2, io::EncodeWriter};
    /// use std::io::Write;
    ///
    /// let mut missing = Vec::new();
    /// let mut writer = EncodeWriter::new(Vec::new(), ISO_8859_2)?.on_unmappable(|unmappable| {
    ///     missing.push(unmappable.scalar);
    ///     Fallback::Text("?".into())
    /// });
    /// writer.write_all("łódź ↔ 船".as_bytes())?;
    /// writer.finish()?;
    /// assert_eq!(writer.get_ref(), b"\xB3\xF3d\xBC ? ?");
    /// drop(writer);
    /// assert_eq!(missing, ['↔', '船']);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn on_unmappable<G: FnMut(Unmappable) -> Fallback>(
        mut self,
        handler: G,
    ) -> EncodeWriter<W, G> {
        EncodeWriter {
            parts: self.parts.take().map(|parts| Parts {
                core: parts.core.with_handler(handler),
                inner: parts.inner,
                panicked: parts.panicked,
            }),
        }
    }

    /// Encodes U+FFFD for each malformed sequence in the written bytes instead of returning an error.
    ///
    /// If U+FFFD is unmappable itself, it is treated like any other scalar value.
    ///
    /// ```
    /// use mojika::{UTF_16BE, io::EncodeWriter};
    /// use std::io::Write;
    ///
    /// let mut writer = EncodeWriter::new(Vec::new(), UTF_16BE)?.replace_invalid_utf8();
    /// writer.write_all(b"a\xF0\x9F")?;
    /// writer.write_all(b"\x92\xFF")?;
    /// writer.finish()?;
    /// assert_eq!(writer.get_ref(), b"\0a\xFF\xFD\xFF\xFD");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn replace_invalid_utf8(mut self) -> Self {
        self.parts_mut().core.set_replaces_invalid();
        self
    }

    /// Sets the size in bytes of the buffer, which is allocated by the first write; 32 KiB if not set.
    pub fn with_capacity(mut self, capacity: usize) -> Self {
        self.parts_mut().core.set_capacity(capacity);
        self
    }

    /// Returns the encoding of the output.
    pub fn encoding(&self) -> &'static Encoding {
        self.parts().core.encoding()
    }

    /// Returns the number of UTF-8 bytes taken.
    pub fn text_position(&self) -> u64 {
        self.parts().core.text_position()
    }

    /// Returns the number of bytes that the inner writer has taken.
    pub fn byte_position(&self) -> u64 {
        self.parts().core.byte_position()
    }

    /// True if an unmappable scalar value was replaced or omitted.
    pub fn had_errors(&self) -> bool {
        self.parts().core.had_errors()
    }

    /// Returns the inner writer, without the buffered bytes.
    pub fn get_ref(&self) -> &W {
        &self.parts().inner
    }

    /// Returns the inner writer, without the buffered bytes. Bytes written to it directly precede the buffered bytes.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.parts_mut().inner
    }

    /// Ends the stream: writes all pending bytes and those that the encoding needs at the end, then flushes the inner
    /// writer.
    ///
    /// May be called again after an error. A later write starts another stream.
    ///
    /// # Errors
    ///
    /// Errors of the inner writer; [`InvalidData`](ErrorKind::InvalidData), once, if the text ends inside a character.
    ///
    /// ```
    /// use mojika::{ISO_2022_JP, io::EncodeWriter};
    /// use std::io::Write;
    ///
    /// let mut writer = EncodeWriter::new(Vec::new(), ISO_2022_JP)?;
    /// writer.write_all("文".as_bytes())?;
    /// writer.flush()?;
    /// assert_eq!(writer.get_ref(), b"\x1B$BJ8");
    /// writer.finish()?;
    /// assert_eq!(writer.get_ref(), b"\x1B$BJ8\x1B(B");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn finish(&mut self) -> io::Result<()> {
        let parts = self.parts_mut();
        parts.write_all_pending(true)?;
        parts.inner.flush()
    }

    /// Returns the inner writer, and the pending output of this writer. Nothing is written, and the stream is not
    /// ended; after [`finish`](Self::finish) nothing is pending.
    ///
    /// ```
    /// use mojika::{WINDOWS_1252, io::EncodeWriter};
    /// use std::io::Write;
    ///
    /// let mut writer = EncodeWriter::new(Vec::new(), WINDOWS_1252)?;
    /// writer.write_all(b"\xC3\xA9\xE2\x82")?;
    /// let (inner, unwritten) = writer.into_inner();
    /// assert_eq!((&*inner, &*unwritten.bytes, &*unwritten.text), (&b""[..], &b"\xE9"[..], &b"\xE2\x82"[..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn into_inner(mut self) -> (W, Unwritten) {
        let parts = self.parts.take().expect(PRESENT);
        (parts.inner, parts.core.into_unwritten())
    }

    fn parts(&self) -> &Parts<W, H> {
        self.parts.as_ref().expect(PRESENT)
    }

    fn parts_mut(&mut self) -> &mut Parts<W, H> {
        self.parts.as_mut().expect(PRESENT)
    }
}

/// The message of an `expect` that cannot fail, because a method that takes the parts out consumes the writer.
const PRESENT: &str = "only methods that consume the writer take its parts";

impl<W: Write, H: FnMut(Unmappable) -> Fallback> Parts<W, H> {
    /// Writes the output to the inner writer.
    fn drain(&mut self) -> io::Result<()> {
        while !self.core.output().is_empty() {
            self.panicked = true;
            let result = self.inner.write(self.core.output());
            self.panicked = false;
            match result {
                Ok(n) => self.core.took(n)?,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Writes all pending bytes for the text taken so far; `last` ends the text.
    fn write_all_pending(&mut self, last: bool) -> io::Result<()> {
        loop {
            if self.core.is_full() {
                self.drain()?;
            }
            if last {
                self.core.end_text()?;
            }
            let settled = self.core.settle(last);
            self.drain()?;
            if settled {
                return Ok(());
            }
        }
    }
}

impl<W: Write, H: FnMut(Unmappable) -> Fallback> Write for EncodeWriter<W, H> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let parts = self.parts_mut();
        loop {
            if buf.is_empty() {
                return Ok(0);
            }
            if parts.core.is_full() {
                parts.drain()?;
            }
            let n = parts.core.take(buf)?;
            if n > 0 {
                return Ok(n);
            }
        }
    }

    /// Writes all pending bytes and flushes the inner writer. The stream continues: ISO-2022-JP stays in its state.
    fn flush(&mut self) -> io::Result<()> {
        let parts = self.parts_mut();
        parts.write_all_pending(false)?;
        parts.inner.flush()
    }
}

impl<W: Write, H: FnMut(Unmappable) -> Fallback> Drop for EncodeWriter<W, H> {
    fn drop(&mut self) {
        if let Some(parts) = &mut self.parts
            && !parts.panicked
        {
            // Errors cannot be reported here. The text before an incomplete character is still written.
            if parts.write_all_pending(true).is_err() {
                _ = parts.write_all_pending(true);
            }
        }
    }
}

impl<W: Write + fmt::Debug, H: FnMut(Unmappable) -> Fallback> fmt::Debug for EncodeWriter<W, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EncodeWriter")
            .field("inner", self.get_ref())
            .field("core", &self.parts().core)
            .finish()
    }
}

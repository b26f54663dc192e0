//! `AsyncDecodeReader` over tokio's `AsyncRead`.

use crate::io::Unread;
use crate::io::decode::DecodeCore;
use crate::{Decoder, Encoding, MalformedSequence};
use ::tokio::io::{AsyncBufRead, AsyncRead, ReadBuf};
use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::{fmt, future};

/// At most this many bytes of a caller's uninitialised buffer are initialised for one read.
const MAX_INITIALIZED: usize = 128 * 1024;

/// Reads bytes in any encoding from `R` and returns UTF-8. See [`mojika::io::DecodeReader`](crate::io::DecodeReader)
/// for details.
///
/// ```
/// use mojika::{SHIFT_JIS, io::tokio::AsyncDecodeReader};
/// use tokio::io::AsyncBufReadExt;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> std::io::Result<()> {
/// let mut lines = AsyncDecodeReader::new(&b"\x95\xB6\n\x8E\x9A"[..], SHIFT_JIS).lines();
/// assert_eq!(lines.next_line().await?.as_deref(), Some("文"));
/// assert_eq!(lines.next_line().await?.as_deref(), Some("字"));
/// assert_eq!(lines.next_line().await?, None);
/// # Ok(())
/// # }
/// ```
pub struct AsyncDecodeReader<R, H = fn(MalformedSequence)> {
    core: DecodeCore<H>,
    inner: R,
}

/// The handler is not pinned: it is only called.
impl<R: Unpin, H> Unpin for AsyncDecodeReader<R, H> {}

impl<R> AsyncDecodeReader<R> {
    /// Creates a reader that decodes `encoding`, unless a byte order mark names another one.
    pub fn new(inner: R, encoding: &'static Encoding) -> Self {
        Self::with_decoder(inner, encoding.new_decoder())
    }

    /// Creates a reader from a decoder, which determines the BOM handling and may be in use already.
    pub fn with_decoder(inner: R, decoder: Decoder) -> Self {
        Self {
            core: DecodeCore::new(decoder),
            inner,
        }
    }
}

impl<R, H> AsyncDecodeReader<R, H> {
    /// Switches to error mode "fatal": a malformed sequence is an error that carries a
    /// [`DecodeError`](crate::DecodeError), reported once, after all text before it.
    pub fn fatal(mut self) -> Self {
        self.core.set_fatal();
        self
    }

    /// Calls `handler` for each malformed sequence that becomes U+FFFD, when it is found.
    ///
    /// The later call of this method and [`fatal`](Self::fatal) takes effect.
    pub fn on_malformed<G: FnMut(MalformedSequence)>(self, handler: G) -> AsyncDecodeReader<R, G> {
        AsyncDecodeReader {
            core: self.core.with_handler(handler),
            inner: self.inner,
        }
    }

    /// Sets the size in bytes of the source buffer and of the text buffer; the default is 32 KiB.
    pub fn with_capacity(mut self, capacity: usize) -> Self {
        self.core.set_capacity(capacity);
        self
    }

    /// Returns the encoding: the requested one, or the one that a byte order mark has named.
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

    /// True if a malformed sequence became U+FFFD, perhaps in text that has not been read yet.
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
    pub fn into_inner(self) -> (R, Unread) {
        (self.inner, self.core.into_unread())
    }
}

impl<R: AsyncRead + Unpin, H: FnMut(MalformedSequence)> AsyncDecodeReader<R, H> {
    /// Reads just enough to know the encoding, and returns it. Later reads return everything, also if this call is
    /// cancelled.
    ///
    /// # Errors
    ///
    /// Errors of the inner reader.
    ///
    /// ```
    /// use mojika::{UTF_16LE, WINDOWS_1252, io::tokio::AsyncDecodeReader};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> std::io::Result<()> {
    /// let mut reader = AsyncDecodeReader::new(&b"\xFF\xFEa\0"[..], WINDOWS_1252);
    /// assert_eq!(reader.sniff().await?, UTF_16LE);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn sniff(&mut self) -> io::Result<&'static Encoding> {
        future::poll_fn(|cx| self.poll_sniff(cx)).await
    }

    /// Polls for the result of [`sniff`](Self::sniff).
    ///
    /// # Errors
    ///
    /// Errors of the inner reader.
    pub fn poll_sniff(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<&'static Encoding>> {
        loop {
            if let Some(encoding) = self.core.sniff() {
                return Poll::Ready(Ok(encoding));
            }
            ready!(self.poll_fill(cx))?;
        }
    }

    /// Reads once from the inner reader.
    fn poll_fill(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        loop {
            let mut buf = ReadBuf::new(self.core.space());
            match ready!(Pin::new(&mut self.inner).poll_read(cx, &mut buf)) {
                Ok(()) => {
                    let n = buf.filled().len();
                    return Poll::Ready(self.core.filled(n));
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }
}

impl<R: AsyncRead + Unpin, H: FnMut(MalformedSequence)> AsyncRead for AsyncDecodeReader<R, H> {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        loop {
            let room = buf.remaining().min(MAX_INITIALIZED);
            if let Some(result) = this.core.read(buf.initialize_unfilled_to(room)) {
                buf.advance(result?);
                return Poll::Ready(Ok(()));
            }
            ready!(this.poll_fill(cx))?;
        }
    }
}

impl<R: AsyncRead + Unpin, H: FnMut(MalformedSequence)> AsyncBufRead for AsyncDecodeReader<R, H> {
    fn poll_fill_buf(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<&[u8]>> {
        let this = self.get_mut();
        loop {
            if let Some(result) = this.core.fill_text() {
                return Poll::Ready(result.map(|()| this.core.text()));
            }
            ready!(this.poll_fill(cx))?;
        }
    }

    fn consume(self: Pin<&mut Self>, amount: usize) {
        self.get_mut().core.consume(amount);
    }
}

impl<R: fmt::Debug, H> fmt::Debug for AsyncDecodeReader<R, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AsyncDecodeReader")
            .field("inner", &self.inner)
            .field("core", &self.core)
            .finish()
    }
}

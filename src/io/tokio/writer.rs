//! `AsyncEncodeWriter` over tokio's `AsyncWrite`.

use crate::io::Unwritten;
use crate::io::encode::EncodeCore;
use crate::{Encoder, Encoding, Fallback, NoEncoder, Unmappable};
use ::tokio::io::AsyncWrite;
use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::{fmt, future};

/// Takes UTF-8 and writes it to `W` in any encoding. See [`mojika::io::EncodeWriter`](crate::io::EncodeWriter) for
/// details.
///
/// `flush` writes pending bytes, and the stream continues. `shutdown` ends it and shuts the inner writer down.
/// [`finish`](Self::finish) ends it and leaves the inner writer open. Unlike [`EncodeWriter`](crate::io::EncodeWriter),
/// this writer cannot wait when it is dropped: unflushed output is lost then.
///
/// ```
/// use mojika::{ISO_2022_JP, io::tokio::AsyncEncodeWriter};
/// use tokio::io::AsyncWriteExt;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut writer = AsyncEncodeWriter::new(Vec::new(), ISO_2022_JP)?.html();
/// writer.write_all("文€".as_bytes()).await?;
/// writer.finish().await?;
/// assert_eq!(writer.get_ref(), b"\x1B$BJ8\x1B(B&#8364;");
/// # Ok(())
/// # }
/// ```
pub struct AsyncEncodeWriter<W, H = fn(Unmappable) -> Fallback> {
    core: EncodeCore<H>,
    inner: W,
}

// The handler is called in place, but never through a pin.
impl<W: Unpin, H> Unpin for AsyncEncodeWriter<W, H> {}

impl<W> AsyncEncodeWriter<W> {
    /// Creates a writer in error mode "fatal".
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
        AsyncEncodeWriter {
            core: EncodeCore::new(encoder),
            inner,
        }
    }

    /// Switches to error mode "html": an unmappable scalar value becomes a numeric character reference.
    pub fn html(mut self) -> Self {
        self.core.set_html();
        self
    }
}

impl<W, H> AsyncEncodeWriter<W, H> {
    /// Lets `handler` decide about each unmappable scalar value.
    pub fn on_unmappable<G: FnMut(Unmappable) -> Fallback>(
        self,
        handler: G,
    ) -> AsyncEncodeWriter<W, G> {
        AsyncEncodeWriter {
            core: self.core.with_handler(handler),
            inner: self.inner,
        }
    }

    /// Encodes U+FFFD for each malformed sequence in the written bytes instead of returning an error.
    pub fn replace_invalid_utf8(mut self) -> Self {
        self.core.set_replaces_invalid();
        self
    }

    /// Sets the size in bytes of the buffer, which is allocated by the first write; 32 KiB if not set.
    pub fn with_capacity(mut self, capacity: usize) -> Self {
        self.core.set_capacity(capacity);
        self
    }

    /// Returns the encoding of the output.
    pub fn encoding(&self) -> &'static Encoding {
        self.core.encoding()
    }

    /// Returns the number of UTF-8 bytes taken.
    pub fn text_position(&self) -> u64 {
        self.core.text_position()
    }

    /// Returns the number of bytes that the inner writer has taken.
    pub fn byte_position(&self) -> u64 {
        self.core.byte_position()
    }

    /// True if an unmappable scalar value was replaced or omitted.
    pub fn had_errors(&self) -> bool {
        self.core.had_errors()
    }

    /// Returns the inner writer, without the buffered bytes.
    pub fn get_ref(&self) -> &W {
        &self.inner
    }

    /// Returns the inner writer, without the buffered bytes. Bytes written to it directly precede the buffered bytes.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.inner
    }

    /// Returns the inner writer, and the pending output of this writer.
    pub fn into_inner(self) -> (W, Unwritten) {
        (self.inner, self.core.into_unwritten())
    }
}

impl<W: AsyncWrite + Unpin, H: FnMut(Unmappable) -> Fallback> AsyncEncodeWriter<W, H> {
    /// Ends the stream: writes all pending bytes and those that the encoding needs at the end, then flushes the inner
    /// writer.
    ///
    /// May be called again after an error, or after cancellation. A later write starts another stream.
    ///
    /// # Errors
    ///
    /// Errors of the inner writer; [`InvalidData`](ErrorKind::InvalidData), once, if the text ends inside a character.
    pub async fn finish(&mut self) -> io::Result<()> {
        future::poll_fn(|cx| self.poll_finish(cx)).await
    }

    /// Polls for the result of [`finish`](Self::finish).
    ///
    /// # Errors
    ///
    /// As for [`finish`](Self::finish).
    pub fn poll_finish(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_write_all_pending(cx, true))?;
        Pin::new(&mut self.inner).poll_flush(cx)
    }

    /// Writes the output to the inner writer.
    fn poll_drain(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.core.output().is_empty() {
            match ready!(Pin::new(&mut self.inner).poll_write(cx, self.core.output())) {
                Ok(n) => self.core.took(n)?,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
        Poll::Ready(Ok(()))
    }

    /// Writes all pending bytes for the text taken so far; `last` ends the text.
    fn poll_write_all_pending(&mut self, cx: &mut Context<'_>, last: bool) -> Poll<io::Result<()>> {
        loop {
            if self.core.is_full() {
                ready!(self.poll_drain(cx))?;
            }
            if last {
                self.core.end_text()?;
            }
            let settled = self.core.settle(last);
            ready!(self.poll_drain(cx))?;
            if settled {
                return Poll::Ready(Ok(()));
            }
        }
    }
}

impl<W: AsyncWrite + Unpin, H: FnMut(Unmappable) -> Fallback> AsyncWrite
    for AsyncEncodeWriter<W, H>
{
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        loop {
            if buf.is_empty() {
                return Poll::Ready(Ok(0));
            }
            if this.core.is_full() {
                ready!(this.poll_drain(cx))?;
            }
            let n = this.core.take(buf)?;
            if n > 0 {
                return Poll::Ready(Ok(n));
            }
        }
    }

    /// Writes all pending bytes and flushes the inner writer. The stream continues: ISO-2022-JP stays in its state.
    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        ready!(this.poll_write_all_pending(cx, false))?;
        Pin::new(&mut this.inner).poll_flush(cx)
    }

    /// Ends the stream, as [`AsyncEncodeWriter::finish`] does, and shuts the inner writer down.
    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        ready!(this.poll_write_all_pending(cx, true))?;
        Pin::new(&mut this.inner).poll_shutdown(cx)
    }
}

impl<W: fmt::Debug, H> fmt::Debug for AsyncEncodeWriter<W, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AsyncEncodeWriter")
            .field("inner", &self.inner)
            .field("core", &self.core)
            .finish()
    }
}

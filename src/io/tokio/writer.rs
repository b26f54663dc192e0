//! `AsyncEncodeWriter` over tokio's `AsyncWrite`.

use crate::io::Unwritten;
use crate::io::encode::EncodeCore;
use crate::{Encoder, Encoding, Fallback, NoEncoder, Unmappable};
use ::tokio::io::AsyncWrite;
use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::{fmt, future};

/// Takes UTF-8 and writes it to `W` in any encoding: the twin of
/// [`mojika::io::EncodeWriter`](crate::io::EncodeWriter), which says more of all of this.
///
/// `flush` writes what is pending and the stream goes on; `shutdown` ends it and shuts the inner writer down;
/// [`finish`](Self::finish) ends it and leaves the inner writer open. Unlike its twin this writer does nothing when it
/// is dropped, for it could not wait: what has not been flushed then is lost.
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

// The handler is called where it lies in the writer, but never by way of a pin.
impl<W: Unpin, H> Unpin for AsyncEncodeWriter<W, H> {}

impl<W> AsyncEncodeWriter<W> {
    /// A writer in error mode "fatal".
    ///
    /// # Errors
    ///
    /// [`NoEncoder`] for replacement.
    pub fn new(inner: W, encoding: &'static Encoding) -> Result<Self, NoEncoder> {
        encoding
            .new_encoder()
            .map(|encoder| Self::with_encoder(inner, encoder))
    }

    /// A writer around an encoder, which may have been used already. Offsets count what is written here.
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
    /// Lets `handler` decide what to do with each unmappable scalar value.
    pub fn on_unmappable<G: FnMut(Unmappable) -> Fallback>(
        self,
        handler: G,
    ) -> AsyncEncodeWriter<W, G> {
        AsyncEncodeWriter {
            core: self.core.with_handler(handler),
            inner: self.inner,
        }
    }

    /// Has U+FFFD encoded for each malformed sequence in what is written, instead of an error.
    pub fn replace_invalid_utf8(mut self) -> Self {
        self.core.set_replaces_invalid();
        self
    }

    /// Sets the size in bytes of the buffer, which is allocated by the first write; 32 KiB if not set.
    pub fn with_capacity(mut self, capacity: usize) -> Self {
        self.core.set_capacity(capacity);
        self
    }

    /// The encoding that is written.
    pub fn encoding(&self) -> &'static Encoding {
        self.core.encoding()
    }

    /// How many bytes of UTF-8 have been taken.
    pub fn text_position(&self) -> u64 {
        self.core.text_position()
    }

    /// How many bytes the inner writer has taken.
    pub fn byte_position(&self) -> u64 {
        self.core.byte_position()
    }

    /// Whether an unmappable scalar value was replaced or omitted.
    pub fn had_errors(&self) -> bool {
        self.core.had_errors()
    }

    /// The inner writer, which lacks what is in the buffer.
    pub fn get_ref(&self) -> &W {
        &self.inner
    }

    /// The inner writer, which lacks what is in the buffer; what is written to it directly overtakes that.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.inner
    }

    /// The inner writer, and what has been written to this writer and not to it.
    pub fn into_inner(self) -> (W, Unwritten) {
        (self.inner, self.core.into_unwritten())
    }
}

impl<W: AsyncWrite + Unpin, H: FnMut(Unmappable) -> Fallback> AsyncEncodeWriter<W, H> {
    /// Ends the stream: writes all that is pending and what the encoding needs at the end, then flushes the inner
    /// writer.
    ///
    /// May be called again after an error, or if it was cancelled. A write after it starts another stream.
    ///
    /// # Errors
    ///
    /// Those of the inner writer; [`InvalidData`](ErrorKind::InvalidData), once, if the text ends inside a character.
    pub async fn finish(&mut self) -> io::Result<()> {
        future::poll_fn(|cx| self.poll_finish(cx)).await
    }

    /// [`finish`](Self::finish) as a poll.
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

    /// Writes all that can be written of the text taken so far; `last`: the text ends here.
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

    /// Writes all that is pending and flushes the inner writer. The stream goes on: ISO-2022-JP stays in its state.
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

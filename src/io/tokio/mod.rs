//! The adapters for tokio's `AsyncRead`, `AsyncBufRead` and `AsyncWrite` (feature `tokio`).
//!
//! [`AsyncDecodeReader`] and [`AsyncEncodeWriter`] are the asynchronous forms of the types in [`mojika::io`](super),
//! with the same text, bytes and errors. A pending or cancelled call has lost nothing. No runtime is needed beyond that
//! of the inner reader or writer.
//!
//! The inner reader or writer must be [`Unpin`], as those of tokio are; `Box::pin` makes any other type `Unpin`.
//!
//! ```
//! use mojika::io::tokio::{AsyncDecodeReader, AsyncEncodeWriter};
//! use mojika::{EUC_JP, ISO_2022_JP};
//! use tokio::io::AsyncWriteExt;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut reader = AsyncDecodeReader::new(&b"\xCA\xB8\xBB\xFA"[..], EUC_JP);
//! let mut writer = AsyncEncodeWriter::new(Vec::new(), ISO_2022_JP)?;
//! tokio::io::copy(&mut reader, &mut writer).await?;
//! writer.shutdown().await?;
//! assert_eq!(writer.get_ref(), b"\x1B$BJ8;z\x1B(B");
//! # Ok(())
//! # }
//! ```

mod reader;
mod writer;

pub use reader::AsyncDecodeReader;
pub use writer::AsyncEncodeWriter;

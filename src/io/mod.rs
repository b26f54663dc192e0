//! Adapters over `std::io`: decode while reading, encode while writing.
//!
//! Files, sockets and pipes hold bytes in some encoding; code that works on text wants UTF-8. These adapters stand
//! between the two, in constant memory:
//!
//! * [`DecodeReader`] wraps any [`Read`] in any encoding and is a `Read` and a
//!   [`BufRead`](std::io::BufRead) of UTF-8;
//! * [`EncodeWriter`] wraps any [`Write`](std::io::Write), takes UTF-8 and writes any encoding;
//! * [`MixedReader`] reads lines in UTF-8 and others in another encoding;
//! * `io::tokio` (feature `tokio`) has the same for tokio's `AsyncRead`, `AsyncBufRead` and `AsyncWrite`;
//! * `io::codec` (feature `tokio-util`) has the same for `FramedRead` and `FramedWrite`.
//!
//! ```
//! use mojika::io::{DecodeReader, EncodeWriter};
//! use mojika::{SHIFT_JIS, UTF_16LE};
//! use std::io::{BufRead, Write};
//!
//! let file = &b"\x95\xB6\x8E\x9A\r\n\x89\xBB"[..];
//! let mut writer = EncodeWriter::new(Vec::new(), UTF_16LE)?;
//! for line in DecodeReader::new(file, SHIFT_JIS).lines() {
//!     writeln!(writer, "{}", line?)?;
//! }
//! writer.finish()?;
//! assert_eq!(writer.get_ref(), b"\x87\x65\x57\x5B\n\0\x16\x53\n\0");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Errors
//!
//! A failed conversion is an [`std::io::Error`] of kind [`InvalidData`](std::io::ErrorKind::InvalidData) that carries a
//! typed error. Its offset counts from the start of the stream, whatever the sizes of reads and writes:
//!
//! * [`DecodeError`](crate::DecodeError) from readers in error mode "fatal", and from writers for malformed UTF-8 (with
//!   UTF-8 as its encoding);
//! * [`EncodeError::Unmappable`](crate::EncodeError::Unmappable) from writers in error mode "fatal".
//!
//! ```
//! use mojika::{DecodeError, EUC_KR, io::DecodeReader};
//! use std::io::Read;
//!
//! let mut reader = DecodeReader::new(&b"abc\xFFdef"[..], EUC_KR).fatal();
//! let mut text = String::new();
//! let error = reader.read_to_string(&mut text).unwrap_err();
//! let malformed: &DecodeError = error.get_ref().unwrap().downcast_ref().unwrap();
//! assert_eq!((malformed.sequence.offset, &*text), (3, "abc"));
//! ```
//!
//! In error mode "replacement", `on_malformed` of readers and decoders lists the malformed sequences.
//!
//! Errors of the inner reader or writer are returned unchanged, except `Interrupted`, after which the adapter retries.
//! No error loses a byte, not even `WouldBlock`: the next call continues at the same point.
//!
//! # Coming from `encoding_rs_io`
//!
//! [`DecodeReader`] has the purpose of `encoding_rs_io::DecodeReaderBytes`. The differences:
//!
//! * The text is always UTF-8. `DecodeReaderBytes` without an explicit encoding and without a byte order mark passes
//!   bytes through as they are; here an encoding is always given ([`UTF_8`](crate::UTF_8), say), and malformed bytes
//!   become U+FFFD or an error. There is no equivalent of `utf8_passthru`.
//! * [`DecodeReader::new`] lets a byte order mark override the encoding and removes it, as the Standard's "decode" does
//!   (`bom_override(true)` and `strip_bom(true)` there). For an encoding that no byte order mark overrides, give
//!   [`DecodeReader::with_decoder`] a decoder made with
//!   [`BomHandling::Remove`](crate::BomHandling::Remove) or [`BomHandling::Keep`](crate::BomHandling::Keep)
//!   (`bom_sniffing(false)` there).
//! * It is a `BufRead` too, has error mode "fatal", reports the encoding found and its positions, and returns its
//!   parts.
//! * There is a writer.

// These modules use the public streams and, for speed, the internals of one-shot calls; no other module uses them.
// `decode` and `encode` are the adapters without I/O: state machines between two buffers. The rest are thin loops
// around them, one for each family of traits.

mod buffer;
#[cfg(feature = "tokio-util")]
pub mod codec;
mod decode;
mod encode;
mod mixed;
mod reader;
#[cfg(feature = "tokio")]
pub mod tokio;
mod transcode;
mod writer;

pub use decode::Unread;
pub use encode::Unwritten;
pub use mixed::{MixedEvent, MixedReader};
pub use mixed::{line_end, whole_lines};
pub use reader::DecodeReader;
pub use writer::EncodeWriter;

use std::error::Error;
use std::io::{self, ErrorKind, Read};

/// Wraps `error` in an I/O error.
fn invalid_data(error: impl Error + Send + Sync + 'static) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, error)
}

/// Reads once, retrying interrupted reads; 0 means the end of the input, or an empty `buf`.
fn read(inner: &mut impl Read, buf: &mut [u8]) -> io::Result<usize> {
    loop {
        match inner.read(buf) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

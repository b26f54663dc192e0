//! The Standard's API objects (section 7): `TextDecoder`, `TextEncoder` and their streams, without JavaScript.
//!
//! For runtimes that offer these objects to scripts, and for code that is to behave as a browser's does. What a script
//! sees is here step by step, under the Standard's names: labels, [`RangeError`] and [`TypeError`], the *do not flush*
//! flag, a byte order mark dropped when output is serialized, code units read and bytes written by `encodeInto`,
//! surrogates that two chunks share. What belongs to the script's engine is left to it: reading buffers, the streams'
//! queues, making exceptions of the errors. A USVString is a `String`, a DOMString `&[u16]`, and where a string without
//! lone surrogates will do, `&str` does.
//!
//! Everything else in this library is closer to Rust's ways: [`Encoding`](crate::Encoding) for whole input,
//! [`Decoder`](crate::Decoder) and [`Encoder`](crate::Encoder) for streams. This module is built on these alone.
//!
//! ```
//! use mojika::web::{TextDecodeOptions, TextDecoder, TextDecoderOptions, TextEncoder};
//!
//! let mut decoder = TextDecoder::new("euc-kr", TextDecoderOptions::default())?;
//! let mut text = decoder.decode(b"\xC7\xD1\xB1", TextDecodeOptions { stream: true })?;
//! text += &decoder.decode(b"\xDB", TextDecodeOptions::default())?;
//! assert_eq!(text, "한글");
//! assert_eq!(TextEncoder::new().encode(&text), text.as_bytes());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod text_decoder;
mod text_decoder_common;
mod text_decoder_stream;
mod text_encoder;
mod text_encoder_stream;

pub use error::{RangeError, TypeError};
pub use text_decoder::{TextDecodeOptions, TextDecoder};
pub use text_decoder_common::TextDecoderOptions;
pub use text_decoder_stream::TextDecoderStream;
pub use text_encoder::{TextEncoder, TextEncoderEncodeIntoResult, to_usv_string};
pub use text_encoder_stream::TextEncoderStream;

//! The Standard's API objects (section 7): `TextDecoder`, `TextEncoder` and their streams, without JavaScript.
//!
//! For runtimes that offer these objects to scripts, and for code that must behave as a browser does. The behaviour
//! visible to scripts follows the Standard step by step, under its names. That covers labels, [`RangeError`] and
//! [`TypeError`], the *do not flush* flag, and a byte order mark dropped when output is serialized. It also covers the
//! counts of `encodeInto` and surrogates that two chunks share. Reading buffers, the streams' queues and the exception
//! objects are left to the script engine. A USVString is a `String`, a DOMString `&[u16]`, or `&str` if lone surrogates
//! need no representation.
//!
//! For Rust programs, prefer [`Encoding`](crate::Encoding) for whole input, and [`Decoder`](crate::Decoder) and
//! [`Encoder`](crate::Encoder) for streams. This module is built on these alone.
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

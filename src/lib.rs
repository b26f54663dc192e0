//! Codecs for every encoding of the WHATWG Encoding Standard: exact, streaming, and fast.
//!
//! ```
//! # #[cfg(feature = "alloc")] {
//! use mojika::Encoding;
//!
//! let encoding = Encoding::for_label("sjis").unwrap();
//! let decoded = encoding.decode(b"\x95\xB6\x8E\x9A\x89\xBB");
//! assert_eq!(decoded.text, "文字化");
//! assert!(!decoded.had_errors);
//! assert_eq!(*encoding.encode("文字化")?, *b"\x95\xB6\x8E\x9A\x89\xBB");
//! # }
//! # Ok::<(), mojika::EncodeError>(())
//! ```
//!
//! * One call: [`Encoding::decode`] and [`Encoding::encode`] with their variants (feature `alloc`).
//! * Chunk by chunk, into buffers of your own, without an allocator: [`Decoder`] and [`Encoder`].
//! * The Standard's hooks for other standards, by name: [`hooks`]; its `TextDecoder` and `TextEncoder`: `web`.
//! * Over `Read` and `Write`, sync and async: `io` (feature `std`).
//! * Encodings outside the Standard's labels, such as UTF-32: [`extended`].
//! * Offsets in decoded text mapped back to the source: `offsets`. Operations on text in memory: [`mem`].
//!
//! Terms follow the Standard. A *label* names an encoding, and an *index* maps *pointers* to code points. A *scalar
//! value* is a code point that is not a surrogate. The *error mode* selects the handling of malformed and unmappable
//! text.
//!
//! # Features
//!
//! * `std` (default): instruction sets are detected at run time. Implies `alloc`.
//! * `alloc`: one-shot calls and growing outputs.
//! * `tokio`, `tokio-util`: adapters for async code in `io`.
//! * `serde`: serialization of [`Encoding`], [`BomHandling`] and the maps of `offsets`.
//! * Without features, the codecs work on borrowed buffers, with the instruction sets that the build enables.
//!
//! No feature, no processor and no buffer size changes a result; only the speed differs. With `std`, the environment
//! variable `MOJIKA_SIMD` limits the instruction set: `avx512`, `avx2`, `sse2`, `neon`, `simd128` or `portable`.
//!
//! # Small builds
//!
//! Programs that need only single-byte encodings and UTF can leave out the large tables. `RUSTFLAGS="--cfg
//! mojika_small"` removes the codecs of GBK, gb18030, Big5, EUC-JP, ISO-2022-JP, Shift_JIS, EUC-KR, UTF-7 and the
//! multi-byte encodings of [`extended`]. It is not a feature, because a dependency must not take encodings away from a
//! program. Statics, names and labels remain. `new_encoder` returns an error for these encodings, and their decoder is
//! that of replacement, which reports one malformed sequence for any input. `Encoding::is_left_out`, which exists in
//! such builds only, identifies them.

#![cfg_attr(not(any(feature = "std", test)), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(unsafe_code)]
#![warn(missing_debug_implementations)]
#![cfg_attr(
    mojika_small,
    allow(
        dead_code,
        unused_imports,
        unused_macros,
        reason = "what is left out is compiled, and not linked"
    )
)]

#[cfg(feature = "alloc")]
extern crate alloc;

mod bom;
mod codec;
mod decoder;
mod encoder;
mod encoding;
mod encodings;
mod error;
pub mod extended;
pub mod hooks;
#[cfg(feature = "std")]
pub mod io;
mod malformed;
pub mod mem;
#[cfg(feature = "alloc")]
pub mod offsets;
#[cfg(feature = "alloc")]
mod one_shot;
mod progress;
#[cfg(feature = "serde")]
mod serialize;
#[allow(
    unsafe_code,
    reason = "the home of vector instructions and uninitialised buffers"
)]
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod simd;
#[allow(
    unsafe_code,
    reason = "the home of vector instructions and uninitialised buffers"
)]
#[cfg(not(feature = "internals"))]
mod simd;
mod tables;
#[cfg(feature = "alloc")]
pub mod web;

pub use bom::BomHandling;
#[cfg(feature = "alloc")]
pub use codec::Mode as DecoderMode;
#[cfg(feature = "alloc")]
pub use decoder::AppendTarget;
pub use decoder::{DecodeTarget, Decoder};
pub use encoder::{EncodeSource, EncodeTarget, Encoder};
pub use encoding::Encoding;
pub use encodings::*;
pub use error::{
    DecodeError, EncodeError, MalformedSequence, NoEncoder, UnknownCodePage, UnknownLabel,
    Unmappable,
};
#[cfg(feature = "alloc")]
pub use one_shot::{ColumnError, Decoded, DecodedColumn, Encoded, Fallback, Options};
pub use progress::{Progress, Status};

/// The examples of the README and of the guides, as doctests.
#[cfg(all(doctest, feature = "std"))]
mod documents {
    #[doc = include_str!("../README.md")]
    struct Readme;
    #[doc = include_str!("../docs/REPLACE_ENCODING_RS.md")]
    struct ReplaceEncodingRs;
    #[doc = include_str!("../docs/SEARCH.md")]
    struct Search;
    #[doc = include_str!("../docs/EXTENDED.md")]
    struct Extended;
}

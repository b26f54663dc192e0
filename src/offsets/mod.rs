//! Maps offsets in decoded text to offsets in the source, and back.
//!
//! Search tools, indexes, highlighters and error messages find a position in text and need its position in the file.
//! The answer is exact in every encoding, in malformed input and in the middle of a stream.
//!
//! * [`OffsetMap`] has a checkpoint every 16 KiB and decodes from the nearest one to answer. It costs next to nothing,
//!   and look-ups need the source. Prefer it unless the source is gone.
//! * [`DenseOffsetMap`] stores the lengths of all characters, packed, and answers without the source.
//!
//! Both maps are built while decoding, by a builder that takes chunks as a [`Decoder`](crate::Decoder) does, and both
//! return [`Offsets`] for look-ups.
//!
//! # Meaning of an offset
//!
//! A text is a sequence of [`Segment`]s, each a character with its bytes. An offset inside a character, in the text or
//! in the source, belongs to that character. Precisely:
//!
//! * A U+FFFD that stands for a malformed sequence has the bytes of that sequence, as error mode "fatal" reports
//!   them. Bytes after it that the decoder restores are the next characters'.
//! * In Big5, 88 62, 88 64, 88 A3 and 88 A5 are two characters each, which share the two bytes: one segment.
//! * In ISO-2022-JP an escape sequence is the *lead-in* of the next character. [`Offsets::source_range`] begins with
//!   the lead-in. So adjacent ranges of text have adjacent ranges of source, and an extract starts with its escape
//!   sequence, if any. [`Segment::source`] and [`Offsets::source_offset`] exclude the lead-in. An escape sequence that
//!   no character follows belongs to no text.
//! * Three kinds of bytes belong to no text: a removed byte order mark, the input that the encoding replacement drops,
//!   and an incomplete sequence while more input may come.
//!
//! So the segments with their lead-ins partition the source between a byte order mark and trailing bytes without text.
//!
//! # Costs
//!
//! Measured as thread CPU time on an Intel Xeon (family 6, model 143) with AVX-512. 8 MB of generated text are decoded
//! into a string with spare capacity, alternately without a map and by the builders. Times are medians of 25 rounds
//! each. Memory excludes spare capacity; look-ups are at random offsets.
//!
//! | text | decoding | with [`OffsetMap`] | and UTF-16 counted | look-up | with [`DenseOffsetMap`] | its memory | look-up |
//! |---|---|---|---|---|---|---|---|
//! | Shift_JIS, dense | 2.0 GB/s | +4 % | +20 % | 20 µs | +330 % | 13 KB per MB | 1 µs |
//! | Shift_JIS, markup | 2.2 GB/s | +6 % | +22 % | 20 µs | +340 % | 47 KB per MB | 1 µs |
//! | windows-1252, French | 5.0 GB/s | +2 % | +27 % | 10 µs | +590 % | 109 KB per MB | 1 µs |
//! | windows-1252, French, markup | 5.9 GB/s | +3 % | +32 % | 8 µs | +500 % | 73 KB per MB | 1 µs |
//! | windows-1252, ASCII alone | 13 GB/s | +11 % | +73 % | 2 µs | +23 % | 0 | 0.02 µs |
//! | windows-1251, Russian | 4.8 GB/s | ±5 % | +30 % | 45 µs | +2900 % | 385 KB per MB | 1.5 µs |
//! | ISO-2022-JP, markup | 0.6 GB/s | ±3 % | +1 % | 28 µs | +91 % | 66 KB per MB | 1 µs |
//! | UTF-8, Japanese | 8.5 GB/s | ±3 % | +33 % | 7 µs | +500 % | 9 KB per MB | 1 µs |
//!
//! An `OffsetMap` takes 1 KB per MB of source, 1.5 KB if UTF-8 and UTF-16 are both counted. A smaller
//! [interval](OffsetMapOptions::interval) costs more memory and time, and makes look-ups faster: a look-up decodes half
//! an interval on average.
//!
//! # Storing a map
//!
//! With the feature `serde`, both maps can be serialized. A map is checked when it is read: a map that contradicts
//! itself is an error, and no map makes a look-up panic. It is not checked that an [`OffsetMap`] belongs to a source,
//! nor do look-ups check this.
//!
//! ```
//! # #[cfg(feature = "serde")] {
//! use mojika::offsets::DenseOffsetMap;
//!
//! let (text, map) = DenseOffsetMap::decode(mojika::SHIFT_JIS, b"\x95\xB6\x8E\x9A\x89\xBB");
//! let stored = serde_json::to_string(&map)?;
//! let map: DenseOffsetMap = serde_json::from_str(&stored)?;
//! let place = text.find("化").unwrap() as u64;
//! assert_eq!(map.utf8_offsets().source_offset(place), Some(4));
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// Depends on `Decoder`, on `bom` and on the kinds of encodings (`codec::Scheme`):
//
// - `text`: the two forms of text that builders append to;
// - `runs`: `Walker`, which finds each character's length in the source;
// - `map`, `dense`: the two maps with their builders;
// - `query`: the look-ups;
// - `checkpoint`: positions where `mojika-edit` starts to decode again;
// - `stored`: both maps for serde.

mod checkpoint;
mod dense;
mod find;
mod map;
mod query;
mod runs;
mod source;
#[cfg(feature = "serde")]
mod stored;
mod text;

pub use checkpoint::Checkpoint;
pub use dense::{DenseOffsetMap, DenseOffsetMapBuilder};
pub use find::{Segment, TextUnit};
pub use map::{OffsetMap, OffsetMapBuilder, OffsetMapOptions};
pub use query::Offsets;

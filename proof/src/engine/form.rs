//! What decoders write: UTF-8 bytes or UTF-16 code units.

use super::memory::{Memory, over_str, uninit};
use crate::expected::{DecodingRef, Malformed};
use mojika::{DecodeProgress, Decoder, FatalDecodeProgress};
use std::fmt::{Debug, UpperHex};

/// UTF-8 bytes or UTF-16 code units.
pub trait Form: Copy + PartialEq + Debug + UpperHex + 'static {
    /// What unwritten output is filled with.
    const CANARY: Self;
    /// U+FFFD.
    const REPLACEMENT: &'static [Self];
    /// The name of the form.
    const NAME: &'static str;
    /// The smallest output buffer.
    const LEAST: usize;
    /// The kinds of memory that decoders write this form to.
    const MEMORIES: &'static [Memory];
    /// The text in this form.
    fn text<'a>(expected: &DecodingRef<'a>) -> &'a [Self];
    /// How much of the text comes before an error.
    fn before(error: &Malformed) -> usize;
    /// A call in error mode "fatal".
    fn decode_fatal(
        decoder: &mut Decoder,
        src: &[u8],
        dst: &mut [Self],
        last: bool,
        memory: Memory,
    ) -> FatalDecodeProgress;
    /// A call in error mode "replacement".
    fn decode(
        decoder: &mut Decoder,
        src: &[u8],
        dst: &mut [Self],
        last: bool,
        memory: Memory,
    ) -> DecodeProgress;
}

impl Form for u8 {
    const CANARY: u8 = 0xA5;
    const REPLACEMENT: &'static [u8] = "\u{FFFD}".as_bytes();
    const NAME: &'static str = "UTF-8";
    const LEAST: usize = 4;
    const MEMORIES: &'static [Memory] = &[Memory::Init, Memory::Uninit, Memory::Str];
    fn text<'a>(expected: &DecodingRef<'a>) -> &'a [u8] {
        expected.utf8
    }
    fn before(error: &Malformed) -> usize {
        error.utf8
    }
    fn decode_fatal(
        decoder: &mut Decoder,
        src: &[u8],
        dst: &mut [u8],
        last: bool,
        memory: Memory,
    ) -> FatalDecodeProgress {
        match memory {
            Memory::Init => decoder.decode_fatal(src, dst, last),
            Memory::Uninit => decoder.decode_fatal(src, uninit(dst), last),
            Memory::Str => over_str(dst, |text| {
                let progress = decoder.decode_fatal(src, text, last);
                (progress.written, progress)
            }),
        }
    }
    fn decode(
        decoder: &mut Decoder,
        src: &[u8],
        dst: &mut [u8],
        last: bool,
        memory: Memory,
    ) -> DecodeProgress {
        match memory {
            Memory::Init => decoder.decode(src, dst, last),
            Memory::Uninit => decoder.decode(src, uninit(dst), last),
            Memory::Str => over_str(dst, |text| {
                let progress = decoder.decode(src, text, last);
                (progress.written, progress)
            }),
        }
    }
}

impl Form for u16 {
    const CANARY: u16 = 0xA55A;
    const REPLACEMENT: &'static [u16] = &[0xFFFD];
    const NAME: &'static str = "UTF-16";
    const LEAST: usize = 2;
    const MEMORIES: &'static [Memory] = &[Memory::Init, Memory::Uninit];
    fn text<'a>(expected: &DecodingRef<'a>) -> &'a [u16] {
        expected.utf16
    }
    fn before(error: &Malformed) -> usize {
        error.utf16
    }
    fn decode_fatal(
        decoder: &mut Decoder,
        src: &[u8],
        dst: &mut [u16],
        last: bool,
        memory: Memory,
    ) -> FatalDecodeProgress {
        match memory {
            Memory::Init => decoder.decode_fatal(src, dst, last),
            Memory::Uninit => decoder.decode_fatal(src, uninit(dst), last),
            Memory::Str => unreachable!("a str is UTF-8"),
        }
    }
    fn decode(
        decoder: &mut Decoder,
        src: &[u8],
        dst: &mut [u16],
        last: bool,
        memory: Memory,
    ) -> DecodeProgress {
        match memory {
            Memory::Init => decoder.decode(src, dst, last),
            Memory::Uninit => decoder.decode(src, uninit(dst), last),
            Memory::Str => unreachable!("a str is UTF-8"),
        }
    }
}

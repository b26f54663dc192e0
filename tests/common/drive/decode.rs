//! Drivers of decoders.

use super::{Ended, ended, initialised};
use crate::common::case;
use mojika::{DecodeProgress, Decoder, Encoding, FatalDecodeProgress, FatalDecodeStatus};
use std::mem::MaybeUninit;

/// A form that decoders write: `u8` (UTF-8) or `u16` (UTF-16).
pub trait Form: Copy + PartialEq + std::fmt::Debug + std::fmt::UpperHex + 'static {
    /// What buffers are filled with beforehand; no decoder writes it.
    const CANARY: Self;
    /// The least size of a buffer that must do.
    const LEAST_ROOM: usize;

    fn decode(d: &mut Decoder, src: &[u8], dst: &mut [Self], last: bool) -> DecodeProgress;
    fn decode_fatal(
        d: &mut Decoder,
        src: &[u8],
        dst: &mut [Self],
        last: bool,
    ) -> FatalDecodeProgress;
    fn decode_uninit(
        d: &mut Decoder,
        src: &[u8],
        dst: &mut [MaybeUninit<Self>],
        last: bool,
    ) -> DecodeProgress;
    fn decode_fatal_uninit(
        d: &mut Decoder,
        src: &[u8],
        dst: &mut [MaybeUninit<Self>],
        last: bool,
    ) -> FatalDecodeProgress;
    fn max_length(d: &Decoder, bytes: usize) -> Option<usize>;
    fn max_length_fatal(d: &Decoder, bytes: usize) -> Option<usize>;
    /// The text, which must be well-formed.
    fn text(units: &[Self]) -> String;
    /// U+FFFD.
    fn replacement() -> Vec<Self>;
}

impl Form for u8 {
    const CANARY: u8 = 0xFF;
    const LEAST_ROOM: usize = 4;

    fn decode(d: &mut Decoder, src: &[u8], dst: &mut [u8], last: bool) -> DecodeProgress {
        d.decode(src, dst, last)
    }
    fn decode_fatal(
        d: &mut Decoder,
        src: &[u8],
        dst: &mut [u8],
        last: bool,
    ) -> FatalDecodeProgress {
        d.decode_fatal(src, dst, last)
    }
    fn decode_uninit(
        d: &mut Decoder,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        last: bool,
    ) -> DecodeProgress {
        d.decode(src, dst, last)
    }
    fn decode_fatal_uninit(
        d: &mut Decoder,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        last: bool,
    ) -> FatalDecodeProgress {
        d.decode_fatal(src, dst, last)
    }
    fn max_length(d: &Decoder, bytes: usize) -> Option<usize> {
        d.max_utf8_length(bytes)
    }
    fn max_length_fatal(d: &Decoder, bytes: usize) -> Option<usize> {
        d.max_utf8_length_fatal(bytes)
    }
    fn text(units: &[u8]) -> String {
        String::from_utf8(units.to_vec()).expect("decoders write well-formed UTF-8")
    }
    fn replacement() -> Vec<u8> {
        "\u{FFFD}".into()
    }
}

impl Form for u16 {
    // A lone surrogate.
    const CANARY: u16 = 0xDEAD;
    const LEAST_ROOM: usize = 2;

    fn decode(d: &mut Decoder, src: &[u8], dst: &mut [u16], last: bool) -> DecodeProgress {
        d.decode(src, dst, last)
    }
    fn decode_fatal(
        d: &mut Decoder,
        src: &[u8],
        dst: &mut [u16],
        last: bool,
    ) -> FatalDecodeProgress {
        d.decode_fatal(src, dst, last)
    }
    fn decode_uninit(
        d: &mut Decoder,
        src: &[u8],
        dst: &mut [MaybeUninit<u16>],
        last: bool,
    ) -> DecodeProgress {
        d.decode(src, dst, last)
    }
    fn decode_fatal_uninit(
        d: &mut Decoder,
        src: &[u8],
        dst: &mut [MaybeUninit<u16>],
        last: bool,
    ) -> FatalDecodeProgress {
        d.decode_fatal(src, dst, last)
    }
    fn max_length(d: &Decoder, bytes: usize) -> Option<usize> {
        d.max_utf16_length(bytes)
    }
    fn max_length_fatal(d: &Decoder, bytes: usize) -> Option<usize> {
        d.max_utf16_length_fatal(bytes)
    }
    fn text(units: &[u16]) -> String {
        String::from_utf16(units).expect("decoders write well-formed UTF-16")
    }
    fn replacement() -> Vec<u16> {
        vec![0xFFFD]
    }
}

/// A malformed sequence, and where in the output it showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// Units written before it.
    pub at: usize,
    pub offset: u64,
    pub len: u8,
}

/// What a decoder made of a stream. `errors` is empty in error mode "replacement".
#[derive(Clone, Debug, PartialEq)]
pub struct Decoding<U> {
    pub units: Vec<U>,
    pub had_errors: bool,
    pub errors: Vec<DecodeError>,
}

impl<U: Form> Decoding<U> {
    fn new() -> Self {
        Decoding {
            units: Vec::new(),
            had_errors: false,
            errors: Vec::new(),
        }
    }

    pub fn text(&self) -> String {
        U::text(&self.units)
    }

    /// What mode "replacement" should make of a stream that was decoded in mode "fatal".
    pub fn with_replacements(&self) -> Self {
        let mut units = Vec::new();
        let mut at = 0;
        for error in &self.errors {
            units.extend_from_slice(&self.units[at..error.at]);
            units.extend(U::replacement());
            at = error.at;
        }
        units.extend_from_slice(&self.units[at..]);
        Decoding {
            units,
            had_errors: self.had_errors,
            errors: Vec::new(),
        }
    }
}

/// What holds after any call, or what does not.
fn check_call<U: Form>(
    ended: &Ended,
    buffer: &[U],
    written: usize,
    read: usize,
    left: usize,
) -> Result<(), &'static str> {
    if written > buffer.len() || read > left {
        return Err("more read or written than there is");
    }
    if buffer[written..].iter().any(|&unit| unit != U::CANARY) {
        return Err("written beyond what is reported as written");
    }
    match ended {
        Ended::InputEmpty if read != left => Err("input empty with input left"),
        Ended::OutputFull if written == 0 && buffer.len() >= U::LEAST_ROOM => Err("no progress"),
        _ => Ok(()),
    }
}

/// Decodes with replacement; the last chunk is the last call's.
pub fn decode<U: Form>(decoder: &mut Decoder, chunks: &[&[u8]], room: usize) -> Decoding<U> {
    decode_by(decoder.encoding(), chunks, room, |src, dst, last, total| {
        let progress = U::decode(decoder, src, dst, last);
        total.had_errors |= progress.had_errors;
        (ended(progress.status), progress.read, progress.written)
    })
}

/// [`decode`] into memory that is uninitialised as far as the library can tell.
pub fn decode_uninit<U: Form>(decoder: &mut Decoder, chunks: &[&[u8]], room: usize) -> Decoding<U> {
    let mut memory = vec![MaybeUninit::uninit(); room];
    decode_by(
        decoder.encoding(),
        chunks,
        room,
        |src, dst: &mut [U], last, total| {
            let progress = U::decode_uninit(decoder, src, &mut memory, last);
            total.had_errors |= progress.had_errors;
            initialised(&memory[..progress.written], dst);
            (ended(progress.status), progress.read, progress.written)
        },
    )
}

/// Decodes in mode "fatal", going on after each error.
pub fn decode_fatal<U: Form>(decoder: &mut Decoder, chunks: &[&[u8]], room: usize) -> Decoding<U> {
    decode_by(decoder.encoding(), chunks, room, |src, dst, last, total| {
        let progress = U::decode_fatal(decoder, src, dst, last);
        let ended = note_error(decoder, &progress, total);
        (ended, progress.read, progress.written)
    })
}

/// [`decode_fatal`] into memory that is uninitialised as far as the library can tell.
pub fn decode_fatal_uninit<U: Form>(
    decoder: &mut Decoder,
    chunks: &[&[u8]],
    room: usize,
) -> Decoding<U> {
    let mut memory = vec![MaybeUninit::uninit(); room];
    decode_by(
        decoder.encoding(),
        chunks,
        room,
        |src, dst: &mut [U], last, total| {
            let progress = U::decode_fatal_uninit(decoder, src, &mut memory, last);
            initialised(&memory[..progress.written], dst);
            let ended = note_error(decoder, &progress, total);
            (ended, progress.read, progress.written)
        },
    )
}

fn note_error<U>(
    decoder: &Decoder,
    progress: &FatalDecodeProgress,
    total: &mut Decoding<U>,
) -> Ended {
    match progress.status {
        FatalDecodeStatus::InputEmpty => Ended::InputEmpty,
        FatalDecodeStatus::OutputFull => Ended::OutputFull,
        FatalDecodeStatus::Malformed(sequence) => {
            let end = sequence.offset + u64::from(sequence.len) + u64::from(sequence.after);
            assert_eq!(
                decoder.position(),
                end,
                "where the decoder stands: {sequence:?}"
            );
            assert!((1..=4).contains(&sequence.len), "{sequence:?}");
            total.had_errors = true;
            total.errors.push(DecodeError {
                at: total.units.len() + progress.written,
                offset: sequence.offset,
                len: sequence.len,
            });
            Ended::Error
        }
    }
}

fn decode_by<U: Form>(
    encoding: &'static Encoding,
    chunks: &[&[u8]],
    room: usize,
    mut call: impl FnMut(&[u8], &mut [U], bool, &mut Decoding<U>) -> (Ended, usize, usize),
) -> Decoding<U> {
    let mut buffer = vec![U::CANARY; room];
    let mut total = Decoding::new();
    for (i, chunk) in chunks.iter().enumerate() {
        let last = i + 1 == chunks.len();
        let mut rest = *chunk;
        loop {
            let (ended, read, written) = call(rest, &mut buffer, last, &mut total);
            check_call(&ended, &buffer, written, read, rest.len())
                .unwrap_or_else(|broken| panic!("{broken}: {}", case(encoding, chunks, room)));
            total.units.extend_from_slice(&buffer[..written]);
            buffer[..written].fill(U::CANARY);
            rest = &rest[read..];
            // Each error takes at least one byte that no other one takes.
            let bytes = chunks.iter().map(|chunk| chunk.len()).sum();
            assert!(
                total.errors.len() <= bytes,
                "more errors than bytes: {}",
                case(encoding, chunks, room)
            );
            // U+FFFD is three bytes, and so is the most that one byte decodes to.
            assert!(
                total.units.len() <= 3 * bytes + 3,
                "output without end: {}",
                case(encoding, chunks, room)
            );
            if ended == Ended::InputEmpty {
                break;
            }
        }
    }
    total
}

//! Runs streams in buffers of one size by [`mojika_drive`], which checks every call against the contract. A failure
//! prints its case.

use super::case;
use mojika::{Decoder, Encoder, MalformedSequence, Unmappable};
use mojika_drive::{Buffer, Coder, replaced, run};
pub use mojika_drive::{Call, Form, How, Memory, Source, Stop, Text, Unit};

/// A malformed sequence, and its position in the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// The number of units written before the sequence.
    pub at: usize,
    pub offset: u64,
    pub len: u8,
}

/// The result of decoding a stream. `errors` is empty in error mode "replacement".
#[derive(Clone, Debug, PartialEq)]
pub struct Decoding<U> {
    pub units: Vec<U>,
    pub had_errors: bool,
    pub errors: Vec<DecodeError>,
}

impl<U: Form> Decoding<U> {
    pub fn text(&self) -> String {
        U::text(&self.units)
    }

    /// Returns the result of mode "replacement" that corresponds to this one of mode "fatal".
    pub fn with_replacements(&self) -> Self {
        Decoding {
            units: replaced(&self.units, self.errors.iter().map(|error| error.at)),
            had_errors: self.had_errors,
            errors: Vec::new(),
        }
    }
}

/// Decodes with replacement; the last chunk ends the stream.
#[track_caller]
pub fn decode<U: Form>(decoder: &mut Decoder, chunks: &[&[u8]], room: usize) -> Decoding<U> {
    decode_by(decoder, chunks, room, How::LENIENT)
}

/// Decodes in mode "fatal", continuing after each error.
#[track_caller]
pub fn decode_fatal<U: Form>(decoder: &mut Decoder, chunks: &[&[u8]], room: usize) -> Decoding<U> {
    decode_by(decoder, chunks, room, How::FATAL)
}

#[track_caller]
pub fn decode_by<U: Form>(
    decoder: &mut Decoder,
    chunks: &[&[u8]],
    room: usize,
    how: How,
) -> Decoding<U> {
    let encoding = decoder.encoding();
    let shown = || case(encoding, chunks, room);
    let error = |at, error: MalformedSequence| DecodeError {
        at,
        offset: error.offset,
        len: error.len,
    };
    let (units, had_errors, errors) = collect(decoder, chunks, room, how, error, shown);
    Decoding {
        units,
        had_errors,
        errors,
    }
}

/// An unmappable scalar value, and its position in the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodeError {
    pub at: usize,
    pub offset: u64,
    pub scalar: char,
}

/// The result of encoding a stream. `errors` is empty in error mode "html".
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Encoded {
    pub bytes: Vec<u8>,
    pub had_errors: bool,
    pub errors: Vec<EncodeError>,
}

/// Encodes in mode "html"; the last chunk ends the stream.
#[track_caller]
pub fn encode<S: Text + ?Sized>(encoder: &mut Encoder, chunks: &[&S], room: usize) -> Encoded {
    encode_by(encoder, chunks, room, How::LENIENT)
}

/// Encodes in mode "fatal", continuing after each error.
#[track_caller]
pub fn encode_fatal<S: Text + ?Sized>(
    encoder: &mut Encoder,
    chunks: &[&S],
    room: usize,
) -> Encoded {
    encode_by(encoder, chunks, room, How::FATAL)
}

#[track_caller]
pub fn encode_by<S: Text + ?Sized>(
    encoder: &mut Encoder,
    chunks: &[&S],
    room: usize,
    how: How,
) -> Encoded {
    let encoding = encoder.encoding();
    let shown = || {
        let level = mojika::simd::level();
        format!("{encoding} at level {level} in buffers of {room}: {chunks:04X?}")
    };
    let error = |at, error: Unmappable| EncodeError {
        at,
        offset: error.offset,
        scalar: error.scalar,
    };
    let (bytes, had_errors, errors) = collect(encoder, chunks, room, how, error, shown);
    Encoded {
        bytes,
        had_errors,
        errors,
    }
}

#[track_caller]
fn collect<C: Coder<S, U>, S: Source + ?Sized, U: Unit, E>(
    coder: &mut C,
    chunks: &[&S],
    room: usize,
    how: How,
    error: impl Fn(usize, C::Error) -> E,
    shown: impl Fn() -> String,
) -> (Vec<U>, bool, Vec<E>) {
    let mut out = Buffer::new(room, None);
    let mut errors = Vec::new();
    let ran = run(
        coder,
        chunks.iter().copied(),
        &mut out,
        how,
        |_, at, found| {
            errors.push(error(at, found));
            Ok(())
        },
    );
    match ran {
        Ok(had_errors) => (out.units, had_errors, errors),
        Err(broken) => panic!("{broken}: {}", shown()),
    }
}

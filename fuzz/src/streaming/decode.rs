//! Streams of bytes to text, through each of the decoder's functions.

use super::{Call, ENOUGH, Mode, Schedule, Stop};
use crate::buffer::Buffer;
use crate::encodings;
use crate::expect::{self, Decoded, Unit};
use crate::input::Input;
use crate::{filler, levels};
use mojika::{
    BomHandling, DecodeProgress, DecodeTarget, Decoder, FatalDecodeProgress, FatalDecodeStatus,
    MalformedSequence, Status,
};
use std::mem::MaybeUninit;

/// Choosing bytes: the encoding; the BOM handling, the form and the function; the level; the schedule; a filler, which
/// follows half of the payload.
pub fn check(mut input: Input<'_>) {
    let pair = encodings::pair(input.byte());
    let kind = input.byte();
    let handling =
        [BomHandling::Sniff, BomHandling::Remove, BomHandling::Keep][usize::from(kind % 16) % 3];
    let level = levels::choose(input.byte());
    let schedule = Schedule::new(&mut input);
    let filler = filler::bytes(pair, input.byte(), input.byte());
    let mut bytes = input.take(input.0.len() / 2).to_vec();
    bytes.extend_from_slice(&filler);
    bytes.extend_from_slice(input.0);

    let (items, bom_length) = expect::decode(pair, handling, &bytes);
    let context = || {
        format!(
            "{} {handling:?} kind {kind:02X} at {level}, mode {:?}, steps {:02X?}, last with data: {}, {bytes:02X?}",
            pair.spec.name(),
            schedule.mode,
            schedule.steps,
            schedule.last_with_data
        )
    };
    let stream = Stream {
        decoder: Decoder::new(pair.engine, handling),
        bytes: &bytes,
        context: &context,
    };
    match kind >> 4 {
        kind @ ..8 => stream.check(
            &schedule,
            &Decoded::<u8>::new(&items, bom_length),
            &UTF_8[usize::from(kind) % 4],
        ),
        kind => stream.check(
            &schedule,
            &Decoded::<u16>::new(&items, bom_length),
            &UTF_16[usize::from(kind) % 3],
        ),
    }
}

/// A function of the decoder: decodes a chunk into so much room and appends what it wrote.
type Function<T> = fn(&mut Decoder, &[u8], Output<'_, T>, bool) -> Call<MalformedSequence>;

struct Output<'a, T> {
    room: usize,
    shift: Option<u8>,
    fatal: bool,
    units: &'a mut Vec<T>,
}

const UTF_8: [Function<u8>; 4] = [to_slice, to_slice_uninit, to_str, to_string];
const UTF_16: [Function<u16>; 3] = [to_slice, to_slice_uninit, to_utf_16_vec];

fn to_slice<T: Unit>(
    decoder: &mut Decoder,
    src: &[u8],
    out: Output<'_, T>,
    last: bool,
) -> Call<MalformedSequence>
where
    [T]: DecodeTarget,
{
    out.into_buffer(
        decoder,
        |decoder, buffer| decoder.decode(src, buffer.room(), last),
        |decoder, buffer| decoder.decode_fatal(src, buffer.room(), last),
    )
}

fn to_slice_uninit<T: Unit>(
    decoder: &mut Decoder,
    src: &[u8],
    out: Output<'_, T>,
    last: bool,
) -> Call<MalformedSequence>
where
    [MaybeUninit<T>]: DecodeTarget,
{
    out.into_buffer(
        decoder,
        |decoder, buffer| decoder.decode(src, buffer.room_uninit(), last),
        |decoder, buffer| decoder.decode_fatal(src, buffer.room_uninit(), last),
    )
}

fn to_str(
    decoder: &mut Decoder,
    src: &[u8],
    out: Output<'_, u8>,
    last: bool,
) -> Call<MalformedSequence> {
    // Characters of all lengths, to be cut anywhere.
    let mut old: String = "é語💩x".chars().cycle().take(out.room / 3).collect();
    old.extend(std::iter::repeat_n('y', out.room.saturating_sub(old.len())));
    let mut text = old.clone();
    let call: Call<_> = if out.fatal {
        decoder.decode_fatal(src, &mut text[..], last).into()
    } else {
        decoder.decode(src, &mut text[..], last).into()
    };
    let (written, rest) = text.as_bytes().split_at(call.written);
    let boundary = (call.written..=old.len())
        .find(|&at| old.is_char_boundary(at))
        .expect("the end is one");
    let (cut, kept) = rest.split_at(boundary - call.written);
    assert!(
        cut.iter().all(|&byte| byte == 0),
        "the rest of a character is zero"
    );
    assert_eq!(
        kept,
        &old.as_bytes()[boundary..],
        "the rest of the text is kept"
    );
    assert!(std::str::from_utf8(text.as_bytes()).is_ok());
    out.units.extend_from_slice(written);
    call
}

fn to_string(
    decoder: &mut Decoder,
    src: &[u8],
    out: Output<'_, u8>,
    last: bool,
) -> Call<MalformedSequence> {
    let mut text = String::from("é");
    let call: Call<_> = if out.fatal {
        decoder.decode_append_fatal(src, &mut text, last).into()
    } else {
        decoder.decode_append(src, &mut text, last).into()
    };
    assert!(std::str::from_utf8(text.as_bytes()).is_ok());
    assert!(!matches!(call.stop, Stop::OutputFull));
    assert_eq!(text.len(), "é".len() + call.written);
    assert!(text.starts_with('é'));
    out.units.extend_from_slice(&text.as_bytes()["é".len()..]);
    call
}

fn to_utf_16_vec(
    decoder: &mut Decoder,
    src: &[u8],
    out: Output<'_, u16>,
    last: bool,
) -> Call<MalformedSequence> {
    let before = out.units.len();
    let call: Call<_> = if out.fatal {
        decoder.decode_append_fatal(src, out.units, last).into()
    } else {
        decoder.decode_append(src, out.units, last).into()
    };
    assert!(!matches!(call.stop, Stop::OutputFull));
    assert_eq!(out.units.len(), before + call.written);
    call
}

impl<T: Unit> Output<'_, T> {
    fn into_buffer(
        self,
        decoder: &mut Decoder,
        lenient: impl FnOnce(&mut Decoder, &mut Buffer<T>) -> DecodeProgress,
        fatal: impl FnOnce(&mut Decoder, &mut Buffer<T>) -> FatalDecodeProgress,
    ) -> Call<MalformedSequence> {
        let mut buffer = Buffer::new(self.room, self.shift);
        let call: Call<_> = if self.fatal {
            fatal(decoder, &mut buffer).into()
        } else {
            lenient(decoder, &mut buffer).into()
        };
        self.units.extend_from_slice(buffer.written(call.written));
        call
    }
}

impl From<DecodeProgress> for Call<MalformedSequence> {
    fn from(progress: DecodeProgress) -> Self {
        Call {
            stop: match progress.status {
                Status::InputEmpty => Stop::InputEmpty,
                Status::OutputFull => Stop::OutputFull,
            },
            read: progress.read,
            written: progress.written,
            had_errors: progress.had_errors,
        }
    }
}

impl From<FatalDecodeProgress> for Call<MalformedSequence> {
    fn from(progress: FatalDecodeProgress) -> Self {
        Call {
            stop: match progress.status {
                FatalDecodeStatus::InputEmpty => Stop::InputEmpty,
                FatalDecodeStatus::OutputFull => Stop::OutputFull,
                FatalDecodeStatus::Malformed(sequence) => Stop::Error(sequence),
            },
            read: progress.read,
            written: progress.written,
            had_errors: false,
        }
    }
}

struct Stream<'a> {
    decoder: Decoder,
    bytes: &'a [u8],
    context: &'a dyn Fn() -> String,
}

impl Stream<'_> {
    fn check<T: Unit>(
        mut self,
        schedule: &Schedule<'_>,
        expected: &Decoded<T>,
        function: &Function<T>,
    ) {
        if schedule.dirty {
            let mut units = Vec::new();
            let half = &self.bytes[..self.bytes.len() / 2];
            let out = Output {
                room: 5,
                shift: None,
                fatal: schedule.mode == Mode::Fatal,
                units: &mut units,
            };
            function(&mut self.decoder, half, out, false);
            self.decoder.reset();
        }
        for _ in 0..=u8::from(schedule.twice) {
            self.run(schedule.clone(), expected, function);
        }
    }

    fn run<T: Unit>(
        &mut self,
        mut schedule: Schedule<'_>,
        expected: &Decoded<T>,
        function: &Function<T>,
    ) {
        let context = self.context;
        let mut decoded = Decoded::<T>::default();
        let mut promises = super::Promises::default();
        let (mut read, mut written) = (0, 0);
        let mut had_errors = false;
        let most_calls = schedule.most_calls(self.bytes.len(), expected.units.len());
        let mut calls = 0;
        // What is left of a chunk, its own allocation.
        let mut chunk: Box<[u8]> = Box::default();
        let mut at = 0;
        let mut last = false;
        loop {
            let step = schedule.next();
            if at == chunk.len() && !last {
                let rest = &self.bytes[read..];
                // Without data, an empty last chunk ends the stream.
                last = rest.is_empty() || (schedule.last_with_data && step.chunk >= rest.len());
                chunk = rest[..step.chunk.min(rest.len())].into();
                at = 0;
            }
            calls += 1;
            assert!(calls <= most_calls, "{calls} calls: {}", context());
            let left = self.bytes.len() - read;
            let is_8 = size_of::<T>() == 1;
            promises.add(
                written,
                match (is_8, schedule.mode) {
                    (true, Mode::Fatal) => self.decoder.max_utf8_length_fatal(left),
                    (true, _) => self.decoder.max_utf8_length(left),
                    (false, Mode::Fatal) => self.decoder.max_utf16_length_fatal(left),
                    (false, _) => self.decoder.max_utf16_length(left),
                },
            );
            let units = &mut decoded.units;
            let out = Output {
                room: step.room,
                shift: schedule.shift,
                fatal: step.fatal,
                units,
            };
            let call = function(&mut self.decoder, &chunk[at..], out, last);
            at += call.read;
            read += call.read;
            written += call.written;
            had_errors |= call.had_errors;
            match call.stop {
                Stop::InputEmpty => {
                    assert_eq!(at, chunk.len(), "input is left: {}", context());
                    if last {
                        break;
                    }
                }
                Stop::OutputFull => assert!(
                    call.read + call.written > 0 || step.room < ENOUGH,
                    "stalled with room for {}: {}",
                    step.room,
                    context()
                ),
                Stop::Error(sequence) => {
                    assert!(step.fatal, "{}", context());
                    let end = sequence.offset + u64::from(sequence.len) + u64::from(sequence.after);
                    assert_eq!(end, read as u64, "{}", context());
                    decoded.push_error(sequence.offset, sequence.len);
                }
            }
            assert_eq!(self.decoder.position(), read as u64, "{}", context());
        }
        assert_eq!(decoded.units, expected.units, "{}", context());
        match schedule.mode {
            Mode::Lenient => assert_eq!(had_errors, !expected.errors.is_empty(), "{}", context()),
            Mode::Fatal => assert_eq!(decoded.errors, expected.errors, "{}", context()),
            Mode::Mixed => {
                for error in &decoded.errors {
                    assert!(expected.errors.contains(error), "{error:?}: {}", context());
                }
            }
        }
        promises.check(written, context);
        // Of the stream that has ended, until the next one starts.
        assert_eq!(self.decoder.position(), read as u64, "{}", context());
    }
}

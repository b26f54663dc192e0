//! Streams of text to bytes, through each of the encoder's functions.

use super::{Call, ENOUGH, Mode, Schedule, Stop};
use crate::buffer::Buffer;
use crate::encodings::{self, Pair};
use crate::expect::Encoded;
use crate::input::Input;
use crate::levels;
use crate::text::Text;
use mojika::{EncodeProgress, EncodeStatus, Encoder, HtmlEncodeProgress, Status, Unmappable};

/// Choosing bytes: the encoding; the form and the function; the level; the schedule; then those of [`Text::new`].
pub fn check(mut input: Input<'_>) {
    let pair = encodings::pair_with_encoder(input.byte());
    let kind = input.byte();
    let level = levels::choose(input.byte());
    let schedule = Schedule::new(&mut input);
    let text = Text::new(pair, input);
    let expected = Encoded::new(pair, &text);
    let context = || {
        format!(
            "{} kind {kind:02X} at {level}, mode {:?}, steps {:02X?}, last with data: {}, {:04X?}",
            pair.spec.name(),
            schedule.mode,
            schedule.steps,
            schedule.last_with_data,
            text.units
        )
    };
    let mut stream = Stream {
        pair,
        encoder: pair.engine.new_encoder().expect("not replacement"),
        text: &text,
        source: if kind & 1 == 0 {
            Source::Utf8
        } else {
            Source::Utf16
        },
        function: [Function::Init, Function::Uninit, Function::Vec][usize::from(kind >> 1) % 3],
        context: &context,
    };
    if schedule.dirty {
        let out = Output {
            room: 5,
            shift: None,
            fatal: schedule.mode == Mode::Fatal,
            bytes: &mut Vec::new(),
        };
        stream.call(0, stream.offsets()[text.characters.len() / 2], out, false);
        stream.encoder.reset();
    }
    for _ in 0..=u8::from(schedule.twice) {
        stream.run(schedule.clone(), &expected);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Utf8,
    Utf16,
}

#[derive(Clone, Copy)]
enum Function {
    Init,
    Uninit,
    Vec,
}

struct Output<'a> {
    room: usize,
    shift: Option<u8>,
    fatal: bool,
    bytes: &'a mut Vec<u8>,
}

impl From<HtmlEncodeProgress> for Call<Unmappable> {
    fn from(progress: HtmlEncodeProgress) -> Self {
        Call {
            stop: match progress.status {
                Status::InputEmpty => Stop::InputEmpty,
                Status::OutputFull => Stop::OutputFull,
            },
            read: progress.read,
            written: progress.written,
            had_errors: progress.had_unmappables,
        }
    }
}

impl From<EncodeProgress> for Call<Unmappable> {
    fn from(progress: EncodeProgress) -> Self {
        Call {
            stop: match progress.status {
                EncodeStatus::InputEmpty => Stop::InputEmpty,
                EncodeStatus::OutputFull => Stop::OutputFull,
                EncodeStatus::Unmappable(unmappable) => Stop::Error(unmappable),
            },
            read: progress.read,
            written: progress.written,
            had_errors: false,
        }
    }
}

struct Stream<'a> {
    pair: Pair,
    encoder: Encoder,
    text: &'a Text,
    source: Source,
    function: Function,
    context: &'a dyn Fn() -> String,
}

impl<'a> Stream<'a> {
    fn offsets(&self) -> &'a [usize] {
        match self.source {
            Source::Utf8 => &self.text.byte_offsets,
            Source::Utf16 => &self.text.unit_offsets,
        }
    }

    fn source_length(&self) -> usize {
        match self.source {
            Source::Utf8 => self.text.utf_8.len(),
            Source::Utf16 => self.text.units.len(),
        }
    }

    /// Encodes the source from `start` to `end` by the chosen function.
    fn call(&mut self, start: usize, end: usize, out: Output<'_>, last: bool) -> Call<Unmappable> {
        let encoder = &mut self.encoder;
        let before = out.bytes.len();
        let mut buffer = Buffer::new(out.room, out.shift);
        // Chunks are allocations of their own: reads beyond them are seen.
        let call: Call<_> = match self.source {
            Source::Utf8 => {
                let src: &str = &Box::<str>::from(&self.text.utf_8[start..end]);
                match (self.function, out.fatal) {
                    (Function::Init, false) => encoder.encode_html(src, buffer.room(), last).into(),
                    (Function::Init, true) => encoder.encode(src, buffer.room(), last).into(),
                    (Function::Uninit, false) => {
                        encoder.encode_html(src, buffer.room_uninit(), last).into()
                    }
                    (Function::Uninit, true) => {
                        encoder.encode(src, buffer.room_uninit(), last).into()
                    }
                    (Function::Vec, false) => {
                        encoder.encode_html_append(src, out.bytes, last).into()
                    }
                    (Function::Vec, true) => encoder.encode_append(src, out.bytes, last).into(),
                }
            }
            Source::Utf16 => {
                let src: &[u16] = &Box::<[u16]>::from(&self.text.units[start..end]);
                match (self.function, out.fatal) {
                    (Function::Init, false) => encoder.encode_html(src, buffer.room(), last).into(),
                    (Function::Init, true) => encoder.encode(src, buffer.room(), last).into(),
                    (Function::Uninit, false) => {
                        encoder.encode_html(src, buffer.room_uninit(), last).into()
                    }
                    (Function::Uninit, true) => {
                        encoder.encode(src, buffer.room_uninit(), last).into()
                    }
                    (Function::Vec, false) => {
                        encoder.encode_html_append(src, out.bytes, last).into()
                    }
                    (Function::Vec, true) => encoder.encode_append(src, out.bytes, last).into(),
                }
            }
        };
        if matches!(self.function, Function::Vec) {
            assert_eq!(out.bytes.len(), before + call.written);
            assert!(!matches!(call.stop, Stop::OutputFull));
        } else {
            out.bytes.extend_from_slice(buffer.written(call.written));
        }
        call
    }

    /// The end of a chunk of about `size` units from `start`: of UTF-8, whole characters.
    fn chunk_end(&self, start: usize, size: usize) -> usize {
        match self.source {
            Source::Utf8 => {
                let offsets = &self.text.byte_offsets;
                let index = offsets.partition_point(|&offset| offset < start + size);
                *offsets.get(index).unwrap_or(&self.text.utf_8.len())
            }
            Source::Utf16 => self.text.units.len().min(start + size),
        }
    }

    fn run(&mut self, mut schedule: Schedule<'_>, expected: &Encoded) {
        let context = self.context;
        let length = self.source_length();
        let mut encoded = Encoded::default();
        let mut promises = super::Promises::default();
        let (mut read, mut written, mut end) = (0, 0, 0);
        let mut had_errors = false;
        let most_calls = schedule.most_calls(length, expected.bytes.len());
        let mut calls = 0;
        let mut last = false;
        loop {
            let step = schedule.next();
            if read == end && !last {
                end = self.chunk_end(read, step.chunk);
                last = read == length || (schedule.last_with_data && end == length);
            }
            calls += 1;
            assert!(calls <= most_calls, "{calls} calls: {}", context());
            let left = length - read;
            promises.add(
                written,
                match (self.source, schedule.mode) {
                    (Source::Utf8, Mode::Fatal) => self.encoder.max_length_from_utf8(left),
                    (Source::Utf8, _) => self.encoder.max_length_from_utf8_html(left),
                    (Source::Utf16, Mode::Fatal) => self.encoder.max_length_from_utf16(left),
                    (Source::Utf16, _) => self.encoder.max_length_from_utf16_html(left),
                },
            );
            let out = Output {
                room: step.room,
                shift: schedule.shift,
                fatal: step.fatal,
                bytes: &mut encoded.bytes,
            };
            let call = self.call(read, end, out, last);
            read += call.read;
            written += call.written;
            had_errors |= call.had_errors;
            assert!(read <= end, "{}", context());
            match call.stop {
                Stop::InputEmpty => {
                    assert_eq!(read, end, "input is left: {}", context());
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
                Stop::Error(unmappable) => {
                    assert!(step.fatal, "{}", context());
                    let Ok(index) = self.offsets().binary_search(&(unmappable.offset as usize))
                    else {
                        panic!("{unmappable} is within a character: {}", context());
                    };
                    encoded.push_error(self.pair, unmappable.scalar, index);
                }
            }
        }
        assert_eq!(encoded.bytes, expected.bytes, "{}", context());
        match schedule.mode {
            Mode::Lenient => assert_eq!(had_errors, !expected.errors.is_empty(), "{}", context()),
            Mode::Fatal => assert_eq!(encoded.errors, expected.errors, "{}", context()),
            Mode::Mixed => {
                for error in &encoded.errors {
                    assert!(expected.errors.contains(error), "{error:?}: {}", context());
                }
            }
        }
        promises.check(written, context);
        assert!(self.encoder.is_complete(), "as new: {}", context());
    }
}

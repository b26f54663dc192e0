//! Decoding: one call after another, every status, count and error compared on the way.

use super::{
    Buffers, Cut, Difference, Findings, Form, Memory, Modes, ample, same, untouched, window,
};
use crate::expected::{Decoding, DecodingRef};
use crate::subject::Subject;
use mojika::{BomHandling, Decoder, FatalDecodeStatus, Status};

/// The text with U+FFFD for every error, built from the "fatal" result.
pub fn replaced<U: Form>(expected: &DecodingRef<'_>) -> Vec<U> {
    let text = U::text(expected);
    let mut replaced = Vec::with_capacity(text.len() + 3 * expected.errors.len());
    let mut at = 0;
    for error in expected.errors {
        replaced.extend_from_slice(&text[at..U::before(error)]);
        replaced.extend_from_slice(U::REPLACEMENT);
        at = U::before(error);
    }
    replaced.extend_from_slice(&text[at..]);
    replaced
}

/// Decodes in error mode "fatal", passing over every error, and compares text and errors.
pub fn decode_fatal<U: Form>(
    subject: Subject,
    src: &[u8],
    cut: Cut<'_>,
    dst: &mut [U],
    expected: DecodingRef<'_>,
) -> Result<(), Difference> {
    let text = U::text(&expected);
    let mut decoder = Decoder::new(subject.engine, BomHandling::Keep);
    dst.fill(U::CANARY);
    let (mut read, mut written, mut compared) = (0, 0, 0);
    let mut errors = expected.errors.iter();
    for (end, last) in cut.chunks(src.len()) {
        loop {
            let spare = window(dst, written, cut.room)?;
            let room = spare.len();
            let progress = U::decode_fatal(&mut decoder, &src[read..end], spare, last, cut.memory);
            read += progress.read;
            written += progress.written;
            if read > end || progress.written > room {
                return Err(format!(
                    "{} read and {} written of {room}",
                    progress.read, progress.written
                ));
            }
            if cut.room.is_some() {
                untouched(&dst[written..])?;
            }
            match progress.status {
                FatalDecodeStatus::InputEmpty if read == end => break,
                FatalDecodeStatus::InputEmpty => {
                    return Err(format!("input empty at {read} of {end}"));
                }
                FatalDecodeStatus::OutputFull => {
                    super::progress(true, progress.read, progress.written, room)?;
                }
                FatalDecodeStatus::Malformed(got) => {
                    let Some(want) = errors.next() else {
                        return Err(format!("one error too many: {got:?}"));
                    };
                    let before = U::before(want);
                    let placed = (got.offset, usize::from(got.len))
                        == (want.offset as u64, want.len)
                        && written == before
                        && got.offset + u64::from(got.len) + u64::from(got.after) == read as u64;
                    if !placed {
                        return Err(format!(
                            "error: engine {got:?} after {written} units and {read} bytes, oracle offset {} len {} \
                             after {before}",
                            want.offset, want.len
                        ));
                    }
                    same(
                        &dst[compared..written],
                        text.get(compared..written).unwrap_or(&[]),
                        compared,
                    )?;
                    compared = written;
                }
            }
        }
    }
    same(
        &dst[compared..written],
        text.get(compared..).unwrap_or(&[]),
        compared,
    )?;
    untouched(&dst[written..])?;
    if let Some(missing) = errors.next() {
        return Err(format!("an error is missing: {missing:?}"));
    }
    if decoder.position() != src.len() as u64 {
        return Err(format!("the position at the end is {}", decoder.position()));
    }
    Ok(())
}

/// Decodes in error mode "replacement" and compares the text, which has U+FFFD for every error.
pub fn decode_replacing<U: Form>(
    subject: Subject,
    src: &[u8],
    cut: Cut<'_>,
    dst: &mut [U],
    text: &[U],
    errors: usize,
) -> Result<(), Difference> {
    let mut decoder = Decoder::new(subject.engine, BomHandling::Keep);
    dst.fill(U::CANARY);
    let (mut read, mut written, mut had_errors) = (0, 0, false);
    for (end, last) in cut.chunks(src.len()) {
        loop {
            let spare = window(dst, written, cut.room)?;
            let room = spare.len();
            let progress = U::decode(&mut decoder, &src[read..end], spare, last, cut.memory);
            read += progress.read;
            written += progress.written;
            had_errors |= progress.had_errors;
            if read > end || progress.written > room {
                return Err(format!(
                    "{} read and {} written of {room}",
                    progress.read, progress.written
                ));
            }
            if cut.room.is_some() {
                untouched(&dst[written..])?;
            }
            match progress.status {
                Status::InputEmpty if read == end => break,
                Status::InputEmpty => return Err(format!("input empty at {read} of {end}")),
                Status::OutputFull => {
                    super::progress(true, progress.read, progress.written, room)?;
                }
            }
        }
    }
    same(&dst[..written], text, 0)?;
    untouched(&dst[written..])?;
    if had_errors != (errors > 0) {
        return Err(format!("had_errors is {had_errors}, errors: {errors}"));
    }
    Ok(())
}

/// The operations over one form and kind of memory: in error mode "fatal", and in "replacement".
fn names(form: &str, memory: Memory) -> [&'static str; 2] {
    match (form, memory) {
        ("UTF-8", Memory::Init) => ["decode to UTF-8, fatal", "decode to UTF-8, replacement"],
        ("UTF-8", Memory::Uninit) => [
            "decode to uninitialised UTF-8, fatal",
            "decode to uninitialised UTF-8, replacement",
        ],
        (_, Memory::Str) => ["decode to a str, fatal", "decode to a str, replacement"],
        (_, Memory::Init) => ["decode to UTF-16, fatal", "decode to UTF-16, replacement"],
        (_, Memory::Uninit) => [
            "decode to uninitialised UTF-16, fatal",
            "decode to uninitialised UTF-16, replacement",
        ],
    }
}

impl Findings {
    /// Decodes to one form, unless the outputs are too small for it.
    fn decode<U: Form>(
        &mut self,
        subject: Subject,
        src: &[u8],
        cut: Cut<'_>,
        modes: Modes,
        expected: &Decoding,
        dst: &mut [U],
    ) {
        if cut.room.is_some_and(|room| room < U::LEAST) {
            return;
        }
        let borrowed = expected.as_ref();
        let mut text = None;
        for (i, &memory) in U::MEMORIES.iter().enumerate() {
            if !modes.take(i, U::MEMORIES.len()) {
                continue;
            }
            let cut = Cut { memory, ..cut };
            let [fatal, replacing] = names(U::NAME, memory);
            self.run(fatal, &mut || {
                decode_fatal(subject, src, cut, dst, borrowed)
            });
            if modes != Modes::Fatal {
                let text = text.get_or_insert_with(|| replaced::<U>(&borrowed));
                self.run(replacing, &mut || {
                    decode_replacing(subject, src, cut, dst, text, expected.errors.len())
                });
            }
        }
    }
}

/// Decodes to both forms; returns what differed, with the operation's name, and how many operations were compared.
pub fn decode_all(
    subject: Subject,
    src: &[u8],
    cut: Cut<'_>,
    modes: Modes,
    expected: &Decoding,
    buffers: &mut Buffers,
) -> (Vec<(&'static str, Difference)>, u64) {
    let mut findings = Findings::default();
    let replacing = 3 * expected.errors.len();
    let utf8 = buffers.bytes(ample(expected.utf8.len() + replacing, cut.room));
    findings.decode::<u8>(subject, src, cut, modes, expected, utf8);
    let utf16 = buffers.units(ample(expected.utf16.len() + replacing, cut.room));
    findings.decode::<u16>(subject, src, cut, modes, expected, utf16);
    (findings.found, findings.compared)
}

//! Encoding: one call after another, every status, count and unmappable scalar value compared on the way.

use super::{
    Buffers, Cut, Difference, Findings, Form, Memory, Modes, ample, same, uninit, untouched, window,
};
use crate::expected::{Encoded, Text, Unmappable};
use crate::subject::Subject;
use mojika::{EncodeProgress, EncodeStatus, Encoder, HtmlEncodeProgress, Status};
use std::ops::Range;

/// The smallest output buffer of encoders.
pub const LEAST: usize = 4;

/// What encoders read.
pub trait Source {
    /// The name of the form.
    const NAME: &'static str;
    /// Length in units.
    fn len(&self) -> usize;
    /// Whether there is nothing.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Where the unmappable scalar value is in this form.
    fn offset(unmappable: &Unmappable) -> usize;
    /// A call in error mode "fatal" over units `from..to`.
    fn encode_fatal(
        &self,
        encoder: &mut Encoder,
        range: Range<usize>,
        dst: &mut [u8],
        last: bool,
        memory: Memory,
    ) -> EncodeProgress;
    /// A call in error mode "html" over units `from..to`.
    fn encode(
        &self,
        encoder: &mut Encoder,
        range: Range<usize>,
        dst: &mut [u8],
        last: bool,
        memory: Memory,
    ) -> HtmlEncodeProgress;
}

impl Source for str {
    const NAME: &'static str = "UTF-8";
    fn len(&self) -> usize {
        str::len(self)
    }
    fn offset(unmappable: &Unmappable) -> usize {
        unmappable.utf8
    }
    fn encode_fatal(
        &self,
        encoder: &mut Encoder,
        range: Range<usize>,
        dst: &mut [u8],
        last: bool,
        memory: Memory,
    ) -> EncodeProgress {
        match memory {
            Memory::Uninit => encoder.encode(&self[range], uninit(dst), last),
            _ => encoder.encode(&self[range], dst, last),
        }
    }
    fn encode(
        &self,
        encoder: &mut Encoder,
        range: Range<usize>,
        dst: &mut [u8],
        last: bool,
        memory: Memory,
    ) -> HtmlEncodeProgress {
        match memory {
            Memory::Uninit => encoder.encode_html(&self[range], uninit(dst), last),
            _ => encoder.encode_html(&self[range], dst, last),
        }
    }
}

impl Source for [u16] {
    const NAME: &'static str = "UTF-16";
    fn len(&self) -> usize {
        <[u16]>::len(self)
    }
    fn offset(unmappable: &Unmappable) -> usize {
        unmappable.utf16
    }
    fn encode_fatal(
        &self,
        encoder: &mut Encoder,
        range: Range<usize>,
        dst: &mut [u8],
        last: bool,
        memory: Memory,
    ) -> EncodeProgress {
        match memory {
            Memory::Uninit => encoder.encode(&self[range], uninit(dst), last),
            _ => encoder.encode(&self[range], dst, last),
        }
    }
    fn encode(
        &self,
        encoder: &mut Encoder,
        range: Range<usize>,
        dst: &mut [u8],
        last: bool,
        memory: Memory,
    ) -> HtmlEncodeProgress {
        match memory {
            Memory::Uninit => encoder.encode_html(&self[range], uninit(dst), last),
            _ => encoder.encode_html(&self[range], dst, last),
        }
    }
}

/// Encodes in error mode "fatal", passing over every error, and compares bytes and unmappable scalar values.
pub fn encode_fatal<S: Source + ?Sized>(
    subject: Subject,
    src: &S,
    cut: Cut<'_>,
    dst: &mut [u8],
    expected: &Encoded,
) -> Result<(), Difference> {
    let mut encoder = new_encoder(subject)?;
    dst.fill(u8::CANARY);
    let (mut read, mut written) = (0, 0);
    let mut unmappables = expected.unmappables.iter();
    for (end, last) in cut.chunks(src.len()) {
        loop {
            let spare = window(dst, written, cut.room)?;
            let room = spare.len();
            let progress = src.encode_fatal(&mut encoder, read..end, spare, last, cut.memory);
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
                EncodeStatus::InputEmpty if read == end => break,
                EncodeStatus::InputEmpty => {
                    return Err(format!("input empty at {read} of {end}"));
                }
                EncodeStatus::OutputFull => {
                    super::progress(true, progress.read, progress.written, room)?;
                }
                EncodeStatus::Unmappable(got) => {
                    let Some(want) = unmappables.next() else {
                        return Err(format!("one unmappable too many: {got:?}"));
                    };
                    if (got.scalar, got.offset, written)
                        != (want.scalar, S::offset(want) as u64, want.written)
                    {
                        return Err(format!(
                            "engine {got:?} after {written} bytes, oracle {want:?}"
                        ));
                    }
                }
            }
        }
    }
    same(&dst[..written], &expected.bytes, 0)?;
    untouched(&dst[written..])?;
    match unmappables.next() {
        Some(missing) => Err(format!("an unmappable is missing: {missing:?}")),
        None => Ok(()),
    }
}

/// Encodes in error mode "html" and compares the bytes.
pub fn encode_html<S: Source + ?Sized>(
    subject: Subject,
    src: &S,
    cut: Cut<'_>,
    dst: &mut [u8],
    expected: &Encoded,
) -> Result<(), Difference> {
    let mut encoder = new_encoder(subject)?;
    dst.fill(u8::CANARY);
    let (mut read, mut written, mut had_unmappables) = (0, 0, false);
    for (end, last) in cut.chunks(src.len()) {
        loop {
            let spare = window(dst, written, cut.room)?;
            let room = spare.len();
            let progress = src.encode(&mut encoder, read..end, spare, last, cut.memory);
            read += progress.read;
            written += progress.written;
            had_unmappables |= progress.had_unmappables;
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
    same(&dst[..written], &expected.html, 0)?;
    untouched(&dst[written..])?;
    if had_unmappables == expected.unmappables.is_empty() {
        return Err(format!("had_unmappables is {had_unmappables}"));
    }
    Ok(())
}

fn new_encoder(subject: Subject) -> Result<Encoder, Difference> {
    subject
        .engine
        .new_encoder()
        .map_err(|error| error.to_string())
}

/// The last character boundary at or before `at`.
fn boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The kinds of memory that encoders write to.
pub const MEMORIES: [Memory; 2] = [Memory::Init, Memory::Uninit];

/// The operations from one form into one kind of memory: in error mode "fatal", and in "html".
fn names(form: &str, memory: Memory) -> [&'static str; 2] {
    match (form, memory) {
        ("UTF-8", Memory::Uninit) => [
            "encode from UTF-8, uninitialised, fatal",
            "encode from UTF-8, uninitialised, html",
        ],
        ("UTF-8", _) => ["encode from UTF-8, fatal", "encode from UTF-8, html"],
        (_, Memory::Uninit) => [
            "encode from UTF-16, uninitialised, fatal",
            "encode from UTF-16, uninitialised, html",
        ],
        _ => ["encode from UTF-16, fatal", "encode from UTF-16, html"],
    }
}

impl Findings {
    /// Encodes from one form.
    fn encode<S: Source + ?Sized>(
        &mut self,
        subject: Subject,
        src: &S,
        cut: Cut<'_>,
        modes: Modes,
        expected: &Encoded,
        dst: &mut [u8],
    ) {
        for (i, memory) in MEMORIES.into_iter().enumerate() {
            if !modes.take(i, MEMORIES.len()) {
                continue;
            }
            let cut = Cut { memory, ..cut };
            let [fatal, html] = names(S::NAME, memory);
            self.run(fatal, &mut || {
                encode_fatal(subject, src, cut, dst, expected)
            });
            if modes != Modes::Fatal {
                self.run(html, &mut || encode_html(subject, src, cut, dst, expected));
            }
        }
    }
}

/// Encodes from both forms, as [`decode_all`](super::decode_all).
pub fn encode_all(
    subject: Subject,
    text: &Text,
    cut: Cut<'_>,
    modes: Modes,
    expected: &Encoded,
    buffers: &mut Buffers,
) -> (Vec<(&'static str, Difference)>, u64) {
    let mut findings = Findings::default();
    if cut.room.is_some_and(|room| room < LEAST) {
        return (findings.found, findings.compared);
    }
    let dst = buffers.bytes(ample(expected.html.len(), cut.room));
    if let Some(utf8) = &text.utf8 {
        // UTF-8 is `str`: chunks end at characters.
        let ends: Vec<usize> = cut.ends.iter().map(|&end| boundary(utf8, end)).collect();
        let cut = Cut { ends: &ends, ..cut };
        findings.encode(subject, utf8.as_str(), cut, modes, expected, dst);
    }
    let ends: Vec<usize> = cut
        .ends
        .iter()
        .map(|&end| end.min(text.utf16.len()))
        .collect();
    let cut = Cut { ends: &ends, ..cut };
    let utf16 = text.utf16.as_slice();
    findings.encode(subject, utf16, cut, modes, expected, dst);
    (findings.found, findings.compared)
}

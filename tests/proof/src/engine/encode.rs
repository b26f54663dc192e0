//! Encodes, and compares every status, count and unmappable scalar value.

use super::{Buffers, Cut, Difference, Findings, Modes, ample, check_fatal, check_replacing};
use crate::expected::{self, Encoded, Unmappable};
use crate::subject::Subject;
use mojika::Encoder;
use mojika_drive::{Memory, Source};

/// The minimum size of an output buffer of encoders.
pub const LEAST: usize = <Encoder as mojika_drive::Coder<str, u8>>::LEAST;

/// The input of encoders.
pub trait Text: mojika_drive::Text {
    /// The name of the form.
    const NAME: &'static str;
    /// Returns the offset of the unmappable scalar value in a text of this form.
    fn offset(unmappable: &Unmappable) -> usize;
}

impl Text for str {
    const NAME: &'static str = "UTF-8";
    fn offset(unmappable: &Unmappable) -> usize {
        unmappable.utf8
    }
}

impl Text for [u16] {
    const NAME: &'static str = "UTF-16";
    fn offset(unmappable: &Unmappable) -> usize {
        unmappable.utf16
    }
}

/// Encodes in error mode "fatal", continuing after each error, and compares bytes and unmappable scalar values.
pub fn encode_fatal<S: Text + ?Sized>(
    subject: Subject,
    src: &S,
    cut: Cut<'_>,
    dst: &mut [u8],
    expected: &Encoded,
) -> Result<(), Difference> {
    let encoder = &mut new_encoder(subject)?;
    let want = (&expected.bytes[..], &expected.unmappables[..]);
    check_fatal(encoder, src, cut, dst, want, |want, got, written| {
        (got.scalar, got.offset, written) == (want.scalar, S::offset(want) as u64, want.written)
    })
}

fn new_encoder(subject: Subject) -> Result<Encoder, Difference> {
    subject
        .engine
        .new_encoder()
        .map_err(|error| error.to_string())
}

/// The kinds of memory that encoders write to.
pub const MEMORIES: [Memory; 2] = [Memory::Init, Memory::Uninit];

/// Returns the names of the operations from one form into one kind of memory: in error modes "fatal" and "html".
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
    fn encode<S: Text + ?Sized>(
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
                let errors = !expected.unmappables.is_empty();
                self.run(html, &mut || {
                    let encoder = &mut new_encoder(subject)?;
                    check_replacing(encoder, src, cut, dst, &expected.html, errors)
                });
            }
        }
    }
}

/// Encodes from both forms; see [`decode_all`](super::decode_all).
pub fn encode_all(
    subject: Subject,
    text: &expected::Text,
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
        // For a `str`, move the ends of chunks to the boundaries between characters.
        let ends: Vec<usize> = cut.ends.iter().map(|&end| utf8.boundary(end)).collect();
        let cut = Cut { ends: &ends, ..cut };
        findings.encode(subject, utf8.as_str(), cut, modes, expected, dst);
    }
    let utf16 = text.utf16.as_slice();
    let ends: Vec<usize> = cut.ends.iter().map(|&end| utf16.boundary(end)).collect();
    let cut = Cut { ends: &ends, ..cut };
    findings.encode(subject, utf16, cut, modes, expected, dst);
    (findings.found, findings.compared)
}

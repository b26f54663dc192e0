//! Decodes, and compares every status, count and error.

use super::{Buffers, Cut, Difference, Findings, Modes, ample, check_fatal, check_replacing};
use crate::expected::{Decoding, DecodingRef, Malformed};
use crate::subject::Subject;
use mojika::{BomHandling, Decoder};
use mojika_drive::Memory;

/// A form of decoded text: bytes of UTF-8, or UTF-16 code units.
pub trait Form: mojika_drive::Form {
    /// The name of the form.
    const NAME: &'static str;
    /// Returns the text in this form.
    fn of<'a>(expected: &DecodingRef<'a>) -> &'a [Self];
    /// Returns the length of the output before an error.
    fn before(error: &Malformed) -> usize;
}

impl Form for u8 {
    const NAME: &'static str = "UTF-8";
    fn of<'a>(expected: &DecodingRef<'a>) -> &'a [u8] {
        expected.utf8
    }
    fn before(error: &Malformed) -> usize {
        error.utf8
    }
}

impl Form for u16 {
    const NAME: &'static str = "UTF-16";
    fn of<'a>(expected: &DecodingRef<'a>) -> &'a [u16] {
        expected.utf16
    }
    fn before(error: &Malformed) -> usize {
        error.utf16
    }
}

/// Returns the text with U+FFFD for every error, made from the result of error mode "fatal".
pub fn replaced<U: Form>(expected: &DecodingRef<'_>) -> Vec<U> {
    mojika_drive::replaced(U::of(expected), expected.errors.iter().map(U::before))
}

/// Decodes in error mode "fatal", continuing after each error, and compares text and errors.
pub fn decode_fatal<U: Form>(
    subject: Subject,
    src: &[u8],
    cut: Cut<'_>,
    dst: &mut [U],
    expected: DecodingRef<'_>,
) -> Result<(), Difference> {
    let decoder = &mut Decoder::new(subject.engine, BomHandling::Keep);
    let want = (U::of(&expected), expected.errors);
    check_fatal(decoder, src, cut, dst, want, |want, got, written| {
        (got.offset, usize::from(got.len), written)
            == (want.offset as u64, want.len, U::before(want))
    })
}

/// Returns the names of the operations for one form and kind of memory: in error modes "fatal" and "replacement".
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
    /// Decodes to one form, unless the output buffers are smaller than its minimum.
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
                    let decoder = &mut Decoder::new(subject.engine, BomHandling::Keep);
                    check_replacing(decoder, src, cut, dst, text, !expected.errors.is_empty())
                });
            }
        }
    }
}

/// Decodes to both forms. Returns the differences with the operations' names, and the number of compared operations.
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

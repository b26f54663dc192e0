//! Runs the engine, in chunks and into outputs of chosen sizes, and compares with the oracle as it goes.
//!
//! Output buffers are filled with a canary first: what lies past the last unit reported as written must stay as it was.

use crate::expected::{Decoding, DecodingRef, Encoded, Malformed, Text, Unmappable};
use crate::subject::Subject;
use mojika::{FatalDecodeStatus, FatalEncodeStatus, Status};
use std::fmt::{Debug, Write};

/// What differed.
pub type Difference = String;

/// How input and output are cut.
#[derive(Clone, Copy, Debug)]
pub struct Cut<'a> {
    /// Where chunks end, ascending; equal ends make empty chunks. The end of the input is added.
    pub ends: &'a [usize],
    /// The size of each output buffer; `None` for one that has room for everything.
    pub room: Option<usize>,
}

impl Cut<'_> {
    /// Everything in one call.
    pub const WHOLE: Cut<'static> = Cut {
        ends: &[],
        room: None,
    };

    fn chunks(&self, length: usize) -> impl Iterator<Item = (usize, bool)> {
        self.ends
            .iter()
            .map(|&end| (end, false))
            .chain([(length, true)])
    }

    /// For failure prints.
    pub fn describe(&self) -> String {
        let ends = &self.ends[..self.ends.len().min(12)];
        let room = self
            .room
            .map_or("ample".to_string(), |room| room.to_string());
        format!("chunks end at {ends:?}, output room {room}")
    }
}

/// UTF-8 bytes or UTF-16 code units.
pub trait Form: Copy + PartialEq + Debug + std::fmt::UpperHex + 'static {
    /// What unwritten output is filled with.
    const CANARY: Self;
    /// U+FFFD.
    const REPLACEMENT: &'static [Self];
    /// The name of the form.
    const NAME: &'static str;
    /// The smallest output buffer.
    const LEAST: usize;
    /// The text in this form.
    fn text<'a>(expected: &DecodingRef<'a>) -> &'a [Self];
    /// How much of the text comes before an error.
    fn before(error: &Malformed) -> usize;
    /// A call in error mode "fatal".
    fn decode_fatal(
        decoder: &mut mojika::Decoder,
        src: &[u8],
        dst: &mut [Self],
        last: bool,
    ) -> mojika::FatalDecodeProgress;
    /// A call in error mode "replacement".
    fn decode(
        decoder: &mut mojika::Decoder,
        src: &[u8],
        dst: &mut [Self],
        last: bool,
    ) -> mojika::DecodeProgress;
}

impl Form for u8 {
    const CANARY: u8 = 0xA5;
    const REPLACEMENT: &'static [u8] = "\u{FFFD}".as_bytes();
    const NAME: &'static str = "UTF-8";
    const LEAST: usize = 4;
    fn text<'a>(expected: &DecodingRef<'a>) -> &'a [u8] {
        expected.utf8
    }
    fn before(error: &Malformed) -> usize {
        error.utf8
    }
    fn decode_fatal(
        decoder: &mut mojika::Decoder,
        src: &[u8],
        dst: &mut [u8],
        last: bool,
    ) -> mojika::FatalDecodeProgress {
        decoder.decode_to_utf8_fatal(src, dst, last)
    }
    fn decode(
        decoder: &mut mojika::Decoder,
        src: &[u8],
        dst: &mut [u8],
        last: bool,
    ) -> mojika::DecodeProgress {
        decoder.decode_to_utf8(src, dst, last)
    }
}

impl Form for u16 {
    const CANARY: u16 = 0xA55A;
    const REPLACEMENT: &'static [u16] = &[0xFFFD];
    const NAME: &'static str = "UTF-16";
    const LEAST: usize = 2;
    fn text<'a>(expected: &DecodingRef<'a>) -> &'a [u16] {
        expected.utf16
    }
    fn before(error: &Malformed) -> usize {
        error.utf16
    }
    fn decode_fatal(
        decoder: &mut mojika::Decoder,
        src: &[u8],
        dst: &mut [u16],
        last: bool,
    ) -> mojika::FatalDecodeProgress {
        decoder.decode_to_utf16_fatal(src, dst, last)
    }
    fn decode(
        decoder: &mut mojika::Decoder,
        src: &[u8],
        dst: &mut [u16],
        last: bool,
    ) -> mojika::DecodeProgress {
        decoder.decode_to_utf16(src, dst, last)
    }
}

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

/// Fails with the first difference between two pieces of output that start at `at`.
fn same<T: PartialEq + Debug>(got: &[T], want: &[T], at: usize) -> Result<(), Difference> {
    if got == want {
        return Ok(());
    }
    let first = got
        .iter()
        .zip(want)
        .position(|(got, want)| got != want)
        .unwrap_or(got.len().min(want.len()));
    let show = |list: &[T]| {
        let mut shown = String::new();
        for value in list.iter().skip(first.saturating_sub(2)).take(10) {
            let _ = write!(shown, "{value:02X?} ");
        }
        shown
    };
    Err(format!(
        "output differs at {} (lengths {} and {}): engine [{}] oracle [{}]",
        at + first,
        at + got.len(),
        at + want.len(),
        show(got),
        show(want)
    ))
}

/// Whether all of `rest` is canary still.
fn untouched<U: Form>(rest: &[U]) -> Result<(), Difference> {
    match rest.iter().position(|&unit| unit != U::CANARY) {
        None => Ok(()),
        Some(at) => Err(format!(
            "unit {at} past those reported as written was written: {:02X?}",
            rest[at]
        )),
    }
}

/// The part of `dst` that a call gets, which starts at `written`.
fn window<U>(dst: &mut [U], written: usize, room: Option<usize>) -> Result<&mut [U], Difference> {
    let spare = &mut dst[written..];
    let size = room.unwrap_or(spare.len());
    spare
        .get_mut(..size)
        .ok_or_else(|| format!("more output than expected: {written} units so far"))
}

/// The result of a step: an output that stays full without progress is a fault of its own.
fn progress(full: bool, read: usize, written: usize, room: usize) -> Result<(), Difference> {
    if full && read == 0 && written == 0 {
        return Err(format!("stalled: full with {room} units of room"));
    }
    Ok(())
}

/// How much output [`decode_fatal`] and the others need as `dst`.
pub fn ample(expected_length: usize, room: Option<usize>) -> usize {
    expected_length + 72 + room.unwrap_or(0)
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
    let mut decoder = subject.engine.new_decoder_without_bom_handling();
    dst.fill(U::CANARY);
    let (mut read, mut written, mut compared) = (0, 0, 0);
    let mut errors = expected.errors.iter();
    for (end, last) in cut.chunks(src.len()) {
        loop {
            let spare = window(dst, written, cut.room)?;
            let room = spare.len();
            let progress = U::decode_fatal(&mut decoder, &src[read..end], spare, last);
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
                    self::progress(true, progress.read, progress.written, room)?;
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
    let mut decoder = subject.engine.new_decoder_without_bom_handling();
    dst.fill(U::CANARY);
    let (mut read, mut written, mut had_errors) = (0, 0, false);
    for (end, last) in cut.chunks(src.len()) {
        loop {
            let spare = window(dst, written, cut.room)?;
            let room = spare.len();
            let progress = U::decode(&mut decoder, &src[read..end], spare, last);
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
                    self::progress(true, progress.read, progress.written, room)?;
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
        encoder: &mut mojika::Encoder,
        range: std::ops::Range<usize>,
        dst: &mut [u8],
        last: bool,
    ) -> mojika::FatalEncodeProgress;
    /// A call in error mode "html" over units `from..to`.
    fn encode(
        &self,
        encoder: &mut mojika::Encoder,
        range: std::ops::Range<usize>,
        dst: &mut [u8],
        last: bool,
    ) -> mojika::EncodeProgress;
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
        encoder: &mut mojika::Encoder,
        range: std::ops::Range<usize>,
        dst: &mut [u8],
        last: bool,
    ) -> mojika::FatalEncodeProgress {
        encoder.encode_from_utf8_fatal(&self[range], dst, last)
    }
    fn encode(
        &self,
        encoder: &mut mojika::Encoder,
        range: std::ops::Range<usize>,
        dst: &mut [u8],
        last: bool,
    ) -> mojika::EncodeProgress {
        encoder.encode_from_utf8(&self[range], dst, last)
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
        encoder: &mut mojika::Encoder,
        range: std::ops::Range<usize>,
        dst: &mut [u8],
        last: bool,
    ) -> mojika::FatalEncodeProgress {
        encoder.encode_from_utf16_fatal(&self[range], dst, last)
    }
    fn encode(
        &self,
        encoder: &mut mojika::Encoder,
        range: std::ops::Range<usize>,
        dst: &mut [u8],
        last: bool,
    ) -> mojika::EncodeProgress {
        encoder.encode_from_utf16(&self[range], dst, last)
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
            let progress = src.encode_fatal(&mut encoder, read..end, spare, last);
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
                FatalEncodeStatus::InputEmpty if read == end => break,
                FatalEncodeStatus::InputEmpty => {
                    return Err(format!("input empty at {read} of {end}"));
                }
                FatalEncodeStatus::OutputFull => {
                    self::progress(true, progress.read, progress.written, room)?;
                }
                FatalEncodeStatus::Unmappable(got) => {
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
            let progress = src.encode(&mut encoder, read..end, spare, last);
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
                    self::progress(true, progress.read, progress.written, room)?;
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

fn new_encoder(subject: Subject) -> Result<mojika::Encoder, Difference> {
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

/// Runs `work`; a panic of the engine is a difference.
pub fn calmly(work: &mut dyn FnMut() -> Result<(), Difference>) -> Result<(), Difference> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let message = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied());
        Err(format!("panicked: {}", message.unwrap_or("?")))
    })
}

/// Which error modes to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modes {
    /// "fatal" alone.
    Fatal,
    /// "fatal", and "replacement" or "html".
    Both,
}

/// Decodes to both forms; returns what differed, with the operation's name, and how many forms were compared.
pub fn decode_all(
    subject: Subject,
    src: &[u8],
    cut: Cut<'_>,
    modes: Modes,
    expected: &Decoding,
    buffers: &mut Buffers,
) -> (Vec<(&'static str, Difference)>, u64) {
    let mut found = Vec::new();
    let borrowed = expected.as_ref();
    let mut run = |name, work: &mut dyn FnMut() -> Result<(), Difference>| {
        if let Err(difference) = calmly(work) {
            found.push((name, difference));
        }
    };
    let replacing = 3 * expected.errors.len();
    let utf8 = buffers.bytes(ample(expected.utf8.len() + replacing, cut.room));
    run("decode to UTF-8, fatal", &mut || {
        decode_fatal(subject, src, cut, utf8, borrowed)
    });
    if modes == Modes::Both {
        let text = replaced::<u8>(&borrowed);
        run("decode to UTF-8, replacement", &mut || {
            decode_replacing(subject, src, cut, utf8, &text, expected.errors.len())
        });
    }
    let utf16 = buffers.units(ample(expected.utf16.len() + replacing, cut.room));
    run("decode to UTF-16, fatal", &mut || {
        decode_fatal(subject, src, cut, utf16, borrowed)
    });
    if modes == Modes::Both {
        let text = replaced::<u16>(&borrowed);
        run("decode to UTF-16, replacement", &mut || {
            decode_replacing(subject, src, cut, utf16, &text, expected.errors.len())
        });
    }
    (found, if modes == Modes::Both { 4 } else { 2 })
}

/// Encodes from both forms, as [`decode_all`].
pub fn encode_all(
    subject: Subject,
    text: &Text,
    cut: Cut<'_>,
    modes: Modes,
    expected: &Encoded,
    buffers: &mut Buffers,
) -> (Vec<(&'static str, Difference)>, u64) {
    let mut found = Vec::new();
    let mut forms = 0;
    let mut run = |name, work: &mut dyn FnMut() -> Result<(), Difference>| {
        forms += 1;
        if let Err(difference) = calmly(work) {
            found.push((name, difference));
        }
    };
    let dst = buffers.bytes(ample(expected.html.len(), cut.room));
    if let Some(utf8) = &text.utf8 {
        // UTF-8 is `str`: chunks end at characters.
        let ends: Vec<usize> = cut.ends.iter().map(|&end| boundary(utf8, end)).collect();
        let cut = Cut { ends: &ends, ..cut };
        let utf8 = utf8.as_str();
        run("encode from UTF-8, fatal", &mut || {
            encode_fatal(subject, utf8, cut, dst, expected)
        });
        if modes == Modes::Both {
            run("encode from UTF-8, html", &mut || {
                encode_html(subject, utf8, cut, dst, expected)
            });
        }
    }
    let ends: Vec<usize> = cut
        .ends
        .iter()
        .map(|&end| end.min(text.utf16.len()))
        .collect();
    let cut = Cut { ends: &ends, ..cut };
    let utf16 = text.utf16.as_slice();
    run("encode from UTF-16, fatal", &mut || {
        encode_fatal(subject, utf16, cut, dst, expected)
    });
    if modes == Modes::Both {
        run("encode from UTF-16, html", &mut || {
            encode_html(subject, utf16, cut, dst, expected)
        });
    }
    (found, forms)
}

/// Output buffers, kept from case to case.
#[derive(Debug, Default)]
pub struct Buffers {
    bytes: Vec<u8>,
    units: Vec<u16>,
}

impl Buffers {
    /// That many bytes.
    pub fn bytes(&mut self, length: usize) -> &mut [u8] {
        if self.bytes.len() < length {
            self.bytes.resize(length, 0);
        }
        &mut self.bytes[..length]
    }

    /// That many code units.
    pub fn units(&mut self, length: usize) -> &mut [u16] {
        if self.units.len() < length {
            self.units.resize(length, 0);
        }
        &mut self.units[..length]
    }
}

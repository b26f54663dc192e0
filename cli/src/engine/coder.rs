//! One block after another: decoded, line ends converted, encoded.

use super::position::Position;
use super::{ErrorMode, Newline, Options, Substitutes, TroubleKind};
use mojika::{BomHandling, Decoder, Encoder, Encoding, Status, UTF_8};

/// Bytes of the block before to remember: more than a malformed sequence and what was read after it (at most 4 each).
const HISTORY: usize = 16;

/// Bytes to decode at once if an encoder follows: the text stays in the processor's cache.
const STEP: usize = 16 << 10;

/// Least room for text: one decoded step.
const TEXT: usize = 3 * STEP + 64;

/// The most bytes of the input that a trouble shows.
pub const SHOWN: usize = 8;

/// A trouble, with places relative to its block.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    pub kind: TroubleKind,
    /// Offset from the start of the input.
    pub offset: u64,
    pub lines: u32,
    pub column: u32,
    pub len: u8,
    pub bytes: [u8; SHOWN],
}

/// Buffers for one block, to be used again for the next one.
#[derive(Default)]
pub struct Converted {
    /// All of it is initialised; the first `filled` bytes are the output.
    pub bytes: Vec<u8>,
    pub filled: usize,
    pub troubles: Vec<Found>,
    /// Characters for which a substitute was written.
    pub substituted: u64,
    /// The place of the block's end.
    pub end: Position,
    /// Whether error mode "fail" has ended the conversion at the last of `troubles`.
    pub stopped: bool,
    text: String,
}

impl Converted {
    fn clear(&mut self) {
        self.filled = 0;
        self.troubles.clear();
        self.substituted = 0;
        self.end = Position::default();
        self.stopped = false;
    }

    /// Appends bytes as they are.
    pub fn append(&mut self, bytes: &[u8]) {
        self.reserve(bytes.len());
        self.bytes[self.filled..][..bytes.len()].copy_from_slice(bytes);
        self.filled += bytes.len();
    }

    /// Makes room for `free` bytes.
    fn reserve(&mut self, free: usize) {
        if self.bytes.len() - self.filled < free {
            let len = (self.filled + free).max(self.bytes.len() + self.bytes.len() / 2);
            self.bytes.resize(len, 0);
        }
    }
}

/// The state between blocks.
pub struct Coder {
    decoder: Decoder,
    /// `None` for UTF-8, which decoded text is already.
    encoder: Option<Encoder>,
    errors: ErrorMode,
    /// Whether malformed input shows that the assumed encoding is wrong, whatever the error mode.
    assumed: bool,
    newline: Newline,
    substitutes: Substitutes,
    /// The offset in the input of the decoder's first byte.
    base: u64,
    /// The last character was a carriage return. With [`Newline::Lf`] it is not written yet.
    after_return: bool,
    /// Bytes that are malformed and precede the decoder's first byte.
    malformed_before: usize,
    /// Where the last malformed sequence ended. Bytes from there on may wait in the decoder.
    restored: u64,
    /// The last bytes of the blocks before.
    history: [u8; HISTORY],
}

/// A call's input and where it lies.
struct Run<'a> {
    block: &'a [u8],
    /// The offset of `block` in the input.
    offset: u64,
    /// The bytes before it.
    history: [u8; HISTORY],
}

impl Run<'_> {
    /// Copies the bytes at `offset` of the input, which are in the block or in the history.
    fn read(&self, offset: u64, bytes: &mut [u8]) {
        for (at, byte) in (offset..).zip(bytes) {
            let found = match at.checked_sub(self.offset) {
                Some(at) => self.block.get(at as usize),
                None => (HISTORY as u64)
                    .checked_sub(self.offset - at)
                    .and_then(|at| self.history.get(at as usize)),
            };
            *byte = found.copied().unwrap_or_default();
        }
    }
}

impl Coder {
    /// A coder whose input starts at `base`, or `None` if the output encoding has no encoder.
    pub fn new(
        from: &'static Encoding,
        assumed: bool,
        options: &Options,
        base: u64,
    ) -> Option<Self> {
        let encoder = options.to.new_encoder().ok()?;
        Some(Self {
            decoder: Decoder::new(from, BomHandling::Keep),
            encoder: (options.to != UTF_8).then_some(encoder),
            errors: options.errors,
            assumed,
            newline: options.newline,
            substitutes: options.substitutes,
            base,
            after_return: false,
            malformed_before: 0,
            restored: base,
            history: [0; HISTORY],
        })
    }

    /// The same coder with a decoder for the input from `base` on; what precedes it is decoded to its end.
    pub fn turn_to(self, from: &'static Encoding, base: u64) -> Self {
        Self {
            decoder: Decoder::new(from, BomHandling::Keep),
            base,
            restored: base,
            ..self
        }
    }

    /// A coder before whose first byte this many bytes are one malformed sequence.
    pub fn after_malformed(self, length: usize) -> Self {
        Self {
            malformed_before: length,
            ..self
        }
    }

    /// Converts `block`, which lies at `offset` of the input, from its byte `skip` on.
    pub fn convert(
        &mut self,
        block: &[u8],
        skip: usize,
        offset: u64,
        last: bool,
        converted: &mut Converted,
    ) {
        converted.clear();
        let run = Run {
            block,
            offset,
            history: self.history,
        };
        if self.malformed_before > 0 {
            let length = std::mem::take(&mut self.malformed_before);
            self.malformed(&run, self.base - length as u64, length, converted);
            if converted.stopped {
                return;
            }
        }
        if self.encoder.is_none() && self.newline == Newline::Keep {
            self.decode_only(&run, skip, last, converted);
        } else {
            self.decode_and_encode(&run, skip, last, converted);
        }
        self.remember(block);
    }

    /// To UTF-8: the decoder writes the output.
    fn decode_only(&mut self, run: &Run<'_>, skip: usize, last: bool, converted: &mut Converted) {
        let mut read = skip;
        loop {
            converted.reserve(run.block.len() - read + 64);
            let free = &mut converted.bytes[converted.filled..];
            let progress = self.decoder.decode_fatal(&run.block[read..], free, last);
            read += progress.read;
            converted.end.advance(&free[..progress.written]);
            converted.filled += progress.written;
            match progress.status {
                Status::InputEmpty | Status::Unmappable(_) => return,
                Status::OutputFull => converted.reserve(converted.filled / 2 + 64),
                Status::Malformed(sequence) => {
                    let offset = self.base + sequence.offset;
                    self.malformed(run, offset, sequence.len.into(), converted);
                    if converted.stopped {
                        return;
                    }
                }
            }
        }
    }

    fn decode_and_encode(
        &mut self,
        run: &Run<'_>,
        skip: usize,
        last: bool,
        converted: &mut Converted,
    ) {
        let mut text = std::mem::take(&mut converted.text);
        if text.len() < TEXT {
            text = "\0".repeat(TEXT);
        }
        let mut read = skip;
        loop {
            let step = &run.block[read..][..STEP.min(run.block.len() - read)];
            let ends = read + step.len() == run.block.len();
            let before = self.decoder.clone();
            let progress = self.decoder.decode_fatal(step, &mut text[..], last && ends);
            read += progress.read;
            let mut source = Source {
                run,
                base: self.base,
                restored: self.restored,
                step,
                text: &text[..progress.written],
                counted: 0,
                decoder: before,
                stepped: 0,
                written: 0,
            };
            self.write(&mut source, converted);
            if converted.stopped {
                break;
            }
            source.count_to(progress.written, converted);
            match progress.status {
                Status::InputEmpty if ends => break,
                Status::InputEmpty | Status::OutputFull | Status::Unmappable(_) => {}
                Status::Malformed(sequence) => {
                    let offset = self.base + sequence.offset;
                    self.malformed(run, offset, sequence.len.into(), converted);
                    if converted.stopped {
                        break;
                    }
                }
            }
        }
        if last && !converted.stopped {
            self.release_return(converted);
        }
        if last || converted.stopped {
            // What was written returns to ASCII, whatever follows it in the output.
            self.encode("", true, None, converted);
        }
        converted.text = text;
    }

    /// Writes decoded text, line ends converted.
    fn write(&mut self, source: &mut Source<'_>, converted: &mut Converted) {
        let text = source.text;
        match self.newline {
            Newline::Keep => self.encode(text, false, Some((source, 0)), converted),
            Newline::Lf => {
                if self.after_return && !text.is_empty() {
                    if !text.starts_with('\n') {
                        self.encode("\r", false, None, converted);
                    }
                    self.after_return = false;
                }
                let end = text.strip_suffix('\r').unwrap_or(text).len();
                let mut start = 0;
                for at in memchr::memchr_iter(b'\r', &text.as_bytes()[..end]) {
                    if text.as_bytes().get(at + 1) == Some(&b'\n') {
                        self.encode(&text[start..at], false, Some((source, start)), converted);
                        if converted.stopped {
                            return;
                        }
                        start = at + 1;
                    }
                }
                self.encode(&text[start..end], false, Some((source, start)), converted);
                self.after_return |= end < text.len();
            }
            Newline::Crlf => {
                let mut start = 0;
                for at in memchr::memchr_iter(b'\n', text.as_bytes()) {
                    let after_return = match at {
                        0 => self.after_return,
                        _ => text.as_bytes()[at - 1] == b'\r',
                    };
                    if !after_return {
                        self.encode(&text[start..at], false, Some((source, start)), converted);
                        if converted.stopped {
                            return;
                        }
                        self.encode("\r", false, None, converted);
                        start = at;
                    }
                }
                self.encode(&text[start..], false, Some((source, start)), converted);
                if let Some(&byte) = text.as_bytes().last() {
                    self.after_return = byte == b'\r';
                }
            }
        }
    }

    /// Writes the carriage return that waited for a line feed.
    fn release_return(&mut self, converted: &mut Converted) {
        if std::mem::take(&mut self.after_return) && self.newline == Newline::Lf {
            self.encode("\r", false, None, converted);
        }
    }

    /// Encodes `text`. `source` is what it was decoded from and at which byte of that text it starts; without it,
    /// unmappable characters are no troubles of the input.
    fn encode(
        &mut self,
        text: &str,
        last: bool,
        mut source: Option<(&mut Source<'_>, usize)>,
        converted: &mut Converted,
    ) {
        let Some(encoder) = &mut self.encoder else {
            return converted.append(text.as_bytes());
        };
        let mut read = 0;
        loop {
            converted.reserve(text.len() - read + 64);
            let free = &mut converted.bytes[converted.filled..];
            let progress = encoder.encode(&text[read..], free, last);
            read += progress.read;
            converted.filled += progress.written;
            let scalar = match progress.status {
                Status::InputEmpty | Status::Malformed(_) => return,
                Status::OutputFull => {
                    converted.reserve(converted.filled / 2 + 64);
                    continue;
                }
                Status::Unmappable(unmappable) => unmappable.scalar,
            };
            if let Some(text) = self.substitutes.of(scalar, encoder) {
                converted.substituted += 1;
                converted.reserve(16 * text.len());
                let free = &mut converted.bytes[converted.filled..];
                converted.filled += encoder.encode(&text, free, false).written;
                continue;
            }
            if let Some((source, start)) = &mut source {
                // Not `scalar`: for ISO-2022-JP's forbidden controls that is U+FFFD.
                let character = text[..read].chars().next_back().unwrap_or(scalar);
                source.unmappable(*start + read - character.len_utf8(), character, converted);
                if self.errors == ErrorMode::Fatal {
                    converted.stopped = true;
                    return;
                }
            }
            let aside = match self.errors {
                ErrorMode::Skip => continue,
                ErrorMode::Fatal | ErrorMode::Replacement => "?".to_owned(),
                // The Standard's error mode "html" refers to what the encoder reports.
                ErrorMode::Html => format!("&#{};", u32::from(scalar)),
            };
            // ASCII, which all encoders can. In ISO-2022-JP an escape sequence may precede it.
            converted.reserve(8 * aside.len());
            let free = &mut converted.bytes[converted.filled..];
            converted.filled += encoder.encode(&aside, free, false).written;
        }
    }

    /// Records a malformed sequence of `length` bytes at `offset` of the input, and writes what takes its place.
    fn malformed(&mut self, run: &Run<'_>, offset: u64, length: usize, converted: &mut Converted) {
        let mut bytes = [0; SHOWN];
        let len = length.min(SHOWN);
        run.read(offset, &mut bytes[..len]);
        self.restored = offset + length as u64;
        converted.troubles.push(Found {
            kind: TroubleKind::Malformed,
            offset,
            lines: converted.end.lines as u32,
            column: converted.end.column as u32,
            len: len as u8,
            bytes,
        });
        converted.end.advance_malformed();
        converted.stopped = self.assumed || self.errors == ErrorMode::Fatal;
        let is_replaced = matches!(self.errors, ErrorMode::Replacement | ErrorMode::Html);
        if is_replaced && !converted.stopped {
            self.release_return(converted);
            self.encode("\u{FFFD}", false, None, converted);
        }
    }

    fn remember(&mut self, block: &[u8]) {
        let new = block.len().min(HISTORY);
        self.history.copy_within(new.., 0);
        self.history[HISTORY - new..].copy_from_slice(&block[block.len() - new..]);
    }
}

/// Text and the well-formed bytes that it was decoded from, to find the bytes of a character.
struct Source<'a> {
    run: &'a Run<'a>,
    base: u64,
    step: &'a [u8],
    text: &'a str,
    /// Bytes of text that the block's position includes.
    counted: usize,
    /// Where the last malformed sequence ended.
    restored: u64,
    /// A decoder that has read `stepped` bytes of `step` and written `written` bytes of `text`.
    decoder: Decoder,
    stepped: usize,
    written: usize,
}

impl Source<'_> {
    fn count_to(&mut self, at: usize, converted: &mut Converted) {
        converted
            .end
            .advance(&self.text.as_bytes()[self.counted..at]);
        self.counted = at;
    }

    /// Records the character at byte `at` of the text.
    fn unmappable(&mut self, at: usize, character: char, converted: &mut Converted) {
        self.count_to(at, converted);
        let (start, end) = self.locate(at);
        let mut bytes = [0; SHOWN];
        // Bytes that the decoder read behind a malformed sequence and restored are not told by its position.
        let encoding = self.decoder.encoding();
        let len = match encoding.code_unit_len() {
            2 => 2 * character.len_utf16(),
            4 => 4,
            _ if encoding.is_single_byte() => 1,
            _ => usize::try_from(end - start).map_or(SHOWN, |len| len.min(SHOWN)),
        };
        self.run.read(start, &mut bytes[..len]);
        converted.troubles.push(Found {
            kind: TroubleKind::Unmappable(character),
            offset: start,
            lines: converted.end.lines as u32,
            column: converted.end.column as u32,
            len: len as u8,
            bytes,
        });
    }

    /// Where in the input the character at byte `at` of the text starts and ends; `at` grows from call to call.
    ///
    /// Decodes again: in strides up to near that character, then byte by byte until it comes out. It starts where the
    /// decoder stood with nothing pending.
    fn locate(&mut self, at: usize) -> (u64, u64) {
        const STRIDE: usize = 64;
        // More than a stride can write.
        let mut scratch = [0_u8; 6 * STRIDE];
        if self.stepped == 0 {
            // What the decoder restored comes out without further input: ASCII, or one code unit of UTF-16.
            let mut ahead = self.decoder.clone();
            let written = ahead.decode_fatal(b"", &mut scratch, false).written;
            if at < written {
                let start = self.restored + at as u64;
                return (start, start + 1);
            }
        }
        while self.stepped < self.step.len() {
            let mut ahead = self.decoder.clone();
            let stride = &self.step[self.stepped..][..STRIDE.min(self.step.len() - self.stepped)];
            let progress = ahead.decode_fatal(stride, &mut scratch, false);
            let read_all = progress.status == Status::InputEmpty;
            if !read_all || self.written + progress.written > at {
                break;
            }
            self.decoder = ahead;
            self.stepped += stride.len();
            self.written += progress.written;
        }
        while self.stepped < self.step.len() {
            let start = self.base + self.neutral_position();
            let byte = &self.step[self.stepped..=self.stepped];
            let mut ahead = self.decoder.clone();
            let progress = ahead.decode_fatal(byte, &mut scratch, false);
            if self.written + progress.written > at {
                // Not stepped over: it may have decoded to more than one character.
                return (start, self.base + ahead.position());
            }
            self.decoder = ahead;
            self.stepped += 1;
            self.written += progress.written;
        }
        let end = self.base + self.decoder.position();
        (end, end)
    }

    /// Where the decoder was last neutral: if the input ended here, what is pending would be malformed.
    fn neutral_position(&self) -> u64 {
        let mut scratch = [0_u8; 16];
        let ended = self.decoder.clone().decode_fatal(b"", &mut scratch, true);
        match ended.status {
            Status::Malformed(sequence) => sequence.offset,
            _ => self.decoder.position(),
        }
    }
}

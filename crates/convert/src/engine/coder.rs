//! Decodes, shapes and encodes one block after another.

mod locate;

use super::blocks::Block;
use super::position::Position;
use super::shape::{Nothing, Origin, Seen, Shaper, Sink};
use super::{ErrorMode, Options, Shape, Substitutes, TroubleKind};
use locate::Origins;
use mojika::{BomHandling, Decoder, Encoder, Encoding, Status, UTF_8};

/// The number of bytes of the previous block to keep. It exceeds the length of a malformed sequence and of the bytes
/// read after it (at most 4 each).
const HISTORY: usize = 16;

/// The number of bytes to decode before they are encoded, so that the text stays in the processor's cache.
const STEP: usize = 16 << 10;

/// The minimum space for text, in bytes: the text of [`STEP`] bytes.
const TEXT: usize = 3 * STEP + 64;

/// The maximum number of input bytes that are kept for the message about an error.
pub const SHOWN: usize = 8;

/// A malformed sequence or unmappable character, with its position relative to the block.
#[derive(Clone, Copy, Debug)]
pub struct Located {
    pub kind: TroubleKind,
    /// The input encoding.
    pub encoding: &'static Encoding,
    /// The offset from the start of the input.
    pub offset: u64,
    pub lines: u32,
    /// The column. It is negative if the character was held back at the end of the previous block.
    pub column: i64,
    pub len: u8,
    pub bytes: [u8; SHOWN],
}

/// Reusable buffers for one block.
#[derive(Default)]
pub struct Converted {
    /// The buffer, fully initialised; the first `filled` bytes are the output.
    pub bytes: Vec<u8>,
    pub filled: usize,
    pub troubles: Vec<Located>,
    /// The number of characters that were replaced by a substitute.
    pub substituted: u64,
    /// The counts from shaping.
    pub seen: Seen,
    /// The position of the block's end.
    pub end: Position,
    /// True if error mode "fatal" has ended the conversion at the last of `troubles`.
    pub stopped: bool,
    text: String,
}

impl Converted {
    fn clear(&mut self) {
        self.filled = 0;
        self.troubles.clear();
        self.substituted = 0;
        self.seen = Seen::default();
        self.end = Position::default();
        self.stopped = false;
    }

    /// Appends bytes unchanged.
    pub fn append(&mut self, bytes: &[u8]) {
        self.reserve(bytes.len());
        self.bytes[self.filled..][..bytes.len()].copy_from_slice(bytes);
        self.filled += bytes.len();
    }

    /// Makes space for `free` bytes.
    fn reserve(&mut self, free: usize) {
        if self.bytes.len() - self.filled < free {
            let len = (self.filled + free).max(self.bytes.len() + self.bytes.len() / 2);
            match self.filled {
                // The content need not be kept. The system zeroes new pages on first use.
                0 => self.bytes = vec![0; len],
                _ => self.bytes.resize(len, 0),
            }
        }
    }
}

/// The state of a conversion between blocks.
pub struct Coder {
    decoder: Decoder,
    /// The encoder; `None` for UTF-8, because decoded text is UTF-8 already.
    encoder: Option<Encoder>,
    errors: ErrorMode,
    /// True if the encoding is assumed. The first malformed sequence then ends the conversion in any error mode.
    assumed: bool,
    shape: Shape,
    shaper: Shaper,
    /// The input positions of the characters that the shaper holds back; empty without an encoder.
    held: Vec<Option<Located>>,
    substitutes: Substitutes,
    /// The input offset of the decoder's first byte.
    base: u64,
    /// The length of a malformed sequence that ends before the decoder's first byte.
    malformed_before: usize,
    /// The input offset of the end of the last malformed sequence. The decoder may have restored bytes from there on.
    restored: u64,
    /// The last bytes of the previous blocks.
    history: [u8; HISTORY],
}

/// The input of a call, with its position.
struct Call<'a> {
    block: &'a [u8],
    /// The offset of `block` in the input.
    offset: u64,
    /// The bytes before `block`.
    history: [u8; HISTORY],
}

impl Call<'_> {
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
    /// Returns a coder whose input starts at `base`; `None` if the output encoding has no encoder.
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
            shape: options.shape,
            shaper: Shaper::new(options.shape, base == 0),
            held: Vec::new(),
            substitutes: options.substitutes,
            base,
            malformed_before: 0,
            restored: base,
            history: [0; HISTORY],
        })
    }

    /// Returns the coder for input whose first `length` bytes, before the decoder's input, are a malformed sequence.
    pub fn after_malformed(self, length: usize) -> Self {
        Self {
            malformed_before: length,
            ..self
        }
    }

    /// Converts `bytes`, the content of `block`, from the byte `skip` on.
    pub fn convert(&mut self, bytes: &[u8], skip: usize, block: &Block, converted: &mut Converted) {
        let (offset, last) = (block.offset, block.last);
        converted.clear();
        if let Some((from, _)) = block.turned {
            self.turn_to(from, offset, skip, converted);
            if converted.stopped {
                return;
            }
        }
        let block = bytes;
        let run = Call {
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
        self.decode(&run, skip, last, converted);
        let is_encoded = self.encoder.is_some() || self.shape.changes();
        if is_encoded && last && !converted.stopped {
            self.release(converted);
        }
        if is_encoded && (last || converted.stopped) {
            // Ends the block's output, in ISO-2022-JP by an escape to ASCII, because another block may follow.
            self.encode("", true, None, converted);
        }
        converted.seen = self.shaper.seen();
        for held in self.held.iter_mut().flatten() {
            // Characters that the shaper holds back contain no line end.
            held.lines = 0;
            held.column -= converted.end.column as i64;
        }
        self.remember(block);
    }

    /// Ends the decoder, and continues with another encoding from the byte `skip` of the block at `offset`.
    fn turn_to(
        &mut self,
        from: &'static Encoding,
        offset: u64,
        skip: usize,
        converted: &mut Converted,
    ) {
        let end = Call {
            block: &[],
            offset,
            history: self.history,
        };
        self.decode(&end, 0, true, converted);
        let marks = match from.code_unit_len() {
            // A part in UTF-16 may begin with a mark, which is skipped at the start of the input.
            2.. if skip == 0 => BomHandling::Remove,
            _ => BomHandling::Keep,
        };
        self.decoder = Decoder::new(from, marks);
        self.base = offset + skip as u64;
        self.restored = self.base;
    }

    fn decode(&mut self, run: &Call<'_>, skip: usize, last: bool, converted: &mut Converted) {
        if self.encoder.is_none() && !self.shape.changes() {
            self.decode_only(run, skip, last, converted);
        } else {
            self.decode_and_encode(run, skip, last, converted);
        }
    }

    /// Decodes to UTF-8, directly into the output.
    fn decode_only(&mut self, run: &Call<'_>, skip: usize, last: bool, converted: &mut Converted) {
        let mut read = skip;
        loop {
            converted.reserve(run.block.len() - read + 64);
            let free = &mut converted.bytes[converted.filled..];
            let progress = self.decoder.decode_fatal(&run.block[read..], free, last);
            read += progress.read;
            converted.end.advance(&free[..progress.written]);
            if self.shape.counts
                && let Ok(text) = std::str::from_utf8(&free[..progress.written])
            {
                self.shaper.take(text, &mut Nothing);
            }
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
        run: &Call<'_>,
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
            let mut source = Origins {
                run,
                base: self.base,
                restored: self.restored,
                step,
                text: &text[..progress.written],
                counted: 0,
                decoder: before,
                stepped: 0,
                written: 0,
                located: None,
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
        converted.text = text;
    }

    /// Writes decoded text after shaping it.
    fn write(&mut self, source: &mut Origins<'_>, converted: &mut Converted) {
        let text = source.text;
        if self.shape.is_idle() {
            let place = Some((source, Origin::Same(0)));
            return self.encode(text, false, place, converted);
        }
        self.shape(text, Some(source), converted);
    }

    /// Shapes text and writes it.
    fn shape(&mut self, text: &str, source: Option<&mut Origins<'_>>, converted: &mut Converted) {
        let mut shaper = std::mem::take(&mut self.shaper);
        let mut sink = Shaped {
            coder: self,
            source,
            converted,
        };
        shaper.take(text, &mut sink);
        self.shaper = shaper;
    }

    /// Writes the text that the shaper holds back.
    fn release(&mut self, converted: &mut Converted) {
        let mut shaper = std::mem::take(&mut self.shaper);
        let mut sink = Shaped {
            coder: self,
            source: None,
            converted,
        };
        shaper.finish(&mut sink);
        self.shaper = shaper;
    }

    /// Encodes `text`, the shaped form of the first `count` characters of `held`.
    fn encode_held(&mut self, text: &str, count: usize, is_same: bool, converted: &mut Converted) {
        let count = count.min(self.held.len());
        let held: Vec<_> = self.held.drain(..count).collect();
        self.encode_at(text, false, converted, &mut |at, character, converted| {
            let number = match is_same {
                true => text[..at].chars().count(),
                false => 0,
            };
            let found = held.get(number).copied().flatten();
            converted.troubles.extend(found.map(|found| Located {
                kind: TroubleKind::Unmappable(character),
                ..found
            }));
            found.is_some()
        });
    }

    /// Encodes `text`. `source` has its bytes and its origin; with `None`, unmappable characters are not reported.
    fn encode(
        &mut self,
        text: &str,
        last: bool,
        mut source: Option<(&mut Origins<'_>, Origin)>,
        converted: &mut Converted,
    ) {
        self.encode_at(text, last, converted, &mut |at, character, converted| {
            let Some((source, origin)) = &mut source else {
                return false;
            };
            let at = match *origin {
                Origin::Same(start) => start + at,
                Origin::From(start) => start,
                Origin::Held { .. } => return false,
            };
            let found = source.place(at, character, converted);
            converted.troubles.push(found);
            true
        });
    }

    /// Encodes `text`. Calls `note` with the offset of each unmappable character; `note` returns true to report it.
    fn encode_at(
        &mut self,
        text: &str,
        last: bool,
        converted: &mut Converted,
        note: &mut dyn FnMut(usize, char, &mut Converted) -> bool,
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
            // For control characters that ISO-2022-JP forbids, `scalar` is U+FFFD, so the character is taken from the
            // text.
            let character = text[..read].chars().next_back().unwrap_or(scalar);
            if note(read - character.len_utf8(), character, converted)
                && self.errors == ErrorMode::Fatal
            {
                converted.stopped = true;
                return;
            }
            let aside = match self.errors {
                ErrorMode::Skip => continue,
                ErrorMode::Fatal | ErrorMode::Replacement => "?".to_owned(),
                // The Standard's error mode "html" writes the code point that the encoder reports.
                ErrorMode::Html => format!("&#{};", u32::from(scalar)),
            };
            // ASCII is always mappable. In ISO-2022-JP an escape sequence may precede it.
            converted.reserve(8 * aside.len());
            let free = &mut converted.bytes[converted.filled..];
            converted.filled += encoder.encode(&aside, free, false).written;
        }
    }

    /// Records a malformed sequence of `length` bytes at `offset` of the input, and writes its replacement.
    fn malformed(&mut self, run: &Call<'_>, offset: u64, length: usize, converted: &mut Converted) {
        let stops = self.assumed || self.errors == ErrorMode::Fatal;
        if stops {
            // Text that the shaper holds back is written first, because it may contain an earlier error.
            self.release(converted);
            if converted.stopped {
                return;
            }
        }
        let mut bytes = [0; SHOWN];
        let len = length.min(SHOWN);
        run.read(offset, &mut bytes[..len]);
        self.restored = offset + length as u64;
        converted.troubles.push(Located {
            kind: TroubleKind::Malformed,
            encoding: self.decoder.encoding(),
            offset,
            lines: converted.end.lines as u32,
            column: converted.end.column as i64,
            len: len as u8,
            bytes,
        });
        converted.end.advance_malformed();
        converted.stopped = stops;
        let is_replaced = matches!(self.errors, ErrorMode::Replacement | ErrorMode::Html);
        if is_replaced && !converted.stopped {
            self.shape("\u{FFFD}", None, converted);
        }
    }

    fn remember(&mut self, block: &[u8]) {
        let new = block.len().min(HISTORY);
        self.history.copy_within(new.., 0);
        self.history[HISTORY - new..].copy_from_slice(&block[block.len() - new..]);
    }
}

/// A sink that encodes the output of a shaper.
struct Shaped<'c, 's, 'r> {
    coder: &'c mut Coder,
    /// The source bytes of the text; `None` for a U+FFFD that replaces malformed input.
    source: Option<&'c mut Origins<'s>>,
    converted: &'r mut Converted,
}

impl Sink for Shaped<'_, '_, '_> {
    fn take(&mut self, text: &str, origin: Origin) -> bool {
        let Self {
            coder,
            source,
            converted,
        } = self;
        match origin {
            Origin::Held { count, is_same } => coder.encode_held(text, count, is_same, converted),
            origin => {
                let place = source.as_deref_mut().map(|source| (source, origin));
                coder.encode(text, false, place, converted);
            }
        }
        !converted.stopped
    }

    fn hold(&mut self, text: &str, origin: Origin) {
        if self.coder.encoder.is_none() {
            return;
        }
        for (at, character) in text.char_indices() {
            let place = match (&mut self.source, origin) {
                (Some(source), Origin::Same(start)) => {
                    Some(source.place(start + at, character, self.converted))
                }
                _ => None,
            };
            self.coder.held.push(place);
        }
    }
}

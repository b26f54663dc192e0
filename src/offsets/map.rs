//! `OffsetMap`: checkpoints, and re-decoding of the source from the nearest one.

use super::find::{CharBoundary, Finder, TextUnit};
use super::runs::Walker;
use super::text::TextBuffer;
use crate::codec::Mode;
use crate::decoder::Text;
use crate::{AppendTarget, BomHandling, Decoder, Encoding, MalformedSequence, Progress, Status};
use alloc::string::String;
use alloc::vec::Vec;

/// The options of an [`OffsetMapBuilder`].
///
/// ```
/// use mojika::offsets::OffsetMapOptions;
///
/// // For a text whose offsets a UTF-16 editor asks for too, with quicker look-ups.
/// let options = OffsetMapOptions::default().utf16(true).interval(1024);
/// assert!(options.utf8);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OffsetMapOptions {
    /// The handling of a byte order mark. By default it overrides the encoding, as in the Standard's "decode".
    pub bom: BomHandling,
    /// Bytes of source between two checkpoints, at least 16; 16384 by default. A look-up decodes this much.
    pub interval: usize,
    /// True if offsets in UTF-8 are available, which is the default.
    pub utf8: bool,
    /// True if offsets in UTF-16 are available; false by default. Counting the units of a form that is not decoded to
    /// takes time.
    pub utf16: bool,
}

impl Default for OffsetMapOptions {
    fn default() -> Self {
        Self {
            bom: BomHandling::Sniff,
            interval: 16384,
            utf8: true,
            utf16: false,
        }
    }
}

impl OffsetMapOptions {
    /// The minimum number of bytes between two checkpoints.
    pub(super) const LEAST_INTERVAL: usize = 16;

    /// Sets [`bom`](Self::bom).
    pub fn bom(mut self, bom: BomHandling) -> Self {
        self.bom = bom;
        self
    }

    /// Sets [`interval`](Self::interval), in bytes.
    pub fn interval(mut self, interval: usize) -> Self {
        self.interval = interval;
        self
    }

    /// Sets [`utf8`](Self::utf8).
    pub fn utf8(mut self, counted: bool) -> Self {
        self.utf8 = counted;
        self
    }

    /// Sets [`utf16`](Self::utf16).
    pub fn utf16(mut self, counted: bool) -> Self {
        self.utf16 = counted;
        self
    }
}

/// Positions in a text and its source, for look-ups with the source at hand.
///
/// It stores the offsets of a character every [`interval`](OffsetMapOptions::interval) bytes; a look-up decodes from
/// the nearest one on. The module's documentation lists the costs.
///
/// ```
/// use mojika::SHIFT_JIS;
/// use mojika::offsets::OffsetMap;
///
/// let page = b"<p>\x95\xB6\x8E\x9A\x82</p>";
/// let (text, map) = OffsetMap::decode(SHIFT_JIS, page);
/// assert_eq!(text, "<p>文字\u{FFFD}</p>");
/// let offsets = map.utf8_offsets(page).unwrap();
/// let found = text.find("字").unwrap() as u64;
/// assert_eq!(offsets.source_range(found..found + 3), Some(5..7));
/// // The malformed byte, and the "<" that it does not swallow.
/// assert_eq!(offsets.source_range(9..12), Some(7..8));
/// assert_eq!(offsets.text_offset(8), Some(12));
/// ```
#[derive(Clone)]
pub struct OffsetMap {
    pub(super) asked: &'static Encoding,
    pub(super) encoding: &'static Encoding,
    pub(super) bom: BomHandling,
    /// Checkpoints: ascending source offsets of characters. The first is 0, before any BOM.
    pub(super) sources: Vec<u64>,
    /// The text offsets of the same characters; empty if not counted.
    pub(super) utf8: Vec<u64>,
    pub(super) utf16: Vec<u64>,
    /// The packed mode at each checkpoint except the first. Empty for encodings that are not stateful: their decoders
    /// have no state between two characters.
    pub(super) modes: Vec<u8>,
    /// The lengths of source and text so far.
    pub(super) source_length: u64,
    pub(super) utf8_length: u64,
    pub(super) utf16_length: u64,
    /// True if the stream is complete.
    pub(super) finished: bool,
}

impl OffsetMap {
    /// Decodes whole input to a string; a byte order mark overrides the encoding, malformed sequences become U+FFFD.
    pub fn decode(encoding: &'static Encoding, source: &[u8]) -> (String, OffsetMap) {
        let mut builder = OffsetMapBuilder::new(encoding);
        let mut text = String::new();
        builder.decode_append(source, &mut text, true);
        (text, builder.into_map())
    }

    /// Returns the encoding: the requested one, or the one that a byte order mark has named.
    pub fn encoding(&self) -> &'static Encoding {
        self.encoding
    }

    /// Returns the bytes of memory that the map holds, including spare capacity.
    pub fn memory_usage(&self) -> usize {
        let numbers = self.sources.capacity() + self.utf8.capacity() + self.utf16.capacity();
        numbers * size_of::<u64>() + self.modes.capacity()
    }

    pub(super) fn positions(&self, unit: TextUnit) -> &[u64] {
        match unit {
            TextUnit::Utf8 => &self.utf8,
            TextUnit::Utf16 => &self.utf16,
        }
    }

    /// Returns the last checkpoint at or before an offset in the text.
    pub(super) fn index_for_text(&self, unit: TextUnit, offset: u64) -> usize {
        last_at_most(self.positions(unit), offset)
    }

    /// Returns the last checkpoint at or before an offset in the source.
    pub(super) fn index_for_source(&self, offset: u64) -> usize {
        last_at_most(&self.sources, offset)
    }

    pub(super) fn place(&self, index: usize, unit: TextUnit, bom_length: u64) -> CharBoundary {
        let at = |numbers: &[u64]| numbers.get(index).copied().unwrap_or_default();
        CharBoundary {
            source: at(&self.sources).max(bom_length),
            text: at(self.positions(unit)),
        }
    }

    /// Returns the mode of a stateful encoding at a checkpoint; `None` in other encodings and at the start.
    pub(super) fn mode(&self, index: usize) -> Option<Mode> {
        let packed = self.modes.get(index.checked_sub(1)?);
        packed.map(|&packed| Mode::unpack(packed, self.encoding.kind))
    }

    /// Creates a decoder that starts `position` bytes into the source, after any byte order mark, in `mode`.
    pub(super) fn decoder_from(&self, position: usize, mode: Option<Mode>) -> Decoder {
        match mode {
            Some(mode) => Decoder::starting_in(self.encoding, mode, position),
            None => Decoder::starting_at(self.encoding, position),
        }
    }

    /// Decodes `source` from a checkpoint to the next one, or until the finder has reached its goal.
    pub(super) fn runs_from(
        &self,
        index: usize,
        source: &[u8],
        bom_length: u64,
        finder: &mut Finder,
    ) {
        const PIECE: usize = 512;
        let start = self
            .place(index, TextUnit::Utf8, bom_length)
            .source
            .min(source.len() as u64) as usize;
        let next = self.sources.get(index + 1);
        let stop = next.map_or(source.len(), |&stop| stop as usize);
        let mut rest = source.get(start..stop).unwrap_or_default();
        let mode = self.mode(index);
        let mut decoder = self.decoder_from(start, mode);
        let mut walker = Walker::new(self.encoding, start as u64, mode);
        let mut text = String::new();
        while !finder.is_done() {
            let piece = &rest[..rest.len().min(PIECE)];
            // A checkpoint ends a character, so an incomplete sequence there is malformed, whatever follows.
            let last = (next.is_some() || self.finished) && piece.len() == rest.len();
            text.clear();
            let progress = decoder.decode_append_fatal(piece, &mut text, last);
            let malformed = match progress.status {
                Status::Malformed(sequence) => Some(sequence),
                _ => None,
            };
            let read = &piece[..progress.read];
            walker.walk(0, read, text.as_bytes(), malformed, &mut |run| {
                finder.take(run);
            });
            rest = &rest[progress.read..];
            if rest.is_empty() && malformed.is_none() {
                return;
            }
        }
    }
}

impl core::fmt::Debug for OffsetMap {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("OffsetMap")
            .field("encoding", &self.encoding)
            .field("checkpoints", &self.sources.len())
            .field("source_length", &self.source_length)
            .field("finished", &self.finished)
            .finish_non_exhaustive()
    }
}

/// Returns the index of the last number that is not above `offset`, or 0. The numbers ascend.
fn last_at_most(numbers: &[u64], offset: u64) -> usize {
    numbers
        .partition_point(|&number| number <= offset)
        .saturating_sub(1)
}

/// Decodes a stream and builds its [`OffsetMap`], which can be queried at any time.
///
/// As with a [`Decoder`], a chunk may end anywhere, and once a call with `last` set has returned, the next call starts
/// another stream, with an empty map.
///
/// ```
/// use mojika::offsets::OffsetMapBuilder;
///
/// let (mut builder, mut text, mut source) = (OffsetMapBuilder::new(mojika::EUC_KR), String::new(), Vec::new());
/// for chunk in [&b"<b>\xC7\xD1\xB1"[..], b"\xDB</b>"] {
///     source.extend_from_slice(chunk);
///     builder.decode_append(chunk, &mut text, false);
///     let offsets = builder.map().utf8_offsets(&source).unwrap();
///     assert_eq!(offsets.text_length(), text.len() as u64);
///     assert_eq!(offsets.source_range(3..6), Some(3..5));
/// }
/// assert_eq!(text, "<b>한글</b>");
/// ```
#[derive(Clone)]
pub struct OffsetMapBuilder<H = fn(MalformedSequence)> {
    decoder: Decoder,
    options: OffsetMapOptions,
    /// Called for each malformed sequence.
    handler: Option<H>,
    map: OffsetMap,
    /// The source offset at which the next checkpoint is due.
    due: u64,
    /// The number of bytes that may still be decoded one by one to find the end of a character; 0 if no checkpoint is
    /// due.
    steps: u32,
    /// The source offset of the end of the last bytes that were restored in such a step.
    restored: u64,
}

impl OffsetMapBuilder {
    /// Creates a builder with the default options.
    pub fn new(encoding: &'static Encoding) -> Self {
        Self::with_options(encoding, OffsetMapOptions::default())
    }

    /// Creates a builder with `options`.
    pub fn with_options(encoding: &'static Encoding, options: OffsetMapOptions) -> Self {
        Self::start(encoding, options, None)
    }
}

impl<H> OffsetMapBuilder<H> {
    /// Calls `handler` for each malformed sequence that becomes U+FFFD.
    ///
    /// ```
    /// use mojika::offsets::OffsetMapBuilder;
    ///
    /// let (mut places, mut text) = (Vec::new(), String::new());
    /// OffsetMapBuilder::new(mojika::EUC_KR)
    ///     .on_malformed(|sequence| places.push((sequence.offset, sequence.len)))
    ///     .decode_append(b"a\xFFb", &mut text, true);
    /// assert_eq!((&*text, places), ("a\u{FFFD}b", vec![(1, 1)]));
    /// ```
    pub fn on_malformed<G: FnMut(MalformedSequence)>(self, handler: G) -> OffsetMapBuilder<G> {
        OffsetMapBuilder {
            decoder: self.decoder,
            options: self.options,
            handler: Some(handler),
            map: self.map,
            due: self.due,
            steps: self.steps,
            restored: self.restored,
        }
    }

    fn start(encoding: &'static Encoding, options: OffsetMapOptions, handler: Option<H>) -> Self {
        let options = OffsetMapOptions {
            interval: options.interval.max(OffsetMapOptions::LEAST_INTERVAL),
            ..options
        };
        let first = |counted| if counted { Vec::from([0]) } else { Vec::new() };
        Self {
            decoder: Decoder::new(encoding, options.bom),
            options,
            handler,
            map: OffsetMap {
                asked: encoding,
                encoding,
                bom: options.bom,
                sources: Vec::from([0]),
                utf8: first(options.utf8),
                utf16: first(options.utf16),
                modes: Vec::new(),
                source_length: 0,
                utf8_length: 0,
                utf16_length: 0,
                finished: false,
            },
            due: options.interval as u64,
            steps: 0,
            restored: 0,
        }
    }

    /// Returns the map of the source decoded so far.
    pub fn map(&self) -> &OffsetMap {
        &self.map
    }

    /// Returns the map, without spare capacity.
    pub fn into_map(mut self) -> OffsetMap {
        for numbers in [
            &mut self.map.sources,
            &mut self.map.utf8,
            &mut self.map.utf16,
        ] {
            numbers.shrink_to_fit();
        }
        self.map.modes.shrink_to_fit();
        self.map
    }
}

impl<H: FnMut(MalformedSequence)> OffsetMapBuilder<H> {
    /// Decodes all of `src` to the end of a `String` or a `Vec<u16>`, which grows; malformed sequences become U+FFFD.
    ///
    /// Offsets in the text count from the start of the stream's text, whatever `dst` held before.
    pub fn decode_append<T: AppendTarget>(
        &mut self,
        src: &[u8],
        dst: &mut T,
        last: bool,
    ) -> Progress {
        match dst.text() {
            Text::Utf8(dst) => self.decode(src, dst, last),
            Text::Utf16(dst) => self.decode(src, dst, last),
        }
    }

    fn decode<B: TextBuffer>(&mut self, src: &[u8], dst: &mut B, last: bool) -> Progress {
        if self.map.finished {
            *self = Self::start(self.map.asked, self.options, self.handler.take());
        }
        dst.reserve_for(&self.decoder, src.len(), self.options.interval);
        let start = dst.len();
        let (mut read, mut had_errors) = (0, false);
        loop {
            let rest = &src[read..];
            if self.steps > 0 && !rest.is_empty() {
                read += self.step(rest[0], dst, &mut had_errors);
                continue;
            }
            let ahead = self.due.saturating_sub(self.decoder.position());
            let piece = &rest[..rest.len().min(usize::try_from(ahead).unwrap_or(usize::MAX))];
            let is_final = piece.len() == rest.len();
            let from = dst.len();
            had_errors |= self.decode_all(piece, dst, last && is_final);
            self.count(dst, from);
            read += piece.len();
            if self.decoder.position() >= self.due {
                self.look_for_checkpoint();
            }
            if is_final {
                break;
            }
        }
        self.map.encoding = self.decoder.encoding();
        self.map.source_length = self.decoder.position();
        self.map.finished = last;
        Progress {
            status: Status::InputEmpty,
            read,
            written: dst.len() - start,
            had_errors,
        }
    }

    /// Decodes all of `src`; true if a sequence was malformed.
    fn decode_all<B: TextBuffer>(&mut self, src: &[u8], dst: &mut B, last: bool) -> bool {
        if self.handler.is_none() {
            return self.decoder.decode_append(src, dst, last).had_errors;
        }
        let (mut read, mut had_errors) = (0, false);
        loop {
            let progress = self.decoder.decode_append_fatal(&src[read..], dst, last);
            read += progress.read;
            let Status::Malformed(sequence) = progress.status else {
                return had_errors;
            };
            had_errors = true;
            self.replace(sequence, dst);
        }
    }

    /// Appends U+FFFD for a malformed sequence and calls the handler.
    fn replace<B: TextBuffer>(&mut self, sequence: MalformedSequence, dst: &mut B) {
        dst.push_replacement();
        if let Some(handler) = &mut self.handler {
            handler(sequence);
        }
    }

    /// Counts the text appended after `from`.
    fn count<B: TextBuffer>(&mut self, dst: &B, from: usize) {
        if self.options.utf8 {
            self.map.utf8_length += dst.utf8_len_since(from);
        }
        if self.options.utf16 {
            self.map.utf16_length += dst.utf16_len_since(from);
        }
    }

    /// Starts the search for the end of a character, as a checkpoint is due.
    fn look_for_checkpoint(&mut self) {
        /// The maximum number of steps. More than a few are needed only in malformed input or in source without text.
        const MOST_STEPS: u32 = 64;
        if self.decoder.encoding().is_single_byte() {
            self.set_checkpoint();
        } else {
            self.steps = MOST_STEPS;
            self.due += self.options.interval as u64;
        }
    }

    /// Decodes one byte, which may stay unread, and sets a checkpoint if a character ends there.
    fn step<B: TextBuffer>(&mut self, byte: u8, dst: &mut B, had_errors: &mut bool) -> usize {
        self.steps -= 1;
        let from = dst.len();
        let progress = self.decoder.decode_append_fatal(&[byte], dst, false);
        // No restored bytes were pending in the decoder, so any output includes that of this byte.
        let mut is_end = progress.written > 0;
        if let Status::Malformed(sequence) = progress.status {
            *had_errors = true;
            self.replace(sequence, dst);
            // A look-up ends its source at a checkpoint. There, an incomplete sequence includes the bytes that a later
            // byte restored.
            is_end = sequence.after == 0 && sequence.offset >= self.restored;
            if sequence.after > 0 {
                self.restored = self.decoder.position();
                *had_errors |= self.decode_all(b"", dst, false);
            }
        }
        self.count(dst, from);
        if is_end {
            self.set_checkpoint();
        }
        progress.read
    }

    fn set_checkpoint(&mut self) {
        let position = self.decoder.position();
        self.map.sources.push(position);
        if self.options.utf8 {
            self.map.utf8.push(self.map.utf8_length);
        }
        if self.options.utf16 {
            self.map.utf16.push(self.map.utf16_length);
        }
        let mode = self.decoder.mode();
        debug_assert_eq!(mode.is_some(), self.decoder.encoding().is_stateful());
        self.map.modes.extend(mode.map(Mode::pack));
        self.due = position + self.options.interval as u64;
        self.steps = 0;
    }
}

impl<H> core::fmt::Debug for OffsetMapBuilder<H> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("OffsetMapBuilder")
            .field("options", &self.options)
            .field("map", &self.map)
            .finish_non_exhaustive()
    }
}

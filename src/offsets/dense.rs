//! `DenseOffsetMap`: all runs, packed, for look-ups without the source.

use super::find::{CharBoundary, Finder, TextUnit};
use super::runs::{CharRun, Walker};
use super::text::TextBuffer;
use crate::decoder::Text;
use crate::{
    AppendTarget, BomHandling, Decoder, Encoding, MalformedSequence, Progress, Status, UTF_8, bom,
};
use alloc::string::String;
use alloc::vec::Vec;

/// Positions in a text and its source, for look-ups without the source.
///
/// The map stores every run of characters with the same shape: bytes of source and bytes of UTF-8 per character.
/// Look-ups by UTF-8 and by UTF-16 offset are available. The module's documentation lists the costs; see
/// [`Offsets`](super::Offsets) for an example.
#[derive(Clone)]
pub struct DenseOffsetMap {
    pub(super) encoding: &'static Encoding,
    pub(super) bom_length: u64,
    /// Packed runs: the shape in the upper five bits, the count in the lower three. If the lower bits are 0, the count
    /// follows in bytes of seven bits each, the low ones first; all but the last have their top bit set.
    pub(super) packed: Vec<u8>,
    /// Positions in `packed`, about [`Self::SPACING`] apart, never after a gap.
    marks: Vec<Mark>,
    /// The last run, which may still grow.
    pub(super) open: CharRun,
    /// The position at which `open` starts.
    pub(super) at: Mark,
    pub(super) source_length: u64,
}

/// A position: an index into the packed bytes, and the offsets of that position in the source and in the text.
#[derive(Clone, Copy, Default)]
pub(super) struct Mark {
    packed: u64,
    source: u64,
    utf8: u64,
    utf16: u64,
}

impl Mark {
    pub(super) fn advance(&mut self, run: CharRun) {
        self.source += u64::from(run.source_len) * run.count;
        self.utf8 += u64::from(run.utf8_len) * run.count;
        self.utf16 += u64::from(run.utf16_len()) * run.count;
    }

    pub(super) fn text(&self, unit: TextUnit) -> u64 {
        match unit {
            TextUnit::Utf8 => self.utf8,
            TextUnit::Utf16 => self.utf16,
        }
    }
}

impl DenseOffsetMap {
    const SPACING: u64 = 512;
    /// The number of different lengths: 0 to 4.
    const LENGTHS: u8 = 5;
    /// The largest count that fits into the lower bits of a run's first byte.
    const MAX_SHORT_COUNT: u64 = 7;

    pub(super) fn new(encoding: &'static Encoding) -> Self {
        Self {
            encoding,
            bom_length: 0,
            packed: Vec::new(),
            marks: Vec::from([Mark::default()]),
            open: CharRun::gap(0),
            at: Mark::default(),
            source_length: 0,
        }
    }

    /// Decodes whole input to a string; a byte order mark overrides the encoding, malformed sequences become U+FFFD.
    pub fn decode(encoding: &'static Encoding, source: &[u8]) -> (String, DenseOffsetMap) {
        let mut builder = DenseOffsetMapBuilder::new(encoding, BomHandling::Sniff);
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
        self.packed.capacity() + self.marks.capacity() * size_of::<Mark>()
    }

    /// Starts the text after a byte order mark of `bom_length` bytes.
    pub(super) fn start(&mut self, bom_length: u64) {
        self.bom_length = bom_length;
        self.at.source = bom_length;
        self.marks = Vec::from([self.at]);
    }

    pub(super) fn push(&mut self, run: CharRun) {
        if self.open.join(run) {
            return;
        }
        let done = core::mem::replace(&mut self.open, run);
        if done.count == 0 {
            return;
        }
        pack(&mut self.packed, done);
        self.at.advance(done);
        self.at.packed = self.packed.len() as u64;
        let last = self.marks.last().map_or(0, |mark| mark.packed);
        if done.utf8_len > 0 && self.at.packed - last >= Self::SPACING {
            self.marks.push(self.at);
        }
    }

    /// Returns the last mark at or before an offset in the text.
    pub(super) fn index_for_text(&self, unit: TextUnit, offset: u64) -> usize {
        self.index(offset, |mark| mark.text(unit))
    }

    /// Returns the last mark at or before an offset in the source.
    pub(super) fn index_for_source(&self, offset: u64) -> usize {
        self.index(offset, |mark| mark.source)
    }

    fn index(&self, offset: u64, number: impl Fn(&Mark) -> u64) -> usize {
        self.marks
            .partition_point(|mark| number(mark) <= offset)
            .saturating_sub(1)
    }

    pub(super) fn place(&self, index: usize, unit: TextUnit) -> CharBoundary {
        let mark = self.marks.get(index).copied().unwrap_or_default();
        CharBoundary {
            source: mark.source,
            text: mark.text(unit),
        }
    }

    /// Unpacks runs from a mark on until the finder has reached its goal.
    pub(super) fn runs_from(&self, index: usize, finder: &mut Finder) {
        let mark = self.marks.get(index).copied().unwrap_or_default();
        let mut packed = self.packed.get(mark.packed as usize..).unwrap_or_default();
        while !finder.is_done()
            && let Some(run) = unpack(&mut packed)
        {
            finder.take(run);
        }
        finder.take(self.open);
    }
}

impl core::fmt::Debug for DenseOffsetMap {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("DenseOffsetMap")
            .field("encoding", &self.encoding)
            .field("packed_length", &self.packed.len())
            .field("source_length", &self.source_length)
            .finish_non_exhaustive()
    }
}

/// Shapes from this number on have a length above four.
const FIRST_LONG: u8 = DenseOffsetMap::LENGTHS * DenseOffsetMap::LENGTHS;

pub(super) fn pack(packed: &mut Vec<u8>, run: CharRun) {
    let long = CharRun::LONG_SHAPES
        .iter()
        .position(|shape| *shape == (run.source_len, run.utf8_len));
    let shape = match long {
        Some(long) => FIRST_LONG + long as u8,
        None => run.source_len * DenseOffsetMap::LENGTHS + run.utf8_len,
    };
    if run.count <= DenseOffsetMap::MAX_SHORT_COUNT {
        packed.push(shape << 3 | run.count as u8);
        return;
    }
    packed.push(shape << 3);
    let mut count = run.count;
    while count >= 0x80 {
        packed.push(count as u8 | 0x80);
        count >>= 7;
    }
    packed.push(count as u8);
}

/// Removes the first run. `None` at the end, and if the bytes are not a run.
pub(super) fn unpack(packed: &mut &[u8]) -> Option<CharRun> {
    let (&first, mut rest) = packed.split_first()?;
    let mut count = u64::from(first & 7);
    if count == 0 {
        let mut shift = 0;
        loop {
            let (&byte, after) = rest.split_first()?;
            rest = after;
            // Lengths of sources are below 2^63, which takes nine bytes.
            if shift == 63 {
                return None;
            }
            count |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                break;
            }
            shift += 7;
        }
    }
    *packed = rest;
    let shape = first >> 3;
    let (source_len, utf8_len) = match shape.checked_sub(FIRST_LONG) {
        Some(long) => *CharRun::LONG_SHAPES.get(usize::from(long))?,
        None => (
            shape / DenseOffsetMap::LENGTHS,
            shape % DenseOffsetMap::LENGTHS,
        ),
    };
    Some(CharRun {
        source_len,
        utf8_len,
        count,
    })
}

/// Decodes a stream and builds its [`DenseOffsetMap`], which can be queried at any time.
///
/// As with a [`Decoder`], a chunk may end anywhere, and once a call with `last` set has returned, the next call starts
/// another stream, with an empty map.
///
/// ```
/// use mojika::BomHandling;
/// use mojika::offsets::DenseOffsetMapBuilder;
///
/// let mut builder = DenseOffsetMapBuilder::new(mojika::WINDOWS_1252, BomHandling::Sniff);
/// let mut units = Vec::new();
/// builder.decode_append(b"5\x80 =", &mut units, false);
/// builder.decode_append(b" 5 EUR", &mut units, true);
/// let map = builder.into_map();
/// assert_eq!(map.utf16_offsets().source_offset(2), Some(2));
/// assert_eq!(map.utf8_offsets().source_offset(4), Some(2));
/// ```
#[derive(Clone)]
pub struct DenseOffsetMapBuilder<H = fn(MalformedSequence)> {
    asked: &'static Encoding,
    bom: BomHandling,
    decoder: Decoder,
    /// Called for each malformed sequence.
    handler: Option<H>,
    map: DenseOffsetMap,
    walker: Walker,
    /// The first bytes of the stream, until a byte order mark is found or ruled out.
    head: Option<Vec<u8>>,
    finished: bool,
}

impl DenseOffsetMapBuilder {
    /// Creates a builder for text in `encoding`, or in the encoding that a byte order mark names if `bom` lets it
    /// override.
    pub fn new(encoding: &'static Encoding, bom: BomHandling) -> Self {
        Self::with_handler(encoding, bom, None)
    }
}

impl<H> DenseOffsetMapBuilder<H> {
    /// Calls `handler` for each malformed sequence that becomes U+FFFD.
    ///
    /// ```
    /// use mojika::{BomHandling, offsets::DenseOffsetMapBuilder};
    ///
    /// let (mut places, mut text) = (Vec::new(), String::new());
    /// DenseOffsetMapBuilder::new(mojika::BIG5, BomHandling::Keep)
    ///     .on_malformed(|sequence| places.push((sequence.offset, sequence.len)))
    ///     .decode_append(b"a\xFFb", &mut text, true);
    /// assert_eq!((&*text, places), ("a\u{FFFD}b", vec![(1, 1)]));
    /// ```
    pub fn on_malformed<G: FnMut(MalformedSequence)>(self, handler: G) -> DenseOffsetMapBuilder<G> {
        DenseOffsetMapBuilder {
            asked: self.asked,
            bom: self.bom,
            decoder: self.decoder,
            handler: Some(handler),
            map: self.map,
            walker: self.walker,
            head: self.head,
            finished: self.finished,
        }
    }

    fn with_handler(encoding: &'static Encoding, bom: BomHandling, handler: Option<H>) -> Self {
        Self {
            asked: encoding,
            bom,
            decoder: Decoder::new(encoding, bom),
            handler,
            map: DenseOffsetMap::new(encoding),
            // Placeholder: `start` sets the encoding.
            walker: Walker::new(UTF_8, 0, None),
            head: Some(Vec::new()),
            finished: false,
        }
    }

    /// Returns the map of the source decoded so far.
    pub fn map(&self) -> &DenseOffsetMap {
        &self.map
    }

    /// Returns the map, without spare capacity.
    pub fn into_map(mut self) -> DenseOffsetMap {
        self.map.packed.shrink_to_fit();
        self.map.marks.shrink_to_fit();
        self.map
    }
}

impl<H: FnMut(MalformedSequence)> DenseOffsetMapBuilder<H> {
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
        /// The size of a piece. Its text and source stay in the cache between decoding and walking.
        const PIECE: usize = 8192;
        if self.finished {
            *self = Self::with_handler(self.asked, self.bom, self.handler.take());
        }
        dst.reserve_for(&self.decoder, src.len(), PIECE);
        let start = dst.len();
        let (mut read, mut had_errors) = (0, false);
        loop {
            let rest = &src[read..];
            let piece = &rest[..rest.len().min(PIECE)];
            let is_final = piece.len() == rest.len();
            let from = dst.len();
            let progress = self
                .decoder
                .decode_append_fatal(piece, dst, last && is_final);
            let malformed = match progress.status {
                Status::Malformed(sequence) => Some(sequence),
                _ => None,
            };
            let is_text = malformed.is_some() || dst.len() > from;
            let is_done = is_final && malformed.is_none();
            let bom_length = self.start(&piece[..progress.read], is_text || (last && is_done));
            let map = &mut self.map;
            let mut push = |run| map.push(run);
            let source = &piece[..progress.read];
            self.walker
                .walk(bom_length, source, dst.since(from), malformed, &mut push);
            if let Some(sequence) = malformed {
                had_errors = true;
                dst.push_replacement();
                if let Some(handler) = &mut self.handler {
                    handler(sequence);
                }
            }
            read += progress.read;
            if is_done {
                if last {
                    self.walker.finish(&mut push);
                }
                break;
            }
        }
        self.map.encoding = self.decoder.encoding();
        self.map.source_length = self.decoder.position();
        self.finished = last;
        Progress {
            status: Status::InputEmpty,
            read,
            written: dst.len() - start,
            had_errors,
        }
    }

    /// Keeps the bytes read before the text starts. When the text starts, returns the length of the byte order mark.
    fn start(&mut self, read: &[u8], is_text: bool) -> usize {
        let Some(head) = &mut self.head else {
            return 0;
        };
        let missing = bom::MAX_BOM_LENGTH
            .saturating_sub(head.len())
            .min(read.len());
        head.extend_from_slice(&read[..missing]);
        let found = bom::find(self.bom, self.asked, head);
        if !is_text && found.is_none() {
            return 0;
        }
        let bom_length = found.map_or(0, |(_, len)| len);
        self.head = None;
        self.map.start(bom_length as u64);
        self.walker.start(self.decoder.encoding());
        bom_length
    }
}

impl<H> core::fmt::Debug for DenseOffsetMapBuilder<H> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("DenseOffsetMapBuilder")
            .field("decoder", &self.decoder)
            .field("map", &self.map)
            .finish_non_exhaustive()
    }
}

//! Runs: the lengths of characters in the source and in the text.
//!
//! A decoder in error mode "fatal" separates well-formed stretches from malformed sequences. Within a well-formed
//! stretch, the source length of each character follows from its first bytes or from the character itself. So a
//! [`Walker`] walks text and source side by side, without decoding again.

use super::source::Joined;
use super::text::Text;
use crate::codec::{DecodeMachine, LinkedDecoder, Mode, PairEncoding, Scheme, Step};
use crate::{Encoding, MalformedSequence};

/// Consecutive characters of one shape. Two characters that share their bytes count as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CharRun {
    /// The number of source bytes for each character: 1 to 7.
    pub source_len: u8,
    /// The number of UTF-8 bytes for each character: 1 to 4, or 6, or 0 for source without text.
    pub utf8_len: u8,
    /// The number of characters.
    pub count: u64,
}

impl CharRun {
    /// The shapes with a length above four, in the source and in UTF-8: a surrogate pair of CESU-8, two characters of
    /// three bytes each that share a pair, and a surrogate pair of UTF-7.
    pub const LONG_SHAPES: [(u8, u8); 4] = [(6, 4), (2, 6), (5, 4), (7, 4)];

    /// Creates a run of source without text.
    pub fn gap(len: u64) -> Self {
        CharRun {
            source_len: 1,
            utf8_len: 0,
            count: len,
        }
    }

    /// True if decoding `encoding` can yield the run.
    #[cfg(feature = "serde")]
    pub fn is_possible(self, encoding: &'static Encoding) -> bool {
        let is_shape = match self.utf8_len {
            0 => self.source_len == 1,
            _ if Self::LONG_SHAPES.contains(&(self.source_len, self.utf8_len)) => {
                matches!(encoding.kind, Scheme::Linked(_))
            }
            1..=4 => {
                (1..=4).contains(&self.source_len)
                    && Rule::of(encoding).allows(self.source_len, self.utf8_len)
            }
            _ => false,
        };
        is_shape && self.count > 0
    }

    /// Returns the number of UTF-16 code units for each character. Four bytes of UTF-8 are two units, of one character or
    /// of two characters. Six bytes are two units of two characters.
    pub fn utf16_len(&self) -> u8 {
        match self.utf8_len {
            0 => 0,
            4 | 6 => 2,
            _ => 1,
        }
    }

    /// Adds another run if it has the same shape.
    pub fn join(&mut self, other: CharRun) -> bool {
        let same = (self.source_len, self.utf8_len) == (other.source_len, other.utf8_len);
        if same {
            self.count += other.count;
        }
        same
    }
}

/// The rule that gives the source length of a well-formed character.
#[derive(Clone, Copy)]
enum Rule {
    /// One byte.
    One,
    /// As in UTF-8.
    Utf8,
    /// As in UTF-16.
    Utf16,
    /// Determined by the first byte.
    Pairs { lengths: &'static [u8; 256] },
    /// Two or three bytes for a lead byte of EUC-JP.
    EucJp,
    /// Two or four bytes for a lead byte of gb18030, depending on the second byte.
    Gb18030,
    /// Determined by the first byte of Big5. Four sequences are two characters each.
    Big5,
    /// Selected by the last escape sequence: two bytes if `double`, else one.
    Iso2022Jp { double: bool },
    /// Four bytes.
    Utf32,
    /// The lengths are found by stepping a decoder.
    Steps(LinkedDecoder),
}

impl Rule {
    fn of(encoding: &'static Encoding) -> Self {
        if encoding.kind.is_left_out() {
            return Self::One;
        }
        match encoding.kind {
            Scheme::Utf8 => Self::Utf8,
            Scheme::Utf16 { .. } => Self::Utf16,
            Scheme::Utf32(_) => Self::Utf32,
            Scheme::SingleByte(_)
            | Scheme::Permuted(_)
            | Scheme::XUserDefined
            | Scheme::Replacement => Self::One,
            Scheme::Pairs(PairEncoding::Big5) => Self::Big5,
            Scheme::Pairs(encoding) => Self::Pairs {
                lengths: encoding.lengths(),
            },
            Scheme::Iso2022Jp => Self::Iso2022Jp { double: false },
            Scheme::EucJp => Self::EucJp,
            Scheme::Gb18030 { .. } => Self::Gb18030,
            Scheme::Linked(linked) => Self::Steps(LinkedDecoder::new(linked)),
            #[cfg(mojika_small)]
            Scheme::LeftOut { .. } => Self::One,
        }
    }

    /// True if a character can have these lengths in the source and in UTF-8.
    #[cfg(feature = "serde")]
    fn allows(self, source_len: u8, utf8_len: u8) -> bool {
        match self {
            // U+FFFD stands for a malformed sequence of up to four bytes in every encoding.
            _ if utf8_len == 3 => true,
            Self::One => source_len == 1 && utf8_len < 3,
            Self::Utf8 => source_len == utf8_len,
            Self::Utf16 => source_len == 2 + 2 * u8::from(utf8_len == 4),
            Self::Utf32 => source_len == 4,
            Self::Gb18030 => source_len != 3,
            Self::Big5 => source_len <= 2,
            Self::EucJp => source_len <= 3 && utf8_len < 3,
            Self::Pairs { .. } | Self::Iso2022Jp { .. } => source_len <= 2 && utf8_len < 3,
            Self::Steps(_) => true,
        }
    }

    /// Returns the source bytes of a character that has this length in UTF-8 and starts with these bytes.
    #[inline(always)]
    fn source_len(self, utf8_len: u8, first: u8, second: u8) -> u8 {
        match self {
            Self::One => 1,
            Self::Utf8 => utf8_len,
            Self::Utf16 => 2 + 2 * u8::from(utf8_len == 4),
            Self::Utf32 => 4,
            Self::Big5 => 1 + u8::from(first >= 0x81),
            Self::Pairs { lengths } => lengths[usize::from(first)],
            Self::EucJp => 1 + u8::from(first >= 0x8E) + u8::from(first == 0x8F),
            Self::Gb18030 if first < 0x81 => 1,
            Self::Gb18030 => 2 + 2 * u8::from(second.is_ascii_digit()),
            Self::Iso2022Jp { double } => 1 + u8::from(double),
            // Unused: [`Walker::next_by_steps`] gives the length.
            Self::Steps(_) => 1,
        }
    }
}

/// Walks source and text side by side. It starts between two characters.
#[derive(Clone)]
pub(super) struct Walker {
    rule: Rule,
    /// True if source after the text belongs to no text: for replacement, all bytes but the first.
    drops_rest: bool,
    /// The source offset at which the last run ended.
    end: u64,
    /// The source from `end` on that has been read: an incomplete sequence, an escape sequence, a possible BOM.
    tail: [u8; Self::MOST_TAIL],
    tail_len: usize,
}

/// The lengths of a character: bytes of source, bytes of UTF-8, units of the text walked.
#[derive(Clone, Copy)]
struct Shape {
    source_len: u8,
    utf8_len: u8,
    units: usize,
}

impl Shape {
    /// Returns the number of consecutive characters of this shape.
    #[inline(always)]
    fn repeats<T: Text + ?Sized>(
        self,
        source: &[u8],
        text: &T,
        mut place: usize,
        len: impl Fn(u8, u8) -> u8,
    ) -> usize {
        let source_len = usize::from(self.source_len);
        let (mut rest, mut count) = (source, 0);
        while rest.len() >= source_len.max(2)
            && place < text.len()
            && text.character(place) == (self.utf8_len, self.units)
            && len(rest[0], rest[1]) == self.source_len
        {
            rest = &rest[source_len..];
            place += self.units;
            count += 1;
        }
        count
    }
}

impl Walker {
    /// A BOM, an escape sequence, and the longest incomplete or restored bytes after it have fewer bytes in total.
    const MOST_TAIL: usize = 16;

    /// Creates a walker at byte `start` of a source in `encoding`. `mode` is the decoder's mode there, if it has modes.
    pub fn new(encoding: &'static Encoding, start: u64, mode: Option<Mode>) -> Self {
        let mut rule = Rule::of(encoding);
        match (&mut rule, mode, encoding.kind) {
            (Rule::Iso2022Jp { double }, mode, _) => *double = mode == Some(Mode::LeadByte),
            (Rule::Steps(decoder), Some(Mode::Linked(mode)), Scheme::Linked(linked)) => {
                *decoder = LinkedDecoder::between(linked, mode);
            }
            _ => {}
        }
        Self {
            rule,
            drops_rest: encoding.kind.is_decoded_as_replacement(),
            end: start,
            tail: [0; Self::MOST_TAIL],
            tail_len: 0,
        }
    }

    /// Changes the encoding before any text is read.
    pub fn start(&mut self, encoding: &'static Encoding) {
        self.rule = Rule::of(encoding);
        self.drops_rest = encoding.kind.is_decoded_as_replacement();
    }

    /// Walks the result of one call in error mode "fatal": the bytes read, the text written, and the malformed sequence
    /// that ended it. Passes the runs to `emit`. The first `bom_length` bytes are skipped.
    pub fn walk<T: Text + ?Sized>(
        &mut self,
        bom_length: usize,
        read: &[u8],
        text: &T,
        malformed: Option<MalformedSequence>,
        emit: &mut impl FnMut(CharRun),
    ) {
        let tail = self.tail;
        let source = Joined {
            tail: &tail[..self.tail_len],
            rest: read,
        };
        let mut at = bom_length;
        self.stretch(&source, &mut at, text, emit);
        if let Some(sequence) = malformed {
            let offset = sequence.offset.saturating_sub(self.end) as usize;
            self.gap(&source, &mut at, offset.min(source.len()), emit);
            emit(CharRun {
                source_len: sequence.len,
                utf8_len: 3,
                count: 1,
            });
            self.step_over(&source, at, at + usize::from(sequence.len));
            at += usize::from(sequence.len);
        }
        self.shifts(&source, &mut at, emit);
        if self.drops_rest {
            self.gap(&source, &mut at, source.len(), emit);
        }
        self.end += at as u64;
        self.tail_len = 0;
        for i in (at..source.len()).take(Self::MOST_TAIL) {
            self.tail[self.tail_len] = source.byte(i);
            self.tail_len += 1;
        }
    }

    /// Ends the stream: the remaining source is not text.
    pub fn finish(&mut self, emit: &mut impl FnMut(CharRun)) {
        if self.tail_len > 0 {
            emit(CharRun::gap(self.tail_len as u64));
        }
        self.end += self.tail_len as u64;
        self.tail_len = 0;
    }

    /// Emits the source up to `to`, which consists of escape sequences, as a gap.
    fn gap(
        &mut self,
        source: &Joined<'_>,
        at: &mut usize,
        to: usize,
        emit: &mut impl FnMut(CharRun),
    ) {
        if to <= *at {
            return;
        }
        emit(CharRun::gap((to - *at) as u64));
        self.step_over(source, *at, to);
        if let Rule::Iso2022Jp { double } = &mut self.rule {
            for i in *at..to {
                if source.byte(i) == 0x1B {
                    *double = source.byte(i + 1) == b'$';
                }
            }
        }
        *at = to;
    }

    /// Passes a part of the source that is malformed or not text to the decoder of [`Rule::Steps`].
    fn step_over(&mut self, source: &Joined<'_>, from: usize, to: usize) {
        if let Rule::Steps(decoder) = &mut self.rule {
            for at in from..to {
                decoder.step(source.byte(at));
            }
            // The mode is that at the end of the malformed sequence, before the byte that revealed it.
            if !decoder.is_neutral() {
                decoder.finish();
            }
            decoder.forget_incomplete();
        }
    }

    /// Skips the complete shifts at `at`, found by the decoder of [`Rule::Steps`].
    fn shifts(&mut self, source: &Joined<'_>, at: &mut usize, emit: &mut impl FnMut(CharRun)) {
        let Rule::Steps(mut decoder) = self.rule else {
            return;
        };
        for to in *at..source.len() {
            if !matches!(decoder.step(source.byte(to)), Step::Continue) {
                break;
            }
            if decoder.is_neutral() {
                emit(CharRun::gap((to + 1 - *at) as u64));
                *at = to + 1;
                self.rule = Rule::Steps(decoder);
            }
        }
    }

    /// Returns the source length of the next character, and true if two characters share it. Skips the shifts before
    /// it.
    fn next_by_steps(
        &mut self,
        source: &Joined<'_>,
        at: &mut usize,
        emit: &mut impl FnMut(CharRun),
    ) -> (u8, bool) {
        self.shifts(source, at, emit);
        let Rule::Steps(decoder) = &mut self.rule else {
            return (1, false);
        };
        for len in 0..source.len().saturating_sub(*at) {
            match decoder.step(source.byte(*at + len)) {
                Step::Continue => {}
                step => return (len as u8 + 1, matches!(step, Step::Pair(..))),
            }
        }
        (1, false)
    }

    /// Walks a text that comes entirely from well-formed source from `at` on.
    fn stretch<T: Text + ?Sized>(
        &mut self,
        source: &Joined<'_>,
        at: &mut usize,
        text: &T,
        emit: &mut impl FnMut(CharRun),
    ) {
        let mut open = CharRun::gap(0);
        let mut push = |run: CharRun, emit: &mut dyn FnMut(CharRun)| {
            if !open.join(run) {
                let done = core::mem::replace(&mut open, run);
                if done.count > 0 {
                    emit(done);
                }
            }
        };
        let is_ascii_compatible = !matches!(
            self.rule,
            Rule::Utf16 | Rule::Utf32 | Rule::Iso2022Jp { .. } | Rule::Steps(_)
        );
        let mut place = 0;
        while place < text.len() {
            if is_ascii_compatible {
                let count = text.ascii_run(place);
                if count > 0 {
                    let run = CharRun {
                        source_len: 1,
                        utf8_len: 1,
                        count: count as u64,
                    };
                    push(run, emit);
                    place += count;
                    *at += count;
                    continue;
                }
            }
            if let Rule::Iso2022Jp { .. } = self.rule {
                self.escape_sequences(source, at, &mut |run| push(run, emit));
            }
            let steps = match self.rule {
                Rule::Steps(_) => Some(self.next_by_steps(source, at, &mut |run| push(run, emit))),
                _ => None,
            };
            let (mut utf8_len, mut units) = text.character(place);
            let (first, second) = (source.byte(*at), source.byte(*at + 1));
            if let Rule::Big5 = self.rule
                && first == 0x88
                && matches!(second, 0x62 | 0x64 | 0xA3 | 0xA5)
            {
                let (second_len, second_units) = text.character(place + units);
                utf8_len += second_len;
                units += second_units;
            }
            if let Some((_, true)) = steps {
                let (second_len, second_units) = text.character(place + units);
                utf8_len += second_len;
                units += second_units;
            }
            let source_len = match steps {
                Some((source_len, _)) => source_len,
                None => self.rule.source_len(utf8_len, first, second),
            };
            let shape = Shape {
                source_len,
                utf8_len,
                units,
            };
            place += units;
            *at += usize::from(source_len);
            let more = self.more(shape, source.behind_tail(*at), text, place);
            place += units * more;
            *at += usize::from(source_len) * more;
            let run = CharRun {
                source_len,
                utf8_len,
                count: 1 + more as u64,
            };
            push(run, emit);
        }
        push(CharRun::gap(0), emit);
    }

    /// Returns a lower bound of the number of consecutive characters of this shape from `place` on.
    fn more<T: Text + ?Sized>(&self, shape: Shape, source: &[u8], text: &T, place: usize) -> usize {
        if let Rule::Steps(_) = self.rule {
            return 0;
        }
        // One loop for each rule, because the loop runs once for each character. A length of 0 ends the loop: the
        // character may be one of a pair, or follow an escape sequence.
        macro_rules! loops {
            ($($rule:pat => |$first:ident| $len:expr),* $(,)?) => {
                match self.rule {
                    $($rule => shape.repeats(source, text, place, |$first, _| $len),)*
                    rule => shape.repeats(source, text, place, |first, second| {
                        rule.source_len(shape.utf8_len, first, second)
                    }),
                }
            };
        }
        loops! {
            Rule::One => |_first| 1,
            Rule::Utf8 | Rule::Utf16 => |_first| shape.source_len,
            Rule::Utf32 => |_first| 4,
            Rule::Pairs { lengths } => |first| lengths[usize::from(first)],
            Rule::EucJp => |first| Rule::EucJp.source_len(0, first, 0),
            Rule::Big5 => |first| if first == 0x88 { 0 } else { Rule::Big5.source_len(0, first, 0) },
            Rule::Iso2022Jp { .. } => |first| if first == 0x1B { 0 } else { shape.source_len },
        }
    }

    /// Skips the escape sequences at `at`.
    fn escape_sequences(
        &mut self,
        source: &Joined<'_>,
        at: &mut usize,
        emit: &mut impl FnMut(CharRun),
    ) {
        while source.byte(*at) == 0x1B {
            let to = *at + 3;
            self.gap(source, at, to, emit);
        }
    }
}

//! Detection: guesses an undeclared encoding from the bytes.
//!
//! Structure is always tested first. Binary files are found by their magic numbers, zero bytes and control characters.
//! UTF-16 and UTF-32 without a byte order mark are found by the cost of their units as text. With the feature `detect`,
//! valid UTF-8 and the escape sequences of ISO-2022-JP are decisive. Encodings without a decoder are named by their
//! escape sequences. Then statistics on a bounded sample rank the legacy encodings. Other modules do not use the
//! method.

use mojika::Encoding;
#[cfg(feature = "detect")]
use mojika::UTF_8;

#[cfg(feature = "detect")]
mod ebcdic;
#[cfg(feature = "detect")]
mod expected;
mod head;
mod magic;
mod ranking;
#[cfg(feature = "detect")]
mod seven_bit;
#[cfg(feature = "detect")]
mod statistics;
#[cfg(feature = "detect")]
mod text;
pub(super) mod units;
#[cfg(feature = "detect")]
mod utf8;

pub use magic::format;
pub use ranking::{Content, Guess, Ranking};

/// The minimum probability of a guess that contradicts a declaration.
pub const CONFIDENCE: f32 = 0.9;

/// The number of bytes of a document that [`sniff`](super::sniff()) passes to detection.
pub const SAMPLE_LENGTH: usize = 64 * 1024;

/// Facts about the origin of the bytes, and the encodings that may be returned.
#[derive(Clone, Copy, Debug, Default)]
pub struct DetectHints<'a> {
    /// The top-level domain that the bytes came from, such as "jp". Case and a leading host name are ignored.
    pub tld: Option<&'a str>,
    /// The reader's locale, as a BCP 47 tag.
    pub locale: Option<&'a str>,
    /// If present, only these encodings may be returned.
    pub allowed: Option<&'a [&'static Encoding]>,
    /// The encodings that must not be returned.
    pub denied: &'a [&'static Encoding],
    /// True if encodings outside the Standard are allowed: EBCDIC in its Latin code pages, and the DOS code pages 437, 737,
    /// 775, 850, 852, 855, 857, 858, 860 to 863, 865 and 869.
    pub extended: bool,
    /// True if statistics ignore everything between `<` and `>`.
    pub strip_markup: bool,
}

impl DetectHints<'_> {
    pub(super) fn allows(&self, encoding: &'static Encoding) -> bool {
        self.allowed
            .is_none_or(|allowed| allowed.contains(&encoding))
            && !self.denied.contains(&encoding)
    }
}

/// Detects the encoding of the whole input, or of its beginning.
///
/// Reading stops as soon as the answer is decided. ASCII and UTF-8 are read to the end, by fast kernels.
///
/// ```
/// use mojika_sniff::detect::{DetectHints, detect};
///
/// let bytes = mojika::UTF_16LE.encode("Grüße aus München, heute mit Sonne.").unwrap();
/// let ranking = detect(&bytes, &DetectHints::default());
/// assert_eq!(ranking[0].encoding, mojika::UTF_16LE);
/// assert!(detect(b"plain ASCII", &DetectHints::default()).is_empty());
/// ```
pub fn detect(bytes: &[u8], hints: &DetectHints) -> Ranking {
    Detector::of_whole(bytes, hints).finish(hints)
}

/// A detector that is fed chunks of any size.
///
/// ```
/// use mojika_sniff::detect::{DetectHints, Detector};
///
/// let mut detector = Detector::new();
/// detector.feed(b"\x1B$B$3$l");
/// detector.feed(b"$O\x1B(B");
/// # #[cfg(feature = "detect")]
/// assert_eq!(detector.finish(&DetectHints::default())[0].encoding, mojika::ISO_2022_JP);
/// ```
#[derive(Clone)]
pub struct Detector {
    head: head::Head,
    bytes_read: u64,
    #[cfg(feature = "detect")]
    text: text::Text,
    #[cfg(feature = "detect")]
    utf8: utf8::Utf8,
    #[cfg(feature = "detect")]
    seven_bit: seven_bit::SevenBit,
    /// True if the whole document has been read, so that no input follows.
    is_whole: bool,
}

impl core::fmt::Debug for Detector {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Detector").finish_non_exhaustive()
    }
}

impl Default for Detector {
    fn default() -> Self {
        Self::new()
    }
}

impl Detector {
    /// Creates a detector at the start of a document.
    #[inline(always)]
    pub fn new() -> Self {
        Self {
            head: head::Head::new(),
            bytes_read: 0,
            #[cfg(feature = "detect")]
            text: text::Text::default(),
            #[cfg(feature = "detect")]
            utf8: utf8::Utf8::default(),
            #[cfg(feature = "detect")]
            seven_bit: seven_bit::SevenBit::default(),
            is_whole: false,
        }
    }

    /// Returns a detector that has read a whole document. `finish` must be called with the same hints.
    ///
    /// The answer equals that of a detector that is fed the document in chunks, but UTF-8 text adds no statistics.
    pub(super) fn of_whole(bytes: &[u8], hints: &DetectHints) -> Self {
        let mut detector = Self::new();
        #[cfg(feature = "detect")]
        if hints.allows(UTF_8) {
            // As in `block`, a non-ASCII byte at the very start may be the end of a character.
            let plain = mojika::mem::iso_2022_jp_ascii_prefix_len(bytes);
            let mut utf8 = utf8::Utf8::default();
            utf8.feed(&bytes[plain..]);
            let mut head = head::Head::new();
            if utf8.probability().is_some() && (plain == 0 || !utf8.is_cut()) {
                head.feed(bytes);
                if !head.is_settled() {
                    let ascii = mojika::mem::ascii_prefix_len(bytes);
                    // `text` records that the document is not ASCII. A document of few characters is compared with other
                    // encodings.
                    let len = if utf8.is_short() { text::LIMIT } else { 64 };
                    detector
                        .text
                        .feed(&bytes[..bytes.len().min(ascii + len)], true);
                    detector.bytes_read = bytes.len() as u64;
                    (detector.head, detector.utf8, detector.is_whole) = (head, utf8, true);
                }
            }
        }
        #[cfg(not(feature = "detect"))]
        let _ = hints;
        detector.feed(bytes);
        detector.is_whole = true;
        detector
    }

    /// Reads one more chunk. The ranking does not depend on how the bytes are split.
    pub fn feed(&mut self, chunk: &[u8]) {
        let mut rest = chunk;
        while !rest.is_empty() && !self.is_decided() {
            #[cfg(feature = "detect")]
            if self.text.is_full() {
                // Statistics have enough bytes, but later bytes may still show that the text is not UTF-8.
                self.bytes_read += self.utf8.feed(rest) as u64;
                return;
            }
            let (block, after) = rest.split_at(self.block_len(rest));
            rest = after;
            self.bytes_read += block.len() as u64;
            self.head.feed(block);
            #[cfg(feature = "detect")]
            self.block(block);
        }
    }

    /// Returns the size of a block that stays in the cache while several kernels read it.
    fn block_len(&self, rest: &[u8]) -> usize {
        let len = rest.len().min(16 * 1024);
        #[cfg(feature = "detect")]
        let len = len.min(self.text.left());
        len
    }

    /// True if more input cannot change the result, so that a caller may stop feeding.
    pub fn is_decided(&self) -> bool {
        #[cfg(feature = "detect")]
        let is_settled = self.head.is_settled()
            || self.head.is_full() && self.utf8.has_failed() && self.text.is_full();
        #[cfg(not(feature = "detect"))]
        let is_settled = self.head.is_full();
        self.is_whole || is_settled
    }

    #[cfg(feature = "detect")]
    fn block(&mut self, mut block: &[u8]) {
        let before = self.bytes_read - block.len() as u64;
        if self.text.is_ascii() {
            self.seven_bit.feed_marks(block, before);
            if self.seven_bit.is_in_text() {
                let plain = mojika::mem::iso_2022_jp_ascii_prefix_len(block);
                self.text.skip(&block[..plain]);
                block = &block[plain..];
                if block.is_empty() {
                    return;
                }
            }
            self.seven_bit
                .feed(&block[..mojika::mem::ascii_prefix_len(block)]);
        }
        self.utf8.feed(block);
        let is_first = self.bytes_read == block.len() as u64;
        self.text.feed(block, is_first);
    }

    /// Returns the guesses for all bytes that were fed.
    pub fn finish(&self, hints: &DetectHints) -> Ranking {
        let mut ranking = Ranking::empty();
        ranking.bytes_read = self.bytes_read;
        ranking.format = self.head.format();
        if ranking.format.is_some() {
            ranking.content = Content::Binary;
            return ranking;
        }
        #[cfg(feature = "detect")]
        let is_escaped = self.text.is_ascii() && self.seven_bit.is_escaped();
        #[cfg(not(feature = "detect"))]
        let is_escaped = false;
        for (encoding, probability) in self.head.wide().filter(|_| !is_escaped) {
            ranking.content = Content::Text;
            if hints.allows(encoding) {
                ranking.push(encoding, probability, None, 0);
            }
        }
        if ranking.content == Content::Ascii {
            #[cfg(feature = "detect")]
            self.statistics(hints, &mut ranking);
            #[cfg(not(feature = "detect"))]
            if self.head.is_binary(false) {
                ranking.content = Content::Binary;
            }
        }
        ranking
    }

    #[cfg(feature = "detect")]
    fn statistics(&self, hints: &DetectHints, ranking: &mut Ranking) {
        let prior = expected::Prior::new(hints);
        let damage = match self.utf8.has_failed() {
            true => utf8::Damage::of(self.text.beyond_ascii()),
            false => None,
        };
        let is_utf8 = !self.utf8.has_failed() || damage.is_some();
        let may_be_ebcdic = (!is_utf8 || self.text.is_ascii()) && !self.head.has_zeros();
        let text = self.head.text();
        if may_be_ebcdic && ebcdic::is_text(text) {
            if hints.extended {
                ranking.add(&statistics::rank_ebcdic(text, &prior));
            }
            if !ranking.is_empty() {
                ranking.content = Content::Text;
                return;
            }
            if text.len() >= ebcdic::LEAST {
                ranking.content = Content::Unsupported("EBCDIC");
                return;
            }
        }
        if self.head.is_binary(is_utf8)
            || !is_utf8 && self.head.goes_on_as_noise(self.text.beginning())
        {
            ranking.content = Content::Binary;
            return;
        }
        if self.text.is_ascii() {
            self.escaped(hints, ranking);
            return;
        }
        ranking.content = Content::Text;
        if hints.allows(UTF_8) {
            if let Some(probability) = self.utf8.probability() {
                self.utf_8(probability, &prior, ranking);
                return;
            }
            if let Some(damage) = damage {
                let probability = match damage.characters / damage.malformed {
                    0..9 if utf8::has_several_scripts(self.text.beginning()) => 0.8,
                    0..9 => 0.9,
                    9..20 => 0.95,
                    _ => 0.99,
                };
                ranking.push(UTF_8, probability, None, damage.malformed.into());
                return;
            }
        }
        let stripped = match hints.strip_markup {
            true => self.text.without_markup(),
            false => None,
        };
        let bytes = stripped.as_deref().unwrap_or(self.text.bytes());
        let malformed = |encoding| self.text.malformed(encoding);
        let (answers, _) = statistics::rank(bytes, &prior, malformed);
        ranking.add(&answers);
    }

    /// Adds UTF-8 with `probability`, which is lowered if the few characters may be text in another encoding by
    /// chance.
    #[cfg(feature = "detect")]
    fn utf_8(&self, probability: f32, prior: &expected::Prior, ranking: &mut Ranking) {
        if !self.utf8.is_short() || !utf8::may_be_pairs(self.text.beyond_ascii()) {
            ranking.push(UTF_8, probability, None, 0);
            return;
        }
        let malformed = |encoding| self.text.malformed(encoding);
        let (mut others, odds) = statistics::beside_utf_8(self.text.bytes(), prior, malformed);
        let probability = probability.min(odds / (1.0 + odds)).max(utf8::LEAST);
        if probability >= CONFIDENCE {
            ranking.push(UTF_8, probability, None, 0);
            return;
        }
        for other in &mut others {
            other.probability *= 1.0 - probability;
        }
        let before = others.iter().take(Ranking::MAX_GUESSES - 1);
        let before = before.take_while(|other| other.probability > probability);
        let after = others.split_off(before.count());
        ranking.add(&others);
        ranking.push(UTF_8, probability, None, 0);
        ranking.add(&after);
    }

    /// Adds ASCII, or an encoding that uses only ASCII bytes.
    #[cfg(feature = "detect")]
    fn escaped(&self, hints: &DetectHints, ranking: &mut Ranking) {
        use mojika::ISO_2022_JP;

        if let Some(probability) = self.seven_bit.iso_2022_jp() {
            ranking.content = Content::Text;
            if hints.allows(ISO_2022_JP) {
                ranking.push(ISO_2022_JP, probability, Some("ja"), 0);
            }
            return;
        }
        let Some((name, language)) = self.seven_bit.named() else {
            return;
        };
        ranking.content = Content::Unsupported(name);
        let encoding = super::extended(name.as_bytes()).filter(|one| hints.allows(one));
        if let Some(encoding) = encoding.filter(|_| hints.extended) {
            ranking.content = Content::Text;
            ranking.push(encoding, 0.97, language, 0);
        }
    }
}

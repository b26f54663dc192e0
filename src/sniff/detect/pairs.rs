//! Double-byte encodings: how likely text in one would yield the sample.
//!
//! Well-formedness comes first; the cost of a character then depends on how common it is, in four steps that
//! `gen train` assigns. Costs are those of single-byte encodings: -log2 of a probability, in units of 3/4 bit.

use super::prior::Prior;
use super::standings::Fit;
use crate::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, SHIFT_JIS};

static PAIRS: &[u8; 4 + 2209 + 4 + 2209 + 4 + 3494 + 4 + 2209] =
    include_bytes!("../../../tables/detect/pairs.bin");

/// Costs of what the tables do not hold.
const TURN: u32 = 2;
const EXTENSION: u32 = 26;
const HALF_WIDTH: u32 = 14;
const MALFORMED: u32 = 60;

/// What a byte costs at most in text that the tables are for, more often than not.
const UNKNOWN: u32 = 8;

/// What it costs that nothing but the half of a character is there, or nothing near it.
const LONE_LEAD: u32 = 14;

/// What a half-width kana costs less after another one.
const HALF_WIDTH_AFTER: u32 = 4;

/// What a word costs that follows no other word in the script, if it has one character, two, or more.
const ISOLATED: [u32; 3] = [8, 5, 2];

/// What it costs that such a word of one character touches an ASCII letter, at each end, and that it is half-width kana.
const TOUCHING: u32 = 10;
const LONE_KANA: u32 = 14;

/// What it costs that the sample begins within a character, and that it ends so.
const CUT: u32 = 10;
const CUT_OFF: u32 = 18;

#[derive(Clone, Copy)]
enum Form {
    EucJp,
    ShiftJis,
    EucKr,
    Big5,
    Gbk,
}

/// Form, language, place of its table, cells in a row.
const FORMS: [(&Encoding, Form, &str, usize, usize); 5] = [
    (EUC_JP, Form::EucJp, "ja", 0, 94),
    (SHIFT_JIS, Form::ShiftJis, "ja", 0, 94),
    (EUC_KR, Form::EucKr, "ko", 2213, 94),
    (BIG5, Form::Big5, "zh-TW", 4426, 157),
    (GBK, Form::Gbk, "zh-CN", 7924, 94),
];

/// A character.
enum Character {
    /// One in the table, of two bytes: its row and cell.
    Listed(u8, u8),
    /// Half-width kana: length in bytes and cost.
    Kana(usize, u32),
    /// Length in bytes and cost of another one.
    Other(usize, u32),
    Malformed,
}

use Character::{Kana, Listed, Malformed, Other};

#[inline(always)]
fn euc_jp(lead: u8, trail: u8) -> Character {
    match (lead, trail) {
        (0x8E, 0xA1..=0xDF) => Kana(2, HALF_WIDTH + 4),
        (0x8F, 0xA1..=0xFE) => Other(3, EXTENSION + 4),
        (0xA1..=0xFE, 0xA1..=0xFE) => Listed(lead - 0xA1, trail - 0xA1),
        _ => Malformed,
    }
}

#[inline(always)]
fn shift_jis(lead: u8, trail: u8) -> Character {
    match (lead, trail) {
        (0xA1..=0xDF, _) => Kana(1, HALF_WIDTH),
        (0xF0..=0xFC, 0x40..=0x7E | 0x80..=0xFC) => Other(2, EXTENSION),
        (0x81..=0x9F | 0xE0..=0xEF, 0x40..=0x7E | 0x80..=0xFC) => {
            let row = 2 * (lead - if lead < 0xA0 { 0x81 } else { 0xC1 });
            match trail {
                0x9F.. => Listed(row + 1, trail - 0x9F),
                0x80.. => Listed(row, trail - 0x41),
                _ => Listed(row, trail - 0x40),
            }
        }
        _ => Malformed,
    }
}

#[inline(always)]
fn euc_kr(lead: u8, trail: u8) -> Character {
    match (lead, trail) {
        (0xA1..=0xFE, 0xA1..=0xFE) => Listed(lead - 0xA1, trail - 0xA1),
        (0x81..=0xC6, 0x41..=0x5A | 0x61..=0x7A | 0x81..=0xFE) => Other(2, EXTENSION),
        _ => Malformed,
    }
}

#[inline(always)]
fn big5(lead: u8, trail: u8) -> Character {
    match (lead, trail) {
        (0xA1..=0xF9, 0x40..=0x7E) => Listed(lead - 0xA1, trail - 0x40),
        (0xA1..=0xF9, 0xA1..=0xFE) => Listed(lead - 0xA1, trail - 0xA1 + 63),
        (0x87..=0xFE, 0x40..=0x7E | 0xA1..=0xFE) => Other(2, EXTENSION),
        _ => Malformed,
    }
}

#[inline(always)]
fn gbk(lead: u8, trail: u8) -> Character {
    match (lead, trail) {
        (0xA1..=0xFE, 0xA1..=0xFE) => Listed(lead - 0xA1, trail - 0xA1),
        (0x81..=0xFE, 0x40..=0x7E | 0x80..=0xFE) => Other(2, EXTENSION),
        (0x81..=0xFE, 0x30..=0x39) => Other(4, 2 * EXTENSION),
        _ => Malformed,
    }
}

/// An encoding, as far as it has read the sample.
#[derive(Clone, Copy)]
struct Reading {
    /// Place in [`FORMS`].
    form: u8,
    at: usize,
    cost: u32,
    was_ascii: bool,
    has_four_bytes: bool,
    words: Words,
    /// How well it fits what is beyond ASCII.
    fit: Fit,
}

/// Where words that are not ASCII stand.
#[derive(Clone, Copy, Default)]
struct Words {
    /// Characters of the word that has begun.
    characters: u32,
    is_kana: bool,
    touches: bool,
    /// Letters of the ASCII word that has begun, which may have digits.
    ascii_letters: u32,
    /// Whether the last word was in the script.
    follows: bool,
    /// All characters so far.
    all: u32,
}

impl Words {
    fn character(&mut self, is_kana: bool) {
        if self.characters == 0 {
            self.touches = self.ascii_letters > 0;
            self.follows &= self.ascii_letters < 2;
            self.ascii_letters = 0;
            self.is_kana = true;
        }
        self.is_kana &= is_kana;
        self.characters += 1;
        self.all += 1;
    }

    /// An ASCII byte; returns what the word costs that it ends.
    fn ascii(&mut self, byte: u8) -> u32 {
        let is_letter = byte.is_ascii_alphabetic();
        let mut cost = 0;
        if self.characters > 0 {
            if !self.follows {
                cost = ISOLATED[self.characters.min(3) as usize - 1];
                if self.characters == 1 {
                    cost += TOUCHING * (u32::from(self.touches) + u32::from(is_letter));
                    cost += if self.is_kana { LONE_KANA } else { 0 };
                }
            }
            (self.characters, self.follows) = (0, true);
        }
        // This code has no branch, because the processor cannot predict whether the next byte is a letter.
        let is_end = !(is_letter | byte.is_ascii_digit());
        self.follows &= !is_end | (self.ascii_letters < 2);
        self.ascii_letters =
            (self.ascii_letters + u32::from(is_letter)) & u32::from(is_end).wrapping_sub(1);
        cost
    }
}

/// All candidate double-byte encodings.
#[derive(Clone)]
pub(super) struct Pairs {
    readings: [Reading; 2 * FORMS.len()],
    len: usize,
    allows_gb18030: bool,
    allows_gbk: bool,
}

impl Pairs {
    /// The encodings that hints allow.
    ///
    /// Input may begin within a character: there are readings from the second byte on, too.
    pub fn new(sample: &[u8], prior: &Prior) -> Self {
        let mut pairs = Self {
            allows_gb18030: prior.allows(GB18030),
            allows_gbk: prior.allows(GBK),
            ..Self::empty()
        };
        let is_high = sample.first().is_some_and(|&byte| byte >= 0x80);
        for (form, (encoding, _, language, ..)) in FORMS.iter().enumerate() {
            let is_gb18030 = *encoding == GBK && pairs.allows_gb18030;
            if !is_gb18030 && !prior.allows(encoding) {
                continue;
            }
            for start in 0..=usize::from(is_high) {
                let reading = &mut pairs.readings[pairs.len];
                reading.form = form as u8;
                reading.at = start;
                reading.cost = prior.of_language(language) + start as u32 * CUT;
                pairs.len += 1;
            }
        }
        pairs
    }

    /// This encoding alone. If it is none of these, there is no candidate.
    pub fn of(encoding: &'static Encoding, sample: &[u8], prior: &Prior) -> Self {
        let encoding = if encoding == GB18030 { GBK } else { encoding };
        let mut pairs = Self::new(sample, prior);
        pairs.retain(|reading| FORMS[usize::from(reading.form)].0 == encoding);
        pairs
    }

    /// No encoding at all.
    pub fn empty() -> Self {
        Self {
            readings: [Reading {
                form: 0,
                at: 0,
                cost: 0,
                was_ascii: true,
                has_four_bytes: false,
                words: Words::default(),
                fit: Fit {
                    cost: 0,
                    bytes: 0,
                    unknown: UNKNOWN,
                    is_known: false,
                },
            }; 2 * FORMS.len()],
            len: 0,
            allows_gb18030: false,
            allows_gbk: false,
        }
    }

    /// Whether no candidate is left.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Reads a part of the sample, which ends with the stretch; ASCII costs what it does in English.
    ///
    /// Readings whose cost is above `bound` stop earlier. A character that is cut off costs something at the end of the
    /// last stretch alone.
    pub fn advance(
        &mut self,
        sample: &[u8],
        english: &[u8],
        (begin, end): (usize, usize),
        is_last: bool,
        bound: u32,
    ) {
        let cut_off = if is_last { CUT_OFF } else { 0 };
        for reading in &mut self.readings[..self.len] {
            let (_, form, _, place, cells) = FORMS[usize::from(reading.form)];
            let table = &PAIRS[place..];
            let text = (sample, english);
            match form {
                Form::EucJp => {
                    reading.read(text, (begin, end), (cut_off, bound), (table, cells), euc_jp)
                }
                Form::ShiftJis => reading.read(
                    text,
                    (begin, end),
                    (cut_off, bound),
                    (table, cells),
                    shift_jis,
                ),
                Form::EucKr => {
                    reading.read(text, (begin, end), (cut_off, bound), (table, cells), euc_kr)
                }
                Form::Big5 => {
                    reading.read(text, (begin, end), (cut_off, bound), (table, cells), big5)
                }
                Form::Gbk => {
                    reading.read(text, (begin, end), (cut_off, bound), (table, cells), gbk)
                }
            }
        }
    }

    /// Encoding, language and cost of each reading.
    pub fn costs(&self) -> impl Iterator<Item = (&'static Encoding, &'static str, u32)> + '_ {
        self.readings[..self.len].iter().map(|reading| {
            let (encoding, _, language, ..) = FORMS[usize::from(reading.form)];
            let is_gb18030 = encoding == GBK
                && (reading.has_four_bytes && self.allows_gb18030 || !self.allows_gbk);
            let encoding = if is_gb18030 { GB18030 } else { encoding };
            (encoding, language, reading.cost)
        })
    }

    /// Adds what the words cost with which the sample ends.
    pub fn end(&mut self) {
        for reading in &mut self.readings[..self.len] {
            // A copy: the text may go on after what decides.
            let mut words = reading.words;
            reading.cost += words.ascii(b' ');
            if words.all == 0 {
                reading.cost += LONE_LEAD;
            }
        }
    }

    /// How well an encoding fits what is beyond ASCII.
    pub fn fit(&self, encoding: &'static Encoding) -> Option<Fit> {
        let encoding = if encoding == GB18030 { GBK } else { encoding };
        let readings = self.readings[..self.len].iter();
        let its = readings.filter(|one| FORMS[usize::from(one.form)].0 == encoding);
        its.min_by_key(|one| one.cost).map(|one| one.fit)
    }

    /// How well an encoding fits running text after its first `read` bytes, which were read. ASCII costs what it does in
    /// English.
    pub fn fit_of_rest(
        &self,
        encoding: &'static Encoding,
        sample: &[u8],
        english: &[u8],
        read: usize,
    ) -> Option<Fit> {
        let before = self.fit(encoding)?;
        let mut rest = self.clone();
        rest.advance(sample, english, (read, sample.len()), true, u32::MAX);
        Some(rest.fit(encoding)?.after(before))
    }

    /// The lowest cost.
    pub fn best(&self) -> u32 {
        let costs = self.readings[..self.len].iter().map(|reading| reading.cost);
        costs.min().unwrap_or(u32::MAX)
    }

    /// Drops readings that cost more than `bound`.
    pub fn drop_above(&mut self, bound: u32) {
        self.retain(|reading| reading.cost <= bound);
    }

    /// Drops the readings for which this is false.
    fn retain(&mut self, is_kept: impl Fn(&Reading) -> bool) {
        let mut kept = 0;
        for at in 0..self.len {
            if is_kept(&self.readings[at]) {
                self.readings[kept] = self.readings[at];
                kept += 1;
            }
        }
        self.len = kept;
    }
}

impl Reading {
    #[inline(always)]
    fn read(
        &mut self,
        (sample, english): (&[u8], &[u8]),
        (begin, end): (usize, usize),
        (cut_off, bound): (u32, u32),
        (table, cells): (&[u8], usize),
        character: impl Fn(u8, u8) -> Character,
    ) {
        let (steps, table) = table.split_at(4);
        let (mut at, mut cost, mut was_ascii) = (self.at.max(begin), self.cost, self.was_ascii);
        let mut words = self.words;
        while at < end && cost <= bound {
            let byte = sample[at];
            let is_ascii = byte < 0x80;
            cost += if is_ascii == was_ascii { 0 } else { TURN };
            was_ascii = is_ascii;
            if is_ascii {
                cost += u32::from(english[at]) + words.ascii(byte);
                at += 1;
                continue;
            }
            let Some(&trail) = sample.get(at + 1) else {
                cost += cut_off;
                if cut_off > 0 && words.characters == 0 && !words.follows {
                    cost += LONE_LEAD;
                }
                at += 1;
                break;
            };
            let (len, more) = match character(byte, trail) {
                Listed(row, cell) => {
                    let place = usize::from(row) * cells + usize::from(cell);
                    let step = table
                        .get(place / 4)
                        .map_or(0, |four| four >> (2 * (place & 3)) & 3);
                    words.character(false);
                    (2, u32::from(steps[usize::from(step)]))
                }
                Kana(len, more) => {
                    let is_after = words.characters > 0 && words.is_kana;
                    words.character(true);
                    (len, more - if is_after { HALF_WIDTH_AFTER } else { 0 })
                }
                Other(4, more) if is_end_of_four(sample, at + 2) => {
                    self.has_four_bytes = true;
                    words.character(false);
                    (4, more)
                }
                Other(4, _) | Malformed => (1, MALFORMED),
                Other(len, more) => {
                    words.character(false);
                    (len, more)
                }
            };
            cost += more;
            at += len;
            self.fit.cost += more;
            self.fit.bytes += len as u32;
        }
        // A character that the end of a stretch cuts off takes nothing from the next one.
        (self.at, self.cost, self.was_ascii) = (at.min(sample.len()), cost, was_ascii);
        self.words = words;
    }
}

/// Whether the third and fourth byte of a character of gb18030 stand there, as far as the sample goes.
fn is_end_of_four(sample: &[u8], at: usize) -> bool {
    let is_third = |byte: &u8| matches!(byte, 0x81..=0xFE);
    sample.get(at).is_none_or(is_third) && sample.get(at + 1).is_none_or(u8::is_ascii_digit)
}

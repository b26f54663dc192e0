//! Double-byte encodings: how likely text in one would yield the sample.
//!
//! Well-formedness comes first; the cost of a character then depends on how common it is, in four steps that
//! `gen train` assigns. Costs are those of single-byte encodings: -log2 of a probability, in units of 3/4 bit.

use super::prior::Prior;
use crate::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, SHIFT_JIS};

static PAIRS: &[u8; 4 + 2209 + 4 + 2209 + 4 + 3494 + 4 + 2209] =
    include_bytes!("../../../tables/detect/pairs.bin");

/// Costs of what the tables do not hold.
const TURN: u32 = 2;
const EXTENSION: u32 = 26;
const HALF_WIDTH: u32 = 14;
const MALFORMED: u32 = 60;

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
    /// Length in bytes and cost of another one.
    Other(usize, u32),
    Malformed,
}

use Character::{Listed, Malformed, Other};

#[inline(always)]
fn euc_jp(lead: u8, trail: u8) -> Character {
    match (lead, trail) {
        (0x8E, 0xA1..=0xDF) => Other(2, HALF_WIDTH + 4),
        (0x8F, 0xA1..=0xFE) => Other(3, EXTENSION + 4),
        (0xA1..=0xFE, 0xA1..=0xFE) => Listed(lead - 0xA1, trail - 0xA1),
        _ => Malformed,
    }
}

#[inline(always)]
fn shift_jis(lead: u8, trail: u8) -> Character {
    match (lead, trail) {
        (0xA1..=0xDF, _) => Other(1, HALF_WIDTH),
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

    /// No encoding at all.
    pub fn empty() -> Self {
        Self {
            readings: [Reading {
                form: 0,
                at: 0,
                cost: 0,
                was_ascii: true,
                has_four_bytes: false,
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

    /// Reads the sample up to `end`, where ASCII costs what it does in English; readings whose cost is above `bound` stop earlier.
    pub fn advance(&mut self, sample: &[u8], english: &[u8], end: usize, bound: u32) {
        for reading in &mut self.readings[..self.len] {
            let (_, form, _, place, cells) = FORMS[usize::from(reading.form)];
            let table = &PAIRS[place..];
            match form {
                Form::EucJp => reading.read(sample, english, end, bound, (table, cells), euc_jp),
                Form::ShiftJis => {
                    reading.read(sample, english, end, bound, (table, cells), shift_jis)
                }
                Form::EucKr => reading.read(sample, english, end, bound, (table, cells), euc_kr),
                Form::Big5 => reading.read(sample, english, end, bound, (table, cells), big5),
                Form::Gbk => reading.read(sample, english, end, bound, (table, cells), gbk),
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

    /// The lowest cost.
    pub fn best(&self) -> u32 {
        let costs = self.readings[..self.len].iter().map(|reading| reading.cost);
        costs.min().unwrap_or(u32::MAX)
    }

    /// Drops readings that cost more than `bound`.
    pub fn drop_above(&mut self, bound: u32) {
        let mut kept = 0;
        for at in 0..self.len {
            if self.readings[at].cost <= bound {
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
        sample: &[u8],
        english: &[u8],
        end: usize,
        bound: u32,
        (table, cells): (&[u8], usize),
        character: impl Fn(u8, u8) -> Character,
    ) {
        let (steps, table) = table.split_at(4);
        let (mut at, mut cost, mut was_ascii) = (self.at, self.cost, self.was_ascii);
        while at < end && cost <= bound {
            let byte = sample[at];
            let is_ascii = byte < 0x80;
            cost += if is_ascii == was_ascii { 0 } else { TURN };
            was_ascii = is_ascii;
            if is_ascii {
                cost += u32::from(english[at]);
                at += 1;
                continue;
            }
            let Some(&trail) = sample.get(at + 1) else {
                cost += CUT_OFF;
                at += 1;
                break;
            };
            let (len, more) = match character(byte, trail) {
                Listed(row, cell) => {
                    let place = usize::from(row) * cells + usize::from(cell);
                    let step = table
                        .get(place / 4)
                        .map_or(0, |four| four >> (2 * (place & 3)) & 3);
                    (2, u32::from(steps[usize::from(step)]))
                }
                Other(len, more) => {
                    self.has_four_bytes |= len == 4;
                    (len, more)
                }
                Malformed => (1, MALFORMED),
            };
            cost += more;
            at += len;
        }
        (self.at, self.cost, self.was_ascii) = (at, cost, was_ascii);
    }
}

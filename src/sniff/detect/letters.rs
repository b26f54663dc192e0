//! Single-byte encodings: how likely a language in an encoding would yield the sample.
//!
//! `gen train` numbers the letters of each language as classes, and gives the cost of each class after each other one
//! (-log2 of its probability, in units of 3/4 bit), and class, case and further cost of each byte of each encoding.
//! The model with the lowest sum is the likeliest. Candidates that fall far behind are dropped early.

use crate::*;

/// Classes of a language.
const CLASSES: usize = 46;
const LANGUAGE_SIZE: usize = CLASSES * CLASSES / 2;

static LANGUAGES: &[u8; 34 * LANGUAGE_SIZE] =
    include_bytes!("../../../tables/detect/languages.bin");
static BYTES: &[u8; MODELS * 256] = include_bytes!("../../../tables/detect/bytes.bin");

/// Encodings with the places of their languages in the table: `gen train`'s order.
const CANDIDATES: [(&Encoding, &[u8]); 18] = [
    (WINDOWS_1252, &[7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]),
    (WINDOWS_1250, &[0, 1, 2, 3, 4, 5, 6]),
    (ISO_8859_2, &[0, 1, 2, 3, 4, 5, 6]),
    (WINDOWS_1254, &[18]),
    (WINDOWS_1257, &[19, 20, 21]),
    (ISO_8859_4, &[19, 20, 21]),
    (WINDOWS_1258, &[22]),
    (WINDOWS_1253, &[23]),
    (ISO_8859_7, &[23]),
    (WINDOWS_1255, &[24]),
    (WINDOWS_1256, &[25, 26]),
    (ISO_8859_6, &[25]),
    (WINDOWS_874, &[27]),
    (WINDOWS_1251, &[28, 29, 30, 31, 32, 33]),
    (KOI8_U, &[28, 29, 33]),
    (ISO_8859_5, &[28, 29, 30, 31, 32, 33]),
    (IBM866, &[28, 29, 30]),
    (X_MAC_CYRILLIC, &[28, 29, 30]),
];

/// Pairs of encoding and language.
const MODELS: usize = {
    let (mut count, mut at) = (0, 0);
    while at < CANDIDATES.len() {
        count += CANDIDATES[at].1.len();
        at += 1;
    }
    count
};

/// Costs of a case behind a case: neither, lower, upper. A capital within a word is rare, a capital behind it less so.
const CASES: [[u8; 3]; 3] = [[0, 0, 3], [0, 0, 10], [0, 1, 2]];

/// What an ASCII letter costs beyond its class in languages of other scripts.
const ASCII_LETTER: u8 = 5;

/// How far behind the best a model may be and stay in the race.
const MARGIN: u32 = 60;

/// Bytes scored before models are compared for the first time.
const FIRST_STRETCH: usize = 24;

#[derive(Clone, Copy)]
struct Model {
    encoding: u8,
    language: u8,
    number: u8,
    class: u8,
    case: u8,
    cost: u32,
}

impl Model {
    fn read(&mut self, bytes: &[u8]) {
        let table = &LANGUAGES[usize::from(self.language) * LANGUAGE_SIZE..][..LANGUAGE_SIZE];
        let high = &BYTES[usize::from(self.number) * 256..][..256];
        let is_latin = self.language <= 22;
        let (mut class, mut case) = (usize::from(self.class), usize::from(self.case));
        let mut cost = self.cost;
        for &byte in bytes {
            let (next, next_case, extra) = if byte >= 0x80 {
                let entry = high[usize::from(byte - 0x80)];
                (
                    usize::from(entry & 63),
                    usize::from(entry >> 6),
                    high[usize::from(byte)],
                )
            } else {
                let entry = if is_latin { LATIN } else { NON_LATIN }[usize::from(byte)];
                let next = usize::from(entry & 63);
                // One class stands for all ASCII letters there.
                let extra = if is_latin || next != 2 {
                    0
                } else {
                    ASCII_LETTER
                };
                (next, usize::from(entry >> 6), extra)
            };
            let place = class * CLASSES + next;
            let step = table[place / 2] >> (4 * (place & 1)) & 15;
            cost += u32::from(step) + u32::from(extra) + u32::from(CASES[case][next_case]);
            (class, case) = (next, next_case);
        }
        (self.class, self.case, self.cost) = (class as u8, case as u8, cost);
    }
}

/// Class and case of each ASCII byte.
const fn ascii(is_latin: bool) -> [u8; 128] {
    let mut table = [1; 128];
    let mut byte = 0;
    while byte < 128 {
        let lower = (byte as u8).to_ascii_lowercase();
        if byte <= 0x20 {
            table[byte] = 0;
        } else if lower.is_ascii_lowercase() {
            let case = if lower == byte as u8 { 1 } else { 2 };
            let class = if is_latin { 2 + lower - b'a' } else { 2 };
            table[byte] = class | case << 6;
        }
        byte += 1;
    }
    table
}

static LATIN: [u8; 128] = ascii(true);
static NON_LATIN: [u8; 128] = ascii(false);

/// Calls `found` with each single-byte encoding that stayed in the race and its cost. `bound` is the lowest cost of
/// another encoding.
pub fn race(sample: &[u8], bound: u32, mut found: impl FnMut(&'static Encoding, u32)) {
    let mut models = [Model {
        encoding: 0,
        language: 0,
        number: 0,
        class: 0,
        case: 0,
        cost: 0,
    }; MODELS];
    let mut count = 0;
    for (encoding, (_, languages)) in CANDIDATES.iter().enumerate() {
        for &language in *languages {
            models[count].encoding = encoding as u8;
            models[count].language = language;
            models[count].number = count as u8;
            count += 1;
        }
    }
    let mut rest = sample;
    let mut stretch = FIRST_STRETCH;
    while !rest.is_empty() {
        let (now, later) = rest.split_at(stretch.min(rest.len()));
        for model in &mut models[..count] {
            model.read(now);
        }
        rest = later;
        stretch *= 2;
        let best = models[..count]
            .iter()
            .map(|model| model.cost)
            .min()
            .unwrap_or(0);
        let best = best.min(if rest.is_empty() { bound } else { u32::MAX });
        let mut kept = 0;
        for at in 0..count {
            if models[at].cost <= best.saturating_add(MARGIN) {
                models[kept] = models[at];
                kept += 1;
            }
        }
        count = kept;
    }
    for model in &models[..count] {
        found(CANDIDATES[usize::from(model.encoding)].0, model.cost);
    }
}

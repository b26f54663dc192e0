//! Text that was encoded twice: UTF-8 that was decoded in another encoding, and written as UTF-8 again (`Ã©`, `РџСЂ`,
//! `文å—`).
//!
//! [`undo`] examines one line. A *run* is the text between two ASCII characters. A line was encoded twice if all its runs
//! can be encoded in one encoding, and the bytes of each run are UTF-8 with fewer characters. The required number of
//! characters depends on their kind: one for `é`, three for Cyrillic letters, four for Chinese characters from GBK.
//! Typographic signs that were added later are ignored. If in doubt, a line stays.
//!
//! [`RepairReader`] applies this to each line of UTF-8.

mod fit;
mod reader;
mod starts;
#[cfg(test)]
mod tests;

pub use reader::{RepairReader, Repaired, Repairs};

use mojika::{
    BomHandling, Encoding, GBK, IBM866, ISO_8859_2, ISO_8859_15, ISO_8859_16, KOI8_R, MACINTOSH,
    WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, WINDOWS_1254, WINDOWS_1257, extended,
};

use std::cmp::Reverse;
use std::slice;
use std::sync::LazyLock;

/// The maximum number of wrong conversions that are undone.
const MOST_ROUNDS: usize = 3;

/// The encodings in which UTF-8 is mistakenly decoded, the frequent ones first. Each is called a reading.
static ENCODINGS: LazyLock<[&Encoding; READINGS]> = LazyLock::new(|| {
    [
        WINDOWS_1252,
        WINDOWS_1251,
        MACINTOSH,
        extended::ibm(437).unwrap_or(WINDOWS_1252),
        WINDOWS_1250,
        ISO_8859_2,
        WINDOWS_1254,
        WINDOWS_1257,
        WINDOWS_1253,
        KOI8_R,
        IBM866,
        extended::ISO_8859_1,
        ISO_8859_15,
        ISO_8859_16,
        extended::ISO_8859_9,
        extended::ibm(850).unwrap_or(WINDOWS_1252),
        extended::ibm(852).unwrap_or(WINDOWS_1252),
        GBK,
    ]
});

/// The numbers of the encodings with box-drawing characters: DOS code pages.
const OF_DOS: [usize; 4] = [3, 10, 15, 16];

fn readings() -> [&'static Encoding; READINGS] {
    *ENCODINGS
}

/// The byte of each BMP character in each single-byte reading, or 0. Unmapped bytes stand for the control character of the
/// same number, as programs keep them.
static BYTES: LazyLock<[Vec<u8>; READINGS]> = LazyLock::new(|| {
    ENCODINGS.map(|encoding| {
        let mut bytes = vec![0; 1 << 16];
        for byte in (0x80..=u8::MAX).filter(|_| encoding.is_single_byte()) {
            let decoded = encoding.decode_fatal(slice::from_ref(&byte), BomHandling::Keep);
            let own = decoded.ok().and_then(|decoded| decoded.text.chars().next());
            bytes[own.unwrap_or(char::from(byte)) as usize] = byte;
        }
        bytes
    })
});

/// Returns the byte of a character in the reading with this number.
fn byte_of(character: char, number: usize) -> Option<u8> {
    let byte = BYTES[number].get(character as usize).copied();
    byte.filter(|&byte| byte > 0)
}

/// The number of readings.
const READINGS: usize = 18;

/// The evidence of earlier lines for the readings.
///
/// Some bytes are letters in two readings: `Ã€` is `À` decoded in windows-1252, and `ä` decoded in ISO-8859-15. Without
/// other evidence in the line, the reading that explains more earlier lines wins.
#[derive(Default)]
pub struct History {
    /// For each pair of readings, the number of lines that only the first one explains.
    lines: [[u64; READINGS]; READINGS],
}

/// The factor by which lines explained by one reading only must outnumber those of the other.
const CLEARLY: u64 = 8;

impl History {
    /// Adds a line that these readings explain.
    fn add(&mut self, explains: u32) {
        for one in numbers(explains) {
            for other in numbers(!explains) {
                self.lines[one][other] += 1;
            }
        }
    }

    /// True if a reading of one text explains the earlier lines, and no reading of the other text does.
    fn prefers(&self, one: &Original, other: &Original) -> bool {
        numbers(one.explains).any(|one| {
            numbers(other.explains)
                .all(|other| self.lines[one][other] > CLEARLY * self.lines[other][one])
        })
    }
}

/// Returns the numbers of the readings whose bits are set.
fn numbers(bits: u32) -> impl Iterator<Item = usize> {
    (0..READINGS).filter(move |number| bits & 1 << number != 0)
}

/// The result for a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undone {
    /// The line was not encoded twice.
    Clean,
    /// The original line, and the encodings in which it was decoded, the last one first.
    Text(String, Vec<&'static Encoding>),
    /// The line was encoded twice, but several original texts are possible.
    Ambiguous,
}

/// Returns the original of a line; `history` is that of earlier lines.
pub fn undo(line: &str, history: &mut History) -> Undone {
    let Some(mut first) = originals(line, history) else {
        return Undone::Clean;
    };
    let Some(first) = first.pop().filter(|_| first.is_empty()) else {
        return Undone::Ambiguous;
    };
    let mut text = first.text;
    let mut readings = vec![first.encoding];
    while readings.len() < MOST_ROUNDS {
        let Some(mut next) = originals(&text, history) else {
            break;
        };
        let Some(next) = next.pop().filter(|_| next.is_empty()) else {
            return Undone::Ambiguous;
        };
        text = next.text;
        readings.push(next.encoding);
    }
    // Control characters come from wrong decoding, and disappear when all conversions are undone.
    if text.chars().any(is_c1) {
        return Undone::Clean;
    }
    history.add(first.explains);
    Undone::Text(text, readings)
}

/// True if a character is a C1 control character, which text does not contain.
fn is_c1(character: char) -> bool {
    matches!(character, '\u{80}'..='\u{9F}')
}

/// A possible original of a line.
struct Original {
    text: String,
    encoding: &'static Encoding,
    /// A bit for each reading in which `text` becomes the line.
    explains: u32,
}

/// Returns the best originals of the line over all readings; `None` if there is none.
fn originals(line: &str, history: &History) -> Option<Vec<Original>> {
    let possible = starts::possible(line);
    if possible == 0 {
        return None;
    }
    let mut texts: Vec<(Score, Original)> = Vec::new();
    for (number, encoding) in readings().into_iter().enumerate() {
        let explains = 1 << number;
        if possible & explains == 0 {
            continue;
        }
        let Some((count, text)) = read_back(line, encoding) else {
            continue;
        };
        if let Some((_, same)) = texts.iter_mut().find(|(_, other)| other.text == text) {
            same.explains |= explains;
            continue;
        }
        let score = Score {
            count,
            oddities: Reverse(0),
        };
        texts.push((
            score,
            Original {
                text,
                encoding,
                explains,
            },
        ));
    }
    if texts.len() > 1 {
        for (score, original) in &mut texts {
            score.oddities = Reverse(fit::oddities(&original.text));
        }
        let best = texts.iter().map(|(score, _)| *score).max();
        texts.retain(|(score, _)| Some(*score) == best);
    }
    let mut texts: Vec<_> = texts.into_iter().map(|(_, original)| original).collect();
    let preferred = (0..texts.len()).find(|&one| {
        let mut others = texts.iter().enumerate().filter(|(other, _)| *other != one);
        others.all(|(_, other)| history.prefers(&texts[one], other))
    });
    if let Some(preferred) = preferred {
        texts = vec![texts.swap_remove(preferred)];
    }
    (!texts.is_empty()).then_some(texts)
}

/// The quality of an original; the first field has precedence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Score {
    /// The number of characters in the repaired runs.
    count: usize,
    /// The number of oddities; fewer are better.
    oddities: Reverse<usize>,
}

/// Returns the original of `line` if its runs were decoded in `encoding`, with the number of characters.
fn read_back(line: &str, encoding: &'static Encoding) -> Option<(usize, String)> {
    let mut text = String::with_capacity(line.len());
    let mut found = Found::default();
    let mut rest = line;
    while !rest.is_empty() {
        let ascii = rest.find(|c: char| !c.is_ascii()).unwrap_or(rest.len());
        text.push_str(&rest[..ascii]);
        rest = &rest[ascii..];
        let end = rest.find(|c: char| c.is_ascii()).unwrap_or(rest.len());
        let run = &rest[..end];
        rest = &rest[end..];
        if run.is_empty() {
            break;
        }
        let before = text.bytes().next_back();
        match decoded(run, encoding) {
            // These are box-drawing characters, not the long s of old texts.
            Some(decoded) if has_box_drawing(encoding) && decoded.contains('ſ') => return None,
            Some(decoded) => {
                if run.chars().any(is_c1) {
                    found.controlled += decoded.chars().count();
                }
                let around = [before, rest.bytes().next()];
                let is_odd = is_odd_run(run, &decoded, around, encoding);
                found.add(&decoded, around, is_odd);
                text.push_str(&decoded);
            }
            None if run.chars().all(is_typographic) => {
                found.others += 1;
                text.push_str(run);
            }
            None => return None,
        }
    }
    found.is_enough(encoding).then_some((found.count, text))
}

/// True if an encoding differs from ISO-8859-1 in few characters.
fn is_like_latin_1(encoding: &'static Encoding) -> bool {
    [
        WINDOWS_1252,
        WINDOWS_1254,
        extended::ISO_8859_1,
        extended::ISO_8859_9,
        ISO_8859_15,
    ]
    .contains(&encoding)
}

/// True if an encoding has box-drawing characters, as DOS code pages do.
fn has_box_drawing(encoding: &'static Encoding) -> bool {
    OF_DOS.iter().any(|&number| ENCODINGS[number] == encoding)
}

/// True if ordinary text never contains this run for these UTF-8 characters.
///
/// The run contains a control character, or a letter directly followed by a sign; or the characters are a picture (`â™¥`,
/// `ðŸ˜€`); or every second character is a sign.
fn is_odd_run(
    run: &str,
    decoded: &str,
    around: [Option<u8>; 2],
    encoding: &'static Encoding,
) -> bool {
    if run.chars().any(is_c1) {
        return true;
    }
    let is_sign =
        |c: &char| (!c.is_alphabetic() || *c == 'ƒ') && !is_typographic(*c) && *c != '\u{AD}';
    let signs = run.chars().filter(is_sign).count();
    let scalars = decoded.chars().count();
    if is_like_latin_1(encoding) && run.starts_with(['Ã', 'Â']) && scalars == 1 {
        return signs == 1 || is_odd_letter(run, around);
    }
    let picture = decoded.chars().next().filter(|_| scalars == 1);
    picture.is_some_and(|picture| is_odd_picture(run, picture, encoding))
        || scalars >= 2 && 2 * signs >= scalars
}

/// True if ordinary text never contains this two-character run, such as `Ã¨` and `Â°`, between these bytes.
///
/// A letter is unusual there. If the second neighbour is a quotation mark or a space, which may follow a word in capitals,
/// the run must start a word or be within one.
fn is_odd_letter(run: &str, [before, after]: [Option<u8>; 2]) -> bool {
    let second = run.chars().nth(1).unwrap_or_default();
    let starts_a_word = before.is_none_or(|byte| !byte.is_ascii_alphabetic());
    let is_capital = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_uppercase());
    // Dashes, ellipses and apostrophes may stand between words in capitals.
    let cuts_a_word = match second {
        'Š' | 'š' | 'Œ' | 'œ' | 'Ž' | 'ž' | 'Ÿ' => true,
        '‘' | '“' | '”' | '‚' | '„' | '†' | '‡' | '•' | '™' | '€' => {
            is_capital(after)
        }
        _ => false,
    };
    starts_a_word && !second.is_alphabetic() || is_capital(before) && cuts_a_word
}

/// True if ordinary text never contains this run, and the character is a picture.
fn is_odd_picture(run: &str, character: char, encoding: &'static Encoding) -> bool {
    // Characters that may follow a word are no evidence.
    let ends_a_word = |c: char| {
        matches!(
            c,
            '…' | '‘' | '’' | '“' | '”' | '–' | '—' | '›' | '»' | '\u{A0}'
        )
    };
    is_picture(character)
        && match character {
            '\u{1F000}'.. => encoding != GBK && !has_box_drawing(encoding),
            _ => {
                is_like_latin_1(encoding)
                    && encoding != ISO_8859_15
                    && !run.chars().skip(1).all(ends_a_word)
            }
        }
}

/// True if a character is a pictorial sign: an arrow, a star, an emoji.
fn is_picture(character: char) -> bool {
    matches!(character,
        '\u{2100}'..='\u{214F}'
        | '\u{2190}'..='\u{23FF}'
        | '\u{2500}'..='\u{27BF}'
        | '\u{2B00}'..='\u{2BFF}'
        | '\u{1F000}'..='\u{1FAFF}'
        // These join the parts of an emoji, or follow one.
        | '\u{200D}' | '\u{FE0F}')
}

/// Returns the text of a run whose characters are bytes of `encoding` that form UTF-8.
fn decoded(run: &str, encoding: &'static Encoding) -> Option<String> {
    let bytes = match ENCODINGS.iter().position(|one| *one == encoding)? {
        // GBK is the last one.
        number if number + 1 == READINGS => encoding.encode(run).ok()?.into_owned(),
        number => {
            let bytes = run.chars().map(|character| byte_of(character, number));
            bytes.collect::<Option<_>>()?
        }
    };
    let text = String::from_utf8(bytes).ok()?;
    let is_text = text.chars().all(|c| {
        !c.is_ascii()
            && (!c.is_control() || is_c1(c))
            && c != '\u{FFFD}'
            && !('\u{E000}'..'\u{F900}').contains(&c)
            // Planes without characters, and planes for private use.
            && !matches!(c, '\u{34000}'..='\u{DFFFF}' | '\u{F0000}'..)
    });
    (is_text && text.chars().count() < run.chars().count() + usize::from(encoding == GBK))
        .then_some(text)
}

/// True for signs that programs insert into ASCII text.
fn is_typographic(character: char) -> bool {
    matches!(
        character,
        '\u{2010}'..='\u{2026}' | '\u{A0}' | '«' | '»' | '©' | '®' | '™' | '€' | '°' | '·'
    )
}

/// True if such characters result from wrongly decoded UTF-8, so that the text may have been encoded once more.
fn is_western(character: char) -> bool {
    [0, 2, 3, 4]
        .iter()
        .any(|&number| byte_of(character, number).is_some())
}

/// The counts of characters in a line's runs.
#[derive(Default)]
struct Found {
    count: usize,
    /// The number of Latin-1 characters, and of related signs.
    latin: usize,
    /// The number of Latin letters and signs within or beside a lower-case word.
    within_words: usize,
    /// The number of characters in unusual runs, within words or of three-byte signs.
    marked: usize,
    /// The number of characters in runs with control characters.
    controlled: usize,
    /// The number of East Asian characters.
    wide: usize,
    /// The number of other characters. A few of these may occur by chance.
    odd: usize,
    /// The number of typographic signs that are correct.
    others: usize,
    scripts: [usize; SCRIPTS.len()],
}

/// Blocks of letters in running text; a line is in one block.
const SCRIPTS: [(u32, u32); 9] = [
    (0x0100, 0x017F), // Latin
    (0x0370, 0x03FF), // Greek
    (0x0400, 0x04FF), // Cyrillic
    (0x0590, 0x05FF), // Hebrew
    (0x0620, 0x06FF), // Arabic
    (0x0900, 0x0DFF), // of India
    (0x0E00, 0x0E7F), // Thai
    (0x10A0, 0x10FF), // Georgian
    (0x1EA0, 0x1EF9), // Vietnamese
];

/// The blocks of Latin letters.
const LATIN: [usize; 2] = [0, 8];

impl Found {
    fn add(&mut self, text: &str, [before, after]: [Option<u8>; 2], is_odd: bool) {
        let is_lower = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_lowercase());
        let is_within = is_lower(before) || is_lower(after);
        for character in text.chars() {
            let code = u32::from(character);
            self.count += 1;
            // Romanian and Vietnamese have a few letters in another block.
            let is_elsewhere = matches!(code, 0x01A0 | 0x01A1 | 0x01AF | 0x01B0 | 0x0218..=0x021B);
            let script = SCRIPTS
                .iter()
                .position(|&(first, last)| (first..=last).contains(&code));
            let script = if is_elsewhere { Some(0) } else { script };
            let is_latin = script.is_some_and(|number| LATIN.contains(&number));
            // Ordinary text has no letters of another script within Latin words.
            let is_half_width = matches!(code, 0xFF61..=0xFFDC);
            let is_foreign = is_within
                && (is_half_width || script.is_some_and(|number| !LATIN.contains(&number)));
            let is_sign = matches!(code, 0x2010..=0x2026 | 0x20AC | 0x2122);
            let is_of_west = script.is_none()
                && (is_typographic(character)
                    || is_western(character)
                    || is_c1(character)
                    || is_odd && is_picture(character));
            let is_marked = is_odd || is_sign || is_within && (is_latin || is_of_west);
            self.marked += usize::from(is_marked);
            self.within_words += usize::from(is_within && is_latin);
            if let Some(script) = script.filter(|_| !is_foreign) {
                self.scripts[script] += 1;
            } else if is_of_west {
                self.latin += 1;
                self.within_words += usize::from(is_within);
            } else if !is_foreign
                && matches!(code, 0x2E80..=0x9FFF | 0xAC00..=0xD7A3 | 0xFF00..=0xFFEF)
            {
                self.wide += 1;
            } else {
                self.odd += 1;
            }
        }
    }

    fn is_enough(&self, encoding: &'static Encoding) -> bool {
        let letters = self.scripts.iter().max().copied().unwrap_or(0);
        // A line is in one script, with a few signs.
        let main = letters.max(self.wide).max(self.latin);
        if self.count == 0 || self.others > self.count {
            return false;
        }
        // Ordinary text has no control characters.
        if 2 * self.controlled >= self.count {
            return true;
        }
        if self.odd * 8 > main {
            return false;
        }
        if encoding == GBK {
            return self.wide >= 4 && self.wide + self.latin == self.count;
        }
        // Cyrillic words may be three-byte UTF-8 by chance.
        let is_cyrillic = [WINDOWS_1251, KOI8_R, IBM866].contains(&encoding);
        let is_852 = encoding == ENCODINGS[16];
        let wide = if is_cyrillic || is_852 { 6 } else { 2 };
        if self.wide >= wide || letters >= 3 || self.latin >= 3 && self.within_words >= 1 {
            return true;
        }
        // Many letters, all Western; they are not box-drawing characters.
        let is_western = self.latin + letters == self.count;
        if self.count >= 4 && is_western && !has_box_drawing(encoding) {
            return true;
        }
        // A few letters: within a word, otherwise unusual, or of three bytes.
        is_western && 2 * self.marked >= self.count
    }
}

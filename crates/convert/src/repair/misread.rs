//! Text in an old encoding that was read in ISO-8859-1: `Queen\u{92}s`, `ÑÅÊÐÅÒ`.
//!
//! C1 control characters are typographic signs of windows-1252. In a line in which whole words consist of Latin-1
//! letters, detection finds the encoding.

use super::{Misreading, Undone, fit, is_c1};
use mojika::{BomHandling, Encoding, WINDOWS_1250, WINDOWS_1252, extended};
use mojika_sniff::detect::{DetectHints, detect};

/// The maximum number of lines that detection examines in a text. It takes a hundred times as long as the other rules.
const MOST_LINES: u32 = 2000;

/// The minimum number of letters by which detection recognises an encoding.
const FEWEST: usize = 5;

/// The minimum probability of a detected encoding.
const SURELY: f32 = 0.9;

/// The encodings that were found in earlier lines.
#[derive(Default)]
pub struct History {
    looks: u32,
    /// The encoding of the most recent lines, and the number of consecutive lines in it.
    known: Option<(&'static Encoding, u32)>,
}

/// The number of consecutive lines in one encoding after which the encoding is assumed without detection.
const ENOUGH_LINES: u32 = 8;

/// Returns the original of a line. `is_sure` is true if the line also has UTF-8 that was read in another encoding.
pub fn undo(line: &str, is_sure: bool, history: &mut History) -> Undone {
    let controls = line.chars().filter(|&c| is_c1(c)).count();
    // U+0085 may end a line.
    let is_end = !is_sure && line.trim_end_matches(['\r', '\n']).ends_with('\u{85}');
    if controls > usize::from(is_end) {
        return signs(line);
    }
    if controls == 0 && are_words(line) {
        return words(line, history);
    }
    Undone::Clean
}

/// Returns the line with typographic signs in place of C1 control characters.
fn signs(line: &str) -> Undone {
    let misreading = |encoding| Misreading {
        encoding,
        read_as: extended::ISO_8859_1,
    };
    let beyond = line
        .chars()
        .filter(|c| !c.is_ascii() && *c != '\u{A0}')
        .count();
    let all = line.chars().filter(|c| !c.is_whitespace()).count();
    // True if the line looks like truncated UTF-8 sequences, or like East Asian text.
    let characters: Vec<char> = line.chars().collect();
    let is_cut = characters.windows(2).any(|two| match two {
        ['\u{C2}' | '\u{C3}' | '\u{D0}' | '\u{D1}', second] => {
            is_c1(*second) && *second != '\u{85}'
        }
        ['\u{E2}', second] => matches!(second, '\u{80}' | '\u{82}' | '\u{84}'),
        ['\u{ED}', second] => matches!(second, '\u{A0}'..='\u{BF}'),
        ['\u{F0}', second] => *second == '\u{9F}',
        [first, second] => {
            is_c1(*first) && is_c1(*second) && *first != '\u{85}' && *second != '\u{85}'
        }
        _ => false,
    });
    if 2 * beyond > all || is_cut {
        return Undone::Clean;
    }
    let in_encoding = |encoding: &'static Encoding| {
        let mut text = String::with_capacity(line.len());
        for character in line.chars() {
            let byte = [u32::from(character) as u8];
            let is_byte = matches!(character, '\u{80}'..='\u{FF}')
                && (is_c1(character) || encoding != WINDOWS_1252);
            match encoding.with(BomHandling::Keep).decode_fatal(&byte) {
                Ok(decoded) if is_byte => text.push_str(&decoded.text),
                _ if is_c1(character) => return None,
                _ => text.push(character),
            }
        }
        text.chars().all(|c| !is_c1(c)).then_some(text)
    };
    let texts: Vec<_> = [WINDOWS_1252, WINDOWS_1250]
        .into_iter()
        .filter_map(|encoding| Some((encoding, in_encoding(encoding)?)))
        .map(|(encoding, text)| (fit::oddities(&text) + within_words(&text), encoding, text))
        .collect();
    let least = texts.iter().map(|(oddities, ..)| *oddities).min();
    let mut best = texts
        .iter()
        .filter(|(oddities, ..)| Some(*oddities) == least);
    match (best.next(), best.next()) {
        (Some((0, encoding, text)), None) => Undone::Text(text.clone(), vec![misreading(encoding)]),
        (Some((0, encoding, text)), Some((.., other))) if text == other => {
            Undone::Text(text.clone(), vec![misreading(encoding)])
        }
        // The line has only typographic signs, and both encodings have the same bytes for them.
        (Some((0, encoding, text)), Some(_)) if !has_other_letters(line) => {
            Undone::Text(text.clone(), vec![misreading(encoding)])
        }
        (Some(_), _) => Undone::Ambiguous(
            texts
                .iter()
                .map(|(_, encoding, _)| misreading(encoding))
                .collect(),
        ),
        (None, _) => Undone::Clean,
    }
}

/// True if a line has a control character whose byte decodes differently in windows-1250 and in windows-1252.
fn has_other_letters(line: &str) -> bool {
    line.contains([
        '\u{8C}', '\u{9C}', '\u{9F}', '\u{8F}', '\u{83}', '\u{88}', '\u{98}',
    ])
}

/// Returns the number of signs that are between two letters, although words do not contain such signs.
fn within_words(text: &str) -> usize {
    let characters: Vec<char> = text.chars().collect();
    let is_odd = |three: &&[char]| {
        matches!(
            three[1],
            '†' | '‡' | '‰' | '„' | '‚' | '‹' | '›' | '“' | '”' | 'ƒ' | 'ˆ' | '˜'
        ) && three[0].is_alphabetic()
            && three[2].is_alphabetic()
    };
    characters.windows(3).filter(is_odd).count()
}

/// True if whole words of the line consist of Latin-1 letters.
fn are_words(line: &str) -> bool {
    let (mut letters, mut longest, mut run) = (0, 0, 0);
    let mut before = ' ';
    for character in line.chars() {
        let is_high = matches!(character, '\u{A1}'..='\u{FF}');
        if !is_high && !character.is_ascii() && character != '\u{A0}' {
            return false;
        }
        let was_high = matches!(before, '\u{A1}'..='\u{FF}');
        // In a word of Latin letters.
        if is_high && before.is_ascii_alphabetic() || was_high && character.is_ascii_alphabetic() {
            return false;
        }
        run = if is_high { run + 1 } else { 0 };
        letters += usize::from(matches!(character, '\u{C0}'..='\u{FF}'));
        longest = run.max(longest);
        before = character;
    }
    letters >= FEWEST && longest >= 4
}

/// Returns the line with its words decoded in the encoding that was found for them.
fn words(line: &str, history: &mut History) -> Undone {
    let Ok(bytes) = extended::ISO_8859_1.encode(line) else {
        return Undone::Clean;
    };
    let known = history.known.filter(|&(_, lines)| lines >= ENOUGH_LINES);
    let Some(encoding) = known
        .map(|known| known.0)
        .or_else(|| detected(&bytes, history))
    else {
        return Undone::Clean;
    };
    let lines = history.known.filter(|known| known.0 == encoding);
    history.known = Some((encoding, lines.map_or(1, |known| known.1 + 1)));
    let misreading = Misreading {
        encoding,
        read_as: extended::ISO_8859_1,
    };
    match encoding.with(BomHandling::Keep).decode_fatal(&bytes) {
        Ok(decoded) if fit::oddities(&decoded.text) == 0 => {
            Undone::Text(decoded.text.into_owned(), vec![misreading])
        }
        _ => Undone::Ambiguous(vec![misreading]),
    }
}

/// Returns the encoding of bytes if it is certain that their script is not Latin.
fn detected(bytes: &[u8], history: &mut History) -> Option<&'static Encoding> {
    if history.looks == MOST_LINES {
        return None;
    }
    history.looks += 1;
    let ranking = detect(bytes, &DetectHints::default());
    let best = ranking.iter().next()?;
    let is_latin = best.script().is_none_or(|script| script == "Latn");
    (!is_latin && best.probability >= SURELY && best.encoding.is_ascii_compatible())
        .then_some(best.encoding)
}

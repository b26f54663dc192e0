//! Restores the text that the runs of a line had before they were read in another encoding.

use super::readings::{ENCODINGS, Reading, is_tail};
use super::{is_c1, is_typographic};
use mojika::{BomHandling, mem};
use std::ops::Range;
use std::sync::LazyLock;

/// The characters of UTF-8's byte order mark in each reading that has them.
static MARKS: LazyLock<Vec<(String, Reading)>> = LazyLock::new(|| {
    let marks = ENCODINGS
        .iter()
        .enumerate()
        .filter_map(|(number, encoding)| {
            let reading = Reading(number);
            // In a double-byte reading, the third byte belongs to the next character, which may be lost.
            let mark = if reading.is_double_byte() {
                &b"\xEF\xBB"[..]
            } else {
                b"\xEF\xBB\xBF"
            };
            let decoded = encoding.with(BomHandling::Keep).decode_fatal(mark).ok()?;
            Some((decoded.text.into_owned(), reading))
        });
    marks.collect()
});

/// Returns the line after a byte order mark that was read in another encoding, and that reading.
pub fn without_mark(line: &str) -> Option<(&str, Reading)> {
    if line.as_bytes().first().is_none_or(u8::is_ascii) {
        return None;
    }
    MARKS.iter().find_map(|(mark, reading)| {
        let rest = line.strip_prefix(&**mark)?;
        if !reading.is_double_byte() {
            return Some((rest, *reading));
        }
        let rest = rest.strip_prefix(['?', '\u{FFFD}']).unwrap_or(rest);
        // The mark must precede ASCII, because two of its characters are names of chemical elements and illnesses.
        let is_lost = rest.starts_with(|c: char| c.is_ascii_alphanumeric() || "<{[#/@".contains(c));
        is_lost.then_some((rest, *reading))
    })
}

/// The original of a line.
pub struct Back {
    pub text: String,
    /// The number of characters in the original of the runs.
    pub count: usize,
}

/// Returns the original of `line` if its runs, or with `looks_within` parts of its runs, were read in `reading`.
pub fn read_back(line: &str, reading: Reading, looks_within: bool) -> Option<Back> {
    let mut back = Builder {
        text: String::with_capacity(line.len()),
        found: Found::default(),
        reading,
        bytes: Vec::new(),
    };
    let mut rest = line;
    loop {
        let ascii = mem::ascii_prefix_len(rest.as_bytes());
        back.text.push_str(&rest[..ascii]);
        rest = &rest[ascii..];
        if rest.is_empty() {
            break;
        }
        let end = rest.bytes().position(|byte| byte.is_ascii());
        let run = &rest[..end.unwrap_or(rest.len())];
        rest = &rest[run.len()..];
        let before = back.text.chars().next_back();
        let around = [before, rest.chars().next()];
        match decoded(run, reading) {
            // `decoded` results from box-drawing characters; a long s of old text is unlikely.
            Some(decoded) if reading.has_box_drawing() && decoded.contains('ſ') => return None,
            // The text speaks of the letter itself, as in "two Ã’s".
            Some(_)
                if run == "Ã’"
                    && around[1] == Some('s')
                    && !before.is_some_and(char::is_alphabetic) =>
            {
                return None;
            }
            Some(decoded) => back.add(run, &decoded, around),
            None if run.chars().all(is_typographic) => {
                back.found.others += 1;
                back.text.push_str(run);
            }
            None if looks_within && !reading.is_double_byte() => {
                back.within(run, &mut rest, around)
            }
            None if looks_within => back.good(run),
            None => return None,
        }
    }
    let Builder { text, found, .. } = back;
    let is_sure = found.good == 0 || found.strong > 0 && 2 * found.strong >= found.spans;
    let count = found.count + found.restored;
    (is_sure && found.is_enough(reading)).then_some(Back { text, count })
}

struct Builder {
    text: String,
    found: Found,
    reading: Reading,
    /// The offset of each character of the run, and its byte, or 0.
    bytes: Vec<(usize, u8)>,
}

impl Builder {
    /// Adds a run that was read in another encoding, with its original.
    fn add(&mut self, run: &str, decoded: &str, around: [Option<char>; 2]) {
        if run.chars().any(is_c1) {
            self.found.controlled += decoded.chars().count();
        }
        let mut near = around.map(|near| near.map(like_ascii));
        // If the run looks like a whole word, the characters around it are not evidence.
        let is_latin = |c: char| matches!(c, '\u{A0}'..='\u{2FF}');
        let is_word = match self.reading == Reading::MAC_CENTRAL_EUROPE {
            true => run.chars().all(char::is_alphabetic),
            // The florin sign is a letter of one language.
            false => run.chars().all(|c| c.is_lowercase() && c != 'ƒ'),
        };
        if is_word && decoded.chars().all(is_latin) {
            near = [None; 2];
        }
        let mut is_odd = is_odd_run(run, decoded, near, self.reading);
        let mut decoded = decoded;
        if self.text.is_empty() && decoded.starts_with('\u{FEFF}') {
            decoded = &decoded[3..];
            is_odd = true;
            (self.found.count, self.found.latin, self.found.marked) = (1, 1, 1);
        }
        self.found.spans += 1;
        // A text about misread characters quotes them, alone or in a short word.
        let before = self.text.trim_end().chars().rev();
        let is_quoted = before
            .clone()
            .next()
            .is_some_and(|c| "\"'“”„«‹‘「『".contains(c))
            || before
                .take(16)
                .take_while(|c| !c.is_whitespace())
                .any(|c| "“„«‹‘「『".contains(c));
        let is_strong = is_odd && !self.reading.is_of_signs()
            || is_strong_run(run, decoded, near, self.reading);
        self.found.strong += usize::from(is_strong && !is_quoted);
        self.found.add(decoded, near, is_odd);
        self.text.push_str(decoded);
    }

    /// Adds characters that stay.
    fn good(&mut self, run: &str) {
        self.found.good += 1;
        self.text.push_str(run);
    }

    /// Adds a run in which UTF-8 and correct text alternate. The U+00A0 at its end may have become a space.
    fn within(&mut self, run: &str, rest: &mut &str, around: [Option<char>; 2]) {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.clear();
        bytes.extend(
            run.char_indices()
                .map(|(at, own)| (at, self.reading.byte_of(own).unwrap_or(0))),
        );
        self.within_bytes(run, &bytes, rest, around);
        self.bytes = bytes;
    }

    fn within_bytes(
        &mut self,
        run: &str,
        bytes: &[(usize, u8)],
        rest: &mut &str,
        around: [Option<char>; 2],
    ) {
        let place = |at: usize| bytes.get(at).map_or(run.len(), |&(place, _)| place);
        let mut begun = None;
        let mut at = 0;
        while at < bytes.len() {
            let length = sequence_length(bytes[at].1);
            let tails = bytes[at + 1..].iter().take(length.saturating_sub(1));
            let tails = tails.take_while(|(_, byte)| is_tail(*byte)).count();
            let from = *begun.get_or_insert(at);
            if length > 0 && tails + 1 == length {
                let sequence = &run[place(at)..place(at + length)];
                if decoded(sequence, self.reading).is_some() {
                    at += length;
                    continue;
                }
            }
            self.span(run, place(from)..place(at), around);
            begun = None;
            if length > 0
                && tails + 2 == length
                && at + tails + 1 == bytes.len()
                && let Some(after) = rest.strip_prefix(' ')
            {
                let before = run[..place(at)].chars().next_back().or(around[0]);
                let bytes = bytes[at..].iter().map(|&(_, byte)| byte).chain([0xA0]);
                if let Ok(restored) = String::from_utf8(bytes.collect()) {
                    self.found.restored += 1;
                    // The letter is within a word, because words do not end in it.
                    if restored == "à"
                        && before.is_some_and(|c| c.is_ascii_lowercase())
                        && self.reading.is_like_latin_1()
                    {
                        self.found.spans += 1;
                        self.found.strong += 1;
                        self.found.add(&restored, [Some(b'a'), None], true);
                    }
                    self.text.push_str(&restored);
                    *rest = without_blank(&restored, after, rest);
                    return;
                }
            }
            let own = &run[place(at)..place(at + 1)];
            if own.chars().all(is_typographic) {
                self.found.others += 1;
                self.text.push_str(own);
            } else {
                self.good(own);
            }
            at += 1;
        }
        let from = place(begun.unwrap_or(bytes.len()));
        self.span(run, from..run.len(), around);
    }

    /// Adds a part of a run. `around` has the characters before and after the run.
    fn span(&mut self, run: &str, part: Range<usize>, around: [Option<char>; 2]) {
        if part.is_empty() {
            return;
        }
        if let Some(decoded) = decoded(&run[part.clone()], self.reading) {
            let before = run[..part.start].chars().next_back().or(around[0]);
            let after = run[part.end..].chars().next().or(around[1]);
            self.add(&run[part], &decoded, [before, after]);
        }
    }
}

/// Returns the text after a restored letter whose last byte had become a space. `with` begins with that space, and
/// `after` is the text after the space.
fn without_blank<'t>(restored: &str, after: &'t str, with: &'t str) -> &'t str {
    // In Portuguese "às" and "àquele", the letter is within a word. Otherwise it ends a word, and a space was lost.
    let is_joined = ["s ", "quele", "quela", "quilo", " "];
    match restored {
        "à" if !is_joined.iter().any(|start| after.starts_with(start)) => with,
        _ => after,
    }
}

/// Returns the length of the UTF-8 sequence that a lead byte begins; 0 for other bytes.
fn sequence_length(byte: u8) -> usize {
    match byte {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => 0,
    }
}

/// Returns an ASCII byte of the same kind as a character that precedes or follows a word.
fn like_ascii(character: char) -> u8 {
    match character {
        _ if character.is_ascii() => character as u8,
        // A letter of another script.
        '\u{250}'.. => b' ',
        _ if character.is_lowercase() => b'a',
        _ if character.is_uppercase() => b'A',
        _ => b' ',
    }
}

/// True if a run beside correct text cannot be correct text itself.
fn is_strong_run(
    run: &str,
    decoded: &str,
    [before, after]: [Option<u8>; 2],
    reading: Reading,
) -> bool {
    let is_lower = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_lowercase());
    let is_sign = matches!(decoded.chars().next(), Some('\u{2010}'..='\u{2026}'));
    if is_sign && run.chars().nth(1).is_some_and(|c| matches!(c, '€' | 'Ђ')) {
        return true;
    }
    let starts_upper = run.starts_with(char::is_uppercase);
    let is_latin = decoded.chars().all(|c| matches!(c, '\u{C0}'..='\u{17F}'));
    if reading.is_double_byte() {
        return false;
    }
    if is_latin && is_lower(before) && reading.is_of_signs() {
        return run.chars().all(|c| !c.is_alphabetic());
    }
    if is_latin && is_lower(before) && starts_upper {
        return is_lower(after) || run.chars().nth(1).is_some_and(|c| !c.is_alphabetic());
    }
    let first = decoded.chars().next().unwrap_or_default();
    let script = SCRIPTS
        .iter()
        .find(|(first_, last)| (*first_..=*last).contains(&u32::from(first)));
    let enough = if reading.has_box_drawing() || reading.is_cyrillic() {
        4
    } else {
        3
    };
    script.is_some_and(|&(first, last)| {
        decoded.chars().count() >= enough
            && decoded
                .chars()
                .all(|c| (first..=last).contains(&u32::from(c)))
    })
}

/// True if ordinary text does not contain `run`, which is UTF-8 for `decoded`.
///
/// The run has a C1 control character, or is a letter and a sign after it. Or it is UTF-8 for a picture (`â™¥`,
/// `ðŸ˜€`), or has a sign for every two characters.
fn is_odd_run(run: &str, decoded: &str, around: [Option<u8>; 2], reading: Reading) -> bool {
    if run.chars().any(is_c1) {
        return true;
    }
    if reading.is_double_byte() {
        // The first two bytes of a sign are a rare character, and half-width katakana does not occur in a Latin word.
        let is_sign = |c: char| matches!(c, '\u{2010}'..='\u{2026}') || c.is_ascii();
        let is_latin = |c: char| matches!(c, '\u{A0}'..='\u{17F}');
        let is_within = around[0].is_some_and(|byte| byte.is_ascii_lowercase());
        return decoded.chars().all(is_sign)
            || is_within
                && run.starts_with(|c| matches!(c, '\u{FF61}'..='\u{FF9F}'))
                && decoded.chars().all(is_latin);
    }
    let is_sign =
        |c: &char| (!c.is_alphabetic() || *c == 'ƒ') && !is_typographic(*c) && *c != '\u{AD}';
    let signs = run.chars().filter(is_sign).count();
    let scalars = decoded.chars().count();
    let is_pairs = run.chars().step_by(2).all(|c| matches!(c, 'Ã' | 'Â'));
    if reading.is_like_latin_1() && scalars >= 2 && is_pairs {
        return true;
    }
    if reading.is_like_latin_1() && scalars == 1 {
        if run.starts_with(['Ã', 'Â']) {
            return signs == 1 || is_odd_letter(run, around);
        }
        if run.starts_with(['Î', 'Ð']) && signs == 1 || decoded == "\u{FFFD}" {
            return true;
        }
    }
    if scalars == 1 && reading.is_of_signs() && is_odd_pair_of_mac(run, around[0]) {
        return true;
    }
    let picture = decoded.chars().next().filter(|_| scalars == 1);
    picture.is_some_and(|picture| is_odd_picture(run, picture, reading))
        || scalars >= 2 && 2 * signs >= scalars
}

/// True if ordinary text does not contain such a run of two characters, such as `Ã¨` and `Â°`, between these bytes.
///
/// A capital letter is unusual within a word. A quotation mark or a space as the second character may follow a word in
/// capitals; then, the run must be at the start of a word or within it.
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

/// True if ordinary text has no such run of two characters from a Mac, such as `√®` and `¬´`, after this byte.
fn is_odd_pair_of_mac(run: &str, before: Option<u8>) -> bool {
    let mut characters = run.chars();
    match (characters.next(), characters.next()) {
        // A root of a sum, or of a number.
        (Some('√'), Some('π' | 'Ω' | '∂' | '∑' | '∏' | '∫' | '∞' | '±' | '≤' | '≥' | '≠')) => {
            false
        }
        (Some('√'), Some(second)) => {
            !second.is_alphabetic() || before.is_some_and(|byte| byte.is_ascii_alphabetic())
        }
        (Some('¬'), second) => matches!(second, Some('´' | 'ª' | '©' | '†' | 'Æ')),
        _ => false,
    }
}

/// True if `character` is a picture, and ordinary text does not contain the run for it.
fn is_odd_picture(run: &str, character: char, reading: Reading) -> bool {
    // Consecutive punctuation characters may follow a word, so such a run is not evidence.
    let ends_a_word = |c: char| {
        matches!(
            c,
            '…' | '‘' | '’' | '“' | '”' | '–' | '—' | '›' | '»' | '\u{A0}'
        )
    };
    is_picture(character)
        && match character {
            '\u{1F000}'.. => !reading.is_double_byte() && !reading.has_box_drawing(),
            _ => {
                reading.is_like_latin_1()
                    && reading != Reading::ISO_8859_15
                    && !run.chars().skip(1).all(ends_a_word)
            }
        }
}

/// True if a character is used as a picture: an arrow, a star, an emoji.
fn is_picture(character: char) -> bool {
    matches!(character,
        '\u{2100}'..='\u{214F}'
        | '\u{2190}'..='\u{23FF}'
        | '\u{2500}'..='\u{27BF}'
        | '\u{2B00}'..='\u{2BFF}'
        | '\u{1F000}'..='\u{1FAFF}'
        // Full-width punctuation, and U+FFFD.
        | '\u{3000}'..='\u{3002}' | '\u{FF01}'..='\u{FF1F}' | '\u{FFFD}'
        // Characters between the parts of an emoji, and after it.
        | '\u{200D}' | '\u{FE0F}')
}

/// Returns the original of a run whose bytes in `reading` are UTF-8. A double-byte character may include an ASCII byte.
pub fn decoded(run: &str, reading: Reading) -> Option<String> {
    let bytes = if reading.is_double_byte() {
        reading.encoding().encode(run).ok()?.into_owned()
    } else {
        // Most runs are shown to be none by their first characters.
        if !is_utf_8(run, reading) {
            return None;
        }
        let bytes = run.chars().map(|character| reading.byte_of(character));
        bytes.collect::<Option<_>>()?
    };
    let text = String::from_utf8(bytes).ok()?;
    let has_ascii = |c: char| reading.is_double_byte() && c.is_ascii_graphic();
    // The characters are a capital letter and an ellipsis of windows-1252, not a phonetic letter.
    if let Some(first @ '\u{180}'..='\u{2AF}') = text.chars().next()
        && !is_letter_of_words(first)
        && run.chars().any(is_c1)
    {
        return None;
    }
    let is_text = text.chars().all(|c| {
        (!c.is_ascii() || has_ascii(c))
            && (!c.is_control() || is_c1(c))
            && !('\u{E000}'..'\u{F900}').contains(&c)
            // Planes without characters, and private-use planes.
            && !matches!(c, '\u{34000}'..='\u{DFFFF}' | '\u{F0000}'..)
    });
    let most = run.chars().count() + usize::from(reading.is_double_byte());
    let count = text.chars().filter(|c| !c.is_ascii()).count();
    (is_text && (run.is_empty() || count > 0) && count < most).then_some(text)
}

/// True if a run may be UTF-8 in a single-byte reading, by the lengths of its sequences.
fn is_utf_8(run: &str, reading: Reading) -> bool {
    let mut tails = 0;
    let mut bytes = run.chars().map(|own| reading.byte_of(own).unwrap_or(0));
    bytes.all(|byte| match tails {
        0 => {
            tails = sequence_length(byte).saturating_sub(1);
            tails > 0
        }
        _ => {
            tails -= 1;
            is_tail(byte)
        }
    }) && tails == 0
}

/// True for the few Latin letters beyond U+0180 that common languages use: Romanian and Vietnamese.
fn is_letter_of_words(character: char) -> bool {
    matches!(
        character,
        'Ơ' | 'ơ' | 'Ư' | 'ư' | 'Ș' | 'ș' | 'Ț' | 'ț' | 'ə' | 'Ə'
    )
}

/// True for a character of the Western readings. If text consists of such characters, it may have been encoded again.
fn is_western(character: char) -> bool {
    [0, 2, 3, 4]
        .iter()
        .any(|&number| Reading(number).byte_of(character).is_some())
}

/// The numbers of characters of each kind in the originals of a line's runs.
#[derive(Default)]
struct Found {
    count: usize,
    /// The characters of Latin-1, and signs that are common in text with them.
    latin: usize,
    /// The Latin letters and signs within or next to a word in lower case.
    within_words: usize,
    /// The characters of unusual runs: within words, or of three-byte signs.
    marked: usize,
    /// The characters of runs with C1 control characters.
    controlled: usize,
    /// Characters of East Asia.
    wide: usize,
    /// The other characters. If there are few, they may be UTF-8 by chance.
    odd: usize,
    /// The typographic signs that are correct already.
    others: usize,
    /// The parts of runs that are correct text.
    good: usize,
    /// The letters whose last byte, 0xA0, was read as U+00A0, which became a space.
    restored: usize,
    /// The number of repaired parts of runs, and the number of these that correct text cannot contain.
    spans: usize,
    strong: usize,
    scripts: [usize; SCRIPTS.len()],
}

/// The blocks of letters that occur in running text. The letters of a line are in one block.
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

/// The indexes of the blocks of Latin letters.
const LATIN: [usize; 2] = [0, 8];

impl Found {
    fn add(&mut self, text: &str, [before, after]: [Option<u8>; 2], is_odd: bool) {
        let is_lower = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_lowercase());
        let is_within = is_lower(before) || is_lower(after);
        for character in text.chars().filter(|c| !c.is_ascii()) {
            let code = u32::from(character);
            self.count += 1;
            let is_elsewhere = is_letter_of_words(character);
            let script = SCRIPTS
                .iter()
                .position(|&(first, last)| (first..=last).contains(&code));
            let script = if is_elsewhere { Some(0) } else { script };
            let is_latin = script.is_some_and(|number| LATIN.contains(&number));
            // Ordinary text has no letters of another script within Latin words.
            let is_half_width = matches!(code, 0xFF61..=0xFFDC);
            let is_foreign = is_within
                && !is_odd
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

    fn is_enough(&self, reading: Reading) -> bool {
        let letters = self.scripts.iter().max().copied().unwrap_or(0);
        // A line is in one script, with a few signs.
        let main = letters.max(self.wide).max(self.latin);
        if self.count == 0 || self.others > self.count && self.strong == 0 {
            return false;
        }
        // No text has controls.
        if 2 * self.controlled >= self.count {
            return true;
        }
        if self.odd * 8 > main {
            return false;
        }
        if reading.is_double_byte() {
            // Chinese text, letters of one script, signs, or letters within several words.
            return self.wide >= 4 && self.wide + self.latin == self.count
                || letters >= 5 && letters == self.count
                || self.strong > 0 && self.strong == self.spans
                || self.spans >= 2 && self.within_words == self.count;
        }
        // Cyrillic words may be UTF-8 for several three-byte characters by chance.
        let is_many = reading.is_cyrillic() || reading == Reading::IBM852;
        let wide = if is_many { 6 } else { 2 };
        if self.wide >= wide || letters >= 3 || self.latin >= 3 && self.within_words >= 1 {
            return true;
        }
        // Several letters, all Western, suffice unless the reading has box-drawing characters.
        let is_western = self.latin + letters == self.count;
        if self.count >= 4 && is_western && !reading.has_box_drawing() {
            return true;
        }
        // A few Western letters suffice if at least half are within words, in unusual runs, or three-byte signs.
        is_western && 2 * self.marked >= self.count
    }
}

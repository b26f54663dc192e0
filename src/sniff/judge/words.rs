//! Words of Latin letters that a wrong encoding breaks: `beлindigd` for `beëindigd`, `Ori뫑tatie` for `Oriëntatie`.
//!
//! A few accents in a long text of ASCII say little by their statistics, but nobody writes a letter of another script, or a
//! sign, within such a word.

use crate::mem;

/// What the runs of characters beyond ASCII in a text are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Words {
    /// Runs within a word of ASCII letters, or at its end, that are no Latin letters.
    broken: usize,
    /// Runs at such places that are Latin letters as they are written there.
    letters: usize,
    /// Other runs.
    others: usize,
}

impl Words {
    /// Counts those of a text.
    pub fn of(text: &str) -> Self {
        let mut words = Self::default();
        let mut rest = text;
        loop {
            let (ascii, others) = rest.split_at(mem::ascii_prefix_len(rest.as_bytes()));
            if others.is_empty() {
                return words;
            }
            let len = others.find(|c: char| c.is_ascii());
            let (run, after) = others.split_at(len.unwrap_or(others.len()));
            // The letter of `\n` is none of the word after it.
            let before = match ascii.as_bytes() {
                [] | [.., b'\\', _] => None,
                [.., last] => Some(*last),
            };
            words.add(before, run, after.bytes().next());
            rest = after;
        }
    }

    fn add(&mut self, before: Option<u8>, run: &str, after: Option<u8>) {
        let is_letter = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_alphabetic());
        let is_small = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_lowercase());
        let (is_within, ends_word) = (is_letter(before) && is_letter(after), is_small(before));
        if run.chars().all(|c| joins_words(c) || is_quote(c)) {
            // Quotes are around words.
            let has_quotes_alone = run.chars().all(is_quote);
            self.broken += usize::from(ends_word && is_small(after) && has_quotes_alone);
            return;
        }
        let mut characters = run.chars().filter(|c| !joins_words(*c) && !is_quote(*c));
        // A capital does not follow a small letter.
        let is_foreign =
            |c: char| c.is_alphabetic() && (!is_latin(c) || ends_word && c.is_uppercase());
        let has_foreign = characters.clone().any(is_foreign);
        let has_sign = characters.clone().any(|c| !c.is_alphabetic());
        if is_within && (has_foreign || has_sign) || ends_word && has_foreign {
            self.broken += 1;
        } else if (is_within || ends_word) && characters.all(is_latin) {
            self.letters += 1;
        } else {
            // Before a word, a letter may be a sign of physics: `Δx`.
            self.others += 1;
        }
    }

    /// Whether this reading breaks most words, so that the text is hardly as it was written.
    pub fn are_broken(self) -> bool {
        self.broken > self.letters + self.others
    }

    /// Whether this reading has letters, or what joins words, wherever another one breaks words.
    pub fn mend(self, broken: Self) -> bool {
        self.broken == 0 && self.letters > 0 && self.others <= broken.others
    }
}

/// Whether a sign may stand between the letters of two words, or of one, without a space: `it’s`, `m³h`, `news»sport`.
fn joins_words(character: char) -> bool {
    matches!(
        character,
        '\u{A0}'..='\u{BF}' | '×' | '÷' | '\u{2010}'..='\u{2015}' | '’' | '•' | '…' | '‹' | '›' | '™' | '−' | '\u{FFFD}'
    ) && !character.is_alphabetic()
}

/// Whether a sign stands before words or after them. That of an apostrophe, which is within them too, is none.
fn is_quote(character: char) -> bool {
    matches!(character, '‘' | '‚' | '“' | '”' | '„')
}

/// Whether a letter is one of Latin script, or the sign of micro.
fn is_latin(character: char) -> bool {
    matches!(
        character,
        '\u{AA}' | 'µ' | '\u{BA}' | 'À'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}' | '\u{FB00}'..='\u{FB06}'
    )
}

#[cfg(test)]
mod tests {
    use super::Words;

    /// Runs that break words, those that are letters of words, and others.
    fn check(text: &str, broken: usize, letters: usize, others: usize) {
        let expected = Words {
            broken,
            letters,
            others,
        };
        assert_eq!(Words::of(text), expected, "{text}");
    }

    #[test]
    fn letters_of_another_script_and_signs_break_words() {
        check("beлindigd", 1, 0, 0);
        check("cafй au lait, cafй", 2, 0, 0);
        check("Ori뫑tatie", 1, 0, 0);
        check("Gr†te, Inici‡vel", 2, 0, 0);
        check("seri‘le, ov”r", 2, 0, 0);
        check("jŠsennys, nimellŠ", 2, 0, 0);
    }

    #[test]
    fn latin_letters_in_words_and_words_of_another_script_do_not() {
        check("beëindigd, café, the café’s, Öl, kéž", 0, 4, 1);
        check("где readme.txt, там и хлеб", 0, 0, 4);
        check("Δx, 5µm", 0, 0, 2);
        check("KÄSE, MÜNCHEN", 0, 2, 0);
    }

    #[test]
    fn what_joins_words_is_no_run() {
        check("it’s word—word\u{A0}and so on…then l·l", 0, 0, 0);
        check("“quoted”, a „word“ • or ‘this’—“that”", 0, 0, 0);
        check("news»sport›red•green, m³h, a±b, one¶two, x¹y", 0, 0, 0);
    }

    /// The letter of an escape is none of the word.
    #[test]
    fn escapes_are_not_within_words() {
        check("\\nПривет, nя\\nя", 1, 0, 2);
    }

    #[test]
    fn a_reading_mends_what_another_one_breaks_if_it_has_letters_there() {
        let broken = Words::of("beлindigd");
        assert!(broken.are_broken());
        assert!(Words::of("beëindigd").mend(broken));
        assert!(!Words::of("be‰indigd").mend(broken));
        assert!(!Words::of("be—indigd").mend(broken));
        assert!(!Words::of("beindigd ¤").mend(broken));
        // One word in many.
        assert!(!Words::of("pdfом, файл, файл").are_broken());
    }
}

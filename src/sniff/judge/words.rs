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
    /// Runs of Latin letters that no language has next to one another. One of them is enough.
    impossible: usize,
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
            words.add(last_word(ascii.as_bytes()), run, first_word(after));
            rest = after;
        }
    }

    fn add(&mut self, before: &[u8], run: &str, after: &[u8]) {
        let (is_within, ends_word) = (
            !before.is_empty() && !after.is_empty(),
            is_small(before.last()),
        );
        if run.chars().all(|c| joins_words(c) || is_quote(c)) {
            // Quotes are around words.
            let are_quotes = run.chars().all(is_quote);
            let is_between = ends_word && is_small(after.first());
            self.broken += usize::from(is_between && (are_quotes || is_torn(before, run, after)));
            return;
        }
        if has_impossible_letters(run) {
            self.impossible += 1;
            return;
        }
        let mut characters = run.chars().filter(|c| !joins_words(*c) && !is_quote(*c));
        // A capital does not follow a small letter, nor does a small one follow capitals that begin a word.
        let are_capitals = run.chars().all(char::is_uppercase)
            && is_small(after.first())
            && match before {
                [] => run.chars().count() > 1,
                [one] => one.is_ascii_uppercase() && after.len() > 1,
                _ => false,
            };
        let is_foreign = |c: char| {
            (!is_latin(c) || (ends_word || are_capitals) && c.is_uppercase()) && c.is_alphabetic()
        };
        let is_price = run == "€"
            && before.is_empty()
            && after.len() > 2
            && after.iter().all(u8::is_ascii_lowercase);
        let has_foreign = characters.clone().any(is_foreign);
        let has_sign = characters
            .clone()
            .any(|c| !is_latin(c) && !c.is_alphabetic());
        if is_within && (has_foreign || has_sign)
            || (ends_word || are_capitals) && has_foreign
            || is_price
        {
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
        self.impossible > 0 || self.broken > self.letters + self.others
    }

    /// Whether this reading has letters, or what joins words, wherever another one breaks words.
    pub fn mend(self, broken: Self) -> bool {
        (self.broken, self.impossible) == (0, 0) && self.letters > 0 && self.others <= broken.others
    }
}

/// Whether letters of Icelandic stand next to the nasal vowels of Portuguese and Estonian: Vietnamese read in windows-1252.
fn has_impossible_letters(run: &str) -> bool {
    run.contains(['ý', 'ð', 'þ', 'Ý', 'Ð', 'Þ']) && run.contains(['ã', 'õ', 'Ã', 'Õ'])
}

/// The letters of ASCII at the end of a text.
fn last_word(text: &[u8]) -> &[u8] {
    let letters = text
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_alphabetic());
    let word = &text[text.len() - letters.count()..];
    // The letter of `\n` is none of the word after it.
    match text[..text.len() - word.len()].last() {
        Some(b'\\') => word.get(1..).unwrap_or_default(),
        _ => word,
    }
}

/// The letters of ASCII at the start of a text.
fn first_word(text: &str) -> &[u8] {
    let letters = text.bytes().take_while(u8::is_ascii_alphabetic);
    &text.as_bytes()[..letters.count()]
}

/// What follows an apostrophe in words that are shortened, other than a word that begins with a vowel or with H.
const SHORTENED: [&[u8]; 15] = [
    b"s", b"t", b"d", b"m", b"n", b"r", b"ll", b"re", b"ve", b"ne", b"til", b"tis", b"twas",
    b"cause", b"bout",
];

fn is_small(letter: Option<&u8>) -> bool {
    letter.is_some_and(u8::is_ascii_lowercase)
}

/// Whether two words of small letters with a sign between them are none: `fam’lia`, `lizaci—n`, `ge•nstalleerd`.
fn is_torn(before: &[u8], run: &str, after: &[u8]) -> bool {
    if run == "’" {
        // A name may have an apostrophe in front of a consonant.
        let is_name = !is_small(before.first());
        let may_follow = |first: u8| first == b'h' || is_vowel(first);
        return !is_name && !may_follow(after[0]) && !SHORTENED.contains(&after);
    }
    let is_consonant = |word: &[u8]| matches!(word, [one] if !is_vowel(*one));
    // Names of variables have one letter each.
    let are_variables = before.len() == 1 && after.len() == 1 && run.chars().count() == 1;
    let has_piece = is_consonant(before) || is_consonant(after);
    begins_no_word(after)
        || run.chars().all(is_of_number_or_question)
        || run.chars().all(|c| matches!(c, '—' | '•')) && has_piece && !are_variables
}

fn is_vowel(letter: u8) -> bool {
    b"aeiouy".contains(&letter.to_ascii_lowercase())
}

/// Whether no word of several letters begins like that: with L, N or R before a consonant, except for some languages.
fn begins_no_word(word: &[u8]) -> bool {
    match word {
        [b'l', b'l', ..] | [b'n', b'g', ..] | [_, b'h', ..] => false,
        [b'l' | b'n' | b'r', second, _, _, ..] => !is_vowel(*second),
        _ => false,
    }
}

/// Whether a sign stands with numbers, or before a question, and never between letters.
fn is_of_number_or_question(character: char) -> bool {
    matches!(
        character,
        '¡' | '¿' | '¢'..='¥' | '¨' | '¯' | '¸' | '¼'..='¾'
    )
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
            ..Words::default()
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

    /// What is left of a word, as a word of its own.
    #[test]
    fn signs_that_leave_pieces_of_words_break_them() {
        for torn in [
            "fam’lia",
            "l’der",
            "estat’sticas",
            "lizaci—n",
            "c—digo",
            "v——r",
            "ge•nstalleerd",
            "be•nvloeden",
            "ge—rrigeerd",
            "Konged¿mme",
            "Europ¾iske",
            "n£mero",
            "direcci¢n",
        ] {
            check(torn, 1, 0, 0);
        }
        for whole in [
            "l’eau, j’aime, d’hier",
            "it’s, don’t, we’ll, they’re, he’d, I’m, zo’n",
            "Ankara’da, M’bala",
            "word—word, red•green",
            "x—y, n–k",
            "news•nhl",
            "page—long, end•llama, a•rhyme, a•ngo",
            "5½x, a¼, ¿y, £x, 5£",
        ] {
            check(whole, 0, 0, 0);
        }
    }

    /// Capitals before small letters that begin no word, and the sign of a currency before a word.
    #[test]
    fn capitals_and_prices_that_are_none_break_words() {
        check("ŽŽn, RŽorganiser", 2, 0, 0);
        // An abbreviation in the plural.
        check("RŽo", 0, 1, 0);
        check("€ldsta", 1, 0, 0);
        check("ÉCOLE, Émile, RÉ", 0, 0, 3);
        check("€5, €ur, 5€", 0, 0, 3);
    }

    #[test]
    fn letters_that_no_language_has_together_are_impossible() {
        for (text, impossible) in [
            ("phýõng", 1),
            ("ðõn", 1),
            ("São, sýn, Þór", 0),
            ("õý, ãð", 2),
        ] {
            let words = Words::of(text);
            assert_eq!(words.impossible, impossible, "{text}");
            assert_eq!(words.are_broken(), impossible > 0, "{text}");
            assert_eq!(words.mend(words), impossible == 0, "{text}");
        }
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

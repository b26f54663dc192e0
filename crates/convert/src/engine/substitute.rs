//! Substitutes for unmappable characters, tried before the error mode.

use mojika::{Encoder, Status};

/// The substitutes to try, in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Substitutes {
    /// The other mapping of a character of JIS X 0208 to Unicode.
    pub jis_variants: bool,
    /// A canonically equivalent sequence of characters, such as a letter and its mark.
    pub decompose: bool,
    /// ASCII with a similar sound or look.
    pub translit: bool,
}

impl Substitutes {
    /// Returns the substitute for `character`, if `encoder` can write it in its state.
    pub fn of(self, character: char, encoder: &Encoder) -> Option<String> {
        let jis = || self.jis_variants.then(|| jis_variant(character)).flatten();
        let apart = || {
            self.decompose
                .then(|| decomposed(character))
                .into_iter()
                .flatten()
        };
        let ascii = || self.translit.then(|| transliterated(character)).flatten();
        let fits = |text: &String| can_write(encoder, text);
        jis()
            .filter(fits)
            .or_else(|| apart().find(fits))
            .or_else(|| ascii().filter(fits))
    }
}

/// True if the encoder, in its current state, can write all of `text`.
fn can_write(encoder: &Encoder, text: &str) -> bool {
    let mut encoder = encoder.clone();
    let mut scratch = vec![0; 16 * text.len() + 16];
    let progress = encoder.encode(text, &mut scratch[..], false);
    progress.status == Status::InputEmpty
}

/// Maps a character to the one that Windows has for the same cell of JIS X 0208, or back.
fn jis_variant(character: char) -> Option<String> {
    // JIS X 0208 has one character in each of these cells, with two mappings to Unicode.
    const PAIRS: [(char, char); 8] = [
        ('\u{301C}', '\u{FF5E}'), // WAVE DASH, FULLWIDTH TILDE
        ('\u{2016}', '\u{2225}'), // DOUBLE VERTICAL LINE, PARALLEL TO
        ('\u{2212}', '\u{FF0D}'), // MINUS SIGN, FULLWIDTH HYPHEN-MINUS
        ('\u{2014}', '\u{2015}'), // EM DASH, HORIZONTAL BAR
        ('\u{00A2}', '\u{FFE0}'), // CENT SIGN
        ('\u{00A3}', '\u{FFE1}'), // POUND SIGN
        ('\u{00AC}', '\u{FFE2}'), // NOT SIGN
        ('\u{00A6}', '\u{FFE4}'), // BROKEN BAR
    ];
    let other = PAIRS.iter().find_map(|&(one, other)| match character {
        _ if character == one => Some(other),
        _ if character == other => Some(one),
        _ => None,
    });
    other.map(String::from)
}

/// Returns canonically equivalent texts of several characters, those with the fewest separate marks first.
fn decomposed(character: char) -> Vec<String> {
    use unicode_normalization::UnicodeNormalization;
    let apart: String = std::iter::once(character).nfd().collect();
    let marks: Vec<_> = apart.char_indices().skip(1).collect();
    // The first texts have one separate mark each. In the last text, all marks are separate.
    let mut candidates: Vec<String> = marks
        .iter()
        .rev()
        .map(|&(at, mark)| {
            let rest = [&apart[..at], &apart[at + mark.len_utf8()..]].concat();
            let mut text: String = rest.nfc().collect();
            text.push(mark);
            text
        })
        .collect();
    candidates.push(apart.clone());
    candidates.retain(|text| text.chars().count() > 1 && text.nfd().eq(apart.chars()));
    candidates
}

/// Returns the ASCII transliteration of a character, if there is one.
fn transliterated(character: char) -> Option<String> {
    let text = any_ascii::any_ascii_char(character);
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(
        substitutes: Substitutes,
        character: char,
        to: &'static mojika::Encoding,
    ) -> Option<String> {
        substitutes.of(character, &to.new_encoder().unwrap())
    }

    #[test]
    fn substitutes_are_what_the_encoding_has() {
        let jis = Substitutes {
            jis_variants: true,
            ..Substitutes::default()
        };
        assert_eq!(written(jis, '〜', mojika::SHIFT_JIS).unwrap(), "～");
        assert_eq!(written(jis, '—', mojika::SHIFT_JIS).unwrap(), "―");
        assert_eq!(written(jis, '〜', mojika::WINDOWS_1252), None);
        assert_eq!(
            written(Substitutes::default(), '〜', mojika::SHIFT_JIS),
            None
        );
    }

    #[test]
    fn every_vietnamese_letter_can_be_written_in_windows_1258() {
        let apart = Substitutes {
            decompose: true,
            ..Substitutes::default()
        };
        let nfd = icu_normalizer::DecomposingNormalizerBorrowed::new_nfd();
        let letters = "ạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹẠẢẤẦẨẪẬẮẰẲẴẶẸẺẼẾỀỂỄỆỈỊỌỎỐỒỔỖỘỚỜỞỠỢỤỦỨỪỬỮỰỲỴỶỸ";
        for letter in letters.chars() {
            let text = written(apart, letter, mojika::WINDOWS_1258).unwrap();
            assert_eq!(nfd.normalize(&text), nfd.normalize(&letter.to_string()));
            assert_eq!(text.chars().count(), 2, "{letter}");
        }
        assert_eq!(written(apart, 'ő', mojika::WINDOWS_1252), None);
        assert_eq!(written(apart, '文', mojika::WINDOWS_1258), None);
    }

    #[test]
    fn transliterations_are_written_only_whole() {
        let translit = Substitutes {
            translit: true,
            ..Substitutes::default()
        };
        let ascii = mojika::extended::US_ASCII;
        assert_eq!(written(translit, 'é', ascii).unwrap(), "e");
        assert_eq!(written(translit, '€', ascii).unwrap(), "EUR");
        assert_eq!(written(translit, '\u{E000}', ascii), None);
    }
}

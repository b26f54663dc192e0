//! uchardet's functions over the detector, with iconv's names of encodings.

use crate::args;
use crate::encoding::{Names, name_in, names};
use core::ffi::{CStr, c_char, c_int};
use mojika::Encoding;
use mojika_sniff::detect::{Content, DetectHints, Detector, Guess, Ranking, detect};

/// The probability from which on a guess among the Standard's encodings is accepted. Of 212 pieces of 300 characters in DOS
/// code pages (737, 850, 855), none reached it for a Standard encoding.
const SURE: f32 = 0.9;

/// The minimum probability of an answer, as in uchardet.
const MIN_PROBABILITY: f32 = 0.2;

/// The maximum number of bytes kept. Detection is faster over whole input than in chunks, and a detector is larger than
/// most short texts.
const KEPT: usize = 16 * 1024;

/// `struct uchardet`.
#[derive(Debug)]
pub struct Uchardet {
    /// All input, while there is no detector.
    kept: Vec<u8>,
    detector: Option<Box<Detector>>,
    /// The first bytes, which may be a byte order mark.
    head: [u8; 4],
    length: u64,
    /// The ranking, computed at the end of the input.
    ranking: Option<Ranking>,
}

impl Uchardet {
    fn new() -> Self {
        Self {
            kept: Vec::new(),
            detector: None,
            head: [0; 4],
            length: 0,
            ranking: None,
        }
    }

    fn feed(&mut self, bytes: &[u8]) {
        let from = usize::try_from(self.length).unwrap_or(usize::MAX);
        if let Some(free) = self.head.get_mut(from..) {
            for (to, &byte) in free.iter_mut().zip(bytes) {
                *to = byte;
            }
        }
        self.length += bytes.len() as u64;
        if from >= self.head.len() && self.mark().is_some() {
            return;
        }
        if self.detector.is_none() && bytes.len() <= KEPT - self.kept.len() {
            self.kept.extend_from_slice(bytes);
            return;
        }
        let detector = self.detector.get_or_insert_with(|| {
            let mut detector = Box::new(Detector::new());
            detector.feed(&self.kept);
            self.kept = Vec::new();
            detector
        });
        detector.feed(bytes);
    }

    /// Returns the name of the encoding whose byte order mark starts the input. The name has no byte order, because
    /// iconv reads it from the mark.
    fn mark(&self) -> Option<&'static CStr> {
        match self.head[..self.length.min(4) as usize] {
            [0, 0, 0xFE, 0xFF] | [0xFF, 0xFE, 0, 0] => Some(c"UTF-32"),
            [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => Some(c"UTF-16"),
            [0xEF, 0xBB, 0xBF, ..] => Some(c"UTF-8"),
            _ => None,
        }
    }

    fn end(&mut self) {
        if self.mark().is_some() {
            self.ranking = Some(Ranking::empty());
            return;
        }
        // Detection of encodings outside the Standard takes four times as long. It only matters if no encoding of the
        // Standard is certain.
        let standard = self.ranked(false);
        let is_sure = standard.iter().next().is_some_and(|best| {
            standard.content() == Content::Text && best.probability >= SURE && is_answer(best)
        });
        let extended = (!is_sure).then(|| self.ranked(true));
        // If no answer is above the threshold, the best guess is one of the Standard's encodings.
        self.ranking = extended
            .filter(|ranking| ranking.iter().any(is_answer))
            .or(Some(standard));
    }

    /// Ranks all input, with or without encodings outside the Standard.
    fn ranked(&self, extended: bool) -> Ranking {
        let hints = DetectHints {
            extended,
            ..Default::default()
        };
        match &self.detector {
            Some(detector) => detector.finish(&hints),
            None => detect(&self.kept, &hints),
        }
    }

    /// Returns the ranking after the end of the input; `None` for empty input.
    fn ranking(&self) -> Option<&Ranking> {
        self.ranking.as_ref().filter(|_| self.length > 0)
    }

    /// Returns the number of answers.
    fn count(&self) -> usize {
        let Some(ranking) = self.ranking() else {
            return 0;
        };
        match ranking.content() {
            _ if self.mark().is_some() => 1,
            Content::Ascii => 1,
            Content::Text => answers(ranking).count(),
            _ => 0,
        }
    }

    /// Returns the name, the probability and the language of the answer at index `place`.
    fn answer(&self, place: usize) -> Option<(&'static CStr, f32, Option<&'static str>)> {
        let ranking = self.ranking()?;
        if let Some(mark) = self.mark() {
            return (place == 0).then_some((mark, 1.0, None));
        }
        let guess = match ranking.content() {
            Content::Ascii if place == 0 => return Some((c"ASCII", 1.0, None)),
            Content::Text => answers(ranking).nth(place)?,
            _ => return None,
        };
        let name = name(guess.encoding);
        Some((name, guess.probability, guess.language))
    }
}

/// True if a guess is reported as an answer.
fn is_answer(guess: &Guess) -> bool {
    guess.probability >= MIN_PROBABILITY && is_named(guess)
}

fn is_named(guess: &Guess) -> bool {
    !name(guess.encoding).is_empty()
}

/// Returns the answers of a ranking, always with the best guess, because uchardet has an answer for any text.
fn answers(ranking: &Ranking) -> impl Iterator<Item = &Guess> {
    let best = ranking.iter().find(|guess| is_named(guess));
    let best = best.map(|best| best.encoding);
    ranking
        .iter()
        .filter(move |guess| is_answer(guess) || best == Some(guess.encoding))
}

/// Returns iconv's name for an encoding, or for the smallest encoding with all its characters; empty for no name.
fn name(encoding: &'static Encoding) -> &'static CStr {
    static NAMES: Names = names(true);
    let name = name_in(&NAMES, encoding);
    match name.to_bytes() {
        b"GBK" => c"GB18030",
        b"EUC-KR" => c"UHC",
        b"ISO-8859-8-I" => c"ISO-8859-8",
        b"X-MAC-CYRILLIC" => c"MAC-CYRILLIC",
        b"US-ASCII" => c"ASCII",
        b"IBM737" => c"CP737",
        // The C library's iconv lacks HZ. This is uchardet's name for it.
        b"HZ" => c"HZ-GB-2312",
        b"REPLACEMENT" | b"X-USER-DEFINED" => c"",
        b"UTF-32BE" | b"UTF-32LE" | b"UTF-7" | b"ISO-8859-1" | b"ISO-8859-9" | b"ISO-8859-11" => {
            name
        }
        // IBM's code pages and the other ISO-2022 encodings have the same names everywhere.
        known if known.starts_with(b"IBM") || known.starts_with(b"ISO-2022-") => name,
        _ if Encoding::all().contains(&encoding) => name,
        _ => c"",
    }
}

/// Returns a new detector on the heap.
#[unsafe(no_mangle)]
pub extern "C" fn mojika_uchardet_new() -> Box<Uchardet> {
    Box::new(Uchardet::new())
}

/// Frees a detector.
#[unsafe(no_mangle)]
pub extern "C" fn mojika_uchardet_delete(ud: Option<Box<Uchardet>>) {
    drop(ud);
}

/// Reads the next chunk. Returns 0, or 1 for invalid arguments.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mojika_uchardet_handle_data(
    ud: Option<&mut Uchardet>,
    data: *const c_char,
    length: usize,
) -> c_int {
    // SAFETY: uchardet.h requires `length` bytes at `data`.
    let bytes = unsafe { args::slice(data.cast::<u8>(), length) };
    match (ud, bytes) {
        (Some(this), Some(bytes)) => {
            this.feed(bytes);
            0
        }
        _ => 1,
    }
}

/// Ends the input.
#[unsafe(no_mangle)]
pub extern "C" fn mojika_uchardet_data_end(ud: Option<&mut Uchardet>) {
    if let Some(this) = ud {
        this.end();
    }
}

/// Resets a detector.
#[unsafe(no_mangle)]
pub extern "C" fn mojika_uchardet_reset(ud: Option<&mut Uchardet>) {
    if let Some(this) = ud {
        *this = Uchardet::new();
    }
}

/// Returns the name of the best answer; empty for none.
#[unsafe(no_mangle)]
pub extern "C" fn mojika_uchardet_get_charset(ud: Option<&Uchardet>) -> *const c_char {
    mojika_uchardet_get_encoding(ud, 0)
}

/// Returns the number of answers.
#[unsafe(no_mangle)]
pub extern "C" fn mojika_uchardet_get_n_candidates(ud: Option<&Uchardet>) -> usize {
    ud.map_or(0, Uchardet::count)
}

/// Returns the name of an answer; empty for none.
#[unsafe(no_mangle)]
pub extern "C" fn mojika_uchardet_get_encoding(
    ud: Option<&Uchardet>,
    candidate: usize,
) -> *const c_char {
    let answer = ud.and_then(|this| this.answer(candidate));
    answer.map_or(c"", |(name, ..)| name).as_ptr()
}

/// Returns the probability of an answer, from 0 to 1.
#[unsafe(no_mangle)]
pub extern "C" fn mojika_uchardet_get_confidence(ud: Option<&Uchardet>, candidate: usize) -> f32 {
    let answer = ud.and_then(|this| this.answer(candidate));
    answer.map_or(0.0, |(_, probability, _)| probability)
}

/// Returns the language of an answer as an ISO 639-1 code; null if statistics did not decide.
#[unsafe(no_mangle)]
pub extern "C" fn mojika_uchardet_get_language(
    ud: Option<&Uchardet>,
    candidate: usize,
) -> *const c_char {
    /// The codes of the detector's languages, each with a zero terminator.
    static CODES: &[u8] =
        b"ar\0be\0bg\0cs\0da\0de\0el\0en\0es\0et\0fa\0fi\0fr\0he\0hr\0hu\0is\0it\0ja\0ko\0lt\0\
        lv\0mk\0nb\0nl\0no\0pl\0pt\0ro\0ru\0sk\0sl\0sr\0sv\0th\0tr\0uk\0vi\0zh\0";
    let language = ud.and_then(|this| this.answer(candidate)?.2);
    let wanted = language.and_then(|tag| tag.split('-').next());
    let mut codes = CODES.chunks_exact(3);
    let code = wanted.and_then(|wanted| codes.find(|code| &code[..2] == wanted.as_bytes()));
    code.map_or(core::ptr::null(), |code| code.as_ptr().cast())
}

/// Does nothing: in uchardet, this function weights a language, but mojika's probabilities need no weights.
#[unsafe(no_mangle)]
pub extern "C" fn mojika_uchardet_weigh_language(
    _ud: Option<&mut Uchardet>,
    _language: *const c_char,
    _weight: f32,
) {
}

/// Does nothing: in uchardet, this function weights all other languages, but mojika's probabilities need no weights.
#[unsafe(no_mangle)]
pub extern "C" fn mojika_uchardet_set_default_weight(_ud: Option<&mut Uchardet>, _weight: f32) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_do_not_depend_on_how_input_is_cut() {
        let texts = [
            "Привет, мир! ".repeat(2000).into_bytes(),
            mojika::WINDOWS_1251
                .encode(&"Привет, мир! ".repeat(2000))
                .unwrap()
                .into_owned(),
            mojika::SHIFT_JIS
                .encode(&"これは日本語の文です。".repeat(3000))
                .unwrap()
                .into_owned(),
            b"plain ASCII ".repeat(2000),
            b"\xFF\xFEa\0b\0".to_vec(),
            b"\xFF\xFE\0\0a\0\0\0".to_vec(),
            b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR".to_vec(),
        ];
        for text in &texts {
            for end in [4, 300, KEPT - 1, KEPT, KEPT + 1, text.len()] {
                let text = &text[..end.min(text.len())];
                let answers = [1, 7, KEPT, KEPT + 1].map(|size| {
                    let mut this = Uchardet::new();
                    text.chunks(size).for_each(|chunk| this.feed(chunk));
                    this.end();
                    let answers = (0..this.count()).map(|place| this.answer(place));
                    answers.collect::<Vec<_>>()
                });
                assert!(
                    answers.iter().all(|answer| *answer == answers[0]),
                    "{answers:?}"
                );
            }
        }
    }
}

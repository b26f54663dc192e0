//! uchardet's functions over the detector, with iconv's names of encodings.

use crate::args;
use core::ffi::{CStr, c_char, c_int};
use mojika::{Encoding, extended};
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

/// Returns iconv's name for an encoding, or for the smallest one with all of its characters; empty without either.
fn name(encoding: &'static Encoding) -> &'static CStr {
    static NAMES: &[(&Encoding, &CStr)] = &[
        (mojika::UTF_8, c"UTF-8"),
        (mojika::IBM866, c"IBM866"),
        (mojika::ISO_8859_2, c"ISO-8859-2"),
        (mojika::ISO_8859_3, c"ISO-8859-3"),
        (mojika::ISO_8859_4, c"ISO-8859-4"),
        (mojika::ISO_8859_5, c"ISO-8859-5"),
        (mojika::ISO_8859_6, c"ISO-8859-6"),
        (mojika::ISO_8859_7, c"ISO-8859-7"),
        (mojika::ISO_8859_8, c"ISO-8859-8"),
        (mojika::ISO_8859_8_I, c"ISO-8859-8"),
        (mojika::ISO_8859_10, c"ISO-8859-10"),
        (mojika::ISO_8859_13, c"ISO-8859-13"),
        (mojika::ISO_8859_14, c"ISO-8859-14"),
        (mojika::ISO_8859_15, c"ISO-8859-15"),
        (mojika::ISO_8859_16, c"ISO-8859-16"),
        (mojika::KOI8_R, c"KOI8-R"),
        (mojika::KOI8_U, c"KOI8-U"),
        (mojika::MACINTOSH, c"MACINTOSH"),
        (mojika::WINDOWS_874, c"WINDOWS-874"),
        (mojika::WINDOWS_1250, c"WINDOWS-1250"),
        (mojika::WINDOWS_1251, c"WINDOWS-1251"),
        (mojika::WINDOWS_1252, c"WINDOWS-1252"),
        (mojika::WINDOWS_1253, c"WINDOWS-1253"),
        (mojika::WINDOWS_1254, c"WINDOWS-1254"),
        (mojika::WINDOWS_1255, c"WINDOWS-1255"),
        (mojika::WINDOWS_1256, c"WINDOWS-1256"),
        (mojika::WINDOWS_1257, c"WINDOWS-1257"),
        (mojika::WINDOWS_1258, c"WINDOWS-1258"),
        (mojika::X_MAC_CYRILLIC, c"MAC-CYRILLIC"),
        (mojika::GBK, c"GB18030"),
        (mojika::GB18030, c"GB18030"),
        (mojika::BIG5, c"BIG5"),
        (mojika::EUC_JP, c"EUC-JP"),
        (mojika::ISO_2022_JP, c"ISO-2022-JP"),
        // The Standard's Shift_JIS includes Windows' extensions.
        (mojika::SHIFT_JIS, c"SHIFT_JIS"),
        (mojika::EUC_KR, c"UHC"),
        (mojika::UTF_16BE, c"UTF-16BE"),
        (mojika::UTF_16LE, c"UTF-16LE"),
        (extended::UTF_32BE, c"UTF-32BE"),
        (extended::UTF_32LE, c"UTF-32LE"),
        (extended::ISO_8859_1, c"ISO-8859-1"),
        (extended::ISO_8859_9, c"ISO-8859-9"),
        (extended::ISO_8859_11, c"ISO-8859-11"),
        (extended::US_ASCII, c"ASCII"),
    ];
    let found = NAMES.iter().find(|(known, _)| *known == encoding);
    if let Some((_, name)) = found {
        return name;
    }
    let name = crate::encoding::name_of(encoding);
    match name.to_bytes() {
        b"IBM737" => c"CP737",
        // The C library's iconv lacks HZ. This is uchardet's name for it.
        b"HZ" => c"HZ-GB-2312",
        // IBM's code pages and the other ISO-2022 encodings have the same names everywhere.
        known if known.starts_with(b"IBM") || known.starts_with(b"ISO-2022-") => name,
        b"UTF-7" => name,
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
    static CODES: &[(&str, &CStr)] = &[
        ("ar", c"ar"),
        ("be", c"be"),
        ("bg", c"bg"),
        ("cs", c"cs"),
        ("da", c"da"),
        ("de", c"de"),
        ("el", c"el"),
        ("en", c"en"),
        ("es", c"es"),
        ("et", c"et"),
        ("fa", c"fa"),
        ("fi", c"fi"),
        ("fr", c"fr"),
        ("he", c"he"),
        ("hr", c"hr"),
        ("hu", c"hu"),
        ("is", c"is"),
        ("it", c"it"),
        ("ja", c"ja"),
        ("ko", c"ko"),
        ("lt", c"lt"),
        ("lv", c"lv"),
        ("mk", c"mk"),
        ("nb", c"nb"),
        ("nl", c"nl"),
        ("no", c"no"),
        ("pl", c"pl"),
        ("pt", c"pt"),
        ("ro", c"ro"),
        ("ru", c"ru"),
        ("sk", c"sk"),
        ("sl", c"sl"),
        ("sr", c"sr"),
        ("sv", c"sv"),
        ("th", c"th"),
        ("tr", c"tr"),
        ("uk", c"uk"),
        ("vi", c"vi"),
        ("zh", c"zh"),
        ("zh-CN", c"zh"),
        ("zh-TW", c"zh"),
    ];
    let language = ud.and_then(|this| this.answer(candidate)?.2);
    let code = language.and_then(|tag| CODES.iter().find(|(known, _)| *known == tag));
    code.map_or(core::ptr::null(), |(_, code)| code.as_ptr())
}

/// Does nothing: uchardet gives a language a weight here, which these probabilities do not need.
#[unsafe(no_mangle)]
pub extern "C" fn mojika_uchardet_weigh_language(
    _ud: Option<&mut Uchardet>,
    _language: *const c_char,
    _weight: f32,
) {
}

/// Does nothing: uchardet gives all other languages a weight here, which these probabilities do not need.
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

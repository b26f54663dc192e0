//! Detection: guesses at the encoding of bytes.

use crate::args;
use crate::progress::*;
use crate::sniff::text;
use crate::statics::{CEncoding, COUNT, EncodingOrNull};
use core::ffi::{c_char, c_int};
use mojika::{Encoding, UTF_8};
use mojika_sniff::detect::{Content, DetectHints, Detector, Ranking, detect};

/// `mojika_detect_hints`.
#[derive(Debug)]
#[repr(C)]
pub struct CDetectHints {
    tld: *const c_char,
    locale: *const c_char,
    allowed: *const &'static CEncoding,
    allowed_count: usize,
    denied: *const &'static CEncoding,
    denied_count: usize,
    extended: c_int,
    strip_markup: c_int,
}

/// `mojika_guess`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CGuess {
    encoding: EncodingOrNull,
    malformed: u64,
    probability: f32,
    language: [c_char; 12],
}

/// `mojika_ranking`.
#[derive(Debug)]
#[repr(C)]
pub struct CRanking {
    guesses: [CGuess; Ranking::MAX_GUESSES],
    count: usize,
    bytes_read: u64,
    content: c_int,
    name: [c_char; 28],
}

impl CRanking {
    fn new(ranking: &Ranking) -> Self {
        let (content, name) = match ranking.content() {
            Content::Ascii => (0, ""),
            Content::Text => (1, ""),
            Content::Binary => (2, ranking.format().unwrap_or_default()),
            Content::Unsupported(name) => (3, name),
            _ => (1, ""),
        };
        let none = CGuess {
            encoding: None,
            malformed: 0,
            probability: 0.0,
            language: [0; 12],
        };
        let mut guesses = [none; Ranking::MAX_GUESSES];
        for (to, guess) in guesses.iter_mut().zip(ranking.iter()) {
            *to = CGuess {
                encoding: Some(CEncoding::of(guess.encoding)),
                malformed: guess.malformed,
                probability: guess.probability,
                language: args::chars(guess.language.unwrap_or_default()),
            };
        }
        Self {
            guesses,
            count: ranking.len(),
            bytes_read: ranking.bytes_read(),
            content,
            name: args::chars(name),
        }
    }
}

/// A list of distinct encodings.
struct List {
    encodings: [&'static Encoding; COUNT],
    len: usize,
}

impl List {
    fn new(given: &[&'static CEncoding]) -> Self {
        let mut list = Self {
            encodings: [UTF_8; COUNT],
            len: 0,
        };
        for encoding in given {
            if !list.get().contains(&encoding.get()) {
                list.encodings[list.len] = encoding.get();
                list.len += 1;
            }
        }
        list
    }

    fn get(&self) -> &[&'static Encoding] {
        &self.encodings[..self.len]
    }
}

/// Calls `make` with the hints in `given`, and writes the ranking that it returns to `ranking`.
///
/// # Safety
///
/// `ranking`, and the strings and lists of `given`, must meet the conditions of mojika.h.
unsafe fn answer(
    given: Option<&CDetectHints>,
    ranking: *mut CRanking,
    make: impl FnOnce(&DetectHints<'_>) -> Option<Ranking>,
) -> c_int {
    let made = match given {
        None => make(&DetectHints::default()),
        Some(given) => {
            // SAFETY: the caller guarantees that each list has `_count` non-null encodings.
            let (allowed, denied) = unsafe {
                (
                    args::slice(given.allowed, given.allowed_count),
                    args::slice(given.denied, given.denied_count),
                )
            };
            // SAFETY: the caller guarantees that each is null, or points to a string that ends with a zero byte.
            let (tld, locale) = unsafe { (text(given.tld), text(given.locale)) };
            allowed.zip(denied).and_then(|(allowed, denied)| {
                let (allowed, denied) = (List::new(allowed), List::new(denied));
                make(&DetectHints {
                    tld,
                    locale,
                    allowed: (allowed.len > 0).then_some(allowed.get()),
                    denied: denied.get(),
                    extended: given.extended != 0,
                    strip_markup: given.strip_markup != 0,
                })
            })
        }
    };
    let status = if made.is_some() { OK } else { INVALID_ARGUMENT };
    let made = CRanking::new(&made.unwrap_or_else(Ranking::empty));
    // SAFETY: the caller guarantees that `ranking` is null, or memory for a ranking.
    unsafe { args::write(ranking, made) };
    status
}

/// [`detect`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mojika_detect(
    bytes: *const u8,
    length: usize,
    given: Option<&CDetectHints>,
    ranking: *mut CRanking,
) -> c_int {
    // SAFETY: mojika.h requires `length` bytes at `bytes`.
    let bytes = unsafe { args::slice(bytes, length) };
    // SAFETY: mojika.h states these conditions for hints and ranking.
    unsafe { answer(given, ranking, |hints| Some(detect(bytes?, hints))) }
}

/// Returns a new detector on the heap.
#[unsafe(no_mangle)]
pub extern "C" fn mojika_detector_new() -> Box<Detector> {
    Box::new(Detector::new())
}

/// Frees a detector.
#[unsafe(no_mangle)]
pub extern "C" fn mojika_detector_free(detector: Option<Box<Detector>>) {
    drop(detector);
}

/// Resets a detector.
#[unsafe(no_mangle)]
pub extern "C" fn mojika_detector_reset(detector: Option<&mut Detector>) {
    if let Some(detector) = detector {
        *detector = Detector::new();
    }
}

/// [`Detector::feed`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mojika_detector_feed(
    detector: Option<&mut Detector>,
    bytes: *const u8,
    length: usize,
) -> c_int {
    // SAFETY: mojika.h requires `length` bytes at `bytes`.
    let bytes = unsafe { args::slice(bytes, length) };
    let (Some(detector), Some(bytes)) = (detector, bytes) else {
        return INVALID_ARGUMENT;
    };
    detector.feed(bytes);
    OK
}

/// [`Detector::is_decided`].
#[unsafe(no_mangle)]
pub extern "C" fn mojika_detector_is_decided(detector: Option<&Detector>) -> c_int {
    detector.is_some_and(Detector::is_decided).into()
}

/// [`Detector::finish`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mojika_detector_finish(
    detector: Option<&Detector>,
    given: Option<&CDetectHints>,
    ranking: *mut CRanking,
) -> c_int {
    // SAFETY: mojika.h states these conditions for hints and ranking.
    unsafe { answer(given, ranking, |hints| Some(detector?.finish(hints))) }
}

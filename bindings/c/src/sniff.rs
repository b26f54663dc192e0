//! Sniffing: decisions on the encoding of a document, with hints.

use crate::args;
use crate::progress::*;
use crate::statics::{CEncoding, EncodingOrNull};
use core::ffi::{CStr, c_char, c_int};
use mojika_sniff::{Confidence, Context, Hints, Source};

/// `mojika_hints`.
#[derive(Debug)]
#[repr(C)]
pub struct CHints {
    context: c_int,
    no_detection: c_int,
    user_override: EncodingOrNull,
    explicit_environment: EncodingOrNull,
    implied_environment: EncodingOrNull,
    transport: *const c_char,
    locale: *const c_char,
    tld: *const c_char,
}

/// `mojika_decision`.
#[derive(Debug)]
#[repr(C)]
pub struct CDecision {
    encoding: EncodingOrNull,
    bom_length: usize,
    source: c_int,
    is_certain: c_int,
}

impl CDecision {
    const NONE: Self = Self {
        encoding: None,
        bom_length: 0,
        source: -1,
        is_certain: 0,
    };
}

/// Returns the context for a number of `mojika_context`.
fn context(number: c_int) -> Option<Context> {
    Some(match number {
        0 => Context::PlainText,
        1 => Context::HtmlParser,
        2 => Context::XmlParser,
        3 => Context::CssFromDocument,
        4 => Context::TextDocument,
        _ => return None,
    })
}

/// Returns a caller's string; `None` for null, and for strings that are not UTF-8, as no locale or domain name is one.
///
/// # Safety
///
/// As [`args::string`].
pub(crate) unsafe fn text<'a>(pointer: *const c_char) -> Option<&'a str> {
    // SAFETY: the caller guarantees the conditions of `args::string`.
    str::from_utf8(unsafe { args::string(pointer) }?).ok()
}

/// Returns the library's hints; `None` if the context is unknown.
///
/// # Safety
///
/// The strings must meet the conditions of [`args::string`].
unsafe fn hints(hints: Option<&CHints>) -> Option<Hints<'_>> {
    let Some(given) = hints else {
        return Some(Hints::new(Context::PlainText));
    };
    let mut hints = Hints::new(context(given.context)?);
    hints.detect = given.no_detection == 0;
    hints.user_override = given.user_override.map(CEncoding::get);
    hints.explicit_environment = given.explicit_environment.map(CEncoding::get);
    hints.implied_environment = given.implied_environment.map(CEncoding::get);
    // SAFETY: mojika.h requires strings that end with a zero byte, or null.
    (hints.transport, hints.locale, hints.tld) = unsafe {
        (
            args::string(given.transport),
            text(given.locale),
            text(given.tld),
        )
    };
    Some(hints)
}

/// [`mojika_sniff::sniff`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mojika_sniff(
    bytes: *const u8,
    length: usize,
    given: Option<&CHints>,
    decision: *mut CDecision,
) -> c_int {
    // SAFETY: mojika.h requires `length` bytes at `bytes`.
    let bytes = unsafe { args::slice(bytes, length) };
    // SAFETY: mojika.h requires strings that end with a zero byte, or null.
    let hints = unsafe { hints(given) };
    let (status, made) = match (bytes, hints) {
        (Some(bytes), Some(hints)) => match mojika_sniff::sniff(bytes, &hints) {
            Ok(made) => (
                OK,
                CDecision {
                    encoding: Some(CEncoding::of(made.encoding)),
                    bom_length: made.bom_length,
                    source: number(made.source),
                    is_certain: (made.confidence == Confidence::Certain).into(),
                },
            ),
            Err(_) => (CONTRADICTION, CDecision::NONE),
        },
        _ => (INVALID_ARGUMENT, CDecision::NONE),
    };
    // SAFETY: mojika.h requires memory of a mojika_decision, or null.
    unsafe { args::write(decision, made) };
    status
}

/// The sources by their permanent numbers in mojika.h, with the words for them in all output of mojika.
static SOURCES: [(Source, &CStr); 12] = [
    (Source::Bom, c"bom"),
    (Source::Override, c"override"),
    (Source::Transport, c"transport"),
    (Source::Meta, c"meta"),
    (Source::XmlDeclaration, c"xml-declaration"),
    (Source::XmlFamily, c"xml-family"),
    (Source::CssCharset, c"css-charset"),
    (Source::Environment, c"environment"),
    (Source::Detection, c"detection"),
    (Source::Locale, c"locale"),
    (Source::Default, c"default"),
    (Source::Declaration, c"declaration"),
];

/// Returns the number of a source.
fn number(source: Source) -> c_int {
    let place = SOURCES.iter().position(|&(known, _)| known == source);
    place.map_or(-1, |place| place as c_int)
}

/// [`Hints::head_length`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mojika_sniff_length(given: Option<&CHints>) -> usize {
    // SAFETY: mojika.h requires strings that end with a zero byte, or null.
    unsafe { hints(given) }.map_or(0, |hints| hints.head_length())
}

/// Returns the word for a source.
#[unsafe(no_mangle)]
pub extern "C" fn mojika_source_text(source: c_int) -> *const c_char {
    let place = usize::try_from(source).ok();
    let known = place.and_then(|place| SOURCES.get(place));
    known.map_or(c"unknown", |&(_, text)| text).as_ptr()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_have_the_words_of_the_library() {
        for source in Source::ALL {
            // SAFETY: the text of a source is a string that ends with a zero byte.
            let text = unsafe { text(mojika_source_text(number(source))) };
            assert_eq!(text, Some(source.as_str()));
        }
    }
}

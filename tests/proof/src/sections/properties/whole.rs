//! Properties of whole input: round trips, concatenation, agreement of error modes, borrowed results.

use super::arbitrary::{Bytes, Scalars};
use crate::subject::Subject;
use mojika::{BomHandling, Status};
use mojika_spec::Encoding;
use quickcheck::TestResult;
use std::borrow::Cow;

/// True for scalar values that the Standard does not decode back. Several encoders map two to the same bytes, and gb18030
/// has bytes for some private-use ones that decode to others.
fn may_come_back_otherwise(subject: Subject, c: char) -> bool {
    match subject.spec {
        Encoding::ShiftJis | Encoding::EucJp => matches!(c, '¥' | '‾' | '−'),
        Encoding::Iso2022Jp => matches!(c, '−' | '\u{FF61}'..='\u{FF9F}'),
        Encoding::Gbk | Encoding::Gb18030 => matches!(c, '\u{E000}'..='\u{F8FF}'),
        _ => false,
    }
}

/// Mappable text decodes to itself.
pub fn round_trip(input: Scalars) -> bool {
    let Scalars { subject, scalars } = input;
    let mut kept: Vec<char> = scalars;
    kept.retain(|&c| {
        !may_come_back_otherwise(subject, c) && subject.engine.encode(&c.to_string()).is_ok()
    });
    let text: String = kept.iter().collect();
    let Ok(bytes) = subject.engine.encode(&text) else {
        return false;
    };
    let back = subject
        .engine
        .decode_fatal(&bytes, BomHandling::Keep)
        .map(|decoded| decoded.text.into_owned());
    let mut units = Vec::new();
    let decoded = subject
        .engine
        .decode_append(&bytes, BomHandling::Keep, &mut units);
    back == Ok(text.clone())
        && units == text.encode_utf16().collect::<Vec<u16>>()
        && !decoded.had_errors
}

/// After a reset, decoding starts anew.
pub fn decoding_concatenates(first: Bytes, second: Bytes) -> TestResult {
    let subject = first.subject;
    if subject.spec == Encoding::Replacement {
        return TestResult::discard();
    }
    let mut first = first.bytes;
    first.extend(subject.reset(first.len()));
    let all = [&first[..], &second.bytes].concat();
    let decode = |bytes: &[u8]| {
        let decoded = subject.engine.decode_with(bytes, BomHandling::Keep);
        let mut units = Vec::new();
        subject
            .engine
            .decode_append(bytes, BomHandling::Keep, &mut units);
        (decoded.text.into_owned(), units)
    };
    let (mut text, mut units) = decode(&first);
    let more = decode(&second.bytes);
    text.push_str(&more.0);
    units.extend(more.1);
    TestResult::from_bool(decode(&all) == (text, units))
}

/// Encoding is character by character, except for the states of ISO-2022-JP, which end with the text.
pub fn encoding_concatenates(first: Scalars, second: Vec<char>) -> bool {
    let subject = first.subject;
    let text: String = first.scalars.iter().collect();
    let more: String = second.iter().collect();
    let encode = |text: &str| {
        let encoded = subject.engine.encode_html(text);
        encoded.map_or_else(|_| Vec::new(), |encoded| encoded.bytes.into_owned())
    };
    // A backslash between the two takes ISO-2022-JP out of any state, because Roman lacks it. A letter ends Base64, and a
    // line feed ends the designation of another set.
    let between = match subject.name() {
        "UTF-7" | "UTF-7-IMAP" => "a",
        "ISO-2022-JP-2" | "ISO-2022-CN" => "\n",
        _ => "\\",
    };
    let joined = format!("{text}{between}{more}");
    let letter = match subject.spec {
        Encoding::Extended(spec) => encode(&spec.in_references('a').to_string()),
        _ => encode("a"),
    };
    // ISO-2022-KR begins each text with its designation.
    let header = &letter[..letter.len().saturating_sub(subject.ascii_length())];
    let body = |text: &str| {
        let bytes = encode(text);
        bytes.strip_prefix(header).unwrap_or(&bytes).to_vec()
    };
    encode(&joined) == [header, &body(&text), &body(between), &body(&more)].concat()
}

/// The text of mode "replacement" is that of mode "fatal" with U+FFFD for each reported error.
pub fn replacement_is_fatal_plus_u_fffd(input: Bytes) -> bool {
    let Bytes { subject, bytes } = input;
    let mut decoder = subject.engine.new_decoder();
    let mut text = String::new();
    let mut read = 0;
    let mut errors = false;
    loop {
        let progress = decoder.decode_append_fatal(&bytes[read..], &mut text, true);
        read += progress.read;
        let Status::Malformed(sequence) = progress.status else {
            break;
        };
        errors = true;
        let end = sequence.offset + u64::from(sequence.len) + u64::from(sequence.after);
        if end != read as u64 {
            return false;
        }
        text.push('\u{FFFD}');
    }
    let decoded = subject.engine.decode(&bytes);
    let mut units = Vec::new();
    let decoded_units = subject
        .engine
        .decode_append(&bytes, BomHandling::Sniff, &mut units);
    // The one-shot call stops at the first error.
    let fatal = subject.engine.decode_fatal(&bytes, BomHandling::Sniff);
    decoded.text == text
        && decoded.had_errors == errors
        && units == text.encode_utf16().collect::<Vec<u16>>()
        && decoded_units.had_errors == errors
        && fatal.is_err() == errors
}

/// The bytes of mode "html" are those of mode "fatal" with references for each unmappable scalar value.
pub fn html_is_fatal_plus_references(input: Scalars) -> bool {
    let Scalars { subject, scalars } = input;
    let text: String = scalars.iter().collect();
    let mut unmappables = Vec::new();
    let with = subject.engine.encode_with(&text, |unmappable| {
        unmappables.push(unmappable);
        mojika::Fallback::Html
    });
    let (Ok(with), Ok(html)) = (with, subject.engine.encode_html(&text)) else {
        return false;
    };
    let first = subject.engine.encode(&text);
    let placed = unmappables.iter().all(|unmappable| {
        let offset = usize::try_from(unmappable.offset).expect("within the text");
        let there = text.get(offset..).and_then(|rest| rest.chars().next());
        there == Some(unmappable.scalar)
            || (unmappable.scalar == '\u{FFFD}'
                && matches!(there, Some('\u{E}' | '\u{F}' | '\u{1B}')))
    });
    with == html
        && placed
        && html.had_errors != unmappables.is_empty()
        && first.is_err() == html.had_errors
}

/// True if text or bytes are borrowed exactly when they are unchanged.
///
/// Some encodings may copy unchanged text. In others, ASCII characters have other bytes, so that only the empty text is
/// unchanged. CESU-8 and WTF-8 differ from UTF-8 in a few characters, and borrow only ASCII.
fn borrows_rightly(subject: Subject, is_borrowed: bool, is_unchanged: bool) -> bool {
    match subject.spec {
        Encoding::Extended(_)
            if !subject.engine.is_ascii_compatible()
                || ["CESU-8", "WTF-8"].contains(&subject.engine.name()) =>
        {
            is_unchanged || !is_borrowed
        }
        _ => is_borrowed == is_unchanged,
    }
}

/// Text is borrowed exactly when its bytes are those of the input.
pub fn unchanged_text_is_borrowed(input: Bytes) -> bool {
    let Bytes { subject, bytes } = input;
    let fatal = subject.engine.decode_fatal(&bytes, BomHandling::Keep);
    let lenient = [
        subject.engine.decode(&bytes),
        subject.engine.decode_with(&bytes, BomHandling::Remove),
        subject.engine.decode_with(&bytes, BomHandling::Keep),
    ];
    lenient.into_iter().chain(fatal).all(|decoded| {
        let unchanged = decoded.text.as_bytes() == &bytes[decoded.bom_length..];
        borrows_rightly(subject, matches!(decoded.text, Cow::Borrowed(_)), unchanged)
    })
}

/// Bytes are borrowed exactly when they are those of the text.
pub fn unchanged_bytes_are_borrowed(input: Scalars) -> bool {
    let text: String = input.scalars.iter().collect();
    let Ok(encoded) = input.subject.engine.encode_html(&text) else {
        return false;
    };
    let is_borrowed = matches!(encoded.bytes, Cow::Borrowed(_));
    borrows_rightly(
        input.subject,
        is_borrowed,
        *encoded.bytes == *text.as_bytes(),
    )
}

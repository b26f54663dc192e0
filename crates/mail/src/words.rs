//! Text in fields with a declared charset: encoded words (RFC 2047), and parameters of RFC 2231.

use super::edit::PartEdit;
use super::field::{Parameter, parameters};
use super::transfer::unescaped;
use data_encoding::BASE64;
use mojika::{BomHandling, Encoding, UTF_8};
use mojika_convert::labels;
use std::borrow::Cow;
use std::ops::Range;

/// The maximum length of an encoded word that is written.
const MAX_WORD: usize = 75;

/// The maximum length of an encoded word that is read, in bytes. Some programs write longer words than allowed.
const LONGEST_READ: usize = 4096;

/// The changes of a field's value, and the charsets that cannot be changed.
#[derive(Default)]
pub struct Changes {
    pub changes: Vec<PartEdit>,
    /// The reason for each charset that stays.
    pub left: Vec<String>,
}

/// Returns the changes to UTF-8 in a value. `end` is the message's line end; `has_parameters` is
/// true for a field with parameters.
pub fn changes(value: &[u8], end: &str, has_parameters: bool) -> Changes {
    let mut found = Changes::default();
    for run in runs(value) {
        let first = &run[0];
        if is_utf_8(&first.charset) {
            continue;
        }
        match text_of(&run) {
            Ok(text) => found.changes.push(PartEdit {
                at: first.at.start..run[run.len() - 1].at.end,
                to: encoded_words(&text, first.is_base64, end).into_bytes(),
            }),
            Err(why) => found.left.push(why),
        }
    }
    if has_parameters {
        extended_parameters(value, end, &mut found);
    }
    found
}

fn is_utf_8(label: &str) -> bool {
    let label = labels::unquoted(label);
    let is_ascii = ["us-ascii", "ascii"]
        .iter()
        .any(|one| label.eq_ignore_ascii_case(one));
    is_ascii || Encoding::for_label(label) == Some(UTF_8)
}

/// Decodes bytes in a charset.
fn decoded<'b>(label: &str, bytes: &'b [u8]) -> Result<Cow<'b, str>, String> {
    let Ok(encoding) = labels::of_mail(label) else {
        return Err(format!("no encoding is called {}", label.escape_debug()));
    };
    let decoded = encoding.with(BomHandling::Remove).decode_fatal(bytes);
    decoded
        .map(|decoded| decoded.text)
        .map_err(|_| format!("a word is malformed {encoding}"))
}

/// Returns the text of adjacent words.
///
/// Each word is a text of its own (RFC 2047, section 5). In ISO-2022-JP each word ends in its initial state, so that joined
/// words would be malformed. But some programs split a text anywhere; then only the joined words can be decoded.
fn text_of(run: &[Word]) -> Result<String, String> {
    let charset = &run[0].charset;
    let all: Vec<u8> = run.iter().flat_map(|word| word.bytes.clone()).collect();
    decoded(charset, &all).map(Cow::into_owned).or_else(|why| {
        let texts = run.iter().map(|word| decoded(charset, &word.bytes));
        texts.collect::<Result<String, _>>().map_err(|_| why)
    })
}

/// An encoded word.
struct Word {
    at: Range<usize>,
    charset: String,
    is_base64: bool,
    bytes: Vec<u8>,
}

/// Returns groups of adjacent encoded words: separated only by white space, in one charset and one encoding.
fn runs(value: &[u8]) -> Vec<Vec<Word>> {
    let mut runs: Vec<Vec<Word>> = Vec::new();
    let mut at = 0;
    while let Some(start) = memchr::memmem::find(&value[at..], b"=?") {
        let start = at + start;
        let Some(word) = word(value, start) else {
            at = start + 2;
            continue;
        };
        at = word.at.end;
        let last = runs.last_mut().filter(|run| {
            let before = &run[run.len() - 1];
            let between = &value[before.at.end..start];
            before.charset.eq_ignore_ascii_case(&word.charset)
                && before.is_base64 == word.is_base64
                && !between.is_empty()
                && between.iter().all(u8::is_ascii_whitespace)
        });
        match last {
            Some(run) => run.push(word),
            None => runs.push(vec![word]),
        }
    }
    runs
}

/// Returns the encoded word that begins at `start`.
fn word(value: &[u8], start: usize) -> Option<Word> {
    let rest = &value[start + 2..value.len().min(start + LONGEST_READ)];
    // Encoded words must not contain white space, but some programs write it in the text.
    let mut parts = rest.splitn(3, |&byte| byte == b'?');
    let (label, encoding, rest) = (parts.next()?, parts.next()?, parts.next()?);
    let text = &rest[..memchr::memmem::find(rest, b"?=")?];
    if text.contains(&b'\n') || label.is_empty() || !label.iter().all(u8::is_ascii_graphic) {
        return None;
    }
    // RFC 2231, section 5: a language may follow.
    let charset = label.split(|&byte| byte == b'*').next()?;
    let is_base64 = match encoding {
        b"B" | b"b" => true,
        b"Q" | b"q" => false,
        _ => return None,
    };
    let bytes = match is_base64 {
        true => BASE64.decode(text).ok()?,
        false => unescaped(
            &text
                .iter()
                .map(|&byte| if byte == b'_' { b' ' } else { byte })
                .collect::<Vec<_>>(),
            b'=',
        )?,
    };
    let length = "=????=".len() + label.len() + encoding.len() + text.len();
    Some(Word {
        at: start..start + length,
        charset: String::from_utf8(charset.to_vec()).ok()?,
        is_base64,
        bytes,
    })
}

/// Returns encoded words in UTF-8 within the allowed length.
fn encoded_words(text: &str, is_base64: bool, end: &str) -> String {
    let letter = if is_base64 { 'B' } else { 'Q' };
    let room = MAX_WORD - "=?UTF-8?B??=".len();
    let length = |text: &str| match is_base64 {
        true => text.len().div_ceil(3) * 4,
        false => quoted(text).len(),
    };
    let mut words = Vec::new();
    let mut current = String::new();
    for character in text.chars() {
        let longer = format!("{current}{character}");
        if !current.is_empty() && length(&longer) > room {
            words.push(std::mem::take(&mut current));
        }
        current.push(character);
    }
    words.push(current);
    let words: Vec<_> = words
        .iter()
        .map(|word| {
            let text = match is_base64 {
                true => BASE64.encode(word.as_bytes()),
                false => quoted(word),
            };
            format!("=?UTF-8?{letter}?{text}?=")
        })
        .collect();
    words.join(&format!("{end} "))
}

/// Encodes text with letter Q, in the form allowed in a phrase (RFC 2047, section 5, rule 3).
fn quoted(text: &str) -> String {
    let mut quoted = String::new();
    for byte in text.bytes() {
        match byte {
            b' ' => quoted.push('_'),
            b'!' | b'*' | b'+' | b'-' | b'/' => quoted.push(byte.into()),
            _ if byte.is_ascii_alphanumeric() => quoted.push(byte.into()),
            _ => quoted.push_str(&format!("={byte:02X}")),
        }
    }
    quoted
}

/// Converts parameters that declare a charset: `name*=charset'language'text`, whole or in consecutive pieces.
fn extended_parameters(value: &[u8], end: &str, found: &mut Changes) {
    let all = parameters(value);
    let mut at = 0;
    while at < all.len() {
        let first = &all[at];
        at += 1;
        let (base, is_piece) = match first.name.strip_suffix("*0*") {
            Some(base) => (base, true),
            None => match first.name.strip_suffix('*') {
                Some(base) => (base, false),
                None => continue,
            },
        };
        let mut pieces = vec![first];
        if is_piece {
            let mut number = 1;
            while let Some(next) = all.get(at)
                && is_named(next, base, number)
            {
                pieces.push(next);
                number += 1;
                at += 1;
            }
        }
        let text = value[first.value.clone()].to_vec();
        let mut parts = text.splitn(3, |&byte| byte == b'\'');
        let (Some(charset), Some(language), Some(_)) = (parts.next(), parts.next(), parts.next())
        else {
            continue;
        };
        let prefix = charset.len() + language.len() + 2;
        let charset = String::from_utf8_lossy(charset).into_owned();
        if charset.is_empty() || is_utf_8(&charset) {
            continue;
        }
        let mut bytes = Vec::new();
        let mut is_whole = true;
        for (number, piece) in pieces.iter().enumerate() {
            let text = &value[piece.value.clone()];
            let text = if number == 0 { &text[prefix..] } else { text };
            let decoded = match piece.name.ends_with('*') {
                true => unescaped(text, b'%'),
                false => Some(text.to_vec()),
            };
            is_whole &= decoded.is_some();
            bytes.extend(decoded.unwrap_or_default());
        }
        if !is_whole {
            found.left.push(format!("the parameter {base} is damaged"));
            continue;
        }
        match decoded(&charset, &bytes) {
            Ok(text) => {
                let language = String::from_utf8_lossy(language);
                let name = &value[first.all.start..first.all.start + base.len()];
                let name = String::from_utf8_lossy(name);
                found.changes.push(PartEdit {
                    at: first.all.start..pieces[pieces.len() - 1].all.end,
                    to: parameter(&name, &language, &text, end).into_bytes(),
                });
            }
            Err(why) => found.left.push(why),
        }
    }
}

fn is_named(parameter: &Parameter, base: &str, number: usize) -> bool {
    let name = format!("{base}*{number}");
    parameter.name.strip_suffix('*').unwrap_or(&parameter.name) == name
}

/// Writes a parameter in UTF-8, in pieces if it is long.
fn parameter(name: &str, language: &str, text: &str, end: &str) -> String {
    let escaped: Vec<String> = text
        .bytes()
        .map(|byte| match byte {
            b'-' | b'.' | b'_' => char::from(byte).to_string(),
            _ if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        })
        .collect();
    let all = escaped.concat();
    let short = format!("{name}*=UTF-8'{language}'{all}");
    if short.len() < MAX_WORD {
        return short;
    }
    let mut pieces = vec![format!("{name}*0*=UTF-8'{language}'")];
    for unit in escaped {
        let last = pieces.len() - 1;
        if pieces[last].len() + unit.len() > MAX_WORD {
            pieces.push(format!("{name}*{}*=", pieces.len()));
        }
        let last = pieces.len() - 1;
        pieces[last].push_str(&unit);
    }
    pieces.join(&format!(";{end} "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(value: &str) -> String {
        let mut text = value.as_bytes().to_vec();
        for change in changes(value.as_bytes(), "\r\n", true)
            .changes
            .into_iter()
            .rev()
        {
            text.splice(change.at, change.to);
        }
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn words_become_words_in_utf_8() {
        for (before, after) in [
            ("=?koi8-r?B?8NLJ18XU?= x", "=?UTF-8?B?0J/RgNC40LLQtdGC?= x"),
            ("a =?iso-8859-1?Q?caf=E9_x?=", "a =?UTF-8?Q?caf=C3=A9_x?="),
            // A two-byte character is split over two words.
            (
                "=?shift_jis?B?lQ==?=\r\n =?shift_jis?B?ti4=?=",
                "=?UTF-8?B?5paHLg==?=",
            ),
            (
                "=?UTF-8?B?0J8=?= =?us-ascii?Q?a?=",
                "=?UTF-8?B?0J8=?= =?us-ascii?Q?a?=",
            ),
            // Two texts in ISO-2022-JP, and one that was split within a character.
            (
                "=?iso-2022-jp?B?GyRCRnwbKEI=?=\r\n =?iso-2022-jp?B?GyRCS1wbKEI=?=",
                "=?UTF-8?B?5pel5pys?=",
            ),
            (
                "=?iso-2022-jp?B?GyRCRg==?= =?iso-2022-jp?B?fEtcGyhC?=",
                "=?UTF-8?B?5pel5pys?=",
            ),
            ("=?iso-2022-kr?B?GyQpQw4wIQ8=?=", "=?UTF-8?B?6rCA?="),
            ("=?koi8-r*ru?Q?=F0?=", "=?UTF-8?Q?=D0=9F?="),
            ("x =? ?= =?a?b", "x =? ?= =?a?b"),
        ] {
            assert_eq!(changed(before), after, "{before}");
            assert_eq!(changed(after), after);
        }
        let long = "Привет, ".repeat(30);
        let long = mojika::KOI8_R.encode(&long).unwrap();
        let text = changed(&format!("=?koi8-r?B?{}?=", BASE64.encode(&long)));
        assert!(text.split("\r\n ").all(|word| word.len() <= MAX_WORD));
        let left = changes(b"=?nonsense?Q?a=E9?= =?euc-jp?Q?=FF?=", "\n", false);
        assert_eq!((left.changes.len(), left.left.len()), (0, 2));
    }

    #[test]
    fn parameters_become_parameters_in_utf_8() {
        for (before, after) in [
            (
                "attachment; filename*=koi8-r'ru'%F0a.txt; size=3",
                "attachment; filename*=UTF-8'ru'%D0%9Fa.txt; size=3",
            ),
            (
                "attachment; FileName*0*=koi8-r''%F0;\r\n filename*1*=%D2;\r\n filename*2=.txt",
                "attachment; FileName*=UTF-8''%D0%9F%D1%80.txt",
            ),
            (
                "a; b*=UTF-8''%D0; c*=''x; d*=x",
                "a; b*=UTF-8''%D0; c*=''x; d*=x",
            ),
        ] {
            assert_eq!(changed(before), after, "{before}");
            assert_eq!(changed(after), after);
        }
        let long = format!("a; name*=koi8-r''{}", "%F0".repeat(60));
        let text = changed(&long);
        assert!(text.contains("name*2*=") && text.split("\r\n ").all(|line| line.len() < 80));
        assert_eq!(changed(&text), text);
    }

    /// RFC 2047, section 2: an encoded word has at most 75 characters; longer text is split.
    #[test]
    fn words_and_parameters_are_as_long_as_they_may_be() {
        let koi8_r = |letter: char, text: &[u8]| {
            let text = match letter {
                'B' => BASE64.encode(text),
                _ => String::from_utf8(text.to_vec()).unwrap(),
            };
            changed(&format!("=?koi8-r?{letter}?{text}?="))
        };
        for (letter, text, lengths) in [
            ('Q', vec![b'a'; 63], vec![75]),
            ('Q', vec![b'a'; 64], vec![75, 13]),
            ('B', vec![b'a'; 45], vec![72]),
            ('B', vec![b'a'; 46], vec![72, 16]),
        ] {
            let words = koi8_r(letter, &text);
            let found: Vec<_> = words.split("\r\n ").map(str::len).collect();
            assert_eq!(found, lengths, "{words}");
        }
        let parameter = |count| changed(&format!("a; name*=koi8-r''{}", "x".repeat(count)));
        let short = parameter(61);
        assert_eq!(short, format!("a; name*=UTF-8''{}", "x".repeat(61)));
        let long = parameter(62);
        let pieces: Vec<_> = long[3..].split(";\r\n ").map(str::len).collect();
        assert_eq!(pieces[0], MAX_WORD, "{long}");
        assert_eq!(
            pieces.iter().sum::<usize>(),
            62 + "name*0*=UTF-8''".len() + "name*1*=".len()
        );
    }

    /// A lossy conversion may change lengths: of a charset, of a name.
    #[test]
    fn parameters_with_bytes_that_are_no_text_stay_or_change_where_they_are() {
        for value in [
            &b"a; filename*0*=koi\xFF\xFF\xFF\xFF8-r''%F0; filename*1*=%D2"[..],
            b"a; filename*=koi\xFF8-r'\xFF'%F0",
            b"a; \xFF\xFFname*0*=koi8-r''%F0; \xFF\xFFname*1*=%D2",
            b"a; \xC2\xA0n*=koi8-r''%F0",
            b"a; n\xC2\xA0*0*=koi8-r''%F0",
        ] {
            let found = changes(value, "\n", true).changes;
            assert!(found.is_empty(), "{}", value.escape_ascii());
        }
        let found = changes(b"a; n*=koi8-r'\xFF'%F0", "\n", true).changes;
        assert_eq!((found[0].at.clone(), found.len()), (3..18, 1));
    }

    /// The search for the end of an encoded word is bounded, so that a field of many unended words takes linear time.
    #[test]
    fn work_on_words_without_an_end_is_in_proportion_to_the_length() {
        let start = std::time::Instant::now();
        for word in ["=?a?q?\t", "=?a?b?\t", "=?a?q?_"] {
            let value = word.repeat(300_000) + "?=";
            let found = changes(value.as_bytes(), "\n", false);
            assert!(found.changes.is_empty(), "{word}");
        }
        let spent = start.elapsed();
        assert!(spent < std::time::Duration::from_secs(60), "{spent:?}");
    }

    #[test]
    fn what_is_no_encoded_word_stays() {
        for value in [
            "=?koi8-r?X?=F0?=",
            "=?koi8-r?B?8?=",
            "=?koi8-r?Q?=F?=",
            "=??Q?=F0?=",
            "=?koi 8?Q?=F0?=",
            "=?koi8-r?Q?=F0",
            "=?koi8-r?Q?a\n=F0?=",
            "=?us-ascii?Q?a?= =?ASCII?Q?b?= =?utf8?q?c?=",
        ] {
            assert_eq!(changed(value), value, "{value}");
        }
        // Words that differ in charset or letter, or that touch, are decoded separately.
        for (before, after) in [
            (
                "=?koi8-r?Q?=F0?= =?KOI8-R?q?=F0?=",
                "=?UTF-8?Q?=D0=9F=D0=9F?=",
            ),
            (
                "=?koi8-r?Q?=F0?= =?koi8-r?B?8A==?=",
                "=?UTF-8?Q?=D0=9F?= =?UTF-8?B?0J8=?=",
            ),
            (
                "=?koi8-r?Q?=F0?= =?koi8-u?Q?=F0?=",
                "=?UTF-8?Q?=D0=9F?= =?UTF-8?Q?=D0=9F?=",
            ),
            (
                "=?koi8-r?Q?=F0?==?koi8-r?Q?=F0?=",
                "=?UTF-8?Q?=D0=9F?==?UTF-8?Q?=D0=9F?=",
            ),
            (
                "=?koi8-r?Q?=F0?= x =?koi8-r?Q?=F0?=",
                "=?UTF-8?Q?=D0=9F?= x =?UTF-8?Q?=D0=9F?=",
            ),
        ] {
            assert_eq!(changed(before), after, "{before}");
        }
    }

    /// Parameters in UTF-8 or without a charset keep their spelling, and are not reported.
    #[test]
    fn parameters_in_utf_8_or_without_a_charset_stay() {
        for value in [
            "a; name*=utf-8''%d0%9f",
            "a; name*=UTF8'ru'a%2Eb",
            "a; name*=us-ascii''a%2eb",
            "a; name*=''%d0%9f",
            "a; name*=%d0",
            "a; name*=''",
            "a; name=koi8-r''%F0",
        ] {
            let found = changes(value.as_bytes(), "\r\n", true);
            assert_eq!(
                (found.changes.len(), &found.left[..]),
                (0, &[][..]),
                "{value}"
            );
        }
        // Damage and unknown encodings are reported.
        for (value, left) in [
            ("a; name*=koi8-r''%F", "the parameter name is damaged"),
            ("a; name*=nonsense''%F0", "no encoding is called nonsense"),
            ("a; name*=euc-jp''%FF", "a word is malformed EUC-JP"),
        ] {
            let found = changes(value.as_bytes(), "\r\n", true);
            assert_eq!(
                (found.changes.len(), &found.left[..]),
                (0, &[left.to_owned()][..])
            );
        }
        // A piece with a wrong number is a separate parameter.
        assert_eq!(
            changed("a; n*0*=koi8-r''%F0; n*2*=%F0; n*1*=%F0"),
            "a; n*=UTF-8''%D0%9F; n*2*=%F0; n*1*=%F0"
        );
    }
}

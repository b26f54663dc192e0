//! The text of one part: its encoding, and its form in UTF-8.

use super::Rules;
use super::transfer::Transfer;
use mojika::{BomHandling, Encoding, ISO_2022_JP, REPLACEMENT, UTF_8, UTF_16BE, X_USER_DEFINED};
use mojika_convert::decide::{self, Decided, FileContext};
use mojika_convert::declared;
use mojika_convert::engine::{self, LineEnds};
use mojika_convert::labels;
use mojika_convert::report::{self, Failure};
use std::path::Path;

/// The maximum length of a message's line (RFC 5322, section 2.1.1), in bytes.
const LONGEST_LINE: usize = 998;

/// The context of a part in a message.
pub struct PartContext<'r> {
    pub rules: &'r Rules<'r>,
    pub is_in_mailbox: bool,
    /// The message's line end.
    pub end: &'static str,
    /// The boundaries of the enclosing parts, with the two hyphens.
    pub boundaries: Vec<Vec<u8>>,
}

/// A text part, as described by its header.
pub struct Part<'p> {
    /// The media type of the part, in lower case.
    pub kind: &'p str,
    /// The parameter `charset`.
    pub label: Option<String>,
    /// True if the parameter is written in pieces, or declares its own charset (RFC 2231).
    pub has_other_label: bool,
    pub is_attachment: bool,
    pub has_digest: bool,
    pub transfer: Transfer,
    /// True if the header states the transfer encoding "8bit" or "binary".
    pub is_eight_bit: bool,
    pub body: &'p [u8],
}

/// A body in UTF-8.
pub struct Body {
    /// The new bytes; `None` if the body is already UTF-8, and only its header is wrong.
    pub bytes: Option<Vec<u8>>,
    /// The name of the new transfer encoding, if it changes.
    pub transfer: Option<&'static str>,
    pub is_beyond_ascii: bool,
}

/// The result for a part.
pub enum Outcome {
    /// The part is declared as UTF-8 or ASCII.
    Nothing,
    /// The part stays, and the user need not decide.
    Left(String),
    /// The part stays, and the user must decide.
    Doubtful(String),
    Converted {
        body: Body,
        from: &'static Encoding,
        /// The encoding suggested by the bytes, if it differs from the decided one.
        warning: Option<String>,
    },
}

/// Labels that do not determine the meaning of non-ASCII bytes.
const OF_ASCII: [&str; 8] = [
    "",
    "us-ascii",
    "ascii",
    "ansi_x3.4-1968",
    "unknown-8bit",
    "x-unknown",
    "unknown",
    "default",
];

/// Finds the encoding of a part, and converts it to UTF-8.
pub fn converted(part: &Part<'_>, place: &PartContext<'_>) -> Outcome {
    let Some(bytes) = part.transfer.decode(part.body) else {
        return Outcome::Doubtful("its transfer encoding is damaged".to_owned());
    };
    let label = part.label.as_deref().map(labels::unquoted);
    let label = label.filter(|label| !OF_ASCII.iter().any(|one| label.eq_ignore_ascii_case(one)));
    let named = label.map(labels::of_mail);
    let is_ascii = bytes.is_ascii();
    // ISO-2022-JP, HZ and similar encodings consist of ASCII bytes, and old messages do not declare them.
    let has_escapes =
        bytes.contains(&0x1B) || label.is_none() && memchr::memmem::find(&bytes, b"~{").is_some();
    let is_based = |one: &'static Encoding| one.is_ascii_compatible() || one == ISO_2022_JP;
    let is_ascii_based = match &named {
        None => place.rules.given.is_none_or(is_based),
        Some(Ok(named)) => is_based(named),
        Some(Err(_)) => !label.is_some_and(|label| label.to_ascii_lowercase().contains("utf-7")),
    };
    if bytes.is_empty() || is_ascii && !has_escapes && is_ascii_based {
        return Outcome::Nothing;
    }
    let is_utf_8 = std::str::from_utf8(&bytes).is_ok();
    if is_utf_8 && matches!(named, Some(Ok(named)) if named == UTF_8) {
        return Outcome::Nothing;
    }
    if has_armor(&bytes) {
        return Outcome::Left("signed or encrypted (PGP)".to_owned());
    }
    if part.has_digest {
        return Outcome::Left("it has a digest (Content-MD5)".to_owned());
    }
    if part.has_other_label {
        return Outcome::Left("its charset is written in the way of RFC 2231".to_owned());
    }
    let (from, warning) = match encoding(part, &bytes, label, named, place.rules) {
        Ok(found) => found,
        Err(outcome) => return outcome,
    };
    let text = match from.with(BomHandling::Remove).decode_fatal(&bytes) {
        // Without a charset, a message is in ASCII (RFC 2045, section 5.2).
        Ok(decoded) if label.is_none() && is_ascii && decoded.text.as_bytes() == bytes => {
            return Outcome::Nothing;
        }
        Ok(decoded) => decoded.text.into_owned(),
        Err(error) => {
            return Outcome::Doubtful(format!(
                "malformed {from} at byte offset {} of its text",
                error.sequence.offset
            ));
        }
    };
    let text = match place.rules.updates_declared {
        true => updated(text, part.kind),
        false => text,
    };
    match written(part, text, place) {
        Some(body) => Outcome::Converted {
            body,
            from,
            warning,
        },
        None => Outcome::Left("its line ends are mixed, and a line would be too long".to_owned()),
    }
}

/// Returns the encoding of a part labelled `label`, and the encoding by its bytes if that differs.
///
/// # Errors
///
/// Returns the outcome for a part that is not converted.
fn encoding(
    part: &Part<'_>,
    bytes: &[u8],
    label: Option<&str>,
    named: Option<Result<&'static Encoding, Failure>>,
    rules: &Rules<'_>,
) -> Result<(&'static Encoding, Option<String>), Outcome> {
    let (Some(label), Some(named)) = (label, named) else {
        let is_ascii = bytes.is_ascii();
        if !is_ascii && std::str::from_utf8(bytes).is_ok() {
            return Ok((UTF_8, None));
        }
        if part.is_attachment {
            return Err(match is_ascii {
                true => Outcome::Nothing,
                false => Outcome::Left("an attachment without a charset".to_owned()),
            });
        }
        return match rules.given {
            Some(given) => Ok((given, None)),
            None => decision(part, bytes, None, rules),
        };
    };
    let is_unknown = matches!(named, Err(Failure::UnknownLabel { .. }));
    let named = named.ok();
    let named = named.filter(|named| *named != REPLACEMENT && *named != X_USER_DEFINED);
    let Some(named) = named else {
        let label = label.escape_debug();
        return match rules.given {
            Some(given) => Ok((given, None)),
            // As a label of the Web, an unknown one says nothing.
            None if is_unknown => decision(part, bytes, None, rules),
            None => Err(Outcome::Doubtful(format!("nothing here decodes {label}"))),
        };
    };
    let has_mark = bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF");
    if label.eq_ignore_ascii_case("utf-16") && !has_mark {
        // RFC 2781, section 4.3.
        Ok((UTF_16BE, None))
    } else if Encoding::for_label(label) == Some(named) {
        decision(part, bytes, Some(label), rules)
    } else {
        Ok((named, None))
    }
}

/// True if the text contains a signed or encrypted block (RFC 9580, section 6.2).
fn has_armor(bytes: &[u8]) -> bool {
    let armor = b"-----BEGIN PGP ";
    memchr::memmem::find_iter(bytes, armor).any(|at| at == 0 || bytes[at - 1] == b'\n')
}

/// Decides the encoding by the label and the bytes.
fn decision(
    part: &Part<'_>,
    bytes: &[u8],
    label: Option<&str>,
    rules: &Rules<'_>,
) -> Result<(&'static Encoding, Option<String>), Outcome> {
    let question = decide::Question {
        transport: label.map(str::to_owned),
        is_text: true,
        ..rules.question.clone()
    };
    let decided = question.of_bytes(Some(name(part.kind)), bytes);
    let is_wide = |encoding: &Encoding| encoding.code_unit_len() > 1;
    if part.transfer == Transfer::Identity
        && decided
            .decision()
            .is_some_and(|decision| is_wide(decision.encoding))
    {
        // Message lines are separated at the byte level.
        return Err(Outcome::Doubtful(
            "it begins with a byte order mark of UTF-16".to_owned(),
        ));
    }
    if let Some(doubt) = doubt(&decided) {
        return Err(Outcome::Doubtful(doubt));
    }
    let Some(judgement) = decided.judgement else {
        return Err(Outcome::Doubtful(
            "nothing says which encoding this is".to_owned(),
        ));
    };
    Ok((
        judgement.decision.encoding,
        report::disagreement(&judgement),
    ))
}

/// Returns the reason for an uncertain decision.
fn doubt(decided: &Decided) -> Option<String> {
    match &decided.outcome {
        decide::Outcome::Sure => None,
        // The remedies are options that have no effect on mail.
        decide::Outcome::Doubtful(doubt) => Some(doubt.reason.clone()),
        decide::Outcome::Contradiction(error, _) => Some(error.to_string()),
        decide::Outcome::Binary(what) => Some((*what).to_owned()),
    }
}

/// Returns a file name for a part of the type `kind`.
fn name(kind: &str) -> &'static Path {
    Path::new(match kind {
        "text/html" => "part.html",
        "text/xml" => "part.xml",
        "text/css" => "part.css",
        _ => "part.txt",
    })
}

/// Returns a text with its declared encoding changed to UTF-8.
fn updated(text: String, kind: &str) -> String {
    let mut output = Vec::new();
    let bytes = text.as_bytes();
    let target = declared::Target {
        to: UTF_8,
        context: FileContext::Auto,
        path: Some(name(kind)),
        updates: true,
    };
    let (_, result, _) = declared::updated(&mut output, target, |output| {
        let result = output.write_all(bytes);
        let result = result.map_err(engine::Failure::Write);
        (engine::Outcome::default(), result)
    });
    match (result, String::from_utf8(output)) {
        (Ok(()), Ok(output)) => output,
        _ => text,
    }
}

/// Returns the body for a text, if it can be written.
fn written(part: &Part<'_>, text: String, place: &PartContext<'_>) -> Option<Body> {
    let is_beyond_ascii = !text.is_ascii();
    let body = |bytes: Option<Vec<u8>>, transfer| {
        Some(Body {
            is_beyond_ascii: bytes
                .as_ref()
                .map_or(is_beyond_ascii, |bytes| !bytes.is_ascii()),
            bytes,
            transfer,
        })
    };
    let ends = LineEnds::of(&text);
    if part.transfer == Transfer::Identity {
        let before = lines_at_risk(part.body, place);
        if lines_at_risk(text.as_bytes(), place) > before {
            if !are_all(ends, place.end) {
                return None;
            }
            let bytes = Transfer::QuotedPrintable.encode(text.as_bytes(), place.end);
            return body(Some(bytes), Some("quoted-printable"));
        }
        let transfer = (!part.is_eight_bit && is_beyond_ascii).then_some("8bit");
        let bytes = (text.as_bytes() != part.body).then(|| text.into_bytes());
        return Some(Body {
            bytes,
            transfer,
            is_beyond_ascii,
        });
    }
    // The line ends after base64 do not belong to the part.
    let tail = match part.transfer {
        Transfer::Base64 => {
            let length = part.body.trim_ascii_end().len();
            &part.body[length..]
        }
        _ => b"",
    };
    let is_last = place.boundaries.is_empty();
    let is_safe = (are_all(ends, place.end) || are_all(ends, "\r\n"))
        && !text.contains('\0')
        && lines_at_risk(text.as_bytes(), place) == 0
        && (!is_last || text.ends_with('\n'));
    if is_safe {
        let mut bytes = match place.end {
            "\n" => text.replace("\r\n", "\n"),
            _ => text,
        }
        .into_bytes();
        if is_last {
            let first = memchr::memchr(b'\n', tail).map_or(0, |at| at + 1);
            bytes.extend_from_slice(&tail[first..]);
        }
        let name = if bytes.is_ascii() { "7bit" } else { "8bit" };
        return body(Some(bytes), Some(name));
    }
    let mut bytes = part.transfer.encode(text.as_bytes(), place.end);
    bytes.extend_from_slice(tail);
    body(Some(bytes), None)
}

/// Counts the lines that are too long, or that look like a boundary or a separator.
fn lines_at_risk(text: &[u8], place: &PartContext<'_>) -> usize {
    let is_at_risk = |line: &&[u8]| {
        let length = line.strip_suffix(b"\r").unwrap_or(line).len();
        let unquoted = &line[line.iter().take_while(|&&byte| byte == b'>').count()..];
        length > LONGEST_LINE
            || place.is_in_mailbox && unquoted.starts_with(b"From ")
            || line.starts_with(b"--") && place.boundaries.iter().any(|one| line.starts_with(one))
    };
    text.split(|&byte| byte == b'\n').filter(is_at_risk).count()
}

/// True if all lines of a message's text end with `end`; NEL does not end lines there.
fn are_all(ends: LineEnds, end: &str) -> bool {
    let others = if end == "\n" { ends.crlf } else { ends.lf };
    ends.cr == 0 && others == 0
}

/// Returns the text of a field with non-ASCII bytes and no declared charset.
///
/// # Errors
///
/// Returns the reason if the encoding is doubtful, or the text is malformed in it.
pub fn field(value: &[u8], rules: &Rules<'_>) -> Result<String, String> {
    let encoding = match rules.given {
        Some(given) => given,
        None => {
            let question = decide::Question {
                is_text: true,
                ..rules.question.clone()
            };
            let decided = question.of_bytes(None, value);
            if let Some(doubt) = doubt(&decided) {
                return Err(doubt);
            }
            let decision = decided.decision();
            decision.map_or(UTF_8, |decision| decision.encoding)
        }
    };
    let decoded = encoding.with(BomHandling::Keep).decode_fatal(value);
    decoded
        .map(|decoded| decoded.text.into_owned())
        .map_err(|_| format!("malformed {encoding}"))
}

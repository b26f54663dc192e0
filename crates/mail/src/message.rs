//! Finds the parts of a message in other encodings, and the changes that make them UTF-8.

use super::Report;
use super::edit::{self, PartEdit, range_in};
use super::field::parameters;
use super::part::{self, Body, Part, PartContext};
use super::transfer::Transfer;
use super::{Rules, words};
use mailparse::{MailHeader, ParsedMail, parse_headers, parse_mail};
use std::ops::Range;

/// The maximum number of lines of a message that is converted.
const MOST_LINES: usize = 1_000_000;

/// The maximum number of lines that may be boundaries.
const MOST_BOUNDARIES: usize = 20_000;

/// The maximum number of parts of a message that is converted, and their maximum depth.
const MOST_PARTS: usize = 1000;
const MOST_DEPTH: usize = 32;

const TRANSFER_ENCODING: &str = "content-transfer-encoding";

/// The state of traversing a message.
struct Walk<'m, 'r> {
    message: &'m [u8],
    place: PartContext<'r>,
    edits: Vec<PartEdit>,
    parts: usize,
    /// The "7bit" fields of the enclosing parts.
    seven_bit: Vec<Range<usize>>,
}

/// Returns the message with its parts in UTF-8; `None` if nothing changes. Adds the conversions and other remarks to
/// `report`.
pub fn converted(
    message: &[u8],
    is_in_mailbox: bool,
    rules: &Rules<'_>,
    report: &mut Report,
) -> Option<Vec<u8>> {
    if let Some(why) = limit(message) {
        report.leave("", "", why);
        return None;
    }
    let parsed = match parse_mail(message) {
        Ok(parsed) => parsed,
        Err(error) => {
            report.leave("", "", &format!("its header cannot be read: {error}"));
            return None;
        }
    };
    let mut boundaries = Vec::new();
    collect_boundaries(&parsed, &mut boundaries);
    if are_ambiguous(&mut boundaries) {
        report.leave("", "", "one boundary of its parts begins like another one");
        return None;
    }
    let has_crlf = memchr::memmem::find(message, b"\r\n").is_some();
    let mut walk = Walk {
        message,
        place: PartContext {
            rules,
            is_in_mailbox,
            end: if has_crlf { "\r\n" } else { "\n" },
            boundaries: Vec::new(),
        },
        edits: Vec::new(),
        parts: 0,
        seven_bit: Vec::new(),
    };
    let mut own = report.of_message();
    if let Err(why) = walk.part(&parsed, "", &mut own) {
        report.leave("", "", why);
        return None;
    }
    report.take(own);
    let mut edits = walk.edits;
    if edits.is_empty() {
        return None;
    }
    let body = body_start(message);
    let length = (message.len() - body) as i64
        + edits
            .iter()
            .filter(|edit| edit.at.start >= body)
            .map(|edit| edit.to.len() as i64 - edit.at.len() as i64)
            .sum::<i64>();
    if is_in_mailbox && let Some(edit) = content_length(message, &parsed, body, length) {
        edits.push(edit);
    }
    let changed = edit::applied(message, edits);
    (changed != message).then_some(changed)
}

/// Returns the reason why a message is not parsed: each line and part takes time and memory.
fn limit(message: &[u8]) -> Option<&'static str> {
    let (mut lines, mut boundaries) = (0, 0);
    for at in memchr::memchr_iter(b'\n', message) {
        lines += 1;
        boundaries += usize::from(message[at + 1..].starts_with(b"--"));
    }
    if lines > MOST_LINES {
        return Some("it has more than 1,000,000 lines");
    }
    (boundaries > MOST_BOUNDARIES).then_some("more than 20,000 of its lines may be boundaries")
}

fn collect_boundaries(parsed: &ParsedMail<'_>, found: &mut Vec<String>) {
    if let Some(boundary) = parsed.ctype.params.get("boundary") {
        found.push(boundary.clone());
    }
    for part in &parsed.subparts {
        collect_boundaries(part, found);
    }
}

/// True if a line may begin with two different boundaries, so that parts cannot be distinguished.
fn are_ambiguous(boundaries: &mut [String]) -> bool {
    boundaries.sort_unstable();
    let is_empty = boundaries.iter().any(String::is_empty);
    is_empty || boundaries.windows(2).any(|two| two[1].starts_with(&two[0]))
}

/// Returns the start of the body of a message or part.
fn body_start(raw: &[u8]) -> usize {
    parse_headers(raw).map_or(raw.len(), |(_, start)| start)
}

/// Returns the change of the Content-Length field, if the field was correct.
fn content_length(
    message: &[u8],
    parsed: &ParsedMail<'_>,
    body: usize,
    length: i64,
) -> Option<PartEdit> {
    let field = fields(parsed, "content-length").next()?;
    let value = std::str::from_utf8(field.get_value_raw()).ok()?;
    let said: usize = value.trim().parse().ok()?;
    // The empty line before the next separator may or may not count.
    let rest = (message.len() - body)
        .checked_sub(said)
        .filter(|rest| *rest <= 2)?;
    let at = range_in(message, field.get_value_raw())?;
    Some(PartEdit {
        at,
        to: (length - rest as i64).to_string().into_bytes(),
    })
}

fn is_called(field: &MailHeader<'_>, name: &str) -> bool {
    field
        .get_key_raw()
        .trim_ascii()
        .eq_ignore_ascii_case(name.as_bytes())
}

/// Returns the fields called `name` in the header of a part.
fn fields<'p>(
    parsed: &'p ParsedMail<'_>,
    name: &'static str,
) -> impl Iterator<Item = &'p MailHeader<'p>> {
    let headers = parsed.headers.iter();
    headers.filter(move |field| is_called(field, name))
}

impl<'m> Walk<'m, '_> {
    /// Converts a part and its own parts.
    ///
    /// # Errors
    ///
    /// Fails if a limit is exceeded; the message then stays.
    fn part(
        &mut self,
        parsed: &ParsedMail<'_>,
        path: &str,
        report: &mut Report,
    ) -> Result<(), &'static str> {
        self.parts += 1;
        if self.parts > MOST_PARTS {
            return Err("it has more than 1000 parts");
        }
        if path.matches('.').count() >= MOST_DEPTH {
            return Err("its parts lie more than 32 deep in one another");
        }
        let kind = &*parsed.ctype.mimetype;
        self.fields(parsed, path, report);
        if fields(parsed, "content-type").count() > 1 {
            report.leave(path, kind, "it has more than one Content-Type");
            return Ok(());
        }
        let transfer = fields(parsed, TRANSFER_ENCODING).next();
        let transfer = transfer.map_or(&b""[..], |field| token(field.get_value_raw()));
        match kind {
            "multipart/signed" => {
                report.leave(path, kind, "signed: a change would break the signature")
            }
            "multipart/encrypted" => report.leave(path, kind, "encrypted"),
            "application/pkcs7-mime" | "application/x-pkcs7-mime" => {
                report.leave(path, kind, "signed or encrypted (S/MIME)");
            }
            _ if kind.starts_with("multipart/") => self.multipart(parsed, path, report)?,
            "message/rfc822" | "message/global" => {
                if Transfer::for_name(transfer) == Some(Transfer::Identity) {
                    self.message_within(parsed, path, report)?;
                } else {
                    report.leave(path, kind, "a message that is encoded as a whole");
                }
            }
            _ if kind.starts_with("text/") => self.text(parsed, path, transfer, report),
            // RFC 2045, section 5.2, treats an invalid type as text, but no charset can be declared for it.
            _ if !kind.contains('/')
                && !parsed.raw_bytes[body_start(parsed.raw_bytes)..].is_ascii() =>
            {
                report.doubt(path, kind, "its Content-Type has no type and subtype");
            }
            _ => {}
        }
        Ok(())
    }

    fn multipart(
        &mut self,
        parsed: &ParsedMail<'_>,
        path: &str,
        report: &mut Report,
    ) -> Result<(), &'static str> {
        let boundary = parsed
            .ctype
            .params
            .get("boundary")
            .cloned()
            .unwrap_or_default();
        self.place
            .boundaries
            .push([b"--", boundary.as_bytes()].concat());
        let outer = self.seven_bit.len();
        self.enter(parsed);
        for (number, part) in parsed.subparts.iter().enumerate() {
            self.part(part, &child(path, number + 1), report)?;
        }
        self.seven_bit.truncate(outer);
        self.place.boundaries.pop();
        Ok(())
    }

    /// Converts a message in a part, whose body has been read as text.
    fn message_within(
        &mut self,
        parsed: &ParsedMail<'_>,
        path: &str,
        report: &mut Report,
    ) -> Result<(), &'static str> {
        let body = &parsed.raw_bytes[body_start(parsed.raw_bytes)..];
        let Ok(inner) = parse_mail(body) else {
            report.leave(path, &parsed.ctype.mimetype, "its header cannot be read");
            return Ok(());
        };
        let mut boundaries: Vec<_> = self
            .place
            .boundaries
            .iter()
            .map(|one| String::from_utf8_lossy(&one[2..]).into_owned())
            .collect();
        collect_boundaries(&inner, &mut boundaries);
        if are_ambiguous(&mut boundaries) {
            report.leave(
                path,
                &parsed.ctype.mimetype,
                "one boundary of its parts begins like another one",
            );
            return Ok(());
        }
        let outer = self.seven_bit.len();
        self.enter(parsed);
        self.part(&inner, &child(path, 1), report)?;
        self.seven_bit.truncate(outer);
        Ok(())
    }

    /// Records the "7bit" fields of the part that encloses the next parts.
    fn enter(&mut self, parsed: &ParsedMail<'_>) {
        for field in fields(parsed, TRANSFER_ENCODING) {
            let value = token(field.get_value_raw());
            if value.eq_ignore_ascii_case(b"7bit")
                && let Some(at) = range_in(self.message, value)
            {
                self.seven_bit.push(at);
            }
        }
    }

    fn text(&mut self, parsed: &ParsedMail<'_>, path: &str, transfer: &[u8], report: &mut Report) {
        let kind = &*parsed.ctype.mimetype;
        let Some(decoder) = Transfer::for_name(transfer) else {
            let name = String::from_utf8_lossy(transfer);
            return report.leave(
                path,
                kind,
                &format!("nothing here decodes {}", name.escape_debug()),
            );
        };
        let start = body_start(parsed.raw_bytes);
        let (Some(raw), body) = (
            range_in(self.message, parsed.raw_bytes),
            &parsed.raw_bytes[start..],
        ) else {
            return;
        };
        let field = |name| fields(parsed, name).next();
        let value = field("content-type").map_or(&b""[..], |field| field.get_value_raw());
        let all = parameters(value);
        let charset = all.iter().find(|one| one.name == "charset");
        let part = Part {
            kind,
            label: charset
                .map(|one| String::from_utf8_lossy(&value[one.value.clone()]).into_owned()),
            has_other_label: all.iter().any(|one| one.name.starts_with("charset*")),
            is_attachment: field("content-disposition").is_some_and(|field| {
                token(field.get_value_raw()).eq_ignore_ascii_case(b"attachment")
            }),
            has_digest: field("content-md5").is_some(),
            is_eight_bit: [&b"8bit"[..], b"binary"]
                .iter()
                .any(|one| transfer.eq_ignore_ascii_case(one)),
            transfer: decoder,
            body,
        };
        match part::converted(&part, &self.place) {
            part::Outcome::Nothing => {}
            part::Outcome::Left(why) => report.leave(path, kind, &why),
            part::Outcome::Doubtful(why) => report.doubt(path, kind, &why),
            part::Outcome::Converted {
                body,
                from,
                warning,
            } => {
                report.converted(path, kind, from, warning);
                self.change(parsed, raw.start, raw.start + start..raw.end, body);
            }
        }
    }

    /// Adds the changes of the body and of the fields that describe it.
    fn change(&mut self, parsed: &ParsedMail<'_>, start: usize, at: Range<usize>, body: Body) {
        let mut new_fields = String::new();
        let end = self.place.end;
        let field = |name| fields(parsed, name).next();
        if let Some(field) = field("content-type") {
            self.set_charset(field.get_value_raw());
        } else {
            let is_top = start == 0;
            if is_top && field("mime-version").is_none() {
                new_fields.push_str(&format!("MIME-Version: 1.0{end}"));
            }
            new_fields.push_str(&format!("Content-Type: text/plain; charset=utf-8{end}"));
        }
        if let Some(name) = body.transfer {
            match field(TRANSFER_ENCODING) {
                Some(field) if !field.get_value_raw().is_empty() => {
                    let value = range_in(self.message, token(field.get_value_raw()));
                    self.edits.extend(value.map(|at| PartEdit {
                        at,
                        to: name.into(),
                    }));
                }
                _ => new_fields.push_str(&format!("Content-Transfer-Encoding: {name}{end}")),
            }
        }
        if body.is_beyond_ascii {
            let seven_bit = std::mem::take(&mut self.seven_bit);
            self.edits.extend(seven_bit.into_iter().map(|at| PartEdit {
                at,
                to: b"8bit".to_vec(),
            }));
        }
        if !new_fields.is_empty() {
            // Insert before the empty line that ends the header.
            let header = &self.message[start..at.start];
            let empty = if header.ends_with(b"\r\n") { 2 } else { 1 };
            let place = at.start - empty.min(header.len());
            self.edits.push(PartEdit {
                at: place..place,
                to: new_fields.into_bytes(),
            });
        }
        if let Some(bytes) = body.bytes {
            self.edits.push(PartEdit { at, to: bytes });
        }
    }

    /// Changes the charset of a Content-Type to UTF-8.
    fn set_charset(&mut self, value: &[u8]) {
        let Some(at) = range_in(self.message, value) else {
            return;
        };
        let charset = parameters(value)
            .into_iter()
            .find(|one| one.name == "charset");
        let (place, label) = match charset {
            Some(charset) => {
                let old = &value[charset.value.clone()];
                let is_upper = old.first().is_some_and(u8::is_ascii_uppercase);
                (charset.value, if is_upper { "UTF-8" } else { "utf-8" })
            }
            None => {
                let text = value.trim_ascii_end();
                let label = match text.ends_with(b";") {
                    true => " charset=utf-8",
                    false => "; charset=utf-8",
                };
                (text.len()..text.len(), label)
            }
        };
        self.edits.push(PartEdit {
            at: at.start + place.start..at.start + place.end,
            to: label.into(),
        });
    }

    /// Converts the charsets in fields and adds them to the report.
    fn fields(&mut self, parsed: &ParsedMail<'_>, path: &str, report: &mut Report) {
        for field in &parsed.headers {
            let value = field.get_value_raw();
            let Some(at) = range_in(self.message, value) else {
                continue;
            };
            if !self.place.rules.headers {
                if std::str::from_utf8(value).is_err() {
                    report.raw_fields += 1;
                }
                continue;
            }
            let has_parameters =
                is_called(field, "content-type") || is_called(field, "content-disposition");
            let changes = words::changes(value, self.place.end, has_parameters);
            for why in changes.left {
                let name = String::from_utf8_lossy(field.get_key_raw()).into_owned();
                report.leave(path, &name, &why);
            }
            if !changes.changes.is_empty() {
                report.fields += 1;
            }
            self.edits
                .extend(changes.changes.into_iter().map(|change| PartEdit {
                    at: at.start + change.at.start..at.start + change.at.end,
                    to: change.to,
                }));
            // The charset of a part is changed in its Content-Type.
            if std::str::from_utf8(value).is_ok() || is_called(field, "content-type") {
                continue;
            }
            match part::field(value, self.place.rules) {
                Ok(text) => {
                    report.fields += 1;
                    self.edits.push(PartEdit {
                        at,
                        to: text.into_bytes(),
                    });
                }
                Err(why) => {
                    let name = String::from_utf8_lossy(field.get_key_raw()).into_owned();
                    report.doubt(path, &name, &why);
                }
            }
        }
    }
}

/// Returns the first word of a value.
fn token(value: &[u8]) -> &[u8] {
    let value = value.trim_ascii_start();
    let end = value
        .iter()
        .position(|byte| byte.is_ascii_whitespace() || matches!(byte, b';' | b'('));
    &value[..end.unwrap_or(value.len())]
}

fn child(path: &str, number: usize) -> String {
    match path {
        "" => number.to_string(),
        _ => format!("{path}.{number}"),
    }
}

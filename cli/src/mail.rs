//! Messages and mailboxes, which are no text in one encoding: each part of a message has its own.

/// Whether a text of this start is a mailbox.
pub fn is_mailbox(head: &[u8]) -> bool {
    let (first, rest) = next_line(head);
    is_separator(first) && is_message(rest)
}

/// What a file of this start is, if it is mail.
pub fn kind(head: &[u8]) -> Option<&'static str> {
    if is_mailbox(head) {
        return Some("a mailbox: each part of its messages has an encoding of its own");
    }
    is_message(head).then_some("a mail message: each of its parts has an encoding of its own")
}

/// A line without its end, and what follows it.
fn next_line(text: &[u8]) -> (&[u8], &[u8]) {
    let end = memchr::memchr(b'\n', text).unwrap_or(text.len());
    let rest = text.get(end + 1..).unwrap_or_default();
    let line = &text[..end];
    (line.strip_suffix(b"\r").unwrap_or(line), rest)
}

/// Whether a line separates the messages of a mailbox (RFC 4155): "From", a sender, and a date with a time.
pub fn is_separator(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"From ") else {
        return false;
    };
    let words: Vec<_> = rest
        .split(|&byte| byte == b' ')
        .filter(|word| !word.is_empty())
        .collect();
    let is_time = |word: &&[u8]| {
        let parts: Vec<_> = word.split(|&byte| byte == b':').collect();
        let is_number = |part: &&[u8]| part.len() <= 2 && part.iter().all(u8::is_ascii_digit);
        (2..=3).contains(&parts.len())
            && parts.iter().all(|part| !part.is_empty() && is_number(part))
    };
    let is_year = |word: &&[u8]| word.len() == 4 && word.iter().all(u8::is_ascii_digit);
    words.len() >= 5 && words.iter().any(is_time) && words.iter().any(is_year)
}

/// Fields of messages (RFC 5322, RFC 2045) that other texts with fields have not, and some that others have, too.
const OF_MAIL: [&str; 11] = [
    "received",
    "return-path",
    "delivered-to",
    "message-id",
    "mime-version",
    "in-reply-to",
    "references",
    "reply-to",
    "envelope-to",
    "x-mailer",
    "content-transfer-encoding",
];
const OFTEN: [&str; 6] = ["from", "to", "date", "subject", "cc", "content-type"];

/// Whether a text begins with the header of a message.
fn is_message(mut text: &[u8]) -> bool {
    let (mut of_mail, mut often) = (0, 0);
    let mut has_field = false;
    while !text.is_empty() {
        let (line, rest) = next_line(text);
        text = rest;
        if line.is_empty() {
            break;
        }
        if line.starts_with(b" ") || line.starts_with(b"\t") {
            if !has_field {
                return false;
            }
            continue;
        }
        let Some(colon) = memchr::memchr(b':', line) else {
            // The last line may be cut.
            if text.is_empty() {
                break;
            }
            return false;
        };
        let name = &line[..colon];
        if name.is_empty() || !name.iter().all(u8::is_ascii_graphic) {
            return false;
        }
        has_field = true;
        let is_in = |names: &[&str]| {
            names
                .iter()
                .any(|one| name.eq_ignore_ascii_case(one.as_bytes()))
        };
        of_mail += u32::from(is_in(&OF_MAIL));
        often += u32::from(is_in(&OFTEN));
    }
    of_mail >= 1 && often >= 2 && of_mail + often >= 4
}

#[cfg(test)]
mod tests {
    use super::*;

    const MESSAGE: &[u8] = b"Return-Path: <a@b.example>\r\nReceived: from x\r\n\tby y; 1 Jan 2003\r\nFrom: a@b.example\r\nTo: c@d.example\r\nSubject: =?koi8-r?Q?=C4=C1?=\r\nDate: Wed, 1 Jan 2003 10:00:00 +0300\r\nMessage-ID: <1@b>\r\nContent-Type: text/plain; charset=koi8-r\r\n\r\n\xC4\xC1\r\n";

    #[test]
    fn messages_and_mailboxes_are_known_by_their_headers() {
        assert!(kind(MESSAGE).unwrap().starts_with("a mail message"));
        let mailbox = [b"From a@b.example Wed Jan  1 10:00:00 2003\n", MESSAGE].concat();
        assert!(kind(&mailbox).unwrap().starts_with("a mailbox"));
        assert!(
            kind(&MESSAGE[..200]).is_some(),
            "the start of one is enough"
        );
    }

    #[test]
    fn other_texts_with_colons_are_no_mail() {
        for text in [
            &b""[..],
            b"From here on, it is text: of 1999 and 10:00, and more of it\nTo: all\n",
            b"From: me\nTo: you\nSubject: a letter that is written by hand\n\nDear",
            b"Title: a\nDate: 2003-01-01\nTo: you\nFrom: me\n\nfront matter",
            b"msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain\"\n",
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nDate: x\r\n\r\n",
            b"Package: a\nVersion: 1\nDescription: b\n",
            b"key: value\nfrom: x\nto: y\ndate: z\nnot a field\nMessage-ID: 1\nReceived: 1\n",
        ] {
            assert_eq!(kind(text), None, "{}", String::from_utf8_lossy(text));
        }
    }
}

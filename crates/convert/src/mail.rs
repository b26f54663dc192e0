//! Mail messages and mailboxes. They are not text in one encoding, because each part has its own.

/// True if a text with this start is a mailbox.
pub fn is_mailbox(head: &[u8]) -> bool {
    let (first, rest) = next_line(head);
    // The separator line counts as evidence, so fewer fields suffice.
    is_separator(first) && Fields::of(rest).is_some_and(|fields| fields.of_mail + fields.often >= 3)
}

/// Returns the kind of mail by the start of a file.
pub fn kind(head: &[u8]) -> Option<&'static str> {
    if is_mailbox(head) {
        return Some("a mailbox: each part of its messages has an encoding of its own");
    }
    Fields::of(head)
        .is_some_and(|fields| fields.are_of_message())
        .then_some("a mail message: each of its parts has an encoding of its own")
}

/// Returns a line without its end, and the rest.
fn next_line(text: &[u8]) -> (&[u8], &[u8]) {
    let end = memchr::memchr(b'\n', text).unwrap_or(text.len());
    let rest = text.get(end + 1..).unwrap_or_default();
    let line = &text[..end];
    (line.strip_suffix(b"\r").unwrap_or(line), rest)
}

/// True if a line separates the messages of a mailbox (RFC 4155): "From", a sender, and a date with a time.
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

/// Header fields that only messages have (RFC 5322, RFC 2045), and fields that other texts also have.
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

/// The counts of fields at the start of a text.
#[derive(Default)]
struct Fields {
    /// The number of fields that only mail has.
    of_mail: u32,
    /// The number of fields that mail often has, but other texts also have.
    often: u32,
    has_sender: bool,
    has_type: bool,
    /// True if the examined bytes contain the end of the header.
    is_whole: bool,
}

impl Fields {
    /// Counts the fields of a text; `None` if it does not begin with a header.
    fn of(mut text: &[u8]) -> Option<Self> {
        let mut fields = Self::default();
        let mut has_field = false;
        while !text.is_empty() {
            let (line, rest) = next_line(text);
            text = rest;
            if line.is_empty() {
                fields.is_whole = true;
                break;
            }
            if line.starts_with(b" ") || line.starts_with(b"\t") {
                if !has_field {
                    return None;
                }
                continue;
            }
            // Programs quote a separator line of a mailbox in this way.
            if line.starts_with(b">From ") {
                continue;
            }
            let Some(colon) = memchr::memchr(b':', line) else {
                // The last line may be truncated.
                if text.is_empty() {
                    break;
                }
                return None;
            };
            let name = &line[..colon];
            if name.is_empty() || !name.iter().all(u8::is_ascii_graphic) {
                return None;
            }
            has_field = true;
            fields.add(name);
        }
        Some(fields)
    }

    fn add(&mut self, name: &[u8]) {
        let is = |one: &str| name.eq_ignore_ascii_case(one.as_bytes());
        self.of_mail += u32::from(OF_MAIL.iter().any(|one| is(one)));
        self.often += u32::from(OFTEN.iter().any(|one| is(one)));
        self.has_sender |= is("from");
        self.has_type |= is("content-type");
    }

    /// True if these are the header fields of a message. Headers that were written by hand or saved by a program may
    /// lack the fields that only mail has; a Content-Type then suffices. Fields of servers come first, and may fill the
    /// examined part.
    fn are_of_message(&self) -> bool {
        let is_typed = self.has_sender && self.has_type && self.often >= 4;
        let is_sent = self.of_mail >= 1 && self.often >= 2 && self.of_mail + self.often >= 4;
        let is_relayed = !self.is_whole && self.of_mail >= 4;
        is_sent || is_typed || is_relayed
    }
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
    fn a_message_may_lack_the_fields_that_only_mail_has() {
        let header = "From: a@b.example\nSubject: x\nDate: 1 Jan 2003\nContent-Type: text/plain; charset=koi8-r\n\n\u{442}";
        assert!(
            kind(header.as_bytes())
                .unwrap()
                .starts_with("a mail message")
        );
        let quoted = [b">From a@b Wed Jan  1 10:00:00 2003\n", MESSAGE].concat();
        assert!(kind(&quoted).unwrap().starts_with("a mail message"));
        let mailbox =
            "From a@b.example Wed Jan  1 10:00:00 2003\nFrom: a@b\nTo: c@d\nSubject: x\n\ntext\n";
        assert!(kind(mailbox.as_bytes()).unwrap().starts_with("a mailbox"));
    }

    #[test]
    fn a_long_header_need_not_end_in_what_is_looked_at() {
        let received = b"Received: from x\r\n\tby y; 1 Jan 2003\r\n";
        let long = [&received.repeat(2000), MESSAGE].concat();
        assert!(kind(&long[..64 << 10]).is_some());
        assert_eq!(kind(&received.repeat(3)), None);
        assert_eq!(kind(&[&received.repeat(9)[..], b"\r\ntext"].concat()), None);
    }

    #[test]
    fn a_separator_has_a_sender_and_a_date_with_a_time() {
        for (line, expected) in [
            ("From a@b Wed Jan  1 10:00:00 2003", true),
            ("From  a@b Jan 1 1:0 2003", true),
            ("From a@b 1 10:00 2003 +0000", true),
            ("From a@b 1 10:00 2003", false),
            ("From a@b Wed Jan 1 2003", false),
            ("From a@b Wed Jan 1 10:00:00", false),
            ("From a@b Wed Jan 1 10:00:00 03", false),
            ("From a@b Wed Jan 1 10:00:00 20030", false),
            ("From a@b Wed Jan 1 10:00:00 year", false),
            ("From a@b Wed Jan 1 10 2003", false),
            ("From a@b Wed Jan 1 1:1:1:1 2003", false),
            ("From a@b Wed Jan 1 100:00 2003", false),
            ("From a@b Wed Jan 1 10:0a 2003", false),
            ("From a@b Wed Jan 1 10::00 2003", false),
            ("From a@b Wed Jan 1 10: 2003", false),
            ("From: a@b Wed Jan 1 10:00:00 2003", false),
            (">From a@b Wed Jan 1 10:00:00 2003", false),
        ] {
            assert_eq!(is_separator(line.as_bytes()), expected, "{line}");
        }
    }

    /// Each list of fields is just sufficient.
    #[test]
    fn a_message_has_enough_fields() {
        for fields in [
            &["From", "To", "Subject", "Message-ID"][..],
            &["From", "To", "Received", "Message-ID"],
            &["From", "Date", "Subject", "Content-Type"],
            // Programs repeat fields that should occur once.
            &["From", "From", "Subject", "Content-Type"],
            &["From", "Subject", "Content-Type", "Content-Type"],
        ] {
            let header: String = fields.iter().map(|name| format!("{name}: x\n")).collect();
            let said = kind(format!("{header}\ntext").as_bytes());
            assert!(
                said.is_some_and(|said| said.starts_with("a mail message")),
                "{header}"
            );
        }
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
            b"From: me\nTo: you\nContent-Type: a\n\nthree fields",
            b"Subject: x\nTo: you\nDate: 1\nContent-Type: a\n\nno sender",
            b"From a@b.example Wed Jan  1 10:00:00 2003\nFrom: me\nTo: you\n\na letter",
            b"From: me\nTo: you\nSubject: x\nDate: 1\n\nno type",
            b"To: you\nSubject: x\nMessage-ID: 1",
            b"Received: 1\nReceived: 2\nReceived: 3\nFrom: me\n\none that is often there",
            b" From: me\nTo: you\nSubject: x\nMessage-ID: 1\n\n",
            b": x\nFrom: me\nTo: you\nSubject: x\nMessage-ID: 1\n\n",
            b"Dear all: x\nFrom: me\nTo: you\nSubject: x\nMessage-ID: 1\n\n",
            b"key: value\nfrom: x\nto: y\ndate: z\nnot a field\nMessage-ID: 1\nReceived: 1\n",
        ] {
            assert_eq!(kind(text), None, "{}", String::from_utf8_lossy(text));
        }
    }
}

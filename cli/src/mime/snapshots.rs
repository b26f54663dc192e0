//! The effect of single bytes of messages: each is changed by itself.

use super::{Report, Rules, message};
use crate::decide::Question;
use mojika_spec::snapshot::{Answer, Change, LEFT_OUT, LINE_END, SPACE, compare, table};

const CHANGES: [Change; 3] = [LEFT_OUT, SPACE, LINE_END];

/// Messages as programs write them.
const MESSAGES: [(&str, &[u8]); 6] = [
    ("of one part", b"Content-Type: text/plain; charset=\"koi8-r\"\nContent-Transfer-Encoding: 8bit\n\n\xF0\xD2\xC9!\n"),
    ("quoted", b"content-type: text/html;\n charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\n<meta charset=3Dlatin1>=E9=\n=20t\n"),
    ("in Base64", b"Content-Type: text/plain; charset=windows-1251\r\nContent-Transfer-Encoding: base64\r\n\r\nz/Do4uXy\r\n"),
    ("with words", b"Subject: =?koi8-r?B?8NLJ18XU?= =?iso-8859-1?q?caf=E9?= a\nFrom: =?gbk?B?1tA=?= <a@b>\n\na\n"),
    ("with a name of a file", b"Content-Type: text/plain; charset=us-ascii;\n name*0*=koi8-r''%F0%D2; name*1*=%C9\nContent-Disposition: inline; filename*=latin1''%E9\n\na\n"),
    ("of parts", b"Content-Type: multipart/mixed; boundary=\"b\"\n\n--b\nContent-Type: text/plain; charset=koi8-r\n\n\xF0\xD2\n--b\nContent-Type: multipart/signed; boundary=c\n\n--c\n\n\xC9\n--c--\n--b--\n"),
];

/// Returns the converted and the remaining parts with reasons, and the changed lines without a name
/// of an encoding.
fn converted(bytes: &[u8]) -> Answer {
    let question = Question::default();
    let rules = Rules {
        headers: true,
        updates_declared: true,
        ..Rules::of(&question)
    };
    let mut report = Report::default();
    let changed = message::converted(bytes, false, &rules, &mut report);
    let changed = changed
        .as_deref()
        .map(String::from_utf8_lossy)
        .unwrap_or_default();
    let original = String::from_utf8_lossy(bytes);
    let known: Vec<&str> = original.lines().collect();
    let lines = changed.lines();
    let new = lines.filter(|line| !known.contains(line) && !line.contains("charset"));
    let reasons = report.notes(9);
    let reasons = reasons
        .iter()
        .filter_map(|note| note.split_once("): "))
        .map(|(_, reason)| match reason {
            // The name is that of the message.
            _ if reason.starts_with("nothing here decodes") => "nothing here decodes it",
            reason => reason,
        });
    let text: Vec<&str> = reasons.chain(new).collect();
    (format!("{}: {}", report.summary(), text.join(" | ")), None)
}

#[test]
fn the_bytes_that_matter_in_messages_are_those_reviewed() {
    let tables = MESSAGES
        .map(|(label, message)| table(label, message, &converted(b"").0, &CHANGES, converted));
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/snapshots/bytes.mail.txt"
    );
    compare(path, &tables.concat());
}

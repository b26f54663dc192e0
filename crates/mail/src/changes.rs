//! Tests of messages with one changed byte: a second conversion changes nothing.

use super::{Report, Rules, message};
use mojika_convert::decide::Question;
use mojika_spec::changes::ALL;

/// Messages like those of common mail programs.
const MESSAGES: [(&str, &[u8]); 6] = [
    ("of one part", b"Content-Type: text/plain; charset=\"koi8-r\"\nContent-Transfer-Encoding: 8bit\n\n\xF0\xD2\xC9!\n"),
    ("quoted", b"content-type: text/html;\n charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\n<meta charset=3Dlatin1>=E9=\n=20t\n"),
    ("in Base64", b"Content-Type: text/plain; charset=windows-1251\r\nContent-Transfer-Encoding: base64\r\n\r\nz/Do4uXy\r\n"),
    ("with words", b"Subject: =?koi8-r?B?8NLJ18XU?= =?iso-8859-1?q?caf=E9?= a\nFrom: =?gbk?B?1tA=?= <a@b>\n\na\n"),
    ("with a name of a file", b"Content-Type: text/plain; charset=us-ascii;\n name*0*=koi8-r''%F0%D2; name*1*=%C9\nContent-Disposition: inline; filename*=latin1''%E9\n\na\n"),
    ("of parts", b"Content-Type: multipart/mixed; boundary=\"b\"\n\n--b\nContent-Type: text/plain; charset=koi8-r\n\n\xF0\xD2\n--b\nContent-Type: multipart/signed; boundary=c\n\n--c\n\n\xC9\n--c--\n--b--\n"),
];

fn converted(bytes: &[u8]) -> Option<Vec<u8>> {
    let question = Question::default();
    let rules = Rules {
        headers: true,
        updates_declared: true,
        ..Rules::of(&question)
    };
    let converted = message::converted(bytes, false, &rules, &mut Report::default());
    converted.map(|bytes| bytes.to_vec())
}

/// A converted message declares UTF-8, so after any damage the second conversion finds nothing.
#[test]
fn a_changed_message_is_converted_once() {
    for (name, original) in MESSAGES {
        assert_ne!(converted(original).as_deref(), Some(original), "{name}");
        for (change, changed) in ALL {
            for at in 0..original.len() {
                let changed = changed(original, at);
                let Some(once) = converted(&changed) else {
                    continue;
                };
                let twice = converted(&once).unwrap_or_else(|| once.clone());
                assert_eq!(
                    once.escape_ascii().to_string(),
                    twice.escape_ascii().to_string(),
                    "{name}, {change} at {at}"
                );
            }
        }
    }
}

//! The fields that describe a converted part, and the limits of a message that is parsed.

use super::common::run_in;
use mojika::KOI8_R;
use std::path::Path;

const FIELDS: &str =
    "From: a@b.example\nTo: c@d.example\nDate: Wed, 1 Jan 2003 10:00:00 +0300\nMessage-ID: <1@b>\n";
const ADDED: &str = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n";
const TEXT: &str = "Привет, мир\n";

/// Returns a message with U+FFFD replaced by [`TEXT`] in KOI8-R.
fn in_koi8_r(message: &str) -> Vec<u8> {
    let text = KOI8_R.encode(TEXT).unwrap();
    let mut bytes = Vec::new();
    for (number, piece) in message.split('\u{FFFD}').enumerate() {
        if number > 0 {
            bytes.extend_from_slice(&text);
        }
        bytes.extend_from_slice(piece.as_bytes());
    }
    bytes
}

/// Returns the converted message.
fn converted(message: &[u8]) -> String {
    let args = ["convert", "-q", "--mail", "--from", "koi8-r"];
    let output = run_in(Path::new("."), &args, message).ok();
    String::from_utf8(output).unwrap()
}

#[track_caller]
fn becomes(before: &str, after: &str) {
    let after = after.replace('\u{FFFD}', TEXT);
    assert_eq!(converted(&in_koi8_r(before)), after);
    // A message with CRLF as line ends is converted to the same text.
    let crlf = |bytes: &[u8]| {
        let text = KOI8_R.decode(bytes).text.replace('\n', "\r\n");
        KOI8_R.encode(&text).unwrap().into_owned()
    };
    let wide = converted(&crlf(&in_koi8_r(before)));
    assert_eq!(wide, after.replace('\n', "\r\n"));
}

#[test]
fn a_message_without_a_content_type_gets_one() {
    becomes(
        &format!("{FIELDS}\n\u{FFFD}"),
        &format!("{FIELDS}MIME-Version: 1.0\n{ADDED}\n\u{FFFD}"),
    );
    // The field `MIME-Version` exists already.
    let fields = format!("mime-version: 1.0\n{FIELDS}");
    becomes(
        &format!("{fields}\n\u{FFFD}"),
        &format!("{fields}{ADDED}\n\u{FFFD}"),
    );
    let fields = format!("{FIELDS}Content-Transfer-Encoding: 7bit\n");
    becomes(
        &format!("{fields}\n\u{FFFD}"),
        &format!(
            "{FIELDS}Content-Transfer-Encoding: 8bit\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n\u{FFFD}"
        ),
    );
}

#[test]
fn a_part_gets_a_content_type_and_no_version() {
    let head = format!("{FIELDS}Content-Type: multipart/mixed; boundary=b\n\n");
    becomes(
        &format!("{head}--b\n\n\u{FFFD}\n--b\nX-Own: 1\n\n\u{FFFD}\n--b--\n"),
        &format!("{head}--b\n{ADDED}\n\u{FFFD}\n--b\nX-Own: 1\n{ADDED}\n\u{FFFD}\n--b--\n"),
    );
}

/// A part becomes "8bit" if it encloses a converted part. Parts that end before the converted part stay.
#[test]
fn only_what_encloses_a_part_of_eight_bits_says_so() {
    let of = |bits: [&str; 3], text: &str| {
        let [outer, inner, message] = bits;
        format!(
            "{FIELDS}Content-Type: multipart/mixed; boundary=b\nContent-Transfer-Encoding: {outer}\n\n\
             --b\nContent-Type: multipart/alternative; boundary=i\nContent-Transfer-Encoding: {inner}\n\n\
             --i\n\nASCII\n--i--\n\n\
             --b\nContent-Type: message/rfc822\nContent-Transfer-Encoding: {message}\n\n{FIELDS}\nASCII\n\
             --b\n{text}\n\u{FFFD}\n--b--\n"
        )
    };
    becomes(
        &of(["7BIT", "7bit", "7bit"], ""),
        &of(["8bit", "7bit", "7bit"], ADDED),
    );
    // Each part around the converted part becomes "8bit".
    let of = |bits: &str, text: &str| {
        format!(
            "{FIELDS}Content-Type: multipart/mixed; boundary=b\nContent-Transfer-Encoding: {bits}\n\n\
             --b\nContent-Type: message/rfc822\nContent-Transfer-Encoding: {bits}\n\n{FIELDS}{text}\n\u{FFFD}\n--b--\n"
        )
    };
    becomes(&of("7bit", ""), &of("8bit", ADDED));
}

/// A mailbox states lengths, with or without the empty line before the next separator. A wrong length is not updated.
#[test]
fn content_length_follows_the_text_if_it_was_true() {
    let message = |length: usize| {
        format!(
            "From a@b Wed Jan  1 10:00:00 2003\n{FIELDS}Content-Length: {length}\nMIME-Version: 1.0\nContent-Type: text/plain; charset=koi8-r\nContent-Transfer-Encoding: 8bit\n\n\u{FFFD}\n\n"
        )
    };
    let (old, new) = (TEXT.chars().count() + 2, TEXT.len() + 2);
    for (said, expected) in [
        (old, new),
        (old - 1, new - 1),
        (old - 2, new - 2),
        (old - 3, old - 3),
        (old + 1, old + 1),
    ] {
        let expected = message(expected)
            .replace("koi8-r", "utf-8")
            .replace('\u{FFFD}', TEXT);
        assert_eq!(converted(&in_koi8_r(&message(said))), expected, "{said}");
    }
}

/// A message at each limit is converted, and one beyond it stays.
#[test]
fn each_bound_may_be_reached() {
    let koi8_r = "Content-Type: text/plain; charset=koi8-r\n\n\u{FFFD}";
    let lines = |count: usize| {
        let fields = FIELDS.matches('\n').count() + koi8_r.matches('\n').count() + 1;
        format!("{FIELDS}{koi8_r}{}", "\n".repeat(count - fields))
    };
    let boundaries = |count: usize| format!("{FIELDS}{koi8_r}{}", "--\n".repeat(count));
    let parts = |count: usize| {
        let others = "--b\n\n\n".repeat(count - 2);
        format!(
            "{FIELDS}Content-Type: multipart/mixed; boundary=b\n\n{others}--b\n{koi8_r}\n--b--\n"
        )
    };
    let depth = |count: usize| {
        let level =
            |level| format!("Content-Type: multipart/mixed; boundary=b{level}x\n\n--b{level}x\n");
        let levels: String = (0..count).map(level).collect();
        format!("{FIELDS}{levels}{koi8_r}")
    };
    type Make<'f> = &'f dyn Fn(usize) -> String;
    let cases: [(Make<'_>, usize, &str); 4] = [
        (&lines, 1_000_000, "lines"),
        (&boundaries, 20_000, "boundaries"),
        (&parts, 1000, "parts"),
        (&depth, 32, "depth"),
    ];
    for (message, most, name) in cases {
        let text = converted(&in_koi8_r(&message(most)));
        assert!(
            text.contains(TEXT) && text.contains("charset=utf-8"),
            "{name}"
        );
        let beyond = in_koi8_r(&message(most + 1));
        let args = ["convert", "-q", "--mail", "--from", "koi8-r"];
        let output = run_in(Path::new("."), &args, &beyond).ok();
        assert!(output == beyond, "{name}");
    }
}

/// Old mail uses encodings that browsers do not decode, and some programs put a label in single quotation marks.
#[test]
fn charsets_mean_in_mail_what_they_are_registered_for() {
    for (charset, body, new, text) in [
        ("iso-2022-kr", &b"\x1B$)C\x0E0!\x0F\n"[..], "utf-8", "가\n"),
        ("ISO-2022-CN", b"\x1B$)A\x0EVPND\x0F\n", "UTF-8", "中文\n"),
        ("hz-gb-2312", b"~{VPND~}\n", "utf-8", "中文\n"),
        ("'koi8-r'", b"\xC4\xC1\n", "utf-8", "да\n"),
    ] {
        let message = [plain(charset).as_bytes(), body].concat();
        assert_eq!(converted(&message), plain(new) + text, "{charset}");
    }
}

/// Returns the header of a message whose body is text in this charset.
fn plain(charset: &str) -> String {
    format!(
        "{FIELDS}MIME-Version: 1.0\nContent-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: 8bit\n\n"
    )
}

/// Servers and spam filters add thousands of bytes before the sender.
#[test]
fn a_message_with_a_long_header_is_known_on_every_route() {
    let added = "Received: from x\n\tby y; 1 Jan 2003\n".repeat(700);
    let head = |charset: &str| added.clone() + &plain(charset);
    let message = in_koi8_r(&(head("koi8-r") + "\u{FFFD}"));
    let expected = head("utf-8") + TEXT;
    assert_eq!(converted(&message), expected);
    let tree = super::common::tree::folder(&[("src/a.eml", &message)]);
    let file = super::common::tree::run(&tree, "convert -q --mail src/a.eml");
    assert_eq!(file.ok(), expected.as_bytes());
    super::common::tree::status(&tree, "convert -q --mail --from auto src -o out", 0);
    let written = super::common::tree::read(&tree, "out/a.eml");
    assert_eq!(written, expected.as_bytes());
}

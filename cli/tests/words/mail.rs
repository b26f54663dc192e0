//! Messages about mail, and the results for parts of every kind.

use crate::common::tree::{folder, read};
use crate::common::{koi8_r, run_at};
use crate::{replayed, snapshot, stable};

const RUSSIAN: &str = "Вечером на веранде пили чай с вареньем и говорили о лете.\n";

/// Returns a mailbox message with these header fields and this body.
fn message(fields: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "From a@b.example Thu Nov 26 11:00:00 2026\nFrom: a@b.example\nTo: c@d.example\nSubject: x\nMessage-ID: <1@b>\n{fields}\n"
    );
    [head.as_bytes(), body, b"\n"].concat()
}

/// Returns a message for each way in which a part is converted or left unchanged.
fn every_kind() -> Vec<u8> {
    let russian = koi8_r(RUSSIAN);
    let long = format!("{}\r\nend\n", "字".repeat(400));
    let long = mojika::SHIFT_JIS.encode(&long).unwrap().into_owned();
    let utf_16 = b"\xFF\xFE\x10\x04\x11\x04\n\0";
    let with = |boundary: &str, kind: &str| {
        let head = format!("Content-Type: multipart/{kind}; boundary={boundary}\n");
        let part = format!("--{boundary}\nContent-Type: text/plain; charset=koi8-r\n\n");
        let end = format!("--{boundary}--\n");
        message(&head, &[part.as_bytes(), &russian, end.as_bytes()].concat())
    };
    let text = "Content-Type: text/plain";
    let text_of = |charset: &str, transfer: &str| {
        format!("{text}; charset={charset}\nContent-Transfer-Encoding: {transfer}\n")
    };
    [
        message(&format!("{text}; charset=koi8-r\n"), &russian),
        message(
            &format!("{text}; charset=KOI8-R\nContent-Transfer-Encoding: 7bit\n"),
            &russian,
        ),
        message(&format!("{text}; charset*=us-ascii''koi8-r\n"), &russian),
        message(
            &format!("{text}\nContent-Disposition: attachment\n"),
            &russian,
        ),
        message(
            &format!("{text}; charset=koi8-r\nContent-Transfer-Encoding: x-uuencode\n"),
            &russian,
        ),
        message(
            &format!("{text}; charset=koi8-r\nContent-Transfer-Encoding: base64\n"),
            b"8NLJ18XU=\n",
        ),
        message(
            &format!("{text}; charset=koi8-r\nContent-Transfer-Encoding: base64\n"),
            b"8NLJ18XU\n",
        ),
        message(
            &format!("{text}; charset=koi8-r\nContent-Transfer-Encoding: quoted-printable\n"),
            b"=F0=D2 =\n=C9\n",
        ),
        message(
            &format!("{text}; charset=koi8-r\nContent-Transfer-Encoding: quoted-printable\n"),
            b"=F0=D2=G0\n",
        ),
        message(
            &format!("{text}; charset=koi8-r\n{text}; charset=utf-8\n"),
            &russian,
        ),
        message(
            "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n",
            b"RnJvbTogYQo=\n",
        ),
        message(
            "Content-Type: message/rfc822\n",
            &[
                b"Subject: inner\nContent-Type: text/plain; charset=koi8-r\n\n",
                &russian[..],
            ]
            .concat(),
        ),
        message(&format!("{text}; charset=x-user-defined\n"), &russian),
        message(&format!("{text}; charset=klingon\n"), &russian),
        message(&format!("{text}; charset=utf-8\n"), utf_16),
        message(
            &format!("{text}; charset=utf-16\nContent-Transfer-Encoding: base64\n"),
            b"BBAEEQAK\n",
        ),
        message(&format!("{text}; charset=shift_jis\n"), &long),
        message(&format!("{text}; charset=x-unknown\n"), RUSSIAN.as_bytes()),
        message(&format!("{text}; charset=utf-8\n"), RUSSIAN.as_bytes()),
        message(
            &format!("{text}; charset=koi8-r\nContent-MD5: Q2hlY2s=\n"),
            &russian,
        ),
        message(
            &format!("{text}; charset=koi8-r\n"),
            &[b"-----BEGIN PGP MESSAGE-----\n", &russian[..]].concat(),
        ),
        message(
            &format!("{text}; charset=koi8-r\n"),
            &[b"x-----BEGIN PGP MESSAGE-----\n", &russian[..]].concat(),
        ),
        message("Content-Type: application/pkcs7-mime\n", &russian),
        message("Content-Type: image/png\n", &russian),
        with("a", "mixed"),
        with("b", "encrypted"),
        with("c", "signed"),
        message(
            "X-Raw: \u{E9}\nX-Word: =?klingon?Q?a?= =?koi8-r?Q?=F0?= =?euc-jp?Q?=8E?=\n",
            b"plain\n",
        ),
        message("", &russian),
        // ASCII in this charset is left unchanged.
        message(&format!("{text}; charset=iso-2022-jp\n"), b"plain\n"),
        message(&format!("{text}; charset=koi8-r\n"), b"a ~{ b\n"),
        message(&text_of("utf-16", "base64"), b"//4QBBEECgA=\n"),
        message(
            &format!("{text}; charset=koi8-r\n"),
            &[&russian[..], b"-----BEGIN PGP MESSAGE-----\n"].concat(),
        ),
        // The text has a line of two hyphens, which is not a boundary.
        message(&text_of("koi8-r", "base64"), b"8NLJCi0tIAphCg==\n"),
        // The text has lines with many quotation marks. Unquoted, the first one could look like a mailbox separator.
        message(&text_of("koi8-r", "base64"), b"8NLJCj4+RnJvbSBhCg==\n"),
        message(&text_of("koi8-r", "base64"), b"8NLJCj4+RnJvbTphCg==\n\n\n"),
        // The text has eight bits, and its transfer encoding is stated as "binary".
        message(&text_of("koi8-r", "binary"), &russian),
        // The converted text is also ASCII, so "7bit" stays.
        message(&text_of("utf-7", "7bit"), b"+ACEAIg-\n"),
    ]
    .concat()
}

/// Checks the messages, the report, and every byte of the output.
#[test]
fn parts_of_every_kind_are_converted_or_stay_with_the_reason() {
    let raw = [
        b"From a@b.example Thu Nov 26 11:00:00 2026\nX-Raw: ",
        &koi8_r("имя")[..],
        b"\nFrom: a\nTo: b\nSubject: c\nMessage-ID: <1>\n\nplain\n",
    ]
    .concat();
    let tree = folder(&[("src/inbox", &every_kind()), ("raw", &raw)]);
    let said = replayed("mail.txt", |line| {
        let run = run_at(tree.path(), line, b"");
        format!("$ mojika {line}\n{}status {}\n\n", run.stderr, run.status)
    });
    snapshot("mail.txt", &stable(&said.concat()));
    let mut parts = String::new();
    for name in ["report", "all.report"] {
        let report: serde_json::Value = serde_json::from_slice(&read(&tree, name)).unwrap();
        let mail = &report["mail"];
        for key in [
            "messages",
            "parts_converted",
            "parts_left",
            "parts_doubtful",
            "fields_converted",
            "fields_not_utf_8",
        ] {
            parts += &format!("{key} {}\n", mail[key]);
        }
        // Add the parts that only the second report lists.
        for part in mail["parts"].as_array().unwrap() {
            let line = format!("{part}\n");
            if !parts.contains(&line) {
                parts += &line;
            }
        }
    }
    snapshot("mail.report.txt", &parts);
    let output = read(&tree, "all/inbox");
    let separators = |mailbox: &[u8]| {
        let lines = mailbox.split(|byte| *byte == b'\n');
        lines.filter(|line| line.starts_with(b"From ")).count()
    };
    assert_eq!(separators(&output), separators(&every_kind()));
    assert!(
        read(&tree, "raw")
            .starts_with("From a@b.example Thu Nov 26 11:00:00 2026\nX-Raw: имя\n".as_bytes())
    );
}

/// Messages about each limit, at the limit and beyond it.
#[test]
fn limits_of_mail_are_said() {
    let text = "Content-Type: text/plain; charset=koi8-r\n\n";
    let russian = koi8_r("имя\n");
    let lines = |count: usize| {
        let head = "From: a\nTo: b\nSubject: c\nMessage-ID: <1>\n";
        let head = format!("{head}{text}");
        // The header and the text have lines as well.
        let more = count - head.matches('\n').count() - 1;
        [head.as_bytes(), &russian, &b"\n".repeat(more)].concat()
    };
    let whole = |fields: &str, body: &[u8]| {
        let head = format!("From: a\nTo: b\nSubject: c\nMessage-ID: <1>\n{fields}\n");
        [head.as_bytes(), body].concat()
    };
    let parts = |count: usize| {
        let part = [b"--x\n", text.as_bytes(), &russian].concat();
        let body = [&part.repeat(count)[..], b"--x--\n"].concat();
        whole("Content-Type: multipart/mixed; boundary=x\n", &body)
    };
    let boundaries = |count: usize| {
        let body = [&russian[..], &b"--\n".repeat(count)].concat();
        whole(text.trim_end_matches("\n\n"), &[b"\n", &body[..]].concat())
    };
    let depth = |count: usize| {
        let mut inner = [text.as_bytes(), &russian].concat();
        for level in (0..count).rev() {
            let head =
                format!("Content-Type: multipart/mixed; boundary=b{level:02}x\n\n--b{level:02}x\n");
            let end = format!("--b{level:02}x--\n");
            inner = [head.as_bytes(), &inner, end.as_bytes()].concat();
        }
        [b"From: a\nTo: b\nSubject: c\nMessage-ID: <1>\n", &inner[..]].concat()
    };
    let two = |fields: &str| {
        let first = [format!("--x\n{fields}\n\n").as_bytes(), &russian].concat();
        let second = [b"--x\n", text.as_bytes(), &russian, b"--x--\n"].concat();
        whole(
            "Content-Type: multipart/mixed; boundary=x\n",
            &[first, second].concat(),
        )
    };
    // The lines have 998 and 999 bytes in UTF-8.
    let ends = |end: &str| {
        let body = koi8_r(&format!("{}{end}", "ж".repeat(499)));
        whole(text.trim_end_matches('\n'), &[b"\n\n", &body[..]].concat())
    };
    let base64 = |body: &str| {
        let fields = format!("{}\nContent-Transfer-Encoding: base64\n", text.trim_end());
        let body = data_encoding::BASE64.encode(&koi8_r(body));
        whole(&fields, format!("{body}\n").as_bytes())
    };
    let begins = b"From a@b.example Thu Nov 26 11:00:00 2026\n";
    let mailbox = [&begins[..], &parts(600), b"\n"].concat().repeat(2);
    let warned = whole(
        "Content-Type: text/plain; charset=windows-1252\n",
        RUSSIAN.repeat(4).as_bytes(),
    );
    let raw = [
        b"From: a\nTo: b\nSubject: ",
        &koi8_r("имя")[..],
        b"\nMessage-ID: <1>\n\ntext\n",
    ]
    .concat();
    let tree = folder(&[
        // More than a thousand parts; the report has only a thousand.
        ("mailbox/1", &mailbox),
        ("fields/1.eml", &raw),
        ("warned/1.eml", &warned),
        ("ends/1.eml", &ends("\r\nend\n")),
        ("ends/2.eml", &ends("x\r\nend\n")),
        ("ends/3.eml", &ends("x\nend\n")),
        ("base64/1.eml", &base64("да\n")),
        ("base64/2.eml", &base64("да\nFrom a\n")),
        ("base64/3.eml", &base64("да\0\n")),
        ("base64/4.eml", &base64("да")),
        ("lines/1.eml", &lines(1_000_000)),
        ("lines/2.eml", &lines(1_000_001)),
        ("boundaries/1.eml", &boundaries(20_000)),
        ("boundaries/2.eml", &boundaries(20_001)),
        // The message itself counts as one part.
        ("parts/1.eml", &parts(999)),
        ("parts/2.eml", &parts(1000)),
        ("depth/1.eml", &depth(32)),
        ("depth/2.eml", &depth(33)),
        (
            "two/1.eml",
            &two("Content-Type: text/plain; charset=klingon"),
        ),
        ("two/2.eml", &two("Content-Type: plain")),
        (
            "two/3.eml",
            &two("Content-Type: text/plain; charset=koi8-r\nContent-Type: text/html"),
        ),
    ]);
    let mut said = String::new();
    for name in [
        "lines",
        "boundaries",
        "parts",
        "depth",
        "two",
        "ends",
        "base64",
        "mailbox",
        "fields",
        "warned",
    ] {
        let options = match name {
            "warned" => "--confidence 0",
            _ => "--allow koi8-r,utf-8",
        };
        let line = format!("convert --mail {name} -o out-{name}/ --report report -j 1 {options}");
        let run = run_at(tree.path(), &line, b"");
        said += &format!("$ mojika {line}\n{}status {}\n", run.stderr, run.status);
        let report = String::from_utf8(read(&tree, "report")).unwrap();
        for line in report.lines() {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            let parts: Vec<_> = line["mail"]["parts"].as_array().unwrap().iter().collect();
            let kept: Vec<_> = parts
                .iter()
                .filter(|part| part["status"] != "converted")
                .collect();
            said += &format!(
                "{}: of {} in the report {} converted, {}, {} fields are not UTF-8\n",
                line["path"],
                parts.len(),
                line["mail"]["parts_converted"],
                serde_json::to_string(&kept).unwrap(),
                line["mail"]["fields_not_utf_8"]
            );
        }
        said += "\n";
    }
    for name in [
        "ends/1", "ends/3", "base64/1", "base64/2", "base64/3", "base64/4",
    ] {
        let text = String::from_utf8(read(&tree, &format!("out-{name}.eml"))).unwrap();
        let fields = text
            .lines()
            .find(|line| line.starts_with("Content-Transfer"));
        said += &format!("{name}: {fields:?}\n");
    }
    snapshot("mail.limits.txt", &stable(&said));
}

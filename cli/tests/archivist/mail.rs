//! Mail is left out: a message has parts in several encodings.

use super::common::tree::{folder, read, run, status};

const MESSAGE: &[u8] = b"Return-Path: <a@b.example>\nReceived: from x\n\tby y; 1 Jan 2003\nFrom: a@b.example\nTo: c@d.example\nSubject: x\nDate: Wed, 1 Jan 2003 10:00:00 +0300\nMessage-ID: <1@b>\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain; charset=koi8-r\nContent-Transfer-Encoding: 8bit\n\n\xF0\xD2\xC9\xD7\xC5\xD4\n--b\nContent-Type: text/plain; charset=windows-1251\nContent-Transfer-Encoding: 8bit\n\n\xCF\xF0\xE8\xE2\xE5\xF2\n--b--\n";

#[test]
fn messages_and_mailboxes_are_left_out_with_the_reason() {
    let mailbox = [b"From a@b.example Wed Jan  1 10:00:00 2003\n", MESSAGE].concat();
    let note = mojika::KOI8_R
        .encode("Это заметка, и она не письмо.\n")
        .unwrap()
        .repeat(5);
    let folder = folder(&[
        ("src/a.eml", MESSAGE),
        ("src/inbox", &mailbox),
        ("src/cur/1041404400.M1P1.host:2,S", MESSAGE),
        ("src/note.txt", &note),
    ]);
    for from in ["auto", "koi8-r"] {
        let said = status(
            &folder,
            &format!("convert --from {from} src -o out-{from}"),
            0,
        );
        assert!(said.contains("1 converted, 3 skipped"), "{said}");
        assert!(
            said.contains("2  a mail message") && said.contains("1  a mailbox"),
            "{said}"
        );
    }
    let said = status(&folder, "convert --from auto --in-place src", 0);
    assert!(said.contains("1 converted, 3 skipped"), "{said}");
    assert_eq!(read(&folder, "src/a.eml"), MESSAGE);
    // A named file is converted if the user gives its encoding or type.
    let refused = run(&folder, "convert --from auto src/a.eml");
    assert_eq!(refused.status, 1);
    refused.says("a mail message");
    assert!(run(&folder, "convert --from koi8-r src/a.eml").ok().len() > MESSAGE.len());
    let said = status(&folder, "convert --from koi8-r --text src -o all", 0);
    assert!(
        said.contains("3 converted, 1 in the output encoding already")
            || said.contains("4 converted"),
        "{said}"
    );
}

#[cfg(feature = "mail")]
mod parts {
    use super::super::common::tree::{folder, read, run, status};
    use super::super::common::{encoded, run_in};
    use super::MESSAGE;
    use data_encoding::BASE64;
    use mojika::{ISO_2022_JP, KOI8_R, SHIFT_JIS, UTF_8, WINDOWS_1251, WINDOWS_1252};
    use mojika_spec::Random;
    use serde_json::Value;

    const HEADER: &str = "Return-Path: <a@b.example>\nReceived: from x\n\tby y; 1 Jan 2003\nFrom: =?koi8-r?B?8NLJ18XU?= <a@b.example>\nTo: c@d.example\nSubject: =?windows-1251?Q?=CF=F0?=\n =?windows-1251?Q?=E8?=\nDate: Wed, 1 Jan 2003 10:00:00 +0300\nMessage-ID: <1@b>\nMIME-Version: 1.0\n";

    fn in_utf_8(message: &[u8]) -> Vec<u8> {
        let args = ["convert", "-q", "--mail"];
        run_in(std::path::Path::new("."), &args, message).ok()
    }

    /// Encodes bytes as quoted-printable, with other choices than mojika makes.
    fn quoted(bytes: &[u8]) -> Vec<u8> {
        let mut quoted = Vec::new();
        for (at, &byte) in bytes.iter().enumerate() {
            match byte {
                b'\n' => quoted.push(byte),
                b'=' | 0x80.. => quoted.extend_from_slice(format!("={byte:02X}").as_bytes()),
                _ => quoted.push(byte),
            }
            if at % 20 == 19 {
                quoted.extend_from_slice(b"=\n");
            }
        }
        quoted
    }

    #[test]
    fn each_part_is_converted_from_its_own_charset() {
        let folder = folder(&[("a.eml", MESSAGE)]);
        let expected = String::from_utf8_lossy(MESSAGE)
            .replace("charset=koi8-r", "charset=utf-8")
            .replace("charset=windows-1251", "charset=utf-8");
        let mut parts = expected.split('\u{FFFD}').filter(|part| !part.is_empty());
        let expected = [
            parts.next().unwrap(),
            parts.next().unwrap(),
            parts.next().unwrap(),
        ];
        let expected = expected.join("Привет");
        let said = run(&folder, "convert --mail a.eml");
        assert_eq!(String::from_utf8(said.stdout).unwrap(), expected);
        assert_eq!(said.stderr, "a.eml: 1 message, 2 parts converted\n");
        assert_eq!(said.status, 0);
        // A second run changes nothing.
        assert_eq!(in_utf_8(expected.as_bytes()), expected.as_bytes());
    }

    #[test]
    fn quotation_marks_around_a_charset_do_not_count() {
        let wide: Vec<u8> = "Grüße\n"
            .encode_utf16()
            .flat_map(u16::to_be_bytes)
            .collect();
        let wide = BASE64.encode(&wide);
        let of = |label: &str, transfer: &str, body: &[u8]| {
            let head = format!(
                "{HEADER}X-Label: =?{label}?Q?Gr=FC=DFe?=\nContent-Type: text/plain; charset=\"{label}\"\nContent-Transfer-Encoding: {transfer}\n\n"
            );
            let folder = folder(&[("a.eml", &[head.as_bytes(), body].concat())]);
            let said = run(&folder, "convert --mail=headers a.eml");
            let text = String::from_utf8_lossy(&said.stdout).into_owned();
            let without_marks = |text: String| text.replace(['\'', '\\'], "");
            (said.status, without_marks(said.stderr), without_marks(text))
        };
        for label in [
            "us-ascii",
            "iso-8859-1",
            "gbk",
            "utf-16",
            "koi8-r",
            "unknown-8bit",
            "utf-8",
        ] {
            for (transfer, body) in [
                ("8bit", "Grüße, für dich\n".repeat(9).as_bytes()),
                ("8bit", b"Gr\xFC\xDFe\n"),
                ("base64", wide.as_bytes()),
            ] {
                let bare = of(label, transfer, body);
                let quoted = of(&format!("'{label}'"), transfer, body);
                assert_eq!(quoted, bare, "{label} {transfer}");
            }
        }
        let (status, _, text) = of("'us-ascii'", "8bit", "Grüße\n".as_bytes());
        assert!(status == 0 && text.ends_with("\n\nGrüße\n"), "{text}");
        let (_, _, text) = of("'utf-16'", "base64", wide.as_bytes());
        assert!(text.ends_with("\n\nGrüße\n"), "{text}");
    }

    /// Returns a part of a message as created, and the same part converted to UTF-8.
    fn part(random: &mut Random, depth: usize, number: &mut usize) -> (Vec<u8>, Vec<u8>) {
        *number += 1;
        let own = *number;
        let lines = [
            "Привет, мир: это письмо.\n",
            "and a line of ASCII, = with signs\n",
            "\n",
            ">From here on it is quoted\n",
        ];
        let other = ["École à côté, déjà vu\n", "--\nsignature\n"];
        let some = |random: &mut Random, lines: &[&str]| -> String {
            (0..1 + random.below(6))
                .map(|_| lines[random.below(lines.len())])
                .collect()
        };
        let (label, encoding) = [
            ("koi8-r", KOI8_R),
            ("Windows-1251", WINDOWS_1251),
            ("iso-8859-1", WINDOWS_1252),
            ("utf-8", UTF_8),
            ("us-ascii", UTF_8),
        ][random.below(5)];
        match random.below(if depth > 3 { 5 } else { 8 }) {
            0 | 1 => {
                let text = match label {
                    "iso-8859-1" => some(random, &other),
                    "us-ascii" => some(random, &["plain\n", "\n"]),
                    _ => some(random, &lines),
                };
                let changes = !text.is_ascii() && encoding != UTF_8;
                let name = if label == "Windows-1251" {
                    "UTF-8"
                } else {
                    "utf-8"
                };
                let header = |label: &str| {
                    format!(
                        "X-Before: 1\nContent-Type: text/plain; format=flowed;\n charset=\"{label}\"\nX-After:  2 \nContent-Transfer-Encoding: 8bit\n\n"
                    )
                };
                let before = [header(label).as_bytes(), &encoded(encoding, &text)].concat();
                let after = header(if changes { name } else { label }) + &text;
                (before, after.into_bytes())
            }
            2 => {
                // `lines[3]` is left out: a line that a mailbox would quote stays encoded.
                let text = some(random, &lines[..3]);
                let changes = !text.is_ascii();
                let before = "Content-Transfer-Encoding: quoted-printable \nContent-Type: text/plain; charset=koi8-r\n\n";
                let before = [before.as_bytes(), &quoted(&encoded(KOI8_R, &text))].concat();
                let after = format!(
                    "Content-Transfer-Encoding: 8bit \nContent-Type: text/plain; charset=utf-8\n\n{text}"
                );
                (
                    before.clone(),
                    if changes { after.into_bytes() } else { before },
                )
            }
            3 => {
                let text = some(random, &lines[..2]) + "Привет";
                let head = |transfer: &str, label: &str| {
                    format!(
                        "Content-Type: text/html; charset={label}; x=y\nContent-Transfer-Encoding: {transfer}\n\n"
                    )
                };
                let bytes = encoded(WINDOWS_1251, &text.replace('\n', "\r\n"));
                let before = head("Base64", "cp1251") + &BASE64.encode(&bytes);
                (
                    before.into_bytes(),
                    (head("8bit", "utf-8") + &text).into_bytes(),
                )
            }
            4 => {
                let image = b"Content-Type: image/png\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=\n\xFF\xFE odd\n".to_vec();
                (image.clone(), image)
            }
            5 => {
                let (inner, _) = part(random, depth + 1, number);
                let boundary = format!("s{own}s");
                let head = format!(
                    "Content-Type: multipart/signed; protocol=\"application/pgp-signature\"; boundary={boundary}\n\n--{boundary}\n"
                );
                let tail = format!(
                    "\n--{boundary}\nContent-Type: application/pgp-signature\n\n-----BEGIN PGP SIGNATURE-----\n--{boundary}--\n"
                );
                let all = [head.as_bytes(), &inner, tail.as_bytes()].concat();
                (all.clone(), all)
            }
            6 => {
                let (before, after) = part(random, depth + 1, number);
                let head =
                    "Content-Type: message/rfc822\n\nFrom: =?koi8-r?Q?=F0?= <a@b>\nX: \u{F0}\n";
                let with = |inner: &[u8]| [head.as_bytes(), inner].concat();
                (with(&before), with(&after))
            }
            _ => {
                let boundary = format!("b{own}_x'");
                let head = format!(
                    "Content-Type: multipart/mixed;\n boundary=\"{boundary}\"\n\npreamble\n"
                );
                let (mut before, mut after) = (head.clone().into_bytes(), head.into_bytes());
                for _ in 0..1 + random.below(4) {
                    let (one, other) = part(random, depth + 1, number);
                    let line = format!("\n--{boundary}\n");
                    before.extend_from_slice(line.as_bytes());
                    after.extend_from_slice(line.as_bytes());
                    before.extend_from_slice(&one);
                    after.extend_from_slice(&other);
                }
                let end = format!("\n--{boundary}--\nepilogue \u{FF}\n");
                before.extend_from_slice(end.as_bytes());
                after.extend_from_slice(end.as_bytes());
                (before, after)
            }
        }
    }

    /// Every byte stays, except in converted bodies and in the two fields that describe each body.
    #[test]
    fn all_other_bytes_stay() {
        let random = &mut Random::new(45);
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let mut changed = 0;
        for number in 0..60 {
            let (one, other) = loop {
                let mut count = number * 1000;
                let (one, other) = part(random, 0, &mut count);
                // Use only multipart messages, whose last line end is not significant.
                if one.windows(9).any(|two| two == b"boundary=") {
                    break (one, other);
                }
            };
            changed += u32::from(one != other);
            let line = format!(
                "From a@b Wed Jan  1 10:{:02}:00 2003\n{HEADER}",
                number % 60
            );
            for (all, part) in [(&mut before, one), (&mut after, other)] {
                all.extend_from_slice(line.as_bytes());
                all.extend_from_slice(&part);
                all.extend_from_slice(b"\n\n");
            }
        }
        assert!(changed > 20, "{changed}");
        let folder = folder(&[("inbox", &before)]);
        let said = run(&folder, "convert --mail inbox --report report.jsonl").ends(0);
        let difference = said
            .stdout
            .iter()
            .zip(&after)
            .position(|(one, other)| one != other);
        let shown = |bytes: &[u8]| {
            let at = difference.unwrap_or(0).saturating_sub(200);
            String::from_utf8_lossy(&bytes[at..bytes.len().min(at + 500)]).into_owned()
        };
        assert!(
            said.stdout == after,
            "{difference:?}:\n{}\n=== instead of ===\n{}",
            shown(&said.stdout),
            shown(&after)
        );
        let report: Value = serde_json::from_slice(&read(&folder, "report.jsonl")).unwrap();
        assert_eq!(report["mail"]["messages"], 60);
        // A second run changes nothing.
        assert!(in_utf_8(&after) == after);
    }

    #[test]
    fn what_is_signed_or_encrypted_is_not_touched() {
        let text = encoded(KOI8_R, "Привет, мир\n");
        let plain = [
            &b"Content-Type: text/plain; charset=koi8-r\nContent-Transfer-Encoding: 8bit\n\n"[..],
            &text,
        ]
        .concat();
        let signed = [
            b"Content-Type: multipart/signed; boundary=b\n\n--b\n",
            &plain[..],
            b"\n--b\nContent-Type: application/pkcs7-signature\n\nx\n--b--\n",
        ]
        .concat();
        let inline = [b"Content-Type: text/plain; charset=koi8-r\n\n-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA1\n\n", &text[..], b"-----BEGIN PGP SIGNATURE-----\n"].concat();
        let opaque = b"Content-Type: application/pkcs7-mime; smime-type=signed-data\nContent-Transfer-Encoding: base64\n\nMIAGCSqGSIb3DQEHAqCAMIACAQExCzAJ\n".to_vec();
        let digest = [b"Content-MD5: Q2hlY2sgSW50ZWdyaXR5IQ==\n", &plain[..]].concat();
        // The boundary of the inner part begins like that of the outer part.
        let within = [b"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: multipart/signed; boundary=b2\n\n--b2\n", &plain[..], b"\n--b2--\n\n--b--\n"].concat();
        for (body, why) in [
            (signed, "signed: a change would break the signature"),
            (inline, "signed or encrypted (PGP)"),
            (opaque, "signed or encrypted (S/MIME)"),
            (digest, "it has a digest (Content-MD5)"),
            (within, "one boundary of its parts begins like another one"),
        ] {
            let message = [HEADER.as_bytes(), &body].concat();
            let folder = folder(&[("a.eml", &message)]);
            let said = run(
                &folder,
                "convert --mail --from auto a.eml --report report.jsonl",
            );
            assert_eq!(
                (said.status, said.stdout == message),
                (0, true),
                "{why}: {}",
                said.stderr
            );
            let report: Value = serde_json::from_slice(&read(&folder, "report.jsonl")).unwrap();
            assert_eq!(report["mail"]["parts"][0]["reason"], why);
            assert_eq!(report["mail"]["parts"][0]["status"], "left");
        }
    }

    #[test]
    fn fields_are_converted_only_if_that_is_asked_for() {
        let message =
            format!("{HEADER}Content-Disposition: inline; filename*=koi8-r''%F0.txt\n\nASCII\n");
        assert_eq!(in_utf_8(message.as_bytes()), message.as_bytes());
        let args = ["convert", "-q", "--mail=headers"];
        let said = run_in(std::path::Path::new("."), &args, message.as_bytes()).ok();
        let expected = message
            .replace("=?koi8-r?B?8NLJ18XU?=", "=?UTF-8?B?0J/RgNC40LLQtdGC?=")
            .replace(
                "=?windows-1251?Q?=CF=F0?=\n =?windows-1251?Q?=E8?=",
                "=?UTF-8?Q?=D0=9F=D1=80=D0=B8?=",
            )
            .replace("koi8-r''%F0.txt", "UTF-8''%D0%9F.txt");
        assert_eq!(String::from_utf8(said).unwrap(), expected);
        let again = run_in(std::path::Path::new("."), &args, expected.as_bytes()).ok();
        assert_eq!(again, expected.as_bytes());
        // Non-ASCII bytes without a declared charset.
        let raw = [
            &b"X-Note: "[..],
            &encoded(KOI8_R, "привет"),
            b"\n",
            HEADER.as_bytes(),
            b"\nASCII\n",
        ]
        .concat();
        let args = ["convert", "-q", "--mail=headers", "--from", "koi8-r"];
        let said = run_in(std::path::Path::new("."), &args, &raw).ok();
        assert!(said.starts_with("X-Note: привет\nReturn-Path".as_bytes()));
    }

    #[test]
    fn a_part_in_utf_7_is_read() {
        let message = format!("{HEADER}Content-Type: text/plain; charset=utf-7\n\n1 +IKw-\n");
        let args = ["convert", "-q", "--mail"];
        let said = run_in(std::path::Path::new("."), &args, message.as_bytes());
        let text = String::from_utf8(said.ok()).unwrap();
        assert!(text.contains("charset=utf-8\n"), "{text}");
        assert!(text.ends_with("\n\n1 €\n"), "{text}");
    }

    #[test]
    fn a_part_that_is_not_sure_stays_and_is_reported() {
        let russian =
            "Это письмо без заголовка о кодировке, и оно достаточно длинное, чтобы узнать её.\n";
        let sure = encoded(KOI8_R, &russian.repeat(4));
        let type_of = |label: &str| format!("Content-Type: text/plain{label}\n\n");
        for (field, body, expected) in [
            // If no charset is declared, it is detected and then declared.
            ("\n".to_owned(), sure.clone(), Some("MIME-Version")),
            (
                type_of(""),
                sure.clone(),
                Some(
                    "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n",
                ),
            ),
            (
                type_of("; charset=us-ascii"),
                sure.clone(),
                Some("charset=utf-8\n"),
            ),
            (
                type_of(";"),
                russian.as_bytes().to_vec(),
                Some("text/plain; charset=utf-8\n"),
            ),
            // The body or the charset cannot be decoded, or the text is too short for detection.
            (
                type_of("; charset=euc-jp"),
                b"\xFF\xFE caf\xE9\n".to_vec(),
                None,
            ),
            (type_of("; charset=iso-2022-cn"), sure.clone(), None),
            (type_of(""), b"\xE9\xA9\n".to_vec(), None),
        ] {
            let message = [HEADER.as_bytes(), field.as_bytes(), &body].concat();
            let folder = folder(&[("src/a.eml", &message)]);
            let line = "convert --from auto --mail src -o out --report report.jsonl";
            let said = run(&folder, line);
            let output = read(&folder, "out/a.eml");
            let report: Value = serde_json::from_slice(&read(&folder, "report.jsonl")).unwrap();
            let part = &report["mail"]["parts"][0];
            if let Some(expected) = expected {
                assert_eq!(said.status, 0, "{field}: {}", said.stderr);
                let text = String::from_utf8(output).unwrap();
                assert!(text.contains(expected) && text.ends_with(russian), "{text}");
                assert_eq!(part["status"], "converted");
            } else {
                assert_eq!(said.status, 1, "{field}: {}", said.stderr);
                assert!(output == message);
                assert_eq!(part["status"], "doubtful", "{part}");
                said.says("parts of mail to look at");
            }
        }
        // --from gives the encoding if the message does not show it.
        let message = [HEADER.as_bytes(), b"\n\xE9\xA9\n"].concat();
        let args = ["convert", "-q", "--mail", "--from", "windows-1252"];
        let said = run_in(std::path::Path::new("."), &args, &message).ok();
        assert!(said.ends_with("\n\né©\n".as_bytes()));
    }

    #[test]
    fn mailboxes_and_maildirs_keep_their_form() {
        let separator = "From a@b Wed Jan  1 10:00:00 2003\n";
        let text = "Привет\n>From me\n";
        let of = |label: &str, body: &[u8], length: usize| {
            let head = format!(
                "{separator}{HEADER}Content-Length: {length}\nContent-Type: text/plain; charset={label}\nContent-Transfer-Encoding: 8bit\n\n"
            );
            [head.as_bytes(), body, b"\n"].concat()
        };
        let old = encoded(KOI8_R, text);
        let before = [of("koi8-r", &old, old.len()), of("koi8-r", &old, 7)].concat();
        let after = [
            of("utf-8", text.as_bytes(), text.len()),
            of("utf-8", text.as_bytes(), 7),
        ]
        .concat();
        let quoted = "Content-Type: text/plain; charset=koi8-r\nContent-Transfer-Encoding: quoted-printable\n\n";
        let risky = format!("{separator}{HEADER}{quoted}=F0\n=46rom me\n\n");
        let still = risky
            .replace("koi8-r\nContent-T", "utf-8\nContent-T")
            .replace("=F0\n", "=D0=9F\n");
        let folder = folder(&[
            ("mail/inbox", &[&before[..], risky.as_bytes()].concat()),
            ("mail/cur/1041404400.M1P1.host,S=999:2,S", MESSAGE),
        ]);
        let said = status(&folder, "convert --mail --in-place mail", 0);
        assert!(said.contains("2 converted"), "{said}");
        assert!(said.contains("5 parts of 4 messages converted"), "{said}");
        let expected = [&after[..], still.as_bytes()].concat();
        assert_eq!(
            String::from_utf8(read(&folder, "mail/inbox")).unwrap(),
            String::from_utf8(expected.clone()).unwrap()
        );
        let message = read(&folder, "mail/cur/1041404400.M1P1.host,S=999:2,S");
        assert!(message != MESSAGE);
        let said = status(&folder, "convert --mail --in-place mail", 0);
        assert!(said.contains("2 in the output encoding already"), "{said}");
        assert_eq!(read(&folder, "mail/inbox"), expected);
        assert_eq!(
            run(&folder, "convert --mail --to koi8-r mail/inbox").status,
            2
        );
    }

    #[test]
    fn other_transfer_encodings_and_charsets_are_made_true() {
        let japanese = "日本語の文章です。\n";
        let seven = [HEADER.as_bytes(), b"Content-Type: multipart/mixed; boundary=b\nContent-Transfer-Encoding: 7bit\n\n--b\nContent-Type: text/plain; charset=iso-2022-jp\nContent-Transfer-Encoding: 7bit\n\n", &encoded(ISO_2022_JP, japanese), b"\n--b--\n"].concat();
        let text = String::from_utf8(in_utf_8(&seven)).unwrap();
        assert!(text.contains("boundary=b\nContent-Transfer-Encoding: 8bit\n"));
        assert!(text.contains(&format!(
            "charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n{japanese}\n--b--\n"
        )));
        // Quoted-printable breaks a line that would be too long.
        let long = "文字を書く。".repeat(70);
        let wide = [
            HEADER.as_bytes(),
            b"Content-Type: text/plain; charset=shift_jis\n\n",
            &encoded(SHIFT_JIS, &long),
            b"\n",
        ]
        .concat();
        let text = String::from_utf8(in_utf_8(&wide)).unwrap();
        assert!(
            text.contains(
                "charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n=E6=96=87"
            )
        );
        assert_eq!(in_utf_8(text.as_bytes()), text.as_bytes());
        // With the option, a declaration in the document of a part is updated.
        let page = "<meta charset=koi8-r><p>Привет</p>\n";
        let html = [
            HEADER.as_bytes(),
            b"Content-Type: text/html; charset=koi8-r\n\n",
            &encoded(KOI8_R, page),
        ]
        .concat();
        let args = ["convert", "-q", "--mail", "--update-declared"];
        let said = run_in(std::path::Path::new("."), &args, &html).ok();
        assert!(said.ends_with("<meta charset=utf-8><p>Привет</p>\n".as_bytes()));
    }

    /// ISO-2022-JP is detected without a declaration, which many messages lack, although its bytes are ASCII.
    #[test]
    fn iso_2022_jp_without_a_charset_is_read() {
        let text = "こんにちは、世界。これは手紙です。\n";
        let body = encoded(ISO_2022_JP, text);
        for (field, expected) in [
            (
                "\n",
                "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n",
            ),
            (
                "Content-Type: text/plain\n\n",
                "text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n",
            ),
            (
                "Content-Type: text/plain; charset=us-ascii\nContent-Transfer-Encoding: 7bit\n\n",
                "charset=utf-8\nContent-Transfer-Encoding: 8bit\n",
            ),
        ] {
            let header = HEADER.replace("MIME-Version: 1.0\n", "");
            let message = [header.as_bytes(), field.as_bytes(), &body].concat();
            let written = String::from_utf8(in_utf_8(&message)).unwrap();
            assert!(
                written.contains(expected) && written.ends_with(text),
                "{written}"
            );
            assert_eq!(in_utf_8(written.as_bytes()), written.as_bytes());
        }
        // Escape sequences of a terminal are ASCII. HZ, another seven-bit encoding, is uncertain.
        let coloured = format!("{HEADER}\n\u{1B}[31mred\u{1B}[0m\n");
        assert_eq!(in_utf_8(coloured.as_bytes()), coloured.as_bytes());
        let hz = format!("{HEADER}\nThis is ~{{VPND~}} and ~{{NDVW~}} in it.\n");
        let args = ["convert", "--mail"];
        let left = run_in(std::path::Path::new("."), &args, hz.as_bytes());
        assert_eq!((left.status, &*left.stdout), (1, hz.as_bytes()));
        left.says("HZ-GB-2312");
        let args = ["convert", "-q", "--mail", "--from", "hz"];
        let read = run_in(std::path::Path::new("."), &args, hz.as_bytes()).ok();
        let read = String::from_utf8(read).unwrap();
        crate::common::has(&read, "\n\nThis is 中文 and 文肿 in it.\n");
    }

    /// RFC 2045, section 5.2, treats a part without a subtype as text, but no field of such a part can declare a charset.
    #[test]
    fn a_part_without_a_subtype_is_doubtful_if_it_is_beyond_ascii() {
        let body = encoded(KOI8_R, "Это письмо из старой программы.\n");
        for field in ["Content-Type: text\n\n", "Content-Type: \n\n"] {
            let message = [HEADER.as_bytes(), field.as_bytes(), &body].concat();
            let left = run_in(std::path::Path::new("."), &["convert", "--mail"], &message);
            left.says("no type and subtype");
            assert_eq!((left.status, left.stdout), (1, message));
            let ascii = format!("{HEADER}{field}text\n");
            assert_eq!(in_utf_8(ascii.as_bytes()), ascii.as_bytes());
        }
    }
}

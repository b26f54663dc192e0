//! Documents with a declaration after damage, or with two declarations.
#![cfg(all(unix, feature = "warc"))]

use crate::common::archives::{gzip, lines, page, response};

/// Returns bytes that no compression shortens.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 7_u64;
    let mut random = || {
        state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
        (state >> 56) as u8
    };
    (0..length).map(|_| random()).collect()
}

fn damage(summary: &str) -> Vec<&str> {
    let lines = summary.lines().skip_while(|line| *line != "damaged:");
    lines
        .skip(1)
        .take_while(|line| line.starts_with("  "))
        .collect()
}

#[test]
fn what_looks_like_a_record_in_skipped_bytes_is_no_further_damage() {
    for inner in [
        &b"xWARC/1"[..],
        b"x WARC/1.0 is a format",
        b"WARC/x\r\n",
        b"\nWARC/",
    ] {
        let skipped = [b"no record at all ", inner, b" and so on\r\n\r\n"].concat();
        let archive = [page("one"), skipped, page("two")].concat();
        let (found, summary) = lines(&archive, 1);
        assert_eq!(found.len(), 2, "{summary}");
        assert_eq!(damage(&summary).len(), 1, "{summary}");
    }
}

#[test]
fn a_charset_ends_where_the_next_parameter_begins() {
    let russian = mojika::WINDOWS_1251.encode("<p>Вечер на веранде").unwrap();
    for parameters in [
        "charset=windows-1251; x=y",
        "x=y; charset=\"windows-1251\"; z=1",
    ] {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; {parameters}");
        let (found, _) = lines(&response(head, &russian), 0);
        assert_eq!(found[0]["source"], "transport", "{parameters}");
        assert_eq!(found[0]["header"], "windows-1251", "{parameters}");
        assert_eq!(found[0]["text"], "<p>Вечер на веранде", "{parameters}");
    }
}

#[test]
fn a_late_meta_under_a_header_is_no_declaration() {
    let body = format!(
        "<!doctype html><!--{}--><meta charset=koi8-r><p>Вечер",
        "x".repeat(2000)
    );
    let header = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8";
    let (found, _) = lines(&response(header, body.as_bytes()), 0);
    assert_eq!(
        (&found[0]["encoding"], &found[0]["source"]),
        (&"UTF-8".into(), &"transport".into())
    );
    // A browser never reads this declaration, so it does not contradict the others.
    assert!(found[0]["document"].is_null(), "{}", found[0]);
    assert_eq!(found[0]["disagreements"], serde_json::json!([]));
    // Without a charset in the header, this declaration decides.
    let body = mojika::KOI8_R.encode(&body).unwrap();
    let header = "HTTP/1.1 200 OK\r\nContent-Type: text/html";
    let (found, _) = lines(&response(header, &body), 0);
    assert_eq!(
        (&found[0]["encoding"], &found[0]["document"]),
        (&"KOI8-R".into(), &"KOI8-R".into())
    );
    assert!(found[0]["text"].as_str().unwrap().ends_with("Вечер"));
}

#[test]
fn records_after_damage_of_any_length_are_read() {
    for length in [
        1 << 16,
        (1 << 19) - 7,
        1 << 19,
        (1 << 19) + 1,
        3 << 18,
        (1 << 20) - 1,
        1 << 20,
        5 << 20,
    ] {
        let noise = noise(length);
        let archive = [gzip(&page("one")), noise.clone(), gzip(&page("two"))].concat();
        let (found, summary) = lines(&archive, 1);
        let texts: Vec<_> = found
            .iter()
            .map(|one| one["text"].as_str().unwrap())
            .collect();
        assert_eq!(texts, ["one", "two"], "{length}: {summary}");
        assert_eq!(damage(&summary).len(), 1, "{length}: {summary}");
        let archive = [page("one"), noise, page("two")].concat();
        let (found, summary) = lines(&archive, 1);
        assert_eq!(found.len(), 2, "{length}: {summary}");
    }
}

/// Bytes that show no encoding contradict no label: binary data, and `<?x` in UTF-16, which is not a declaration.
#[test]
fn what_shows_no_encoding_contradicts_none() {
    let html = |charset: &str, body: &[u8]| {
        response(
            format!("HTTP/1.1 200 OK\r\nContent-Type: text/html{charset}"),
            body,
        )
    };
    let no_text = b"\0\x80\xFF".repeat(5);
    let archive = [
        html("; charset=windows-1252", &no_text),
        html("; charset=utf-8", &no_text),
        html("", b"<\0?\0x\0a\0"),
        // ISO-2022-JP has only ASCII bytes, but its escape sequences show the encoding.
        html("; charset=iso-2022-jp", b"<p>\x1B$BJ8;z\x1B(B"),
        html("; charset=utf-8", "<p>文字".as_bytes()),
        // Escape sequences of a terminal do not suggest an encoding.
        html("; charset=utf-8", b"<p>\x1B[31mred\x1B[0m and plain"),
    ]
    .concat();
    let (lines, _) = lines(&archive, 0);
    let expected = [
        ("windows-1252", "unknown", serde_json::json!([])),
        ("UTF-8", "unknown", serde_json::json!(["header-bytes"])),
        ("UTF-16LE", "ASCII", serde_json::json!([])),
        ("ISO-2022-JP", "ISO-2022-JP", serde_json::json!([])),
        ("UTF-8", "UTF-8", serde_json::json!([])),
        ("UTF-8", "ASCII", serde_json::json!([])),
    ];
    assert_eq!(lines.len(), expected.len());
    for (line, (encoding, bytes, disagreements)) in lines.iter().zip(expected) {
        assert_eq!(
            (&line["encoding"], &line["bytes"]),
            (&encoding.into(), &bytes.into())
        );
        assert_eq!(line["disagreements"], disagreements, "{line}");
        assert!(line["document"].is_null(), "{line}");
    }
}

//! Bodies with codings: the number of codings, the order of decoding, and messages about damaged bodies.

use crate::common::archives::{gzip, lines, response, zstd};
use crate::common::tree::{folder, run};
use crate::convert::{brotli, deflate};

/// Returns the text and the damage of a response with these fields and this body.
#[track_caller]
fn read(fields: &str, body: &[u8]) -> (String, Option<String>) {
    let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\n{fields}");
    let (found, _) = lines(&response(head, body), 0);
    let text = found[0]["text"].as_str().unwrap().to_owned();
    (text, found[0]["damage"].as_str().map(str::to_owned))
}

/// RFC 9112, section 7.1. Chunks before damage count. A body that does not begin with a chunk is not chunked.
#[test]
fn chunks_are_joined_as_far_as_they_go() {
    let cut = Some("chunked: the last chunk is cut off".to_owned());
    let missing = Some("chunked: the last chunk is missing".to_owned());
    let other = Some("chunked: what follows a chunk is none".to_owned());
    for (body, text, damage) in [
        ("3\r\nabc\r\n0\r\n\r\n", "abc", None),
        ("3\nabc\n2\nde\n0\n\n", "abcde", None),
        ("03 \r\nabc\r\n0\r\nTrailer: x\r\n\r\n", "abc", None),
        ("3\t\r\nabc\r\n0\r\n\r\n", "abc", None),
        ("000000000000003\r\nabc\r\n0\r\n\r\n", "abc", None),
        (
            "B;x=\"y\"\r\nabcdefghijk\r\n0;z\r\n\r\n",
            "abcdefghijk",
            None,
        ),
        ("b\r\nabcdefghijk\r\n000\r\n\r\n", "abcdefghijk", None),
        // Truncated at each offset.
        ("3\r\nab", "ab", cut.clone()),
        ("3\r\nabc", "abc", missing.clone()),
        ("3\r\nabc\r\n", "abc", missing),
        ("3\r\nabc\r\n0", "abc", other.clone()),
        ("3\r\nabc\r\nx\r\n", "abc", other.clone()),
        ("3\r\nabc0\r\n\r\n", "abc", None),
        ("F\r\nabc", "abc", cut),
        // The body has no chunks.
        ("ghi\r\n0\r\n", "ghi\r\n0\r\n", None),
        ("x\r\n", "x\r\n", None),
        ("3x\r\nabc", "3x\r\nabc", None),
        ("0000000000000003\r\nabc", "0000000000000003\r\nabc", None),
        ("3", "3", None),
    ] {
        let found = read("Transfer-Encoding: chunked", body.as_bytes());
        assert_eq!(found, (text.to_owned(), damage), "{body:?}");
    }
    // An extension may be long, but not endless.
    for (length, is_chunk) in [(4000, true), (5000, false)] {
        let body = format!("3;{}\r\nabc\r\n0\r\n\r\n", "x".repeat(length));
        let (text, _) = read("Transfer-Encoding: chunked", body.as_bytes());
        assert_eq!(text == "abc", is_chunk, "{length}");
    }
}

#[test]
fn the_last_coding_is_undone_first_and_there_are_five() {
    let body = b"text".to_vec();
    let many = |count: usize| (0..count).fold(body.clone(), |body, _| gzip(&body));
    let named = |count: usize| ["gzip"; 8][..count].join(", ");
    for count in 1..=5 {
        let found = read(&format!("Content-Encoding: {}", named(count)), &many(count));
        assert_eq!(found, ("text".to_owned(), None), "{count}");
    }
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: {}",
        named(6)
    );
    let (found, _) = lines(&response(head, b"text"), 0);
    assert_eq!(found[0]["damage"], "more than 5 codings");
    assert_eq!(found[0]["text"], "text");
    let chunked = |body: &[u8]| {
        let head = format!("{:x}\r\n", body.len());
        [head.as_bytes(), body, b"\r\n0\r\n\r\n"].concat()
    };
    for (fields, body) in [
        ("Transfer-Encoding: gzip, chunked", chunked(&gzip(&body))),
        (
            "Content-Encoding: X-GZIP\r\nTransfer-Encoding: Chunked",
            chunked(&gzip(&body)),
        ),
        ("Content-Encoding: identity, gzip,, identity", gzip(&body)),
        ("Transfer-Encoding: gzip\r\nContent-Encoding: gzip", many(2)),
    ] {
        assert_eq!(read(fields, &body), ("text".to_owned(), None), "{fields}");
    }
}

/// RFC 1950, section 2.2: both of the first two bytes must be those of zlib.
#[test]
fn raw_deflate_data_may_have_one_mark_of_zlib() {
    let checks = |data: &[u8]| {
        let number = u16::from_be_bytes([data[0], data[1]]);
        (data[0] & 0xF == 8, number.is_multiple_of(31))
    };
    // Raw data that begins with zlib's method byte: a stored block with a skipped bit, and an empty block.
    let method = b"\x08\x05\0\xFA\xFFplain\x01\0\0\xFF\xFF".to_vec();
    assert_eq!(checks(&method), (true, false));
    // Check bits of the format.
    let texts = (0..1000).map(|number| format!("{number} text"));
    let found = texts
        .map(|text| (deflate(text.as_bytes(), false), text))
        .find(|(data, _)| checks(data) == (false, true));
    let (check, text) = found.expect("one of 31 numbers has it");
    let rows = [
        (method, "plain".to_owned()),
        (check, text),
        (
            deflate(b"as zlib has it", true),
            "as zlib has it".to_owned(),
        ),
    ];
    for (data, text) in rows {
        assert_eq!(read("Content-Encoding: deflate", &data), (text, None));
    }
}

/// The readable part of the body is the text. A body that is not in its coding is taken as it is.
#[test]
fn a_damaged_body_is_read_as_far_as_it_goes() {
    let text = "line of text\n".repeat(5000);
    let body = gzip(text.as_bytes());
    let (found, damage) = read("Content-Encoding: gzip", &body[..body.len() - 20]);
    assert!(
        text.starts_with(&found) && found.len() > 1000,
        "{}",
        found.len()
    );
    assert!(damage.is_some_and(|damage| damage.starts_with("gzip: ")));
    for fields in [
        "Content-Encoding: gzip",
        "Content-Encoding: deflate",
        "Content-Encoding: br",
        "Content-Encoding: zstd",
        "Content-Encoding: unknown",
    ] {
        assert_eq!(
            read(fields, b"(text)"),
            ("(text)".to_owned(), None),
            "{fields}"
        );
    }
}

/// RFC 1952, section 2.2: a file is a series of members. Bytes after the last one are ignored.
#[test]
fn a_gzip_body_is_all_of_its_members() {
    let text = "line of text\n".repeat(500);
    let member = gzip(text.as_bytes());
    let trailer = &member[member.len() - 8..];
    let damaged = |at: usize| {
        let mut body = member.clone();
        body[at] ^= 1;
        body
    };
    let fields = "Content-Encoding: gzip";
    for (body, count, is_damaged) in [
        (member.clone(), 1, false),
        (member.repeat(2), 2, false),
        ([&member[..], b"\n"].concat(), 1, true),
        ([&member[..], b"garbage", trailer].concat(), 1, true),
        ([&member[..], trailer].concat(), 1, true),
        // Damage in the checksum, and in the length.
        (damaged(member.len() - 8), 1, true),
        (damaged(member.len() - 4), 1, true),
        (damaged(member.len() - 1), 1, true),
    ] {
        let (found, damage) = read(fields, &body);
        assert!(found == text.repeat(count), "{count}: {damage:?}");
        assert_eq!(damage.is_some(), is_damaged, "{damage:?}");
    }
    // If the header's checksum is wrong, the body is not decompressed.
    let with_checksum = [&member[..3], &[2], &member[4..10], &[0, 0], &member[10..]].concat();
    assert!(read(fields, &with_checksum).0 != text);
}

/// A body that exceeds the limit only when it is decoded is truncated, and a message says so. A record that exceeds the
/// limit as stored is left out.
#[test]
fn a_body_may_be_as_long_as_the_limit() {
    const TEXT: &str = "text of a page, and all of it is there\n";
    let text = TEXT.repeat(500);
    let bytes = text.as_bytes();
    let coded: [(&str, Vec<u8>); 5] = [
        ("gzip", gzip(bytes)),
        (
            "gzip",
            [gzip(&bytes[..9000]), gzip(&bytes[9000..])].concat(),
        ),
        ("deflate", deflate(bytes, true)),
        ("br", brotli(bytes)),
        ("zstd", zstd(bytes)),
    ];
    let record = |fields: &str, body: &[u8]| {
        let head =
            format!("HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\n{fields}");
        response(head, body)
    };
    let most = bytes.len();
    for (coding, body) in coded {
        let folder = folder(&[(
            "a.warc",
            &record(&format!("Content-Encoding: {coding}"), &body),
        )]);
        for (limit, length) in [
            (usize::MAX, most),
            (most + 1, most),
            (most, most),
            (most - 1, most - 1),
            (9000, 9000),
        ] {
            let run = run(&folder, &format!("warc a.warc --max-body {limit}"));
            let line: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
            assert_eq!(line["text"], text[..length], "{coding} {limit}");
            let damage = (limit < most).then(|| format!("{coding}: longer than {limit} bytes"));
            assert_eq!(line["damage"].as_str(), damage.as_deref(), "{coding}");
        }
    }
    // Without coding, the limit includes the header of the response.
    let archive = record("X: y", bytes);
    let block = archive.len() - memchr::memmem::find(&archive, b"HTTP/1.1 ").unwrap() - 4;
    let folder = folder(&[("a.warc", &archive), ("site/a.txt", bytes)]);
    for (line, count) in [
        (format!("warc a.warc --max-body {block}"), 1),
        (format!("warc a.warc --max-body {}", block - 1), 0),
        (format!("pages site --max-body {most}"), 1),
        (format!("pages site --max-body {}", most - 1), 0),
    ] {
        let run = run(&folder, &line);
        let lines = run.stdout.iter().filter(|&&byte| byte == b'\n').count();
        assert_eq!(lines, count, "{line}");
        let is_said = run.stderr.contains("1  longer than --max-body");
        assert_eq!(is_said, count == 0, "{line}: {}", run.stderr);
    }
}

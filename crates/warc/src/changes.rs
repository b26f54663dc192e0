//! Tests of the effect that one changed byte in an archive or a response has on the records and the messages.

use super::http;
use super::reader::tests::{stored, zstd_stored};
use super::reader::{Event, Input, Loaded, Reader};
use mojika_spec::changes::{ALL, END_BEFORE};

fn record(number: usize, body: &str) -> Vec<u8> {
    let length = body.len();
    let head = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.{number}/\r\nContent-Length: {length}"
    );
    format!("{head}\r\n\r\n{body}\r\n\r\n").into_bytes()
}

/// Adds an extra field, a name, a comment and a checksum to the header of a gzip member (RFC 1952, section 2.3).
fn with_all_fields(member: &[u8]) -> Vec<u8> {
    let (header, rest) = member.split_at(10);
    let fields = b"\x04\x00\x1F\x8B\x08\x00name\0comment\0cc";
    let mut header = header.to_vec();
    header[3] = 2 | 4 | 8 | 16;
    [&header[..], fields, rest].concat()
}

/// Returns the address and the body of each record, and the offsets of damage.
fn read(archive: &[u8]) -> (Vec<(String, Vec<u8>)>, Vec<u64>) {
    let (mut records, mut damage) = (Vec::new(), Vec::new());
    let Ok(mut reader) = Reader::new(Input::stream(archive), 1 << 16, 0) else {
        return (records, vec![0]);
    };
    loop {
        let found = match reader.advance().unwrap() {
            Event::End => return (records, damage),
            Event::Damage(found) => found,
            Event::Record => match reader.load(1000).unwrap() {
                Loaded::Yes => {
                    let url = reader.url().unwrap_or_default();
                    records.push((url.to_string(), reader.body().to_vec()));
                    continue;
                }
                Loaded::TooLong => continue,
                Loaded::Damaged(found) => found,
            },
        };
        damage.push(found.at.file + found.at.within);
    }
}

/// Changes each byte of an archive in turn, and checks all records except the changed one.
///
/// Records before the changed one must be read without damage. Records after the next one must be unchanged if members
/// are found by their magic number.
fn check(parts: &[Vec<u8>], are_members: bool) {
    let archive = parts.concat();
    let (expected, none) = read(&archive);
    assert_eq!((expected.len(), none.len()), (parts.len(), 0));
    for (change, changed) in ALL {
        for at in 0..archive.len() {
            let mut end = 0;
            let ends = parts.iter().map(|part| {
                end += part.len();
                end
            });
            let before = ends.filter(|end| *end <= at).count();
            let (found, damage) = read(&changed(&archive, at));
            let case = format!("{change} at {at}: {found:?}, damage {damage:?}");
            assert!(found.starts_with(&expected[..before]), "{case}");
            let start: usize = parts[..before].iter().map(Vec::len).sum();
            // Damage may be reported at the end of the previous record.
            let from = start.saturating_sub(4) as u64;
            assert!(damage.iter().all(|offset| *offset >= from), "{case}");
            if are_members && change != END_BEFORE.0 {
                assert!(found.ends_with(&expected[before + 1..]), "{case}");
            }
        }
    }
}

#[test]
fn a_changed_byte_hides_no_other_record() {
    let records = [record(1, "one"), record(2, "two\r\n"), record(3, "")];
    check(&records, false);
    let members = records.each_ref().map(|record| stored(record));
    check(&members, true);
    let [one, two, three] = &members;
    check(&[one.clone(), with_all_fields(two), three.clone()], true);
    let frames = records.each_ref().map(|record| zstd_stored(record));
    check(&frames, false);
}

/// A dictionary applies to frames, and a skippable frame may look like a later frame.
#[test]
fn skippable_frames_are_skipped() {
    let skippable = |kind: u8, content: &[u8]| {
        let length = u8::try_from(content.len()).unwrap();
        [&[0x50 | kind, 0x2A, 0x4D, 0x18, length, 0, 0, 0], content].concat()
    };
    let frames = [record(1, "one"), record(2, "two")].map(|record| zstd_stored(&record));
    let archive = [
        &skippable(13, b"of bytes alone")[..],
        &frames[0],
        &skippable(13, b"not the first"),
        &skippable(0, b""),
        &frames[1],
        &skippable(15, b"at the end"),
    ]
    .concat();
    assert_eq!(read(&archive), read(&frames.concat()));
}

/// After a change in a body with a checksum, the decoded body is right, is reported as damaged, or is left encoded.
#[test]
fn a_changed_body_with_a_checksum_is_whole_or_damaged() {
    let coded = |codings: &str, body: &[u8]| {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{codings}\r\n\r\n");
        (head.len(), [head.as_bytes(), body].concat())
    };
    let member = stored(b"a body");
    for (name, (head, block), body, has_checksum) in [
        (
            "chunked",
            coded(
                "Transfer-Encoding: chunked",
                b"5\r\nhello\r\n3 ;a=b\r\n, a\r\n0\r\n\r\n",
            ),
            &b"hello, a"[..],
            false,
        ),
        (
            "gzip",
            coded("content-encoding:gzip", &member),
            b"a body",
            true,
        ),
        (
            "both",
            coded(
                "Content-Encoding: identity, x-gzip\r\nTransfer-Encoding: chunked",
                &[b"1d\n", &member[..], b"\n0\n"].concat(),
            ),
            b"a body",
            true,
        ),
        (
            "folded",
            coded("X: a\r\n b\r\nContent-Encoding: a", b"as it is"),
            b"as it is",
            false,
        ),
    ] {
        let plain = |block: &[u8]| {
            let response = http::parse(block)?;
            let plain = response.plain(100);
            Some((plain.bytes.to_vec(), plain.damage.is_some()))
        };
        assert_eq!(plain(&block), Some((body.to_vec(), false)), "{name}");
        for (change, changed) in ALL {
            for at in 0..block.len() {
                // A changed header may be another header, but the body must not differ.
                let changed = changed(&block, at);
                if let Some((bytes, is_damaged)) = plain(&changed)
                    && at >= head
                    && has_checksum
                {
                    // A body without the magic number is left encoded.
                    let is_left = bytes == changed[head..] || bytes.len() + 1 >= member.len();
                    assert!(
                        bytes == body || is_damaged || is_left,
                        "{name}, {change} at {at}: {}",
                        bytes.escape_ascii()
                    );
                }
            }
        }
    }
}

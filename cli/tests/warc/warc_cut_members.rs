//! `mojika warc` on archives with truncated members, followed by intact ones.
#![cfg(all(unix, feature = "warc"))]

use crate::common::archives::{gzip, lines, page, response, zstd};
use serde_json::Value;
use std::io::Write;

/// Returns a page that compression does not shorten, so that its member contains its bytes.
fn dense_page(length: usize) -> Vec<u8> {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=windows-1252";
    let mut state = 1_u64;
    let mut random = || {
        state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
        (state >> 56) as u8
    };
    let body: Vec<u8> = (0..length).map(|_| random() | 0x40).collect();
    response(head, &body)
}

fn gzip_stored(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Returns a frame with one stored block (at most 128 KB), without a checksum (RFC 8878, section 3.1.1).
fn zstd_stored(bytes: &[u8]) -> Vec<u8> {
    let block = (u32::try_from(bytes.len()).unwrap() << 3 | 1).to_le_bytes();
    let head = [0x28, 0xB5, 0x2F, 0xFD, 0, 0x58];
    [&head[..], &block[..3], bytes].concat()
}

fn zstd_with_checksum(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
    encoder.include_checksum(true).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn texts(found: &[Value]) -> Vec<&str> {
    found
        .iter()
        .map(|one| one["text"].as_str().unwrap())
        .collect()
}

type Compress = fn(&[u8]) -> Vec<u8>;

#[test]
fn records_behind_a_member_that_is_cut_off_are_read_once() {
    let ways: [(&str, Compress); 5] = [
        ("gzip", gzip),
        ("gzip, stored", gzip_stored),
        ("zstd", zstd),
        ("zstd, stored", zstd_stored),
        ("zstd, checksum", zstd_with_checksum),
    ];
    let [whole, short] = [20_000, 9].map(|length| {
        lines(&dense_page(length), 0).0[0]["text"]
            .as_str()
            .unwrap()
            .to_owned()
    });
    for (name, compress) in ways {
        let first = compress(&page("一"));
        let victim = compress(&dense_page(20_000));
        let rest = [
            compress(&page("二")),
            compress(&dense_page(9)),
            compress(&page("三")),
        ]
        .concat();
        // The message may continue with the offset within the member.
        let offset = format!("a.warc: byte offset {}", first.len());
        let cuts = (1..16).chain([100, 5000, 19_900, 20_000, 20_100, 20_200]);
        for cut in cuts.filter(|cut| cut + 20 < victim.len()) {
            let archive = [&first[..], &victim[..victim.len() - cut], &rest].concat();
            let (found, summary) = lines(&archive, 1);
            let mut texts = texts(&found);
            // If only the end of its compression is missing, the text is complete. Truncated text is not written.
            if texts
                .get(1)
                .is_some_and(|text| text.chars().count() == 20_000)
            {
                assert!(cut < 16 && texts.remove(1) == whole, "{name}, {cut} bytes");
            }
            assert_eq!(
                texts,
                ["一", "二", &*short, "三"],
                "{name}, {cut} bytes: {summary}"
            );
            assert!(summary.contains(&offset), "{name}, {cut} bytes: {summary}");
        }
    }
}

/// The missing last byte of a checksum may have the value of the first byte of the next member.
#[test]
fn a_member_may_end_with_the_first_byte_of_the_next() {
    let whole = (0..5000)
        .map(|number| {
            (
                number.to_string(),
                zstd_with_checksum(&page(&number.to_string())),
            )
        })
        .find(|(_, member)| member.last() == Some(&0x28));
    let (text, member) = whole.expect("one of 256 checksums ends so");
    let (second, third) = (
        zstd_with_checksum(&page("二")),
        zstd_with_checksum(&page("三")),
    );
    let archive = [&member[..member.len() - 1], &second, &third].concat();
    let (found, summary) = lines(&archive, 1);
    assert_eq!(texts(&found), [&*text, "二", "三"], "{summary}");
    let offset = format!("a.warc: byte offset {}: ", member.len());
    assert!(summary.contains(&offset), "{summary}");
}

#[test]
fn records_behind_a_skippable_frame_that_is_cut_off_are_read() {
    let (one, two, three) = (zstd(&page("一")), zstd(&page("二")), zstd(&page("三")));
    let mut frame = vec![0x50, 0x2A, 0x4D, 0x18];
    frame.extend(2000_u32.to_le_bytes());
    frame.extend([7; 2000]);
    let whole = [&one[..], &frame, &two, &three].concat();
    assert_eq!(texts(&lines(&whole, 0).0), ["一", "二", "三"]);
    for cut in [
        1,
        3,
        20,
        1900,
        2000,
        two.len() + 5,
        two.len() + three.len() + 1,
    ] {
        let frame = &frame[..frame.len() - cut];
        let archive = [&one[..], frame, &two, &three].concat();
        let (found, summary) = lines(&archive, 1);
        let offset = format!("a.warc: byte offset {}: ", one.len());
        assert_eq!(texts(&found), ["一", "二", "三"], "{cut} bytes: {summary}");
        assert!(summary.contains(&offset), "{cut} bytes: {summary}");
    }
}

/// A short member is decompressed as a whole, up to the next magic number after it.
#[test]
fn members_may_contain_magic_numbers_and_be_long() {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=windows-1252";
    let magic = gzip_stored(&response(head, &b"\x1F\x8B\x08\0".repeat(50)));
    let archive = [
        gzip(&page("一")),
        magic,
        gzip_stored(&dense_page(1_500_000)),
        gzip(&page("二")),
    ]
    .concat();
    let (found, summary) = lines(&archive, 0);
    let texts = texts(&found);
    assert_eq!([texts[0], texts[3]], ["一", "二"], "{summary}");
    assert_eq!(texts[1], "\u{1F}\u{2039}\u{8}\0".repeat(50));
    assert_eq!(texts[2].chars().count(), 1_500_000);
    // After an empty member, zero bytes could be mistaken for its trailer.
    let archive = [gzip(&page("一")), gzip(b""), vec![0; 20], gzip(&page("二"))].concat();
    let (found, summary) = lines(&archive, 1);
    assert_eq!(found.len(), 2, "{summary}");
    assert!(summary.contains("bytes between members"), "{summary}");
}

/// At each magic number, a member of 8 MiB could end or the next one begin.
#[test]
fn a_member_full_of_magic_numbers_takes_no_minutes() {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=windows-1252";
    let content = b"\0\0\x80\0\x1F\x8B\x08".repeat(140_000);
    let archive = [gzip_stored(&response(head, &content)), gzip(&page("二"))].concat();
    let start = std::time::Instant::now();
    let (found, summary) = lines(&archive, 0);
    let texts = texts(&found);
    assert_eq!(texts[0].chars().count(), content.len(), "{summary}");
    assert_eq!(texts[1], "二");
    assert!(start.elapsed().as_secs() < 300, "{:?}", start.elapsed());
}

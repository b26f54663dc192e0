//! The target `warc`: the record loop of `mojika warc` on damaged archives, and on other bytes.
//!
//! Byte 0 has the compression in bits 0 and 1: none, gzip, Zstandard, one gzip member for all records. Bits 6 and 7 are
//! the kind of the rest: a generated archive, a literal archive, the content of one, the block of a response. Byte 1 is
//! the number of bytes per read.
//!
//! A generated archive has 1 to 5 records (byte 2). Byte 3 selects the damaged record, bytes 5 and 6 the offset, and byte 7
//! the value. Byte 4 selects the damage: none, a changed byte, a missing end, bytes before the record, a missing byte. The
//! rest is the bodies. All other records must be found, once and in order, unless the first four bytes are damaged.

#[allow(dead_code, reason = "the command uses more of it")]
#[path = "../../crates/warc/src/reader/mod.rs"]
mod reader;

#[allow(dead_code, reason = "the command uses more of it")]
#[path = "../../crates/warc/src/http.rs"]
pub(crate) mod http;

use crate::input::Input;
use flate2::write::GzEncoder;
use reader::{Event, Loaded, Reader};
use std::io::Write;

/// The maximum length that is requested for a body, in bytes.
const MOST: u64 = 1 << 16;

/// Checks one input.
pub fn check(data: &[u8]) {
    let mut input = Input(data);
    let (form, chunk) = (input.byte(), 1 + usize::from(input.byte()));
    let compression = Compression::of(form);
    let archive = match form >> 6 {
        0 => return made(compression, chunk, input),
        1 => input.0.to_vec(),
        2 => compression.whole(input.0),
        _ => return response(input.0),
    };
    let whole = events(&archive, reader::CHUNK);
    let in_chunks = events(&archive, chunk);
    let is_damaged = whole.iter().any(|one| matches!(one, Seen::Damage(_)));
    // In a damaged member, a decoder may stop earlier if it gets the whole member at once.
    if !is_damaged || !has_members(&archive) {
        assert_eq!(whole, in_chunks, "{chunk} bytes at once: {archive:02X?}");
    }
}

/// True if the archive contains the magic number of a compressed member.
fn has_members(archive: &[u8]) -> bool {
    let begins = |magic: &[u8]| archive.windows(magic.len()).any(|place| place == magic);
    begins(b"\x1F\x8B") || begins(b"\x28\xB5\x2F\xFD")
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compression {
    None,
    Gzip,
    Zstd,
    OneGzip,
}

impl Compression {
    fn of(byte: u8) -> Self {
        [Self::None, Self::Gzip, Self::Zstd, Self::OneGzip][usize::from(byte & 3)]
    }

    fn whole(self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Self::None => bytes.to_vec(),
            Self::Gzip | Self::OneGzip => {
                let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::new(1));
                encoder.write_all(bytes).unwrap();
                encoder.finish().unwrap()
            }
            Self::Zstd => {
                let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
                encoder.include_checksum(true).unwrap();
                encoder.write_all(bytes).unwrap();
                encoder.finish().unwrap()
            }
        }
    }
}

/// The reader's result.
#[derive(Debug, PartialEq, Eq)]
enum Seen {
    /// The header of a record, and the body unless it is too long.
    Record(Vec<u8>, Option<Vec<u8>>),
    /// The offset of the damage.
    Damage(u64),
}

fn events(archive: &[u8], chunk: usize) -> Vec<Seen> {
    let mut reader = Reader::new(reader::Input::stream(archive), chunk, 0).unwrap();
    let mut seen = Vec::new();
    loop {
        // Each event consumes at least one byte of the archive, or a thousand decompressed bytes.
        assert!(
            seen.len() < 5000 * (archive.len() + 10),
            "endless: {archive:02X?}"
        );
        let damage = match reader.advance().unwrap() {
            Event::End => return seen,
            Event::Damage(damage) => Some(damage),
            Event::Record => match reader.load(MOST).unwrap() {
                Loaded::Damaged(damage) => Some(damage),
                Loaded::TooLong => {
                    seen.push(Seen::Record(reader.head_bytes().to_vec(), None));
                    None
                }
                Loaded::Yes => {
                    assert_eq!(reader.body().len() as u64, reader.length());
                    let body = reader.body().to_vec();
                    seen.push(Seen::Record(reader.head_bytes().to_vec(), Some(body)));
                    None
                }
            },
        };
        if let Some(damage) = damage {
            assert!(
                damage.at.file <= archive.len() as u64,
                "{damage}: {archive:02X?}"
            );
            seen.push(Seen::Damage(damage.at.file));
        }
    }
}

/// Tests the codings and fields of a response.
fn response(block: &[u8]) {
    let Some(response) = http::parse(block) else {
        return;
    };
    for field in response.head.fields() {
        assert!(field.name.len() + field.value.len() < field.lines.len() + 2);
    }
    let plain = response.plain(MOST);
    assert!(plain.bytes.len() as u64 <= MOST || plain.bytes.len() <= block.len());
}

fn record(number: usize, payload: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let block = [format!("{number}:").as_bytes(), payload].concat();
    let head = format!(
        "WARC/1.1\r\nWARC-Type: resource\r\nContent-Length: {}\r\n\r\n",
        block.len()
    );
    let record = [head.as_bytes(), &block, b"\r\n\r\n"].concat();
    (block, record)
}

fn made(compression: Compression, chunk: usize, mut input: Input<'_>) {
    let count = 1 + usize::from(input.byte() % 5);
    let victim = usize::from(input.byte()) % count;
    let kind = input.byte() % 5;
    let place = usize::from(input.byte()) << 8 | usize::from(input.byte());
    let value = input.byte();
    let has_record = memchr::memmem::find(input.0, b"WARC/").is_some();
    let bodies = input.0.chunks(input.0.len() / count + 1);
    let bodies: Vec<&[u8]> = bodies
        .chain(std::iter::repeat(&b""[..]))
        .take(count)
        .collect();
    let records: Vec<_> = (0..)
        .zip(bodies)
        .map(|(number, body)| record(number, body))
        .collect();
    let members: Vec<Vec<u8>> = match compression {
        Compression::OneGzip => {
            let all: Vec<u8> = records
                .iter()
                .flat_map(|(_, record)| record.iter().copied())
                .collect();
            vec![compression.whole(&all)]
        }
        _ => records
            .iter()
            .map(|(_, record)| compression.whole(record))
            .collect(),
    };
    let mut archive = Vec::new();
    // Without members, a damaged length may cover two records, and text may look like a record.
    let can_damage = matches!(compression, Compression::Gzip | Compression::Zstd);
    let (mut is_damaged, mut has_start) = (false, true);
    for (number, mut member) in members.into_iter().enumerate() {
        if number == victim {
            let place = place % member.len();
            // The first bytes determine the compression. If they are damaged, a body may look like a record.
            has_start = victim > 0 || !can_damage || kind == 0 || (kind != 3 && place >= 4);
            match kind {
                1 if can_damage => member[place] ^= value | 1,
                2 if can_damage => member.truncate(place),
                3 if can_damage => archive.extend(std::iter::repeat_n(value | 1, 8 + place)),
                3 if compression == Compression::None => archive.extend_from_slice(b"garbage\r\n"),
                4 if can_damage => drop(member.remove(place)),
                _ => {}
            }
            is_damaged = kind > 0;
        }
        archive.extend(member);
    }
    for chunk in [reader::CHUNK, chunk] {
        let seen = events(&archive, chunk);
        if !has_start {
            continue;
        }
        let bodies = seen.iter().filter_map(|one| match one {
            Seen::Record(_, body) => body.as_ref(),
            Seen::Damage(_) => None,
        });
        let mut left = bodies.clone();
        for (number, (block, _)) in records.iter().enumerate() {
            let place = || {
                format!(
                    "{compression:?}, damage {kind} in {victim}, {chunk} bytes at once: {archive:02X?}"
                )
            };
            let may_miss = number == victim && is_damaged && can_damage && kind != 3;
            assert!(
                may_miss || left.any(|body| body == block),
                "record {number} is lost, {}",
                place()
            );
            // If a record's length is damaged, the reader searches its body for records.
            let times = bodies.clone().filter(|&body| body == block).count();
            assert!(
                times < 2 || has_record,
                "record {number} is read {times} times, {}",
                place()
            );
        }
        let damages = seen
            .iter()
            .filter(|one| matches!(one, Seen::Damage(_)))
            .count();
        assert!(
            is_damaged || damages == 0,
            "{compression:?}: {archive:02X?}"
        );
        if kind == 3 && compression != Compression::OneGzip {
            assert!(
                damages > 0,
                "garbage is not reported, {compression:?}: {archive:02X?}"
            );
        }
    }
}

/// Returns the seeds.
pub fn seeds() -> Vec<(String, Vec<u8>)> {
    let mut seeds = Vec::new();
    for compression in 0..4 {
        for (kind, place) in (0..5).flat_map(|kind| [0, 9, 40, 90].map(|place| (kind, place))) {
            let head = [compression, 7, 3, 1, kind, 0, place, 0x55];
            let body = b"some text, some text, some text\r\n\r\nWARC/ and more";
            seeds.push((
                format!("made-{compression}-{kind}-{place}"),
                [&head[..], body].concat(),
            ));
        }
        let content = [record(0, b"HTTP/1.1 200 OK\r\n\r\na").1, record(1, b"").1].concat();
        seeds.push((
            format!("content-{compression}"),
            [&[0x80 | compression, 3][..], &content].concat(),
        ));
        let archive = Compression::of(compression).whole(&content);
        seeds.push((
            format!("archive-{compression}"),
            [&[0x40 | compression, 9][..], &archive].concat(),
        ));
    }
    let dictionary = record(9, b"a dictionary").1;
    let mut archive = vec![
        0x42,
        11,
        0x5D,
        0x2A,
        0x4D,
        0x18,
        dictionary.len() as u8,
        0,
        0,
        0,
    ];
    archive.extend(&dictionary);
    let mut encoder =
        zstd::stream::write::Encoder::with_dictionary(archive, 3, &dictionary).unwrap();
    encoder
        .write_all(&record(0, b"a dictionary is used").1)
        .unwrap();
    seeds.push(("dictionary".to_owned(), encoder.finish().unwrap()));
    for (name, head, body) in [
        (
            "chunked",
            "Transfer-Encoding: chunked",
            b"4\r\nabcd\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n".to_vec(),
        ),
        (
            "gzip",
            "Content-Encoding: gzip",
            Compression::Gzip.whole(b"abcabcabc"),
        ),
        (
            "zstd",
            "Content-Encoding: zstd",
            Compression::Zstd.whole(b"abcabcabc"),
        ),
        (
            "deflate",
            "Content-Encoding: deflate",
            b"\x4B\x4C\x4A\x4E\x04\x00".to_vec(),
        ),
        (
            "br",
            "Content-Encoding: br",
            b"\x0B\x01\x80abcd\x03".to_vec(),
        ),
    ] {
        let block = format!("HTTP/1.1 200 OK\r\n{head}\r\nX: \u{e9}\r\n y\r\n\r\n");
        seeds.push((
            format!("response-{name}"),
            [&[0xC0, 0][..], block.as_bytes(), &body].concat(),
        ));
    }
    seeds
}

//! Tests of positions in an archive, and of recovery after damage, for any chunk size.

use super::stream::{CHUNK, Fill, Position, Stream};
use super::{Event, Input, Loaded, Reader};
use flate2::Compression;
use flate2::write::GzEncoder;
use mojika_spec::Random;
use std::cell::Cell;
use std::io::{self, Read, Write};

type Compress = fn(&[u8]) -> Vec<u8>;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Returns a member with stored, uncompressed bytes.
pub fn stored(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::none());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 0).unwrap()
}

/// Returns a frame with one stored block, without a checksum (RFC 8878, section 3.1.1).
pub fn zstd_stored(bytes: &[u8]) -> Vec<u8> {
    let block = (u32::try_from(bytes.len()).unwrap() << 3 | 1).to_le_bytes();
    let head = [0x28, 0xB5, 0x2F, 0xFD, 0, 0x58];
    [&head[..], &block[..3], bytes].concat()
}

/// The position of a byte is the offset of its member and the number of bytes before it in that member. It does not
/// depend on the number of bytes that are consumed at once.
#[test]
fn a_place_is_its_member_and_the_bytes_before_it() {
    for (compress, name) in [
        (gzip as Compress, "gzip"),
        (stored, "stored"),
        (zstd, "zstd"),
    ] {
        for case in 0..60 {
            let mut random = Random::from_seeds(&[52, case]);
            let members: Vec<Vec<u8>> = (0..6)
                .map(|_| {
                    let length = [0, 1, 7, 100, 3000][random.below(5)] + random.below(5);
                    random.odd_bytes(length)
                })
                .collect();
            let (mut archive, mut starts, mut content) = (Vec::new(), Vec::new(), Vec::new());
            for member in &members {
                starts.push((archive.len() as u64, content.len()));
                archive.extend_from_slice(&compress(member));
                content.extend_from_slice(member);
            }
            let chunk = [4, 16, 64, 1000, CHUNK][random.below(5)];
            let mut stream = Stream::new(&archive[..], chunk, 0).unwrap();
            let (mut begun, mut consumed) = (0, 0);
            while stream.begin_member().unwrap() {
                let (file, start) = starts[begun];
                begun += 1;
                loop {
                    let data = stream.data();
                    assert_eq!(data, &content[consumed..][..data.len()], "{name} {case}");
                    match stream.border() {
                        Some(border) => assert_eq!(consumed + border, start, "{name} {case}"),
                        None => {
                            let within = (consumed - start) as u64;
                            let place = Position { file, within };
                            assert_eq!(stream.position(), place, "{name} {case}");
                        }
                    }
                    if random.below(3) > 0 {
                        let count = random.below(data.len() + 1);
                        stream.consume(count);
                        consumed += count;
                    } else if stream.fill().unwrap() == Fill::MemberEnd {
                        break;
                    }
                }
                let end = starts
                    .get(begun)
                    .map_or(archive.len() as u64, |next| next.0);
                assert_eq!(stream.member_end(), Some(end), "{name} {case}");
            }
            assert_eq!(begun, members.len(), "{name} {case}");
            assert_eq!(consumed + stream.data().len(), content.len());
        }
    }
}

fn record(body: &[u8], length: usize) -> Vec<u8> {
    let head = format!("WARC/1.1\r\nWARC-Type: resource\r\nContent-Length: {length}\r\n\r\n");
    [head.as_bytes(), body, b"\r\n\r\n"].concat()
}

/// Reads an archive; returns the bodies of its records and the offsets of its damaged members.
fn read(archive: &[u8], chunk: usize) -> (Vec<Vec<u8>>, Vec<u64>) {
    let mut reader = Reader::new(Input::stream(archive), chunk, 0).unwrap();
    let (mut bodies, mut damaged) = (Vec::new(), Vec::new());
    loop {
        match reader.advance().unwrap() {
            Event::End => return (bodies, damaged),
            Event::Damage(damage) => damaged.push(damage.at.file),
            Event::Record => match reader.load(1 << 20).unwrap() {
                Loaded::Yes => bodies.push(reader.body().to_vec()),
                Loaded::Damaged(damage) => damaged.push(damage.at.file),
                Loaded::TooLong => panic!("no record is that long"),
            },
        }
    }
}

/// A truncated member seems to contain the next members, even if the record's length is wrong.
#[test]
fn what_follows_a_member_that_is_cut_off_is_found_however_it_is_read() {
    let ways: [(&str, Compress); 4] = [
        ("gzip", gzip),
        ("gzip, stored", stored),
        ("zstd", zstd),
        ("zstd, stored", zstd_stored),
    ];
    let body = Random::new(52).odd_bytes(200);
    for (name, compress) in ways {
        let first = compress(&record(b"first", 5));
        let rest = [b"second", b"third!"].map(|body| compress(&record(body, 6)));
        for declared in [200, 197, 203] {
            let victim = compress(&record(&body, declared));
            for cut in (9..40).step_by(3) {
                let victim = &victim[..victim.len() - cut];
                let archive = [&first[..], victim, &rest.concat()].concat();
                for chunk in (1..=60).chain([CHUNK]) {
                    let (bodies, mut damaged) = read(&archive, chunk);
                    // With small chunks, a wrong length may be reported before the damaged member.
                    damaged.dedup();
                    let found: Vec<&[u8]> = bodies.iter().map(Vec::as_slice).collect();
                    let expected: [&[u8]; 3] = [b"first", b"second", b"third!"];
                    let case = format!("{name}, {declared}, {cut} missing, {chunk} at once");
                    assert_eq!(found, expected, "{case}");
                    assert_eq!(damaged, [first.len() as u64], "{case}");
                }
            }
        }
    }
}

/// A record of more than 8 MB with a wrong length hides no other record, because its end is checked first.
#[test]
fn a_long_record_with_a_wrong_length_hides_no_other() {
    let body = vec![b'x'; (8 << 20) + 100];
    for (declared, is_right) in [
        (body.len(), true),
        (body.len() - 50, false),
        (body.len() + 60, false),
    ] {
        let archive = [&record(&body, declared)[..], &record(b"second", 6)].concat();
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&archive).unwrap();
        let input = Input::file(&archive[..], &file).unwrap();
        let mut reader = Reader::new(input, CHUNK, 0).unwrap();
        let first = reader.advance().unwrap();
        assert_eq!(matches!(first, Event::Record), is_right, "{declared}");
        if let Event::Damage(damage) = first {
            let what = format!("Content-Length is {declared}, and the record does not end there");
            assert_eq!(damage.what, what);
        }
        assert!(
            matches!(reader.advance().unwrap(), Event::Record),
            "{declared}"
        );
        assert!(matches!(reader.load(100).unwrap(), Loaded::Yes));
        assert_eq!(reader.body(), b"second");
    }
}

/// A reader that counts bytes.
struct Counted<'a>(&'a [u8], &'a Cell<usize>);

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.0.read(buffer)?;
        self.1.set(self.1.get() + length);
        Ok(length)
    }
}

/// Members are searched for only in the bytes of a damaged member that have been read.
#[test]
fn a_magic_number_in_a_damaged_member_does_not_have_the_rest_read() {
    let body = b"a magic number: \x1F\x8B\x08, and text after it";
    let long = vec![b'x'; 16 << 20];
    let records = [
        record(body, body.len() - 4),
        record(b"second", 6),
        record(&long, long.len()),
    ];
    let archive = stored(&records.concat());
    let read = Cell::new(0);
    let mut reader = Reader::new(Input::stream(Counted(&archive, &read)), CHUNK, 0).unwrap();
    let is_damaged = match reader.advance().unwrap() {
        Event::Record => matches!(reader.load(100).unwrap(), Loaded::Damaged(_)),
        event => matches!(event, Event::Damage(_)),
    };
    assert!(is_damaged);
    assert!(read.get() <= 4 << 20, "{} bytes were read", read.get());
    assert!(matches!(reader.advance().unwrap(), Event::Record));
    assert!(matches!(reader.load(100).unwrap(), Loaded::Yes));
    assert_eq!(reader.body(), b"second");
}

//! `mojika convert` with compressed files: reading, writing, keeping the compression, and damage.

#![cfg(unix)]

use crate::common::archives::gzip as gz;
use crate::common::tree::{folder, read, run, status};
use crate::common::{has, list};
use mojika_spec::Random;
use std::fs;
use std::io::{Read, Write};

const SJIS: &[u8] = b"\x95\xB6\x8E\x9A\n";
const TEXT: &str = "文字\n";

fn zst(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 0).unwrap();
    // With the checksum, a change of any byte is detected.
    encoder.include_checksum(true).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn bz2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 1);
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn gunzip(bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    let mut decoder = flate2::read::MultiGzDecoder::new(bytes);
    decoder.read_to_end(&mut text).unwrap();
    text
}

/// Returns text that compresses poorly, so that damage in the middle of the file is also in the middle of the text.
fn noise(length: usize) -> Vec<u8> {
    let mut random = Random::new(1);
    let letters = b"abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ \n";
    (0..length).map(|_| *random.pick(letters)).collect()
}

#[test]
fn compressed_files_of_a_folder_stay_compressed() {
    let two_members = [gz(SJIS), gz(SJIS)].concat();
    let folder = folder(&[
        ("src/a.gz", &two_members),
        ("src/b.zst", &zst(SJIS)),
        ("src/c.bz2", &bz2(SJIS)),
        ("src/d.xz", &xz(SJIS)),
        ("src/e", SJIS),
        // Compressed data is recognised by its first bytes, not by its name.
        ("src/f.gz", SJIS),
        ("src/picture.gz", &gz(b"\x89PNG\r\n\x1A\n\0\0")),
    ]);
    let line = "convert -f sjis src -o out --report r";
    let summary = status(&folder, line, 0);
    has(&summary, "gzip data, and in it PNG");
    assert_eq!(
        gunzip(&read(&folder, "out/a.gz")),
        TEXT.repeat(2).as_bytes()
    );
    let text = zstd::stream::decode_all(&*read(&folder, "out/b.zst")).unwrap();
    assert_eq!(text, TEXT.as_bytes());
    for name in ["c.bz2", "d.xz", "e"] {
        let text = run(&folder, &format!("convert -f utf-8 out/{name}")).ok();
        assert_eq!(text, TEXT.as_bytes(), "{name}");
    }
    assert_eq!(read(&folder, "out/f.gz"), TEXT.as_bytes());
    let report = String::from_utf8(read(&folder, "r")).unwrap();
    for name in ["gzip", "zstd", "bzip2", "xz"] {
        let part = format!(r#""compression":"{name}""#);
        assert!(report.contains(&part), "{report}");
    }
    // Files that are already converted are copied.
    let summary = status(&folder, "convert out -o again", 0);
    has(&summary, "6 in the output encoding already");
    assert_eq!(read(&folder, "again/a.gz"), read(&folder, "out/a.gz"));
    status(&folder, "check out", 0);
}

#[test]
fn names_follow_the_compression_of_the_output() {
    let folder = folder(&[("src/a.txt.gz", &gz(SJIS)), ("src/b.txt", SJIS)]);
    status(&folder, "convert -f sjis src -o plain --compress none", 0);
    assert_eq!(list(&folder.path().join("plain")), ["a.txt", "b.txt"]);
    assert_eq!(read(&folder, "plain/a.txt"), TEXT.as_bytes());
    fs::write(folder.path().join("src/c"), b"\x82").unwrap();
    status(&folder, "convert -f sjis src -o small --compress zst", 1);
    assert_eq!(
        list(&folder.path().join("small")),
        ["a.txt.zst", "b.txt.zst"]
    );
    let text = zstd::stream::decode_all(&*read(&folder, "small/b.txt.zst")).unwrap();
    assert_eq!(text, TEXT.as_bytes());
    // A resumed run recognises the converted files.
    fs::remove_file(folder.path().join("src/c")).unwrap();
    let line = "convert -f sjis src -o small --compress zst --resume";
    let summary = status(&folder, line, 0);
    assert!(summary.contains(": 2 finished before\n"), "{summary}");
}

#[test]
fn two_files_with_one_output_are_an_error() {
    let folder = folder(&[("src/a.gz", &gz(b"1")), ("src/a", b"2")]);
    for (options, out, second) in [
        ("src --compress none --force", "out", "src/a.gz"),
        ("src --compress none", "other", "src/a.gz"),
        // The same file, named twice.
        ("src/a src/a --force", "forced", "src/a"),
    ] {
        let line = format!("convert -f latin1 -t utf-8 --bom add {options} -o {out}/ -j 1");
        let summary = status(&folder, &line, 1);
        let said = format!("{second}: another file of this run has the same output");
        assert!(summary.contains(&said), "{options}: {summary}");
        let converted = read(&folder, &format!("{out}/a"));
        assert_eq!(converted, b"\xEF\xBB\xBF2", "{options}");
    }
}

#[test]
fn one_output_is_compressed_as_its_name_or_option_says() {
    let folder = folder(&[("a", SJIS), ("a.zst", &zst(SJIS))]);
    run(&folder, "convert -f sjis a -o out.gz").ok();
    assert_eq!(gunzip(&read(&folder, "out.gz")), TEXT.as_bytes());
    run(&folder, "convert -f sjis a -o plain.gz --compress none").ok();
    assert_eq!(read(&folder, "plain.gz"), TEXT.as_bytes());
    let bytes = run(&folder, "convert -f sjis a a --compress gz").ok();
    assert_eq!(gunzip(&bytes), TEXT.repeat(2).as_bytes());
    let bytes = run(&folder, "convert -f sjis a.zst --compress keep").ok();
    assert_eq!(zstd::stream::decode_all(&*bytes).unwrap(), TEXT.as_bytes());
    assert_eq!(run(&folder, "convert -f sjis a.zst").ok(), TEXT.as_bytes());
}

#[test]
fn in_place_a_file_stays_as_it_is_compressed() {
    let folder = folder(&[("src/a.gz", &gz(SJIS))]);
    for option in ["--compress none", "--salvage"] {
        let message = status(&folder, &format!("convert -f sjis -i src {option}"), 2);
        assert!(message.starts_with("--in-place"), "{message}");
    }
    status(&folder, "convert -f sjis -i src", 0);
    assert_eq!(gunzip(&read(&folder, "src/a.gz")), TEXT.as_bytes());
    let summary = status(&folder, "convert -f sjis -i src", 0);
    assert!(summary.contains("valid UTF-8, so it"), "{summary}");
}

#[test]
fn damage_is_reported_with_what_precedes_it() {
    let text = noise(300_000);
    for (name, whole) in [
        ("a.gz", gz(&text)),
        ("a.zst", zst(&text)),
        ("a.xz", xz(&text)),
    ] {
        // Damage: a truncated file, and a file with a changed byte.
        let cut = &whole[..whole.len() / 2];
        let mut changed = whole.clone();
        changed[whole.len() / 2] ^= 0x55;
        for bytes in [cut, &changed] {
            let folder = folder(&[(&*format!("src/{name}"), bytes), ("src/b", SJIS)]);
            let line = "convert -f latin1 -t utf-16le src -o out --compress none";
            let summary = status(&folder, line, 1);
            assert!(summary.contains(&format!("src/{name}: the ")), "{summary}");
            assert!(summary.contains("data is damaged ("), "{summary}");
            assert!(summary.contains("bytes of text"), "{summary}");
            assert_eq!(list(&folder.path().join("out")), ["b"]);
            assert_eq!(read(&folder, &format!("src/{name}")), bytes);

            let line = "convert -f latin1 -t utf-8 --bom add src -o kept --compress none --salvage";
            let summary = status(&folder, line, 1);
            let saved = read(&folder, "kept/b").len();
            assert_eq!(saved, 3 + "•¶Žš\n".len());
            if let Ok(saved) = std::fs::read(folder.path().join("kept/a")) {
                has(&summary, &format!("{} bytes of text saved", saved.len()));
                // A zstd block precedes its checksum, and may have wrong bytes. All other bytes must be right.
                let right = saved[3..]
                    .iter()
                    .zip(&text)
                    .filter(|(one, other)| one == other);
                assert!(right.count() + 140_000 > saved.len(), "{name}");
            } else {
                assert!(summary.contains("after 0 bytes of text"), "{summary}");
            }
        }
    }
    // If a file is truncated before its text, nothing is saved, and no empty file is created.
    let folder = folder(&[("src/a.gz", &gz(&text)[..12]), ("src/b", SJIS)]);
    let line = "convert -f latin1 -t utf-8 src -o kept --compress none --salvage";
    let summary = status(&folder, line, 1);
    assert!(summary.contains("after 0 bytes of text"), "{summary}");
    assert_eq!(list(&folder.path().join("kept")), ["b"]);
}

#[test]
fn half_of_a_file_that_was_cut_off_is_saved() {
    let text = noise(300_000);
    let whole = gz(&text);
    let folder = folder(&[("a.gz", &whole[..whole.len() / 2])]);
    run(&folder, "convert -f utf-8 a.gz -o out --salvage").ends(1);
    let saved = read(&folder, "out");
    assert!(
        saved.len() > 100_000 && text.starts_with(&saved),
        "{}",
        saved.len()
    );
    assert_eq!(run(&folder, "convert -f utf-8 a.gz -o other").status, 1);
    assert_eq!(list(folder.path()), ["a.gz", "out"]);
}

/// Output saved from damaged input counts as incomplete: a resumed run finds the damage again.
#[test]
fn what_was_saved_is_not_finished_before() {
    let gzip = gz(&b"line\n".repeat(10_000));
    let folder = folder(&[
        ("src/good", b"text"),
        ("src/cut.gz", &gzip[..gzip.len() - 9]),
    ]);
    let line = "convert -f latin1 -t utf-16le src -o out --salvage --compress none";
    let said = status(&folder, line, 1);
    assert!(said.contains("1 converted, 1 failed"), "{said}");
    assert!(folder.path().join("out/cut").exists());
    let said = status(&folder, &format!("{line} --resume"), 1);
    assert!(said.contains("1 finished before, 1 failed"), "{said}");
    assert!(said.contains("src/cut.gz: the output exists"), "{said}");
}

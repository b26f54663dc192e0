//! The messages of `names` and `undo`: for no name, one name, several renamed and refused names, and zip archives.

use super::refusals::told;
#[cfg(feature = "zip")]
use crate::common::zips::{Entry, archive, file, unicode_path};
use crate::{replayed, snapshot};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

fn write(path: &Path, name: &str) {
    let name = mojika::KOI8_R.encode(name).unwrap();
    fs::write(path.join(OsStr::from_bytes(&name)), "").unwrap();
}

#[test]
fn names_and_undo() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    for name in ["none", "one", "several/inner", "twice"] {
        fs::create_dir_all(path.join(name)).unwrap();
    }
    fs::write(path.join("none/ascii"), "").unwrap();
    write(&path.join("one"), "имя");
    write(&path.join("several"), "первое");
    write(&path.join("several/inner"), "второе");
    // NFC would turn this name into the next one, which exists.
    fs::write(path.join("several/e\u{301}"), "").unwrap();
    fs::write(path.join("several/é"), "").unwrap();
    fs::write(path.join("twice/e\u{301}"), "").unwrap();
    std::os::unix::fs::symlink("several/inner", path.join("link")).unwrap();
    let lines = replayed("names.txt", |line| told(path, line));
    // The messages that list run records are not compared here, because they contain the path of the command.
    snapshot("names.txt", &lines.join("\n"));
}

/// Every reason for not renaming a file.
#[test]
fn names_that_cannot_be_given_say_why() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let long = "ж".repeat(128);
    let in_koi8_r = |name: &str| mojika::KOI8_R.encode(name).unwrap().into_owned();
    let names: [(&str, Vec<Vec<u8>>); 6] = [
        (
            "escapes",
            vec![
                b"\x1B(B".to_vec(),
                b"\x1B(B.".to_vec(),
                b"\x1B(B..".to_vec(),
                b"\x1B$BF|".to_vec(),
                b"\x1B$BF|K\\\x1B(B".to_vec(),
                b"\x1B$B\x1B".to_vec(),
            ],
        ),
        (
            "ebcdic",
            vec![b"\xC1\x61\xC2".to_vec(), b"\xC1\xC2".to_vec()],
        ),
        (
            "to",
            ["茅", "¥", "文", "ascii", "\u{E000}"]
                .map(|name| name.as_bytes().to_vec())
                .to_vec(),
        ),
        (
            "lengths",
            vec![
                in_koi8_r(&long),
                in_koi8_r(&long[..254]),
                in_koi8_r(&format!("{}x", &long[..254])),
            ],
        ),
        (
            "same",
            vec![
                in_koi8_r("письмо"),
                "письмо".into(),
                "e\u{301}\u{323}".into(),
                "e\u{323}\u{301}".into(),
            ],
        ),
        ("malformed", vec![b"a\x81".to_vec(), b"\x82\xA0".to_vec()]),
    ];
    for (name, inner) in names {
        fs::create_dir(path.join(name)).unwrap();
        for one in inner {
            fs::write(path.join(name).join(OsStr::from_bytes(&one)), "").unwrap();
        }
    }
    let said = replayed("names.refused.txt", |line| told(path, line)).join("\n");
    let said = said
        .replace(&"ж".repeat(127), "ж…")
        .replace(&"\\326".repeat(127), "\\326…");
    snapshot("names.refused.txt", &said);
}

/// Removes the messages of the zip library, which are not compared.
#[cfg(feature = "zip")]
fn without_errors(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let cut = [" damaged (", "is damaged: ", "is damaged there: "];
        let cut = cut.iter().find_map(|cut| Some(line.find(cut)? + cut.len()));
        format!("{}\n", cut.map_or(line, |end| &line[..end]))
    });
    lines.collect()
}

/// Entries with names of every kind, and every reason for not extracting an entry.
#[cfg(feature = "zip")]
#[test]
fn entries_of_zip_archives() {
    let with_mode = |name: &[u8], mode| Entry {
        mode,
        ..file(name, b"/etc/passwd")
    };
    let flagged = |name: &[u8], flags| Entry {
        flags,
        ..file(name, b"text")
    };
    let mut unicode = file(b"\x81.txt", b"text");
    unicode.extra = unicode_path(b"\x81.txt", "ü 文字.txt");
    let mut version = file(b"\x82.txt", b"text");
    version.extra = unicode_path(b"\x82.txt", "no.txt");
    version.extra[4] = 2;
    let names = [
        file(b"ascii", b"text"),
        flagged("flag é".as_bytes(), 1 << 11),
        file("valid é".as_bytes(), b"text"),
        file(b"\x84 437", b"text"),
        file(b"folder/", b""),
        file(b"folder/in it", b"text"),
        unicode,
        version,
    ];
    let depth = |count: usize| [&b"d/".repeat(count)[..], b"x"].concat();
    let refused = [
        file(b"../up", b"x"),
        file(b"/abs", b"x"),
        file(b"..\\up", b"x"),
        file(b"a\0b", b"x"),
        file(b"./", b""),
        with_mode(b"link", 0o120_777),
        with_mode(b"fifo", 0o010_644),
        file(b"twice", b"1"),
        file(b"./twice", b"2"),
        file(b"node", b"x"),
        file(b"node/below", b"x"),
        file(b"node/folder/", b""),
        flagged(b"secret", 1),
        // A refused entry does not reserve its name for later ones.
        file(b"secret", b"x"),
        file("x".repeat(255).as_bytes(), b"x"),
        file("x".repeat(256).as_bytes(), b"x"),
        file(&depth(99), b"x"),
        file(&depth(100), b"x"),
        file(b"\xFF\xFF", b"x"),
    ];
    let zeros = [0; 1000];
    let with_size = |name: &[u8], size| Entry {
        size: Some(size),
        ..file(name, &zeros)
    };
    let same = |name: &[u8], other| Entry {
        same_data: Some(other),
        ..file(name, &zeros)
    };
    let sizes = [
        file(b"first", &zeros),
        same(b"same", 0),
        file(b"last", &zeros),
        same(b"same again", 2),
        with_size(b"more than it says", 10),
        with_size(b"less than it says", 2000),
        file(b"end", b"1"),
    ];
    let folder = crate::common::tree::folder(&[
        ("names.zip", &archive(&names)),
        ("refused.zip", &archive(&refused)),
        ("sizes.zip", &archive(&sizes)),
        ("none.zip", &archive(&[])),
        ("cut.zip", &archive(&names)[..200]),
        ("text.zip", b"no archive"),
        ("empty.zip", b""),
        ("out/ascii", b"mine"),
    ]);
    let path = folder.path();
    let lines = replayed("names.zip.txt", |line| told(path, line));
    let said = without_errors(&lines.join("\n"));
    let said = said
        .replace(&"x".repeat(255), "x…")
        .replace(&"d/".repeat(99), "d/…");
    snapshot("names.zip.txt", &said);
    assert_eq!(fs::read(path.join("out/ascii")).unwrap(), b"mine");
}

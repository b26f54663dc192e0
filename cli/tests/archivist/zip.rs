//! `mojika names --zip`: names in zip archives from any program.

use crate::common::holds;
use crate::common::tree::{folder, run, status};
use crate::common::zips::{Entry, archive, file, unicode_path};
use std::fs;

/// Creates an archive of empty files whose names are in an encoding.
fn named(encoding: &'static mojika::Encoding, flags: u16, names: &[&str]) -> Vec<u8> {
    let entry = |name: &&str| Entry {
        flags,
        ..file(&encoding.encode(name).unwrap(), name.as_bytes())
    };
    archive(&names.iter().map(entry).collect::<Vec<_>>())
}

const GERMAN: [&str; 6] = [
    "Übersicht über die Verträge.txt",
    "Müller/Gehälter für März.xls",
    "Müller/Kündigung Größe.doc",
    "Straßenverzeichnis Köln.txt",
    "Prüfung der Häuser.txt",
    "Änderungen für später.txt",
];

const JAPANESE: [&str; 4] = [
    "文字化け.txt",
    "資料/会議の議事録.txt",
    "資料/予算表.xls",
    "ソフトウェア一覧.txt",
];

#[test]
fn names_in_pages_of_dos_and_of_windows_are_found_and_extracted_right() {
    let ibm437 = mojika::extended::find("cp437").unwrap();
    let ibm866 = mojika::IBM866;
    let russian = [
        "Отчёт за январь.txt",
        "Письма/Договор с поставщиком.doc",
        "Письма/Список сотрудников.txt",
    ];
    for (encoding, flags, names) in [
        (ibm437, 0, &GERMAN[..]),
        (mojika::SHIFT_JIS, 0, &JAPANESE),
        // The flag wrongly states UTF-8.
        (mojika::SHIFT_JIS, 1 << 11, &JAPANESE),
        (ibm866, 0, &russian),
        (mojika::UTF_8, 1 << 11, &JAPANESE),
        (mojika::UTF_8, 0, &JAPANESE),
    ] {
        let folder = folder(&[("a.zip", &named(encoding, flags, names))]);
        let said = run(&folder, "names --zip a.zip -o out");
        let what = format!("{encoding}, flags {flags:X}");
        assert_eq!(said.status, 0, "{what}: {}", said.stderr);
        let text = String::from_utf8(said.stdout).unwrap();
        for name in names {
            assert!(text.contains(name), "{what}: {name}: {text}");
            let path = folder.path().join("out").join(name);
            assert_eq!(fs::read_to_string(path).unwrap(), *name, "{what}");
        }
        let word = match encoding == mojika::UTF_8 {
            true => "UTF-8",
            false => encoding.name(),
        };
        assert!(text.starts_with(word), "{what}: {text}");
    }
}

#[test]
fn the_unicode_path_of_info_zip_counts_where_it_belongs_to_the_name() {
    let mut right = file(b"?.txt", b"right");
    right.name = b"\x81.txt".to_vec();
    right.extra = unicode_path(&right.name, "ü 文字.txt");
    let mut stale = file(b"a\x81.txt", b"stale");
    // The Unicode Path field was computed for another name of the entry, so it does not apply.
    stale.extra = unicode_path(b"old", "old.txt");
    let folder = folder(&[("a.zip", &archive(&[right, stale]))]);
    let said = run(&folder, "names --zip a.zip --from cp437 -o out").ends(0);
    assert_eq!(
        String::from_utf8(said.stdout).unwrap(),
        "UTF-8 (0x7075) 'ü 文字.txt'\nIBM437         aü.txt\n"
    );
    assert!(folder.path().join("out/ü 文字.txt").exists());
    assert!(folder.path().join("out/aü.txt").exists());
}

#[test]
fn what_is_doubtful_is_not_extracted_and_json_has_the_bytes() {
    let folder = folder(&[("a.zip", &archive(&[file(b"\x8E\x81", b"")]))]);
    let said = status(&folder, "names --zip a.zip -o out", 1);
    assert!(said.contains("a.zip: doubtful: "), "{said}");
    assert!(!folder.path().join("out").exists());
    let said = run(&folder, "names --zip a.zip --from cp437 --json");
    let line: serde_json::Value = serde_json::from_slice(&said.stdout).unwrap();
    assert_eq!(
        (&line["name"], &line["name_bytes"]),
        (&"Äü".into(), &"8E81".into())
    );
}

#[test]
fn a_second_extraction_replaces_nothing_and_programs_stay_programs() {
    let mut program = file(b"run.sh", b"#!/bin/sh\n");
    program.mode = 0o104_755;
    let folder = folder(&[("a.zip", &archive(&[program, file(b"a/b", b"text")]))]);
    status(&folder, "names --zip a.zip -o out", 0);
    let mode = || {
        use std::os::unix::fs::MetadataExt;
        fs::metadata(folder.path().join("out/run.sh"))
            .unwrap()
            .mode()
            & 0o7777
    };
    // The set-user-ID bit is not extracted.
    assert_eq!(mode() & 0o7100, 0o100);
    // All who may read the file may also execute it.
    assert_eq!(mode() & 0o111, (mode() & 0o444) >> 2);
    let text = fs::metadata(folder.path().join("out/a/b")).unwrap();
    assert_eq!(std::os::unix::fs::MetadataExt::mode(&text) & 0o111, 0);
    fs::write(folder.path().join("out/a/b"), "mine").unwrap();
    let said = status(&folder, "names --zip a.zip -o out", 1);
    assert_eq!(
        said.matches("the output exists and is not replaced")
            .count(),
        2,
        "{said}"
    );
    holds(&folder, "out/a/b", b"mine");
    // The option --normalize nfc composes the name.
    let folder =
        crate::common::tree::folder(&[("a.zip", &named(mojika::UTF_8, 1 << 11, &["e\u{301}"]))]);
    status(&folder, "names --zip a.zip --normalize nfc -o out", 0);
    assert!(folder.path().join("out/é").exists());
}

/// Files have the usual mode of the process, plus executable bits. Their time is that of an extra field, in UTC.
#[test]
fn files_have_the_mode_that_is_usual_here_and_the_time_of_the_archive() {
    use std::os::unix::fs::MetadataExt;
    let timed = |name: &str, extra: Vec<u8>, mode| Entry {
        extra,
        mode,
        ..file(name.as_bytes(), b"text")
    };
    // The Unix field has five bytes. The first one states that the time of the last modification follows.
    let of_unix = |seconds: u32| [&b"UT\x05\0\x01"[..], &seconds.to_le_bytes()].concat();
    // The Windows field has the times of modification, access and creation, in tenths of microseconds since 1601.
    let of_windows = |seconds: u64| {
        let tenths = (seconds + 11_644_473_600) * 10_000_000;
        let head = b"\x0A\0\x20\0\0\0\0\0\x01\0\x18\0";
        [&head[..], &tenths.to_le_bytes().repeat(3)].concat()
    };
    let entries = [
        timed("of Unix", of_unix(1_000_000_001), 0o100_644),
        timed("of Windows", of_windows(1_234_567_890), 0o100_755),
        timed("begin", of_unix(0), 0o100_666),
        file(b"local", b"text"),
    ];
    for (mask, usual, program) in [("077", 0o600, 0o700), ("027", 0o640, 0o750)] {
        let folder = folder(&[("a.zip", &archive(&entries))]);
        let script = format!("umask {mask}; exec mojika names --zip a.zip -o out -q");
        let said = crate::common::tree::bash(folder.path(), &script);
        assert_eq!((said.status, &*said.stderr), (0, ""));
        let of = |name: &str| fs::metadata(folder.path().join("out").join(name)).unwrap();
        for (name, mode, seconds) in [
            ("of Unix", usual, 1_000_000_001),
            ("of Windows", program, 1_234_567_890),
            ("begin", usual, 0),
        ] {
            let found = of(name);
            let found = (found.mode() & 0o7777, found.mtime());
            assert_eq!(found, (mode, seconds), "{name}, with {mask}");
        }
        // The time zone of DOS times is unknown.
        assert!(of("local").mtime() > 1_700_000_000);
    }
}

//! Files of records, and line ends of EBCDIC.

use crate::common::run_in;

#[test]
fn records_of_a_mainframe_become_lines() {
    let folder = std::env::temp_dir().join(format!("mojika-records-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let records = b"\0\x0C\0\0\xC1\x0E\x4F\x58\x48\xF2\x0F\x40\0\x06\0\0\xC2\x40";
    let convert = |options: &[&str], input: &[u8]| {
        let line = [&["convert", "--from", "ibm939"][..], options].concat();
        run_in(&folder, &line, input)
    };
    let plain = convert(&["--records", "rdw"], records);
    assert_eq!(plain.ok(), "A漢字 \nB \n".as_bytes());
    let trimmed = convert(&["--records", "rdw", "--trim"], records);
    assert_eq!(trimmed.ok(), "A漢字\nB\n".as_bytes());
    let fixed = convert(&["--records", "fixed:2", "--trim"], b"\xC1\x40\xC2\xC3");
    assert_eq!(fixed.ok(), b"A\nBC\n");

    // A record that ends within double bytes does not change the next one.
    let cut = convert(&["--records", "fixed:3"], b"\x0E\x4F\x58\xC1\xC2\xC3");
    assert_eq!(cut.ok(), "漢\nABC\n".as_bytes());

    let damaged = convert(
        &["--records", "rdw", "-o", "out"],
        b"\0\x05\0\0\xC1\0\x02\0\0",
    );
    assert_eq!(damaged.status, 1, "{}", damaged.stderr);
    let message = "a record of 2 bytes, less than 4, at byte offset 5";
    assert!(damaged.stderr.contains(message), "{}", damaged.stderr);
    assert!(!folder.join("out").exists());

    for options in [
        &["--records", "vb"][..],
        &["--trim"],
        &["--records", "fixed:0"],
    ] {
        assert_eq!(convert(options, b"").status, 2, "{options:?}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Descriptor words have NULs, which are no sign here that a file is not text.
#[test]
fn records_of_a_folder_become_lines_and_so_do_records_in_place() {
    let folder = std::env::temp_dir().join(format!("mojika-records-of-{}", std::process::id()));
    let records = folder.join("records");
    std::fs::create_dir_all(&records).unwrap();
    let rdw = b"\0\x06\0\0\xC1\x40\0\x06\0\0\xC2\0";
    let bdw = [b"\0\x10\0\0", &rdw[..]].concat();
    let cut = &rdw[..rdw.len() - 1];
    let convert = |options: &[&str]| {
        let line = [
            &["convert", "--from", "ibm939", "--trim", "--records"][..],
            options,
        ]
        .concat();
        run_in(&folder, &line, b"")
    };
    for (format, bytes) in [("rdw", &rdw[..]), ("bdw", &bdw), ("fixed:12", rdw)] {
        let expected = match format {
            "fixed:12" => "\0\u{86}\0\0A \0\u{86}\0\0B\0\n",
            _ => "A\nB\0\n",
        };
        std::fs::write(records.join("a"), bytes).unwrap();
        std::fs::write(folder.join("b"), bytes).unwrap();
        std::fs::write(records.join("image"), b"\x89PNG\r\n\x1A\n\0\0\0\0").unwrap();
        let output = format!("{}/", format.replace(':', "-"));
        let whole = convert(&[format, "records", "-o", &output]);
        assert_eq!(whole.status, 0, "{format}: {}", whole.stderr);
        let converted = std::fs::read(folder.join(&output).join("a")).unwrap();
        assert_eq!(converted, expected.as_bytes(), "{format}");
        assert!(!folder.join(&output).join("image").exists());
        let in_place = convert(&[format, "--in-place", "b"]);
        assert_eq!(in_place.status, 0, "{format}: {}", in_place.stderr);
        assert_eq!(
            std::fs::read(folder.join("b")).unwrap(),
            expected.as_bytes()
        );
    }
    std::fs::write(folder.join("cut"), cut).unwrap();
    let damaged = convert(&["rdw", "--in-place", "cut"]);
    assert_eq!(damaged.status, 1, "{}", damaged.stderr);
    assert_eq!(std::fs::read(folder.join("cut")).unwrap(), cut);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn lines_of_ebcdic_end_with_either_control() {
    let convert = |options: &[&str], input: &[u8]| {
        let line = [&["convert"][..], options].concat();
        run_in(&std::env::temp_dir(), &line, input)
    };
    let nel = ["--from", "ibm1047", "--ebcdic-newline", "nel"];
    assert_eq!(
        convert(&nel, b"\xC1\x15\xC2\x25").ok(),
        "A\nB\u{85}".as_bytes()
    );
    assert_eq!(convert(&nel[..2], b"\xC1\x15").ok(), "A\u{85}".as_bytes());
    let to = [
        "--from",
        "utf-8",
        "--to",
        "ibm939",
        "--ebcdic-newline",
        "nel",
    ];
    assert_eq!(
        convert(&to, "漢\nA".as_bytes()).ok(),
        b"\x0E\x4F\x58\x0F\x15\xC1"
    );
    // A message names the byte that the file has.
    let nel = ["--from", "ibm939", "--ebcdic-newline", "nel"];
    let malformed = convert(&nel, b"\x0E\x4F\x58\x15\x0F");
    let message = "malformed IBM939 sequence 15 at byte offset 3";
    assert!(malformed.stderr.contains(message), "{}", malformed.stderr);

    let none = ["--from", "utf-8", "--ebcdic-newline", "nel"];
    assert_eq!(convert(&none, b"").status, 2);
}

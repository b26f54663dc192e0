//! The table of contexts from the command line: each column, in every context.

use crate::common::tree::fast_folder;
use crate::common::{mojika, run_in};
use mojika_sniff::contexts::{BomRule, Fallback, Row, Sniffing, TABLE};
use std::fs;
use std::path::Path;
use std::process::Stdio;

/// `[encoding, source, confidence, bom_length]` of the document on standard input.
fn detect(bytes: &[u8], options: &[&str]) -> [String; 4] {
    let args = [&["detect", "--json"], options, &["-"]].concat();
    let line = run_in(Path::new("."), &args, bytes).ok();
    let object: serde_json::Value = serde_json::from_slice(&line).unwrap();
    assert_eq!(object["path"], "-");
    assert!(object["error"].is_null());
    let field = |name: &str| match &object[name] {
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    [
        field("encoding"),
        field("source"),
        field("confidence"),
        field("bom_length"),
    ]
}

/// Runs `expected` for every context, and compares.
fn in_every_context(
    bytes: &[u8],
    options: &[&str],
    expected: impl Fn(&Row) -> (&'static str, &'static str, &'static str, usize),
) {
    for row in &TABLE {
        let options = [options, &["--context", row.id]].concat();
        let (encoding, source, confidence, bom_length) = expected(row);
        let bom_length = bom_length.to_string();
        assert_eq!(
            detect(bytes, &options),
            [encoding, source, confidence, &bom_length],
            "{}",
            row.name
        );
    }
}

/// Returns the expectation without any hint.
fn default(row: &Row) -> (&'static str, &'static str, &'static str, usize) {
    let encoding = match row.fallback {
        Fallback::Isomorphic => "ISO-8859-1",
        _ => "UTF-8",
    };
    (encoding, "default", guessed(row), 0)
}

/// [`default`], where a context that depends on the type is that of plain text.
fn default_of_text(
    row: &Row,
    transport: &str,
) -> (&'static str, &'static str, &'static str, usize) {
    let (encoding, source, confidence, bom_length) = default(row);
    let is_by_type = row.sniffing == Sniffing::ByType && transport.contains('/');
    let confidence = if is_by_type { "tentative" } else { confidence };
    (encoding, source, confidence, bom_length)
}

fn guessed(row: &Row) -> &'static str {
    match row.sniffing {
        Sniffing::Html | Sniffing::Text => "tentative",
        _ => "certain",
    }
}

#[test]
fn default_of_every_context() {
    in_every_context(b"a", &[], default);
    in_every_context(b"", &[], default);
}

#[test]
fn bom_of_every_context() {
    in_every_context(b"\xEF\xBB\xBFa", &[], |row| match row.bom {
        BomRule::Sniff | BomRule::SniffUcs4 => ("UTF-8", "bom", "certain", 3),
        BomRule::Remove | BomRule::NotStated => {
            let (encoding, source, confidence, _) = default(row);
            (encoding, source, confidence, 3)
        }
        BomRule::Keep => default(row),
    });
    in_every_context(b"\xFE\xFF\0a", &["--transport", "gbk"], |row| {
        match row.bom {
            BomRule::Sniff | BomRule::SniffUcs4 => ("UTF-16BE", "bom", "certain", 2),
            _ => default(row),
        }
    });
    // UTF-32 is known in XML and in text files.
    in_every_context(b"\xFF\xFE\0\0a\0\0\0", &[], |row| match row.bom {
        BomRule::Sniff if row.id == "xml-parser" => ("UTF-32LE", "bom", "certain", 4),
        BomRule::SniffUcs4 => ("UTF-32LE", "bom", "certain", 4),
        BomRule::Sniff => ("UTF-16LE", "bom", "certain", 2),
        _ => default(row),
    });
}

#[test]
fn transport_of_every_context() {
    for transport in ["koi8-r", "text/plain;charset=KOI8-R"] {
        in_every_context(b"a", &["--transport", transport], |row| {
            if row.transport {
                ("KOI8-R", "transport", "certain", 0)
            } else {
                default_of_text(row, transport)
            }
        });
    }
    let transport = "text/plain;charset=klingon";
    in_every_context(b"a", &["--transport", transport], |row| {
        default_of_text(row, transport)
    });
}

#[test]
fn declarations_of_every_context() {
    for (bytes, encoding, source) in [
        (&b"<meta charset=gbk>"[..], "GBK", "meta"),
        (b"@charset \"big5\";", "Big5", "css-charset"),
        (
            b"<?xml version='1.0' encoding='euc-jp'?>",
            "EUC-JP",
            "xml-declaration",
        ),
    ] {
        in_every_context(bytes, &[], |row| {
            let is_read = match row.sniffing {
                Sniffing::Html | Sniffing::XhrHtml => source != "css-charset",
                Sniffing::Xml => source == "xml-declaration",
                Sniffing::Css => source == "css-charset",
                Sniffing::Text | Sniffing::ByType | Sniffing::None => false,
            };
            if is_read {
                (encoding, source, guessed(row), 0)
            } else {
                default(row)
            }
        });
    }
}

#[test]
fn environment_of_every_context() {
    in_every_context(b"a", &["--environment", "gbk"], |row| {
        if row.fallback == Fallback::Environment {
            ("GBK", "environment", guessed(row), 0)
        } else {
            default(row)
        }
    });
    // UTF-16 of a parent document is not inherited by a page.
    in_every_context(b"a", &["--environment", "utf-16"], |row| {
        if row.fallback == Fallback::Environment && row.sniffing != Sniffing::Html {
            ("UTF-16LE", "environment", guessed(row), 0)
        } else {
            default(row)
        }
    });
}

#[test]
fn guesses_of_every_context() {
    let text = "Съешь же ещё этих мягких французских булок, да выпей чаю. ".repeat(4);
    let bytes = mojika::WINDOWS_1251.encode(&text).unwrap();
    in_every_context(&bytes, &[], |row| match row.sniffing {
        Sniffing::Html | Sniffing::Text => ("windows-1251", "detection", "tentative", 0),
        _ => default(row),
    });
    in_every_context(b"a", &["--locale", "ja"], |row| match row.sniffing {
        Sniffing::Html | Sniffing::Text => ("Shift_JIS", "locale", "tentative", 0),
        _ => default(row),
    });
}

#[test]
fn convert_and_check_take_the_contexts_that_detect_takes() {
    for row in &TABLE {
        for command in [
            &["convert", "--from", "auto", "--context", row.id][..],
            &["check", "--from", "auto", "--context", row.id, "-"],
        ] {
            let run = run_in(Path::new("."), command, b"plain");
            assert_eq!(run.status, 0, "{}: {}", row.id, run.stderr);
        }
    }
    // The type's declaration is read.
    let options = ["--transport", "text/html", "--context", "view-source"];
    let convert = [&["convert", "--from", "auto"], &options[..]].concat();
    let run = run_in(Path::new("."), &convert, b"<meta charset=koi8-r>\xC1");
    assert_eq!(run.stdout, "<meta charset=koi8-r>а".as_bytes());
}

#[test]
fn the_five_words_are_contexts() {
    for (word, id) in [
        ("html", "html-parser"),
        ("xml", "xml-parser"),
        ("css", "css-from-document"),
        ("text", "plain-text"),
    ] {
        for bytes in [
            &b"<meta charset=gbk>"[..],
            b"<?xml encoding='gbk'?>",
            b"@charset \"gbk\";",
            b"\xFF\xFE\0\0",
        ] {
            let both = [word, id].map(|context| detect(bytes, &["--context", context]));
            assert_eq!(both[0], both[1], "{word}");
        }
    }
    let run = run_in(
        Path::new("."),
        &["detect", "--context", "klingon", "-"],
        b"",
    );
    assert_eq!(run.status, 2);
    assert!(
        run.stderr
            .contains("[possible values: auto, html, xml, css, text]"),
        "{}",
        run.stderr
    );
}

#[test]
fn utf_16_and_utf_32_without_a_byte_order_mark() {
    let text = "Ein ganz gewöhnlicher Satz, der irgendwo steht.\n".repeat(6);
    let order_32 = |places: [usize; 4]| -> Vec<u8> {
        let octets = |c: char| places.map(|place| u32::from(c).to_be_bytes()[place]);
        text.chars().flat_map(octets).collect()
    };
    for (encoding, bytes) in [
        (
            "UTF-16BE",
            text.encode_utf16()
                .flat_map(u16::to_be_bytes)
                .collect::<Vec<_>>(),
        ),
        (
            "UTF-16LE",
            text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        ),
        ("UTF-32BE", order_32([0, 1, 2, 3])),
        ("UTF-32LE", order_32([3, 2, 1, 0])),
        ("UTF-32-2143", order_32([1, 0, 3, 2])),
        ("UTF-32-3412", order_32([2, 3, 0, 1])),
    ] {
        for length in [256, bytes.len()] {
            let found = detect(&bytes[..length], &["--context", "text"]);
            assert_eq!(found, [encoding, "detection", "tentative", "0"]);
        }
        let run = run_in(Path::new("."), &["convert", "--from", "auto"], &bytes);
        assert_eq!(String::from_utf8(run.ok()).unwrap(), text, "{encoding}");
    }
}

#[test]
fn an_unreadable_file_has_no_decision_and_the_rest_goes_on() {
    let folder = fast_folder();
    fs::write(folder.path().join("b.html"), b"<meta charset=gbk>").unwrap();
    let args = ["detect", "--json", "missing", "b.html/in", "b.html"];
    let run = run_in(folder.path(), &args, b"");
    assert_eq!((run.status, &*run.stderr), (1, ""));
    let text = String::from_utf8(run.stdout).unwrap();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    for (line, name) in lines.iter().zip(["missing", "b.html/in"]) {
        let start = format!(
            "{{\"path\":\"{name}\",\"encoding\":null,\"source\":null,\"confidence\":null,\
             \"probability\":null,\"bom_length\":0,\"error\":\"cannot read: "
        );
        assert!(line.starts_with(&start), "{line}");
    }
    assert!(lines[2].contains("\"GBK\""), "{text}");
    // The table has the same, with the message on standard error.
    let run = run_in(folder.path(), &["detect", "missing", "b.html"], b"");
    assert_eq!(run.status, 1);
    assert!(
        run.stderr.starts_with("missing: cannot read: "),
        "{}",
        run.stderr
    );
    assert_eq!(String::from_utf8(run.stdout).unwrap().lines().count(), 3);
}

#[test]
fn json_has_seven_keys_in_order_whatever_the_path() {
    let folder = fast_folder();
    let name = "a \"b\"\\\u{1}é.html";
    fs::write(folder.path().join(name), b"<meta charset=gbk>").unwrap();
    let line = run_in(folder.path(), &["detect", "--json", name], b"").ok();
    let line = String::from_utf8(line).unwrap();
    let object: serde_json::Map<_, _> = serde_json::from_str(&line).unwrap();
    assert_eq!(object["path"], name);
    assert_eq!(object.len(), 7);
    let keys = [
        "path",
        "encoding",
        "source",
        "confidence",
        "probability",
        "bom_length",
        "error",
    ];
    let places = keys.map(|key| line.find(&format!("\"{key}\":")).unwrap());
    assert!(places.is_sorted(), "{line}");
    assert_eq!(line.matches('\n').count(), 1);
}

#[test]
fn thousands_of_files_in_one_call() {
    let folder = fast_folder();
    let labels = ["gbk", "big5", "koi8-r", "euc-kr"];
    let names: Vec<_> = (0..5000).map(|number| format!("{number}.html")).collect();
    for (number, name) in names.iter().enumerate() {
        let page = format!("<meta charset={}>", labels[number % 4]);
        fs::write(folder.path().join(name), page).unwrap();
    }
    let args: Vec<_> = ["detect", "--json"]
        .into_iter()
        .chain(names.iter().map(|name| &**name))
        .collect();
    let text = String::from_utf8(run_in(folder.path(), &args, b"").ok()).unwrap();
    assert_eq!(text.lines().count(), 5000);
    for ((line, name), number) in text.lines().zip(&names).zip(0..) {
        let encoding = mojika::Encoding::for_label(labels[number % 4]).unwrap();
        let start =
            format!("{{\"path\":\"{name}\",\"encoding\":\"{encoding}\",\"source\":\"meta\"");
        assert!(line.starts_with(&start), "{line}");
    }
}

#[test]
fn from_auto_takes_hints_and_refuses_them_elsewhere() {
    let here = Path::new(".");
    let page = b"<meta charset=gbk>\xCE\xC4";
    let run = run_in(
        here,
        &["convert", "--from", "auto", "--context", "html"],
        page,
    );
    assert_eq!(run.ok(), "<meta charset=gbk>文".as_bytes());
    let run = run_in(
        here,
        &[
            "convert",
            "--from",
            "auto",
            "--transport",
            "text/html;charset=koi8-r",
        ],
        page,
    );
    assert_eq!(run.ok(), "<meta charset=gbk>нд".as_bytes());
    let run = run_in(
        here,
        &[
            "convert",
            "--from",
            "auto",
            "--transport",
            "klingon",
            "--context",
            "html",
        ],
        page,
    );
    assert_eq!(run.ok(), "<meta charset=gbk>文".as_bytes());
    let run = run_in(here, &["convert", "--context", "html"], page);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("need --from auto"), "{}", run.stderr);
    let folder = fast_folder();
    fs::create_dir(folder.path().join("in")).unwrap();
    let args = [
        "convert",
        "--from",
        "auto",
        "--context",
        "html",
        "in",
        "-o",
        "out/",
    ];
    let run = run_in(folder.path(), &args, b"");
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(folder.path().join("out").exists());
}

/// A large file is not read to its end: the holes of this one would take seconds, and memory.
#[test]
fn a_file_of_any_size_is_decided_by_its_start() {
    let folder = fast_folder();
    for (name, start) in [
        ("a.html", &b"<meta charset=gbk>"[..]),
        ("b.xml", b"<?xml version='1.0' encoding='gbk'?>"),
        ("c.css", b"@charset \"gbk\";"),
        ("d.txt", b"\xFF\xFEa\0"),
        ("e.txt", b"plain"),
    ] {
        let file = fs::File::create(folder.path().join(name)).unwrap();
        std::os::unix::fs::FileExt::write_all_at(&file, start, 0).unwrap();
        file.set_len(1 << 40).unwrap();
    }
    let files = ["a.html", "b.xml", "c.css", "d.txt", "e.txt"];
    let run = run_in(folder.path(), &[&["detect"], &files[..]].concat(), b"");
    assert_eq!(String::from_utf8(run.ok()).unwrap().lines().count(), 6);
}

/// Counts the bytes that the command reads from standard input, by the offset of the file behind
/// it. Standard input is read 8 KB at a time.
#[test]
fn no_more_is_read_than_the_standards_name() {
    use std::io::{Seek, SeekFrom, Write};
    for (context, start, most) in [
        ("html", &b"<meta charset=gbk>"[..], 73_728),
        ("xml", b"<?xml version='1.0' encoding='gbk'?>", 73_728),
        ("css", b"@charset \"gbk\";", 73_728),
        ("css", b"a {}", 73_728),
        ("xml", b"<a/>", 73_728),
        ("text", b"\xEF\xBB\xBF", 73_728),
        ("text", b"a", 73_728),
        ("html", b"a", 73_728),
    ] {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(start).unwrap();
        file.set_len(200 << 20).unwrap();
        file.seek(SeekFrom::Start(0)).unwrap();
        let output = mojika()
            .args(["detect", "--context", context, "-"])
            .stdin(Stdio::from(file.try_clone().unwrap()))
            .output()
            .unwrap();
        assert!(output.status.success());
        let read = file.stream_position().unwrap();
        assert!(
            read <= most,
            "{context}: {read} bytes of {}",
            start.escape_ascii()
        );
    }
}

//! Messages about doubts in all subcommands, with the output before them, and reports. Some inputs are nearly doubtful.

use crate::common::tree::{folder, read};
use crate::common::{Run, archives, encoded, run_at};
use crate::{snapshot, stable};
use std::path::Path;

/// A line of Russian whose last character is a letter.
const LINE: &str = "Вечером на веранде пили чай\n";

/// A page that is recognised as HTML by its name only.
const PAGE: &[u8] = b"text <meta charset=koi8-r>\n";

/// The keys of the report that are compared.
const KEYS: [&str; 9] = [
    "path",
    "status",
    "encoding",
    "why",
    "reason",
    "malformed_at",
    "malformed",
    "unmappable",
    "bytes_out",
];

/// Options that limit detection to these encodings.
const ALLOW: &str = "--allow utf-8,windows-1251,koi8-r,ibm866,x-mac-cyrillic,iso-2022-jp,utf-16le";

/// Returns the messages of a run, the length of its standard output, and its report.
fn told(path: &Path, line: &str, stdin: &[u8]) -> String {
    let Run {
        status,
        stdout,
        stderr,
    } = run_at(path, &format!("{line} --report report"), stdin);
    let report = std::fs::read_to_string(path.join("report")).unwrap();
    let report = report.lines().map(|line| {
        let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
        let candidates = line["candidates"].as_array().cloned().unwrap_or_default();
        let candidates = candidates.iter().map(|candidate| {
            let (encoding, text) = (&candidate["encoding"], &candidate["line"]);
            format!("  {encoding} {text} {}\n", candidate["probability"])
        });
        let candidates: String = candidates.collect();
        line.as_object_mut()
            .unwrap()
            .retain(|key, _| KEYS.contains(&key.as_str()));
        format!("{line}\n{candidates}")
    });
    let report: String = report.collect();
    let length = stdout.len();
    stable(&format!(
        "$ mojika {line}\n{stderr}{length} bytes written, status {status}\n{report}\n"
    ))
}

/// Tests each text as a checked file, as a converted file, and as a pipe.
#[test]
fn each_doubt_is_said_and_reported_by_every_route() {
    let (first, second) = (mojika::WINDOWS_1251, mojika::KOI8_R);
    let russian = LINE.repeat(4);
    let page = "<!DOCTYPE html><meta charset=utf-8>\n";
    let late = [
        page.as_bytes(),
        LINE.repeat(2000).as_bytes(),
        &encoded(first, &LINE.repeat(1000)),
    ]
    .concat();
    let rows: [(&str, Vec<u8>, &str); 9] = [
        (
            "lines.log",
            [russian.as_bytes(), &encoded(second, &russian)].concat(),
            "",
        ),
        (
            "one-line.log",
            [LINE.repeat(20).as_bytes(), &encoded(second, LINE)].concat(),
            "",
        ),
        (
            "changed.log",
            [
                encoded(first, &LINE.repeat(300)),
                encoded(second, &LINE.repeat(6)),
            ]
            .concat(),
            "",
        ),
        // Several encodings fit a word.
        ("unsure.log", encoded(first, "чай\n"), " --confidence 1"),
        (
            "escapes.log",
            [
                "日本語の行です。\n".as_bytes(),
                &encoded(mojika::ISO_2022_JP, "日本語の行です。\n"),
            ]
            .concat(),
            "",
        ),
        ("late.html", late, " --context html"),
        // The malformed byte follows the head. The declaration is compared with the bytes before it and after it.
        (
            "early.html",
            [
                page.as_bytes(),
                LINE.repeat(110).as_bytes(),
                b"a \xFF\n",
                &encoded(first, &LINE.repeat(600)),
            ]
            .concat(),
            " --context html",
        ),
        // If the encoding is declared, lines in UTF-8 raise no doubt.
        (
            "declared.html",
            [
                &b"<!DOCTYPE html><meta charset=windows-1251>\n"[..],
                &encoded(first, &LINE.repeat(20)),
                LINE.repeat(3).as_bytes(),
            ]
            .concat(),
            " --context html",
        ),
        (
            "wide.txt",
            encoded(
                mojika::UTF_16LE,
                &format!("{russian}文字の行\nand English\n").repeat(20),
            ),
            "",
        ),
    ];
    let mut said = String::new();
    for (name, bytes, options) in rows {
        let tree = folder(&[(name, &bytes)]);
        let path = tree.path();
        let errors = " --errors replacement";
        let file = format!("{name} {ALLOW}{options}");
        let pipe = format!("{ALLOW}{options}");
        said += &told(path, &format!("check {file} -q -j 1"), b"");
        let line = format!("convert --from auto {file}{errors} -o out");
        said += &told(path, &line, b"");
        let line = format!("convert --from auto {pipe}{errors}");
        said += &told(path, &line, &bytes);
        said += &told(path, &format!("check {pipe}"), &bytes);
        if name == "changed.log" {
            said += &told(path, &format!("check {pipe} --confidence 0"), &bytes);
            said += &told(path, &format!("check {file} --confidence 0 -q"), b"");
        }
    }
    snapshot("doubts.txt", &said);
}

/// If many encodings can decode a part, the message has the likeliest ones, then the encoding of the whole.
#[test]
fn two_readings_of_a_part_are_shown_beside_that_of_the_whole() {
    let (first, second) = (mojika::WINDOWS_1251, mojika::KOI8_R);
    let parts = [
        encoded(first, &LINE.repeat(300)),
        encoded(second, &LINE.repeat(6)),
    ];
    let run = run_at(folder(&[]), "check", &parts.concat());
    let candidates: Vec<_> = run.stderr.lines().skip(1).collect();
    assert!(candidates.len() >= 2, "{}", run.stderr);
    assert!(candidates[0].starts_with("  KOI8-R "), "{}", run.stderr);
    assert!(
        candidates[candidates.len() - 1].starts_with("  windows-1251   said  "),
        "{}",
        run.stderr
    );
}

/// A doubtful pipe gives no output, even if it is longer than the part that is searched for a declaration.
#[test]
fn nothing_is_written_of_a_doubtful_pipe() {
    let tree = folder(&[]);
    let ascii = "Nothing but ASCII in this line.\n".repeat(100);
    for start in ["", "a line before\n"] {
        let bytes = [start.as_bytes(), b"caf\xE9\xA4\n", ascii.as_bytes()].concat();
        let run = run_at(tree.path(), "convert --from auto --confidence 1", &bytes);
        assert_eq!((run.status, run.stdout.len()), (1, 0), "{}", run.stderr);
    }
}

/// A pipe whose first 1,024 bytes leave the encoding open, and a pipe with more than 1 MB of ASCII before other bytes.
#[test]
fn a_pipe_is_decided_by_what_follows_its_first_letter() {
    let tree = folder(&[]);
    let ascii = "Nothing but ASCII in this line.\n";
    for text in [
        format!("д\n{}{}", ascii.repeat(64), LINE.repeat(40)),
        format!("{}{}", ascii.repeat(40_000), LINE.repeat(40)),
    ] {
        let bytes = encoded(mojika::WINDOWS_1251, &text);
        let run = run_at(&tree, "convert --from auto", &bytes);
        assert!(run.ok() == text.as_bytes(), "{} bytes", text.len());
    }
    // A page whose declaration comes late.
    let page = |charset: &str| {
        let text = LINE.repeat(3000);
        format!("<!DOCTYPE html>\n<p>{text}<meta charset={charset}>\n{text}")
    };
    let bytes = encoded(mojika::KOI8_R, &page("koi8-r"));
    let run = run_at(tree.path(), "check --context html", &bytes);
    assert_eq!(run.stderr, "standard input: valid KOI8-R (meta)\n");
}

/// Files named in a list, and compressed files. The extension before `.gz` decides the context.
#[test]
fn files_of_lists_and_compressed_files_are_found() {
    let sheet = b"@charset \"koi8-r\";\n";
    let (packed, russian) = (archives::gzip(sheet), encoded(mojika::KOI8_R, LINE));
    let tree = folder(&[
        ("a.css.gz", &packed),
        ("b.css", sheet),
        ("page.html.gz", &archives::gzip(PAGE)),
        ("page.html", PAGE),
        ("new\nline", &russian),
        ("c.txt", &russian),
        ("list", b"b.css\nnone.txt\n"),
        ("list0", b"new\nline\0b.css\0"),
        ("20.txt", &russian.repeat(20)),
        ("21.txt", &russian.repeat(21)),
    ]);
    let path = tree.path();
    let mut said = String::new();
    for (line, stdin) in [
        ("detect --files-from list", ""),
        ("detect --files-from list c.txt", ""),
        ("detect --files-from list0 -0", ""),
        ("detect --files-from - c.txt", "b.css\n"),
        ("detect --files-from - -", "b.css\n"),
        ("detect --null c.txt", ""),
        ("detect", "@charset \"koi8-r\";"),
        ("detect - b.css", "@charset \"koi8-r\";"),
        ("detect a.css.gz", ""),
        ("detect --json -v a.css.gz", ""),
        ("show a.css.gz", ""),
        ("show page.html page.html.gz", ""),
    ] {
        let run = run_at(path, line, stdin.as_bytes());
        let text = String::from_utf8(run.stdout).unwrap();
        said += &stable(&format!(
            "$ mojika {line}\n{text}{}status {}\n\n",
            run.stderr, run.status
        ));
    }
    said += &told(path, "convert --from auto a.css.gz b.css -o out", b"");
    snapshot("lists.txt", &said);
    let compared = |name| {
        let line = format!("detect --compare koi8-r,windows-1251 {name}");
        String::from_utf8(run_at(path, &line, b"").ok()).unwrap()
    };
    assert!(!compared("20.txt").contains("more"));
    assert!(compared("21.txt").ends_with("\n        and 1 line more\n"));
}

/// Texts whose encoding is known, at least in part: from an option, in mail, and from a byte order mark.
#[test]
fn what_is_given_decides_where_it_applies() {
    let utf_32 = mojika::extended::find("UTF-32BE").unwrap();
    let marked = utf_32.encode("\u{FEFF}да\n").unwrap().into_owned();
    let mail = b"From: a@a.example\nTo: b@b.example\nSubject: c\nMIME-Version: 1.0\n\
        Content-Type: text/plain\nContent-Transfer-Encoding: 8bit\nMessage-ID: <1@a.example>\n\n\xC4\xC1\n";
    let tree = folder(&[
        ("marked", &marked),
        ("m.eml", mail),
        ("plain.txt", b"\xC4\xC1\n"),
        ("pure.txt", &encoded(mojika::KOI8_R, LINE)),
        ("wide.txt", &encoded(mojika::UTF_16LE, LINE)),
        ("page.html", PAGE),
    ]);
    let path = tree.path();
    let mut said = told(path, "convert marked -o out", b"");
    assert_eq!(read(&tree, "out"), "да\n".as_bytes());
    #[cfg(feature = "mail")]
    {
        told(path, "convert --mail -f koi8-r m.eml plain.txt -o out", b"");
        let output = String::from_utf8(read(&tree, "out")).unwrap();
        assert!(output.ends_with("\nда\nда\n"), "{output}");
    }
    said += &told(path, "convert -f koi8-r m.eml -o out", b"");
    said += &told(path, "convert m.eml -o out", b"");
    said += &told(path, "convert --mixed pure.txt wide.txt -o out", b"");
    assert_eq!(read(&tree, "out"), LINE.repeat(2).as_bytes());
    said += &told(
        path,
        "convert --update-declared -f koi8-r page.html -o out",
        b"",
    );
    assert_eq!(read(&tree, "out"), b"text <meta charset=utf-8>\n");
    said += &told(
        path,
        "convert -f koi8-r none.txt plain.txt --fail-fast -o out",
        b"",
    );
    said += &told(path, "check -f utf-8 -t koi8-r", "\u{2192}".as_bytes());
    said += &told(
        path,
        "check -f utf-8 -t koi8-r",
        b"a \xFF b \xFE c \xE2\x86\x92\n",
    );
    said += &told(path, "check -f utf-8", b"a \xFF b \xFE c \xFD\n");
    said += &told(path, "check", "CafÃ© crÃ¨me\r\nCafÃ©\n".as_bytes());
    said += &told(path, "check -q", b"one\ntwo\r\n");
    snapshot("given.txt", &said);
}

//! Malicious archives. `scripts/check-hostile.py` measures their cost in time and memory.

use crate::common::archives::{lines, page, record, record_of_length, response, texts};
use crate::common::tree::{bash, folder, read, run, status};
use crate::common::{has, run_in};
use std::fs;
use std::path::Path;

/// The value found by one rule contains a value found by another rule.
#[test]
fn overlapping_declarations_are_relabelled() {
    let bodies = [
        "<?xml <meta charset='encoding=\"a\"'>",
        "<?xml encoding='<meta charset=a>'?><meta charset=b>",
        "<meta http-equiv=content-type content='charset=x' charset='y' content=\"charset='z'\">",
        "<meta charset=<meta charset=a><meta charset='<meta charset=b'>",
        "<meta charset=",
    ];
    for body in bodies {
        let archive = [
            page("before"),
            response(
                "HTTP/1.1 200 OK\r\nContent-Type: text/html",
                body.as_bytes(),
            ),
            page("after"),
        ];
        let folder = folder(&[("in/a.warc", &archive.concat())]);
        status(&folder, "warc in -o out/ --format warc-utf8", 0);
        let output = String::from_utf8(read(&folder, "out/a.warc")).unwrap();
        assert!(
            output.contains("before") && output.contains("after"),
            "{body}: {output}"
        );
    }
}

/// A record with a false length does not hide the records after it, for any kind of input.
#[test]
fn a_false_length_does_not_take_the_records_after_it() {
    let one = page("一");
    for length in [
        999_999_999,
        u64::MAX as usize,
        9 << 20,
        5000,
        1 << 40,
        // No file is this long.
        1 << 63,
    ] {
        let block = b"HTTP/1.1 200 OK\r\n\r\ntext";
        let false_record = record_of_length("response", "application/http", block, length);
        let others = record_of_length("metadata", "text/plain", b"", length);
        for bad in [&false_record, &others] {
            let archive = [&one[..], bad, &one, bad, bad, &one].concat();
            let (found, summary) = lines(&archive, 1);
            assert_eq!(found.len(), 3, "{length}: {summary}");
            let at = format!(
                "a.warc: byte offset {}: Content-Length is {length}",
                one.len()
            );
            assert!(summary.contains(&at), "{summary}");
            // A pipe as input, and a run that copies records, keep the records too.
            let piped = run_in(Path::new("."), &["warc", "-"], &archive);
            assert_eq!(
                piped.stdout.iter().filter(|&&byte| byte == b'\n').count(),
                3,
                "{}",
                piped.stderr
            );
            let folder = folder(&[("a.warc", &archive)]);
            status(
                &folder,
                "warc a.warc -o out.warc --format warc-utf8 --max-body 1000",
                1,
            );
            // The correct records are copied; the false ones are left out.
            let copied = read(&folder, "out.warc");
            assert_eq!(memchr::memmem::find_iter(&copied, "一").count(), 3);
            assert_eq!(memchr::memmem::find_iter(&copied, "WARC-Type").count(), 4);
        }
    }
    // A long record with a correct length stays whole, even if it contains another record.
    let long = [&one[..], &vec![b'x'; 9 << 20], b"\r\n\r\n", &one].concat();
    let archive = [record("resource", "text/plain", &long), one.clone()].concat();
    assert_eq!(texts(&archive, 0).len(), 2);
    let last = record("resource", "text/plain", &long);
    for end in [0, 2, 4] {
        assert_eq!(texts(&last[..last.len() - end], 0).len(), 1);
    }
}

/// A dictionary must precede all frames; a later one is skipped.
#[test]
fn one_dictionary_counts() {
    let text = page("text of a page");
    // A dictionary in the form of raw content.
    let dictionary = page("text of another page");
    let mut compressor = zstd::bulk::Compressor::with_dictionary(0, &dictionary).unwrap();
    let frame = compressor.compress(&text).unwrap();
    let skippable = |content: &[u8]| {
        [
            &0x184D_2A5D_u32.to_le_bytes()[..],
            &(content.len() as u32).to_le_bytes(),
            content,
        ]
        .concat()
    };
    let folder = folder(&[]);
    let archive = [
        &skippable(&dictionary)[..],
        &frame,
        &skippable(b"other"),
        &frame,
    ]
    .concat();
    fs::write(folder.path().join("a.warc.zst"), archive).unwrap();
    let output = run(&folder, "warc a.warc.zst").ends(0).stdout;
    assert_eq!(output.iter().filter(|&&byte| byte == b'\n').count(), 2);
}

/// Names and contents of records are escaped, because messages with them may go to a terminal.
#[test]
fn summaries_and_errors_have_no_characters_that_steer() {
    const STEERING: &str =
        "\u{1B}[31m\u{7}\u{61C}\u{AD}\u{180E}\u{FFF9}\u{202E}\u{2066}\u{E0001}\u{9B}";
    let archive = [
        record(&format!("evil{STEERING}"), "text/plain", b"x"),
        response(
            format!("HTTP/1.1 200 OK\r\nContent-Type: image/{STEERING}"),
            b"\x89PNG\r\n\x1A\n\0\0",
        ),
        response(
            format!("HTTP/1.1 200 OK\r\nContent-Type: image/x\r\n folded{STEERING}"),
            b"\x89PNG\r\n\x1A\n\0\0",
        ),
        record_of_length("response", STEERING, b"x", 5000),
    ]
    .concat();
    let name = format!("a{STEERING}.warc");
    let folder = folder(&[(&name, &archive), ("empty", b"")]);
    let bad_xml = format!("b{STEERING}.xml");
    fs::write(
        folder.path().join(&bad_xml),
        "<?xml version='1.0' encoding='utf-16'?><a/>",
    )
    .unwrap();
    for args in [
        vec!["warc", &name, "-v"],
        vec!["warc", ".", "-o", "out/", "-v"],
        vec!["detect", &name, &bad_xml, "missing\u{1B}[2J\u{202E}"],
        vec!["detect", "-v", &bad_xml],
        vec!["check", &name, STEERING],
        vec!["convert", "-f", STEERING, "empty"],
        vec!["convert", "--from", "auto", &bad_xml],
        vec!["convert", "-f", "sjis", STEERING, "-o", "out2/"],
        vec!["encodings", STEERING],
    ] {
        let run = run_in(folder.path(), &args, b"");
        let mut shown = run.stderr;
        if args[0] == "detect" {
            shown.push_str(&String::from_utf8(run.stdout).unwrap());
        }
        let steers =
            |character: char| STEERING.contains(character) && !character.is_ascii_graphic();
        assert!(!shown.contains(steers), "{args:?}: {shown:?}");
    }
}

/// A shell pattern may match files whose names look like options.
#[test]
fn mistakes_in_arguments_have_no_characters_that_steer() {
    const NAME: &str = "\u{7}\u{61C}\u{AD}\u{202E}\u{E0001}\u{1B}[2J\n";
    let option = format!("--{NAME}");
    for args in [
        vec![&*option],
        vec![NAME],
        vec!["convert", &option],
        vec!["convert", "--links", NAME, "a"],
        vec!["check", "--jobs", NAME],
        vec!["detect", "--context", NAME],
        vec!["completions", NAME],
    ] {
        let run = run_in(Path::new("."), &args, b"");
        assert_eq!(run.status, 2, "{args:?}: {}", run.stderr);
        let steers = |c: char| c != '\n' && (c.is_control() || !c.is_ascii() && NAME.contains(c));
        assert!(!run.stderr.contains(steers), "{args:?}: {:?}", run.stderr);
        let shown = r"\u{202e}\u{e0001}\u{1b}[2J\n";
        assert!(run.stderr.contains(shown), "{args:?}: {}", run.stderr);
    }
}

#[test]
fn errors_about_temporary_files_do_not_name_them() {
    let folder = folder(&[("a", b"text")]);
    for line in ["a -o out", "a -o a", "-i a", "a -o out/"] {
        let script = format!("ulimit -f 0; exec mojika convert -f sjis {line}");
        let run = bash(folder.path(), &script);
        let message = run.stderr;
        assert!(!message.contains(".mojika-"), "{line}: {message}");
        assert_ne!(run.status, 0, "{line}: {message}");
    }
}

#[test]
fn a_window_that_is_too_large_is_no_damage() {
    let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
    encoder
        .set_parameter(zstd::zstd_safe::CParameter::WindowLog(30))
        .unwrap();
    std::io::Write::write_all(&mut encoder, &page("text")).unwrap();
    let archive = encoder.finish().unwrap();
    let folder = folder(&[("s/a", &archive), ("a.warc.zst", &archive)]);
    for line in [
        "convert -f sjis s -o out",
        "convert -f sjis s/a",
        "check -f sjis s",
        "warc a.warc.zst",
        "convert -f auto s/a",
        "detect s/a",
    ] {
        let message = status(&folder, line, 1);
        has(&message, "window of more than 128 MiB");
        assert!(!message.contains("damaged ("), "{line}: {message}");
    }
}

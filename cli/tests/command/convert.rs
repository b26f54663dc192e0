//! `mojika convert` from standard input to standard output: options, messages, exit statuses.

use crate::common::{malformed, mojika, run, unmappable};
use std::io::{Read, Write};
use std::process::Stdio;

/// The number of bytes that the command reads at a time.
const CHUNK: usize = 128 << 10;

#[test]
fn to_utf_8_is_the_default() {
    let text = run("convert --from shift_jis", b"\x95\xB6\x8E\x9A").ok();
    assert_eq!(text, "文字".as_bytes());
    let bytes = run("convert -f gbk -t big5 -", b"\xCE\xC4\xD7\xD6").ok();
    assert_eq!(bytes, b"\xA4\xE5\xA6r");
}

#[test]
fn unknown_label_names_the_nearest() {
    let line = "unknown encoding 'shift-jsi'; did you mean shift-jis, shift_jis? \
                `mojika encodings` lists all";
    assert_eq!(run("convert --from shift-jsi", b"a").fails(2, line), b"");
    let line = "unknown encoding 'qwertyuiop'; `mojika encodings` lists all";
    assert_eq!(
        run("convert --from utf-8 --to qwertyuiop", b"a").fails(2, line),
        b""
    );
}

#[test]
fn without_from_the_byte_order_mark_decides() {
    assert_eq!(run("convert", b"\xFF\xFEa\0\xE9\0").ok(), "aé".as_bytes());
    assert_eq!(run("convert", b"\xFE\xFF\0a\0\xE9").ok(), "aé".as_bytes());
    assert_eq!(
        run("convert --to latin1", b"\xEF\xBB\xBFa\xC3\xA9").ok(),
        b"a\xE9"
    );
}

#[test]
fn without_from_and_byte_order_mark_valid_utf_8_is_utf_8() {
    assert_eq!(run("convert", b"plain").ok(), b"plain");
    assert_eq!(run("convert", b"").ok(), b"");
    let html = run(
        "convert -q --to windows-1252 --errors html",
        "é 字".as_bytes(),
    );
    assert_eq!(html.ok(), b"\xE9 &#23383;");
}

#[test]
fn without_from_and_byte_order_mark_other_bytes_ask_for_from() {
    let message = |offset| {
        format!(
            "standard input: has no byte order mark and is not UTF-8 at byte offset {offset}; \
             name its encoding with --from LABEL, or let --from auto find it"
        )
    };
    for errors in ["fatal", "replacement", "html", "skip"] {
        let convert = format!("convert --errors {errors}");
        assert_eq!(run(&convert, b"ab\xE9").fails(2, &message(2)), b"ab");
        // The input ends with the first bytes of a byte order mark.
        assert_eq!(run(&convert, b"\xEF\xBB").fails(2, &message(0)), b"");
    }
}

#[test]
fn byte_order_mark_overrides_from_and_is_removed() {
    let text = run("convert --from shift_jis", b"\xEF\xBB\xBF\xE6\x96\x87").ok();
    assert_eq!(text, "文".as_bytes());
    // The first bytes of a byte order mark, without its last byte.
    let text = run("convert --from windows-1252", b"\xEF\xBBa").ok();
    assert_eq!(text, "ï»a".as_bytes());
}

#[test]
fn bom_option_writes_the_targets_byte_order_mark() {
    assert_eq!(
        run("convert -f latin1 --bom", b"\xE9").ok(),
        b"\xEF\xBB\xBF\xC3\xA9"
    );
    assert_eq!(
        run("convert -f latin1 -t utf-16 --bom", b"\xE9").ok(),
        b"\xFF\xFE\xE9\0"
    );
    assert_eq!(
        run("convert -f latin1 -t utf-16be --bom", b"\xE9").ok(),
        b"\xFE\xFF\0\xE9"
    );
    assert_eq!(
        run("convert -f latin1 -t utf-16le", b"\xE9").ok(),
        b"\xE9\0"
    );
    let line = "gb18030 has no byte order mark: --bom is for UTF-8, UTF-16LE, UTF-16BE";
    assert_eq!(
        run("convert -f latin1 -t gb18030 --bom", b"a").fails(2, line),
        b""
    );
}

#[test]
fn replacement_is_no_target() {
    let line = "replacement can be read but not written; use --to utf-8";
    assert_eq!(
        run("convert -f latin1 -t iso-2022-kr", b"a").fails(2, line),
        b""
    );
    let line = "standard input: the label names an encoding that browsers do not decode; after \
                \"extended:\", iso-2022-kr, iso-2022-cn and hz-gb-2312 are decoded";
    assert_eq!(run("convert -f iso-2022-kr", b"abcd").fails(1, line), b"");
}

#[test]
fn malformed_input_is_shown_in_hex_with_its_offset() {
    let input = b"seventeen bytes: \x82\x22 and on";
    let line = "standard input: malformed Shift_JIS sequence 82 at byte offset 17";
    assert_eq!(
        run("convert -f sjis", input).fails(1, &malformed(line)),
        b"seventeen bytes: "
    );
    let input = b"seventeen bytes: \xFC\xFC and on";
    let line = "standard input: malformed Shift_JIS sequence FC FC at byte offset 17";
    assert_eq!(
        run("convert -f sjis", input).fails(1, &malformed(line)),
        b"seventeen bytes: "
    );
    // The byte offset includes the byte order mark.
    let line = "standard input: malformed UTF-8 sequence E2 82 at byte offset 4";
    assert_eq!(
        run("convert", b"\xEF\xBB\xBFa\xE2\x82").fails(1, &malformed(line)),
        b"a"
    );
}

#[test]
fn malformed_sequence_may_straddle_chunks() {
    for before in CHUNK - 4..=CHUNK {
        let mut input = vec![b'a'; before];
        input.extend_from_slice(b"\xF0\x9F\x98 rest");
        let line =
            format!("standard input: malformed UTF-8 sequence F0 9F 98 at byte offset {before}");
        // Input is a file, because a pipe would be read in chunks of another size.
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("in"), &input).unwrap();
        let output = crate::common::run_at(folder.path(), "convert -f utf-8 in", b"");
        let line = line.replace("standard input", "in");
        assert_eq!(output.fails(1, &malformed(&line)).len(), before);
    }
}

#[test]
fn unmappable_character_is_named_with_its_input_offset() {
    let input = "한글 €".as_bytes();
    let line = "standard input: U+1F4A9 '💩' at byte offset 7 cannot be written in EUC-KR";
    assert_eq!(
        run("convert -f utf-8 -t euc-kr", "한글 💩 ".as_bytes()).fails(1, &unmappable(line)),
        b"\xC7\xD1\xB1\xDB "
    );
    assert_eq!(
        run("convert -f utf-8 -t euc-kr", input).ok(),
        b"\xC7\xD1\xB1\xDB \xA2\xE6"
    );
    // Each character has two bytes, after a byte order mark.
    let line = "standard input: U+2192 '→' at byte offset 6 cannot be written in windows-1252";
    assert_eq!(
        run("convert -t cp1252", b"\xFF\xFEa\0\xE9\0\x92\x21b\0").fails(1, &unmappable(line)),
        b"a\xE9"
    );
    // ISO-2022-JP refuses the control characters of its own escape sequences and shifts.
    let line = r"standard input: U+001B '\u{1b}' at byte offset 1 cannot be written in ISO-2022-JP";
    assert_eq!(
        run("convert -f utf-8 -t iso-2022-jp", b"a\x1Bb").fails(1, &unmappable(line)),
        b"a"
    );
}

#[test]
fn unmappable_character_may_straddle_chunks() {
    let folder = tempfile::tempdir().unwrap();
    for before in CHUNK - 4..=CHUNK {
        let mut input = vec![b'a'; before];
        // U+20087 in gb18030.
        input.extend_from_slice(b"\x95\x32\x8F\x31 rest");
        std::fs::write(folder.path().join("in"), &input).unwrap();
        let output = crate::common::run_at(folder.path(), "convert -f gb18030 -t koi8-r in", b"");
        assert_eq!(output.status, 1);
        let place = format!("at byte offset {before} (line 1, ");
        assert!(output.stderr.contains(&place), "{} {before}", output.stderr);
    }
}

#[test]
fn errors_replacement() {
    let output = run(
        "convert -f utf-8 --errors replacement",
        b"a\xFFb\xFE\xE2\x82c",
    );
    let summary = "standard input: 3 malformed sequences replaced";
    assert_eq!(
        output.fails(0, summary),
        "a\u{FFFD}b\u{FFFD}\u{FFFD}c".as_bytes()
    );
    let output = run(
        "convert -f utf-8 -t koi8-r --errors replacement",
        b"\xFF\xE2\x82\xAC\xD0\xB4",
    );
    let summary = "standard input: 1 malformed sequence replaced, 1 character not in KOI8-R replaced with '?'";
    assert_eq!(output.fails(0, summary), b"??\xC4");
}

#[test]
fn errors_have_short_names_too() {
    assert_eq!(
        run("convert -q -f utf-8 --errors replace", b"\xFF").ok(),
        "\u{FFFD}".as_bytes()
    );
    let line = "standard input: malformed UTF-8 sequence FF at byte offset 0";
    run("convert -f utf-8 --errors fail", b"\xFF").fails(1, &malformed(line));
}

#[test]
fn errors_html() {
    let output = run(
        "convert -f utf-8 -t koi8-r --errors html",
        b"\xFF\xE2\x82\xAC\xD0\xB4",
    );
    let summary =
        "standard input: 1 malformed sequence replaced, 1 character not in KOI8-R written as &#…;";
    assert_eq!(output.fails(0, summary), b"&#65533;&#8364;\xC4");
    let output = run(
        "convert -f utf-8 -t iso-2022-jp --errors html",
        "字💩字".as_bytes(),
    );
    assert_eq!(output.status, 0);
    assert_eq!(output.stdout, b"\x1B$B;z\x1B(B&#128169;\x1B$B;z\x1B(B");
}

#[test]
fn errors_skip() {
    let output = run(
        "convert -f utf-8 -t koi8-r --errors skip",
        b"\xFF\xE2\x82\xAC\xE2\x82\xAC\xD0\xB4",
    );
    let summary =
        "standard input: 1 malformed sequence dropped, 2 characters not in KOI8-R dropped";
    assert_eq!(output.fails(0, summary), b"\xC4");
}

#[test]
fn quiet_leaves_the_summary_out_but_not_the_failure() {
    assert_eq!(
        run("convert -f utf-8 --errors replacement --quiet", b"\xFF").ok(),
        "\u{FFFD}".as_bytes()
    );
    let line = "standard input: malformed UTF-8 sequence FF at byte offset 0";
    run("convert -f utf-8 -q", b"\xFF").fails(1, &malformed(line));
}

#[test]
fn the_end_of_the_output_returns_to_ascii() {
    assert_eq!(
        run("convert -f utf-8 -t iso-2022-jp", "字".as_bytes()).ok(),
        b"\x1B$B;z\x1B(B"
    );
}

/// The output exceeds the buffers, from input that expands to various extents.
#[test]
fn output_grows_beyond_the_buffers() {
    let input = vec![0xA1; 3 * CHUNK + 1];
    assert_eq!(
        run("convert -f windows-874", &input).ok(),
        "ก".repeat(input.len()).into_bytes()
    );
    let back = run(
        "convert -f utf-8 -t windows-874",
        "ก".repeat(input.len()).as_bytes(),
    );
    assert_eq!(back.ok(), input);
    let html = run("convert -q -f windows-874 -t latin1 --errors html", &input);
    assert_eq!(html.ok(), b"&#3585;".repeat(input.len()));
    let malformed = run(
        "convert -q -f utf-8 --errors replacement",
        &vec![0xFF; 100_000],
    );
    assert_eq!(malformed.ok(), "\u{FFFD}".repeat(100_000).into_bytes());
}

#[test]
fn what_has_come_in_goes_out_before_more_comes() {
    let mut child = mojika()
        .args(["convert", "--from", "shift_jis"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let mut answer = [0; 6];
    for _ in 0..3 {
        stdin.write_all(b"\x95\xB6\x8E\x9A").unwrap();
        stdout.read_exact(&mut answer).unwrap();
        assert_eq!(&answer, "文字".as_bytes());
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn closed_pipe_ends_quietly() {
    let mut child = mojika()
        .args(["convert", "--from", "latin1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    // Writing may fail, because the command has stopped and the pipe need not take all bytes.
    let _ = child
        .stdin
        .take()
        .unwrap()
        .write_all(&vec![b'a'; 4 * CHUNK]);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(141));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

/// Converting 64 MB takes no more memory than converting a few bytes, except for buffers.
#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_input() {
    let block = b"\x95\xB6\x8E\x9A\x89\xBB\x82\xAF\n".repeat(1 << 16);
    let least = peak_of_conversion(&block[..9], 1);
    let most = peak_of_conversion(&block, 114);
    assert!(most < least + (4 << 10), "{least} kB, then {most} kB");
}

/// Returns the peak of resident memory, in kB, of a conversion of `count` blocks.
#[cfg(target_os = "linux")]
fn peak_of_conversion(block: &[u8], count: usize) -> u32 {
    let mut child = mojika()
        .args(["convert", "--from", "shift_jis", "--to", "euc-jp"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let (begun, begins) = std::sync::mpsc::channel();
    let reader = std::thread::spawn(move || {
        let mut buffer = vec![0; 1 << 20];
        let mut total = 0;
        loop {
            match stdout.read(&mut buffer).unwrap() {
                0 => return total,
                len => total += len,
            }
            begun.send(()).ok();
        }
    });
    for _ in 0..count {
        stdin.write_all(block).unwrap();
    }
    // Once text is written, everything that the conversion needs is loaded.
    begins.recv().unwrap();
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    drop(stdin);
    assert!(child.wait().unwrap().success());
    assert_eq!(reader.join().unwrap(), count * block.len());
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .unwrap();
    peak.trim().trim_end_matches(" kB").parse().unwrap()
}

/// For a name without a byte order, a byte order mark is written, which browsers and other programs need.
#[test]
fn utf_16_begins_with_a_mark_unless_its_name_says_the_order() {
    for (line, expected) in [
        ("-t utf-16", &b"\xFF\xFEa\0"[..]),
        ("-t UTF-16 --bom strip", b"a\0"),
        ("-t utf-16le", b"a\0"),
        ("-t utf-16be", b"\0a"),
        ("-t utf-16be --bom", b"\xFE\xFF\0a"),
    ] {
        let line = format!("convert -f utf-8 {line}");
        assert_eq!(run(&line, b"a").ok(), expected, "{line}");
    }
}

//! The command lines of users of iconv and similar programs.

use super::common::run;

#[test]
fn options_without_the_subcommand_convert() {
    assert_eq!(run("-f latin1 -t utf-8", b"\xE9").ok(), "é".as_bytes());
    assert_eq!(
        run("--from-code=KOI8-R --to-code=UTF-8", b"\xC1").ok(),
        "а".as_bytes()
    );
    let list = run("-l", b"").ok();
    assert_eq!(list, run("encodings", b"").ok());
    assert_eq!(run("--list", b"").ok(), list);
}

#[test]
fn c_leaves_out_what_cannot_be_written() {
    let said = "standard input: 1 character not in US-ASCII dropped\n";
    for line in ["-c -f utf-8 -t ascii", "-f utf-8 -t ascii//IGNORE"] {
        let run = run(line, "né".as_bytes());
        assert_eq!(
            (run.status, &*run.stdout, &*run.stderr),
            (0, &b"n"[..], said),
            "{line}"
        );
    }
    assert_eq!(run("-sc -f utf-8 -t ascii", "né".as_bytes()).ok(), b"n");
    // A suffix is also accepted after the source label, and together with the error mode that it means.
    for line in [
        "-q -f utf-8//IGNORE -t ascii",
        "-q -f utf-8//IGNORE -t ascii//IGNORE --errors skip",
    ] {
        assert_eq!(run(line, "né".as_bytes()).ok(), b"n", "{line}");
    }
    assert_eq!(run("-c -f utf-8 --errors html", b"").status, 2);
    assert_eq!(
        run("-f utf-8 -t ascii//IGNORE --errors html", b"").status,
        2
    );
}

#[test]
fn translit_precedes_the_error_mode_and_is_counted() {
    let text = "“Łódź” 10 €\u{E000}".as_bytes();
    let converted = run("-f utf-8 -t ascii//TRANSLIT//IGNORE", text);
    assert_eq!(
        String::from_utf8(converted.stdout).unwrap(),
        "\"Lodz\" 10 EUR"
    );
    assert_eq!(
        converted.stderr,
        "standard input: 1 character not in US-ASCII dropped, 6 characters not in US-ASCII written as a substitute\n"
    );
    // Without an error mode, a character without a substitute stops the conversion.
    assert_eq!(run("-f utf-8 -t ascii//TRANSLIT", text).status, 1);
    for line in [
        "-f utf-8 --to ascii --translit -q",
        "-f utf-8 --to ascii//TRANSLIT --translit -q",
    ] {
        assert_eq!(run(line, "né".as_bytes()).ok(), b"ne", "{line}");
    }
    // Characters of the encoding are written unchanged.
    assert_eq!(
        run("-f utf-8 --to latin1//TRANSLIT -q", "éő".as_bytes()).ok(),
        b"\xE9o"
    );
}

#[test]
fn japanese_variants_are_written_as_windows_has_them() {
    let text = "〜‖−".as_bytes();
    assert_eq!(
        run("-q -f utf-8 --to shift_jis --translit=jis", text).ok(),
        b"\x81\x60\x81\x61\x81\x7C"
    );
    assert_eq!(
        run("-q -f utf-8 --to euc-jp --translit=jis", text).ok(),
        b"\xA1\xC1\xA1\xC2\xA1\xDD"
    );
    assert_eq!(run("-f utf-8 --to shift_jis", text).status, 1);
}

#[test]
fn vietnamese_is_decomposed_for_windows_1258() {
    let written = run(
        "-q -f utf-8 --to windows-1258 --translit=marks",
        "Tiếng Việt".as_bytes(),
    )
    .ok();
    assert_eq!(written, b"Ti\xEA\xECng Vi\xEA\xF2t");
    assert_eq!(run("-f utf-8 --to windows-1258", "ế".as_bytes()).status, 1);
}

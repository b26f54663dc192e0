//! `mojika convert` with files: several inputs, and outputs, which appear only when they are complete.

use crate::common::{list, malformed, mojika, run_at as run};
use std::fs::{self, File};
use std::path::Path;
#[cfg(unix)]
use std::process::Command;
use std::process::Stdio;
use tempfile::TempDir;

/// Creates a folder with these files.
fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

fn read(folder: &TempDir, name: &str) -> Vec<u8> {
    fs::read(folder.path().join(name)).unwrap()
}

#[test]
fn several_files_come_out_one_after_another() {
    let folder = folder(&[
        ("a", b"\xFF\xFE\x57\x5B"),
        ("b", b"\xEF\xBB\xBF\xE6\x96\x87"),
        ("c", b"\x89\xBB"),
    ]);
    let text = run(&folder, "convert -f sjis a b - c", b"-").ok();
    assert_eq!(text, "字文-化".as_bytes());
    // The output of each input ends in the ASCII state, so that files can be joined in any order.
    let bytes = run(&folder, "convert -t iso-2022-jp a b", b"").ok();
    assert_eq!(bytes, b"\x1B$B;z\x1B(B\x1B$BJ8\x1B(B");
}

/// Returns two gzip members with "a\n" each, the second one optionally truncated.
#[test]
fn compressed_input_is_read_and_its_damage_reported() {
    let member = b"\x1F\x8B\x08\0\0\0\0\0\0\x03\x4B\xE4\x02\0\x07\xA1\xEA\xDD\x02\0\0\0";
    let two = [&member[..], member].concat();
    let folder = folder(&[("whole.gz", &two), ("cut.gz", &two[..two.len() - 6])]);
    assert_eq!(run(&folder, "convert whole.gz", b"").ok(), b"a\na\n");
    let failed = run(&folder, "convert cut.gz", b"");
    let line = failed.stderr.clone();
    assert!(line.contains("the gzip data is damaged"), "{line}");
    assert_eq!(
        failed.fails(1, line.trim_end().trim_start_matches("mojika: ")),
        b"a\na\n"
    );
}

#[test]
fn each_file_is_decoded_on_its_own() {
    let folder = folder(&[("a", b"\x8E"), ("b", b"\x9A")]);
    let output = run(&folder, "convert -f sjis --errors replacement a b", b"");
    let summaries = "a: 1 malformed sequence replaced\nb: 1 malformed sequence replaced";
    assert_eq!(output.fails(0, summaries), "\u{FFFD}\u{FFFD}".as_bytes());
}

#[test]
fn file_of_unknown_encoding_is_found_before_anything_is_written() {
    let folder = folder(&[("a", b"\xFF\xFEa\0"), ("b", b"plain \xE9")]);
    let line = "b: has no byte order mark and is not UTF-8 at byte offset 6; name its encoding with --from LABEL, or let --from auto find it";
    assert_eq!(run(&folder, "convert a b", b"").fails(2, line), b"");
    run(&folder, "convert a b -o out", b"").fails(2, line);
    assert_eq!(list(folder.path()), ["a", "b"]);
}

#[test]
fn an_input_that_fails_does_not_keep_the_others_back() {
    let folder = folder(&[("a", b"\x89\xBB"), ("b", b"1\x82"), ("c", b"\x8E\x9A")]);
    let failures = "cannot open missing: No such file or directory (os error 2)\n\
        b: malformed Shift_JIS sequence 82 at byte offset 1";
    let text = run(&folder, "convert -f sjis a missing b c", b"").fails(1, &malformed(failures));
    assert_eq!(text, "化1字".as_bytes());
    // If an input fails, the output file of several inputs is not created.
    run(&folder, "convert -f sjis a missing b c -o out", b"").fails(1, &malformed(failures));
    assert_eq!(list(folder.path()), ["a", "b", "c"]);
    // The output ends in the ASCII state before the failure.
    let bytes = run(
        &folder,
        "convert -f utf-8 - c -t iso-2022-jp",
        "字\u{A5}字€".as_bytes(),
    )
    .stdout;
    assert!(bytes.ends_with(b"\x1B(B"), "{bytes:X?}");
}

#[cfg(unix)]
#[test]
fn a_report_of_one_output_has_every_place() {
    let folder = folder(&[("a", b"\nx\xFFa\xFE"), ("b", b"ok")]);
    let line = "convert -f utf-8 --errors replacement a b -o out --report report -q -j 1";
    run(&folder, line, b"").ok();
    let report = String::from_utf8(read(&folder, "report")).unwrap();
    assert_eq!(report.lines().count(), 2, "{report}");
    for part in [
        r#""path":"a","#,
        r#""malformed":2"#,
        r#""offset":2"#,
        r#""line":2"#,
        r#""column":2"#,
    ] {
        assert!(report.contains(part), "{part}: {report}");
    }
    let refused = run(&folder, "convert -f utf-8 a --include *.txt", b"");
    assert_eq!(refused.status, 2);
    assert!(refused.stderr.contains("--include is for folders"));
}

#[cfg(unix)]
#[test]
fn a_closed_standard_output_is_an_error_and_a_null_device_is_not() {
    let folder = folder(&[("a", b"text")]);
    let binary = mojika().get_program().to_owned();
    let shell = |redirection: &str| {
        let script = format!("{} convert a {redirection}", Path::new(&binary).display());
        let output = Command::new("sh")
            .args(["-c", &script])
            .current_dir(folder.path())
            .output()
            .unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let (status, message) = shell(">&-");
    assert_eq!(status, Some(1));
    assert_eq!(
        message,
        "standard output is closed, so the text would be lost; use -o FILE, or >/dev/null to discard it\n"
    );
    assert_eq!(shell(">/dev/null"), (Some(0), String::new()));
    assert_eq!(shell("-o out >&-"), (Some(0), String::new()));
}

#[test]
fn output_file_from_standard_input() {
    let folder = folder(&[]);
    assert_eq!(
        run(&folder, "convert -f koi8-r -o out", b"\xC4\xC1").ok(),
        b""
    );
    assert_eq!(read(&folder, "out"), "да".as_bytes());
    assert_eq!(list(folder.path()), ["out"]);
}

/// Fault class 15 (see tests/codec/faults): a file converted onto itself became empty.
#[test]
fn file_converts_onto_itself() {
    let text = "文字化け".repeat(100_000);
    let folder = folder(&[("page", &sjis(&text)), ("other", b"!")]);
    run(&folder, "convert -f sjis page -o page", b"").ok();
    assert!(read(&folder, "page") == text.as_bytes());
    // The output file can also be one of several inputs.
    run(&folder, "convert -f utf-8 other page other -o ./page", b"").ok();
    assert!(read(&folder, "page") == format!("!{text}!").as_bytes());
    assert_eq!(list(folder.path()), ["other", "page"]);
}

fn sjis(text: &str) -> Vec<u8> {
    mojika::SHIFT_JIS.encode(text).unwrap().into_owned()
}

#[test]
fn failure_leaves_no_partial_file_and_the_old_one_as_it_was() {
    let mut input = b"good ".repeat(100_000);
    input.push(0xFF);
    let folder = folder(&[("in", &input), ("old", b"old text")]);
    let line = "in: malformed UTF-8 sequence FF at byte offset 500000";
    run(&folder, "convert -f utf-8 in -o new", b"").fails(1, &malformed(line));
    run(&folder, "convert -f utf-8 in -o old", b"").fails(1, &malformed(line));
    run(&folder, "convert -f utf-8 in -o in", b"").fails(1, &malformed(line));
    run(&folder, "convert -f utf-8 missing -o new", b"");
    assert_eq!(list(folder.path()), ["in", "old"]);
    assert_eq!(read(&folder, "old"), b"old text");
    assert!(read(&folder, "in") == input);
}

#[test]
fn failures_of_io_name_operation_and_file() {
    let folder = folder(&[("file", b"text")]);
    fs::create_dir(folder.path().join("folder")).unwrap();
    for (line, start) in [
        ("convert -f utf-8 missing", "cannot open missing: "),
        ("convert missing", "cannot open missing: "),
        (
            "convert -f utf-8 - -o file/within",
            "cannot open file/within: Not a directory",
        ),
        (
            "convert -f utf-8 - -o no/such/folder",
            "no/such/folder: the folder no/such does not exist; make it, or use -o DIR/, which makes DIR",
        ),
    ] {
        let output = run(&folder, line, b"text");
        assert_eq!(output.status, 1, "{line}");
        // If a file does not exist, that is reported, and not that --from is missing.
        assert!(
            output.stderr.starts_with(start),
            "{line}: {}",
            output.stderr
        );
    }
}

#[cfg(unix)]
#[test]
fn permissions_are_kept_or_usual() {
    use std::os::unix::fs::PermissionsExt;
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
    let folder = folder(&[("old", b"")]);
    let old = folder.path().join("old");
    for kept in [0o600, 0o664, 0o755] {
        fs::set_permissions(&old, fs::Permissions::from_mode(kept)).unwrap();
        run(&folder, "convert -f utf-8 -o old", b"a").ok();
        assert_eq!(mode(&old), kept);
    }
    run(&folder, "convert -f utf-8 -o new", b"a").ok();
    File::create(folder.path().join("usual")).unwrap();
    assert_eq!(
        mode(&folder.path().join("new")),
        mode(&folder.path().join("usual"))
    );
}

#[cfg(unix)]
#[test]
fn symbolic_link_stays_and_its_target_is_replaced() {
    let folder = folder(&[("target", b"old")]);
    std::os::unix::fs::symlink("target", folder.path().join("link")).unwrap();
    std::os::unix::fs::symlink("nowhere", folder.path().join("dangling")).unwrap();
    run(&folder, "convert -f utf-8 -o link", b"new").ok();
    run(&folder, "convert -f utf-8 -o dangling", b"new").ok();
    assert!(folder.path().join("link").is_symlink());
    assert_eq!(read(&folder, "target"), b"new");
    assert_eq!(read(&folder, "nowhere"), b"new");
}

/// Uses a named pipe in place of a device, which a bug could destroy if root runs the tests.
#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_written_to_directly() {
    use std::os::unix::fs::FileTypeExt;
    let folder = folder(&[]);
    let pipe = folder.path().join("pipe");
    crate::common::make_fifo(&pipe);
    let reader = {
        let pipe = pipe.clone();
        std::thread::spawn(move || fs::read(pipe).unwrap())
    };
    run(&folder, "convert -f koi8-r -o pipe", b"\xC4").ok();
    assert_eq!(reader.join().unwrap(), "д".as_bytes());
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
    assert_eq!(list(folder.path()), ["pipe"]);
}

#[cfg(target_os = "linux")]
#[test]
fn failing_standard_output_is_reported() {
    let folder = folder(&[("in", b"text")]);
    let full = File::options().write(true).open("/dev/full").unwrap();
    let output = mojika()
        .args(["convert", "--from", "utf-8", "in", "in"])
        .current_dir(folder.path())
        .stdout(full)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        message.starts_with("cannot write to standard output: "),
        "{message}"
    );
    // The conversion stops at the first failure.
    assert_eq!(message.lines().count(), 1, "{message}");
}

/// Fault class 3 (see tests/codec/faults): reading the command's own output never ends.
#[test]
fn appending_a_file_to_itself_is_refused() {
    let folder = folder(&[("log", b"text")]);
    let log = File::options()
        .append(true)
        .open(folder.path().join("log"))
        .unwrap();
    let output = mojika()
        .args(["convert", "--from", "utf-8", "log"])
        .current_dir(folder.path())
        .stdout(log)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "log: is also standard output; use -o to convert a file onto itself\n"
    );
    assert_eq!(read(&folder, "log"), b"text");
}

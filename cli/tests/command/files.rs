//! `mojika convert` with files: several inputs, and outputs, which appear only when they are complete.

use crate::common::tree::{folder, read};
use crate::common::{list, malformed, mojika, run_at as run};
use std::fs::{self, File};
use std::path::Path;
use std::process::Command;
use std::process::Stdio;

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

//! `mojika show`: the first lines of a file, decoded and safe for a terminal.

use crate::common::tree::{folder, run};
use crate::common::{koi8_r, run_at};
use std::io::Read;
use std::process::Stdio;

const LETTER: &str = "привет, мир! Это письмо от брата.\r\nдо свидания\r\n";

#[test]
fn the_encoding_is_found_and_said_and_the_first_lines_are_shown() {
    let folder = folder(&[("a", &koi8_r(&LETTER.repeat(50)))]);
    let shown = run(&folder, "show -n 3 a");
    let lines: Vec<_> = LETTER.lines().chain(LETTER.lines().take(1)).collect();
    assert_eq!(
        String::from_utf8(shown.stdout).unwrap(),
        format!("{}\n", lines.join("\n"))
    );
    assert_eq!(shown.status, 0);
    assert!(
        shown.stderr.starts_with("a: KOI8-R (detection, 0."),
        "{}",
        shown.stderr
    );
    // `show` reads standard input too.
    let piped = run_at(folder.path(), "show -q -n1", &koi8_r(LETTER));
    assert_eq!(piped.ok(), format!("{}\n", lines[0]).as_bytes());
}

/// The limit counts characters, whatever their length in bytes.
#[test]
fn a_line_of_1000_characters_is_shown_whole() {
    for character in ["a", "ж", "字", "👍"] {
        let lines = [999, 1000, 1001].map(|count| character.repeat(count));
        let folder = folder(&[("a", (lines.join("\n") + "\n").as_bytes())]);
        let shown = String::from_utf8(run(&folder, "show -q -f utf-8 a").ok()).unwrap();
        let [below, most, _] = &lines;
        assert!(
            shown == format!("{below}\n{most}\n{most}…\n"),
            "{character}"
        );
    }
    // The first line ends after more than 16 MiB.
    let mut long = vec![b'x'; (16 << 20) - 10];
    long.push(b'\n');
    long.resize((16 << 20) + 1000, b'y');
    let folder = folder(&[("a", &long)]);
    let shown = run(&folder, "show -q -f utf-8 -n 1 a").ok();
    assert_eq!(shown.len(), 1000 + "…\n".len());
}

/// A line is cut after 1,000 characters, a file after 16 MiB. Reading an endless pipe ends after the lines.
#[test]
fn long_lines_and_endless_input_are_bounded() {
    let long = vec![b'x'; 17 << 20];
    let folder = folder(&[("a", &long)]);
    let shown = run(&folder, "show a");
    assert_eq!(shown.status, 0);
    assert_eq!(shown.stdout.len(), 1000 + "…\n".len());
    assert!(
        shown
            .stderr
            .ends_with("\na: what follows 16 MiB of text is not shown\n"),
        "{}",
        shown.stderr
    );
    let mut child = crate::common::mojika()
        .args(["show", "-q", "-n", "2", "/dev/zero", "-a"])
        .stderr(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut text = Vec::new();
    let mut output = child.stdout.take().unwrap();
    output.read_to_end(&mut text).unwrap();
    assert!(child.wait().unwrap().success());
    assert!(text.starts_with(b"\\u{0}\\u{0}"), "{} bytes", text.len());
}

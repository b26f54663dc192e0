//! The output on a terminal: progress, colours, help.

#![cfg(target_os = "linux")]

use crate::common::tree::fast_folder;
use crate::common::{mojika, run, run_at};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::fs::{self, File};
use std::io::Read;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Runs the command line, split at spaces, with a terminal as standard error, and returns its output there.
fn on_terminal(folder: &TempDir, line: &str) -> String {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    let name = ptsname(&terminal, Vec::new())
        .unwrap()
        .into_string()
        .unwrap();
    let end = File::options().read(true).write(true).open(name).unwrap();
    let mut child = mojika()
        .args(line.split(' '))
        .current_dir(folder.path())
        .env("TERM", "xterm-256color")
        .stdout(Stdio::null())
        .stderr(end)
        .spawn()
        .unwrap();
    let reader = std::thread::spawn(move || {
        let mut output = Vec::new();
        // Reading returns an error at the end of a terminal.
        let _ = File::from(terminal).read_to_end(&mut output);
        String::from_utf8_lossy(&output).into_owned()
    });
    assert!(child.wait().unwrap().success());
    reader.join().unwrap()
}

/// Converts the files of [`tree`].
const TO_OUT: &str = "convert -f windows-1251 src -o out --force";

fn tree() -> TempDir {
    let folder = fast_folder();
    fs::create_dir(folder.path().join("src")).unwrap();
    for file in 0..300 {
        let text = b"\xE4\xE0 ".repeat(30_000);
        fs::write(folder.path().join(format!("src/{file}")), text).unwrap();
    }
    folder
}

#[test]
fn a_line_shows_progress_on_a_terminal_alone() {
    let folder = tree();
    let seen = on_terminal(&folder, TO_OUT);
    assert!(seen.contains("of 300 files"), "{seen:?}");
    assert!(seen.contains("B/s"), "{seen:?}");
    assert!(
        seen.contains("300 converted"),
        "the summary follows: {seen:?}"
    );
    // The progress line is erased before the summary.
    let (before, _) = seen.rsplit_once("300 files, ").unwrap();
    assert!(before.ends_with("\x1B[2K"), "{before:?}");

    for option in ["-q", "--progress=never"] {
        let seen = on_terminal(&folder, &format!("{TO_OUT} {option}"));
        assert!(!seen.contains("of 300 files"), "{option}: {seen:?}");
    }
    // One file, to one output.
    let text = b"\xE4\xE0 ".repeat(20_000_000);
    fs::write(folder.path().join("large"), text).unwrap();
    let seen = on_terminal(&folder, "convert -f windows-1251 large -o converted");
    assert!(seen.contains("of 1 file,"), "{seen:?}");
    // If standard error is a pipe, there is no progress line.
    let piped = run_at(folder.path(), TO_OUT, b"");
    assert!(!piped.stderr.contains("of 300 files"), "{}", piped.stderr);
    assert!(!piped.stderr.contains('\x1B'), "{}", piped.stderr);
}

#[test]
fn the_line_counts_the_files_that_are_finished_and_their_bytes() {
    let folder = tree();
    let line = format!("{TO_OUT} --jobs=1");
    let counts = || -> (Vec<u32>, bool) {
        let seen = on_terminal(&folder, &line);
        let numbers = seen.split(" of 300 files").map(|before| {
            let digits = before.bytes().rev().take_while(u8::is_ascii_digit).count();
            before[before.len() - digits..].parse().unwrap_or(0)
        });
        let has_bytes = seen.contains(" MB of 27.0 MB, ");
        (numbers.collect(), has_bytes)
    };
    // The progress line is drawn ten times a second, so a run may end before it is drawn twice.
    let counted = (0..10)
        .map(|_| counts())
        .find(|(counts, has_bytes)| *has_bytes && counts.iter().any(|&count| count > 0));
    let (counted, _) = counted.expect("the number or the bytes stay 0");
    assert!(
        counted.is_sorted_by(|a, b| a <= b || *b == 0),
        "{counted:?}"
    );
    assert!(counted.iter().all(|&count| count <= 300), "{counted:?}");
}

#[test]
fn completions_for_bash_are_a_script() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("mojika.bash");
    fs::write(&script, run("completions bash", b"").ok()).unwrap();
    let checked = Command::new("bash").arg("-n").arg(&script).status();
    assert!(checked.unwrap().success());
}

#[test]
fn bash_completes_the_names_of_encodings() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("mojika.bash");
    fs::write(&script, run("completions bash", b"").ok()).unwrap();
    // Returns Bash's completions of the last of these words.
    let offered = |words: &str| {
        let shell = format!(
            "source {}; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             _mojika mojika \"${{COMP_WORDS[-1]}}\" \"${{COMP_WORDS[-2]}}\"; echo \"${{COMPREPLY[*]}}\"",
            script.display()
        );
        let output = Command::new("bash").args(["-c", &shell]).output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    assert_eq!(
        offered("mojika convert --from shift"),
        "shift_jis shift_jis-2004"
    );
    assert_eq!(
        offered("mojika convert --to ibm86"),
        "ibm866 ibm860 ibm861 ibm862 ibm863 ibm864 ibm865 ibm869"
    );
    assert_eq!(offered("mojika check --from aut"), "auto");
    assert_eq!(
        offered("mojika detect --allow shift"),
        "shift_jis shift_jis-2004"
    );
    assert_eq!(offered("mojika -f shift"), "shift_jis shift_jis-2004");
    assert_eq!(offered("mojika --to koi8-r"), "koi8-r");
    assert_eq!(offered("mojika conv"), "convert");
    assert_eq!(
        offered("mojika encodings euc"),
        "euc-jp euc-kr euc-jis-2004 euc-tw"
    );
    // `iso-8859-1` itself is missing, because as a label it means windows-1252.
    assert_eq!(
        offered("mojika convert --from iso-8859-1"),
        "iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16"
    );
}

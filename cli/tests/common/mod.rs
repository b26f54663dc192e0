//! Runs the command as a user would.

#![allow(dead_code, reason = "not every test binary needs every helper")]

#[cfg(unix)]
pub mod archives;
#[cfg(unix)]
pub mod tree;
pub mod zips;

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The results of one run.
pub struct Run {
    pub status: i32,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Run {
            status: output.status.code().unwrap_or(-1),
            stdout: output.stdout,
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Run {
    /// Asserts success without messages, and returns standard output.
    #[track_caller]
    pub fn ok(self) -> Vec<u8> {
        assert_eq!((self.status, &*self.stderr), (0, ""));
        self.stdout
    }

    /// Asserts the exit status.
    #[track_caller]
    pub fn ends(self, status: i32) -> Self {
        assert_eq!(self.status, status, "{}", self.stderr);
        self
    }

    /// Asserts that standard error contains this text.
    #[track_caller]
    pub fn says(&self, text: &str) -> &Self {
        assert!(self.stderr.contains(text), "{text}: {}", self.stderr);
        self
    }

    /// Asserts a failure with this status and exactly this line on standard error, and returns standard output. Line and
    /// column are compared only if the line has them.
    #[track_caller]
    pub fn fails(self, status: i32, line: &str) -> Vec<u8> {
        let mut said = self.stderr;
        while !line.contains("(line ")
            && let Some(start) = said.find(" (line ")
            && let Some(length) = said[start..].find(')')
        {
            said.replace_range(start..=start + length, "");
        }
        assert_eq!((self.status, &*said), (status, &*format!("{line}\n")));
        self.stdout
    }
}

/// Returns this message on malformed text, with its remedy.
pub fn malformed(message: &str) -> String {
    format!(
        "{message}; name another encoding with --from LABEL, or write U+FFFD for it with --errors replacement"
    )
}

/// Returns this message on an unmappable character, with its remedy.
pub fn unmappable(message: &str) -> String {
    format!(
        "{message}; use --to utf-8, or write something like it with --translit or --errors html"
    )
}

/// Returns the command, with a state folder for the tests.
pub fn mojika() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mojika"));
    command.env("XDG_STATE_HOME", state());
    command
}

/// Returns the state folder of all tests. Their runs are in different folders, so their journals differ.
pub fn state() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("state")
}

/// Returns the journals that mention this folder.
pub fn journals(folder: &Path) -> Vec<PathBuf> {
    let name = folder.to_str().unwrap();
    let entries = state().join("mojika/journals").read_dir();
    let paths = entries
        .into_iter()
        .flatten()
        .map(|entry| entry.unwrap().path());
    paths
        .filter(|path| std::fs::read_to_string(path).is_ok_and(|text| text.contains(name)))
        .collect()
}

/// Runs the command in `folder` with `stdin` as standard input.
pub fn run_in<S: AsRef<OsStr>>(folder: &Path, args: &[S], stdin: &[u8]) -> Run {
    let mut child = mojika()
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let stdin = stdin.to_owned();
    let writer = std::thread::spawn(move || match pipe.write_all(&stdin) {
        // The command may stop before it has read everything.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => panic!("{error}"),
        _ => {}
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output.into()
}

/// Runs the command line, split at spaces, with `stdin` as standard input.
pub fn run(line: &str, stdin: &[u8]) -> Run {
    run_at(".", line, stdin)
}

/// Runs the command line, split at spaces, in `folder` with `stdin` as standard input.
pub fn run_at(folder: impl AsRef<Path>, line: &str, stdin: &[u8]) -> Run {
    // An argument may contain a line end.
    let args: Vec<_> = line.split(' ').filter(|word| !word.is_empty()).collect();
    run_in(folder.as_ref(), &args, stdin)
}

/// Returns the bytes of a text in this encoding.
#[track_caller]
pub fn encoded(encoding: &'static mojika::Encoding, text: &str) -> Vec<u8> {
    encoding.encode(text).unwrap().into_owned()
}

/// Returns the bytes of a text in KOI8-R.
#[track_caller]
pub fn koi8_r(text: &str) -> Vec<u8> {
    encoded(mojika::KOI8_R, text)
}

/// Asserts that a text contains `part`.
#[track_caller]
pub fn has(text: &str, part: &str) {
    assert!(text.contains(part), "{part}: {text}");
}

/// Asserts the bytes of a file in `folder`.
#[track_caller]
pub fn holds(folder: impl AsRef<Path>, name: &str, bytes: impl AsRef<[u8]>) {
    let found = std::fs::read(folder.as_ref().join(name)).unwrap();
    assert_eq!(found, bytes.as_ref(), "{name}");
}

/// Creates a named pipe.
#[track_caller]
pub fn make_fifo(path: impl AsRef<Path>) {
    let made = Command::new("mkfifo").arg(path.as_ref()).status();
    assert!(made.unwrap().success());
}

/// Returns the names of the files in `folder`, sorted.
pub fn list(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = folder
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Returns the folder of the sample files.
pub fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples")
}

//! Runs the named cases in `cases/*.txt`, each in a folder of its own. A line is one of these:
//!
//! ```text
//! ## a name                       begins a case
//! file PATH = TEXT                writes a file
//! $ convert -f koi8-r [1]         runs a command; the status, if it is not 0, is in brackets
//! < TEXT                          standard input
//! > TEXT                          all of standard output; an ellipsis at its end is anything
//! ! LINE                          a line of standard error; without any, standard error is empty
//! ? PART                          a part of standard error, whose other lines may be anything
//! - PART                          a part that standard error lacks
//! holds PATH = TEXT               a file afterwards
//! list PATH: NAMES                the names in a folder, sorted
//! ```
//!
//! A text has the escapes of Rust. `@LABEL ` before it is its encoding, by default UTF-8.

use crate::common::tree::folder;
use crate::common::{list, malformed, run_at, unmappable};
use mojika_spec::escapes::unescaped;
use std::fs;
use std::path::Path;

/// A command of a case, with its input and its expected output.
#[derive(Default)]
struct Step {
    line: String,
    status: i32,
    stdin: Vec<u8>,
    stdout: Vec<u8>,
    lines: String,
    parts: Vec<(bool, String)>,
}

/// Returns the bytes of a text with escapes.
fn bytes(text: &str) -> Vec<u8> {
    let (label, text) = match text.strip_prefix('@') {
        Some(text) => text.split_once(' ').expect(text),
        None => ("utf-8", text),
    };
    let encoding = mojika::extended::find(label).expect(label);
    unescaped(text, |part| encoding.encode(part).unwrap().into_owned())
}

impl Step {
    /// Runs the command. Returns an error with its output unless that is as expected.
    fn run(&self, path: &Path) -> Result<(), String> {
        if self.line.is_empty() {
            return Ok(());
        }
        let run = run_at(path, &self.line, &self.stdin);
        let said = if self.lines.contains("(line ") {
            run.stderr.clone()
        } else {
            without_lines(&run.stderr)
        };
        let is_said = match self.parts.is_empty() {
            true => said == self.lines,
            false => {
                (self.parts.iter()).all(|(is_there, part)| run.stderr.contains(part) == *is_there)
            }
        };
        let is_printed = match self.stdout.strip_suffix("…".as_bytes()) {
            Some(start) => run.stdout.starts_with(start),
            None => run.stdout == self.stdout,
        };
        if is_said && is_printed && run.status == self.status {
            return Ok(());
        }
        let printed = run.stdout.escape_ascii();
        let (line, stderr, status) = (&self.line, run.stderr, run.status);
        Err(format!("$ {line} [{status}]\n{printed}\n{stderr}"))
    }
}

/// Returns a message without lines and columns.
fn without_lines(said: &str) -> String {
    let mut said = said.to_owned();
    while let Some(start) = said.find(" (line ")
        && let Some(length) = said[start..].find(')')
    {
        said.replace_range(start..=start + length, "");
    }
    said
}

/// Returns a path, and the bytes after its sign of equality.
fn field(line: &str) -> (&str, Vec<u8>) {
    let (name, text) = line.split_once(" =").expect(line);
    (name, bytes(text.strip_prefix(' ').unwrap_or(text)))
}

/// Runs a case. Returns the first difference.
fn run(case: &str) -> Result<(), String> {
    let folder = folder(&[]);
    let path = folder.path();
    let mut step = Step::default();
    for line in case.lines().skip(1).chain(["$ "]) {
        let (kind, rest) = line.split_once(' ').unwrap_or((line, ""));
        if matches!(kind, "$" | "file" | "holds" | "list") {
            std::mem::take(&mut step).run(path)?;
        }
        match kind {
            "" | "//" => {}
            "file" => {
                let (name, text) = field(rest);
                let name = path.join(name);
                fs::create_dir_all(name.parent().unwrap()).unwrap();
                fs::write(name, text).unwrap();
            }
            "$" => {
                let status = rest
                    .strip_suffix(']')
                    .and_then(|rest| rest.rsplit_once(" ["));
                let (line, status) = status.unwrap_or((rest, "0"));
                step.line = String::from_utf8(bytes(line)).unwrap();
                step.status = status.parse().unwrap();
            }
            "<" => step.stdin.extend(bytes(rest)),
            ">" => step.stdout.extend(bytes(rest)),
            "?" | "-" => step.parts.push((kind == "?", rest.replace("\\n", "\n"))),
            "!" => {
                let line = match rest.split_once(" {") {
                    Some((line, "malformed}")) => malformed(line),
                    Some((line, "unmappable}")) => unmappable(line),
                    _ => rest.to_owned(),
                };
                step.lines += &format!("{line}\n");
            }
            "holds" => {
                let (name, text) = field(rest);
                let found =
                    fs::read(path.join(name)).map_err(|error| format!("{name}: {error}"))?;
                if found != text {
                    return Err(format!("{name}: {}", found.escape_ascii()));
                }
            }
            "list" => {
                let (name, names) = rest.split_once(':').expect(rest);
                let found = list(&path.join(name)).join(" ");
                if found != names.trim() {
                    return Err(format!("{name}: {found}"));
                }
            }
            _ => panic!("{line}"),
        }
    }
    Ok(())
}

/// Runs all cases of a text.
#[track_caller]
fn all(text: &str) {
    let cases: Vec<_> = text.split("## ").skip(1).collect();
    let failed = cases.iter().filter_map(|case| {
        let name = case.lines().next().unwrap();
        run(case).err().map(|found| format!("## {name}\n{found}\n"))
    });
    let failed: String = failed.collect();
    assert!(failed.is_empty() && !cases.is_empty(), "{failed}");
}

#[test]
fn streams() {
    all(include_str!("cases/streams.txt"));
}

#[test]
fn folders() {
    all(include_str!("cases/folders.txt"));
}

#[test]
fn reports_and_lists() {
    all(include_str!("cases/lists.txt"));
}

#[test]
fn declarations() {
    all(include_str!("cases/declarations.txt"));
}

#[cfg(feature = "edit")]
#[test]
fn edits() {
    all(include_str!("cases/edit.txt"));
}

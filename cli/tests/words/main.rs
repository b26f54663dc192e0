//! The complete messages of the command. Each snapshot is a file in `tests/snapshots`, which a person has reviewed.
//!
//! `MOJIKA_UPDATE_SNAPSHOTS=1 cargo test -p mojika-cli --test words` updates them.
#![cfg(all(unix, feature = "warc", feature = "completions"))]

#[path = "../common/mod.rs"]
mod common;

mod archives;
mod decisions;
mod documents;
mod doubts;
#[cfg(feature = "edit")]
mod edits;
mod help;
#[cfg(feature = "mail")]
mod mail;
mod names;
mod progress;
mod refusals;
mod runs;
mod stopped;
mod unfinished;

use std::fs;

fn path(name: &str) -> String {
    format!("{}/tests/snapshots/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Compares messages with their snapshot, in which each command's status follows its messages.
///
/// Usage lines after an error are left out. Only the first summary keeps its table of encodings.
#[track_caller]
fn snapshot(name: &str, text: &str) {
    mojika_spec::snapshot::compare(&path(name), &shortened(text));
}

fn shortened(text: &str) -> String {
    let (mut lines, mut command, mut tables): (Vec<String>, _, _) = (Vec::new(), None, 0);
    let mut rest = text.lines().peekable();
    while let Some(line) = rest.next() {
        let is_usage = |line: &str| {
            line.starts_with("Usage: mojika ") || line == "For more information, try '--help'."
        };
        let is_table = |line: &str| line.starts_with("encoding         ");
        let next = rest.peek().copied().unwrap_or_default();
        if line.starts_with("$ mojika ") {
            command = Some(lines.len());
        } else if let (Some(status), Some(command)) = (line.strip_prefix("status "), command) {
            lines[command] += &format!(" [{status}]");
            continue;
        } else if command.is_some() && (is_usage(line) || line.is_empty() && is_usage(next)) {
            continue;
        } else if line.is_empty() && is_table(next) {
            tables += 1;
            if tables > 1 {
                while rest
                    .next_if(|line| !line.is_empty() && !line.starts_with("status "))
                    .is_some()
                {}
                continue;
            }
        }
        lines.push(line.to_owned());
    }
    lines.join("\n") + "\n"
}

/// Runs the commands of a snapshot in their order: its lines that begin with `$ mojika`. Returns their messages.
///
/// To add a command, add such a line to the snapshot and update it.
fn replayed(name: &str, told: impl Fn(&str) -> String) -> Vec<String> {
    let expected = fs::read_to_string(path(name)).unwrap();
    let lines = expected
        .lines()
        .filter_map(|line| line.strip_prefix("$ mojika "));
    let told: Vec<_> = lines
        .map(|line| told(line.rsplit_once(" [").map_or(line, |(line, _)| line)))
        .collect();
    assert!(!told.is_empty(), "{name} has no command");
    told
}

/// Returns the messages of a command on both streams, and its status.
fn told(path: &std::path::Path, line: &str) -> String {
    let run = common::run_at(path, line, b"");
    let output = String::from_utf8_lossy(&run.stdout);
    let (said, status) = (run.stderr, run.status);
    stable(&format!("$ mojika {line}\n{output}{said}status {status}\n"))
}

/// Replaces the parts of the text that differ between runs: times, rates and digits of probabilities.
fn stable(text: &str) -> String {
    let mut stable = String::new();
    let text = text.replace(env!("CARGO_BIN_EXE_mojika"), "mojika");
    let mut rest = &*text;
    while let Some(start) = rest.find(|one: char| one.is_ascii_digit()) {
        let (before, from) = rest.split_at(start);
        stable.push_str(before);
        let length = from
            .find(|one: char| !one.is_ascii_digit() && one != '.')
            .unwrap_or(from.len());
        let (number, after) = from.split_at(length);
        let is_rate = [" B/s", " kB/s", " MB/s", " GB/s"]
            .iter()
            .find(|unit| after.starts_with(**unit));
        if let Some(unit) = is_rate {
            stable.push_str("# B/s");
            rest = &after[unit.len()..];
            continue;
        }
        let is_version = before.ends_with("mojika ");
        let is_time = number.contains('.') && (after.starts_with(" s") || before.ends_with("in "));
        let is_probability = number.starts_with("0.") || ["1.0", "1.00"].contains(&number);
        if (is_time || is_probability) && !is_version {
            stable.push('#');
        } else {
            stable.push_str(number);
        }
        rest = after;
    }
    stable + rest
}

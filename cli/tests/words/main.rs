//! The messages of the command, whole: each snapshot is a file in `tests/snapshots`, reviewed by
//! hand.
//!
//! `MOJIKA_UPDATE_SNAPSHOTS=1 cargo test -p mojika-cli --test words` writes them anew.
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
#[cfg(feature = "normalize")]
mod names;
mod progress;
mod refusals;
mod runs;
mod stopped;
mod unfinished;

/// Compares a text with its snapshot.
#[track_caller]
fn snapshot(name: &str, text: &str) {
    let path = format!("{}/tests/snapshots/{name}", env!("CARGO_MANIFEST_DIR"));
    mojika_spec::snapshot::compare(&path, text);
}

/// The text without what differs from run to run: times and rates, and the digits of probabilities.
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

//! `mojika names --zip`: lists the names in a zip archive, and extracts its files under these names.
//!
//! * `entries`: the entries with their names, and the refusals;
//! * `extract`: writes entries to files.
//!
//! The crate rawzip reads the format; it returns each name as bytes.

mod entries;
mod extract;

use super::args::NamesArgs;
use super::reading::Reading;
use entries::ListedEntry;
use extract::Extractor;
use mojika_convert::decide::Question;
use mojika_convert::job::names::hex;
use mojika_convert::job::operation::{self, going};
use mojika_convert::job::signals::{self, Reaction};
use mojika_convert::output::print;
use mojika_convert::quote::{printable, quote};
use mojika_convert::report::{self, Failure, counted};
use serde_json::json;
use std::io;
use std::path::Path;

/// Lists the names in an archive, or extracts it; returns the exit status.
///
/// # Errors
///
/// Fails if the file is not an archive, or the encoding of its names is doubtful. Nothing is extracted then.
pub fn run(
    args: &NamesArgs,
    file: &Path,
    mut reading: Reading,
    question: Question,
) -> Result<u8, Failure> {
    let metadata = std::fs::metadata(file);
    let metadata = metadata.map_err(|error| Failure::io("read", quote(file), error))?;
    if !metadata.is_file() {
        let error = io::Error::other(
            "it is not a regular file, and an archive is read from its end; save it to a file first",
        );
        return Err(Failure::io("read", quote(file), error));
    }
    // Names in zip archives may be in DOS code pages.
    let question = Question {
        extended: true,
        ..question
    };
    let archive = entries::open(file)?;
    let most = args.archive.max_entries;
    let mut entries = entries::read(&archive, file, &mut reading, &question, most)?;
    let mut done = 0;
    if let Some(folder) = &args.archive.output {
        let checked = entries::check_folders(&entries, most);
        checked.map_err(|reason| Failure::io("extract", quote(file), io::Error::other(reason)))?;
        signals::watch(Reaction::Drain)?;
        let most = args.archive.max_size;
        let made = Extractor::new(&archive, folder, most);
        let mut extractor =
            made.map_err(|error| Failure::io("create the folder", quote(folder), error))?;
        let wanted = entries.iter_mut().filter(|entry| entry.refused.is_none());
        for entry in going(wanted) {
            match extractor.extract(entry) {
                Ok(()) => done += u64::from(!entry.is_folder),
                Err(reason) => entry.refused = Some(reason),
            }
        }
    }
    say(args, &entries, done)
}

/// Prints the encoding and the result; returns the exit status.
fn say(args: &NamesArgs, entries: &[ListedEntry], done: u64) -> Result<u8, Failure> {
    if !args.quiet || args.json {
        let lines = entries.iter().filter_map(|entry| match args.json {
            true => Some(json(entry) + "\n"),
            false if entry.name.is_empty() => None,
            false => Some(format!(
                "{:<14} {}\n",
                entry.why.word(),
                quote(Path::new(&entry.name))
            )),
        });
        print(lines.collect::<String>().as_bytes())?;
    }
    let mut refused = 0_u64;
    for entry in entries {
        if let Some(reason) = &entry.refused {
            refused += 1;
            report::say(&format!("{}: refused: {reason}", name(entry)));
        }
    }
    if !args.quiet {
        let files = entries.iter().filter(|entry| !entry.is_folder);
        let mut line = counted(files.count() as u64, "file");
        if args.archive.output.is_some() {
            line += &format!(": {done} extracted");
        }
        if refused > 0 {
            line += &format!(", {refused} refused");
        }
        report::say(&line);
    }
    Ok(operation::status(refused == 0))
}

/// Returns the name of an entry in messages.
fn name(entry: &ListedEntry) -> String {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    match entry.name.is_empty() {
        true => quote(Path::new(OsStr::from_bytes(&entry.raw))),
        false => quote(Path::new(&entry.name)),
    }
}

fn json(entry: &ListedEntry) -> String {
    let mut line = json!({
        "name": entry.name,
        "name_bytes": hex(&entry.raw),
        "why": printable(entry.why.word()),
        "size": entry.size,
        "is_folder": entry.is_folder,
    });
    if let Some(reason) = &entry.refused {
        line["refused"] = reason.as_str().into();
    }
    line.to_string()
}

//! What the encoding of an input is, where the user does not name it.

use super::input_name;
use crate::args::ConvertArgs;
use crate::report::Failure;
use crate::{detect, engine};
use mojika::Encoding;
use mojika::sniff::Hints;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Length of the longest byte order mark.
const LONGEST_BOM: u64 = 4;

/// The encoding of an input, as `mojika detect` has it; `head` gets the bytes that were read.
pub fn decided(
    reader: &mut dyn Read,
    head: &mut Vec<u8>,
    path: &Path,
    name: &str,
    args: &ConvertArgs,
) -> Result<&'static Encoding, Failure> {
    let hints = Hints {
        transport: args.transport.as_deref().map(str::as_bytes),
        ..Hints::default()
    };
    // The format's extension is not that of the text.
    let format = engine::Format::of_name(path);
    let path = &engine::renamed(path.to_owned(), format, None);
    let decision = detect::decide_from_head(reader, head, path, args.context, hints)
        .map_err(|error| Failure::io("read", name, error))?;
    match decision {
        Ok(decision) => Ok(decision.encoding),
        Err(error) => Err(Failure::Contradiction {
            name: name.to_owned(),
            error,
        }),
    }
}

/// With `--from auto`, finds the files that contradict themselves before anything is written.
pub fn contradictions(files: &[PathBuf], args: &ConvertArgs) -> Vec<Failure> {
    let contradiction = |file: &PathBuf| {
        let mut reader = File::open(file).ok()?;
        let name = input_name(file);
        let decided = decided(&mut reader, &mut Vec::new(), file, &name, args);
        // What cannot be read is found when it is converted.
        let is_other = |failure: &Failure| !matches!(failure, Failure::Io { .. });
        decided.err().filter(is_other)
    };
    let files = files.iter().filter(|file| file.is_file());
    files.filter_map(contradiction).collect()
}

/// Without `--from`, finds the files that have no byte order mark and are not UTF-8 before anything is written.
///
/// Only regular files can be read twice; the converter itself looks again, at every input.
pub fn unknown(files: &[PathBuf]) -> Vec<Failure> {
    let files = files.iter().filter(|file| file.is_file());
    let unknown = files.filter_map(|file| {
        // What cannot be read is found when it is converted.
        let offset = first_malformed(file).ok()??;
        let name = input_name(file);
        Some(Failure::UnknownSource { name, offset })
    });
    unknown.collect()
}

/// Where a file that has no byte order mark is not UTF-8.
fn first_malformed(file: &Path) -> io::Result<Option<u64>> {
    let (format, mut reader) = engine::decompressed(Box::new(File::open(file)?))?;
    if format.is_some() {
        // Not worth decompressing twice.
        return Ok(None);
    }
    let mut head = Vec::new();
    (&mut reader).take(LONGEST_BOM).read_to_end(&mut head)?;
    if Encoding::for_bom(&head).is_some() {
        return Ok(None);
    }
    Ok(match engine::utf_8(&mut head.as_slice().chain(reader))? {
        engine::Utf8::Malformed(offset) => Some(offset),
        engine::Utf8::Ascii | engine::Utf8::Valid => None,
    })
}

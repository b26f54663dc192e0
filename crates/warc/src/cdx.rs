//! CDX lines, which state the offsets of records in archives.

use super::Archive;
use mojika_convert::bounded::{self, read_line};
use mojika_convert::quote::{input_name, quote};
use mojika_convert::report::Failure;
use serde_json::Value;
use std::collections::HashMap;
use std::io::{self, BufReader};
use std::path::Path;

/// The maximum length of a line, in bytes.
const LONGEST_LINE: u64 = 1 << 20;

/// The position of a record by a CDX line.
#[derive(Debug, PartialEq, Eq)]
struct RecordPosition {
    /// The last component of the archive's path.
    archive: String,
    offset: u64,
    length: u64,
}

/// Restricts `archives` to the records in the lines of `list`.
///
/// # Errors
///
/// Fails if the list cannot be read, if a line has no offset, or if an archive is missing.
pub fn choose(list: &Path, archives: &mut Vec<Archive>) -> Result<(), Failure> {
    let name = input_name(list);
    let unreadable = |error| Failure::io("read", name.clone(), error);
    let reader = bounded::open(list).map_err(unreadable)?;
    let mut places: HashMap<String, Vec<(u64, u64)>> = HashMap::new();
    let mut named = None;
    let (mut reader, mut line, mut number) = (BufReader::new(reader), Vec::new(), 0_u64);
    while read_line(&mut reader, &mut line, b'\n', LONGEST_LINE).map_err(unreadable)? {
        number += 1;
        let line = std::str::from_utf8(&line).map_err(|_| {
            let what = format!("line {number} is not UTF-8");
            unreadable(io::Error::other(what))
        })?;
        if let Some(legend) = line.trim_start().strip_prefix("CDX ") {
            named = Some(fields(legend));
            continue;
        }
        if line.trim().is_empty() {
            continue;
        }
        let place = place(line, named.as_ref()).ok_or_else(|| {
            Failure::usage(&format!(
                "{name}, line {number}: lacks the filename, offset or length of a record; --cdx reads CDXJ, and CDX with a first line that names its fields"
            ))
        })?;
        let ranges = places.entry(place.archive).or_default();
        ranges.push((place.offset, place.length));
    }
    archives.retain_mut(|archive| {
        let own = archive.path.file_name().unwrap_or_default();
        let ranges = places.remove(&*own.to_string_lossy());
        archive.ranges = ranges.map(|mut ranges| {
            ranges.sort_unstable();
            ranges.dedup();
            ranges
        });
        archive.ranges.is_some()
    });
    if let Some(missing) = places.keys().min() {
        let others = match places.len() - 1 {
            0 => String::new(),
            others => format!(", and {others} more"),
        };
        return Err(Failure::usage(&format!(
            "{name}: names archives that are not among the inputs; add them to the command: {}{others}",
            quote(Path::new(missing))
        )));
    }
    Ok(())
}

/// The columns of the archive, the offset and the length in a CDX file.
type Fields = [Option<usize>; 3];

/// Without a first line that names the columns, they are the eleven that most tools write: N b a m s k r M S V g.
const USUAL: Fields = [Some(10), Some(9), Some(8)];

/// Returns the columns that the first line of a CDX file names.
fn fields(legend: &str) -> Fields {
    let column = |letter: &str| legend.split_whitespace().position(|one| one == letter);
    ["g", "V", "S"].map(column)
}

fn place(line: &str, fields: Option<&Fields>) -> Option<RecordPosition> {
    let last = |name: &str| name.rsplit(['/', '\\']).next().map(str::to_owned);
    // A CDXJ line consists of a key, a time and a JSON object.
    if let Some(start) = line.find('{') {
        let object: Value = serde_json::from_str(&line[start..]).ok()?;
        let number = |key: &str| match &object[key] {
            Value::String(digits) => digits.parse().ok(),
            other => other.as_u64(),
        };
        return Some(RecordPosition {
            archive: last(object["filename"].as_str()?)?,
            offset: number("offset")?,
            length: number("length")?,
        });
    }
    let columns: Vec<_> = line.split_whitespace().collect();
    let [archive, offset, length] = match fields {
        Some(fields) => *fields,
        None if columns.len() == 11 => USUAL,
        None => return None,
    };
    let column = |at: Option<usize>| columns.get(at?).copied();
    Some(RecordPosition {
        archive: last(column(archive)?)?,
        offset: column(offset)?.parse().ok()?,
        length: column(length)?.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_both_kinds_name_places() {
        let expected = Some(RecordPosition {
            archive: "a.warc.gz".to_owned(),
            offset: 784,
            length: 1043,
        });
        let json = r#"com,example)/ 20140103030321 {"url": "http://example.com", "length": "1043", "offset": "784", "filename": "x/a.warc.gz"}"#;
        assert_eq!(place(json, None), expected);
        let of_numbers = r#"{"length": 1043, "offset": 784, "filename": "a.warc.gz"}"#;
        assert_eq!(place(of_numbers, None), expected);
        let line = "com,example)/ 20140103030321 http://example.com/ text/html 200 B2LTWWPU - - 1043 784 a.warc.gz";
        assert_eq!(place(line, None), expected);
        let fields = fields("N b a S V g");
        let short = "com,example)/ 20140103030321 http://example.com/ 1043 784 a.warc.gz";
        assert_eq!(place(short, Some(&fields)), expected);
        // Without a first line, exactly eleven columns are accepted.
        let longer = format!("{line} more");
        for wrong in [
            "a b c",
            r#"{"offset": 1}"#,
            &line.replace("784", "-"),
            &longer,
        ] {
            assert_eq!(place(wrong, None), None, "{wrong}");
        }
    }
}

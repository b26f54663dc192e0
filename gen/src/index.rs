//! An index of the Encoding Standard and its text format.
//!
//! A line is a pointer in decimal, a tab, a code point as `0x` and hexadecimal, and an optional tab and comment, which
//! are ignored. Empty lines and lines that begin with `#` are ignored too.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// The single-byte indexes, by file name; their labels are the same names.
pub const SINGLE_BYTE: [&str; 27] = [
    "ibm866",
    "iso-8859-2",
    "iso-8859-3",
    "iso-8859-4",
    "iso-8859-5",
    "iso-8859-6",
    "iso-8859-7",
    "iso-8859-8",
    "iso-8859-10",
    "iso-8859-13",
    "iso-8859-14",
    "iso-8859-15",
    "iso-8859-16",
    "koi8-r",
    "koi8-u",
    "macintosh",
    "windows-874",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
    "x-mac-cyrillic",
];

/// Maps a pointer to a code point; for gb18030-ranges, the first pointer of a range to its first code point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Index(pub BTreeMap<u32, u32>);

impl Index {
    /// Reads the Standard's text format.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut entries = BTreeMap::new();
        for (number, line) in text.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let entry = parse_line(line)
                .ok_or_else(|| format!("line {}: not an entry: {line:?}", number + 1))?;
            if entries.insert(entry.0, entry.1).is_some() {
                return Err(format!("line {}: pointer {} again", number + 1, entry.0));
            }
        }
        Ok(Self(entries))
    }

    /// Reads `index-NAME.txt` in `directory`.
    pub fn read(directory: &Path, name: &str) -> Result<Self, String> {
        let path = directory.join(file_name(name));
        let text = std::fs::read_to_string(&path)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        Self::parse(&text).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Writes the Standard's text format. The comment of an entry is the character itself, if it can be shown. The file
    /// keeps the Standard's identifier and date from the text `before`.
    pub fn format(&self, name: &str, before: &str) -> String {
        let mut text = format!(
            "# index {name} of the Encoding Standard, https://encoding.spec.whatwg.org/#indexes\n\
             # Derived by `gen import` from the behaviour of encoding_rs; do not edit.\n"
        );
        let is_edition = |line: &&str| {
            ["# The Standard's", "# Identifier", "# Date"]
                .iter()
                .any(|field| line.starts_with(field))
        };
        for line in before.lines().filter(is_edition) {
            text.push_str(line);
            text.push('\n');
        }
        text.push('\n');
        for (&pointer, &code_point) in &self.0 {
            write!(text, "{pointer:>5}\t0x{code_point:04X}").expect("a String takes everything");
            if name != "gb18030-ranges" {
                let shown = char::from_u32(code_point)
                    .filter(|character| !character.is_control())
                    .unwrap_or('\u{FFFD}');
                write!(text, "\t{shown}").expect("a String takes everything");
            }
            text.push('\n');
        }
        text
    }

    /// Returns the pointers of each code point, ascending.
    pub fn pointers(&self) -> BTreeMap<u32, Vec<u32>> {
        let mut pointers: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (&pointer, &code_point) in &self.0 {
            pointers.entry(code_point).or_default().push(pointer);
        }
        pointers
    }

    /// Returns the largest pointer.
    pub fn last_pointer(&self) -> u32 {
        self.0.last_key_value().map_or(0, |(&pointer, _)| pointer)
    }
}

/// Returns the file name of an index.
pub fn file_name(name: &str) -> String {
    format!("index-{name}.txt")
}

fn parse_line(line: &str) -> Option<(u32, u32)> {
    let mut fields = line.split('\t');
    let pointer = fields.next()?.trim().parse().ok()?;
    let code_point = fields.next()?.trim().strip_prefix("0x")?;
    Some((pointer, u32::from_str_radix(code_point, 16).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn format_and_parse_round_trip() {
        let index = Index(BTreeMap::from([
            (0, 0x80),
            (7, 0x3000),
            (947, 0x27267),
            (11103, 0x9ED1),
        ]));
        assert_eq!(Index::parse(&index.format("big5", "")), Ok(index.clone()));
        assert_eq!(Index::parse(&index.format("gb18030-ranges", "")), Ok(index));
    }

    #[test]
    fn the_standards_lines_are_understood() {
        let text = "# Identifier: 1\n\n  0\t0x20AC\t€ (EURO SIGN)\n189000\t0x10000\n";
        let expected = Index(BTreeMap::from([(0, 0x20AC), (189_000, 0x1_0000)]));
        assert_eq!(Index::parse(text), Ok(expected));
    }

    #[test]
    fn a_broken_line_is_named() {
        assert!(
            Index::parse("0\t0x41\nx\t0x42")
                .unwrap_err()
                .contains("line 2")
        );
        assert!(
            Index::parse("0\t0x41\n0\t0x42")
                .unwrap_err()
                .contains("again")
        );
        assert!(Index::parse("0\t41").is_err());
    }
}

//! Compares the text of a file in two encodings, side by side.

use mojika::{BomHandling, Encoding};
use mojika_convert::labels;
use mojika_convert::report::{Failure, counted};
use std::fmt::Write;
use std::io::{self, Read};
use std::path::Path;

/// The maximum number of bytes that are compared.
const MOST_BYTES: u64 = 16 << 20;

/// The maximum number of lines that are shown.
const MOST_LINES: usize = 20;

/// The width of a column, in terminal columns.
const WIDTH: usize = 38;

/// Returns the two encodings of `--compare`.
///
/// # Errors
///
/// Fails if there are not exactly two, or one is unknown.
pub fn encodings(names: &[String]) -> Result<Option<[&'static Encoding; 2]>, Failure> {
    match names {
        [] => Ok(None),
        [one, other] => Ok(Some([labels::find(one)?, labels::find(other)?])),
        _ => Err(Failure::usage("--compare takes two labels: --compare A,B")),
    }
}

/// Returns the lines that differ between the encodings, with their numbers.
///
/// # Errors
///
/// Fails if the file cannot be read.
pub fn lines(path: &Path, encodings: [&'static Encoding; 2]) -> io::Result<String> {
    let mut bytes = Vec::new();
    let (_, reader) = crate::source::open(path)?;
    reader.take(MOST_BYTES).read_to_end(&mut bytes)?;
    let texts = encodings.map(|encoding| {
        let decoded = encoding.with(BomHandling::Remove).decode(&bytes);
        decoded.text.into_owned()
    });
    let [one, other] = encodings.map(|encoding| fitted(encoding.name()));
    let mut table = format!("{:>6}  {one}  {}\n", "line", other.trim_end());
    let mut count = 0;
    let [mut left, mut right] = texts.each_ref().map(|text| text.lines());
    for number in 1.. {
        let (one, other) = match (left.next(), right.next()) {
            (None, None) => break,
            (one, other) => (one.unwrap_or_default(), other.unwrap_or_default()),
        };
        if one == other {
            continue;
        }
        count += 1;
        if count <= MOST_LINES {
            let start = first_difference(one, other);
            let [one, other] = [one, other].map(|line| fitted(&skip(line, start)));
            let _ = writeln!(table, "{number:>6}  {one}  {}", other.trim_end());
        }
    }
    if count == 0 {
        table = "        the same text in both\n".to_owned();
    } else if count > MOST_LINES {
        let _ = writeln!(
            table,
            "        and {} more",
            counted((count - MOST_LINES) as u64, "line")
        );
    }
    Ok(table.trim_end().to_owned())
}

/// Returns the number of characters to omit so that the first difference is visible.
fn first_difference(one: &str, other: &str) -> usize {
    let same = one.chars().zip(other.chars());
    let same = same.take_while(|(one, other)| one == other).count();
    same.saturating_sub(WIDTH / 3)
}

fn skip(line: &str, count: usize) -> String {
    line.chars().skip(count).collect()
}

/// Truncates or pads the text to the width of a column, and replaces characters that move the cursor.
fn fitted(text: &str) -> String {
    let mut fitted = String::new();
    let mut columns = 0;
    for character in text.chars() {
        let character = match mojika_convert::quote::is_unsafe(character) {
            true => '\u{FFFD}',
            false => character,
        };
        let width = if is_double(character) { 2 } else { 1 };
        if columns + width > WIDTH {
            break;
        }
        fitted.push(character);
        columns += width;
    }
    fitted.extend(std::iter::repeat_n(' ', WIDTH - columns));
    fitted
}

/// True if a character occupies two columns in a terminal.
fn is_double(character: char) -> bool {
    matches!(character, '\u{1100}'..='\u{115F}' | '\u{2E80}'..='\u{303E}' | '\u{3041}'..='\u{A4CF}' | '\u{AC00}'..='\u{D7A3}'
        | '\u{F900}'..='\u{FAFF}' | '\u{FE30}'..='\u{FE6F}' | '\u{FF00}'..='\u{FF60}' | '\u{FFE0}'..='\u{FFE6}' | '\u{20000}'..='\u{3FFFD}')
}

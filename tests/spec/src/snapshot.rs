//! Texts that tests compare whole, each a file that was reviewed by hand.

use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Compares a text with its snapshot, the file `path`; writes the file anew if `MOJIKA_UPDATE_SNAPSHOTS` is set.
///
/// # Panics
///
/// If they differ: the first line that does, before the whole text.
#[track_caller]
pub fn compare(path: &Path, text: &str) {
    if std::env::var_os("MOJIKA_UPDATE_SNAPSHOTS").is_some() {
        fs::write(path, text).unwrap();
        return;
    }
    let expected = fs::read_to_string(path).unwrap_or_default();
    if expected == text {
        return;
    }
    let differing = expected.lines().zip(text.lines()).position(|(a, b)| a != b);
    let line = differing.unwrap_or(expected.lines().count().min(text.lines().count()));
    panic!(
        "{}, line {}:\nexpected: {:?}\nfound:    {:?}\nwhole:\n{text}",
        path.display(),
        line + 1,
        expected.lines().nth(line),
        text.lines().nth(line)
    );
}

/// A change of the byte at a place.
pub type Change = (&'static str, fn(&[u8], usize) -> Vec<u8>);

/// An answer, and the offset of what is wrong, if something is.
pub type Answer = (String, Option<u64>);

/// Bytes of a table's row.
const COLUMNS: usize = 100;

/// A table of the bytes that matter: each byte changed by itself, and the answer then.
///
/// One column for each byte: `.` where the change makes no difference, `-` where the answer is `nothing` then, a letter for
/// another answer. Below answers with an offset, a second line shows it: `=` that of the change, a digit for bytes before it,
/// `<` for more than nine, `>` for bytes after it.
pub fn table(
    label: &str,
    bytes: &[u8],
    nothing: &str,
    changes: &[Change],
    answer: impl Fn(&[u8]) -> Answer,
) -> String {
    let original = answer(bytes).0;
    let mut output = format!("{label}: {original}\n");
    let mut others: Vec<String> = Vec::new();
    let rows = (0..bytes.len()).step_by(COLUMNS);
    for row in rows.map(|start| start..bytes.len().min(start + COLUMNS)) {
        let line: String = bytes[row.clone()].iter().copied().map(shown).collect();
        output.push_str(&line);
        output.push('\n');
        for (name, change) in changes {
            let (mut answers, mut offsets) = (String::new(), String::new());
            for at in row.clone() {
                let (answer, offset) = answer(&change(bytes, at));
                offsets.push(match offset.map(|offset| at as i64 - offset as i64) {
                    None => ' ',
                    Some(0) => '=',
                    Some(before @ 1..=9) => char::from(b'0' + before as u8),
                    Some(before) if before > 0 => '<',
                    Some(_) => '>',
                });
                answers.push(if answer == original {
                    '.'
                } else if answer == nothing {
                    '-'
                } else {
                    let known = others.iter().position(|other| *other == answer);
                    let number = known.unwrap_or(others.len());
                    if known.is_none() {
                        others.push(answer);
                    }
                    letter(number)
                });
            }
            let _ = writeln!(output, "{answers}  {name}");
            if !offsets.trim().is_empty() {
                let _ = writeln!(output, "{offsets}  offset of the error");
            }
        }
    }
    for (number, other) in others.iter().enumerate() {
        let _ = writeln!(output, "{} = {other}", letter(number));
    }
    output.push('\n');
    output
}

/// The letter of an answer.
fn letter(number: usize) -> char {
    let letters = ('a'..='z')
        .chain('A'..='Z')
        .chain('α'..='ω')
        .chain('а'..='я')
        .chain('А'..='Я');
    letters.chain('一'..).nth(number).unwrap_or('?')
}

/// A character for each byte: controls as their pictures, bytes beyond ASCII as in Latin-1.
fn shown(byte: u8) -> char {
    match byte {
        0..=0x1F => char::from_u32(0x2400 + u32::from(byte)).unwrap(),
        b' '..=b'~' | 0xA1..=0xAC | 0xAE.. => char::from(byte),
        _ => '�',
    }
}

/// The bytes with another one at a place.
pub fn with(bytes: &[u8], at: usize, byte: u8) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at] = byte;
    bytes
}

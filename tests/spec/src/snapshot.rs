//! Texts that tests compare whole, each a file that was reviewed by hand.

use std::fmt::Write;
use std::fs;

/// Compares a text with its snapshot, the file at `path`; rewrites the file if `MOJIKA_UPDATE_SNAPSHOTS` is set.
///
/// # Panics
///
/// If they differ: the first line that does, before the whole text.
#[track_caller]
pub fn compare(path: &str, text: &str) {
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
        "{path}, line {}:\nexpected: {:?}\nfound:    {:?}\nwhole:\n{text}",
        line + 1,
        expected.lines().nth(line),
        text.lines().nth(line)
    );
}

/// A change of the byte at a place.
pub type Change = (&'static str, fn(&[u8], usize) -> Vec<u8>);

/// Without the byte.
pub const LEFT_OUT: Change = ("left out", |bytes, at| {
    [&bytes[..at], &bytes[at + 1..]].concat()
});
/// With the byte twice.
pub const TWICE: Change = ("twice", |bytes, at| [&bytes[..=at], &bytes[at..]].concat());
/// With the letter `q` in its place.
pub const LETTER: Change = ("a letter", |bytes, at| with(bytes, at, b'q'));
/// With a space in its place.
pub const SPACE: Change = ("a space", |bytes, at| with(bytes, at, b' '));
/// With a line feed in its place.
pub const LINE_END: Change = ("a line end", |bytes, at| with(bytes, at, b'\n'));
/// With the next byte value in its place.
pub const ONE_MORE: Change = ("one more", |bytes, at| {
    with(bytes, at, bytes[at].wrapping_add(1))
});
/// Cut off before the byte.
pub const END_BEFORE: Change = ("the end before", |bytes, at| bytes[..at].to_vec());

/// An answer. An error has its offset, in bytes.
pub type Answer = (String, Option<u64>);

/// Bytes of a table's row.
const COLUMNS: usize = 100;

/// A table of the bytes that matter: each byte is changed by itself, and the table shows the answer.
///
/// One column for each byte: `.` if the change makes no difference, `-` if the answer becomes `nothing`, a letter for
/// another answer. Below answers with an offset, a second line shows it: `=` for the offset of the change, a digit for
/// bytes before it, `<` for more than nine, `>` for bytes after it.
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
                offsets.push(offset.map_or(' ', |offset| distance(at, offset)));
                answers.push(if answer == original {
                    '.'
                } else if answer == nothing {
                    '-'
                } else {
                    let known = others.iter().position(|other| *other == answer);
                    letter(known.unwrap_or_else(|| {
                        others.push(answer);
                        others.len() - 1
                    }))
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

/// Returns the distance in bytes from an error to a later change, as a letter.
fn distance(change: usize, error: u64) -> char {
    match change as i64 - error as i64 {
        0 => '=',
        before @ 1..=9 => char::from(b'0' + before as u8),
        10.. => '<',
        _ => '>',
    }
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

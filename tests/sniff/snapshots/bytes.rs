//! A table of the bytes that matter: each byte changed by itself, and the answer then.

use std::fmt::Write;

/// A change of the byte at a place.
pub type Change = (&'static str, fn(&[u8], usize) -> Vec<u8>);

/// An answer, and the offset of what is wrong, if something is.
pub type Answer = (String, Option<u64>);

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
    let mut output: String = bytes.iter().copied().map(shown).collect();
    writeln!(output, "  {label}: {original}").unwrap();
    let mut others: Vec<String> = Vec::new();
    for (name, change) in changes {
        let (mut answers, mut offsets) = (String::new(), String::new());
        for at in 0..bytes.len() {
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
                char::from(b'a' + u8::try_from(number).unwrap())
            });
        }
        writeln!(output, "{answers}  {name}").unwrap();
        if !offsets.trim().is_empty() {
            writeln!(output, "{offsets}  offset of the error").unwrap();
        }
    }
    for (letter, other) in ('a'..).zip(others) {
        writeln!(output, "{letter} = {other}").unwrap();
    }
    output.push('\n');
    output
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

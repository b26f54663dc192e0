//! Changes of one byte, for tests in which a change of any byte must have an effect.

/// The name of a change, and a function that returns the bytes with a change at an offset.
pub type Change = (&'static str, fn(&[u8], usize) -> Vec<u8>);

/// Removes the byte.
pub const LEFT_OUT: Change = ("left out", |bytes, at| {
    [&bytes[..at], &bytes[at + 1..]].concat()
});
/// Doubles the byte.
pub const TWICE: Change = ("twice", |bytes, at| [&bytes[..=at], &bytes[at..]].concat());
/// Replaces the byte by the letter `q`.
pub const LETTER: Change = ("a letter", |bytes, at| with(bytes, at, b'q'));
/// Replaces the byte by a space.
pub const SPACE: Change = ("a space", |bytes, at| with(bytes, at, b' '));
/// Replaces the byte by a line feed.
pub const LINE_END: Change = ("a line end", |bytes, at| with(bytes, at, b'\n'));
/// Adds 1 to the byte.
pub const ONE_MORE: Change = ("one more", |bytes, at| {
    with(bytes, at, bytes[at].wrapping_add(1))
});
/// Flips the bit 0x20 of the byte, which is the case of a letter.
pub const CASE: Change = ("another case", |bytes, at| {
    with(bytes, at, bytes[at] ^ 0x20)
});
/// Truncates before the byte.
pub const END_BEFORE: Change = ("the end before", |bytes, at| bytes[..at].to_vec());

/// All changes.
pub const ALL: [Change; 8] = [
    LEFT_OUT, TWICE, LETTER, SPACE, LINE_END, ONE_MORE, CASE, END_BEFORE,
];

fn with(bytes: &[u8], at: usize, byte: u8) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at] = byte;
    bytes
}

//! Changes of one byte, for tests of the bytes that matter.

/// A change of the byte at a place, and its name.
pub type Change = (&'static str, fn(&[u8], usize) -> Vec<u8>);

/// Without the byte.
pub const LEFT_OUT: Change = ("left out", |bytes, at| {
    [&bytes[..at], &bytes[at + 1..]].concat()
});
/// With the byte twice.
pub const TWICE: Change = ("twice", |bytes, at| [&bytes[..=at], &bytes[at..]].concat());
/// With the letter `q` in its place.
pub const LETTER: Change = ("a letter", |bytes, at| with(bytes, at, b'q'));
/// Inserts a space at the place.
pub const SPACE: Change = ("a space", |bytes, at| with(bytes, at, b' '));
/// With a line feed in its place.
pub const LINE_END: Change = ("a line end", |bytes, at| with(bytes, at, b'\n'));
/// With the next byte value in its place.
pub const ONE_MORE: Change = ("one more", |bytes, at| {
    with(bytes, at, bytes[at].wrapping_add(1))
});
/// With the other case of a letter, or the other value of a bit, in its place.
pub const CASE: Change = ("another case", |bytes, at| {
    with(bytes, at, bytes[at] ^ 0x20)
});
/// Cut off before the byte.
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

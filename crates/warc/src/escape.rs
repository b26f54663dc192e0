//! Strings of JSON, as serde_json writes them.
//!
//! Pages are long, and have a quote or a line end every few words. Blocks of 64 bytes are copied unchanged. A mask
//! marks the escapes, and the bytes after each escape are copied again behind it. So a block has one unpredictable
//! branch, and not one for each escape. All copied lengths are constants. The output goes to a buffer in the cache,
//! larger than its content, and from there to the line.

/// The number of bytes in a block.
const BLOCK: usize = 64;
/// A block and the bytes after it, which are copied with it.
const WINDOW: usize = 2 * BLOCK;
/// The space for an escaped block, at most six times its length, and for the bytes after it.
const ROOM: usize = 8 * BLOCK;
/// Escaped bytes that are appended to a line at once.
const PIECE: usize = 4 << 10;

/// The escape of a byte: the first bytes of eight, and their number.
const ESCAPES: [([u8; 8], u8); 256] = {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let mut escapes = [([0; 8], 1); 256];
    let mut at = 0;
    while at < 256 {
        let byte = at as u8;
        let letter = match byte {
            b'"' | b'\\' => byte,
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            0x08 => b'b',
            0x0C => b'f',
            _ => b'u',
        };
        escapes[at] = if letter != b'u' {
            ([b'\\', letter, 0, 0, 0, 0, 0, 0], 2)
        } else if byte < 0x20 {
            let (high, low) = (HEX[at >> 4], HEX[at & 0xF]);
            ([b'\\', b'u', b'0', b'0', high, low, 0, 0], 6)
        } else {
            ([byte, 0, 0, 0, 0, 0, 0, 0], 1)
        };
        at += 1;
    }
    escapes
};

/// Appends a string with its quotes.
pub fn push_string(line: &mut Vec<u8>, text: &str) {
    let bytes = text.as_bytes();
    line.reserve(bytes.len() + bytes.len() / 16 + 2);
    line.push(b'"');
    let rest = push_blocks(line, bytes);
    // The last bytes, with spaces after them, which need no escape.
    let mut last = [b' '; WINDOW + BLOCK];
    last[..rest.len()].copy_from_slice(rest);
    for start in (0..rest.len()).step_by(BLOCK) {
        let mut room = [0; ROOM];
        let window = last[start..].first_chunk().expect("two blocks");
        let written = escape(window, &mut room);
        let spaces = (start + BLOCK).saturating_sub(rest.len());
        line.extend_from_slice(&room[..written - spaces]);
    }
    line.push(b'"');
}

/// Appends blocks that have others after them; returns the bytes that are left, less than a window.
fn push_blocks<'a>(line: &mut Vec<u8>, mut bytes: &'a [u8]) -> &'a [u8] {
    if bytes.len() < WINDOW {
        return bytes;
    }
    let mut piece = [0; PIECE + ROOM];
    let mut length = 0;
    while let Some(window) = bytes.first_chunk() {
        let room = piece[length..].first_chunk_mut().expect("room");
        length += escape(window, room);
        bytes = &bytes[BLOCK..];
        if length > PIECE {
            line.extend_from_slice(&piece[..length]);
            length = 0;
        }
    }
    line.extend_from_slice(&piece[..length]);
    bytes
}

/// Writes the first block of a window; returns the number of bytes that it has become.
#[inline(always)]
fn escape(window: &[u8; WINDOW], room: &mut [u8; ROOM]) -> usize {
    let block: &[u8; BLOCK] = window.first_chunk().expect("a block");
    room[..BLOCK].copy_from_slice(block);
    let mut left = escaped(block);
    // Where `window[from]` is in `room`.
    let (mut from, mut to) = (0, 0);
    while left != 0 {
        let at = left.trailing_zeros() as usize;
        to += at - from;
        let (escape, length) = ESCAPES[usize::from(block[at])];
        room[to..to + escape.len()].copy_from_slice(&escape);
        to += usize::from(length);
        from = at + 1;
        room[to..to + BLOCK].copy_from_slice(&window[from..from + BLOCK]);
        left &= left - 1;
    }
    to + BLOCK - from
}

/// Returns the bytes that need an escape, as bits. Eight bytes are examined in one word, each in its own lane.
#[inline(always)]
fn escaped(block: &[u8; BLOCK]) -> u64 {
    const LANES: u64 = u64::MAX / 0xFF;
    const HIGH: u64 = 0x80 * LANES;
    // The high bit of each byte that is not zero.
    let is_not_zero = |word: u64| ((word & !HIGH) + (0x7F * LANES)) | word;
    let (words, _) = block.as_chunks::<8>();
    words.iter().rev().fold(0, |found, word| {
        let word = u64::from_le_bytes(*word);
        let is_no_control = ((word & !HIGH) + 0x60 * LANES) | word;
        let is_no_quote = is_not_zero(word ^ (LANES * u64::from(b'"')));
        let is_no_backslash = is_not_zero(word ^ (LANES * u64::from(b'\\')));
        let marks = !(is_no_control & is_no_quote & is_no_backslash) & HIGH;
        // The product moves the mark of byte n to bit 56 + n.
        found << 8 | (marks >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_escaped(text: &str) {
        let mut line = b"before".to_vec();
        push_string(&mut line, text);
        let expected = serde_json::to_string(text).unwrap();
        assert_eq!(str::from_utf8(&line[6..]), Ok(&*expected));
    }

    #[test]
    fn all_characters_are_those_of_serde_json() {
        let every: String = ('\0'..=char::MAX).collect();
        assert_escaped(&every);
        // Escaped bytes and their neighbours, at each place of a block.
        let every = &every[..0x180];
        for (start, _) in every.char_indices() {
            assert_escaped(&(every[start..].to_owned() + "é\"💩\u{1}"));
        }
    }

    #[test]
    fn escapes_may_stand_anywhere() {
        for escaped in ["\0", "\x1F", "\"", "\\"] {
            for near in ["!", "#", "[", "]", " ", "\u{A0}", "\u{7F}"] {
                for place in 0..140 {
                    assert_escaped(&(near.repeat(place) + escaped + near));
                }
            }
        }
    }

    #[test]
    fn all_lengths_are_written() {
        for length in 0..400 {
            for character in ["a", "\"", "\0"] {
                assert_escaped(&character.repeat(length));
            }
        }
        // Longer than a piece, fully escaped or not at all.
        assert_escaped(&"\0".repeat(3 * PIECE));
        assert_escaped(&"a".repeat(3 * PIECE));
    }

    #[test]
    fn random_text_is_that_of_serde_json() {
        let mut random = mojika_spec::random::Random::new(31);
        for _ in 0..2000 {
            let length = random.below(1000);
            let often = 1 + random.below(100);
            let text: String = (0..length)
                .map(|_| match random.below(often) {
                    0 => ["\"", "\n", "\\", "\x02"][random.below(4)],
                    1 => "ж",
                    _ => "x",
                })
                .collect();
            assert_escaped(&text);
        }
    }
}

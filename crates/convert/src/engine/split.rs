//! Points at which input may be split, because a decoder is in its initial state there for any earlier input.

use mojika::Encoding;

/// The points at which text in an encoding may be split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Points {
    /// No points: the encoding is stateful or unknown.
    None,
    /// After every byte.
    Bytes,
    /// After a byte below 0x30: ASCII, and never the second, third or fourth byte of a character.
    ///
    /// After a lead byte, such a byte ends a malformed sequence, and the Standard's decoders restore it ("if byte is an
    /// ASCII byte, restore byte"). In gb18030, the bytes before it are restored, too. The decoder thus reads it in its
    /// initial state, and is in that state afterwards. Trail bytes of four-byte gb18030 begin at 0x30, all others at 0x40.
    LowAscii,
    /// After a UTF-16 code unit that is not a surrogate.
    Utf16 { big_endian: bool },
    /// After every two bytes, for encodings without line ends.
    Pairs,
    /// After every four bytes.
    Quads,
}

impl Points {
    /// Returns the points of `encoding`.
    pub fn of(encoding: &'static Encoding) -> Self {
        match encoding.name() {
            "UTF-16LE" => Self::Utf16 { big_endian: false },
            "UTF-16BE" => Self::Utf16 { big_endian: true },
            "UTF-8" | "gb18030" | "GBK" | "Big5" | "EUC-JP" | "EUC-KR" | "Shift_JIS" => {
                Self::LowAscii
            }
            "UTF-32BE" | "UTF-32LE" | "UTF-32-2143" | "UTF-32-3412" => Self::Quads,
            "replacement" => Self::None,
            _ if encoding.is_single_byte() => Self::Bytes,
            _ if encoding.code_unit_len() == 2 => Self::Pairs,
            _ => Self::None,
        }
    }

    /// Returns the length of the longest prefix of `block` that ends at a split point.
    ///
    /// `block` must start at a split point. A carriage return is never the last character of the prefix, so that line
    /// ends stay whole. A point after a line feed is preferred, unless the prefix is shorter than half of the block.
    pub fn last_in(self, block: &[u8]) -> Option<usize> {
        let far = |len: &usize| *len > block.len() / 2;
        match self {
            Self::None => None,
            Self::Bytes => {
                let line = memchr::memrchr(b'\n', block).map(|at| at + 1).filter(far);
                line.or_else(|| after_last(block, |byte| byte != b'\r'))
            }
            Self::LowAscii => {
                let line = memchr::memrchr(b'\n', block).map(|at| at + 1).filter(far);
                line.or_else(|| after_last(block, |byte| byte < 0x30 && byte != b'\r'))
            }
            Self::Utf16 { big_endian } => {
                let (units, _) = block.as_chunks::<2>();
                let is_point = |unit: &[u8; 2]| {
                    let unit = if big_endian {
                        u16::from_be_bytes(*unit)
                    } else {
                        u16::from_le_bytes(*unit)
                    };
                    !(0xD800..0xE000).contains(&unit) && unit != 0x0D
                };
                Some(2 * (units.iter().rposition(is_point)? + 1))
            }
            Self::Pairs => Some(block.len() & !1).filter(|&len| len > 0),
            Self::Quads => {
                let (quads, _) = block.as_chunks::<4>();
                // In either byte order, U+000D has one byte 0x0D and three zero bytes.
                let is_point = |quad: &[u8; 4]| {
                    !(quad.contains(&0x0D) && quad.iter().filter(|&&byte| byte == 0).count() == 3)
                };
                Some(4 * (quads.iter().rposition(is_point)? + 1))
            }
        }
    }
}

/// Returns the length of the prefix up to and including the last byte for which `is_point` is true.
fn after_last(block: &[u8], is_point: impl Fn(u8) -> bool) -> Option<usize> {
    Some(block.iter().rposition(|&byte| is_point(byte))? + 1)
}

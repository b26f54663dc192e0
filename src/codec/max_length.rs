//! Maximum lengths of an encoder's output: exact bounds for a whole stream. They follow from the longest output of an
//! encoding for one, two and three bytes of UTF-8, or for one UTF-16 code unit.
//!
//! In error mode "html", the longest output is a reference: "&#2047;" (7 bytes) for two bytes of UTF-8, and "&#65535;" (8
//! bytes) for three bytes or one code unit. Four bytes, or two code units, become at most 10 bytes. Every encoding with
//! unmappable scalar values, except gb18030, has some of each of these lengths.

use super::Scheme;

impl Scheme {
    /// Returns the maximum number of bytes for `n` bytes of UTF-8 in error mode "fatal".
    pub fn max_fatal_from_utf8(self, n: usize) -> Option<usize> {
        match self {
            Scheme::Linked(linked) => (linked.lengths.from_utf8[0])(n),
            Scheme::Utf16 { .. } => n.checked_mul(2),
            Scheme::Utf32(_) => n.checked_mul(4),
            // U+0080 takes four bytes.
            Scheme::Gb18030 { is_gbk: false } => n.checked_add(n - n % 2),
            Scheme::Iso2022Jp => {
                // Two UTF-8 bytes of Greek become 5 bytes with their escape sequence, and ASCII after them 4: nine bytes
                // for three. At the end, 3 more are added: 8 for two bytes, and 12 for four (Greek and U+00A5).
                let whole = (n / 3).checked_mul(9)?;
                whole.checked_add(match n % 3 {
                    0 => 0,
                    1 if n == 1 => 1,
                    1 => 3,
                    _ => 8,
                })
            }
            _ => Some(n),
        }
    }

    /// Returns the maximum number of bytes for `n` bytes of UTF-8 in error mode "html".
    pub fn max_html_from_utf8(self, n: usize) -> Option<usize> {
        match self {
            Scheme::Linked(linked) => (linked.lengths.from_utf8[1])(n),
            Scheme::Utf8 | Scheme::Utf16 { .. } | Scheme::Utf32(_) => self.max_fatal_from_utf8(n),
            // Only U+E5E5 is unmappable.
            Scheme::Gb18030 { is_gbk: false } => {
                (n / 3).checked_mul(8)?.checked_add([0, 1, 4][n % 3])
            }
            // One byte, U+000E, becomes "&#65533;".
            Scheme::Iso2022Jp => n.checked_mul(8),
            _ => (n / 2).checked_mul(7)?.checked_add(n % 2),
        }
    }

    /// Returns the maximum number of bytes for `n` UTF-16 code units in error mode "fatal".
    pub fn max_fatal_from_utf16(self, n: usize) -> Option<usize> {
        match self {
            Scheme::Linked(linked) => (linked.lengths.from_utf16[0])(n),
            Scheme::SingleByte(_)
            | Scheme::Permuted(_)
            | Scheme::XUserDefined
            | Scheme::Replacement => Some(n),
            Scheme::Utf8 => n.checked_mul(3),
            Scheme::Gb18030 { is_gbk: false } | Scheme::Utf32(_) => n.checked_mul(4),
            Scheme::Iso2022Jp => {
                // As from UTF-8, but every character is one unit: nine bytes for two units, and the same 3 at the end.
                let whole = (n / 2).checked_mul(9)?;
                whole.checked_add(match n % 2 {
                    0 if n == 0 => 0,
                    0 => 3,
                    _ => 8,
                })
            }
            _ => n.checked_mul(2),
        }
    }

    /// Returns the maximum number of bytes for `n` UTF-16 code units in error mode "html".
    pub fn max_html_from_utf16(self, n: usize) -> Option<usize> {
        match self {
            Scheme::Linked(linked) => (linked.lengths.from_utf16[1])(n),
            Scheme::Utf8 | Scheme::Utf16 { .. } | Scheme::Utf32(_) => self.max_fatal_from_utf16(n),
            _ => n.checked_mul(8),
        }
    }
}

//! UTF-7 (RFC 2152) in a stream of ASCII, independent of chunks.
//!
//! Other text has plus signs, too: source code, Base64, numbers. In UTF-7, each plus sign begins a Base64 sequence of
//! UTF-16, or is part of `+-`. The stream is UTF-7 only if that holds for every plus sign, and if the sequences encode
//! text that is unlikely by chance.

use super::units::Reading;
use memchr::memchr;

/// The number of bits by which the characters must cost less than random ones.
const GAIN: u32 = 24;

/// The minimum number of non-ASCII characters.
const LEAST: u32 = 3;

/// The number of remembered Base64 sequences.
const REMEMBERED: usize = 8;

/// The evidence of the Base64 sequences that have been read.
#[derive(Clone, Default)]
pub(super) struct Utf7 {
    failed: bool,
    run: Option<Base64Run>,
    /// The sum over all distinct sequences.
    all: Evidence,
    /// Hashes of the last distinct sequences: a repeated sequence adds no evidence.
    seen: [u32; REMEMBERED],
    /// The number of remembered sequences.
    count: usize,
}

/// The Base64 sequence that is being read.
#[derive(Clone, Default)]
struct Base64Run {
    digits: u32,
    hash: u32,
    /// The last bits, and the number of bits that are not yet part of a code unit.
    bits: u32,
    pending: u32,
    before: Evidence,
}

/// The evidence for UTF-7.
#[derive(Clone, Default)]
struct Evidence {
    digits: u32,
    beyond_ascii: u32,
    reading: Reading,
}

impl Utf7 {
    /// True if the stream is UTF-7 and cannot be ASCII.
    pub fn is_text(&self) -> bool {
        let all = &self.all;
        !self.failed
            && all.beyond_ascii >= LEAST
            && all.reading.is_text()
            && 6 * all.digits >= all.reading.cost() + GAIN
    }

    /// Reads one more chunk of ASCII.
    pub fn feed(&mut self, mut ascii: &[u8]) {
        while !self.failed {
            if self.run.is_none() {
                match memchr(b'+', ascii) {
                    Some(at) => ascii = &ascii[at + 1..],
                    None => return,
                }
                self.run = Some(Base64Run {
                    before: self.all.clone(),
                    ..Base64Run::default()
                });
            }
            let Some((&byte, rest)) = ascii.split_first() else {
                return;
            };
            ascii = rest;
            match digit(byte) {
                Some(value) => self.digit(value),
                None => self.end(byte),
            }
        }
    }

    fn digit(&mut self, value: u32) {
        let Some(run) = &mut self.run else {
            return;
        };
        run.digits += 1;
        run.hash = (run.hash ^ value).wrapping_mul(0x0100_0193);
        run.bits = run.bits << 6 | value;
        run.pending += 6;
        self.all.digits += 1;
        if run.pending >= 16 {
            run.pending -= 16;
            let unit = (run.bits >> run.pending) as u16;
            run.bits &= (1 << run.pending) - 1;
            self.all.beyond_ascii += u32::from(unit >= 0x80);
            self.all.reading.unit_16(unit);
        }
    }

    /// Ends the sequence before a byte that is not a Base64 digit.
    fn end(&mut self, byte: u8) {
        let Some(run) = self.run.take() else {
            return;
        };
        if run.digits == 0 {
            self.failed = byte != b'-';
            return;
        }
        // The remaining bits must be fewer than six, and zero.
        self.failed = run.pending >= 6 || run.bits != 0 || self.all.reading.bad_units() > 0;
        let known = &self.seen[..self.count.min(REMEMBERED)];
        if known.contains(&run.hash) {
            self.all = run.before;
        } else {
            self.seen[self.count % REMEMBERED] = run.hash;
            self.count += 1;
        }
    }
}

/// Returns the value of a Base64 digit.
fn digit(byte: u8) -> Option<u32> {
    Some(u32::from(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    }))
}

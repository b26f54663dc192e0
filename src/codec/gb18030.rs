//! gb18030 and GBK (sections 10.1 and 10.2 of the Standard): one decoder; GBK's encoder has no four-byte forms.

use super::decode::{well_formed, well_formed_double_byte};
use super::double_byte::{Encoding, Steps};
use super::gb18030_index::{four_byte, four_bytes, two_byte};
use super::restart::Backoff;
use super::{DecodeMachine, Malformed, Replay, Step, Unit};
use crate::simd::{DoubleByteDecode, DoubleByteEncode, Flat, Layout, Out, Packed, Values};
use crate::tables;

#[derive(Clone, Copy)]
pub(crate) struct Gb18030Decoder {
    first: u8,
    second: u8,
    third: u8,
}

impl Gb18030Decoder {
    pub const NEW: Self = Self {
        first: 0,
        second: 0,
        third: 0,
    };
}

/// Returns the scalar value and the length of the well-formed sequence at the start of `rest`, which does not start
/// with ASCII.
#[inline(always)]
fn sequence(rest: &[u8]) -> Option<(u32, usize)> {
    match *rest {
        [lead @ 0x81..=0xFE, trail @ 0x40..=0xFF, ..] => Some((two_byte(lead, trail)?.into(), 2)),
        [0x80, ..] => Some((0x20AC, 1)),
        [
            first @ 0x81..=0xFE,
            second @ 0x30..=0x39,
            third @ 0x81..=0xFE,
            fourth @ 0x30..=0x39,
            ..,
        ] => Some((four_byte([first, second, third, fourth])?, 4)),
        _ => None,
    }
}

/// Decodes well-formed input without vectors. Returns the number of bytes read.
#[inline(never)]
fn run<U: Unit>(src: &[u8], out: &mut Out<'_, U>) -> usize {
    well_formed(src, out, sequence)
}

static PAIRS: DoubleByteDecode = DoubleByteDecode {
    layout: Layout {
        leads: [(0x81, 0xFE); 2],
        plain: [(0x81, 0xFE); 2],
        lead_offsets: [0x81; 2],
        columns: 190,
        trails: [(0x40, 0x7E), (0x80, 0xFE)],
        trail_offsets: [0x40, 0x41],
        first_pointer: 0,
        katakana: false,
    },
    index: &tables::GB18030,
};

impl DecodeMachine for Gb18030Decoder {
    const MALFORMED_WITHIN: usize = 4;

    #[inline(always)]
    fn step(&mut self, byte: u8) -> Step {
        let Self {
            first,
            second,
            third,
        } = *self;
        // Step 3.
        if third != 0 {
            *self = Self::NEW;
            if !matches!(byte, 0x30..=0x39) {
                return Step::Malformed(Malformed {
                    len: 1,
                    replay: Replay::of([second, third]),
                    unread: true,
                    ..Malformed::default()
                });
            }
            return match four_byte([first, second, third, byte]) {
                Some(code_point) => Step::Scalar(code_point),
                None => Malformed::through(4),
            };
        }
        // Step 4.
        if second != 0 {
            if matches!(byte, 0x81..=0xFE) {
                self.third = byte;
                return Step::Continue;
            }
            *self = Self::NEW;
            return Step::Malformed(Malformed {
                len: 1,
                replay: Replay::of([second]),
                unread: true,
                ..Malformed::default()
            });
        }
        // Step 5.
        if first != 0 {
            if matches!(byte, 0x30..=0x39) {
                self.second = byte;
                return Step::Continue;
            }
            *self = Self::NEW;
            return match two_byte(first, byte) {
                Some(code_point) => Step::Scalar(code_point.into()),
                None => Malformed::pair(byte, 2),
            };
        }
        // Steps 6 to 9.
        match byte {
            0x00..=0x7F => Step::Scalar(byte.into()),
            0x80 => Step::Scalar(0x20AC),
            0x81..=0xFE => {
                self.first = byte;
                Step::Continue
            }
            0xFF => Malformed::through(1),
        }
    }

    fn finish(&mut self) -> Option<Malformed> {
        // Steps 1 and 2.
        let len = self.pending() as u8;
        *self = Self::NEW;
        Malformed::at_end(len)
    }

    #[inline(always)]
    fn is_neutral(&self) -> bool {
        self.first == 0
    }

    #[inline(always)]
    fn probes_ascii(&self) -> bool {
        true
    }

    fn prefix<U: Unit>(
        &mut self,
        src: &[u8],
        out: &mut Out<'_, U>,
        backoff: &mut Backoff,
    ) -> usize {
        well_formed_double_byte(&PAIRS, src, out, backoff, run)
    }

    #[inline(always)]
    fn short<U: Unit>(&mut self, src: &[u8], out: &mut Out<'_, U>) -> usize {
        run(src, out)
    }

    fn pending(&self) -> usize {
        [self.first, self.second, self.third]
            .iter()
            .filter(|&&byte| byte != 0)
            .count()
    }
}

/// The encoder's steps, of GBK or of gb18030.
struct Encode<const GBK: bool>;

impl<const GBK: bool> Steps for Encode<GBK> {
    #[inline(always)]
    fn bytes(scalar: u32) -> Option<Packed> {
        // Step 3: index gb18030 maps 0xA3 0xA0 to U+3000, so U+E5E5 has no bytes.
        if scalar == 0xE5E5 {
            return None;
        }
        // Step 4.
        if GBK && scalar == 0x20AC {
            return Some(Packed::one(0x80));
        }
        // Steps 5 to 7: the table includes the asymmetric rows of step 5.
        if let Ok(code_point) = u16::try_from(scalar)
            && let Some(pair) = tables::gb18030_bytes(code_point)
        {
            return Some(Packed::lead_trail(pair));
        }
        // Step 8.
        if GBK {
            return None;
        }
        // Steps 9 to 16.
        Some(Packed::of(four_bytes(scalar)))
    }

    #[inline(always)]
    fn pair(scalar: u32) -> Option<u16> {
        match scalar {
            0x4E00..=0x9FA5 => tables::gb18030_bytes(scalar as u16),
            _ => None,
        }
    }
}

/// The encoder of gb18030.
pub(crate) static ENCODE: Encoding = Encoding::new::<Encode<false>>(DoubleByteEncode {
    flat: Flat::new(),
    table: &tables::GB18030_ENCODE,
    values: Values::Bytes,
    ask: 0,
    // Two-byte characters missing in `table` are user-defined. The kernel does not handle four-byte characters.
    others: |scalar| match scalar {
        0xE000..=0xE765 => Encode::<true>::bytes(scalar),
        _ => None,
    },
});

/// The encoder of GBK.
pub(crate) static ENCODE_GBK: Encoding = Encoding::new::<Encode<true>>(DoubleByteEncode {
    flat: Flat::new(),
    table: &tables::GB18030_ENCODE,
    values: Values::Bytes,
    // The euro sign: one byte in GBK, two in gb18030.
    ask: 0x20AC,
    others: Encode::<true>::bytes,
});

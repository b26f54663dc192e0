//! UTF-16BE and UTF-16LE (sections 14.2 to 14.4 of the Standard).
//!
//! The Standard has no encoder for UTF-16. This one writes UTF-16 of the given byte order, so that a request for UTF-16
//! never yields UTF-8. The Web's rule is "get an output encoding".

use super::restart::Backoff;
use super::{
    Chars, DecodeMachine, EncodeMachine, EncodeStep, Malformed, Replay, Step, Unit, Unmappables,
};
use crate::simd::{self, Out, Packed, is_alone, is_lead, is_trail, join};

#[derive(Clone, Copy)]
pub(crate) struct Utf16Decoder {
    big_endian: bool,
    lead_byte: Option<u8>,
    lead_surrogate: Option<u16>,
}

impl Utf16Decoder {
    pub const fn new(big_endian: bool) -> Self {
        Self {
            big_endian,
            lead_byte: None,
            lead_surrogate: None,
        }
    }
}

/// Returns the code unit of two bytes.
#[inline(always)]
fn unit(big_endian: bool, bytes: [u8; 2]) -> u16 {
    if big_endian {
        u16::from_be_bytes(bytes)
    } else {
        u16::from_le_bytes(bytes)
    }
}

impl DecodeMachine for Utf16Decoder {
    fn step(&mut self, byte: u8) -> Step {
        // Step 3.
        let Some(lead_byte) = self.lead_byte.take() else {
            self.lead_byte = Some(byte);
            return Step::Continue;
        };
        // Steps 4 and 5.
        let code_unit = unit(self.big_endian, [lead_byte, byte]);
        // Step 6.
        if let Some(lead) = self.lead_surrogate.take() {
            if is_trail(code_unit) {
                return Step::Scalar(join(lead, code_unit));
            }
            return Step::Malformed(Malformed {
                len: 2,
                replay: Replay::of([lead_byte, byte]),
                ..Malformed::default()
            });
        }
        // Step 7.
        if is_lead(code_unit) {
            self.lead_surrogate = Some(code_unit);
            return Step::Continue;
        }
        // Step 8.
        if is_trail(code_unit) {
            return Malformed::through(2);
        }
        // Step 9.
        Step::Scalar(code_unit.into())
    }

    fn finish(&mut self) -> Option<Malformed> {
        // Steps 1 and 2.
        let len = self.pending() as u8;
        *self = Self::new(self.big_endian);
        Malformed::at_end(len)
    }

    #[inline(always)]
    fn is_neutral(&self) -> bool {
        self.lead_byte.is_none() && self.lead_surrogate.is_none()
    }

    #[inline(always)]
    fn malformed(&self, src: &[u8]) -> usize {
        let mut units = src
            .as_chunks()
            .0
            .iter()
            .map(|&bytes| unit(self.big_endian, bytes));
        // Steps 7 and 8: a lead surrogate without a trail, whose next unit is restored, or a trail without a lead.
        2 * usize::from(
            units
                .next()
                .is_some_and(|first| is_alone(first, units.next())),
        )
    }

    fn prefix<U: Unit>(&mut self, src: &[u8], out: &mut Out<'_, U>, _: &mut Backoff) -> usize {
        U::push_utf16(src, self.big_endian, out)
    }

    fn pending(&self) -> usize {
        usize::from(self.lead_byte.is_some()) + 2 * usize::from(self.lead_surrogate.is_some())
    }

    fn max_utf8(&self, n: usize, replacing: bool) -> Option<usize> {
        self.max_utf16(n, replacing)?.checked_mul(3)
    }

    fn max_utf16(&self, n: usize, replacing: bool) -> Option<usize> {
        // Every two bytes are a code unit or an error; a last odd byte is an error.
        Some(if replacing { n.div_ceil(2) } else { n / 2 })
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Utf16Encoder {
    big_endian: bool,
}

impl Utf16Encoder {
    pub const fn new(big_endian: bool) -> Self {
        Self { big_endian }
    }

    #[inline(always)]
    fn bytes(self, code_unit: u16) -> [u8; 2] {
        if self.big_endian {
            code_unit.to_be_bytes()
        } else {
            code_unit.to_le_bytes()
        }
    }

    #[inline(always)]
    fn pack(self, scalar: u32) -> Packed {
        match u16::try_from(scalar) {
            Ok(code_unit) => Packed::of(self.bytes(code_unit)),
            Err(_) => {
                let [lead, trail] = simd::pair_of(scalar);
                let ([a, b], [c, d]) = (self.bytes(lead), self.bytes(trail));
                Packed::of([a, b, c, d])
            }
        }
    }
}

impl EncodeMachine for Utf16Encoder {
    fn step(&mut self, scalar: u32) -> EncodeStep {
        EncodeStep::Bytes(self.pack(scalar))
    }

    fn prefix<S: Chars + ?Sized>(
        &mut self,
        src: &S,
        out: &mut Out<'_, u8>,
        _: &mut Unmappables,
    ) -> usize {
        src.by_form(
            out,
            |src, out| simd::utf8_to_utf16_bytes(src.as_bytes(), self.big_endian, out),
            |src, out| simd::utf16_to_utf16_bytes(src, self.big_endian, out),
        )
    }
}

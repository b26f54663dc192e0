//! UTF-7 (RFC 2152), and its form for IMAP mailbox names (RFC 3501, section 5.1.3).
//!
//! "+" shifts to Base64 of UTF-16BE, and "-" back. In IMAP, "&" shifts and "," replaces "/". A character in Base64
//! starts at the digit with its first bit, or at the shift before it. The remaining bits of a digit are kept in the
//! mode.

use super::by_steps::{self, Machine, State};
use super::linked::{Lengths, Linked};
use super::{Chars, EncodeStep, Malformed, Replay, Step, Unit};
use crate::simd::{self, Out, Packed};

struct Utf7 {
    shift: u8,
    /// The digit with the value 63.
    last_digit: u8,
    is_imap: bool,
    /// The value of each digit; [`NO_DIGIT`] for other bytes.
    digits: [u8; 256],
}

/// Set in a mode while Base64 is in force. Below it are the number of remaining bit pairs, and the remaining bits.
const BASE64: u8 = 0x40;
/// Set in an encoder's mode after the first of two surrogates is written.
const LEAD_WRITTEN: u8 = 0x80;

const NO_DIGIT: u8 = 0xFF;
const ALPHABET: &[u8; 63] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+";

/// The number of bytes that suffices for a shift and the sequence after it.
const WINDOW: usize = 8;

/// Bits of digits that do not form a complete unit yet.
#[derive(Clone, Copy)]
struct Bits {
    value: u32,
    count: u8,
}

impl Bits {
    /// Returns the remaining bits of a mode.
    fn of(mode: u8) -> Self {
        let count = 2 * (mode >> 4 & 3).min(2);
        Self {
            value: u32::from(mode & 0xF) & ((1 << count) - 1),
            count,
        }
    }

    /// Packs at most four bits into a mode.
    fn mode(self) -> u8 {
        BASE64 | (self.count / 2) << 4 | self.value as u8
    }

    /// Appends a digit. Returns the unit that it completes.
    #[inline(always)]
    fn push(&mut self, digit: u8) -> Option<u16> {
        self.value = self.value << 6 | u32::from(digit);
        self.count += 6;
        if self.count < 16 {
            return None;
        }
        self.count -= 16;
        let unit = (self.value >> self.count) as u16;
        self.value &= (1 << self.count) - 1;
        Some(unit)
    }
}

/// The complete code units of the current character, formed by the Base64 digits read so far.
enum Units {
    Incomplete,
    One(u16, Bits),
    /// A lead surrogate, completed by the first `digits` digits, and the code unit after it, if that is complete.
    Lead {
        lead: u16,
        digits: usize,
        bits: Bits,
        second: Option<(u16, Bits)>,
    },
}

impl Utf7 {
    const fn new(is_imap: bool) -> Self {
        let last_digit = if is_imap { b',' } else { b'/' };
        let mut digits = [NO_DIGIT; 256];
        digits[last_digit as usize] = 63;
        let mut value = 0;
        while value < ALPHABET.len() {
            digits[ALPHABET[value] as usize] = value as u8;
            value += 1;
        }
        Self {
            shift: if is_imap { b'&' } else { b'+' },
            last_digit,
            is_imap,
            digits,
        }
    }

    #[inline(always)]
    fn value(&self, byte: u8) -> Option<u8> {
        Some(self.digits[usize::from(byte)]).filter(|&value| value != NO_DIGIT)
    }

    fn digit(&self, value: u8) -> u8 {
        let at = usize::from(value & 63);
        ALPHABET.get(at).copied().unwrap_or(self.last_digit)
    }

    /// True if a byte is written as itself: RFC 2152's sets D and O and rule 3, or printable ASCII.
    #[inline(always)]
    fn is_direct(&self, byte: u8) -> bool {
        if self.is_imap {
            matches!(byte, 0x20..=0x7E) && byte != self.shift
        } else {
            matches!(byte, b'\t' | b'\n' | b'\r' | 0x20..=0x7D) && !matches!(byte, b'+' | b'\\')
        }
    }

    /// True if a unit must not be in Base64: RFC 3501 requires printable ASCII to be written as itself.
    #[inline(always)]
    fn is_forbidden(&self, unit: u16) -> bool {
        self.is_imap && matches!(unit, 0x20..=0x7E)
    }

    fn direct(&self, state: &mut State, byte: u8) -> Step {
        if byte == self.shift {
            state.hold(byte)
        } else if self.is_direct(byte) {
            Step::Scalar(byte.into())
        } else {
            Malformed::through(1)
        }
    }

    /// Returns the held digits, without a shift before them.
    fn held_digits<'a>(&self, state: &'a State) -> &'a [u8] {
        let held = state.held();
        if state.mode & BASE64 == 0 {
            held.get(1..).unwrap_or(&[])
        } else {
            held
        }
    }

    fn units(&self, state: &State, next: Option<u8>) -> Units {
        let mut bits = Bits::of(state.mode);
        let mut first = None;
        let held = self.held_digits(state).iter().copied();
        for (at, byte) in held.chain(next).enumerate() {
            let value = self.value(byte).unwrap_or(0);
            match (bits.push(value), first) {
                (None, _) => {}
                (Some(unit), None) if !simd::is_lead(unit) => return Units::One(unit, bits),
                (Some(lead), None) => first = Some((lead, at + 1, bits)),
                (Some(unit), Some((lead, digits, before))) => {
                    return Units::Lead {
                        lead,
                        digits,
                        bits: before,
                        second: Some((unit, bits)),
                    };
                }
            }
        }
        match first {
            None => Units::Incomplete,
            Some((lead, digits, bits)) => Units::Lead {
                lead,
                digits,
                bits,
                second: None,
            },
        }
    }

    /// Reports a lone lead surrogate as malformed; the digits after it are read again.
    fn lone_lead(&self, state: &mut State, digits: usize, bits: Bits, unread: bool) -> Malformed {
        let shift = usize::from(state.mode & BASE64 == 0);
        let len = shift + digits;
        let replay = match *state.held().get(len..).unwrap_or(&[]) {
            [] => Replay::default(),
            [first] => Replay::of([first]),
            [first, second, ..] => Replay::of([first, second]),
        };
        state.drop_held();
        state.mode = bits.mode();
        Malformed {
            len: len as u8,
            replay,
            unread,
            ..Malformed::default()
        }
    }

    /// Handles a digit, which may complete a character.
    fn digit_read(&self, state: &mut State, byte: u8) -> Step {
        let (unit, bits) = match self.units(state, Some(byte)) {
            Units::Incomplete | Units::Lead { second: None, .. } => return state.hold(byte),
            Units::One(unit, bits) => (u32::from(unit), bits),
            Units::Lead {
                lead,
                second: Some((trail, bits)),
                ..
            } if simd::is_trail(trail) => (simd::join(lead, trail), bits),
            Units::Lead { digits, bits, .. } => {
                return Step::Malformed(self.lone_lead(state, digits, bits, true));
            }
        };
        let len = state.drop_held() + 1;
        state.mode = bits.mode();
        match u16::try_from(unit) {
            Ok(unit) if simd::is_trail(unit) || self.is_forbidden(unit) => Malformed::through(len),
            _ => Step::Scalar(unit),
        }
    }

    /// Handles a byte that is not a digit and so ends Base64.
    fn end_base64(&self, state: &mut State, byte: u8) -> Step {
        if let Units::Lead { digits, bits, .. } = self.units(state, None) {
            return Step::Malformed(self.lone_lead(state, digits, bits, true));
        }
        if !state.held().is_empty() {
            state.mode = BASE64;
            return state.malformed_before();
        }
        let is_padded = Bits::of(state.mode).value == 0;
        state.mode = 0;
        match byte {
            b'-' if is_padded => Step::Continue,
            _ if is_padded && !self.is_imap => self.direct(state, byte),
            _ => Malformed::through(1),
        }
    }

    /// Decodes digits that form characters of one unit. Returns the number of digits.
    fn decode_digits<U: Unit>(&self, state: &mut State, src: &[u8], out: &mut Out<'_, U>) -> usize {
        let (mut read, mut bits) = (0, Bits::of(state.mode));
        for (at, &byte) in src.iter().enumerate() {
            let Some(value) = self.value(byte) else {
                break;
            };
            let Some(unit) = bits.push(value) else {
                continue;
            };
            let is_other = matches!(unit, 0xD800..=0xDFFF) || self.is_forbidden(unit);
            if is_other || !U::push_bmp(out, unit) {
                break;
            }
            (read, state.mode) = (at + 1, bits.mode());
        }
        read
    }

    /// Returns the digits of a unit after the remaining bits of the mode.
    fn encoded(&self, mode: u8, unit: u16) -> (Packed, Bits) {
        let mut bits = Bits::of(mode);
        bits.value = bits.value << 16 | u32::from(unit);
        bits.count += 16;
        let mut next = || {
            bits.count -= 6;
            self.digit((bits.value >> bits.count) as u8)
        };
        let (first, second) = (next(), next());
        let packed = if Bits::of(mode).count > 0 {
            Packed::of([first, second, next()])
        } else {
            Packed::of([first, second])
        };
        bits.value &= (1 << bits.count) - 1;
        (packed, bits)
    }

    /// Encodes non-ASCII characters of one unit from `read` on, inside Base64. Returns the offset of the next
    /// character.
    fn encode_units<S: Chars + ?Sized>(
        &self,
        state: &mut State,
        src: &S,
        mut read: usize,
        out: &mut Out<'_, u8>,
    ) -> usize {
        while let Some((scalar @ 0x80..=0xFFFF, length)) = src.scalar(read, false) {
            let (digits, bits) = self.encoded(state.mode, scalar as u16);
            if !digits.push_to(out) {
                break;
            }
            state.mode = bits.mode();
            read += usize::from(length);
        }
        read
    }

    /// Returns the bytes needed to end Base64 before the byte `before`.
    fn closing(&self, mode: u8, before: u8) -> Option<Packed> {
        let bits = Bits::of(mode);
        let digit = self.digit((bits.value << (6 - bits.count.min(6))) as u8);
        let is_marked = self.is_imap || before == b'-' || self.value(before).is_some();
        match (bits.count > 0, is_marked) {
            (true, true) => Some(Packed::of([digit, b'-'])),
            (true, false) => Some(Packed::one(digit)),
            (false, true) => Some(Packed::one(b'-')),
            (false, false) => None,
        }
    }
}

impl Machine for Utf7 {
    fn step(&self, state: &mut State, byte: u8) -> Step {
        let value = self.value(byte);
        match *state.held() {
            [] if state.mode & BASE64 == 0 => self.direct(state, byte),
            [shift] if state.mode & BASE64 == 0 && value.is_none() => {
                if byte != b'-' {
                    return state.malformed_before();
                }
                state.drop_held();
                Step::Scalar(shift.into())
            }
            _ if value.is_some() => self.digit_read(state, byte),
            _ => self.end_base64(state, byte),
        }
    }

    fn finish(&self, state: &mut State) -> Option<Malformed> {
        if let Units::Lead { digits, bits, .. } = self.units(state, None) {
            return Some(self.lone_lead(state, digits, bits, false));
        }
        if !self.held_digits(state).is_empty() {
            state.mode = BASE64;
        }
        Malformed::at_end(state.drop_held())
    }

    #[inline(never)]
    fn decode<U: Unit>(&self, state: &mut State, src: &[u8], out: &mut Out<'_, U>) -> usize {
        let mut read = 0;
        loop {
            let rest = &src[read..];
            read += if state.mode & BASE64 == 0 {
                by_steps::decode_ascii_while(rest, out, |byte| self.is_direct(byte))
            } else {
                self.decode_digits(state, rest, out)
            };
            // A shift, a surrogate pair, or a sequence that only the steps handle.
            let rest = &src[read..];
            let window = &rest[..rest.len().min(WINDOW)];
            let taken = by_steps::decode_by_steps(self, state, window, out);
            read += taken;
            if taken == 0 {
                return read;
            }
        }
    }

    #[inline(never)]
    fn encode_text<S: Chars + ?Sized>(
        &self,
        state: &mut State,
        src: &S,
        out: &mut Out<'_, u8>,
    ) -> usize {
        by_steps::encode_by_runs(self, state, src, out, |state, read, out| {
            let is_within_pair = state.mode & LEAD_WRITTEN != 0;
            match state.mode & BASE64 != 0 {
                false => {
                    let rest = src.tail(read);
                    read + by_steps::encode_ascii_while(rest, out, |byte| self.is_direct(byte))
                }
                true if is_within_pair => read,
                true => self.encode_units(state, src, read, out),
            }
        })
    }

    fn encode(&self, state: &mut State, scalar: u32) -> EncodeStep {
        let in_base64 = state.mode & BASE64 != 0;
        let byte = u8::try_from(scalar).unwrap_or(0xFF);
        let is_shift = byte == self.shift;
        if self.is_direct(byte) || is_shift && (self.is_imap || !in_base64) {
            let closing = self.closing(state.mode, byte).filter(|_| in_base64);
            state.mode = 0;
            return match (closing, is_shift) {
                (Some(closing), _) => EncodeStep::Escape(closing),
                (None, true) => EncodeStep::Bytes(Packed::of([byte, b'-'])),
                (None, false) => EncodeStep::Bytes(Packed::one(byte)),
            };
        }
        if !in_base64 {
            state.mode = BASE64;
            return EncodeStep::Escape(Packed::one(self.shift));
        }
        if let Ok(unit) = u16::try_from(scalar) {
            let (digits, bits) = self.encoded(state.mode, unit);
            state.mode = bits.mode();
            return EncodeStep::Bytes(digits);
        }
        // Two writes, because the output may be full after the first one.
        let [lead, trail] = simd::pair_of(scalar);
        if state.mode & LEAD_WRITTEN == 0 {
            let (digits, bits) = self.encoded(state.mode, lead);
            state.mode = bits.mode() | LEAD_WRITTEN;
            EncodeStep::Escape(digits)
        } else {
            let (digits, bits) = self.encoded(state.mode, trail);
            state.mode = bits.mode();
            EncodeStep::Bytes(digits)
        }
    }

    fn end(&self, state: &mut State) -> Option<Packed> {
        let mode = core::mem::take(&mut state.mode);
        self.closing(mode, b'-').filter(|_| mode & BASE64 != 0)
    }
}

/// Returns the maximum number of UTF-8 bytes. Eight digits are three code units, each of three bytes in UTF-8.
fn to_utf8(n: usize) -> Option<usize> {
    let digits = n.saturating_sub(1);
    Some(n.max(digits.checked_add(digits / 8)?))
}

pub(crate) static UTF_7: Linked = Linked {
    codec: &Utf7::new(false),
    is_ascii_compatible: false,
    is_stateful: true,
    code_unit_len: 1,
    in_references: None,
    lengths: {
        // The longest outputs are "+AH4-" for one byte, "+AH4-a" for two, and "+AH4Afg-" for two at the end.
        const LONGEST: fn(usize) -> Option<usize> = |n| match n {
            0 => Some(0),
            _ => n.checked_mul(3)?.checked_add(2),
        };
        Lengths {
            to_utf8,
            shift: 7,
            from_utf8: [LONGEST; 2],
            from_utf16: [LONGEST; 2],
        }
    },
};

/// The form of UTF-7 for IMAP.
pub(crate) static UTF_7_IMAP: Linked = Linked {
    codec: &Utf7::new(true),
    is_ascii_compatible: false,
    is_stateful: true,
    code_unit_len: 1,
    in_references: None,
    lengths: {
        // The longest outputs are "&AAo-" for one byte, "&AAo-&-" for two, and "&AAoACg-" for two at the end.
        const LONGEST: fn(usize) -> Option<usize> = |n| match n {
            0 => Some(0),
            _ => (n / 2).checked_mul(7)?.checked_add(1 + n % 2 * 4),
        };
        Lengths {
            to_utf8,
            shift: 7,
            from_utf8: [LONGEST; 2],
            from_utf16: [LONGEST; 2],
        }
    },
};

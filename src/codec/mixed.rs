//! EBCDIC with single and double bytes: 0x0E shifts to pairs, 0x0F back.
//!
//! A shift to the mode in force has no effect. In the pair mode, a byte that is not a lead is malformed alone, and so
//! is a lead without a trail; the byte after it is read again. Encoders shift where necessary, and back at the end.

use super::by_steps::{self, Machine, State};
use super::ebcdic_pairs::{self, Encode};
use super::linked::{Lengths, Linked};
use super::{Chars, EncodeStep, InReferences, Malformed, Step, Unit};
use crate::simd::{self, Out, Packed};
use crate::tables::extended::Permuted;
use crate::tables::pairs;
use core::marker::PhantomData;

const SHIFT_OUT: u8 = 0x0E;
const SHIFT_IN: u8 = 0x0F;

/// The number of bytes converted at once: enough for a kernel, and few enough to stay in the L1 cache.
const PART: usize = simd::tuning::SINGLE_BYTE_PART;

/// An encoding, defined by its single bytes and its pairs.
pub(crate) struct Mixed<P> {
    single: &'static Permuted,
    /// The code point of each single byte. Shift bytes and unmapped bytes have [`Permuted::UNMAPPED`].
    units: [u16; 256],
    pairs: PhantomData<fn() -> P>,
}

impl<P: Encode> Mixed<P> {
    const fn new(single: &'static Permuted) -> Self {
        let mut units = single.units();
        units[SHIFT_OUT as usize] = Permuted::UNMAPPED;
        units[SHIFT_IN as usize] = Permuted::UNMAPPED;
        Self {
            single,
            units,
            pairs: PhantomData,
        }
    }

    #[inline(always)]
    fn is_double(state: &State) -> bool {
        state.mode != 0
    }

    #[inline(always)]
    fn set_double(state: &mut State, double: bool) {
        state.mode = double.into();
    }

    /// Returns the code point of a single byte that is not a shift.
    #[inline(always)]
    fn single(&self, byte: u8) -> Option<u16> {
        let unit = self.units[usize::from(byte)];
        (unit != Permuted::UNMAPPED).then_some(unit)
    }

    /// Returns the single byte of a code point, unless it is a shift.
    #[inline(always)]
    fn byte(&self, scalar: u32) -> Option<u8> {
        let of_index = match scalar {
            0x0E | 0x0F => return None,
            0..0x80 => scalar as u8,
            _ => self.single.index.byte(u16::try_from(scalar).ok()?)?,
        };
        Some(self.single.from_index[usize::from(of_index)])
    }

    /// Decodes single bytes until a shift, by their kernel. Returns the number of bytes read.
    fn decode_single<U: Unit>(&self, src: &[u8], out: &mut Out<'_, U>) -> usize {
        let mut read = 0;
        let mut scratch = [0; PART];
        while read < src.len() {
            let part = &src[read..];
            let part = &part[..part.len().min(PART)];
            let end = memchr::memchr2(SHIFT_OUT, SHIFT_IN, part).unwrap_or(part.len());
            let permuted = &mut scratch[..end];
            simd::permute(self.single.to_index, &part[..end], permuted);
            let taken = U::push_single_byte(self.single.index.code_points(), permuted, out);
            read += taken;
            if taken < part.len() {
                break;
            }
        }
        read
    }

    /// Decodes single bytes of the BMP and pairs of one code point each, including shifts.
    #[inline(always)]
    fn fill(&self, state: &mut State, src: &[u8], units: &mut [u16]) -> Filled {
        let (mut read, mut count) = (0, 0);
        loop {
            let (rest, free) = (simd::tail(src, read), &mut units[count..]);
            if Self::is_double(state) {
                let pairs = ebcdic_pairs::fill::<P>(rest, free);
                (read, count) = (read + 2 * pairs, count + pairs);
            } else {
                let before = count;
                for (unit, &byte) in free.iter_mut().zip(rest).take(LONG) {
                    *unit = self.units[usize::from(byte)];
                    if *unit == Permuted::UNMAPPED {
                        break;
                    }
                    count += 1;
                }
                read += count - before;
                if count - before == LONG {
                    return Filled {
                        read,
                        count,
                        end: End::InSingle,
                    };
                }
            }
            match src.get(read) {
                Some(&byte) if matches!(byte, SHIFT_OUT | SHIFT_IN) => {
                    Self::set_double(state, byte == SHIFT_OUT);
                    read += 1;
                }
                Some(_) if count == units.len() => {
                    return Filled {
                        read,
                        count,
                        end: End::Full,
                    };
                }
                _ => {
                    return Filled {
                        read,
                        count,
                        end: End::Stop,
                    };
                }
            }
        }
    }
}

/// The number of consecutive single bytes after which the kernel takes over; most markup has shorter sequences.
const LONG: usize = 64;

/// The result of [`Mixed::fill`].
struct Filled {
    read: usize,
    count: usize,
    end: End,
}

enum End {
    /// All code units are filled.
    Full,
    /// [`LONG`] single bytes were read, and more may follow.
    InSingle,
    /// The caller must handle the next sequence.
    Stop,
}

impl<P: Encode> Machine for Mixed<P> {
    fn step(&self, state: &mut State, byte: u8) -> Step {
        if let &[lead] = state.held() {
            if !matches!(byte, 0x40..=0xFE) {
                return state.malformed_before();
            }
            state.drop_held();
            return ebcdic_pairs::step::<P>(lead, byte);
        }
        match byte {
            SHIFT_OUT | SHIFT_IN => {
                Self::set_double(state, byte == SHIFT_OUT);
                Step::Continue
            }
            0x40..=0xFE if Self::is_double(state) => state.hold(byte),
            _ if Self::is_double(state) => Malformed::through(1),
            _ => match self.single(byte) {
                Some(code_point) => Step::Scalar(code_point.into()),
                None => Malformed::through(1),
            },
        }
    }

    #[inline(never)]
    fn decode<U: Unit>(&self, state: &mut State, src: &[u8], out: &mut Out<'_, U>) -> usize {
        let mut units = [0; ebcdic_pairs::PART];
        let mut read = 0;
        while let Some(room) = ebcdic_pairs::room(out) {
            let filled = self.fill(state, &src[read..], &mut units[..room]);
            U::push_units(&units[..filled.count], out);
            read += filled.read;
            match filled.end {
                End::Full => {}
                End::InSingle => read += self.decode_single(&src[read..], out),
                End::Stop => return read,
            }
        }
        read + by_steps::decode_by_steps(self, state, &src[read..], out)
    }

    fn encode(&self, state: &mut State, scalar: u32) -> EncodeStep {
        // As in ISO-2022-JP, shift characters are not encoded but reported as U+FFFD.
        let is_shift = matches!(scalar, 0x0E | 0x0F);
        let single = self.byte(scalar).map(Packed::one);
        let double = || ebcdic_pairs::pair::<P>(scalar).map(Packed::lead_trail);
        match (single.or_else(double), single.is_none() && !is_shift) {
            (Some(bytes), is_double) if is_double == Self::is_double(state) => {
                EncodeStep::Bytes(bytes)
            }
            (Some(_), true) => {
                Self::set_double(state, true);
                EncodeStep::Escape(Packed::one(SHIFT_OUT))
            }
            // References are single bytes.
            _ if Self::is_double(state) => {
                Self::set_double(state, false);
                EncodeStep::Escape(Packed::one(SHIFT_IN))
            }
            _ if is_shift => EncodeStep::Unmappable(0xFFFD),
            _ => EncodeStep::Unmappable(scalar),
        }
    }

    fn end(&self, state: &mut State) -> Option<Packed> {
        let was_double = Self::is_double(state);
        Self::set_double(state, false);
        was_double.then(|| Packed::one(SHIFT_IN))
    }

    #[inline(never)]
    fn encode_text<S: Chars + ?Sized>(
        &self,
        state: &mut State,
        src: &S,
        out: &mut Out<'_, u8>,
    ) -> usize {
        if src.len() < SHORT {
            return by_steps::encode_by_steps(self, state, src, out);
        }
        // The first parts are small: work on them is lost if unmappable text follows soon.
        let head = src.head(FIRST);
        let read = self.encode_parts::<64, S>(state, head, out);
        if read < head.len() || read == src.len() {
            return read;
        }
        read + self.encode_parts::<1024, S>(state, src.tail(read), out)
    }
}

/// The length in units below which text is encoded by steps.
const SHORT: usize = 16;
/// The number of units encoded before the parts get larger.
const FIRST: usize = 256;

/// Up to `N` code units of a text that usually have pairs, and their pairs.
struct Wide<const N: usize> {
    units: [u16; N],
    pairs: [[u8; 2]; N],
}

impl<const N: usize> Wide<N> {
    /// Collects the units of a text that usually have pairs. Returns the pairs, up to the first unit without one.
    #[inline(always)]
    fn encode<P: Encode>(&mut self, units: &[u16]) -> &[[u8; 2]] {
        let (mut rest, mut count) = (units, 0);
        while !rest.is_empty() {
            let (run, others) = rest.split_at(ebcdic_pairs::wide_run(rest));
            if let Some(to) = self.units.get_mut(count..count + run.len()) {
                to.copy_from_slice(run);
                count += run.len();
            }
            let narrow = others
                .iter()
                .take_while(|&&unit| !ebcdic_pairs::is_wide(unit));
            rest = &others[narrow.count()..];
        }
        let mut out = Out::from_init(self.pairs.as_flattened_mut());
        let encoded = ebcdic_pairs::encode::<P>(&self.units[..count], &mut out);
        &self.pairs[..encoded]
    }
}

impl<P: Encode> Mixed<P> {
    /// Encodes parts of at most `N` code units.
    fn encode_parts<const N: usize, S: Chars + ?Sized>(
        &self,
        state: &mut State,
        src: &S,
        out: &mut Out<'_, u8>,
    ) -> usize {
        let mut scratch = [0; N];
        let mut wide = Wide {
            units: [0; N],
            pairs: [[0; 2]; N],
        };
        let mut read = 0;
        loop {
            let rest = src.tail(read);
            // Each unit may need a shift and a pair.
            let room = (out.room() / 3).min(N);
            if room < SHORT || rest.is_empty() {
                return read + by_steps::encode_by_steps(self, state, rest, out);
            }
            let (units, length) = rest.units(&mut scratch[..room]);
            let taken = self.encode_units(state, units, &mut wide, out);
            if taken == units.len() && taken > 0 {
                read += length;
                continue;
            }
            read += S::length_of(&units[..taken]);
            // A step handles characters above the BMP, and finds unmappable ones.
            match by_steps::encode_next(self, state, src, read, out) {
                Some(length) => read += length,
                None => return read,
            }
        }
    }

    /// Encodes mappable BMP characters. Returns the number of units read. `out` has space for three bytes per unit.
    fn encode_units<const N: usize>(
        &self,
        state: &mut State,
        units: &[u16],
        wide: &mut Wide<N>,
        out: &mut Out<'_, u8>,
    ) -> usize {
        let mut pairs = match P::KERNEL {
            Some(_) => wide.encode::<P>(units),
            None => &[],
        };
        let mut read = 0;
        while let Some(&unit) = units.get(read) {
            if P::KERNEL.is_some() && ebcdic_pairs::is_wide(unit) {
                let run = ebcdic_pairs::wide_run(&units[read..]);
                let (now, later) = pairs.split_at(run.min(pairs.len()));
                if now.is_empty() || !Self::shift(state, true, out) {
                    break;
                }
                if !out.push_slice(now.as_flattened()) {
                    break;
                }
                (pairs, read) = (later, read + now.len());
                if now.len() < run {
                    break;
                }
                continue;
            }
            if !Self::is_double(state) {
                let before = read;
                for eight in units[read..].as_chunks::<8>().0 {
                    let is_plain = |all, &unit| all & (unit < 0x80) & (unit & !1 != 0x0E);
                    if !eight.iter().fold(true, is_plain) {
                        break;
                    }
                    let bytes = eight.map(|unit| self.single.from_index[usize::from(unit as u8)]);
                    if !out.push_array(bytes) {
                        break;
                    }
                    read += 8;
                }
                if read > before {
                    continue;
                }
            }
            // From U+0100 on, nearly all characters have pairs, and none has both a pair and a single byte.
            let is_wide = ebcdic_pairs::is_wide(unit);
            let byte = || self.byte(unit.into());
            let pushed = if let Some(pair) = is_wide.then(|| P::pair(unit)).flatten() {
                Self::shift(state, true, out) && out.push_array(pair.to_be_bytes())
            } else if let Some(byte) = byte() {
                Self::shift(state, false, out) && out.push(byte)
            } else if let Some(pair) = P::pair(unit) {
                Self::shift(state, true, out) && out.push_array(pair.to_be_bytes())
            } else {
                false
            };
            if !pushed {
                break;
            }
            read += 1;
        }
        read
    }

    /// Shifts to pairs or back, unless that mode is in force. Returns false if the shift does not fit.
    #[inline(always)]
    fn shift(state: &mut State, double: bool, out: &mut Out<'_, u8>) -> bool {
        if Self::is_double(state) == double {
            return true;
        }
        Self::set_double(state, double);
        out.push(if double { SHIFT_OUT } else { SHIFT_IN })
    }
}

/// Maximum lengths from UTF-8 and from UTF-16, each in error modes "fatal" and "html".
const LENGTHS: [fn(usize) -> Option<usize>; 4] = [
    // Two UTF-8 bytes of Greek become three bytes with 0x0E; ASCII after them becomes two.
    |n| (n / 3).checked_mul(5)?.checked_add([0, 1, 4][n % 3]),
    // One byte, U+000E, becomes "&#65533;".
    |n| n.checked_mul(8),
    // As from UTF-8, but a character is one unit. At the end, two pairs with both shifts are six bytes.
    |n| {
        let whole = (n / 2).checked_mul(5)?;
        whole.checked_add(match n {
            0 => 0,
            _ if n % 2 == 0 => 1,
            _ => 4,
        })
    },
    |n| n.checked_mul(8),
];

/// Defines an encoding.
macro_rules! mixed {
    ($($(#[$doc:meta])* $name:ident: $single:ident, $pairs:ty, $to_utf8:expr;)*) => {
        $(
            $(#[$doc])*
            pub(crate) static $name: Linked = {
                static CODEC: Mixed<$pairs> = Mixed::new(&crate::tables::extended::$single);
                Linked {
                    codec: &CODEC,
                    is_ascii_compatible: false,
                    is_stateful: true,
                    code_unit_len: 1,
                    in_references: Some(InReferences::single(crate::tables::extended::$single.from_index)),
                    lengths: Lengths {
                        to_utf8: $to_utf8,
                        shift: 0,
                        from_utf8: [LENGTHS[0], LENGTHS[1]],
                        from_utf16: [LENGTHS[2], LENGTHS[3]],
                    },
                }
            };
        )*
    };
}

mixed! {
    IBM930: IBM290, pairs::Japan<false>, |n| n.checked_mul(3);
    IBM933: IBM833, pairs::Korea<false>, |n| n.checked_mul(3);
    IBM935: IBM836, pairs::China<false>, |n| n.checked_mul(3);
    IBM937: IBM28709, pairs::Taiwan<false>, |n| n.checked_mul(2);
    IBM939: IBM1027, pairs::Japan<false>, |n| n.checked_mul(3);
    IBM1364: IBM833, pairs::Korea<true>, |n| n.checked_mul(3);
    IBM1371: IBM1159, pairs::Taiwan<true>, |n| n.checked_mul(3);
    IBM1388: IBM836, pairs::China<true>, |n| n.checked_mul(3);
    IBM1390: IBM8482, pairs::Japan<true>, |n| n.checked_mul(3);
    IBM1399: IBM5123, pairs::Japan<true>, |n| n.checked_mul(3);
}

//! The decoder of ISO-2022-JP.

use super::super::restart::Backoff;
use super::super::{DecodeMachine, Malformed, Replay, Step, Unit, jis0208};
use super::{Mode, mode_of, push_plain_ascii};
use crate::simd::{Out, tail};
use core::hint::select_unpredictable;

/// The decoder's position in a sequence.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Between sequences.
    Neutral,
    /// After the given lead byte of jis0208.
    TrailByte(u8),
    /// After 0x1B.
    EscapeStart,
    /// After 0x1B and the given byte.
    Escape(u8),
}

#[derive(Clone, Copy)]
pub(crate) struct Iso2022JpDecoder {
    mode: Mode,
    phase: Phase,
    /// The Standard's "ISO-2022-JP output": true directly after an escape sequence.
    output: bool,
}

impl Iso2022JpDecoder {
    pub const NEW: Self = Self {
        mode: Mode::Ascii,
        phase: Phase::Neutral,
        output: false,
    };

    /// Returns a decoder in `mode`, as after a character.
    #[cfg(feature = "alloc")]
    pub fn in_mode(mode: Mode) -> Self {
        Self { mode, ..Self::NEW }
    }

    /// Returns the mode if it is the decoder's whole state, as after a character.
    #[cfg(feature = "alloc")]
    pub fn mode(&self) -> Option<Mode> {
        (self.phase == Phase::Neutral && !self.output).then_some(self.mode)
    }

    /// Discards the bytes of an incomplete character or escape sequence.
    pub fn forget_incomplete(&mut self) {
        self.phase = Phase::Neutral;
    }

    /// Returns the mode that the last escape sequence has selected.
    #[cfg(feature = "alloc")]
    pub fn selected(&self) -> Mode {
        self.mode
    }

    /// Handles a byte in one of the four output states.
    fn plain(&mut self, byte: u8) -> Step {
        if byte == 0x1B {
            self.phase = Phase::EscapeStart;
            return Step::Continue;
        }
        self.output = false;
        match (self.mode, byte) {
            (Mode::Ascii | Mode::Roman, 0x0E | 0x0F | 0x80..) => Malformed::through(1),
            (Mode::Roman, 0x5C) => Step::Scalar(0xA5),
            (Mode::Roman, 0x7E) => Step::Scalar(0x203E),
            (Mode::Ascii | Mode::Roman, _) => Step::Scalar(byte.into()),
            (Mode::Katakana, 0x21..=0x5F) => Step::Scalar(0xFF61 - 0x21 + u32::from(byte)),
            (Mode::LeadByte, 0x21..=0x7E) => {
                self.phase = Phase::TrailByte(byte);
                Step::Continue
            }
            (Mode::Katakana | Mode::LeadByte, _) => Malformed::through(1),
        }
    }

    /// Handles the byte after 0x1B and `lead`.
    fn escape(&mut self, lead: u8, byte: u8) -> Step {
        self.phase = Phase::Neutral;
        let Some(mode) = mode_of(lead, byte) else {
            self.output = false;
            return Step::Malformed(Malformed {
                len: 1,
                replay: Replay::of([lead]),
                unread: true,
                ..Malformed::default()
            });
        };
        self.mode = mode;
        if core::mem::replace(&mut self.output, true) {
            // The previous escape sequence had no output: it is malformed, and the current one is in force.
            return Step::Malformed(Malformed {
                len: 3,
                held: 3,
                ..Malformed::default()
            });
        }
        Step::Continue
    }
}

/// Decodes half-width katakana, with U+FFFD for other bytes, until 0x1B or the end. Returns the number of bytes read.
///
/// Not inlined, because inlining this function slows down noise in the other modes by 5 %.
#[inline(never)]
fn replace_katakana<U: Unit>(part: &[u8], out: &mut Out<'_, U>) -> usize {
    for (at, &byte) in part.iter().enumerate() {
        let katakana = u16::from(byte).wrapping_add(0xFF61 - 0x21);
        let is_mapped = byte.wrapping_sub(0x21) < 0x3F;
        let code_point = select_unpredictable(is_mapped, katakana, 0xFFFD);
        if byte == 0x1B || !U::push_bmp(out, code_point) {
            return at;
        }
    }
    part.len()
}

/// Decodes pairs. Returns the number of bytes read.
fn push_double_byte<U: Unit>(src: &[u8], out: &mut Out<'_, U>) -> usize {
    let mut read = 0;
    let mut out = out.local();
    for pair in src.as_chunks::<2>().0 {
        let (row, cell) = (pair[0].wrapping_sub(0x21), pair[1].wrapping_sub(0x21));
        if row >= 94 || cell >= 94 {
            break;
        }
        match jis0208::code_point(row, cell) {
            Some(code_point) if U::push_bmp(&mut out, code_point) => read += 2,
            _ => break,
        }
    }
    read
}

impl Iso2022JpDecoder {
    /// Decodes well-formed bytes of the current mode. Returns the number of bytes read.
    fn run<U: Unit>(&self, src: &[u8], out: &mut Out<'_, U>) -> usize {
        let mut each = |scalar: fn(u8) -> Option<u16>| {
            src.iter()
                .position(|&byte| !scalar(byte).is_some_and(|scalar| U::push_bmp(out, scalar)))
                .unwrap_or(src.len())
        };
        match self.mode {
            Mode::Ascii => push_plain_ascii(src, out),
            Mode::Roman => each(|byte| match byte {
                0x5C => Some(0xA5),
                0x7E => Some(0x203E),
                0x0E | 0x0F | 0x1B | 0x80.. => None,
                _ => Some(byte.into()),
            }),
            Mode::Katakana => each(|byte| match byte {
                0x21..=0x5F => Some(0xFF61 - 0x21 + u16::from(byte)),
                _ => None,
            }),
            Mode::LeadByte => push_double_byte(src, out),
        }
    }

    /// True if `src` starts with a byte that is malformed alone. In noise, half of the bytes are.
    #[inline(always)]
    fn refuses(&self, src: &[u8]) -> bool {
        matches!(
            (self.mode, src),
            (Mode::Ascii | Mode::Roman, [0x0E | 0x0F | 0x80.., ..])
                | (Mode::Katakana, [..=0x1A | 0x1C..=0x20 | 0x60.., ..])
                | (Mode::LeadByte, [..=0x1A | 0x1C..=0x20 | 0x7F.., ..])
        )
    }

    /// Decodes a part in this mode, with U+FFFD for malformed sequences, until 0x1B or the end. Returns the number of bytes
    /// read.
    ///
    /// This function has no branches on malformed bytes, which are unpredictable in noise.
    fn replace_part<U: Unit>(&self, part: &[u8], out: &mut Out<'_, U>) -> usize {
        match self.mode {
            Mode::Ascii | Mode::Roman => {
                let mut end = memchr::memchr3(0x0E, 0x0F, 0x1B, part).unwrap_or(part.len());
                if self.mode == Mode::Roman {
                    end = memchr::memchr2(0x5C, 0x7E, &part[..end]).unwrap_or(end);
                }
                U::push_single_byte(&REPLACED, &part[..end], out)
            }
            Mode::Katakana => replace_katakana(part, out),
            Mode::LeadByte => {
                let mut at = 0;
                while let [lead, trail, ..] = part[at..]
                    && lead != 0x1B
                    && trail != 0x1B
                {
                    let (row, cell) = (lead.wrapping_sub(0x21), trail.wrapping_sub(0x21));
                    let code_point = jis0208::code_point(row.min(93), cell.min(93));
                    let is_pair = (row < 94) & (cell < 94);
                    let code_point =
                        select_unpredictable(is_pair, code_point.unwrap_or(0xFFFD), 0xFFFD);
                    if !U::push_bmp(out, code_point) {
                        break;
                    }
                    at += 1 + usize::from(row < 94);
                }
                at
            }
        }
    }
}

/// ASCII as a single-byte encoding in which other bytes decode to U+FFFD.
static REPLACED: [u16; 128] = [0xFFFD; 128];

impl DecodeMachine for Iso2022JpDecoder {
    fn step(&mut self, byte: u8) -> Step {
        match self.phase {
            Phase::Neutral => self.plain(byte),
            Phase::TrailByte(lead) => {
                if byte == 0x1B {
                    self.phase = Phase::EscapeStart;
                    return Step::Malformed(Malformed {
                        len: 1,
                        held: 1,
                        ..Malformed::default()
                    });
                }
                self.phase = Phase::Neutral;
                let code_point = match byte {
                    0x21..=0x7E => jis0208::code_point(lead - 0x21, byte - 0x21),
                    _ => None,
                };
                match code_point {
                    Some(code_point) => Step::Scalar(code_point.into()),
                    None => Malformed::through(2),
                }
            }
            Phase::EscapeStart => {
                if matches!(byte, 0x24 | 0x28) {
                    self.phase = Phase::Escape(byte);
                    return Step::Continue;
                }
                self.output = false;
                self.phase = Phase::Neutral;
                Malformed::before(1)
            }
            Phase::Escape(lead) => self.escape(lead, byte),
        }
    }

    fn finish(&mut self) -> Option<Malformed> {
        let phase = core::mem::replace(&mut self.phase, Phase::Neutral);
        let replay = match phase {
            Phase::Neutral => return None,
            Phase::TrailByte(_) => Replay::default(),
            Phase::EscapeStart => {
                self.output = false;
                Replay::default()
            }
            Phase::Escape(lead) => {
                self.output = false;
                Replay::of([lead])
            }
        };
        Some(Malformed {
            len: 1,
            replay,
            ..Malformed::default()
        })
    }

    #[inline(always)]
    fn is_neutral(&self) -> bool {
        self.phase == Phase::Neutral
    }

    #[inline(always)]
    fn malformed(&self, src: &[u8]) -> usize {
        // With `output` set, a malformed byte also clears it, which only the state machine can do.
        usize::from(!self.output && self.refuses(src))
    }

    fn replace<U: Unit>(&self, src: &[u8], out: &mut Out<'_, U>) -> usize {
        const PART: usize = 64;
        let mut read = 0;
        loop {
            let part = &src[read..src.len().min(read + PART)];
            let taken = self.replace_part(part, out);
            read += taken;
            // A part without bytes above 0x7F has few malformed sequences.
            if taken + 1 < PART || part.is_ascii() {
                return read;
            }
        }
    }

    fn prefix<U: Unit>(&mut self, src: &[u8], out: &mut Out<'_, U>, _: &mut Backoff) -> usize {
        if self.refuses(src) {
            return 0;
        }
        let mut read = 0;
        loop {
            let taken = self.run(tail(src, read), out);
            read += taken;
            self.output &= taken == 0;
            // Handle a complete, known escape sequence that follows some output. Leave others to the machine.
            match src[read..] {
                [0x1B, lead, byte, ..] if !self.output => match mode_of(lead, byte) {
                    Some(mode) => self.mode = mode,
                    None => return read,
                },
                _ => return read,
            }
            self.output = true;
            read += 3;
        }
    }

    fn pending(&self) -> usize {
        // The last escape sequence becomes malformed if no output follows it.
        self.incomplete() + usize::from(self.output)
    }

    fn incomplete(&self) -> usize {
        match self.phase {
            Phase::Neutral => 0,
            Phase::TrailByte(_) | Phase::EscapeStart => 1,
            Phase::Escape(_) => 2,
        }
    }

    fn max_utf8(&self, n: usize, replacing: bool) -> Option<usize> {
        // Three bytes for one: U+FFFD, half-width katakana, U+203E. In the other modes these need an escape sequence
        // first.
        let wide = n.saturating_sub(3).checked_mul(3)?;
        match self.mode {
            _ if replacing => n.checked_mul(3),
            Mode::Roman | Mode::Katakana => n.checked_mul(3),
            Mode::Ascii => Some(wide.max(n)),
            Mode::LeadByte => Some(wide.max(n.checked_add(n / 2)?)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::decode::{Errors, decode};
    use super::*;
    use crate::codec::AnyDecoder;
    use mojika_spec::Random;
    use std::vec::Vec;

    /// Decodes the bytes in chunks of `chunk` bytes. Malformed sequences become U+FFFD.
    fn text(bytes: &[u8], chunk: usize) -> Vec<u16> {
        let mut machine = AnyDecoder::Iso2022Jp(Iso2022JpDecoder::NEW);
        let mut replay = Replay::default();
        let mut errors = Errors {
            replace: true,
            seen: false,
        };
        let mut units = std::vec![0; bytes.len()];
        let mut out = Out::from_init(&mut units);
        for chunk in bytes.chunks(chunk) {
            decode(
                &mut machine,
                &mut replay,
                chunk,
                false,
                &mut out,
                false,
                &mut errors,
            );
        }
        out.written_slice().to_vec()
    }

    #[test]
    fn noise_is_replaced_in_every_mode() {
        for escape in [b"\x1B(B", b"\x1B(J", b"\x1B(I", b"\x1B$B"] {
            let mut random = Random::new(1);
            let mut bytes = escape.to_vec();
            // Three in four bytes are below 0x80, so that pairs occur.
            bytes.extend((0..30_000).map(|_| random.byte() & *random.pick(&[0x7F, 0xFF])));
            // One byte at a time, so that no fast path applies.
            assert_eq!(text(&bytes, bytes.len()), text(&bytes, 1), "{escape:?}");
        }
    }
}

//! ISO-2022-JP (section 12.2 of the Standard): escape sequences switch between ASCII, Roman, katakana and jis0208.

use super::encode::Packed;
use super::{DecodeMachine, EncodeMachine, EncodeStep, Malformed, Replay, Step, Unit, jis0208};
use crate::simd::{Layout, Out, Pairs};
use crate::tables;

/// A decoder's output state: what bytes mean outside escape sequences.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Ascii,
    Roman,
    Katakana,
    LeadByte,
}

/// Where in a sequence the decoder is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Between sequences.
    Neutral,
    /// After this lead byte of jis0208.
    TrailByte(u8),
    /// After 0x1B.
    EscapeStart,
    /// After 0x1B and this byte.
    Escape(u8),
}

#[derive(Clone, Copy)]
pub(crate) struct Iso2022JpDecoder {
    mode: Mode,
    phase: Phase,
    /// The Standard's "ISO-2022-JP output": true directly after an escape sequence.
    output: bool,
}

impl Default for Iso2022JpDecoder {
    fn default() -> Self {
        Self {
            mode: Mode::Ascii,
            phase: Phase::Neutral,
            output: false,
        }
    }
}

impl Iso2022JpDecoder {
    /// A byte in one of the four output states.
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

    /// The byte after 0x1B and `lead`.
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
            // The escape sequence before this one had no output: that one is malformed, this one is in force.
            return Step::Malformed(Malformed {
                len: 3,
                held: 3,
                ..Malformed::default()
            });
        }
        Step::Continue
    }
}

/// The mode that an escape sequence selects by its second and third byte.
#[inline(always)]
fn mode_of(lead: u8, byte: u8) -> Option<Mode> {
    match (lead, byte) {
        (0x28, 0x42) => Some(Mode::Ascii),
        (0x28, 0x4A) => Some(Mode::Roman),
        (0x28, 0x49) => Some(Mode::Katakana),
        (0x24, 0x40 | 0x42) => Some(Mode::LeadByte),
        _ => None,
    }
}

/// Copies ASCII up to a byte that has a meaning of its own here; returns its length.
///
/// In windows that grow, so that a long run is scanned at full speed and a short one is not scanned beyond.
fn push_plain_ascii<U: Unit>(src: &[u8], out: &mut Out<'_, U>) -> usize {
    let mut read = 0;
    let mut window = 64;
    loop {
        let rest = &src[read..];
        let rest = &rest[..rest.len().min(window)];
        let end = memchr::memchr3(0x0E, 0x0F, 0x1B, rest).unwrap_or(rest.len());
        let taken = U::push_ascii(&rest[..end], out);
        read += taken;
        if taken < window {
            return read;
        }
        window = (window * 2).min(8192);
    }
}

/// The pairs of mode "lead byte", for the vector kernel.
#[derive(Clone, Copy)]
struct Iso2022JpPairs;

impl Pairs for Iso2022JpPairs {
    const LAYOUT: Layout = Layout {
        leads: [(0x21, 0x7E); 2],
        plain: [(0x21, 0x7E); 2],
        lead_offsets: [0x21; 2],
        columns: 94,
        trails: [(0x21, 0x7E); 2],
        trail_offsets: [0x21; 2],
        first_pointer: 0,
        katakana: false,
        ascii: false,
    };

    fn index() -> &'static [u16] {
        &tables::decode::JIS0208
    }
}

/// Decodes pairs; returns how many bytes. The vector kernel starts where a run proves long.
fn push_pairs<U: Unit>(src: &[u8], out: &mut Out<'_, U>) -> usize {
    const FIRST: usize = 32;
    let mut read = 0;
    for pair in src.chunks_exact(2) {
        let (row, cell) = (pair[0].wrapping_sub(0x21), pair[1].wrapping_sub(0x21));
        if row >= 94 || cell >= 94 {
            break;
        }
        match jis0208::code_point(row, cell) {
            Some(code_point) if U::push_bmp(out, code_point) => read += 2,
            _ => break,
        }
        if read == FIRST && src.len() >= FIRST + 64 {
            read += U::push_pairs::<Iso2022JpPairs>(&src[read..], out);
            if read > FIRST {
                break;
            }
        }
    }
    read
}

impl Iso2022JpDecoder {
    /// Decodes well-formed bytes of one mode; returns how many.
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
            Mode::LeadByte => push_pairs(src, out),
        }
    }
}

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

    fn prefix<U: Unit>(&mut self, src: &[u8], out: &mut Out<'_, U>) -> usize {
        let mut read = 0;
        loop {
            let taken = self.run(&src[read..], out);
            read += taken;
            self.output &= taken == 0;
            // An escape sequence that is complete and known, behind some output: anything else is the machine's.
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
        let phase = match self.phase {
            Phase::Neutral => 0,
            Phase::TrailByte(_) | Phase::EscapeStart => 1,
            Phase::Escape(_) => 2,
        };
        // An escape sequence without output may yet turn out malformed.
        phase + usize::from(self.output)
    }

    fn max_utf8(&self, n: usize, replacing: bool) -> Option<usize> {
        // Three bytes for one: U+FFFD, half-width katakana, U+203E. Other states must first spend an escape sequence.
        let wide = n.saturating_sub(3).checked_mul(3)?;
        match self.mode {
            _ if replacing => n.checked_mul(3),
            Mode::Roman | Mode::Katakana => n.checked_mul(3),
            Mode::Ascii => Some(wide.max(n)),
            Mode::LeadByte => Some(wide.max(n.checked_add(n / 2)?)),
        }
    }
}

/// An encoder's state.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    Ascii,
    Roman,
    Jis0208,
}

#[derive(Clone, Copy, Default)]
pub(crate) struct Iso2022JpEncoder {
    state: State,
}

impl Iso2022JpEncoder {
    fn switch(&mut self, state: State) -> Packed {
        self.state = state;
        Packed::of(match state {
            State::Ascii => [0x1B, 0x28, 0x42],
            State::Roman => [0x1B, 0x28, 0x4A],
            State::Jis0208 => [0x1B, 0x24, 0x42],
        })
    }

    /// Step 9 and 10: row and cell, half-width katakana as full-width.
    #[inline(always)]
    fn row_cell(scalar: u32) -> Option<u16> {
        match scalar {
            0xFF61..=0xFF9F => {
                let full_width = tables::iso_2022_jp_katakana((scalar - 0xFF61) as u8);
                jis0208::row_cell(full_width.into())
            }
            _ => jis0208::row_cell(scalar),
        }
    }
}

/// The byte of a scalar value that is one byte in the state given, and needs no change of state.
#[inline(always)]
fn single(state: State, scalar: u32) -> Option<u8> {
    match (state, scalar) {
        (State::Jis0208, _) | (_, 0x0E | 0x0F | 0x1B) => None,
        // Step 4.
        (State::Ascii, 0..=0x7F) => Some(scalar as u8),
        // Step 5.
        (State::Roman, 0x5C | 0x7E) => None,
        (State::Roman, 0..=0x7F) => Some(scalar as u8),
        (State::Roman, 0xA5) => Some(0x5C),
        (State::Roman, 0x203E) => Some(0x7E),
        _ => None,
    }
}

impl EncodeMachine for Iso2022JpEncoder {
    fn step(&mut self, scalar: u32) -> EncodeStep {
        // Step 3: against attacks, U+FFFD is reported instead of the control.
        if self.state != State::Jis0208 && matches!(scalar, 0x0E | 0x0F | 0x1B) {
            return EncodeStep::Unmappable(0xFFFD);
        }
        // Steps 4 and 5.
        if let Some(byte) = single(self.state, scalar) {
            return EncodeStep::Bytes(Packed::one(byte));
        }
        match scalar {
            // Step 6.
            0..=0x7F => return EncodeStep::Escape(self.switch(State::Ascii)),
            // Step 7.
            0xA5 | 0x203E => return EncodeStep::Escape(self.switch(State::Roman)),
            _ => {}
        }
        // Steps 8 to 10.
        let Some(row_cell) = Self::row_cell(scalar) else {
            // Step 11.
            if self.state == State::Jis0208 {
                return EncodeStep::Escape(self.switch(State::Ascii));
            }
            return EncodeStep::Unmappable(scalar);
        };
        // Step 12.
        if self.state != State::Jis0208 {
            return EncodeStep::Escape(self.switch(State::Jis0208));
        }
        // Steps 13 to 15.
        EncodeStep::Bytes(Packed::lead_trail(row_cell + 0x2121))
    }

    fn finish(&mut self) -> Option<Packed> {
        // Steps 1 and 2.
        (self.state != State::Ascii).then(|| self.switch(State::Ascii))
    }

    fn prefix_utf8(&mut self, src: &str, out: &mut Out<'_, u8>) -> usize {
        let mut rest = src;
        loop {
            if self.state == State::Ascii {
                rest = &rest[push_plain_ascii(rest.as_bytes(), out)..];
            }
            let mut chars = rest.chars();
            match chars.next() {
                Some(scalar) if self.push(scalar.into(), out) => rest = chars.as_str(),
                _ => return src.len() - rest.len(),
            }
        }
    }

    fn prefix_utf16(&mut self, src: &[u16], out: &mut Out<'_, u8>) -> usize {
        // Surrogates have no bytes.
        src.iter()
            .position(|&unit| !self.push(unit.into(), out))
            .unwrap_or(src.len())
    }
}

impl Iso2022JpEncoder {
    /// Writes a scalar value, with an escape sequence before it between ASCII and jis0208; false, and nothing written,
    /// for whatever the machine shall handle.
    #[inline(always)]
    fn push(&mut self, scalar: u32, out: &mut Out<'_, u8>) -> bool {
        match self.state {
            State::Jis0208 if matches!(scalar, 0..=0x7F) => {
                let plain = !matches!(scalar, 0x0E | 0x0F | 0x1B);
                let done = plain && out.push_packed(ascii_escape(scalar), 4);
                if done {
                    self.state = State::Ascii;
                }
                done
            }
            State::Jis0208 if matches!(scalar, 0xA5 | 0x203E) => false,
            State::Jis0208 => Self::pair(scalar).is_some_and(|pair| pair.push_to(out)),
            State::Ascii if scalar >= 0x80 && !matches!(scalar, 0xA5 | 0x203E) => {
                let Some(pair) = Self::pair(scalar) else {
                    return false;
                };
                let mut switched = *self;
                let escape = switched.switch(State::Jis0208);
                let done = out.room() >= 5 && escape.push_to(out) && pair.push_to(out);
                if done {
                    *self = switched;
                }
                done
            }
            state => single(state, scalar).is_some_and(|byte| out.push(byte)),
        }
    }

    /// The two bytes of a scalar value in jis0208.
    #[inline(always)]
    fn pair(scalar: u32) -> Option<Packed> {
        Some(Packed::lead_trail(Self::row_cell(scalar)? + 0x2121))
    }
}

/// The escape sequence to ASCII and an ASCII character, packed.
fn ascii_escape(scalar: u32) -> u32 {
    u32::from_le_bytes([0x1B, 0x28, 0x42, scalar as u8])
}

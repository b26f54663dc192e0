//! Encoding to single bytes where much is unmappable, with numeric character references for that: text with emoji, say.
//!
//! A kernel's start behind each of them, or the codec's driver, would cost more than what is between them. So this takes
//! pieces of text, references and all, until there have been some without any. What a piece becomes is written beside the
//! output first, as [`short`](super::short) does for text as long.

use core::hint::select_unpredictable;
use core::mem::MaybeUninit;

use super::super::arrays::{after, each};
use super::super::ascii::bits::{MOST, STEP, not_ascii, steps};
use super::super::out::Out;
use super::super::reference::reference;
use super::super::sequence::four;
use super::super::surrogates::{is_lead, is_surrogate, scalar_of};
use super::portable::{byte_of, character};
use super::short::{RUN, copy_run, has_in_row, narrow, padded};
use super::{Pages, utf8_piece};

/// Units of a piece: a bit for each.
const PIECE: usize = MOST;
/// Pieces have so many at least, where there is little room.
const LEAST: usize = 8;
/// Bytes that a unit becomes, at most: `&#65535;`. A reference to a character of two units, or of four bytes, has ten.
const LONGEST: usize = 8;
/// With room for less, nothing is done here.
pub(crate) const FEW_ROOM: usize = LEAST * LONGEST;
/// What a piece becomes, and behind that what is written and does not count.
type Beside = [MaybeUninit<u8>; LONGEST * PIECE + RUN];

/// What was encoded.
pub(crate) struct Few {
    /// Units read.
    pub read: usize,
    /// Whether a kernel may go on, as nothing unmappable is near. Else there is nothing left, or too little room, or
    /// something that the codec treats.
    pub is_calm: bool,
    /// Whether there were references.
    pub replaced: bool,
}

/// What a piece became: units read, and bytes written.
#[derive(Default)]
pub(crate) struct Piece {
    read: usize,
    written: usize,
    replaced: bool,
}

/// Text, as UTF-8 or UTF-16.
///
/// # Safety
/// [`convert`](Self::convert) initialises the bytes that it says it has written.
pub(crate) unsafe trait Text {
    fn len(&self) -> usize;

    fn after(&self, at: usize) -> &Self;

    /// The characters that end within the first `most` units, which are [`LEAST`] or more.
    fn piece(&self, most: usize) -> &Self;

    /// Whether text that does not start with ASCII has among its first units a part of a character beyond U+FFFF, which most
    /// encodings lack.
    fn starts_beyond_bmp(&self) -> bool;

    /// So many pieces without anything unmappable are as many as a kernel is worth its start for.
    fn calm_pieces(pages: &Pages<'_>) -> usize;

    /// Converts a piece, with references, if so it is wanted; else up to something unmappable.
    fn convert(&self, pages: &Pages<'_>, beside: &mut Beside, references: bool) -> Piece;
}

/// Encodes pieces until there have been [`Text::calm_pieces`], with references, if so it is wanted.
#[inline(never)]
pub(crate) fn encode<T: Text + ?Sized>(
    pages: &Pages<'_>,
    src: &T,
    out: &mut Out<'_, u8>,
    references: bool,
) -> Few {
    let mut few = Few {
        read: 0,
        is_calm: false,
        replaced: false,
    };
    let mut beside = [MaybeUninit::uninit(); LONGEST * PIECE + RUN];
    let mut calm_pieces = 0;
    while !few.is_calm {
        // Whatever it becomes, it fits.
        let most = PIECE.min(out.room() / LONGEST);
        if most < LEAST {
            break;
        }
        let piece = src.after(few.read).piece(most);
        let converted = piece.convert(pages, &mut beside, references);
        // SAFETY: `convert` initialised as many bytes: the contract of `Text`.
        let fits = unsafe { out.push_beside(&beside, converted.written) };
        debug_assert!(fits);
        few.read += converted.read;
        few.replaced |= converted.replaced;
        if converted.read < piece.len() || converted.read == 0 {
            break;
        }
        calm_pieces = if converted.replaced {
            0
        } else {
            calm_pieces + 1
        };
        few.is_calm = calm_pieces == T::calm_pieces(pages);
    }
    few
}

/// Writes what a piece becomes.
struct Writer<'a> {
    beside: &'a mut Beside,
    piece: Piece,
}

impl<'a> Writer<'a> {
    #[inline(always)]
    fn new(beside: &'a mut Beside) -> Self {
        let piece = Piece::default();
        Self { beside, piece }
    }

    #[inline(always)]
    fn rest(&mut self) -> &mut [MaybeUninit<u8>] {
        &mut self.beside[self.piece.written..]
    }

    /// Takes note of so many units that were read, and bytes that were written.
    #[inline(always)]
    fn advance(&mut self, read: usize, written: usize) {
        self.piece.read += read;
        self.piece.written += written;
    }

    /// Writes the byte of a character of `len` units.
    #[inline(always)]
    fn byte(&mut self, byte: u8, len: usize) {
        self.beside[self.piece.written].write(byte);
        self.advance(len, 1);
    }

    /// Writes a reference to a character of `len` units.
    #[inline(always)]
    fn reference(&mut self, scalar: u32, len: usize) {
        let (bytes, written) = reference(scalar);
        let to = &mut self.rest()[..bytes.len()];
        // SAFETY: as many bytes are writable there.
        unsafe { to.as_mut_ptr().cast::<[u8; 16]>().write(bytes) };
        self.advance(len, written);
        self.piece.replaced = true;
    }

    /// Writes the run of ASCII that is next: `others` has the bits of all units of `src` that are not.
    #[inline(always)]
    fn run(&mut self, src: &[u8], padded: &[u8; MOST + RUN], others: u64) {
        let at = self.piece.read;
        assert!(at <= src.len() && src.len() <= PIECE);
        let run = src
            .len()
            .min(others.trailing_zeros() as usize)
            .saturating_sub(at);
        let to = self.rest();
        assert!(to.len() >= if run > RUN { MOST } else { RUN });
        // SAFETY: `at + run` is no more than `src.len()`, which is no more than MOST; as many bytes are writable as just
        // compared.
        unsafe { copy_run(src, padded, at, to.as_mut_ptr().cast(), run) };
        self.advance(run, run);
    }
}

/// `bits` without those below `at`, which is 64 at most.
#[inline(always)]
fn from(bits: u64, at: usize) -> u64 {
    bits & u64::MAX.checked_shl(at as u32).unwrap_or(0)
}

/// The bytes of the 128 code points around an encoding's letter.
struct Letters {
    first: u16,
    bytes: [u8; 128],
}

impl Letters {
    #[inline(always)]
    fn new(pages: &Pages<'_>) -> Self {
        let first = pages.letter & !0x7F;
        let block = usize::from(first >> 6);
        let mut bytes = [0; 128];
        bytes[..64].copy_from_slice(pages.page(block));
        bytes[64..].copy_from_slice(pages.page(block + 1));
        Self { first, bytes }
    }

    /// [`byte_of`], with no branch between letters and ASCII.
    #[inline(always)]
    fn byte_of(&self, pages: &Pages<'_>, unit: u16) -> u8 {
        let place = unit.wrapping_sub(self.first);
        // One comparison: of two, the compiler makes two branches.
        if unit.min(place) < 0x80 {
            let letter = self.bytes[usize::from(place & 0x7F)];
            select_unpredictable(unit < 0x80, unit as u8, letter)
        } else {
            pages.byte(unit)
        }
    }

    /// Encodes up to something unmappable; returns how many units.
    #[inline(always)]
    fn encode(&self, pages: &Pages<'_>, src: &[u16], to: &mut [MaybeUninit<u8>]) -> usize {
        let mut taken = 0;
        for (to, &unit) in to.iter_mut().zip(src) {
            let byte = self.byte_of(pages, unit);
            if byte == 0 && unit != 0 {
                break;
            }
            to.write(byte);
            taken += 1;
        }
        taken
    }
}

// SAFETY: `Writer` counts what it writes, and `encode_dense` does.
unsafe impl Text for str {
    #[inline(always)]
    fn len(&self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn after(&self, at: usize) -> &str {
        after(self, at)
    }

    #[inline(always)]
    fn piece(&self, most: usize) -> &str {
        &self[..utf8_piece(self, most)]
    }

    #[inline(always)]
    fn starts_beyond_bmp(&self) -> bool {
        match self.as_bytes().first_chunk::<64>() {
            Some(bytes) if bytes[0] >= 0x80 => {
                bytes.iter().fold(false, |any, &byte| any | (byte >= 0xF0))
            }
            _ => false,
        }
    }

    #[inline(always)]
    fn calm_pieces(pages: &Pages<'_>) -> usize {
        // The kernels for Latin letters make tables.
        if pages.is_sparse() { 4 } else { 1 }
    }

    #[inline(always)]
    fn convert(&self, pages: &Pages<'_>, beside: &mut Beside, references: bool) -> Piece {
        let src = self.as_bytes();
        assert!(src.len() <= PIECE);
        let mut others = not_ascii(src);
        // Five in a row are more than one character of three bytes: then it goes from character to character.
        let is_dense = src.len() < STEP || has_in_row::<5>(others);
        let padded = padded(src);
        let mut writer = Writer::new(beside);
        loop {
            if is_dense {
                let rest = &src[writer.piece.read..];
                let (read, written) = encode_dense(pages, rest, writer.rest());
                writer.advance(read, written);
            } else {
                writer.run(src, &padded, others);
            }
            let at = writer.piece.read;
            if at >= src.len() {
                break;
            }
            let here = each([0, 1, 2, 3], |i| src.get(at + i).copied().unwrap_or(0));
            let known = character([here[0], here[1], here[2]]);
            let byte = known.map_or(0, |(code_point, _)| pages.byte(code_point));
            if let Some((_, len)) = known
                && byte != 0
            {
                writer.byte(byte, len);
            } else if references {
                match known {
                    Some((code_point, len)) => writer.reference(code_point.into(), len),
                    None => writer.reference(four(u32::from_le_bytes(here)), 4),
                }
            } else {
                break;
            }
            others = from(others, writer.piece.read);
        }
        writer.piece
    }
}

/// Encodes text up to something unmappable, character by character; returns how many bytes it took, and how many it wrote.
#[inline(always)]
fn encode_dense(pages: &Pages<'_>, src: &[u8], to: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    let (mut taken, mut written) = (0, 0);
    for to in to {
        if taken >= src.len() {
            break;
        }
        let here = each([0, 1, 2], |i| src.get(taken + i).copied().unwrap_or(0));
        let Some((code_point, len)) = character(here) else {
            break;
        };
        let byte = byte_of(pages, code_point);
        if byte == 0 && code_point != 0 {
            break;
        }
        to.write(byte);
        taken += len;
        written += 1;
    }
    (taken, written)
}

// SAFETY: `Writer` counts what it writes, and `Letters::encode` does.
unsafe impl Text for [u16] {
    #[inline(always)]
    fn len(&self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn after(&self, at: usize) -> &[u16] {
        after(self, at)
    }

    #[inline(always)]
    fn piece(&self, most: usize) -> &[u16] {
        let piece = &self[..self.len().min(most)];
        match piece {
            // Its trail may follow.
            [before @ .., lead] if is_lead(*lead) => before,
            _ => piece,
        }
    }

    #[inline(always)]
    fn starts_beyond_bmp(&self) -> bool {
        match self.first_chunk::<32>() {
            Some(units) if units[0] >= 0x80 => units
                .iter()
                .fold(false, |any, &unit| any | is_surrogate(unit)),
            _ => false,
        }
    }

    #[inline(always)]
    fn calm_pieces(_: &Pages<'_>) -> usize {
        1
    }

    #[inline(always)]
    fn convert(&self, pages: &Pages<'_>, beside: &mut Beside, references: bool) -> Piece {
        assert!(self.len() <= PIECE);
        if self.len() < STEP || !pages.is_sparse() {
            return convert_dense(self, pages, beside, references);
        }
        let (mut low, mut others) = ([0; MOST + RUN], 0);
        steps(self, |at, units| {
            let (bytes, bits) = narrow(units);
            low[at..at + STEP].copy_from_slice(&bytes);
            others |= bits << at;
        });
        if has_in_row::<3>(others) {
            return convert_dense(self, pages, beside, references);
        }
        let mut writer = Writer::new(beside);
        loop {
            writer.run(&low[..self.len()], &low, others);
            let Some(&unit) = self.get(writer.piece.read) else {
                break;
            };
            let byte = pages.byte(unit);
            if byte != 0 {
                writer.byte(byte, 1);
            } else if references {
                reference_at(self, &mut writer);
            } else {
                break;
            }
            others = from(others, writer.piece.read);
        }
        writer.piece
    }
}

/// [`Text::convert`] of code units one by one.
#[inline(always)]
fn convert_dense(src: &[u16], pages: &Pages<'_>, beside: &mut Beside, references: bool) -> Piece {
    let letters = Letters::new(pages);
    let mut writer = Writer::new(beside);
    loop {
        let rest = &src[writer.piece.read..];
        let taken = letters.encode(pages, rest, writer.rest());
        writer.advance(taken, taken);
        if taken == rest.len() || !references {
            return writer.piece;
        }
        reference_at(src, &mut writer);
    }
}

/// Writes a reference to what is next in `src`.
#[inline(always)]
fn reference_at(src: &[u16], writer: &mut Writer<'_>) {
    let at = writer.piece.read;
    let (scalar, len) = scalar_of(src[at], src.get(at + 1).copied().unwrap_or(0));
    writer.reference(scalar, len);
}

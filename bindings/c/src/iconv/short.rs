//! Converts short input character by character, without decoder, encoder or filter. Its tables hold the characters that the
//! engine and the C library convert alike.
//!
//! [`Stop::Other`] reports a character outside the BMP or the tables, which the general conversion then converts.

use super::page::{Page, ShortMethod};
use super::step::{Step, Stop};
use super::tables::{self, Characters, Encoded, Entry, NONE};
use core::mem::MaybeUninit;

/// The maximum length of short input in bytes.
const MAX_SHORT_LENGTH: usize = 48;

/// The unwritten part of the output after a character, or the reason to stop.
type Written<'a> = Result<&'a mut [MaybeUninit<u8>], Stop>;

/// Reads characters of the BMP except surrogates.
trait Read {
    /// A UTF-16 code unit, or an entry in the form that the writer takes.
    type Char;

    /// True if bytes below 0x80 are ASCII.
    fn is_ascii(&self) -> bool;

    /// Returns the first character and the bytes after it; `None` if another conversion must convert it.
    fn read<'a>(&self, src: &'a [u8]) -> Option<(Self::Char, &'a [u8])>;
}

/// Writes characters of the BMP.
trait Write<C> {
    /// True if ASCII characters are bytes below 0x80.
    fn is_ascii(&self) -> bool;

    /// Writes a character, and nothing after it, because the caller's text may follow. Returns the unwritten output.
    fn write<'a>(&self, scalar: C, dst: &'a mut [MaybeUninit<u8>]) -> Written<'a>;
}

struct Utf8;

/// Implements UTF-16 or UTF-32, with code units of the given type.
macro_rules! wide {
    ($name:ident, $unit:ty) => {
        struct $name {
            is_big: bool,
        }

        impl Read for $name {
            type Char = u16;

            fn is_ascii(&self) -> bool {
                false
            }

            #[inline(always)]
            fn read<'a>(&self, src: &'a [u8]) -> Option<(u16, &'a [u8])> {
                let (&bytes, rest) = src.split_first_chunk()?;
                let unit = match self.is_big {
                    true => <$unit>::from_be_bytes(bytes),
                    false => <$unit>::from_le_bytes(bytes),
                };
                let unit = u16::try_from(unit).ok()?;
                (!matches!(unit, 0xD800..0xE000)).then_some((unit, rest))
            }
        }

        impl Write<u16> for $name {
            fn is_ascii(&self) -> bool {
                false
            }

            #[inline(always)]
            fn write<'a>(&self, unit: u16, dst: &'a mut [MaybeUninit<u8>]) -> Written<'a> {
                let unit = <$unit>::from(unit);
                put(
                    if self.is_big {
                        unit.to_be_bytes()
                    } else {
                        unit.to_le_bytes()
                    },
                    dst,
                )
            }
        }
    };
}

wide!(Utf16, u16);
wide!(Utf32, u32);

impl Read for Utf8 {
    type Char = u16;

    fn is_ascii(&self) -> bool {
        true
    }

    #[inline(always)]
    fn read<'a>(&self, src: &'a [u8]) -> Option<(u16, &'a [u8])> {
        let low = |byte: u8| u16::from(byte & 0x3F);
        match *src {
            [a @ 0..0x80, ref rest @ ..] => Some((a.into(), rest)),
            [a @ 0xC2..=0xDF, b @ 0x80..=0xBF, ref rest @ ..] => {
                Some((u16::from(a & 0x1F) << 6 | low(b), rest))
            }
            [
                a @ 0xE0..=0xEF,
                b @ 0x80..=0xBF,
                c @ 0x80..=0xBF,
                ref rest @ ..,
            ] => {
                let unit = u16::from(a & 0xF) << 12 | low(b) << 6 | low(c);
                matches!(unit, 0x800..0xD800 | 0xE000..).then_some((unit, rest))
            }
            _ => None,
        }
    }
}

impl<T: Entry> Read for Characters<'_, T> {
    type Char = T;

    fn is_ascii(&self) -> bool {
        self.singles.is_ascii
    }

    #[inline(always)]
    fn read<'a>(&self, src: &'a [u8]) -> Option<(T, &'a [u8])> {
        let (&lead, rest) = src.split_first()?;
        let single = self.singles.entry(lead);
        if single != T::NONE {
            return Some((single, rest));
        }
        let (&trail, rest) = rest.split_first()?;
        let pair = self.pairs?[usize::from(lead & 0x7F)][usize::from(trail)];
        (lead >= 0x80 && pair != T::NONE).then_some((pair, rest))
    }
}

impl Write<u16> for Utf8 {
    fn is_ascii(&self) -> bool {
        true
    }

    #[inline(always)]
    fn write<'a>(&self, unit: u16, dst: &'a mut [MaybeUninit<u8>]) -> Written<'a> {
        let last = 0x80 | (unit & 0x3F) as u8;
        let middle = 0x80 | (unit >> 6 & 0x3F) as u8;
        match (unit, dst) {
            (0..0x80, [x, rest @ ..]) => {
                x.write(unit as u8);
                Ok(rest)
            }
            (0x80..0x800, [x, y, rest @ ..]) => {
                x.write(0xC0 | (unit >> 6) as u8);
                y.write(last);
                Ok(rest)
            }
            (0x800.., [x, y, z, rest @ ..]) => {
                x.write(0xE0 | (unit >> 12) as u8);
                y.write(middle);
                z.write(last);
                Ok(rest)
            }
            _ => Err(Stop::Full),
        }
    }
}

impl Write<tables::Utf8> for Utf8 {
    fn is_ascii(&self) -> bool {
        true
    }

    #[inline(always)]
    fn write<'a>(&self, scalar: tables::Utf8, dst: &'a mut [MaybeUninit<u8>]) -> Written<'a> {
        match scalar.len() {
            1 => put(scalar.bytes::<1>(), dst),
            2 => put(scalar.bytes::<2>(), dst),
            _ => put(scalar.bytes::<3>(), dst),
        }
    }
}

/// Writes `bytes` if they fit.
#[inline(always)]
fn put<const N: usize>(bytes: [u8; N], dst: &mut [MaybeUninit<u8>]) -> Written<'_> {
    let (target, rest) = dst.split_first_chunk_mut().ok_or(Stop::Full)?;
    *target = bytes.map(MaybeUninit::new);
    Ok(rest)
}

impl Write<u16> for &Encoded {
    fn is_ascii(&self) -> bool {
        self.is_ascii
    }

    #[inline(always)]
    fn write<'a>(&self, unit: u16, dst: &'a mut [MaybeUninit<u8>]) -> Written<'a> {
        match self.bytes(unit) {
            NONE => Err(Stop::Other),
            single @ 0..0x100 => put([single as u8], dst),
            pair => put(pair.to_be_bytes(), dst),
        }
    }
}

/// Converts a prefix of short input; `None` if the input is not supported here. Reports [`Stop::Done`] and
/// [`Stop::Full`] at the same positions as decoders and encoders.
#[inline(always)]
pub(super) fn convert(
    from: &Page,
    to: &Page,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<Step> {
    if src.len() > MAX_SHORT_LENGTH {
        return None;
    }
    let to_utf8 = matches!(to.form, ShortMethod::Utf8);
    Some(match from.form {
        ShortMethod::Utf8 => return convert_units(Utf8, to, src, dst),
        ShortMethod::Utf16 { is_big } => return convert_units(Utf16 { is_big }, to, src, dst),
        ShortMethod::Utf32 { is_big } => return convert_units(Utf32 { is_big }, to, src, dst),
        ShortMethod::Table if to_utf8 => each(from.utf8.get(from.alike())?, Utf8, src, dst),
        ShortMethod::Table => return convert_units(from.units.get(from.alike())?, to, src, dst),
    })
}

/// Returns a number for the first character, and its length in bytes. The number is the code unit or, with pairs, the
/// first two bytes. `None` for a character outside the BMP, and in single-byte encodings.
pub(super) fn first(from: &Page, src: &[u8]) -> Option<(u16, usize)> {
    let (unit, rest) = match from.form {
        ShortMethod::Utf8 => Utf8.read(src)?,
        ShortMethod::Utf16 { is_big } => Utf16 { is_big }.read(src)?,
        ShortMethod::Utf32 { is_big } => Utf32 { is_big }.read(src)?,
        ShortMethod::Table if from.encoding.is_single_byte() => return None,
        ShortMethod::Table => {
            let (&pair, rest) = src.split_first_chunk()?;
            (u16::from_be_bytes(pair), rest)
        }
    };
    Some((unit, src.len() - rest.len()))
}

#[inline(always)]
fn convert_units(
    from: impl Read<Char = u16>,
    to: &Page,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<Step> {
    Some(match to.form {
        ShortMethod::Utf8 => each(from, Utf8, src, dst),
        ShortMethod::Utf16 { is_big } => each(from, Utf16 { is_big }, src, dst),
        ShortMethod::Utf32 { is_big } => each(from, Utf32 { is_big }, src, dst),
        ShortMethod::Table => each(from, to.encoded()?, src, dst),
    })
}

/// Converts character by character, with ASCII in chunks.
#[inline(never)]
fn each<R: Read>(
    from: R,
    to: impl Write<R::Char>,
    mut src: &[u8],
    mut dst: &mut [MaybeUninit<u8>],
) -> Step {
    let (length, space) = (src.len(), dst.len());
    if from.is_ascii() && to.is_ascii() {
        while let Some((&chunk, rest)) = src.split_first_chunk::<8>()
            && u64::from_ne_bytes(chunk) & 0x8080_8080_8080_8080 == 0
            && dst.len() >= chunk.len()
            && let Ok(left) = put(chunk, core::mem::take(&mut dst))
        {
            (src, dst) = (rest, left);
        }
    }
    let (stop, unused) = loop {
        let unused = dst.len();
        let Some((unit, rest)) = from.read(src) else {
            let is_end = src.is_empty();
            break (if is_end { Stop::Done } else { Stop::Other }, unused);
        };
        match to.write(unit, dst) {
            Ok(left) => (src, dst) = (rest, left),
            Err(stop) => break (stop, unused),
        }
    };
    Step::new(length - src.len(), space - unused, stop)
}

#[cfg(test)]
mod tests {
    use super::super::convert::{self, by_coders, initialised};
    use super::super::page::{self, Page, UTF_8, UTF_16, UTF_32, named};
    use super::*;
    use crate::iconv::page::Named;

    /// Returns the result of a step and the bytes that it writes.
    fn outcome(
        step: impl FnOnce(&mut [MaybeUninit<u8>]) -> Step,
        space: usize,
    ) -> (usize, Stop, Vec<u8>) {
        let mut dst = [MaybeUninit::new(0xA5_u8); 64];
        let step = step(&mut dst[..space]);
        // SAFETY: every byte is initialised.
        let dst = unsafe { initialised(&dst) };
        let (made, rest) = dst.split_at(step.written);
        assert!(
            rest[space - step.written..]
                .iter()
                .all(|&byte| byte == 0xA5)
        );
        (step.read, step.stop, made.to_vec())
    }

    fn check(from: &Page, to: &Page, src: &[u8], spaces: &[usize]) {
        for &space in spaces {
            let by_coders = outcome(|dst| by_coders(from, to, src, dst), space);
            let converted = outcome(|dst| convert::convert(from, to, src, dst), space);
            let (from, to) = (from.native, to.native);
            assert_eq!(
                converted, by_coders,
                "{from:?} -> {to:?}: {src:X?} in {space} bytes"
            );
        }
    }

    fn table(name: &str) -> &'static Page {
        let Some(Named::Page(page)) = named(name.as_bytes()) else {
            panic!("{name}");
        };
        // The tables of pairs are built after some thousand calls.
        for _ in 0..5000 {
            check(page, &UTF_8, b"a", &[1]);
            check(&UTF_8, page, b"a", &[1]);
        }
        page
    }

    const PAIRS: [&str; 9] = [
        "SJIS", "CP932", "EUC-JP", "EUC-KR", "CP949", "GBK", "EUC-CN", "BIG5", "GB18030",
    ];

    #[test]
    fn short_pairs_are_decoded_as_the_decoder_does() {
        for name in PAIRS {
            let page = table(name);
            for pair in (0..=u16::MAX).filter(|pair| pair % 3 == 0 || *pair >= 0xFC00) {
                let [lead, trail] = pair.to_be_bytes();
                check(page, &UTF_8, &[lead, trail], &[2, 16]);
                if pair % 31 == 0 {
                    let src = [b'x', lead, trail, lead, b'1', lead];
                    check(page, &UTF_8, &src, &[2, 3, 5, 16]);
                    check(page, &UTF_16[0], &src, &[1, 4, 16]);
                }
            }
        }
    }

    #[test]
    fn short_text_is_encoded_as_the_encoder_does() {
        let mut pages: Vec<&Page> = PAIRS.map(table).into();
        pages.extend(page::all().filter(|page| page.encoding.is_single_byte()));
        pages.extend(UTF_16.iter().chain(&UTF_32).chain([&UTF_8]));
        for to in pages {
            // Test all characters of a single-byte page, and a selection of all others.
            let is_single = to.encoding.is_single_byte();
            let bytes: Vec<u8> = (0..=0xFF).filter(|_| is_single).collect();
            let own = to.encoding.decode(&bytes).text;
            let any = ('\0'..='\u{1F000}').step_by(if is_single { 1999 } else { 5 });
            for (i, scalar) in own.chars().chain(any).enumerate() {
                let mut utf8 = [0; 4];
                let text = scalar.encode_utf8(&mut utf8).as_bytes();
                check(&UTF_8, to, text, &[1, 4]);
                if i % 31 == 0 {
                    let src = [b"abcdefghi", text, b"z"].concat();
                    check(&UTF_8, to, &src, &[0, 7, 9, 11, 12, 48]);
                    check(&UTF_8, to, &src[..9 + text.len() - 1], &[12, 48]);
                }
            }
        }
    }

    #[test]
    fn short_single_bytes_are_converted_as_the_coders_do() {
        let latin = table("ISO-8859-1");
        for from in page::all().filter(|page| page.encoding.is_single_byte()) {
            for byte in (0..=0xFF).filter(|byte| byte % 2 == 0 || *byte > 0x7F) {
                for to in [&UTF_8, &UTF_16[1], &UTF_32[0], latin] {
                    check(from, to, &[byte], &[0, 1, 2, 3, 4]);
                    let src = [
                        b'a', byte, b'b', b'c', b'd', b'e', b'f', b'g', b'h', byte, byte,
                    ];
                    check(from, to, &src, &[0, 8, 10, 30, 64]);
                }
            }
        }
    }

    #[test]
    fn short_unicode_is_converted_as_the_coders_do() {
        let latin = table("ISO-8859-1");
        for (i, from) in UTF_32.iter().chain(&UTF_16).enumerate() {
            let targets = [&UTF_8, &UTF_16[0], &UTF_32[1], latin];
            let edges = [
                0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xD800, 0xDFFF, 0xE000, 0xFEFF, 0xFFFE,
            ];
            let edges = edges.into_iter().chain([0xFFFF, 0x1_0000, u32::MAX]);
            for scalar in (0..0x12_0000_u32).step_by(977).chain(edges) {
                let bytes = match i {
                    0 => [scalar.to_le_bytes(), 0x41_u32.to_le_bytes()].concat(),
                    1 => [scalar.to_be_bytes(), 0x41_u32.to_be_bytes()].concat(),
                    2 => [scalar.to_le_bytes(), [0x41, 0, 0x3D, 0xD8]].concat(),
                    _ => [scalar.to_be_bytes(), [0, 0x41, 0xD8, 0x3D]].concat(),
                };
                for to in targets {
                    for end in [1, 3, 4, 6, 8] {
                        check(from, to, &bytes[..end], &[2, 3, 5, 16]);
                    }
                }
            }
        }
    }

    #[test]
    fn short_malformed_utf_8_is_left_to_the_decoder() {
        for three in (0..0x100_0000_u32).step_by(4999) {
            let [_, a, b, c] = three.to_be_bytes();
            check(&UTF_8, &UTF_16[0], &[b'a', 0x80 | a, b, c], &[2, 8]);
            check(
                &UTF_8,
                &UTF_8,
                &[0xE0 | a & 0x1F, 0x80 | b >> 2, c, b'a'],
                &[3, 8],
            );
        }
    }
}

//! A conversion by GNU libiconv's rules for malformed, unmappable, transliterated and ignored input, and for callbacks.

use super::callbacks::{Fallbacks, Hooks};
use super::names::{Known, UnitForm};
use super::tables::{self, First};
use crate::iconv::Done;
use crate::iconv::convert::convert;
use crate::iconv::native::{FAILED, Native, errno};
use crate::iconv::page::{self, Page};
use crate::iconv::step::{Step, Stop};
use core::ffi::{CStr, c_int};
use core::mem::MaybeUninit;
use std::ffi::CString;

/// UTF-32 in the host's byte order, the intermediate form of characters that the engine cannot convert in one step.
fn code_points() -> &'static Page {
    &page::UTF_32[usize::from(cfg!(target_endian = "big"))]
}

/// The maximum number of input bytes that the C library gets for one character.
const MAX_CHARACTER_LENGTH: usize = 16;

/// The input or the output encoding of a conversion.
#[derive(Clone, Copy)]
struct Side {
    form: UnitForm,
    /// The current page. If byte order marks state the byte order, it is the page of the last mark.
    page: &'static Page,
    /// The little-endian and the big-endian page, if byte order marks state the byte order.
    marked: Option<&'static [Page; 2]>,
    /// True if a byte order mark must still be written.
    expects_mark: bool,
}

impl Side {
    fn new(known: Known) -> Option<Self> {
        let (form, page, marked) = match known {
            Known::Page(form, page) => (form, page, None),
            Known::Marked(form, pages) => (form, &pages[1], Some(pages)),
            Known::Native(_) => return None,
        };
        Some(Self {
            form,
            page,
            marked,
            expects_mark: form == UnitForm::Page && marked.is_some(),
        })
    }

    /// Returns the length of a code unit in bytes.
    fn unit(&self) -> usize {
        self.page.encoding.code_unit_len()
    }

    /// True if the engine can convert this encoding.
    fn has_engine(&self) -> bool {
        self.form != UnitForm::Ucs2
    }

    fn is_big_endian(&self) -> bool {
        self.page.encoding.bom().is_some_and(|bom| bom[0] != 0xFF)
    }

    /// Returns the value of the first code unit; `None` if the unit is incomplete.
    fn first(&self, src: &[u8]) -> Option<u32> {
        let unit = src.get(..self.unit())?;
        let value = |value, &byte| value << 8 | u32::from(byte);
        Some(if self.is_big_endian() {
            unit.iter().fold(0, value)
        } else {
            unit.iter().rev().fold(0, value)
        })
    }

    /// Returns the page that a byte order mark at the start of `src` selects.
    fn mark(&self, src: &[u8]) -> Option<&'static Page> {
        let start = src.get(..self.unit())?;
        self.marked?
            .iter()
            .find(|page| page.encoding.bom() == Some(start))
    }

    /// Returns the number of bytes before the next byte order mark.
    fn before_mark(&self, src: &[u8]) -> usize {
        if self.marked.is_none() {
            return src.len();
        }
        let units = src.chunks_exact(self.unit());
        let whole = units.take_while(|unit| self.mark(unit).is_none()).count() * self.unit();
        if src.len() - whole < self.unit() {
            src.len()
        } else {
            whole
        }
    }
}

/// The outcome of encoding a character.
enum Put {
    Written(usize),
    Full,
    Unmappable,
}

/// The kinds of unconvertible input that are omitted without an error.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Discards {
    pub malformed: bool,
    pub unmappable: bool,
}

impl Discards {
    pub(super) const ALL: Self = Self {
        malformed: true,
        unmappable: true,
    };

    pub(super) fn is_all(self) -> bool {
        self == Self::ALL
    }
}

/// A conversion between two pages.
pub(super) struct Conversion {
    from: Side,
    to: Side,
    pub transliterates: bool,
    pub discards: Discards,
    /// True if the conversion may keep descriptors of the C library open. False for a conversion in the caller's
    /// memory, which is never closed.
    keeps: bool,
    decoder: Option<Native>,
    encoder: Option<Native>,
    pub hooks: Hooks,
    pub fallbacks: Fallbacks,
}

impl Conversion {
    /// Creates a conversion; `None` if the C library does the whole conversion.
    pub(super) fn new(from: Known, to: Known, keeps: bool) -> Option<Self> {
        Some(Self {
            from: Side::new(from)?,
            to: Side::new(to)?,
            transliterates: false,
            discards: Discards::default(),
            keeps,
            decoder: None,
            encoder: None,
            hooks: Hooks::NONE,
            fallbacks: Fallbacks::NONE,
        })
    }

    /// True if input and output encoding are the same, so that the input is copied.
    pub(super) fn is_trivial(&self) -> bool {
        let same = |side: &Side| (side.form, side.marked.is_some(), side.page.native);
        same(&self.from) == same(&self.to)
    }

    /// Turns transliteration by the C library on or off.
    pub(super) fn set_transliterates(&mut self, transliterates: bool) {
        self.transliterates = transliterates;
        self.encoder = None;
    }

    /// Resets the conversion to its initial state.
    pub(super) fn reset(&mut self) {
        for side in [&mut self.from, &mut self.to] {
            if let Some(pages) = side.marked {
                side.page = &pages[1];
                side.expects_mark = side.form == UnitForm::Page;
            }
        }
    }

    /// Performs one call of `iconv`.
    pub(super) fn call(&mut self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Done {
        let mut done = Done::default();
        while done.read < src.len() {
            // A byte order mark is only read together with the character after it.
            let (from, start) = (self.from, done.read);
            while let Some(page) = self.from.mark(&src[done.read..]) {
                self.from.page = page;
                done.read += self.from.unit();
            }
            let end = done.read + self.from.before_mark(&src[done.read..]);
            let is_cut = end < src.len();
            let (rest, space) = (&src[done.read..end], &mut dst[done.written..]);
            if rest.is_empty() {
                break;
            }
            let mut step = Step::NONE;
            if self.from.has_engine()
                && self.to.has_engine()
                && !self.to.expects_mark
                && !self.hooks.is_set()
            {
                step = convert(self.from.page, self.to.page, rest, space);
                done.read += step.read;
                done.written += step.written;
            }
            let result = match step.stop {
                Stop::Done => continue,
                Stop::Full => Err(libc::E2BIG),
                Stop::Incomplete if !is_cut => Err(libc::EINVAL),
                Stop::Incomplete | Stop::Other => self.one(&src[..end], is_cut, dst, &mut done),
            };
            match result {
                Ok(count) => done.irreversible += count,
                Err(error) => {
                    // Unread the byte order marks for the next call, unless malformed bytes follow them.
                    let is_unread = error == libc::E2BIG
                        || (error == libc::EILSEQ
                            && !matches!(self.decode(&src[done.read..end]), First::Malformed));
                    if step.read == 0 && is_unread {
                        self.from = from;
                        done.read = start;
                    }
                    done.error = Some(error);
                    return done;
                }
            }
        }
        done
    }

    /// Converts the next character. Malformed bytes are discarded if `discards` says so, or passed to the fallback, if
    /// there is one. Returns the number of irreversible conversions, or errno.
    fn one(
        &mut self,
        src: &[u8],
        is_cut: bool,
        dst: &mut [MaybeUninit<u8>],
        done: &mut Done,
    ) -> Result<usize, c_int> {
        let rest = &src[done.read..];
        let (scalar, len) = match self.decode(rest) {
            First::Scalar(scalar, len) => (scalar, len),
            First::Incomplete if !is_cut => return Err(libc::EINVAL),
            First::Malformed | First::Incomplete => {
                let len = self.from.unit().min(rest.len());
                let mut irreversible = 0;
                if !self.discards.malformed {
                    let instead = self.fallbacks.for_bytes(&rest[..len]);
                    let mut written = done.written;
                    for scalar in instead.ok_or(libc::EILSEQ)? {
                        written += self.put(scalar, &mut dst[written..])?.0;
                    }
                    done.written = written;
                    irreversible = 1;
                }
                done.read += len;
                return Ok(irreversible);
            }
        };
        if dst.len() == done.written {
            return Err(libc::E2BIG);
        }
        let (written, irreversible) = self.put(scalar, &mut dst[done.written..])?;
        done.written += written;
        done.read += len;
        Ok(irreversible)
    }

    /// Writes a character or its substitute, and calls the hook. Returns the numbers of bytes written and of irreversible
    /// conversions, or errno.
    fn put(&mut self, scalar: u32, dst: &mut [MaybeUninit<u8>]) -> Result<(usize, usize), c_int> {
        let (mut put, irreversible) = self.encode(scalar, dst, false);
        let mut count = usize::from(irreversible);
        if matches!(put, Put::Unmappable) {
            // Tag characters are omitted.
            if scalar >> 7 == 0xE0000 >> 7 {
                return Ok((0, 0));
            }
            count = 1;
            if self.transliterates {
                (put, _) = self.encode(scalar, dst, true);
            }
            if matches!(put, Put::Unmappable) {
                put = if self.discards.unmappable {
                    Put::Written(0)
                } else if let Some(instead) = self.fallbacks.for_scalar(scalar) {
                    match dst.get_mut(..instead.len()) {
                        Some(target) => {
                            write(target, &instead);
                            Put::Written(instead.len())
                        }
                        None => Put::Full,
                    }
                } else {
                    self.encode(0xFFFD, dst, false).0
                };
            }
        }
        match put {
            Put::Written(written) => {
                self.hooks.call(scalar);
                Ok((written, count))
            }
            Put::Full => Err(libc::E2BIG),
            Put::Unmappable => Err(libc::EILSEQ),
        }
    }

    /// Returns the first character of `src`.
    fn decode(&mut self, src: &[u8]) -> First {
        let from = self.from;
        if from.form != UnitForm::Page {
            let Some(value) = from.first(src) else {
                return First::Incomplete;
            };
            let is_character = match from.form {
                UnitForm::Ucs2 => !(0xD800..0xE000).contains(&value),
                _ => from.marked.is_none() || value <= 0x7FFF_FFFF,
            };
            return if is_character {
                First::Scalar(value, from.unit())
            } else {
                First::Malformed
            };
        }
        let mut one = [MaybeUninit::new(0_u8); 4];
        let step = convert(
            from.page,
            code_points(),
            &src[..src.len().min(MAX_CHARACTER_LENGTH)],
            &mut one,
        );
        if step.written == 4 {
            return First::Scalar(value(one), step.read);
        }
        match step.stop {
            Stop::Incomplete => return First::Incomplete,
            _ if from.page.encoding == mojika::UTF_8 && is_cut(src) => return First::Incomplete,
            _ if from.page.is_unicode() => return First::Malformed,
            _ => {}
        }
        if let Some(own) = tables::decode(from.page.native, src) {
            return own;
        }
        let opened = || Native::open(code_points().native, from.page.native);
        let Some(mut native) = self.decoder.take().or_else(opened) else {
            return First::Malformed;
        };
        native.reset();
        let (result, read, written) =
            native.convert(&src[..src.len().min(MAX_CHARACTER_LENGTH)], &mut one);
        let is_incomplete = result == FAILED && errno() == libc::EINVAL;
        if self.keeps {
            self.decoder = Some(native);
        }
        match (written, is_incomplete) {
            (4, _) => First::Scalar(value(one), read),
            (_, true) => First::Incomplete,
            _ => First::Malformed,
        }
    }

    /// Writes a character, with a byte order mark before the first one. If the character is unmappable and
    /// `transliterates` is set, writes a transliteration. The returned flag is true if the conversion is irreversible.
    fn encode(
        &mut self,
        scalar: u32,
        dst: &mut [MaybeUninit<u8>],
        transliterates: bool,
    ) -> (Put, bool) {
        let mut bytes = [MaybeUninit::uninit(); 4 * MAX_CHARACTER_LENGTH];
        let to = self.to;
        let mut start = 0;
        if to.expects_mark {
            let mark = to.page.encoding.bom().unwrap_or_default();
            write(&mut bytes, mark);
            start = mark.len();
        }
        let Some((len, is_irreversible)) = self.bytes(scalar, &mut bytes[start..], transliterates)
        else {
            return (Put::Unmappable, false);
        };
        let len = start + len;
        let Some(target) = dst.get_mut(..len) else {
            return (Put::Full, false);
        };
        target.copy_from_slice(&bytes[..len]);
        self.to.expects_mark = false;
        (Put::Written(len), is_irreversible)
    }

    /// Writes the bytes of a character. Returns their number, and a flag: true if the conversion is irreversible.
    fn bytes(
        &mut self,
        scalar: u32,
        dst: &mut [MaybeUninit<u8>],
        transliterates: bool,
    ) -> Option<(usize, bool)> {
        let to = self.to;
        match to.form {
            UnitForm::Page => {}
            // A reader would take U+FFFE for the byte order mark of the opposite byte order.
            UnitForm::Ucs2 if scalar == 0xFFFE && to.marked.is_some() => return None,
            UnitForm::Ucs2 if scalar > 0xFFFF || (0xD800..0xE000).contains(&scalar) => return None,
            UnitForm::Ucs4 if scalar > 0x7FFF_FFFF && to.marked.is_some() => return None,
            UnitForm::Ucs2 | UnitForm::Ucs4 => {
                let unit = to.unit();
                for (place, byte) in dst[..unit].iter_mut().enumerate() {
                    let place = if to.is_big_endian() {
                        unit - 1 - place
                    } else {
                        place
                    };
                    byte.write((scalar >> (8 * place)) as u8);
                }
                return Some((unit, false));
            }
        }
        let source = scalar.to_ne_bytes();
        let step = convert(code_points(), to.page, &source, dst);
        if step.read == 4 {
            return Some((step.written, false));
        }
        if to.page.is_unicode() {
            return None;
        }
        if let Some(own) = tables::encode(to.page.native, scalar) {
            let pair = own?;
            write(dst, &pair);
            return Some((2, false));
        }
        let opened = || {
            let name = with_suffixes(to.page.native, transliterates, false);
            Native::open(&name, code_points().native)
        };
        let is_kept = self.keeps && transliterates == self.transliterates;
        let mut native = self.encoder.take().filter(|_| is_kept).or_else(opened)?;
        native.reset();
        let (result, read, written) = native.convert(&source, dst);
        if is_kept {
            self.encoder = Some(native);
        }
        (result != FAILED && read == 4).then_some((written, result > 0))
    }
}

/// Writes bytes to the start of `target`, which has space for them.
fn write(target: &mut [MaybeUninit<u8>], bytes: &[u8]) {
    for (to, &byte) in target.iter_mut().zip(bytes) {
        to.write(byte);
    }
}

/// True if the UTF-8 sequence at the start of `src` is truncated. libiconv validates only complete sequences.
fn is_cut(src: &[u8]) -> bool {
    let needed = match src.first() {
        Some(0xC2..=0xDF) => 2,
        Some(0xE0..=0xEF) => 3,
        Some(0xF0..=0xF7) => 4,
        _ => 0,
    };
    src.len() < needed
}

/// Returns the code point in an array that the caller has filled.
fn value(bytes: [MaybeUninit<u8>; 4]) -> u32 {
    // SAFETY: the caller has written all of the bytes.
    u32::from_ne_bytes(bytes.map(|byte| unsafe { byte.assume_init() }))
}

/// Returns the C library's name for an encoder with the given effects as suffixes.
pub(super) fn with_suffixes(name: &CStr, transliterates: bool, discards: bool) -> CString {
    let mut name = name.to_bytes().to_vec();
    if transliterates {
        name.extend_from_slice(b"//TRANSLIT");
    }
    if discards {
        name.extend_from_slice(b"//IGNORE");
    }
    CString::new(name).unwrap_or_default()
}

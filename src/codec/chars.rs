//! The input of encoders, in both forms of text.

use crate::simd::tuning;
use crate::simd::{self, Out, is_lead, is_surrogate, is_trail, join, scalar_of};

/// The input of encoders: `str` (UTF-8) or `[u16]` (UTF-16, lone surrogates as U+FFFD).
pub(crate) trait Chars {
    /// Minimum length, in units, for which a vector kernel pays off.
    const KERNEL_FROM: usize;

    fn len(&self) -> usize;

    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the source after the first `at` units.
    fn tail(&self, at: usize) -> &Self;

    /// Returns the complete characters in the first `most` units.
    fn head(&self, most: usize) -> &Self;

    fn starts_with_ascii(&self) -> bool;

    /// True if the first `N` units are ASCII.
    fn starts_with_run<const N: usize>(&self) -> bool;

    /// Returns the length of the ASCII prefix, up to the first character for which `predicate` is false.
    fn ascii_len_while(&self, predicate: impl Fn(u8) -> bool) -> usize;

    /// Returns as much of the source as fits `scratch`, as UTF-16, and its length in source units.
    fn units<'a>(&'a self, scratch: &'a mut [u16]) -> (&'a [u16], usize);

    /// Returns the length, in units of the source, of code units returned by [`units`](Self::units). They contain no
    /// surrogates.
    fn length_of(units: &[u16]) -> usize;

    /// Calls the function for this form of text. `with` is a value that both functions need mutably.
    fn by_form<A, R>(
        &self,
        with: A,
        utf8: impl FnOnce(&str, A) -> R,
        utf16: impl FnOnce(&[u16], A) -> R,
    ) -> R;

    /// Writes the ASCII prefix, as much as fits. Returns its length.
    #[inline(always)]
    fn push_ascii(&self, out: &mut Out<'_, u8>) -> usize {
        let copy = |src: &str, out: &mut Out<'_, u8>| simd::copy_ascii(src.as_bytes(), out);
        self.by_form(out, copy, simd::narrow_ascii)
    }

    /// Returns the scalar value at `at` and its length in units; `None` at the end, and before a lead surrogate at the
    /// end of a chunk that is not the last.
    fn scalar(&self, at: usize, last: bool) -> Option<(u32, u8)>;

    /// Returns the first scalar value and the source after it; `None` at the end, and before a surrogate that has no
    /// partner in the source.
    fn first_scalar(&self) -> Option<(u32, &Self)>;

    /// Returns the unit at `at`, if there is one: the lead surrogate at the end, which an encoder has left unread.
    fn lead_at_end(&self, at: usize) -> Option<u16>;
}

impl Chars for str {
    const KERNEL_FROM: usize = tuning::UTF8_KERNEL_FROM;

    #[inline(always)]
    fn len(&self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn tail(&self, at: usize) -> &Self {
        simd::tail(self, at)
    }

    #[inline(always)]
    fn head(&self, most: usize) -> &Self {
        &self[..floor_char_boundary(self, most)]
    }

    #[inline(always)]
    fn starts_with_ascii(&self) -> bool {
        self.as_bytes().first().is_some_and(u8::is_ascii)
    }

    #[inline(always)]
    fn starts_with_run<const N: usize>(&self) -> bool {
        (self.as_bytes().first_chunk::<N>()).is_some_and(|run| run.is_ascii())
    }

    #[inline(always)]
    fn ascii_len_while(&self, predicate: impl Fn(u8) -> bool) -> usize {
        let mut bytes = self.bytes();
        let end = bytes.position(|byte| byte >= 0x80 || !predicate(byte));
        end.unwrap_or(self.len())
    }

    fn units<'a>(&'a self, scratch: &'a mut [u16]) -> (&'a [u16], usize) {
        let head = self.head(3 * scratch.len());
        let mut out = Out::from_init(&mut *scratch);
        let read = simd::utf8_to_utf16(head.as_bytes(), &mut out);
        let count = out.written();
        (&scratch[..count], read)
    }

    fn length_of(units: &[u16]) -> usize {
        let length = |&unit: &u16| 1 + usize::from(unit >= 0x80) + usize::from(unit >= 0x800);
        units.iter().map(length).sum()
    }

    #[inline(always)]
    fn by_form<A, R>(
        &self,
        with: A,
        utf8: impl FnOnce(&str, A) -> R,
        _: impl FnOnce(&[u16], A) -> R,
    ) -> R {
        utf8(self, with)
    }

    #[inline]
    fn scalar(&self, at: usize, _last: bool) -> Option<(u32, u8)> {
        let c = simd::tail(self, at).chars().next()?;
        Some((c.into(), c.len_utf8() as u8))
    }

    #[inline(always)]
    fn first_scalar(&self) -> Option<(u32, &Self)> {
        let mut chars = self.chars();
        Some((chars.next()?.into(), chars.as_str()))
    }

    #[inline(always)]
    fn lead_at_end(&self, _: usize) -> Option<u16> {
        None
    }
}

impl Chars for [u16] {
    const KERNEL_FROM: usize = tuning::PORTABLE_UP_TO;

    #[inline(always)]
    fn len(&self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn tail(&self, at: usize) -> &Self {
        simd::tail(self, at)
    }

    #[inline(always)]
    fn head(&self, most: usize) -> &Self {
        match &self[..self.len().min(most)] {
            // The trail surrogate may be in the next chunk.
            [before @ .., lead] if is_lead(*lead) => before,
            head => head,
        }
    }

    #[inline(always)]
    fn starts_with_ascii(&self) -> bool {
        self.first().is_some_and(|&unit| unit < 0x80)
    }

    #[inline(always)]
    fn starts_with_run<const N: usize>(&self) -> bool {
        let run = self.first_chunk::<N>();
        run.is_some_and(|run| run.iter().fold(0, |any, unit| any | unit) < 0x80)
    }

    #[inline(always)]
    fn ascii_len_while(&self, predicate: impl Fn(u8) -> bool) -> usize {
        let mut units = self.iter();
        let end = units.position(|&unit| unit >= 0x80 || !predicate(unit as u8));
        end.unwrap_or(self.len())
    }

    fn units<'a>(&'a self, scratch: &'a mut [u16]) -> (&'a [u16], usize) {
        let head = &self[..self.len().min(scratch.len())];
        (head, head.len())
    }

    fn length_of(units: &[u16]) -> usize {
        units.len()
    }

    #[inline(always)]
    fn by_form<A, R>(
        &self,
        with: A,
        _: impl FnOnce(&str, A) -> R,
        utf16: impl FnOnce(&[u16], A) -> R,
    ) -> R {
        utf16(self, with)
    }

    #[inline]
    fn scalar(&self, at: usize, last: bool) -> Option<(u32, u8)> {
        match self[at..] {
            [] => None,
            [lead] if is_lead(lead) && !last => None,
            [unit, ref rest @ ..] => {
                let (scalar, len) = scalar_of(unit, rest.first().copied().unwrap_or(0));
                Some((scalar, len as u8))
            }
        }
    }

    #[inline(always)]
    fn first_scalar(&self) -> Option<(u32, &Self)> {
        match *self {
            [unit, ref after @ ..] if !is_surrogate(unit) => Some((unit.into(), after)),
            [lead, trail, ref after @ ..] if is_lead(lead) && is_trail(trail) => {
                Some((join(lead, trail), after))
            }
            _ => None,
        }
    }

    #[inline(always)]
    fn lead_at_end(&self, at: usize) -> Option<u16> {
        let unit = self.get(at).copied();
        debug_assert!(unit.is_none_or(|unit| is_lead(unit) && at + 1 == self.len()));
        unit
    }
}

/// Returns the last character boundary at or before `at`. `str::floor_char_boundary` is newer than the MSRV.
fn floor_char_boundary(text: &str, at: usize) -> usize {
    if at >= text.len() {
        return text.len();
    }
    (0..=at)
        .rev()
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(0)
}

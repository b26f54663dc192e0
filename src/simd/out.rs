//! The output cursor that every codec writes through: safe, bounded, and usable over uninitialised buffers.
//!
//! An [`Out`] writes only initialised values, and only at the cursor. A caller's initialised slice thus stays initialised,
//! which makes [`Out::from_init`] sound. Elements after [`Out::written`] keep their values, which makes results independent
//! of instruction set and buffer size.

#[cfg(feature = "alloc")]
extern crate alloc;

use core::mem::MaybeUninit;
use core::ops::{Deref, DerefMut};

/// A cursor over a buffer of `T`: bytes, or UTF-16 code units.
///
/// Invariants: `written <= buf.len()`, and `buf[..written]` is initialised.
#[derive(Debug)]
pub struct Out<'a, T> {
    buf: &'a mut [MaybeUninit<T>],
    written: usize,
}

impl<'a, T: Copy> Out<'a, T> {
    /// Creates a cursor at the start of a buffer that may be uninitialised.
    #[inline(always)]
    pub(crate) fn from_uninit(buf: &'a mut [MaybeUninit<T>]) -> Self {
        Self { buf, written: 0 }
    }

    /// Creates a cursor at the start of an initialised buffer.
    #[inline(always)]
    pub(crate) fn from_init(buf: &'a mut [T]) -> Self {
        let buf: *mut [T] = buf;
        // SAFETY: `MaybeUninit<T>` has the layout of `T`, and the pointer comes from a `&mut` that is not used again.
        // `Out` writes initialised values only, and `buf` is private to this file, so the slice is still initialised
        // when its owner gets it back.
        let buf = unsafe { &mut *(buf as *mut [MaybeUninit<T>]) };
        Self { buf, written: 0 }
    }

    /// Returns the number of elements written.
    #[inline(always)]
    pub(crate) fn written(&self) -> usize {
        self.written
    }

    /// Returns the buffer of this cursor.
    #[inline(always)]
    pub(in crate::simd) fn buffer(&self) -> *const [MaybeUninit<T>] {
        &*self.buf
    }

    /// Asserts that the cursor is over `buffer`, because a callee with `&mut Out` could have replaced the cursor.
    #[inline(always)]
    pub(in crate::simd) fn assert_over(&self, buffer: *const [MaybeUninit<T>]) {
        assert!(
            core::ptr::eq(self.buffer(), buffer),
            "the cursor was replaced"
        );
    }

    /// Returns the number of elements that still fit.
    #[inline(always)]
    pub(crate) fn room(&self) -> usize {
        self.buf.len() - self.written
    }

    /// Returns the elements written.
    #[inline(always)]
    pub(crate) fn written_slice(&self) -> &[T] {
        // SAFETY: `written <= buf.len()` and `buf[..written]` is initialised, by the invariant of `Out`.
        unsafe { core::slice::from_raw_parts(self.buf.as_ptr().cast(), self.written) }
    }

    /// Returns the elements written, mutably.
    #[inline(always)]
    pub(crate) fn written_slice_mut(&mut self) -> &mut [T] {
        // SAFETY: `written <= buf.len()` and `buf[..written]` is initialised, by the invariant of `Out`. The slice
        // borrows this cursor, so the buffer is not accessed otherwise.
        unsafe { core::slice::from_raw_parts_mut(self.buf.as_mut_ptr().cast(), self.written) }
    }

    /// Writes one element. Returns false if the buffer is full.
    #[inline(always)]
    #[must_use]
    pub(crate) fn push(&mut self, value: T) -> bool {
        match self.buf.get_mut(self.written) {
            Some(slot) => {
                slot.write(value);
                self.written += 1;
                true
            }
            None => false,
        }
    }

    /// Writes all of `values`. Returns false and writes nothing if they do not fit.
    #[inline(always)]
    #[must_use]
    pub(crate) fn push_array<const N: usize>(&mut self, values: [T; N]) -> bool {
        if self.room() < N {
            return false;
        }
        // SAFETY: `room() >= N`, tested above; `[T; N]` has the alignment of `T`. The write initialises the `N`
        // elements.
        unsafe {
            self.spare_ptr().cast::<[T; N]>().write(values);
            self.advance(N);
        }
        true
    }

    /// Writes all of `values`. Returns false and writes nothing if they do not fit.
    #[inline]
    #[must_use]
    pub(crate) fn push_slice(&mut self, values: &[T]) -> bool {
        if self.room() < values.len() {
            return false;
        }
        // SAFETY: `room() >= values.len()`, tested above; the buffer is borrowed exclusively, so it does not overlap
        // `values`. The copy initialises the elements.
        unsafe {
            self.spare_ptr()
                .copy_from_nonoverlapping(values.as_ptr(), values.len());
            self.advance(values.len());
        }
        true
    }

    /// Writes the first `len` elements of a scratch buffer. Returns false and writes nothing if they do not fit.
    ///
    /// # Safety
    /// The first `len` elements of `scratch` are initialised.
    #[inline(always)]
    #[must_use]
    pub(in crate::simd) unsafe fn push_scratch(
        &mut self,
        scratch: &[MaybeUninit<T>],
        len: usize,
    ) -> bool {
        let written: *const [MaybeUninit<T>] = &scratch[..len];
        // SAFETY: `MaybeUninit<T>` has the layout of `T`; the elements are initialised, by `# Safety`.
        self.push_slice(unsafe { &*(written as *const [T]) })
    }

    /// Returns a copy of this cursor that hands its position back when it is dropped. The compiler keeps the copy in
    /// registers, unless the copy is passed to a function that is not inlined; use [`lend`](Self::lend) for that.
    #[inline(always)]
    pub(crate) fn local(&mut self) -> Local<'_, T> {
        let out = Out {
            buf: &mut *self.buf,
            written: self.written,
        };
        Local {
            buffer: out.buffer(),
            out,
            written: &mut self.written,
        }
    }

    /// Calls `write`, which need not be inlined, with a copy of this cursor and takes over its position.
    #[inline(always)]
    pub(crate) fn lend<R>(&mut self, write: impl FnOnce(&mut Out<'_, T>) -> R) -> R {
        let mut copy = Out {
            buf: &mut *self.buf,
            written: self.written,
        };
        let buffer = copy.buffer();
        let result = write(&mut copy);
        copy.assert_over(buffer);
        self.written = copy.written;
        result
    }

    /// Moves the cursor back to the position at which [`Out::written`] was `written`. Ignores a later position.
    #[inline(always)]
    pub(crate) fn truncate(&mut self, written: usize) {
        self.written = self.written.min(written);
    }

    /// Returns a pointer to the element at the cursor. The caller may write up to `room()` initialised elements there.
    #[inline(always)]
    pub(in crate::simd) fn spare_ptr(&mut self) -> *mut T {
        // SAFETY: `written <= buf.len()`, by the invariant of `Out`.
        unsafe { self.buf.as_mut_ptr().add(self.written).cast() }
    }

    /// Returns the elements after the cursor.
    ///
    /// # Safety
    /// The caller writes only initialised values to the slice.
    #[inline(always)]
    pub(in crate::simd) unsafe fn spare(&mut self) -> &mut [MaybeUninit<T>] {
        &mut self.buf[self.written..]
    }

    /// Calls a kernel with a pointer to the cursor and the number of elements that fit. The kernel returns the number
    /// of units read, which this method returns, and the number of elements written.
    ///
    /// # Safety
    /// `write` initialises the elements that it reports as written, and they fit.
    #[inline(always)]
    pub(in crate::simd) unsafe fn write_with(
        &mut self,
        write: impl FnOnce(*mut T, usize) -> (usize, usize),
    ) -> usize {
        let (read, written) = write(self.spare_ptr(), self.room());
        // SAFETY: `written <= room()`, and `write` has initialised these elements, by `# Safety`.
        unsafe { self.advance(written) };
        read
    }

    /// Advances the cursor by `n` elements.
    ///
    /// # Safety
    /// `n <= room()`, and the next `n` elements have been initialised through [`Out::spare_ptr`].
    #[inline(always)]
    pub(in crate::simd) unsafe fn advance(&mut self, n: usize) {
        debug_assert!(n <= self.room());
        self.written += n;
    }
}

/// A copy of a cursor; see [`Out::local`].
pub(crate) struct Local<'a, T: Copy> {
    out: Out<'a, T>,
    buffer: *const [MaybeUninit<T>],
    written: &'a mut usize,
}

impl<'a, T: Copy> Deref for Local<'a, T> {
    type Target = Out<'a, T>;

    #[inline(always)]
    fn deref(&self) -> &Out<'a, T> {
        &self.out
    }
}

impl<T: Copy> DerefMut for Local<'_, T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.out
    }
}

impl<T: Copy> Drop for Local<'_, T> {
    #[inline(always)]
    fn drop(&mut self) {
        self.out.assert_over(self.buffer);
        *self.written = self.out.written;
    }
}

impl Out<'_, u8> {
    /// Writes the low `len` bytes of `packed`, lowest first. Returns false and writes nothing if they do not fit. `len`
    /// is 0 to 4.
    ///
    /// Serves encoders that compute all bytes of a character in a register. For 2 to 4 bytes, two overlapping two-byte
    /// stores need no branch on the length and touch no byte after the last.
    #[inline(always)]
    #[must_use]
    pub(crate) fn push_packed(&mut self, packed: u32, len: usize) -> bool {
        debug_assert!(len <= 4);
        let len = len.min(4);
        if self.room() < len {
            return false;
        }
        let bytes = packed.to_le_bytes();
        if len >= 2 {
            let last_two = (packed >> (8 * (len - 2))) as u16;
            // SAFETY: `room() >= len`, tested above, and `2 <= len <= 4`, so both stores are inside `len` bytes and
            // together initialise them.
            unsafe {
                let spare = self.spare_ptr();
                spare.cast::<[u8; 2]>().write([bytes[0], bytes[1]]);
                spare
                    .add(len - 2)
                    .cast::<[u8; 2]>()
                    .write(last_two.to_le_bytes());
                self.advance(len);
            }
            return true;
        }
        len == 0 || self.push(bytes[0])
    }
}

/// Returns `length` rounded up to whole blocks, which vector kernels need as output space, except for very short text.
/// `None` on overflow.
#[cfg(feature = "alloc")]
#[inline]
pub(crate) fn whole_blocks(length: usize) -> Option<usize> {
    const BLOCK: usize = 64;
    if length < BLOCK / 2 {
        Some(length)
    } else {
        length.checked_next_multiple_of(BLOCK)
    }
}

/// Appends to `vec` the elements that `write` writes to its spare capacity. Reserves nothing.
#[cfg(feature = "alloc")]
#[inline]
pub(crate) fn append<T: Copy, R>(
    vec: &mut alloc::vec::Vec<T>,
    write: impl FnOnce(&mut Out<'_, T>) -> R,
) -> R {
    let mut out = Out::from_uninit(vec.spare_capacity_mut());
    let spare = out.buffer();
    let result = write(&mut out);
    out.assert_over(spare);
    let written = out.written;
    // SAFETY: the cursor is over the spare capacity of `vec`, asserted above, and its first `written` elements are
    // initialised, by the invariant of `Out`.
    unsafe { vec.set_len(vec.len() + written) };
    result
}

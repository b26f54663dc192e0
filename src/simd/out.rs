//! The output cursor that every codec writes through: safe, bounded, and indifferent to whether the buffer was
//! initialised.
//!
//! An [`Out`] writes initialised values only, and only at the cursor, so a caller's initialised slice stays
//! initialised and what lies past [`Out::written`] stays as it was. Codecs rely on both: the first makes
//! [`Out::from_init`] sound, the second makes results independent of instruction set and buffer size.

#[cfg(feature = "alloc")]
extern crate alloc;

use core::mem::MaybeUninit;

/// A cursor over a buffer of `T`: bytes, or UTF-16 code units.
///
/// Invariants: `written <= buf.len()`, and `buf[..written]` is initialised.
#[derive(Debug)]
pub struct Out<'a, T> {
    buf: &'a mut [MaybeUninit<T>],
    written: usize,
}

impl<'a, T: Copy> Out<'a, T> {
    /// A cursor at the start of a buffer that may be uninitialised.
    #[inline(always)]
    pub(crate) fn from_uninit(buf: &'a mut [MaybeUninit<T>]) -> Self {
        Self { buf, written: 0 }
    }

    /// A cursor at the start of an initialised buffer.
    #[inline(always)]
    pub(crate) fn from_init(buf: &'a mut [T]) -> Self {
        let buf: *mut [T] = buf;
        // SAFETY: `MaybeUninit<T>` has the layout of `T`, and the pointer comes from a `&mut` that is given up
        // here. No method of `Out` writes an uninitialised value, and `buf` is private to this file, so the slice
        // is as initialised when it returns to its owner as it is now.
        let buf = unsafe { &mut *(buf as *mut [MaybeUninit<T>]) };
        Self { buf, written: 0 }
    }

    /// How many elements have been written.
    #[inline(always)]
    pub(crate) fn written(&self) -> usize {
        self.written
    }

    /// The buffer that the cursor is over.
    #[inline(always)]
    pub(in crate::simd) fn buffer(&self) -> *const [MaybeUninit<T>] {
        &*self.buf
    }

    /// Asserts that the cursor is over this buffer: one who was lent a cursor can put another in its place.
    #[inline(always)]
    pub(in crate::simd) fn assert_over(&self, buffer: *const [MaybeUninit<T>]) {
        assert!(
            core::ptr::eq(self.buffer(), buffer),
            "the cursor was replaced"
        );
    }

    /// How many elements still fit.
    #[inline(always)]
    pub(crate) fn room(&self) -> usize {
        self.buf.len() - self.written
    }

    /// What has been written.
    #[inline(always)]
    pub(crate) fn written_slice(&self) -> &[T] {
        // SAFETY: `buf[..written]` lies within `buf` and is initialised: the invariant of `Out`, kept by `advance`.
        unsafe { core::slice::from_raw_parts(self.buf.as_ptr().cast(), self.written) }
    }

    /// What has been written, to be changed in its place.
    #[inline(always)]
    pub(crate) fn written_slice_mut(&mut self) -> &mut [T] {
        // SAFETY: `buf[..written]` lies within `buf` and is initialised: the invariant of `Out`, kept by `advance`. The
        // slice borrows this cursor, and so nothing else reaches the buffer meanwhile.
        unsafe { core::slice::from_raw_parts_mut(self.buf.as_mut_ptr().cast(), self.written) }
    }

    /// Writes one element; false, and nothing written, when the buffer is full.
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

    /// Writes all of `values`, or nothing and returns false when there is too little room.
    #[inline(always)]
    #[must_use]
    pub(crate) fn push_array<const N: usize>(&mut self, values: [T; N]) -> bool {
        if self.room() < N {
            return false;
        }
        // SAFETY: the compare above established room for `N` elements at the cursor; `[T; N]` has the alignment
        // of `T`. The write initialises those `N`.
        unsafe {
            self.spare_ptr().cast::<[T; N]>().write(values);
            self.advance(N);
        }
        true
    }

    /// Writes all of `values`, or nothing and returns false when there is too little room.
    #[inline]
    #[must_use]
    pub(crate) fn push_slice(&mut self, values: &[T]) -> bool {
        if self.room() < values.len() {
            return false;
        }
        // SAFETY: the compare above established room for `values.len()` elements at the cursor, and `&mut`
        // exclusivity that the two do not overlap. The copy initialises them.
        unsafe {
            self.spare_ptr()
                .copy_from_nonoverlapping(values.as_ptr(), values.len());
            self.advance(values.len());
        }
        true
    }

    /// Writes the first `len` elements of what was written to scratch memory, or nothing and returns false when there is too
    /// little room.
    ///
    /// # Safety
    /// They are initialised.
    #[inline(always)]
    #[must_use]
    pub(in crate::simd) unsafe fn push_scratch(
        &mut self,
        scratch: &[MaybeUninit<T>],
        len: usize,
    ) -> bool {
        let written: *const [MaybeUninit<T>] = &scratch[..len];
        // SAFETY: `MaybeUninit<T>` has the layout of `T`; the rest is the contract of this function.
        self.push_slice(unsafe { &*(written as *const [T]) })
    }

    /// Moves the cursor back to where [`Out::written`] was `written`. A later position is ignored.
    #[inline(always)]
    pub(crate) fn truncate(&mut self, written: usize) {
        self.written = self.written.min(written);
    }

    /// The cursor: `room()` elements from here on may be written, each with an initialised value.
    #[inline(always)]
    pub(in crate::simd) fn spare_ptr(&mut self) -> *mut T {
        // SAFETY: `written <= buf.len()`, the invariant of `Out`.
        unsafe { self.buf.as_mut_ptr().add(self.written).cast() }
    }

    /// What is after the cursor.
    ///
    /// # Safety
    /// Only initialised values are written to it.
    #[inline(always)]
    pub(in crate::simd) unsafe fn spare(&mut self) -> &mut [MaybeUninit<T>] {
        &mut self.buf[self.written..]
    }

    /// Lets a kernel write from the cursor on. It gets the place and the number of elements that fit, and returns what it has
    /// read and how many elements it has written. Returns the former.
    ///
    /// # Safety
    /// `write` initialises the number of elements that it returns, within the output.
    #[inline(always)]
    pub(in crate::simd) unsafe fn write_with(
        &mut self,
        write: impl FnOnce(*mut T, usize) -> (usize, usize),
    ) -> usize {
        let (read, written) = write(self.spare_ptr(), self.room());
        // SAFETY: the contract of this function.
        unsafe { self.advance(written) };
        read
    }

    /// Moves the cursor over `n` elements.
    ///
    /// # Safety
    /// `n <= room()`, and the next `n` elements have been initialised through [`Out::spare_ptr`].
    #[inline(always)]
    pub(in crate::simd) unsafe fn advance(&mut self, n: usize) {
        debug_assert!(n <= self.room());
        self.written += n;
    }
}

impl Out<'_, u8> {
    /// Writes the low `len` bytes of `packed`, lowest first, or nothing and returns false when there is too little
    /// room. `len` is 0 to 4.
    ///
    /// For encoders that compute all bytes of a character in a register. Two overlapping two-byte stores serve the
    /// lengths 2, 3 and 4 without a branch among them and without touching a byte past the last.
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
            // SAFETY: the compare above established room for `len` bytes, and 2 <= len <= 4: both stores lie
            // within them, and together initialise all of them.
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

/// The length of input that room is made for ahead of `length`: vector kernels want room for whole blocks, which very
/// short text is not worth. `None` if there is no such number.
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

/// Lets `write` fill `vec`'s spare capacity, and appends what it wrote. Reserves nothing.
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
    // SAFETY: the cursor is the one over this vector's spare capacity, as just asserted, and its invariant says
    // that the first `written` elements of it are initialised.
    unsafe { vec.set_len(vec.len() + written) };
    result
}

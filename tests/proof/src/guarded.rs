//! Memory between two inaccessible pages.

use std::ptr::NonNull;

/// Readable and writable pages with an inaccessible page on either side.
#[derive(Debug)]
pub struct Guarded {
    base: NonNull<u8>,
    page: usize,
    /// The number of bytes between the guard pages.
    inner: usize,
}

/// The position of a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flush {
    /// The slice starts at the end of the first guard page.
    Start,
    /// The slice ends at the start of the second guard page.
    End,
}

/// A type of units for which every bit pattern is valid.
pub trait Plain: Copy + sealed::Sealed {}
impl Plain for u8 {}
impl Plain for u16 {}

mod sealed {
    pub trait Sealed {}
    impl Sealed for u8 {}
    impl Sealed for u16 {}
}

impl Guarded {
    /// Allocates pages with space for at least `length` bytes.
    ///
    /// # Panics
    ///
    /// If the system gives none.
    pub fn new(length: usize) -> Self {
        // SAFETY: `sysconf` only reads a number.
        let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) })
            .expect("a page has a size");
        let inner = length.max(1).next_multiple_of(page);
        // SAFETY: a new anonymous mapping, for which the system chooses the address, affects no other memory.
        let base = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                inner + 2 * page,
                libc::PROT_NONE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        assert_ne!(base, libc::MAP_FAILED, "no memory");
        let base = NonNull::new(base.cast::<u8>()).expect("a mapping is not at 0");
        // SAFETY: the range is within the new mapping, between its first and its last page.
        let result = unsafe {
            libc::mprotect(
                base.as_ptr().add(page).cast(),
                inner,
                libc::PROT_READ | libc::PROT_WRITE,
            )
        };
        assert_eq!(result, 0, "no access");
        Guarded { base, page, inner }
    }

    /// Returns a slice of `length` units that adjoins one of the guard pages.
    ///
    /// # Panics
    ///
    /// If they do not fit.
    pub fn slice<T: Plain>(&mut self, length: usize, flush: Flush) -> &mut [T] {
        let size = length * size_of::<T>();
        assert!(size <= self.inner, "too long");
        let offset = match flush {
            Flush::Start => 0,
            Flush::End => self.inner - size,
        };
        // SAFETY: `offset + size <= inner` was asserted, so the slice lies within the accessible pages. These are
        // initialised: by zeros, or by earlier slices. Every bit pattern is a valid `Plain`. Pages are aligned to more
        // than `align_of::<T>()`, and `offset` is a multiple of `size_of::<T>()` because `inner` and `size` are. The
        // borrow of `self` makes it the only reference.
        unsafe {
            let start = self.base.as_ptr().add(self.page + offset).cast::<T>();
            std::slice::from_raw_parts_mut(start, length)
        }
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: this unmaps the mapping that `new` has made, which no slice outlives.
        unsafe {
            libc::munmap(self.base.as_ptr().cast(), self.inner + 2 * self.page);
        }
    }
}

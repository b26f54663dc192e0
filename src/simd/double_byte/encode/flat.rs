//! The values of a rank table by code point, in memory, for WebAssembly: one load for a character instead of three that depend
//! on one another, with a count of bits between them.
//!
//! The table has 128 KiB. It is made after 65,536 characters have been looked up, and is never freed. With simd128 in V8, on
//! 64 KB of text: Shift_JIS 3.5 to 1.5 ns a character, EUC-JP 3.3 to 1.0, Big5 3.1 to 1.0, EUC-KR 2.3 to 0.9, GBK 1.5 to 1.1.

#[cfg(all(target_arch = "wasm32", feature = "alloc"))]
pub(crate) use made::Flat;
#[cfg(not(all(target_arch = "wasm32", feature = "alloc")))]
pub(crate) use never::Flat;

/// Values by code point.
pub(super) type Table = [u16; 1 << 16];

#[cfg(all(target_arch = "wasm32", feature = "alloc"))]
mod made {
    use super::Table;
    use alloc::boxed::Box;
    use alloc::vec;
    use core::ptr;
    use core::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

    /// How many characters are looked up without the table: making it takes about as long.
    const ENOUGH: u32 = 1 << 16;

    /// The table of an encoder, once it is made.
    pub(crate) struct Flat {
        seen: AtomicU32,
        /// Null, or a box that is never freed.
        table: AtomicPtr<Table>,
    }

    impl Flat {
        pub(crate) const fn new() -> Self {
            Self {
                seen: AtomicU32::new(0),
                table: AtomicPtr::new(ptr::null_mut()),
            }
        }

        /// The table, before `count` characters are looked up; `None` while there were too few of them. `value` is what it has
        /// for a code point, always the same.
        #[inline]
        pub(crate) fn before(&self, count: usize, value: impl Fn(u16) -> u16) -> Option<&Table> {
            // SAFETY: null, or a table that is complete, as the order of the store says, and is never changed or freed.
            if let Some(table) = unsafe { self.table.load(Ordering::Acquire).as_ref() } {
                return Some(table);
            }
            let count = u32::try_from(count).unwrap_or(ENOUGH);
            if self.seen.fetch_add(count, Ordering::Relaxed) < ENOUGH {
                return None;
            }
            self.make(value)
        }

        #[cold]
        #[inline(never)]
        fn make(&self, value: impl Fn(u16) -> u16) -> Option<&Table> {
            let mut table: Box<Table> = vec![0; 1 << 16].into_boxed_slice().try_into().ok()?;
            for (code_point, to) in (0..=u16::MAX).zip(table.iter_mut()) {
                *to = value(code_point);
            }
            let made = Box::into_raw(table);
            let null = ptr::null_mut();
            let stored =
                (self.table).compare_exchange(null, made, Ordering::AcqRel, Ordering::Acquire);
            if stored.is_err() {
                // SAFETY: of `into_raw`, and nothing else has it: another thread's table was first.
                drop(unsafe { Box::from_raw(made) });
            }
            // SAFETY: a table that is never changed or freed.
            unsafe { self.table.load(Ordering::Acquire).as_ref() }
        }
    }
}

#[cfg(not(all(target_arch = "wasm32", feature = "alloc")))]
mod never {
    use super::Table;

    /// No table: elsewhere the kernels gather, or there is no memory to be had.
    pub(crate) struct Flat;

    impl Flat {
        pub(crate) const fn new() -> Self {
            Self
        }

        #[cfg_attr(not(v256), allow(dead_code, reason = "only kernels ask for it"))]
        #[inline(always)]
        pub(crate) fn before(&self, _: usize, _: impl Fn(u16) -> u16) -> Option<&Table> {
            None
        }
    }
}

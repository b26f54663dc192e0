//! The values of a rank table indexed by code point, for WebAssembly: one load per character instead of three dependent
//! ones with a population count between them.
//!
//! The table takes 128 KiB. It is built after 65,536 characters have been looked up and is never freed. Times in ns per
//! character without / with the table, with simd128 in V8 on 64 KB of text: Shift_JIS 3.5 / 1.5, EUC-JP 3.3 / 1.0, Big5
//! 3.1 / 1.0, EUC-KR 2.3 / 0.9, GBK 1.5 / 1.1.

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

    /// The number of characters looked up before the table is built, which takes about as long as those look-ups.
    const ENOUGH_LOOK_UPS: u32 = 1 << 16;

    /// The table of an encoder, once it is built.
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

        /// Returns the table. If it is not built yet, counts `count` look-ups. Once enough are counted, builds the
        /// table; until then returns `None`. `value` must map a code point to the same entry in all calls.
        #[inline]
        pub(crate) fn before(&self, count: usize, value: impl Fn(u16) -> u16) -> Option<&Table> {
            // SAFETY: the pointer is null, or a table that was complete before the release store and is never changed
            // or freed.
            if let Some(table) = unsafe { self.table.load(Ordering::Acquire).as_ref() } {
                return Some(table);
            }
            let count = u32::try_from(count).unwrap_or(ENOUGH_LOOK_UPS);
            if self.seen.fetch_add(count, Ordering::Relaxed) < ENOUGH_LOOK_UPS {
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
                // SAFETY: `made` comes from `Box::into_raw` and was not shared, as another thread's table was stored
                // first.
                drop(unsafe { Box::from_raw(made) });
            }
            // SAFETY: the pointer is not null; its table is complete and is never changed or freed.
            unsafe { self.table.load(Ordering::Acquire).as_ref() }
        }
    }
}

#[cfg(not(all(target_arch = "wasm32", feature = "alloc")))]
mod never {
    use super::Table;

    /// An empty type for targets that gather instead, and for builds without `alloc`.
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

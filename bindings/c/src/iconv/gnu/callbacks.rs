//! Callbacks that a program sets by `iconvctl`. Hooks are called with each character; fallbacks return a substitute for
//! unconvertible input.

use core::ffi::{c_char, c_uint, c_void};
use core::slice;

/// `struct iconv_hooks`. The hook for `wchar_t` is never called, because `wchar_t` is Unicode here.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct Hooks {
    unicode: Option<unsafe extern "C" fn(c_uint, *mut c_void)>,
    wide: *const c_void,
    data: *mut c_void,
}

impl Hooks {
    pub(super) const NONE: Self = Self {
        unicode: None,
        wide: core::ptr::null(),
        data: core::ptr::null_mut(),
    };

    pub(super) fn is_set(&self) -> bool {
        self.unicode.is_some()
    }

    /// Calls the hook with a converted character.
    pub(super) fn call(&self, scalar: u32) {
        if let Some(hook) = self.unicode {
            // SAFETY: the program has set this function as the hook for this data.
            unsafe { hook(scalar, self.data) };
        }
    }
}

type Collect<T> = unsafe extern "C" fn(*const T, usize, *mut c_void);

/// `struct iconv_fallbacks`. The fallbacks for `wchar_t` are never called.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct Fallbacks {
    bytes: Option<
        unsafe extern "C" fn(*const c_char, usize, Collect<c_uint>, *mut c_void, *mut c_void),
    >,
    scalar: Option<unsafe extern "C" fn(c_uint, Collect<c_char>, *mut c_void, *mut c_void)>,
    wide: [*const c_void; 2],
    data: *mut c_void,
}

impl Fallbacks {
    pub(super) const NONE: Self = Self {
        bytes: None,
        scalar: None,
        wide: [core::ptr::null(); 2],
        data: core::ptr::null_mut(),
    };

    /// Returns the substitute for malformed bytes; `None` without a fallback.
    pub(super) fn for_bytes(&self, bytes: &[u8]) -> Option<Vec<u32>> {
        let fallback = self.bytes?;
        let mut given = Vec::new();
        let to = (&raw mut given).cast();
        // SAFETY: the program has set this function as the fallback for this data; `collect` gets a vector of its type.
        unsafe {
            fallback(
                bytes.as_ptr().cast(),
                bytes.len(),
                collect::<c_uint>,
                to,
                self.data,
            )
        };
        Some(given)
    }

    /// Returns the substitute for a character that the encoding lacks; `None` without a fallback.
    pub(super) fn for_scalar(&self, scalar: u32) -> Option<Vec<u8>> {
        let fallback = self.scalar?;
        let mut given = Vec::<c_char>::new();
        let to = (&raw mut given).cast();
        // SAFETY: as above.
        unsafe { fallback(scalar, collect::<c_char>, to, self.data) };
        Some(given.into_iter().map(|byte| byte as u8).collect())
    }
}

/// Appends a part of a substitute to the vector at `to`. A fallback may call this function repeatedly.
unsafe extern "C" fn collect<T: Copy>(given: *const T, len: usize, to: *mut c_void) {
    if !given.is_null() {
        // SAFETY: `to` is the vector that the fallback got, and the fallback passes memory of this length.
        unsafe { (*to.cast::<Vec<T>>()).extend_from_slice(slice::from_raw_parts(given, len)) };
    }
}

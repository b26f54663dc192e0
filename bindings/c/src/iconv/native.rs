//! The C library's own iconv, for input that the engine does not convert.

use crate::args;
use core::ffi::{CStr, c_char, c_int, c_void};
use core::mem::MaybeUninit;
use core::ptr;
use std::sync::OnceLock;

/// Returns the locale's encoding. Its string is only valid until the locale changes.
pub(super) fn locale_charset() -> Option<&'static [u8]> {
    // SAFETY: nl_langinfo returns a string that ends with a zero byte.
    unsafe { args::string(libc::nl_langinfo(libc::CODESET)) }
}

type Open = unsafe extern "C" fn(*const c_char, *const c_char) -> *mut c_void;
type Convert = unsafe extern "C" fn(
    *mut c_void,
    *mut *mut c_char,
    *mut usize,
    *mut *mut c_char,
    *mut usize,
) -> usize;
type Close = unsafe extern "C" fn(*mut c_void) -> c_int;

/// The C library's three functions.
struct Functions {
    open: Open,
    convert: Convert,
    close: Close,
}

/// The error value of iconv functions: `(iconv_t)-1` and `(size_t)-1`.
pub(super) const FAILED: usize = usize::MAX;

/// `(iconv_t)-1`.
pub(super) fn no_descriptor() -> *mut c_void {
    ptr::without_provenance_mut(FAILED)
}

pub(super) fn set_errno(number: c_int) {
    // SAFETY: the C library returns a pointer to this thread's errno, which lives as long as the thread.
    unsafe { *libc::__errno_location() = number };
}

pub(super) fn errno() -> c_int {
    // SAFETY: the C library returns a pointer to this thread's errno, which lives as long as the thread.
    unsafe { *libc::__errno_location() }
}

fn functions() -> Option<&'static Functions> {
    static FUNCTIONS: OnceLock<Option<Functions>> = OnceLock::new();
    let found = FUNCTIONS.get_or_init(|| {
        let find = |name: &CStr| {
            // SAFETY: the name is a string that ends with a zero byte.
            let found = unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) };
            (!found.is_null()).then_some(found)
        };
        let (open, convert, close) = (find(c"iconv_open")?, find(c"iconv")?, find(c"iconv_close")?);
        // SAFETY: functions of these names have these types, by POSIX.
        Some(unsafe {
            Functions {
                open: core::mem::transmute::<*mut c_void, Open>(open),
                convert: core::mem::transmute::<*mut c_void, Convert>(convert),
                close: core::mem::transmute::<*mut c_void, Close>(close),
            }
        })
    });
    found.as_ref()
}

/// A descriptor of the C library.
#[derive(Debug)]
pub(super) struct Native(*mut c_void);

impl Native {
    /// Opens a descriptor. Returns `None` and sets errno if the C library lacks the conversion, or has no iconv.
    pub(super) fn open(to: &CStr, from: &CStr) -> Option<Self> {
        let Some(functions) = functions() else {
            set_errno(libc::EINVAL);
            return None;
        };
        // SAFETY: both are strings that end with a zero byte.
        let descriptor = unsafe { (functions.open)(to.as_ptr(), from.as_ptr()) };
        (descriptor != no_descriptor()).then_some(Self(descriptor))
    }

    /// Wraps a descriptor that the caller got from the C library itself.
    pub(super) fn foreign(descriptor: *mut c_void) -> Self {
        Self(descriptor)
    }

    /// Closes the descriptor and returns the result of `iconv_close`.
    pub(super) fn close(self) -> c_int {
        let this = core::mem::ManuallyDrop::new(self);
        // SAFETY: the descriptor is open, and is not used after this.
        functions().map_or(-1, |functions| unsafe { (functions.close)(this.0) })
    }

    /// Calls `iconv` with the caller's own arguments.
    ///
    /// # Safety
    ///
    /// The arguments must meet the conditions of iconv(3).
    pub(super) unsafe fn pass(
        &mut self,
        inbuf: *mut *mut c_char,
        inbytesleft: *mut usize,
        outbuf: *mut *mut c_char,
        outbytesleft: *mut usize,
    ) -> usize {
        let Some(functions) = functions() else {
            set_errno(libc::EBADF);
            return FAILED;
        };
        // SAFETY: the descriptor is open, and the caller guarantees the rest.
        unsafe { (functions.convert)(self.0, inbuf, inbytesleft, outbuf, outbytesleft) }
    }

    /// Resets the descriptor to its initial state.
    pub(super) fn reset(&mut self) {
        let null = ptr::null_mut;
        // SAFETY: iconv takes null pointers, which reset a descriptor.
        unsafe { self.pass(null(), ptr::null_mut(), null(), ptr::null_mut()) };
    }

    /// Converts. Returns the result of iconv, and the numbers of bytes read and written.
    pub(super) fn convert(
        &mut self,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> (usize, usize, usize) {
        let (mut input, mut left) = (src.as_ptr().cast_mut().cast::<c_char>(), src.len());
        let (mut output, mut space) = (dst.as_mut_ptr().cast::<c_char>(), dst.len());
        // SAFETY: the pointers and the lengths are those of the slices, and iconv only reads its input.
        let result = unsafe { self.pass(&mut input, &mut left, &mut output, &mut space) };
        (result, src.len() - left, dst.len() - space)
    }
}

impl Drop for Native {
    fn drop(&mut self) {
        if let Some(functions) = functions() {
            let before = errno();
            // SAFETY: the descriptor is open, and is not used after this.
            unsafe { (functions.close)(self.0) };
            set_errno(before);
        }
    }
}

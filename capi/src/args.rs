//! What a C caller passes, as slices and references.
//!
//! A null pointer with a length of 0 is an empty slice; a null pointer with another length, or a length of more than half
//! the address space, is an invalid argument and yields `None`.

use core::mem::MaybeUninit;
use core::slice;

/// Whether `len` values of `T` at `pointer` can be a slice at all.
fn is_possible<T>(pointer: *const T, len: usize) -> bool {
    let is_aligned = pointer.is_aligned() || len == 0;
    !pointer.is_null() && is_aligned && len <= isize::MAX as usize / size_of::<T>().max(1)
}

/// The `len` values at `pointer`.
///
/// # Safety
///
/// Unless it is null, `pointer` must point to `len` initialised values that nothing writes to in the lifetime.
pub(crate) unsafe fn slice<'a, T>(pointer: *const T, len: usize) -> Option<&'a [T]> {
    if len == 0 {
        return Some(&[]);
    }
    // SAFETY: not null, aligned and not too long, as has just been tested; the rest is what the caller owes.
    is_possible(pointer, len).then(|| unsafe { slice::from_raw_parts(pointer, len) })
}

/// The `len` values at `pointer`, which need not be initialised.
///
/// # Safety
///
/// Unless it is null, `pointer` must point to memory for `len` values that nothing else reads or writes in the lifetime.
pub(crate) unsafe fn target<'a, T>(
    pointer: *mut T,
    len: usize,
) -> Option<&'a mut [MaybeUninit<T>]> {
    if len == 0 {
        return Some(&mut []);
    }
    let pointer = pointer.cast::<MaybeUninit<T>>();
    // SAFETY: not null, aligned and not too long, as has just been tested; the rest is what the caller owes.
    is_possible(pointer, len).then(|| unsafe { slice::from_raw_parts_mut(pointer, len) })
}

/// [`target`] for functions that take initialised memory, although they only write to it.
///
/// # Safety
///
/// As [`target`]. The memory must be initialised, too, or be written by the callee before it is read.
pub(crate) unsafe fn initialised_target<'a, T>(pointer: *mut T, len: usize) -> Option<&'a mut [T]> {
    if len == 0 {
        return Some(&mut []);
    }
    // SAFETY: not null, aligned and not too long, as has just been tested; the rest is what the caller owes.
    is_possible(pointer, len).then(|| unsafe { slice::from_raw_parts_mut(pointer, len) })
}

/// Writes `value` where the caller wants it; a null pointer says that it does not.
///
/// # Safety
///
/// Unless it is null, `pointer` must point to memory for a `T`.
pub(crate) unsafe fn write<T>(pointer: *mut T, value: T) {
    if !pointer.is_null() && pointer.is_aligned() {
        // SAFETY: not null and aligned, as has just been tested; that there is memory is what the caller owes.
        unsafe { pointer.write(value) }
    }
}

/// A string that ends with a zero byte; `None` for a null pointer.
///
/// # Safety
///
/// Unless it is null, `pointer` must point to a string that ends with a zero byte and that nothing writes to in the
/// lifetime.
pub(crate) unsafe fn string<'a>(pointer: *const core::ffi::c_char) -> Option<&'a [u8]> {
    // SAFETY: not null, as has just been tested; the rest is what the caller owes.
    (!pointer.is_null()).then(|| unsafe { core::ffi::CStr::from_ptr(pointer) }.to_bytes())
}

/// Text as an array that a struct of C holds: cut to fit, with a zero byte after it.
pub(crate) fn chars<const N: usize>(text: &str) -> [core::ffi::c_char; N] {
    let mut array = [0; N];
    for (to, &from) in array[..N - 1].iter_mut().zip(text.as_bytes()) {
        *to = from as core::ffi::c_char;
    }
    array
}

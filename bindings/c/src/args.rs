//! Converts a C caller's arguments to slices and references.
//!
//! A null pointer with a length of 0 is an empty slice; a null pointer with another length, or a length of more than half
//! the address space, is an invalid argument and yields `None`.

use crate::progress::{CProgress, INVALID_ARGUMENT};
use core::ffi::{c_int, c_void};
use core::mem::MaybeUninit;
use core::slice;

/// True if `len` values of `T` at `pointer` can be a slice: aligned, not null unless empty, and not too long.
fn is_possible<T>(pointer: *const T, len: usize) -> bool {
    let is_aligned = pointer.is_aligned() || len == 0;
    !pointer.is_null() && is_aligned && len <= isize::MAX as usize / size_of::<T>().max(1)
}

/// Returns the `len` values at `pointer` as a slice.
///
/// # Safety
///
/// Unless it is null, `pointer` must point to `len` initialised values that nothing writes to in the lifetime.
pub(crate) unsafe fn slice<'a, T>(pointer: *const T, len: usize) -> Option<&'a [T]> {
    if len == 0 {
        return Some(&[]);
    }
    // SAFETY: not null, aligned and not too long, as has just been tested; the caller guarantees the rest.
    is_possible(pointer, len).then(|| unsafe { slice::from_raw_parts(pointer, len) })
}

/// Returns the `len` values at `pointer`, possibly uninitialised, as a mutable slice.
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
    // SAFETY: not null, aligned and not too long, as has just been tested; the caller guarantees the rest.
    is_possible(pointer, len).then(|| unsafe { slice::from_raw_parts_mut(pointer, len) })
}

/// [`target`] for functions that require initialised memory, although they only write to it.
///
/// # Safety
///
/// The conditions of [`target`] apply. The memory must also be initialised, or be written before it is read.
pub(crate) unsafe fn initialised_target<'a, T>(pointer: *mut T, len: usize) -> Option<&'a mut [T]> {
    if len == 0 {
        return Some(&mut []);
    }
    // SAFETY: not null, aligned and not too long, as has just been tested; the caller guarantees the rest.
    is_possible(pointer, len).then(|| unsafe { slice::from_raw_parts_mut(pointer, len) })
}

/// The number of bytes that mojika.h reserves for a decoder, and for an encoder.
const RESERVED: usize = 192;

/// Asserts that a coder fits into its struct of mojika.h, and needs no destructor.
pub(crate) const fn assert_is_coder<T>() {
    assert!(size_of::<T>() <= RESERVED && align_of::<T>() <= 8);
    // C callers never free a coder, and may copy its bytes.
    assert!(!core::mem::needs_drop::<T>());
}

/// Returns the `size` bytes at `memory` as memory for a `T`; `None` if they are too few or not aligned.
///
/// # Safety
///
/// Unless it is null, `memory` must point to `size` bytes that nothing else reads or writes in the lifetime.
pub(crate) unsafe fn place<'a, T>(
    memory: *mut c_void,
    size: usize,
) -> Option<&'a mut MaybeUninit<T>> {
    if size < size_of::<T>() {
        return None;
    }
    // SAFETY: the memory suffices for one `T`, as has just been tested; the caller guarantees the rest.
    unsafe { target(memory.cast::<T>(), 1) }?.first_mut()
}

/// Calls `run` with the `src_length` units at `src` and the `dst_length` units at `dst`. Writes its report and returns its
/// status: an invalid argument if `run` returns `None`.
///
/// # Safety
///
/// The conditions of [`slice()`], [`target`] and [`write()`] apply.
pub(crate) unsafe fn convert<S, T>(
    (src, src_length): (*const S, usize),
    (dst, dst_length): (*mut T, usize),
    progress: *mut CProgress,
    run: impl FnOnce(&[S], &mut [MaybeUninit<T>]) -> Option<(c_int, CProgress)>,
) -> c_int {
    // SAFETY: the caller guarantees these conditions for `src` and `dst`.
    let (src, dst) = unsafe { (slice(src, src_length), target(dst, dst_length)) };
    let done = src.zip(dst).and_then(|(src, dst)| run(src, dst));
    let (status, report) = done.unwrap_or((INVALID_ARGUMENT, CProgress::default()));
    // SAFETY: the caller guarantees the conditions of `write` for `progress`.
    unsafe { write(progress, report) };
    status
}

/// Returns the longest prefix that is valid UTF-8.
pub(crate) fn utf8_prefix(bytes: &[u8]) -> &str {
    // SAFETY: `utf8_prefix_len` establishes that these bytes are UTF-8.
    unsafe { str::from_utf8_unchecked(&bytes[..mojika::mem::utf8_prefix_len(bytes)]) }
}

/// Writes `value` to `pointer` unless `pointer` is null.
///
/// # Safety
///
/// Unless it is null, `pointer` must point to memory for a `T`.
pub(crate) unsafe fn write<T>(pointer: *mut T, value: T) {
    if !pointer.is_null() && pointer.is_aligned() {
        // SAFETY: not null and aligned, as has just been tested; the caller guarantees the memory.
        unsafe { pointer.write(value) }
    }
}

/// Returns the string at `pointer`, without its zero terminator; `None` for a null pointer.
///
/// # Safety
///
/// Unless it is null, `pointer` must point to a string that ends with a zero byte and that nothing writes to in the
/// lifetime.
#[cfg(not(mojika_small))]
pub(crate) unsafe fn string<'a>(pointer: *const core::ffi::c_char) -> Option<&'a [u8]> {
    // SAFETY: not null, as has just been tested; the caller guarantees the rest.
    (!pointer.is_null()).then(|| unsafe { core::ffi::CStr::from_ptr(pointer) }.to_bytes())
}

/// Returns `text` as a C character array: truncated to fit, with a zero terminator.
#[cfg(not(mojika_small))]
pub(crate) fn chars<const N: usize>(text: &str) -> [core::ffi::c_char; N] {
    let mut array = [0; N];
    for (to, &from) in array[..N - 1].iter_mut().zip(text.as_bytes()) {
        *to = from as core::ffi::c_char;
    }
    array
}

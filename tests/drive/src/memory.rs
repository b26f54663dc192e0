//! Kinds of memory that the library writes to.
//!
//! Callers always pass memory filled with canaries. After a call, all units that it has not written must be canaries.

use crate::output::Unit;
use std::mem::MaybeUninit;

/// The kind of memory that is passed to a call, each with its own function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// A slice of units.
    Init,
    /// A slice of units that may be uninitialised.
    Uninit,
    /// A `str`, which must stay valid. Only decoders to UTF-8 have such a function.
    Str,
}

/// Calls `work` with `dst` as a slice that may be uninitialised. Under Miri, it is uninitialised.
pub(crate) fn over_uninit<U: Unit, R>(
    dst: &mut [U],
    work: impl FnOnce(&mut [MaybeUninit<U>]) -> (usize, R),
) -> (usize, R) {
    // SAFETY: `MaybeUninit<U>` has the layout of `U`. The slice is only passed to functions of the library, which only
    // write units. It is initialised before the call, so it is initialised afterwards as well. Under Miri it is
    // uninitialised during the call. The library writes the units that it reports, and the code below writes all others
    // before anything reads them.
    let slots = unsafe { &mut *(std::ptr::from_mut(dst) as *mut [MaybeUninit<U>]) };
    if cfg!(miri) {
        slots.fill(MaybeUninit::uninit());
    }
    let (written, result) = work(slots);
    if cfg!(miri) {
        slots[written..].fill(MaybeUninit::new(U::CANARY));
    }
    (written, result)
}

/// Returns text of exactly `length` bytes, with characters of each length that fits.
fn old_text(length: usize) -> String {
    let mut text = String::with_capacity(length);
    for character in ['💩', '語', 'é', 'x'].into_iter().cycle() {
        if text.len() == length {
            break;
        }
        if text.len() + character.len_utf8() <= length {
            text.push(character);
        }
    }
    text
}

/// Calls `work` with `dst` as a `str`.
///
/// # Panics
///
/// Panics if the text after the written part breaks a promise of [`mojika::DecodeTarget`]: the rest of a cut character
/// is zeros, and all bytes after it are unchanged.
pub(crate) fn over_str<R>(dst: &mut [u8], work: impl FnOnce(&mut str) -> (usize, R)) -> (usize, R) {
    let old = old_text(dst.len());
    dst.copy_from_slice(old.as_bytes());
    let text = std::str::from_utf8_mut(dst).expect("a copy of UTF-8");
    let (written, result) = work(text);
    let boundary = (written..=old.len())
        .find(|&at| old.is_char_boundary(at))
        .expect("no more is written than there is room");
    assert!(
        dst[written..boundary].iter().all(|&byte| byte == 0),
        "the rest of a cut character is {:02X?}",
        &dst[written..boundary]
    );
    assert!(
        dst[boundary..] == old.as_bytes()[boundary..],
        "text behind the {written} bytes written has changed"
    );
    assert!(
        std::str::from_utf8(&dst[..written]).is_ok(),
        "a str has bytes that are not UTF-8: {:02X?}",
        &dst[..written]
    );
    dst[written..].fill(u8::CANARY);
    (written, result)
}

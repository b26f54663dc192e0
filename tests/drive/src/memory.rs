//! Kinds of memory that the library writes to.
//!
//! The caller always passes initialised units with canaries. Afterwards, all units except the written ones must be
//! canaries.

use crate::output::Unit;
use std::mem::MaybeUninit;

/// The choice of the function for a kind of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// The one for a slice of units.
    Init,
    /// The one for a slice that may be uninitialised.
    Uninit,
    /// The function for a `str`, which must stay valid. Only decoders to UTF-8 have it.
    Str,
}

/// Calls `work` with `dst` as memory that may be uninitialised; under Miri it is.
pub(crate) fn over_uninit<U: Unit, R>(
    dst: &mut [U],
    work: impl FnOnce(&mut [MaybeUninit<U>]) -> (usize, R),
) -> (usize, R) {
    // SAFETY: `MaybeUninit<U>` has the layout of `U`. The slice goes to functions of the library alone, which write
    // nothing but units: every slice is initialised before, and so this one is afterwards. Under Miri it is uninitialised
    // during the call. The library writes the units that it reports, and the code below writes the rest before anything
    // reads it.
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

/// Text of exactly `length` bytes, with characters of every length that fits.
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
/// Panics if the text after the written part breaks the promise of [`mojika::DecodeTarget`]: zeros for the rest of a
/// cut character, everything else unchanged.
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

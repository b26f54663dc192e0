//! What kind of memory the engine is given to write to, and the buffers it lies in.
//!
//! Whatever the kind, a caller hands over initialised units that hold canaries, and finds canaries again in all units
//! but those written.

use std::mem::MaybeUninit;

/// Which of the engine's functions of one direction, form and error mode is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// The one for a slice of units.
    Init,
    /// The one for a slice that may be uninitialised.
    Uninit,
    /// The one for a `str`, which stays one. UTF-8 alone has it.
    Str,
}

/// A slice as memory that may be uninitialised.
#[allow(unsafe_code, reason = "a slice is seen as another type")]
pub fn uninit<T: Copy>(dst: &mut [T]) -> &mut [MaybeUninit<T>] {
    // SAFETY: `MaybeUninit<T>` has the layout of `T`. The slice goes to functions of the engine alone, which write
    // nothing but units: it was initialised before, as every slice, and so it is afterwards.
    unsafe { &mut *(std::ptr::from_mut(dst) as *mut [MaybeUninit<T>]) }
}

/// Characters of all lengths, one of which `length` bytes end with at most three bytes of filling behind.
fn old_text(length: usize) -> String {
    const CHARACTERS: [char; 4] = ['💩', '語', 'é', 'x'];
    let mut text = String::with_capacity(length);
    let mut next = 0;
    while text.len() < length {
        let character = CHARACTERS[next % 4];
        if text.len() + character.len_utf8() <= length {
            text.push(character);
        }
        next += 1;
    }
    text
}

/// Calls `work` with `dst` as a `str`; `work` also says how much it wrote.
///
/// # Panics
///
/// If the text behind that part is not what [`mojika::Decoder::decode`] promises: zeros for the rest of a
/// character that was cut, all else as it was.
pub fn over_str<R>(dst: &mut [u8], work: impl FnOnce(&mut str) -> (usize, R)) -> R {
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
    dst[written..].fill(<u8 as super::Form>::CANARY);
    result
}

/// Output buffers, kept from case to case.
#[derive(Debug, Default)]
pub struct Buffers {
    bytes: Vec<u8>,
    units: Vec<u16>,
}

impl Buffers {
    /// That many bytes.
    pub fn bytes(&mut self, length: usize) -> &mut [u8] {
        if self.bytes.len() < length {
            self.bytes.resize(length, 0);
        }
        &mut self.bytes[..length]
    }

    /// That many code units.
    pub fn units(&mut self, length: usize) -> &mut [u16] {
        if self.units.len() < length {
            self.units.resize(length, 0);
        }
        &mut self.units[..length]
    }
}

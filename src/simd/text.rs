//! Where bytes that kernels and decoders write become `str` and `String`.
//!
//! Everything that changes a text in place goes through [`overwrite_str`] or [`append_to_string`]. In debug builds, and so
//! in tests, fuzz targets and proofs, the first checks the whole text afterwards: what was written, and what was there
//! before. The second checks what was appended.

use super::out::Out;
#[cfg(feature = "alloc")]
use super::out::append;
#[cfg(feature = "alloc")]
use alloc::string::String;

#[cfg(feature = "alloc")]
extern crate alloc;

/// Lets `write` write UTF-8 to the front of `dst`, then mends the character that the end of the written part may have
/// cut in two: what is left of it becomes U+0000. Returns what `write` returns, and the number of bytes written.
///
/// # Safety
/// What `write` has written to the cursor when it returns is UTF-8. (An [`Out`] never changes bytes after those that it
/// counts as written.)
#[inline(always)]
pub(crate) unsafe fn overwrite_str<R>(
    dst: &mut str,
    write: impl FnOnce(&mut Out<'_, u8>) -> R,
) -> (R, usize) {
    /// If `write` panics, the text that it was overwriting becomes U+0000, so that it stays valid.
    struct Guard<'a>(&'a mut [u8]);
    impl Drop for Guard<'_> {
        fn drop(&mut self) {
            self.0.fill(0);
        }
    }
    // SAFETY: the bytes are UTF-8 again when the borrow ends. The written part is, by this function's contract; the rest of a
    // character that it cuts is set to zero below; what follows is the old text from a character boundary on. If `write`
    // panics, the guard sets all bytes to zero.
    let mut guard = Guard(unsafe { dst.as_bytes_mut() });
    let mut out = Out::from_init(guard.0);
    let buffer = out.buffer();
    let result = write(&mut out);
    out.assert_over(buffer);
    let written = out.written();
    let bytes = core::mem::take(&mut guard.0);
    for byte in bytes.get_mut(written..).unwrap_or_default() {
        if *byte & 0xC0 != 0x80 {
            break;
        }
        *byte = 0;
    }
    debug_assert!(core::str::from_utf8(bytes).is_ok());
    (result, written)
}

/// Lets `write` write UTF-8 to the end of `dst`, into the capacity that it has; returns what `write` returns.
///
/// # Safety
/// What `write` has written to the cursor when it returns is UTF-8.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) unsafe fn append_to_string<R>(
    dst: &mut String,
    write: impl FnOnce(&mut Out<'_, u8>) -> R,
) -> R {
    let len = dst.len();
    // SAFETY: `append` adds what the cursor counts as written, which is UTF-8 by this function's contract, to UTF-8. It adds
    // nothing if `write` panics.
    let result = append(unsafe { dst.as_mut_vec() }, write);
    // What precedes was text, and stays as it is. Looked at again, a text that grows piece by piece would take quadratic time.
    debug_assert!(core::str::from_utf8(&dst.as_bytes()[len..]).is_ok());
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_of_a_character_that_is_cut_becomes_zeros() {
        for written in 0..=4 {
            let mut text = String::from("aé文😀");
            // SAFETY: ASCII is written.
            let (result, n) = unsafe {
                overwrite_str(&mut text, |out| {
                    assert!(out.push_slice(&b"wxyz"[..written]));
                    7
                })
            };
            let expected = ["aé文😀", "wé文😀", "wx\0文😀", "wxy文😀", "wxyz\0\0😀"];
            assert_eq!((result, n, &*text), (7, written, expected[written]));
        }
    }

    #[test]
    fn a_panic_leaves_a_text() {
        let mut text = String::from("aé文😀");
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            // SAFETY: this panics before it returns.
            unsafe {
                overwrite_str(&mut text, |out| {
                    assert!(out.push_slice(b"\xFF\xFF"));
                    panic!("on purpose");
                })
            }
        }));
        assert!(caught.is_err());
        assert_eq!(text, "\0".repeat(10));
    }

    #[cfg(feature = "alloc")]
    #[test]
    fn a_panic_appends_nothing() {
        let mut text = String::from("a");
        text.reserve(8);
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            // SAFETY: this panics before it returns.
            unsafe {
                append_to_string(&mut text, |out| {
                    assert!(out.push_slice(b"\xFF"));
                    panic!("on purpose");
                })
            }
        }));
        assert!(caught.is_err());
        assert_eq!(text, "a");
    }

    #[cfg(all(debug_assertions, feature = "alloc"))]
    #[test]
    #[should_panic(expected = "from_utf8")]
    fn bytes_that_are_no_text_are_noticed() {
        let mut text = String::with_capacity(8);
        // SAFETY: not kept, to see that the check fails; the text is not read.
        unsafe { append_to_string(&mut text, |out| out.push_slice(b"\xFF")) };
    }
}

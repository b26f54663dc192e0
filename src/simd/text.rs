//! The functions through which bytes written by kernels and decoders become `str` and `String`.
//!
//! All code that changes text in place uses [`overwrite_str`] or [`append_to_string`]. In debug builds, and thus in
//! tests, fuzz targets and proofs, the first validates the whole text afterwards, and the second validates the appended
//! part.

use super::out::Out;
#[cfg(feature = "alloc")]
use super::out::append;
#[cfg(feature = "alloc")]
use alloc::string::String;

#[cfg(feature = "alloc")]
extern crate alloc;

/// Lets `write` write UTF-8 to the start of `dst`. If the end of the output cuts a character of the old text, the
/// remaining bytes of that character become U+0000. Returns the result of `write`, and the number of bytes written.
///
/// # Safety
/// The bytes that `write` has written to the cursor when it returns are UTF-8. An [`Out`] never changes bytes after
/// those that it counts as written.
#[inline(always)]
pub(crate) unsafe fn overwrite_str<R>(
    dst: &mut str,
    write: impl FnOnce(&mut Out<'_, u8>) -> R,
) -> (R, usize) {
    /// Zeroes the text if `write` panics, so that it stays valid.
    struct Guard<'a>(&'a mut [u8]);
    impl Drop for Guard<'_> {
        fn drop(&mut self) {
            self.0.fill(0);
        }
    }
    // SAFETY: the bytes are UTF-8 again when the borrow ends. The written part is, by `# Safety`; the rest of a
    // character that it cuts is zeroed below; the old text follows from a character boundary on. If `write` panics, the
    // guard zeroes all bytes.
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

/// Lets `write` append UTF-8 to `dst`, inside its capacity. Returns the result of `write`.
///
/// # Safety
/// The bytes that `write` has written to the cursor when it returns are UTF-8.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) unsafe fn append_to_string<R>(
    dst: &mut String,
    write: impl FnOnce(&mut Out<'_, u8>) -> R,
) -> R {
    let len = dst.len();
    // SAFETY: `append` adds only the bytes that the cursor counts as written, which are UTF-8, by `# Safety`. It adds
    // nothing if `write` panics.
    let result = append(unsafe { dst.as_mut_vec() }, write);
    // Only the appended part is checked. Rechecking a text that grows piece by piece would take quadratic time.
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
            // SAFETY: the bytes written are ASCII.
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
            // SAFETY: `write` panics before it returns.
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
            // SAFETY: `write` panics before it returns.
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
        // SAFETY: violated on purpose, to see that the check panics; the text is not read afterwards.
        unsafe { append_to_string(&mut text, |out| out.push_slice(b"\xFF")) };
    }
}

//! glibc's iconv through the libc crate.

use std::ffi::CString;
use std::ptr;

/// An open conversion.
#[derive(Debug)]
pub struct Converter(libc::iconv_t);

impl Converter {
    /// Opens a conversion between two encodings by glibc's names; `None` if glibc lacks the conversion.
    pub fn open(to: &str, from: &str) -> Option<Self> {
        let (to, from) = (CString::new(to).ok()?, CString::new(from).ok()?);
        // SAFETY: both names are NUL-terminated and live until the call returns.
        let descriptor = unsafe { libc::iconv_open(to.as_ptr(), from.as_ptr()) };
        // glibc returns (iconv_t) -1 for an unknown name.
        (descriptor as isize != -1).then_some(Self(descriptor))
    }

    /// Converts all of `src` from the initial state; returns the number of bytes written, or `None` if iconv refuses the
    /// input.
    pub fn convert(&mut self, src: &[u8], dst: &mut [u8]) -> Option<usize> {
        let mut from = src.as_ptr().cast_mut().cast();
        let mut from_left = src.len();
        let mut to = dst.as_mut_ptr().cast();
        let mut to_left = dst.len();
        // SAFETY: `self.0` is open, as only drop closes it. Null pointers request the initial state. Otherwise each pointer
        // comes with the length of its slice; both slices are borrowed for the call, and iconv only reads from its input,
        // in spite of the type.
        let failed = unsafe {
            libc::iconv(
                self.0,
                ptr::null_mut(),
                ptr::null_mut(),
                ptr::null_mut(),
                ptr::null_mut(),
            );
            let done = libc::iconv(self.0, &mut from, &mut from_left, &mut to, &mut to_left);
            done == usize::MAX
                // Null input writes the sequence that returns a stateful encoding to its initial state.
                || libc::iconv(
                    self.0,
                    ptr::null_mut(),
                    ptr::null_mut(),
                    &mut to,
                    &mut to_left,
                ) == usize::MAX
        };
        (!failed && from_left == 0).then(|| dst.len() - to_left)
    }
}

impl Drop for Converter {
    fn drop(&mut self) {
        // SAFETY: `self.0` is open: nothing else closes it.
        unsafe { libc::iconv_close(self.0) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn converts_and_refuses() {
        let mut out = [0; 16];
        let mut to_koi8 = Converter::open("KOI8-R", "UTF-8").unwrap();
        assert_eq!(to_koi8.convert("да".as_bytes(), &mut out), Some(2));
        assert_eq!(&out[..2], b"\xC4\xC1");
        assert_eq!(to_koi8.convert("火".as_bytes(), &mut out), None);
        assert!(Converter::open("no-such-encoding", "UTF-8").is_none());
    }

    #[test]
    fn ends_in_ascii() {
        let mut out = [0; 16];
        let mut converter = Converter::open("ISO-2022-JP", "UTF-8").unwrap();
        assert_eq!(converter.convert("火".as_bytes(), &mut out), Some(8));
        assert_eq!(&out[..8], b"\x1B$B2P\x1B(B");
    }
}

//! ICU's conversions, if ICU is installed.
//!
//! The library is loaded when the bench runs, so that it builds without ICU and works with any version. ICU has its version
//! in the name of its library and, except in rare builds, in the names of its functions: `ucnv_open` of ICU 72 is
//! `ucnv_open_72` in `libicuuc.so.72`.

use libloading::Library;
use std::ffi::{CString, c_char, c_int, c_void};
use std::iter;
use std::ops::RangeInclusive;
use std::ptr::{self, NonNull};
use std::sync::OnceLock;

/// The major versions to look for; 49 was the first with this numbering.
const VERSIONS: RangeInclusive<u32> = 49..=99;
/// The number of code units between two converters. Sizes from 512 to 65536 are equally fast within 10 %.
const PIVOT_LENGTH: usize = 4096;

/// `UErrorCode`: warnings are negative, errors positive.
type Status = c_int;
/// `UConverter`, whose fields only the library knows.
type Opaque = c_void;
/// `UConverterToUCallback` or `UConverterFromUCallback`, which is only passed on.
type Callback = unsafe extern "C" fn();
type SetCallback = unsafe extern "C" fn(
    *mut Opaque,
    Callback,
    *const c_void,
    *mut Option<Callback>,
    *mut *const c_void,
    *mut Status,
);

/// The functions of one installed ICU.
pub struct Icu {
    get_version: unsafe extern "C" fn(*mut u8),
    open: unsafe extern "C" fn(*const c_char, *mut Status) -> *mut Opaque,
    close: unsafe extern "C" fn(*mut Opaque),
    set_to_unicode_callback: SetCallback,
    set_from_unicode_callback: SetCallback,
    stop_to_unicode: Callback,
    stop_from_unicode: Callback,
    to_utf16:
        unsafe extern "C" fn(*mut Opaque, *mut u16, i32, *const c_char, i32, *mut Status) -> i32,
    from_utf16:
        unsafe extern "C" fn(*mut Opaque, *mut c_char, i32, *const u16, i32, *mut Status) -> i32,
    convert: unsafe extern "C" fn(
        *mut Opaque,
        *mut Opaque,
        *mut *mut c_char,
        *const c_char,
        *mut *const c_char,
        *const c_char,
        *mut u16,
        *mut *mut u16,
        *mut *mut u16,
        *const u16,
        i8,
        i8,
        *mut Status,
    ),
    utf8_to_utf16:
        unsafe extern "C" fn(*mut u16, i32, *mut i32, *const c_char, i32, *mut Status) -> *mut u16,
    utf16_to_utf8: unsafe extern "C" fn(
        *mut c_char,
        i32,
        *mut i32,
        *const u16,
        i32,
        *mut Status,
    ) -> *mut c_char,
    /// The library that the pointers above point into.
    _library: Library,
}

/// Returns the newest ICU that the system's linker finds. It is loaded once.
pub fn installed() -> Option<&'static Icu> {
    static ICU: OnceLock<Option<Icu>> = OnceLock::new();
    ICU.get_or_init(|| {
        let versioned = VERSIONS.rev().map(|n| format!("libicuuc.so.{n}"));
        // The name without a version belongs to a development package or a custom build.
        versioned
            .chain(iter::once("libicuuc.so".into()))
            .find_map(|name| Icu::load(&name))
    })
    .as_ref()
}

impl Icu {
    /// Opens the library of this name; `None` if it is missing, or lacks a function.
    fn load(name: &str) -> Option<Self> {
        // SAFETY: code that ICU's common library runs when it is loaded has no preconditions.
        let library = unsafe { Library::new(name) }.ok()?;
        let is_suffix = |suffix: &String| {
            // SAFETY: the function is looked up and not called.
            unsafe { symbol::<Callback>(&library, "u_getVersion", suffix) }.is_some()
        };
        let suffix = VERSIONS
            .rev()
            .map(|n| format!("_{n}"))
            .chain(iter::once(String::new()))
            .find(is_suffix)?;
        // SAFETY: each field has the type that ICU's headers, whose C interface is stable, declare for the function:
        // `UBool` is a signed byte, `UChar` a 16-bit unit, an enumeration an `int`.
        unsafe {
            Some(Self {
                get_version: symbol(&library, "u_getVersion", &suffix)?,
                open: symbol(&library, "ucnv_open", &suffix)?,
                close: symbol(&library, "ucnv_close", &suffix)?,
                set_to_unicode_callback: symbol(&library, "ucnv_setToUCallBack", &suffix)?,
                set_from_unicode_callback: symbol(&library, "ucnv_setFromUCallBack", &suffix)?,
                stop_to_unicode: symbol(&library, "UCNV_TO_U_CALLBACK_STOP", &suffix)?,
                stop_from_unicode: symbol(&library, "UCNV_FROM_U_CALLBACK_STOP", &suffix)?,
                to_utf16: symbol(&library, "ucnv_toUChars", &suffix)?,
                from_utf16: symbol(&library, "ucnv_fromUChars", &suffix)?,
                convert: symbol(&library, "ucnv_convertEx", &suffix)?,
                utf8_to_utf16: symbol(&library, "u_strFromUTF8", &suffix)?,
                utf16_to_utf8: symbol(&library, "u_strToUTF8", &suffix)?,
                _library: library,
            })
        }
    }

    /// Returns the version, such as "72.1".
    pub fn version(&self) -> String {
        let mut parts = [0; 4];
        // SAFETY: the function writes four bytes.
        unsafe { (self.get_version)(parts.as_mut_ptr()) };
        let used = parts.iter().rposition(|&part| part != 0).unwrap_or(0);
        let parts: Vec<String> = parts[..=used.max(1)].iter().map(u8::to_string).collect();
        parts.join(".")
    }

    /// Converts UTF-8 to UTF-16; returns the number of units, `None` if malformed.
    pub fn utf8_to_utf16(&self, src: &[u8], dst: &mut [u16]) -> Option<usize> {
        let (mut written, mut status) = (0, 0);
        // SAFETY: each length is at most that of its slice, and the call borrows both slices.
        unsafe {
            (self.utf8_to_utf16)(
                dst.as_mut_ptr(),
                capacity(dst),
                &mut written,
                src.as_ptr().cast(),
                length(src)?,
                &mut status,
            );
        }
        done(written, status)
    }

    /// Converts UTF-16 to UTF-8; returns the number of bytes, `None` if malformed.
    pub fn utf16_to_utf8(&self, src: &[u16], dst: &mut [u8]) -> Option<usize> {
        let (mut written, mut status) = (0, 0);
        // SAFETY: each length is at most that of its slice, and the call borrows both slices.
        unsafe {
            (self.utf16_to_utf8)(
                dst.as_mut_ptr().cast(),
                capacity(dst),
                &mut written,
                src.as_ptr(),
                length(src)?,
                &mut status,
            );
        }
        done(written, status)
    }
}

/// Returns the function with this name and version.
///
/// # Safety
///
/// The caller must use the result only as a function of the type that ICU declares for `name`.
unsafe fn symbol<T: Copy>(library: &Library, name: &str, suffix: &str) -> Option<T> {
    // SAFETY: the caller ensures the type.
    let found = unsafe { library.get::<T>(format!("{name}{suffix}")) };
    found.ok().map(|symbol| *symbol)
}

/// Returns the length of an input, if it fits ICU's type.
fn length<T>(src: &[T]) -> Option<i32> {
    src.len().try_into().ok()
}

/// Returns the length of an output, or the maximum that ICU can address.
fn capacity<T>(dst: &[T]) -> i32 {
    dst.len().try_into().unwrap_or(i32::MAX)
}

/// Returns the number of units written, unless the status is an error.
fn done(written: i32, status: Status) -> Option<usize> {
    if status > 0 {
        return None;
    }
    written.try_into().ok()
}

/// An open converter between an encoding and UTF-16, which stops at the first error.
pub struct Converter {
    icu: &'static Icu,
    handle: NonNull<Opaque>,
}

impl Converter {
    /// Opens the converter of this name in the installed ICU; `None` without ICU, or if it has no such converter.
    pub fn open(name: &str) -> Option<Self> {
        let icu = installed()?;
        let name = CString::new(name).ok()?;
        let mut status = 0;
        // SAFETY: the name is NUL-terminated and lives until the call returns.
        let handle = NonNull::new(unsafe { (icu.open)(name.as_ptr(), &mut status) })?;
        let converter = Self { icu, handle };
        // SAFETY: the converter is open, the callbacks are ICU's own for the direction and need no context. Null pointers
        // mean that the previous callbacks are not returned.
        unsafe {
            for (set, stop) in [
                (icu.set_to_unicode_callback, icu.stop_to_unicode),
                (icu.set_from_unicode_callback, icu.stop_from_unicode),
            ] {
                set(
                    handle.as_ptr(),
                    stop,
                    ptr::null(),
                    ptr::null_mut(),
                    ptr::null_mut(),
                    &mut status,
                );
            }
        }
        (status <= 0).then_some(converter)
    }

    /// Converts all of `src` from the initial state; returns the number of units, or `None` if ICU refuses the input.
    pub fn to_utf16(&mut self, src: &[u8], dst: &mut [u16]) -> Option<usize> {
        let mut status = 0;
        // SAFETY: `self.handle` is open, and only drop closes it. Each pointer comes with the length of its slice, or
        // less; both are borrowed for the call.
        let written = unsafe {
            (self.icu.to_utf16)(
                self.handle.as_ptr(),
                dst.as_mut_ptr(),
                capacity(dst),
                src.as_ptr().cast(),
                length(src)?,
                &mut status,
            )
        };
        done(written, status)
    }

    /// Converts all of `src` from the initial state and back to it; returns the number of bytes, or `None` if ICU refuses
    /// the input.
    pub fn from_utf16(&mut self, src: &[u16], dst: &mut [u8]) -> Option<usize> {
        let mut status = 0;
        // SAFETY: as in `to_utf16`.
        let written = unsafe {
            (self.icu.from_utf16)(
                self.handle.as_ptr(),
                dst.as_mut_ptr().cast(),
                capacity(dst),
                src.as_ptr(),
                length(src)?,
                &mut status,
            )
        };
        done(written, status)
    }
}

impl Drop for Converter {
    fn drop(&mut self) {
        // SAFETY: `self.handle` is open: nothing else closes it.
        unsafe { (self.icu.close)(self.handle.as_ptr()) };
    }
}

/// Two converters with a small UTF-16 buffer between them, or a direct conversion if ICU has one.
pub struct Transcoder {
    to: Converter,
    from: Converter,
    pivot: Vec<u16>,
}

impl Transcoder {
    /// Opens a conversion between two encodings by ICU's names; `None` if ICU lacks an encoding.
    pub fn open(to: &str, from: &str) -> Option<Self> {
        Some(Self {
            to: Converter::open(to)?,
            from: Converter::open(from)?,
            pivot: vec![0; PIVOT_LENGTH],
        })
    }

    /// Converts all of `src` from the initial state; returns the number of bytes, or `None` if ICU refuses the input.
    pub fn convert(&mut self, src: &[u8], dst: &mut [u8]) -> Option<usize> {
        const TRUE: i8 = 1;
        let source = src.as_ptr_range();
        let target = dst.as_mut_ptr_range();
        let pivot = self.pivot.as_mut_ptr_range();
        let (mut read_to, mut written_to) = (source.start.cast(), target.start.cast());
        let (mut pivot_read, mut pivot_written) = (pivot.start, pivot.start);
        let mut status = 0;
        // SAFETY: both converters are open, and only drop closes them. Each start pointer is passed with the end
        // pointer of the same slice, and the three slices are borrowed for the call.
        unsafe {
            (self.to.icu.convert)(
                self.to.handle.as_ptr(),
                self.from.handle.as_ptr(),
                &mut written_to,
                target.end.cast(),
                &mut read_to,
                source.end.cast(),
                pivot.start,
                &mut pivot_read,
                &mut pivot_written,
                pivot.end,
                // Reset at the start, flush at the end.
                TRUE,
                TRUE,
                &mut status,
            );
        }
        let written = written_to as usize - target.start as usize;
        (status <= 0 && read_to.cast() == source.end).then_some(written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subjects::Subject;

    /// True if ICU is not installed. Then prints a message.
    fn is_absent() -> bool {
        let absent = installed().is_none();
        if absent {
            eprintln!("skipped: no ICU is installed");
        }
        absent
    }

    #[test]
    fn a_library_that_is_missing_or_no_icu_is_none() {
        assert!(Icu::load("libicuuc-of-no-version.so").is_none());
        assert!(Icu::load("libc.so.6").is_none());
    }

    #[test]
    fn the_version_is_major_and_minor() {
        let Some(icu) = installed() else { return };
        let version = icu.version();
        let (major, minor) = version.split_once('.').unwrap();
        assert!(VERSIONS.contains(&major.parse().unwrap()), "{version}");
        assert!(minor.starts_with(|c: char| c.is_ascii_digit()), "{version}");
    }

    #[test]
    fn converts_and_refuses() {
        if is_absent() {
            return;
        }
        let (mut bytes, mut units) = ([0; 16], [0; 16]);
        let mut koi8 = Converter::open("KOI8-R").unwrap();
        assert_eq!(koi8.to_utf16(b"\xC4\xC1", &mut units), Some(2));
        assert_eq!(units[..2], [0x434, 0x430]);
        assert_eq!(koi8.from_utf16(&[0x434, 0x430], &mut bytes), Some(2));
        assert_eq!(&bytes[..2], b"\xC4\xC1");
        assert_eq!(koi8.from_utf16(&[0x706B], &mut bytes), None);
        assert_eq!(koi8.from_utf16(&[0x434; 17], &mut bytes), None);
        assert_eq!(koi8.from_utf16(&[0x434], &mut bytes), Some(1));
        assert!(Converter::open("no-such-encoding").is_none());

        let mut shift_jis = Converter::open("Shift_JIS").unwrap();
        assert_eq!(shift_jis.to_utf16(b"\x89\xCE\x89", &mut units), None);
        assert_eq!(shift_jis.to_utf16(b"\x89\xCE", &mut units), Some(1));
    }

    #[test]
    fn transcodes_and_refuses() {
        if is_absent() {
            return;
        }
        let mut out = [0; 16];
        let mut to_koi8 = Transcoder::open("KOI8-R", "UTF-8").unwrap();
        assert_eq!(to_koi8.convert("да".as_bytes(), &mut out), Some(2));
        assert_eq!(&out[..2], b"\xC4\xC1");
        assert_eq!(to_koi8.convert("火".as_bytes(), &mut out), None);
        assert_eq!(
            to_koi8.convert("дадада".repeat(3).as_bytes(), &mut out),
            None
        );
        assert_eq!(to_koi8.convert("д".as_bytes(), &mut out), Some(1));
        let mut from_koi8 = Transcoder::open("UTF-8", "KOI8-R").unwrap();
        assert_eq!(from_koi8.convert(b"\xC4\xC1", &mut out), Some(4));
        assert_eq!(&out[..4], "да".as_bytes());
        assert!(Transcoder::open("no-such-encoding", "UTF-8").is_none());
    }

    #[test]
    fn ends_in_ascii() {
        if is_absent() {
            return;
        }
        let mut out = [0; 16];
        let mut transcoder = Transcoder::open("ISO-2022-JP", "UTF-8").unwrap();
        for _ in 0..2 {
            assert_eq!(transcoder.convert("火".as_bytes(), &mut out), Some(8));
            assert_eq!(&out[..8], b"\x1B$B2P\x1B(B");
        }
        let mut converter = Converter::open("ISO-2022-JP").unwrap();
        assert_eq!(converter.from_utf16(&[0x706B], &mut out), Some(8));
        assert_eq!(&out[..8], b"\x1B$B2P\x1B(B");
    }

    #[test]
    fn forms_of_unicode_convert_without_a_converter() {
        let Some(icu) = installed() else { return };
        let (mut bytes, mut units) = ([0; 16], [0; 16]);
        assert_eq!(icu.utf8_to_utf16("д💩".as_bytes(), &mut units), Some(3));
        assert_eq!(units[..3], [0x434, 0xD83D, 0xDCA9]);
        assert_eq!(icu.utf8_to_utf16(b"\xD0", &mut units), None);
        assert_eq!(icu.utf16_to_utf8(&units[..3], &mut bytes), Some(6));
        assert_eq!(&bytes[..6], "д💩".as_bytes());
        assert_eq!(icu.utf16_to_utf8(&[0xD83D], &mut bytes), None);
    }

    #[test]
    fn has_every_subject_that_it_has_a_name_for() {
        if is_absent() {
            return;
        }
        for name in Subject::all().into_iter().filter_map(Subject::icu_name) {
            assert!(Converter::open(name).is_some(), "{name}");
        }
    }
}

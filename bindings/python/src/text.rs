//! Conversion between Python's `str` and UTF-16, without UTF-8 as an intermediate form.
//!
//! CPython stores a `str` in units of one, two or four bytes. Two-byte units without surrogates are UTF-16, so that
//! decoding to UTF-16 and copying is the fastest way. Access to the units requires more than the limited API, and
//! therefore a wheel for each Python version.

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyMemoryError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::string::PyStringData;
use pyo3::types::{PyBytes, PyMemoryView, PyString};
use std::borrow::Cow;
use std::cell::Cell;
use std::convert::Infallible;
use std::thread::LocalKey;

/// Returns a `str` of UTF-16. Lone surrogates, which error handlers may return, are kept.
pub fn from_utf16<'py>(py: Python<'py>, units: &[u16]) -> PyResult<Bound<'py, PyString>> {
    let bits = bits(units);
    if bits < 0x100 {
        return one_byte(py, bits < 0x80, units, |&unit| unit as u8);
    }
    if has_surrogates(units) {
        let scalars: Vec<u32> = char::decode_utf16(units.iter().copied())
            .map(|scalar| match scalar {
                Ok(scalar) => u32::from(scalar),
                Err(lone) => u32::from(lone.unpaired_surrogate()),
            })
            .collect();
        return of_kind(
            py,
            ffi::PyUnicode_4BYTE_KIND,
            scalars.as_ptr().cast(),
            scalars.len(),
        );
    }
    two_bytes(py, units)
}

/// Returns a `str` of ASCII.
pub fn from_ascii<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyString>> {
    debug_assert!(bytes.is_ascii());
    one_byte(py, true, bytes, |&byte| byte)
}

/// Returns a `str` of ISO-8859-1.
pub fn from_latin1<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyString>> {
    one_byte(py, bytes.is_ascii(), bytes, |&byte| byte)
}

/// Returns a `str` of UTF-8 by CPython's decoder, which is the fastest for short text; `None` if it is malformed.
pub fn from_utf8<'py>(py: Python<'py>, bytes: &[u8]) -> Option<Bound<'py, PyString>> {
    // SAFETY: CPython reads that many bytes. It returns a new reference to a `str`, or null with an exception set, which is
    // cleared, as the library's decoder reports the error.
    unsafe {
        let text = ffi::PyUnicode_DecodeUTF8(
            bytes.as_ptr().cast(),
            bytes.len() as isize,
            std::ptr::null(),
        );
        let text = Bound::from_owned_ptr_or_opt(py, text);
        if text.is_none() {
            ffi::PyErr_Clear();
        }
        Some(text?.cast_into_unchecked())
    }
}

/// True if a byte is a control character of ISO-8859-1 from 0x80 to 0x9F, where windows-1252 has other characters.
pub fn has_c1_controls(bytes: &[u8]) -> bool {
    let is_control = |found, &byte: &u8| found | (byte & 0xE0 == 0x80);
    bytes
        .chunks(4096)
        .any(|chunk| chunk.iter().fold(false, is_control))
}

/// Returns a `str` with one byte for each of `units`. `is_ascii` is true if all are ASCII.
fn one_byte<'py, T>(
    py: Python<'py>,
    is_ascii: bool,
    units: &[T],
    byte: impl Fn(&T) -> u8,
) -> PyResult<Bound<'py, PyString>> {
    if let [unit] = units {
        let unit = byte(unit);
        // CPython has a shared string for each of these characters.
        return of_kind(py, ffi::PyUnicode_1BYTE_KIND, (&raw const unit).cast(), 1);
    }
    let most = if is_ascii { 0x7F } else { 0xFF };
    // SAFETY: CPython returns null with an exception set, or a new reference to a `str` of that length that no other
    // code has. With a maximum of 0xFF, its data are one byte per character, and are written here before they are read.
    // The empty `str` is shared, and nothing is written to it.
    unsafe {
        let text = ffi::PyUnicode_New(units.len() as isize, most);
        let text = Bound::from_owned_ptr_or_err(py, text)?;
        let data = ffi::PyUnicode_DATA(text.as_ptr()).cast::<u8>();
        for (index, unit) in units.iter().enumerate() {
            data.add(index).write(byte(unit));
        }
        Ok(text.cast_into_unchecked())
    }
}

/// Returns a `str` with two bytes for each of `units`. At least one unit is above U+00FF, and none is a surrogate.
fn two_bytes<'py>(py: Python<'py>, units: &[u16]) -> PyResult<Bound<'py, PyString>> {
    // SAFETY: as in `one_byte`. With a maximum from U+0100 to U+FFFF, there are two bytes for each of `units`.
    unsafe {
        let text = ffi::PyUnicode_New(units.len() as isize, 0xFFFF);
        let text = Bound::from_owned_ptr_or_err(py, text)?;
        let data = ffi::PyUnicode_DATA(text.as_ptr()).cast::<u16>();
        data.copy_from_nonoverlapping(units.as_ptr(), units.len());
        Ok(text.cast_into_unchecked())
    }
}

/// Returns the bitwise OR of all units.
fn bits(units: &[u16]) -> u16 {
    let mut bits = 0;
    for block in units.chunks(1024) {
        bits |= block.iter().fold(0, |bits, unit| bits | unit);
        if bits >= 0x100 {
            break;
        }
    }
    bits
}

fn of_kind(
    py: Python<'_>,
    kind: u32,
    units: *const std::ffi::c_void,
    length: usize,
) -> PyResult<Bound<'_, PyString>> {
    let length = isize::try_from(length).map_err(|_| PyMemoryError::new_err("text too long"))?;
    // SAFETY: `units` points to `length` initialised units of the size that `kind` states, because both callers pass a
    // slice of such units. CPython copies them to a new `str`, and returns a new reference, or null with an exception
    // set.
    unsafe {
        let text = ffi::PyUnicode_FromKindAndData(kind as _, units, length);
        Ok(Bound::from_owned_ptr_or_err(py, text)?.cast_into_unchecked())
    }
}

fn has_surrogates(units: &[u16]) -> bool {
    // Blocks without branches compile to vector code.
    units.chunks(4096).any(|block| {
        let found = |found, &unit: &u16| found | u16::from(unit & 0xF800 == 0xD800);
        block.iter().fold(0, found) != 0
    })
}

/// The form of a `str` that an encoder reads.
pub enum Units<'a> {
    Ascii(&'a str),
    /// One byte per character; not all are ASCII.
    Latin1(&'a [u8]),
    Utf16(Utf16<'a>),
}

/// UTF-16 with a mapping to character positions.
pub struct Utf16<'a> {
    pub units: Cow<'a, [u16]>,
    /// The indices of the `str`'s surrogates, which no encoding can represent.
    pub lone: Vec<usize>,
    /// True if characters above U+FFFF take two units.
    pub has_pairs: bool,
}

/// Returns the characters as bytes if each takes one byte, and true if all are ASCII.
#[inline]
pub fn narrow<'a>(text: &'a Bound<'_, PyString>) -> Option<(&'a [u8], bool)> {
    // SAFETY: the `str` is ready and immutable, and outlives the borrow. `PyUnicode_IS_ASCII` and `data` read the fields that
    // CPython's own macros read.
    let (is_ascii, data) = unsafe { (ffi::PyUnicode_IS_ASCII(text.as_ptr()) != 0, text.data()) };
    match data {
        Ok(PyStringData::Ucs1(bytes)) => Some((bytes, is_ascii)),
        _ => None,
    }
}

impl<'a> Units<'a> {
    /// Returns the units of `text`.
    pub fn of(text: &'a Bound<'_, PyString>) -> PyResult<Self> {
        // SAFETY: as in `narrow`.
        let (is_ascii, data) =
            unsafe { (ffi::PyUnicode_IS_ASCII(text.as_ptr()) != 0, text.data()?) };
        Ok(match data {
            PyStringData::Ucs1(bytes) if is_ascii => {
                // SAFETY: ASCII is UTF-8.
                Units::Ascii(unsafe { std::str::from_utf8_unchecked(bytes) })
            }
            PyStringData::Ucs1(bytes) => Units::Latin1(bytes),
            PyStringData::Ucs2(units) => Units::Utf16(Utf16 {
                lone: if has_surrogates(units) {
                    let places = units.iter().enumerate();
                    places
                        .filter(|(_, unit)| **unit & 0xF800 == 0xD800)
                        .map(|(place, _)| place)
                        .collect()
                } else {
                    Vec::new()
                },
                units: Cow::Borrowed(units),
                has_pairs: false,
            }),
            PyStringData::Ucs4(scalars) => Units::Utf16(of_ucs4(scalars)),
        })
    }
}

/// Converts ISO-8859-1 to UTF-16.
pub fn widened(bytes: &[u8]) -> Utf16<'static> {
    Utf16 {
        units: bytes.iter().map(|&byte| u16::from(byte)).collect(),
        lone: Vec::new(),
        has_pairs: false,
    }
}

fn of_ucs4(scalars: &[u32]) -> Utf16<'static> {
    let mut units = Vec::with_capacity(scalars.len() + scalars.len() / 8);
    let mut lone = Vec::new();
    for &scalar in scalars {
        match char::from_u32(scalar) {
            Some(scalar) => units.extend_from_slice(scalar.encode_utf16(&mut [0; 2])),
            None => {
                lone.push(units.len());
                units.push(scalar as u16);
            }
        }
    }
    Utf16 {
        units: Cow::Owned(units),
        lone,
        has_pairs: true,
    }
}

/// The bytes of a `bytes` object: the caller's argument, or a copy of another object with a buffer, because the owner
/// of such an object could change it while the lock is released.
pub struct Input<'py>(Bound<'py, PyBytes>);

impl<'py> Input<'py> {
    pub fn of(data: &Bound<'py, PyAny>) -> PyResult<Self> {
        match Self::unless(data, |_| None::<Infallible>)? {
            Ok(input) => Ok(input),
        }
    }

    /// Calls `shortcut` with the uncopied bytes. Returns its result, or the bytes if the result is `None`.
    pub fn unless<T>(
        data: &Bound<'py, PyAny>,
        shortcut: impl FnOnce(&[u8]) -> Option<T>,
    ) -> PyResult<Result<Self, T>> {
        if let Ok(bytes) = data.cast::<PyBytes>() {
            return Ok(shortcut(bytes.as_bytes()).map_or_else(|| Ok(Self(bytes.clone())), Err));
        }
        // This case is frequent: `bytes.decode` passes a view of its bytes to codecs.
        if let Ok(buffer) = PyBuffer::<u8>::get(data)
            && let Some(bytes) = buffer.as_slice_ptr()
        {
            // SAFETY: these are the bytes of the buffer, which the exporter keeps in place while `buffer` lives. They
            // are read under the interpreter's lock, and the shortcuts of both callers run no Python code, so that no
            // code changes them meanwhile.
            let bytes = unsafe { bytes.as_ref() };
            return Ok(
                shortcut(bytes).map_or_else(|| Ok(Self(PyBytes::new(data.py(), bytes))), Err)
            );
        }
        // The items of the buffer are larger than a byte or not contiguous.
        let Ok(view) = PyMemoryView::from(data) else {
            let class = data.get_type().name()?;
            return Err(pyo3::exceptions::PyTypeError::new_err(format!(
                "a bytes-like object is required, not '{class}'"
            )));
        };
        let copy: Bound<'py, PyBytes> = view.call_method0("tobytes")?.cast_into()?;
        Ok(shortcut(copy.as_bytes()).map_or_else(|| Ok(Self(copy.clone())), Err))
    }

    pub fn of_bytes(bytes: &Bound<'py, PyBytes>) -> Self {
        Self(bytes.clone())
    }

    pub fn as_slice(&self) -> &[u8] {
        self.0.as_bytes()
    }

    /// Returns the object that exceptions refer to.
    pub fn to_object(&self) -> &Bound<'py, PyBytes> {
        &self.0
    }
}

/// The number of characters up to which CPython's own encoder of UTF-8 takes less time than the library's.
pub const SHORT: usize = 64;

/// Calls `work` with an empty vector, whose memory later calls of this thread reuse. New memory pages cost more than
/// converting the text.
pub fn with_units<T>(work: impl FnOnce(&mut Vec<u16>) -> T) -> T {
    thread_local! {
        static KEPT: Cell<Vec<u16>> = const { Cell::new(Vec::new()) };
    }
    with_kept(&KEPT, work)
}

/// [`with_units`], for bytes.
pub fn with_bytes<T>(work: impl FnOnce(&mut Vec<u8>) -> T) -> T {
    thread_local! {
        static KEPT: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
    }
    with_kept(&KEPT, work)
}

fn with_kept<U, T>(
    kept: &'static LocalKey<Cell<Vec<U>>>,
    work: impl FnOnce(&mut Vec<U>) -> T,
) -> T {
    /// The maximum size of a vector that is kept for reuse.
    const KEPT: usize = 4 << 20;
    // A nested call, by an error handler, gets another empty vector.
    let mut units = kept.take();
    let result = work(&mut units);
    if units.capacity() * size_of::<U>() <= KEPT {
        units.clear();
        kept.set(units);
    }
    result
}

/// Runs `work`, without the interpreter's lock if `length` makes that worthwhile.
pub fn detached<T: Send>(py: Python<'_>, length: usize, work: impl FnOnce() -> T + Send) -> T {
    /// The number of bytes that are decoded in about the time of releasing and taking the lock.
    const WORTH: usize = 16 << 10;
    if length < WORTH {
        work()
    } else {
        py.detach(work)
    }
}

//! Lookups and properties of encodings.

use crate::args;
use crate::statics::{ALL, CEncoding, COUNT, EncodingOrNull, place};
use core::ffi::{CStr, c_char, c_int};
use core::ptr;
use mojika::{Encoding, extended};

/// [`Encoding::for_label`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mojika_for_label(label: *const c_char, length: usize) -> EncodingOrNull {
    // SAFETY: mojika.h requires `length` bytes at `label`.
    let label = unsafe { args::slice(label.cast::<u8>(), length) }?;
    Encoding::for_label(label).map(CEncoding::of)
}

/// [`extended::find`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mojika_for_name(name: *const c_char, length: usize) -> EncodingOrNull {
    // SAFETY: mojika.h requires `length` bytes at `name`.
    let name = unsafe { args::slice(name.cast::<u8>(), length) }?;
    extended::find(str::from_utf8(name).ok()?).map(CEncoding::of)
}

/// [`Encoding::for_windows_code_page`].
#[unsafe(no_mangle)]
pub extern "C" fn mojika_for_codepage(number: u32) -> EncodingOrNull {
    Encoding::for_windows_code_page(u16::try_from(number).ok()?).map(CEncoding::of)
}

/// [`Encoding::for_bom`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mojika_for_bom(
    bytes: *const u8,
    length: usize,
    bom_length: *mut usize,
) -> EncodingOrNull {
    // SAFETY: mojika.h requires `length` bytes at `bytes`.
    let found = unsafe { args::slice(bytes, length) }.and_then(Encoding::for_bom);
    // SAFETY: mojika.h requires memory of a size_t, or null.
    unsafe { args::write(bom_length, found.map_or(0, |(_, length)| length)) };
    found.map(|(encoding, _)| CEncoding::of(encoding))
}

/// Returns the number of encodings.
#[unsafe(no_mangle)]
pub extern "C" fn mojika_encoding_count() -> usize {
    COUNT
}

/// Returns the encoding at `index` in the list, or null.
#[unsafe(no_mangle)]
pub extern "C" fn mojika_encoding_at(index: usize) -> EncodingOrNull {
    ALL.get(index)
}

/// The length of the longest name with its zero terminator.
const NAME_LENGTH: usize = {
    let (mut longest, mut i) = (0, 0);
    while i < COUNT {
        let length = ALL[i].get().name().len();
        longest = if length > longest { length } else { longest };
        i += 1;
    }
    longest + 1
};

/// The names by index, padded with zero bytes.
pub(crate) type Names = [[u8; NAME_LENGTH]; COUNT];

/// Returns the names, in upper case if `is_upper` is set.
pub(crate) const fn names(is_upper: bool) -> Names {
    let mut names = [[0; NAME_LENGTH]; COUNT];
    let mut i = 0;
    while i < COUNT {
        let name = ALL[i].get().name().as_bytes();
        names[i].split_at_mut(name.len()).0.copy_from_slice(name);
        if is_upper {
            names[i].make_ascii_uppercase();
        }
        i += 1;
    }
    names
}

/// Returns the encoding's name in the list, with a zero terminator.
pub(crate) fn name_in(names: &'static Names, encoding: &'static Encoding) -> &'static CStr {
    CStr::from_bytes_until_nul(&names[place(encoding)]).unwrap_or_default()
}

/// Returns the name with a zero terminator.
fn name_of(encoding: &'static Encoding) -> &'static CStr {
    static NAMES: Names = names(false);
    name_in(&NAMES, encoding)
}

/// [`name_of`].
#[unsafe(no_mangle)]
pub extern "C" fn mojika_name(encoding: EncodingOrNull) -> *const c_char {
    encoding.map_or(ptr::null(), |encoding| name_of(encoding.get()).as_ptr())
}

/// Returns the label at `index` in the Standard's table for the encoding, and writes its length to `length`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mojika_label_at(
    encoding: EncodingOrNull,
    index: usize,
    length: *mut usize,
) -> *const c_char {
    let label = encoding.and_then(|encoding| encoding.get().labels().nth(index));
    // SAFETY: mojika.h requires memory of a size_t, or null.
    unsafe { args::write(length, label.map_or(0, str::len)) };
    label.map_or(ptr::null(), |label| label.as_ptr().cast())
}

/// [`Encoding::windows_code_page`], or 0.
#[unsafe(no_mangle)]
pub extern "C" fn mojika_codepage(encoding: EncodingOrNull) -> u32 {
    let number = encoding.and_then(|encoding| encoding.get().windows_code_page());
    number.map_or(0, u32::from)
}

/// [`Encoding::output_encoding`].
#[unsafe(no_mangle)]
pub extern "C" fn mojika_output_encoding(encoding: EncodingOrNull) -> EncodingOrNull {
    encoding.map(|encoding| CEncoding::of(encoding.get().output_encoding()))
}

/// [`Encoding::bom`]. Writes its length to `length`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mojika_bom(encoding: EncodingOrNull, length: *mut usize) -> *const u8 {
    let bom = encoding.and_then(|encoding| encoding.get().bom());
    // SAFETY: mojika.h requires memory of a size_t, or null.
    unsafe { args::write(length, bom.map_or(0, <[u8]>::len)) };
    bom.map_or(ptr::null(), <[u8]>::as_ptr)
}

/// [`Encoding::code_unit_len`].
#[unsafe(no_mangle)]
pub extern "C" fn mojika_code_unit_length(encoding: EncodingOrNull) -> usize {
    encoding.map_or(0, |encoding| encoding.get().code_unit_len())
}

/// [`Encoding::is_ascii_compatible`].
#[unsafe(no_mangle)]
pub extern "C" fn mojika_is_ascii_compatible(encoding: EncodingOrNull) -> c_int {
    encoding
        .is_some_and(|encoding| encoding.get().is_ascii_compatible())
        .into()
}

/// [`Encoding::is_single_byte`].
#[unsafe(no_mangle)]
pub extern "C" fn mojika_is_single_byte(encoding: EncodingOrNull) -> c_int {
    encoding
        .is_some_and(|encoding| encoding.get().is_single_byte())
        .into()
}

/// [`Encoding::is_stateful`].
#[unsafe(no_mangle)]
pub extern "C" fn mojika_is_stateful(encoding: EncodingOrNull) -> c_int {
    encoding
        .is_some_and(|encoding| encoding.get().is_stateful())
        .into()
}

/// True if the encoding has an encoder.
#[unsafe(no_mangle)]
pub extern "C" fn mojika_has_encoder(encoding: EncodingOrNull) -> c_int {
    encoding
        .is_some_and(|encoding| encoding.get().new_encoder().is_ok())
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_fits() {
        for encoding in &ALL {
            // SAFETY: a name is a string that ends with a zero byte.
            let name = unsafe { args::string(mojika_name(Some(encoding))) };
            assert_eq!(name, Some(encoding.get().name().as_bytes()));
        }
        assert!(mojika_name(None).is_null());
        assert!(mojika_encoding_at(COUNT).is_none() && mojika_encoding_at(usize::MAX).is_none());
    }
}

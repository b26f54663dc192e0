//! GNU libiconv's functions with its contract, over the same steps as glibc's: `libiconv_open`, `libiconv`,
//! `libiconv_close` and those that only libiconv has.
//!
//! libiconv's contract differs from glibc's. Names differ, UTF-16 and UTF-32 are big-endian and may contain marks anywhere,
//! `//IGNORE` causes no error, and `iconvctl` changes settings. The C library converts the sequences and characters in
//! which the Standard's tables and iconv's differ. Its tables equal libiconv's for nearly all encodings; docs/C.md lists
//! the exceptions.

mod callbacks;
mod conversion;
mod names;
mod tables;

use super::native::{FAILED, Native, errno, no_descriptor, set_errno};
use super::with_memory;
use crate::args;
use callbacks::{Fallbacks, Hooks};
use conversion::{Conversion, Discards};
use core::ffi::{c_char, c_int, c_uint, c_void};

/// `_libiconv_version`: 1.17, the version with this contract.
#[unsafe(export_name = "_libiconv_version")]
pub static LIBICONV_VERSION: c_int = 0x0111;

/// The state behind a descriptor.
enum Descriptor {
    Own(Conversion),
    /// A descriptor of the C library, which does the whole conversion.
    Passed {
        native: Native,
        discards: Discards,
        transliterates: bool,
    },
}

/// `iconv_allocation_t`: 28 pointers and an `mbstate_t`.
#[repr(C)]
struct Allocation {
    pointers: [usize; 28],
    state: [u32; 2],
}

const _: () = assert!(size_of::<Descriptor>() <= size_of::<Allocation>());
const _: () = assert!(align_of::<Descriptor>() <= align_of::<Allocation>());

/// Splits a name from its suffixes. Returns the name, true if `//TRANSLIT` was present, and the effect of the other
/// suffixes.
fn split(mut name: &[u8]) -> (&[u8], bool, Discards) {
    let (mut transliterates, mut discards) = (false, Discards::default());
    loop {
        if let Some(rest) = without(name, b"//TRANSLIT") {
            (name, transliterates) = (rest, true);
        } else if let Some(rest) = without(name, b"//IGNORE") {
            (name, discards) = (rest, Discards::ALL);
        } else if let Some(rest) = without(name, b"//NON_IDENTICAL_DISCARD") {
            name = rest;
            discards.unmappable = true;
        } else {
            return (name, transliterates, discards);
        }
    }
}

/// Returns `name` without the suffix, ignoring its case; `None` if the name does not end with the suffix.
fn without<'a>(name: &'a [u8], suffix: &[u8]) -> Option<&'a [u8]> {
    let (rest, end) = name.split_at_checked(name.len().checked_sub(suffix.len())?)?;
    end.eq_ignore_ascii_case(suffix).then_some(rest)
}

/// Opens a descriptor. Unless `keeps` is set, refuses conversions that only the C library does.
unsafe fn open(to: *const c_char, from: *const c_char, keeps: bool) -> Option<Descriptor> {
    // SAFETY: iconv_open takes strings that end with a zero byte.
    let (to, from) = unsafe { (args::string(to)?, args::string(from)?) };
    let (to, transliterates, discards) = split(to);
    let (from, ..) = split(from);
    let (from, to) = (names::known(from)?.1, names::known(to)?.1);
    if let Some(mut own) = Conversion::new(from, to, keeps) {
        own.transliterates = transliterates;
        own.discards = discards;
        return Some(Descriptor::Own(own));
    }
    // The C library can only discard both malformed and unmappable input, or neither.
    if !keeps || discards.malformed != discards.unmappable {
        return None;
    }
    let to = conversion::with_suffixes(to.native(), transliterates, discards.is_all());
    Some(Descriptor::Passed {
        native: Native::open(&to, from.native())?,
        discards,
        transliterates,
    })
}

/// `libiconv_open`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mojika_libiconv_open(
    to: *const c_char,
    from: *const c_char,
) -> *mut c_void {
    // SAFETY: the caller's arguments are iconv_open's.
    match unsafe { open(to, from, true) } {
        Some(descriptor) => Box::into_raw(Box::new(descriptor)).cast(),
        None => {
            set_errno(libc::EINVAL);
            no_descriptor()
        }
    }
}

/// `libiconv_open_into`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mojika_libiconv_open_into(
    to: *const c_char,
    from: *const c_char,
    memory: *mut c_void,
) -> c_int {
    // SAFETY: the caller's arguments are iconv_open's.
    let descriptor = unsafe { open(to, from, false) };
    // SAFETY: the memory is an `iconv_allocation_t`, which is large enough and aligned, as is asserted above.
    let place = unsafe { args::place::<Descriptor>(memory, size_of::<Allocation>()) };
    match descriptor.zip(place) {
        Some((descriptor, place)) => {
            place.write(descriptor);
            0
        }
        None => {
            set_errno(libc::EINVAL);
            -1
        }
    }
}

/// Returns the descriptor at `pointer`. For `(iconv_t)-1` and null, returns `None` and sets errno.
///
/// # Safety
///
/// `pointer` must be `(iconv_t)-1`, null, or a descriptor opened here that no other thread uses in the lifetime.
unsafe fn descriptor<'a>(pointer: *mut c_void) -> Option<&'a mut Descriptor> {
    if pointer.is_null() || pointer == no_descriptor() {
        set_errno(libc::EBADF);
        return None;
    }
    // SAFETY: the caller guarantees this function's conditions.
    Some(unsafe { &mut *pointer.cast() })
}

/// `libiconv_close`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mojika_libiconv_close(pointer: *mut c_void) -> c_int {
    // SAFETY: libiconv_close takes a descriptor that is open.
    match unsafe { descriptor(pointer) } {
        None => -1,
        Some(open) => {
            // SAFETY: libiconv_open has returned this pointer. It is a box of this type, which is not used after this.
            drop(unsafe { Box::from_raw(core::ptr::from_mut(open)) });
            0
        }
    }
}

/// `libiconv`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mojika_libiconv(
    pointer: *mut c_void,
    inbuf: *mut *mut c_char,
    inbytesleft: *mut usize,
    outbuf: *mut *mut c_char,
    outbytesleft: *mut usize,
) -> usize {
    // SAFETY: libiconv takes a descriptor.
    let conversion = match unsafe { descriptor(pointer) } {
        None => return FAILED,
        Some(Descriptor::Passed {
            native, discards, ..
        }) => {
            // SAFETY: the caller's arguments are iconv's.
            return unsafe {
                pass(
                    native,
                    discards.is_all(),
                    inbuf,
                    inbytesleft,
                    outbuf,
                    outbytesleft,
                )
            };
        }
        Some(Descriptor::Own(conversion)) => conversion,
    };
    // SAFETY: the caller's arguments are iconv's.
    unsafe {
        with_memory(
            conversion,
            (inbuf, inbytesleft),
            (outbuf, outbytesleft),
            Conversion::call,
            Conversion::reset,
        )
    }
}

/// Lets the C library convert. With `discards`, calls it again after the EILSEQ that it returns for ignored input.
///
/// # Safety
///
/// The arguments must meet the conditions of iconv(3).
unsafe fn pass(
    native: &mut Native,
    discards: bool,
    inbuf: *mut *mut c_char,
    inbytesleft: *mut usize,
    outbuf: *mut *mut c_char,
    outbytesleft: *mut usize,
) -> usize {
    // SAFETY: `inbytesleft` is null, or a pointer to the caller's variable.
    let left = || unsafe { inbytesleft.as_ref() }.map_or(0, |&left| left);
    loop {
        let before = left();
        // SAFETY: the caller guarantees this function's conditions.
        let result = unsafe { native.pass(inbuf, inbytesleft, outbuf, outbytesleft) };
        if result != FAILED || !discards || errno() != libc::EILSEQ || left() == before {
            return result;
        }
        if left() == 0 {
            return 0;
        }
    }
}

/// `libiconvctl`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mojika_libiconvctl(
    pointer: *mut c_void,
    request: c_int,
    argument: *mut c_void,
) -> c_int {
    // SAFETY: libiconvctl takes a descriptor.
    let Some(descriptor) = (unsafe { descriptor(pointer) }) else {
        return -1;
    };
    // SAFETY: 5 takes hooks and 6 takes fallbacks, or null; the other requests take an `int`.
    let done = unsafe { control(descriptor, request, argument) };
    if done.is_none() {
        set_errno(libc::EINVAL);
    }
    done.map_or(-1, |()| 0)
}

/// # Safety
///
/// `argument` must be null, or valid for the request.
unsafe fn control(
    descriptor: &mut Descriptor,
    request: c_int,
    argument: *mut c_void,
) -> Option<()> {
    if let 5 | 6 = request {
        let Descriptor::Own(conversion) = descriptor else {
            return None;
        };
        // SAFETY: the caller guarantees this function's conditions.
        unsafe {
            if request == 5 {
                conversion.hooks = argument
                    .cast::<Hooks>()
                    .as_ref()
                    .map_or(Hooks::NONE, |&hooks| hooks);
            } else {
                conversion.fallbacks = argument
                    .cast::<Fallbacks>()
                    .as_ref()
                    .map_or(Fallbacks::NONE, |&all| all);
            }
        }
        return Some(());
    }
    // SAFETY: the caller guarantees this function's conditions.
    let argument = unsafe { argument.cast::<c_int>().as_mut() }?;
    let (is_trivial, transliterates, discards) = match descriptor {
        Descriptor::Own(own) => (own.is_trivial(), own.transliterates, own.discards),
        Descriptor::Passed {
            transliterates,
            discards,
            ..
        } => (false, *transliterates, *discards),
    };
    match (request, descriptor) {
        (0, _) => *argument = is_trivial.into(),
        (1, _) => *argument = transliterates.into(),
        (3, _) => *argument = discards.is_all().into(),
        (11, _) => *argument = discards.malformed.into(),
        (13, _) => *argument = discards.unmappable.into(),
        (2, Descriptor::Own(own)) => own.set_transliterates(*argument != 0),
        (4, Descriptor::Own(own)) => {
            own.discards = if *argument != 0 {
                Discards::ALL
            } else {
                Discards::default()
            };
        }
        (12, Descriptor::Own(own)) => own.discards.malformed = *argument != 0,
        (14, Descriptor::Own(own)) => own.discards.unmappable = *argument != 0,
        // The settings of the C library's descriptors cannot be changed.
        (2, _) if (*argument != 0) == transliterates => {}
        (4 | 12 | 14, _) if (*argument != 0) == discards.is_all() => {}
        _ => return None,
    }
    Some(())
}

type ListOne = unsafe extern "C" fn(c_uint, *const *const c_char, *mut c_void) -> c_int;

/// `libiconvlist`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mojika_libiconvlist(do_one: Option<ListOne>, data: *mut c_void) {
    let Some(do_one) = do_one else { return };
    for group in names::groups() {
        let names = group.names.iter().map(|name| name.as_ptr());
        let names: Vec<*const c_char> = names.collect();
        // SAFETY: the caller has passed this function for such a list, with this data.
        if unsafe { do_one(names.len() as c_uint, names.as_ptr(), data) } != 0 {
            return;
        }
    }
}

/// `iconv_canonicalize`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mojika_iconv_canonicalize(name: *const c_char) -> *const c_char {
    // SAFETY: iconv_canonicalize takes a string that ends with a zero byte.
    let given = unsafe { args::string(name) };
    let canonical = given.and_then(|given| names::known(split(given).0));
    canonical.map_or(name, |(canonical, _)| canonical.as_ptr())
}

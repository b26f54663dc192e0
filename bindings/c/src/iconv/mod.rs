//! iconv(3) over the engine: `iconv_open`, `iconv` and `iconv_close` with glibc's contract.
//!
//! The engine converts until the first sequence or character that the C library may treat differently. Such input is
//! malformed, unmappable, or different in iconv's tables (`differences.txt`). The C library, found by
//! `dlsym(RTLD_NEXT)`, then converts, transliterates, ignores or refuses it, and the engine continues after it. Positions,
//! errno and results are thus the C library's. The C library also converts every encoding without a page.

mod convert;
mod filter;
mod gnu;
mod native;
mod page;
mod set;
mod short;
mod side;
mod step;
mod tables;

use crate::args;
use convert::convert;
use core::ffi::{CStr, c_char, c_int, c_void};
use core::mem::MaybeUninit;
use native::{FAILED, Native, errno, no_descriptor, set_errno};
use page::{named_or_locale, split};
use set::Set;
use side::Side;
use step::{Step, Stop};

/// The state behind a descriptor.
#[repr(C)]
struct Tagged {
    /// [`TAG`], which distinguishes this library's descriptors from the C library's. Programs may pass both kinds.
    tag: u64,
    descriptor: Descriptor,
}

/// A value that a descriptor of glibc cannot start with, because glibc's start with a number of steps.
const TAG: u64 = 0x6D6F_6A69_6B61_1F0D;

#[allow(
    clippy::large_enum_variant,
    reason = "most are conversions, and opening one allocates once"
)]
enum Descriptor {
    /// The C library does the whole conversion.
    Passed(Native),
    Own(Conversion),
}

/// A conversion between two pages.
struct Conversion {
    from: Side,
    to: Side,
    /// Suffixes as the caller wrote them: `//TRANSLIT`, `//IGNORE`.
    suffix: [u8; SUFFIX],
    suffix_len: usize,
    /// True if the suffix makes the C library omit unconvertible input.
    ignores: bool,
    /// The C library's descriptor for single characters, opened when the first one is needed.
    native: Option<Native>,
    has_no_native: bool,
    /// True if `native` may hold the beginning of a character, or a shift state.
    is_native_used: bool,
    /// A bit for each byte that the C library has refused when it was the whole input.
    refused: [u64; 4],
    /// The numbers of the characters that the C library has refused, as [`short::first`] gives them.
    refused_characters: Option<Box<Set>>,
    /// True if the previous call ended at a byte or character that the C library has refused.
    has_refused: bool,
    /// The C library's descriptor for all further calls. It also handles byte order marks.
    instead: Option<Native>,
}

/// The number of bytes that the C library gets at first. With fewer bytes, it often asks for the rest of a character.
const FIRST_READ_LENGTH: usize = 4;

/// The output space with which the C library never reports E2BIG for a single character.
const ENOUGH_SPACE: usize = 16;

/// The maximum length of a suffix.
const SUFFIX: usize = 48;

/// `iconv_open`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mojika_iconv_open(to: *const c_char, from: *const c_char) -> *mut c_void {
    // SAFETY: iconv_open takes strings that end with a zero byte.
    let (to_name, from_name) = unsafe { (args::string(to), args::string(from)) };
    let (Some(to_name), Some(from_name)) = (to_name, from_name) else {
        set_errno(libc::EINVAL);
        return no_descriptor();
    };
    let descriptor = match Conversion::open(to_name, from_name) {
        Some(own) => Descriptor::Own(own),
        None => {
            // SAFETY: neither is null, as has just been tested, and iconv_open takes strings that end with a zero byte.
            let (to, from) = unsafe { (CStr::from_ptr(to), CStr::from_ptr(from)) };
            match Native::open(to, from) {
                Some(native) => Descriptor::Passed(native),
                None => return no_descriptor(),
            }
        }
    };
    Box::into_raw(Box::new(Tagged {
        tag: TAG,
        descriptor,
    }))
    .cast()
}

/// `iconv_close`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mojika_iconv_close(descriptor: *mut c_void) -> c_int {
    if descriptor.is_null() || descriptor == no_descriptor() {
        set_errno(libc::EBADF);
        return -1;
    }
    // SAFETY: the caller passes an open descriptor; one of the C library also has eight bytes to read.
    if unsafe { *descriptor.cast::<u64>() } != TAG {
        return Native::foreign(descriptor).close();
    }
    // SAFETY: the tag shows that iconv_open has returned it, as a box of this type.
    drop(unsafe { Box::from_raw(descriptor.cast::<Tagged>()) });
    0
}

/// `iconv`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mojika_iconv(
    descriptor: *mut c_void,
    inbuf: *mut *mut c_char,
    inbytesleft: *mut usize,
    outbuf: *mut *mut c_char,
    outbytesleft: *mut usize,
) -> usize {
    if descriptor.is_null() || descriptor == no_descriptor() {
        set_errno(libc::EBADF);
        return FAILED;
    }
    // SAFETY: iconv takes a descriptor that is open, which starts with a word in the C library as well.
    if unsafe { *descriptor.cast::<u64>() } != TAG {
        let mut native = core::mem::ManuallyDrop::new(Native::foreign(descriptor));
        // SAFETY: the caller's arguments are iconv's.
        return unsafe { native.pass(inbuf, inbytesleft, outbuf, outbytesleft) };
    }
    // SAFETY: the tag shows that iconv_open has returned it, and no other thread uses it during the call.
    let conversion = match unsafe { &mut (*descriptor.cast::<Tagged>()).descriptor } {
        Descriptor::Passed(native) => {
            // SAFETY: the caller's arguments are iconv's.
            return unsafe { native.pass(inbuf, inbytesleft, outbuf, outbytesleft) };
        }
        Descriptor::Own(conversion) => conversion,
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

/// Applies iconv(3)'s rules to the caller's pointers. `call` converts the input to the output; `reset` is called instead if
/// there is no input.
///
/// # Safety
///
/// The arguments must meet the conditions of iconv(3).
#[inline(always)]
unsafe fn with_memory<C>(
    conversion: &mut C,
    (inbuf, inbytesleft): (*mut *mut c_char, *mut usize),
    (outbuf, outbytesleft): (*mut *mut c_char, *mut usize),
    call: impl FnOnce(&mut C, &[u8], &mut [MaybeUninit<u8>]) -> Done,
    reset: impl FnOnce(&mut C),
) -> usize {
    // SAFETY: the pointers are null, or point to the caller's variables.
    let variables = unsafe { inbuf.as_mut().zip(inbytesleft.as_mut()) };
    let Some((input, left)) = variables.filter(|(input, _)| !input.is_null()) else {
        reset(conversion);
        return 0;
    };
    // SAFETY: as above.
    let Some((output, space)) = (unsafe { outbuf.as_mut().zip(outbytesleft.as_mut()) }) else {
        set_errno(libc::E2BIG);
        return FAILED;
    };
    // SAFETY: iconv takes input and output of these lengths, which do not overlap.
    let memory = unsafe {
        args::slice(input.cast::<u8>().cast_const(), *left)
            .zip(args::target(output.cast::<u8>(), *space))
    };
    let Some((src, dst)) = memory else {
        set_errno(libc::EFAULT);
        return FAILED;
    };
    let done = call(conversion, src, dst);
    // SAFETY: the offsets are within the caller's memory, because the slices' lengths bound them.
    unsafe {
        *input = input.add(done.read);
        *output = output.add(done.written);
    }
    *left -= done.read;
    *space -= done.written;
    match done.error {
        None => done.irreversible,
        Some(error) => {
            set_errno(error);
            FAILED
        }
    }
}

/// The result of a call.
#[derive(Default)]
struct Done {
    read: usize,
    written: usize,
    /// The number of irreversible conversions.
    irreversible: usize,
    /// errno, if the call failed.
    error: Option<c_int>,
}

impl Done {
    /// The result if the engine cannot convert a sequence, and the C library has no converter for it.
    const FAILED: Self = Self {
        read: 0,
        written: 0,
        irreversible: 0,
        error: Some(libc::EILSEQ),
    };

    /// Lets the C library do a whole call.
    fn by_native(native: &mut Native, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Self {
        let (result, read, written) = native.convert(src, dst);
        let error = (result == FAILED).then(errno);
        Self {
            read,
            written,
            irreversible: if error.is_none() { result } else { 0 },
            error,
        }
    }
}

impl Conversion {
    /// Opens a conversion by the engine; `None` if the C library must do the whole conversion.
    fn open(to: &[u8], from: &[u8]) -> Option<Self> {
        let (to, suffix) = split(to);
        let (from, from_suffix) = split(from);
        // Suffixes of the source encoding have no effect. The C library decides if such a suffix is an error.
        if !from_suffix.iter().all(|&byte| byte == b'/') || suffix.len() > SUFFIX {
            return None;
        }
        let ignores = suffix
            .split(|&byte| matches!(byte, b'/' | b','))
            .any(|word| word.eq_ignore_ascii_case(b"IGNORE"));
        let mut kept = [0; SUFFIX];
        kept[..suffix.len()].copy_from_slice(suffix);
        let (from, to) = (named_or_locale(from)?, named_or_locale(to)?);
        if !page::is_alike(from, to) {
            return None;
        }
        Some(Self {
            from: Side::new(from),
            to: Side::new(to),
            suffix: kept,
            suffix_len: suffix.len(),
            ignores,
            native: None,
            has_no_native: false,
            is_native_used: false,
            refused: [0; 4],
            refused_characters: None,
            has_refused: false,
            instead: None,
        })
    }

    /// True if the C library certainly refuses the first character, with `space` bytes of output space.
    #[inline(never)]
    fn refuses(&self, src: &[u8], space: usize) -> bool {
        // It may report E2BIG first. With //IGNORE, the result depends on the surrounding input.
        if space < ENOUGH_SPACE || self.ignores {
            return false;
        }
        let page = self.from.page;
        let is_cut = match *src {
            [lead @ 0xC2..=0xF4, ref rest @ ..] if page.encoding == mojika::UTF_8 => {
                let rest = rest.iter().take(lead.leading_ones() as usize - 1);
                rest.into_iter().any(|byte| byte & 0xC0 != 0x80)
            }
            _ => false,
        };
        is_cut
            || src.first().is_some_and(|&first| {
                self.refused[usize::from(first / 64)] >> (first % 64) & 1 != 0
            })
            || self.refused_characters.as_ref().is_some_and(|set| {
                short::first(page, src).is_some_and(|(number, _)| set.contains(number))
            })
    }

    /// Remembers the first character of `src`, which the C library has refused, if the C library also refuses it without
    /// the bytes after it. Resets the descriptor.
    fn remember_refused(&mut self, src: &[u8]) {
        let Some(native) = &mut self.native else {
            return;
        };
        let mut is_refused = |part: &[u8]| {
            let (result, read, _) =
                native.convert(part, &mut [MaybeUninit::uninit(); ENOUGH_SPACE]);
            let is_refused = result == FAILED && read == 0 && errno() == libc::EILSEQ;
            if !is_refused {
                native.reset();
            }
            is_refused
        };
        let first = src[0];
        if is_refused(&[first]) {
            self.refused[usize::from(first / 64)] |= 1 << (first % 64);
        } else if let Some((number, length)) = short::first(self.from.page, src)
            && is_refused(&src[..length])
        {
            let set = self
                .refused_characters
                .get_or_insert_with(|| Box::new(Set::EMPTY));
            set.set(number, true);
        }
        set_errno(libc::EILSEQ);
        // The descriptor is in its initial state again.
        self.is_native_used = false;
    }

    /// Resets the conversion to its initial state.
    #[inline(never)]
    fn reset(&mut self) {
        if let Some(native) = &mut self.instead {
            return native.reset();
        }
        self.from.reset();
        self.to.reset();
        if let Some(native) = &mut self.native {
            native.reset();
        }
    }

    /// Performs one call of `iconv`.
    #[inline(always)]
    fn call(&mut self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Done {
        // Most calls are short and skip the work below. A caller who skips malformed bytes calls again for each.
        if !self.from.expects_mark && !self.to.expects_mark {
            if self.has_refused {
                self.has_refused = self.refuses(src, dst.len());
                if self.has_refused {
                    return Done::FAILED;
                }
            }
            let step = short::convert(self.from.page, self.to.page, src, dst).unwrap_or(Step::NONE);
            let error = match step.stop {
                Stop::Other if self.refuses(&src[step.read..], dst.len() - step.written) => {
                    self.has_refused = true;
                    Some(libc::EILSEQ)
                }
                Stop::Other => return self.call_any(src, dst),
                Stop::Full => Some(libc::E2BIG),
                Stop::Done | Stop::Incomplete => None,
            };
            return Done {
                read: step.read,
                written: step.written,
                irreversible: 0,
                error,
            };
        }
        self.call_any(src, dst)
    }

    /// Performs a call that is not short, or that has characters outside the tables for short input.
    #[inline(never)]
    fn call_any(&mut self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Done {
        if let Some(native) = &mut self.instead {
            return Done::by_native(native, src, dst);
        }
        let start = (self.from, self.to);
        let expects_mark = start.0.expects_mark || start.1.expects_mark;
        match self.run(src, dst, expects_mark) {
            // The output has space for the byte order mark only.
            Some(done)
                if expects_mark
                    && done.error == Some(libc::E2BIG)
                    && done.written <= self.to.mark_length(start.1) =>
            {
                self.replace(start, src, dst)
            }
            Some(done) => done,
            None if expects_mark => self.replace(start, src, dst),
            // With ignored input, glibc's result depends on the error's position, on other errors near it, and on the
            // output space.
            None => match self.native() {
                Some(native) => Done::by_native(native, src, dst),
                None => Done::FAILED,
            },
        }
    }

    /// Passes this call and all later ones to the C library. `start` has the byte order mark states from before the call:
    /// glibc's states after a failed call, or after a call without output, are too intricate to predict.
    fn replace(&mut self, start: (Side, Side), src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Done {
        (self.from, self.to) = start;
        self.instead = self.open_native(self.from.marked(), self.to.marked());
        let Some(native) = &mut self.instead else {
            return Done::FAILED;
        };
        if self.from.has_read_mark() {
            native.convert(self.from.mark(), &mut []);
            if self.from.expects_mark {
                native.reset();
            }
        }
        Done::by_native(native, src, dst)
    }

    /// Converts with the engine, and with the C library from each position at which the engine stops. Returns `None` if
    /// the C library must do the whole call.
    fn run(&mut self, src: &[u8], dst: &mut [MaybeUninit<u8>], expects_mark: bool) -> Option<Done> {
        let mut done = Done::default();
        if src.is_empty() {
            return Some(done);
        }
        if self.from.expects_mark {
            match self.from.read_mark(src) {
                Some(len) => done.read = len,
                None => {
                    done.error = Some(libc::EINVAL);
                    return Some(done);
                }
            }
        }
        if self.to.expects_mark && done.read < src.len() {
            self.write_mark(src, dst, &mut done)?;
            if done.error.is_some() {
                return Some(done);
            }
        }
        let mut length = FIRST_READ_LENGTH;
        while done.read < src.len() {
            let (rest, space) = (&src[done.read..], &mut dst[done.written..]);
            let step = convert(self.from.page, self.to.page, rest, space);
            done.read += step.read;
            done.written += step.written;
            match step.stop {
                Stop::Done => break,
                Stop::Full => {
                    done.error = Some(libc::E2BIG);
                    return Some(done);
                }
                Stop::Incomplete => {
                    let has_unit = src.len() - done.read >= self.from.page.encoding.code_unit_len();
                    let space = dst.len() - done.written;
                    let is_full = has_unit && space < self.to.page.least_space;
                    done.error = Some(if is_full { libc::E2BIG } else { libc::EINVAL });
                    return Some(done);
                }
                Stop::Other if expects_mark || self.ignores => return None,
                Stop::Other => {}
            }
            // If the C library converts many characters in succession, as with //TRANSLIT, pass it longer parts.
            length = if step.read > 16 {
                FIRST_READ_LENGTH
            } else {
                (2 * length).min(4096)
            };
            let (rest, space) = (&src[done.read..], &mut dst[done.written..]);
            let (result, read, written) = self.other(rest, space, length);
            done.read += read;
            done.written += written;
            if result == FAILED {
                done.error = Some(errno());
                return Some(done);
            }
            done.irreversible += result;
        }
        Some(done)
    }

    /// Returns the C library's descriptor, in its initial state.
    fn native(&mut self) -> Option<&mut Native> {
        if self.native.is_none() && !self.has_no_native {
            self.native = self.open_native(self.from.page.native, self.to.page.native);
            self.has_no_native = self.native.is_none();
        }
        let native = self.native.as_mut()?;
        if self.is_native_used {
            native.reset();
        }
        self.is_native_used = true;
        Some(native)
    }

    /// Lets the C library convert about `length` bytes. Returns the result of `iconv`, and the numbers of bytes read
    /// and written.
    fn other(
        &mut self,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        length: usize,
    ) -> (usize, usize, usize) {
        let Some(native) = self.native() else {
            set_errno(libc::EILSEQ);
            return (FAILED, 0, 0);
        };
        let mut length = length;
        loop {
            let most = length.min(src.len());
            let (result, read, written) = native.convert(&src[..most], dst);
            if result == FAILED && read == 0 && errno() == libc::EILSEQ {
                self.remember_refused(src);
                return (result, read, written);
            }
            if result != FAILED || errno() != libc::EINVAL || most == src.len() {
                return (result, read, written);
            }
            // The limit `length` splits a character. Convert the bytes before that character again, because the result
            // of the failed call lacks the number of irreversible conversions.
            native.reset();
            if read > 0 {
                return native.convert(&src[..read], dst);
            }
            length += 1;
        }
    }

    fn open_native(&self, from: &CStr, to: &CStr) -> Option<Native> {
        let name = to.to_bytes();
        let mut to = [0_u8; 96];
        let suffix = &self.suffix[..self.suffix_len];
        to[..name.len()].copy_from_slice(name);
        to[name.len()..name.len() + suffix.len()].copy_from_slice(suffix);
        let to = CStr::from_bytes_until_nul(&to).ok()?;
        Native::open(to, from)
    }

    /// Writes the output's mark before the first character. Returns `None` if the C library must do the whole call.
    fn write_mark(
        &mut self,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        done: &mut Done,
    ) -> Option<()> {
        let rest = &src[done.read..];
        let mut one = [const { MaybeUninit::uninit() }; 64];
        let rest = &rest[..rest.len().min(8)];
        let step = convert(self.from.page, self.to.page, rest, &mut one);
        if step.written == 0 {
            if step.stop != Stop::Incomplete {
                return None;
            }
            done.error = Some(libc::EINVAL);
            return Some(());
        }
        let mark = self.to.mark();
        if dst.len() < mark.len() {
            done.error = Some(libc::E2BIG);
            return Some(());
        }
        for (to, &byte) in dst.iter_mut().zip(mark) {
            to.write(byte);
        }
        done.written = mark.len();
        self.to.expects_mark = false;
        Some(())
    }
}

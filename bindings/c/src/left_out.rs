//! The functions of libmojika that libmojika_small lacks. They only return a constant.

use crate::progress::LEFT_OUT;
use core::ffi::{c_char, c_int, c_void};
use core::ptr;

/// Defines functions that return a constant for any arguments.
macro_rules! left_out {
    ($($name:ident($($argument:ty),*) -> $result:ty = $value:expr;)*) => {$(
        #[unsafe(no_mangle)]
        pub extern "C" fn $name($(_: $argument),*) -> $result {
            $value
        }
    )*};
}

left_out! {
    mojika_detect(*const u8, usize, *const c_void, *mut c_void) -> c_int = LEFT_OUT;
    mojika_detector_new() -> *mut c_void = ptr::null_mut();
    mojika_detector_free(*mut c_void) -> () = ();
    mojika_detector_reset(*mut c_void) -> () = ();
    mojika_detector_feed(*mut c_void, *const u8, usize) -> c_int = LEFT_OUT;
    mojika_detector_is_decided(*const c_void) -> c_int = 0;
    mojika_detector_finish(*const c_void, *const c_void, *mut c_void) -> c_int = LEFT_OUT;
    mojika_repair(*const u8, usize, *mut u8, usize, *mut usize) -> c_int = LEFT_OUT;
    mojika_find_mojibake(*const u8, usize, *mut c_void, usize, *mut usize) -> c_int = LEFT_OUT;
    mojika_sniff(*const u8, usize, *const c_void, *mut c_void) -> c_int = LEFT_OUT;
    mojika_sniff_length(*const c_void) -> usize = 0;
    mojika_source_text(c_int) -> *const c_char = c"unknown".as_ptr();
}

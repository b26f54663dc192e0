//! The encodings for C: entries of one table, each with its own address, and exported variables that point to them.
//!
//! A C program compares encodings by address. The addresses of the library's statics are unsuitable for that, because
//! the compiler may copy a static's value into this crate.

use crate::progress::{LEFT_OUT, NO_ENCODER};
use core::ffi::c_int;
use mojika::{Encoding, extended};

/// `mojika_encoding`.
#[derive(Debug)]
pub struct CEncoding(&'static Encoding);

/// An encoding, or null.
pub(crate) type EncodingOrNull = Option<&'static CEncoding>;

/// The number of encodings: the Standard's and the extended ones.
pub(crate) const COUNT: usize = {
    let mut count = STANDARD.len();
    while extended::nth(count - STANDARD.len()).is_some() {
        count += 1;
    }
    count
};

/// The Standard's encodings, in the order of their numbers.
const STANDARD: &[&Encoding; 40] = Encoding::all();

/// All encodings, in the order of their numbers.
pub(crate) static ALL: [CEncoding; COUNT] = {
    let mut all = [const { CEncoding(mojika::UTF_8) }; COUNT];
    let mut place = 0;
    while place < COUNT {
        all[place] = CEncoding(if place < STANDARD.len() {
            STANDARD[place]
        } else {
            extended::nth(place - STANDARD.len()).expect("COUNT encodings")
        });
        place += 1;
    }
    all
};

impl CEncoding {
    /// Returns the library's encoding.
    pub(crate) const fn get(&self) -> &'static Encoding {
        self.0
    }

    /// True if libmojika_small lacks the encoding.
    pub(crate) fn is_left_out(&self) -> bool {
        #[cfg(mojika_small)]
        return self.0.is_left_out();
        #[cfg(not(mojika_small))]
        false
    }

    /// Returns the status for an encoding without an encoder.
    pub(crate) fn no_encoder(&self) -> c_int {
        if self.is_left_out() {
            LEFT_OUT
        } else {
            NO_ENCODER
        }
    }

    /// Returns the entry of an encoding.
    pub(crate) fn of(encoding: &'static Encoding) -> &'static Self {
        &ALL[place(encoding)]
    }

    /// Returns the entry of the encoding called `name`.
    pub(crate) const fn named(name: &str) -> &'static Self {
        let mut place = 0;
        while !is_same(ALL[place].get().name(), name) {
            place += 1;
        }
        &ALL[place]
    }
}

/// Returns the index of an encoding in the table.
pub(crate) fn place(encoding: &'static Encoding) -> usize {
    let place = ALL.binary_search_by(|entry| entry.0.cmp(encoding));
    place.unwrap_or_default()
}

const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut i = 0;
    while i < one.len() && i < other.len() && one[i] == other[i] {
        i += 1;
    }
    i == one.len() && i == other.len()
}

/// Defines the variables of mojika.h and of encoding_c's header, each named after its encoding.
macro_rules! statics {
    ($($variable:ident $($of_encoding_c:ident)? $name:literal;)*) => {$(
        variable! { $variable "mojika.h" $name }
        $(#[cfg(not(mojika_small))] variable! { $of_encoding_c "encoding_rs_statics.h" $name })?
    )*};
}

/// Defines one variable of a header.
macro_rules! variable {
    ($variable:ident $header:literal $name:literal) => {
        #[doc = concat!("`", stringify!($variable), "` of ", $header, ".")]
        #[allow(non_upper_case_globals, reason = "named as all of mojika.h is")]
        #[unsafe(no_mangle)]
        pub static $variable: &CEncoding = CEncoding::named($name);
    };
}

statics! {
    mojika_utf_8 UTF_8_ENCODING "UTF-8";
    mojika_ibm866 IBM866_ENCODING "IBM866";
    mojika_iso_8859_2 ISO_8859_2_ENCODING "ISO-8859-2";
    mojika_iso_8859_3 ISO_8859_3_ENCODING "ISO-8859-3";
    mojika_iso_8859_4 ISO_8859_4_ENCODING "ISO-8859-4";
    mojika_iso_8859_5 ISO_8859_5_ENCODING "ISO-8859-5";
    mojika_iso_8859_6 ISO_8859_6_ENCODING "ISO-8859-6";
    mojika_iso_8859_7 ISO_8859_7_ENCODING "ISO-8859-7";
    mojika_iso_8859_8 ISO_8859_8_ENCODING "ISO-8859-8";
    mojika_iso_8859_8_i ISO_8859_8_I_ENCODING "ISO-8859-8-I";
    mojika_iso_8859_10 ISO_8859_10_ENCODING "ISO-8859-10";
    mojika_iso_8859_13 ISO_8859_13_ENCODING "ISO-8859-13";
    mojika_iso_8859_14 ISO_8859_14_ENCODING "ISO-8859-14";
    mojika_iso_8859_15 ISO_8859_15_ENCODING "ISO-8859-15";
    mojika_iso_8859_16 ISO_8859_16_ENCODING "ISO-8859-16";
    mojika_koi8_r KOI8_R_ENCODING "KOI8-R";
    mojika_koi8_u KOI8_U_ENCODING "KOI8-U";
    mojika_macintosh MACINTOSH_ENCODING "macintosh";
    mojika_windows_874 WINDOWS_874_ENCODING "windows-874";
    mojika_windows_1250 WINDOWS_1250_ENCODING "windows-1250";
    mojika_windows_1251 WINDOWS_1251_ENCODING "windows-1251";
    mojika_windows_1252 WINDOWS_1252_ENCODING "windows-1252";
    mojika_windows_1253 WINDOWS_1253_ENCODING "windows-1253";
    mojika_windows_1254 WINDOWS_1254_ENCODING "windows-1254";
    mojika_windows_1255 WINDOWS_1255_ENCODING "windows-1255";
    mojika_windows_1256 WINDOWS_1256_ENCODING "windows-1256";
    mojika_windows_1257 WINDOWS_1257_ENCODING "windows-1257";
    mojika_windows_1258 WINDOWS_1258_ENCODING "windows-1258";
    mojika_x_mac_cyrillic X_MAC_CYRILLIC_ENCODING "x-mac-cyrillic";
    mojika_gbk GBK_ENCODING "GBK";
    mojika_gb18030 GB18030_ENCODING "gb18030";
    mojika_big5 BIG5_ENCODING "Big5";
    mojika_euc_jp EUC_JP_ENCODING "EUC-JP";
    mojika_iso_2022_jp ISO_2022_JP_ENCODING "ISO-2022-JP";
    mojika_shift_jis SHIFT_JIS_ENCODING "Shift_JIS";
    mojika_euc_kr EUC_KR_ENCODING "EUC-KR";
    mojika_replacement REPLACEMENT_ENCODING "replacement";
    mojika_utf_16be UTF_16BE_ENCODING "UTF-16BE";
    mojika_utf_16le UTF_16LE_ENCODING "UTF-16LE";
    mojika_x_user_defined X_USER_DEFINED_ENCODING "x-user-defined";
    mojika_utf_32be "UTF-32BE";
    mojika_utf_32le "UTF-32LE";
    mojika_iso_8859_1 "ISO-8859-1";
    mojika_iso_8859_9 "ISO-8859-9";
    mojika_iso_8859_11 "ISO-8859-11";
    mojika_us_ascii "US-ASCII";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_has_its_place() {
        let all = || Encoding::all().iter().copied().chain(extended::all());
        assert_eq!(all().count(), COUNT);
        for (place, encoding) in all().enumerate() {
            assert_eq!(ALL[place].get(), encoding);
            assert!(core::ptr::eq(
                CEncoding::named(encoding.name()),
                &ALL[place]
            ));
            assert!(core::ptr::eq(CEncoding::of(encoding), &ALL[place]));
        }
    }
}

//! The encodings as C has them: entries of one table, each with an address of its own, and variables that point to some.
//!
//! A C program compares encodings by their addresses. Those of the library's statics are not theirs alone: what a static
//! of another crate is initialised with may be copied.

use mojika::{Encoding, extended};

/// `mojika_encoding`.
#[derive(Debug)]
pub struct CEncoding(&'static Encoding);

/// An encoding, or null.
pub(crate) type Found = Option<&'static CEncoding>;

/// How many encodings there are: the Standard's, and those of `extended`.
pub(crate) const COUNT: usize = 119;

impl CEncoding {
    /// The library's encoding.
    pub(crate) fn get(&self) -> &'static Encoding {
        self.0
    }

    /// The entry of an encoding.
    pub(crate) fn of(encoding: &'static Encoding) -> &'static Self {
        let place = ALL.binary_search_by(|entry| entry.0.cmp(encoding));
        &ALL[place.unwrap_or_default()]
    }

    /// The place in the table.
    pub(crate) fn place(&self) -> usize {
        let place = ALL.binary_search_by(|entry| entry.0.cmp(self.0));
        place.unwrap_or_default()
    }
}

/// The Standard's encodings, in the order of their numbers.
const STANDARD: [&Encoding; 40] = [
    mojika::UTF_8,
    mojika::IBM866,
    mojika::ISO_8859_2,
    mojika::ISO_8859_3,
    mojika::ISO_8859_4,
    mojika::ISO_8859_5,
    mojika::ISO_8859_6,
    mojika::ISO_8859_7,
    mojika::ISO_8859_8,
    mojika::ISO_8859_8_I,
    mojika::ISO_8859_10,
    mojika::ISO_8859_13,
    mojika::ISO_8859_14,
    mojika::ISO_8859_15,
    mojika::ISO_8859_16,
    mojika::KOI8_R,
    mojika::KOI8_U,
    mojika::MACINTOSH,
    mojika::WINDOWS_874,
    mojika::WINDOWS_1250,
    mojika::WINDOWS_1251,
    mojika::WINDOWS_1252,
    mojika::WINDOWS_1253,
    mojika::WINDOWS_1254,
    mojika::WINDOWS_1255,
    mojika::WINDOWS_1256,
    mojika::WINDOWS_1257,
    mojika::WINDOWS_1258,
    mojika::X_MAC_CYRILLIC,
    mojika::GBK,
    mojika::GB18030,
    mojika::BIG5,
    mojika::EUC_JP,
    mojika::ISO_2022_JP,
    mojika::SHIFT_JIS,
    mojika::EUC_KR,
    mojika::REPLACEMENT,
    mojika::UTF_16BE,
    mojika::UTF_16LE,
    mojika::X_USER_DEFINED,
];

/// All encodings, in their order.
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
    assert!(extended::nth(COUNT - STANDARD.len()).is_none());
    all
};

/// Defines the variables, each with the place of its encoding.
macro_rules! statics {
    ($($name:ident $place:literal;)*) => {$(
        #[doc = concat!("`", stringify!($name), "` of mojika.h.")]
        #[allow(non_upper_case_globals, reason = "named as all of mojika.h is")]
        #[unsafe(no_mangle)]
        pub static $name: &CEncoding = &ALL[$place];
    )*};
}

statics! {
    mojika_utf_8 0;
    mojika_ibm866 1;
    mojika_iso_8859_2 2;
    mojika_iso_8859_3 3;
    mojika_iso_8859_4 4;
    mojika_iso_8859_5 5;
    mojika_iso_8859_6 6;
    mojika_iso_8859_7 7;
    mojika_iso_8859_8 8;
    mojika_iso_8859_8_i 9;
    mojika_iso_8859_10 10;
    mojika_iso_8859_13 11;
    mojika_iso_8859_14 12;
    mojika_iso_8859_15 13;
    mojika_iso_8859_16 14;
    mojika_koi8_r 15;
    mojika_koi8_u 16;
    mojika_macintosh 17;
    mojika_windows_874 18;
    mojika_windows_1250 19;
    mojika_windows_1251 20;
    mojika_windows_1252 21;
    mojika_windows_1253 22;
    mojika_windows_1254 23;
    mojika_windows_1255 24;
    mojika_windows_1256 25;
    mojika_windows_1257 26;
    mojika_windows_1258 27;
    mojika_x_mac_cyrillic 28;
    mojika_gbk 29;
    mojika_gb18030 30;
    mojika_big5 31;
    mojika_euc_jp 32;
    mojika_iso_2022_jp 33;
    mojika_shift_jis 34;
    mojika_euc_kr 35;
    mojika_replacement 36;
    mojika_utf_16be 37;
    mojika_utf_16le 38;
    mojika_x_user_defined 39;
    mojika_utf_32be 40;
    mojika_utf_32le 41;
    mojika_iso_8859_1 44;
    mojika_iso_8859_9 45;
    mojika_iso_8859_11 46;
    mojika_us_ascii 47;
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
            assert!(core::ptr::eq(CEncoding::of(encoding), &ALL[place]));
            assert_eq!(ALL[place].place(), place);
        }
    }
}

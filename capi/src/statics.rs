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
pub(crate) const COUNT: usize = 86;

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

const fn ibm(number: u16) -> CEncoding {
    CEncoding(extended::ibm(number).expect("a page of IBM's"))
}

/// All encodings, in their order.
pub(crate) static ALL: [CEncoding; COUNT] = [
    CEncoding(mojika::UTF_8),
    CEncoding(mojika::IBM866),
    CEncoding(mojika::ISO_8859_2),
    CEncoding(mojika::ISO_8859_3),
    CEncoding(mojika::ISO_8859_4),
    CEncoding(mojika::ISO_8859_5),
    CEncoding(mojika::ISO_8859_6),
    CEncoding(mojika::ISO_8859_7),
    CEncoding(mojika::ISO_8859_8),
    CEncoding(mojika::ISO_8859_8_I),
    CEncoding(mojika::ISO_8859_10),
    CEncoding(mojika::ISO_8859_13),
    CEncoding(mojika::ISO_8859_14),
    CEncoding(mojika::ISO_8859_15),
    CEncoding(mojika::ISO_8859_16),
    CEncoding(mojika::KOI8_R),
    CEncoding(mojika::KOI8_U),
    CEncoding(mojika::MACINTOSH),
    CEncoding(mojika::WINDOWS_874),
    CEncoding(mojika::WINDOWS_1250),
    CEncoding(mojika::WINDOWS_1251),
    CEncoding(mojika::WINDOWS_1252),
    CEncoding(mojika::WINDOWS_1253),
    CEncoding(mojika::WINDOWS_1254),
    CEncoding(mojika::WINDOWS_1255),
    CEncoding(mojika::WINDOWS_1256),
    CEncoding(mojika::WINDOWS_1257),
    CEncoding(mojika::WINDOWS_1258),
    CEncoding(mojika::X_MAC_CYRILLIC),
    CEncoding(mojika::GBK),
    CEncoding(mojika::GB18030),
    CEncoding(mojika::BIG5),
    CEncoding(mojika::EUC_JP),
    CEncoding(mojika::ISO_2022_JP),
    CEncoding(mojika::SHIFT_JIS),
    CEncoding(mojika::EUC_KR),
    CEncoding(mojika::REPLACEMENT),
    CEncoding(mojika::UTF_16BE),
    CEncoding(mojika::UTF_16LE),
    CEncoding(mojika::X_USER_DEFINED),
    CEncoding(extended::UTF_32BE),
    CEncoding(extended::UTF_32LE),
    CEncoding(extended::UTF_32_2143),
    CEncoding(extended::UTF_32_3412),
    CEncoding(extended::ISO_8859_1),
    CEncoding(extended::ISO_8859_9),
    CEncoding(extended::ISO_8859_11),
    CEncoding(extended::US_ASCII),
    ibm(437),
    ibm(720),
    ibm(737),
    ibm(775),
    ibm(850),
    ibm(852),
    ibm(855),
    ibm(857),
    ibm(858),
    ibm(860),
    ibm(861),
    ibm(862),
    ibm(863),
    ibm(864),
    ibm(865),
    ibm(869),
    ibm(874),
    ibm(37),
    ibm(273),
    ibm(277),
    ibm(278),
    ibm(280),
    ibm(284),
    ibm(285),
    ibm(297),
    ibm(500),
    ibm(871),
    ibm(1047),
    ibm(1140),
    ibm(1141),
    ibm(1142),
    ibm(1143),
    ibm(1144),
    ibm(1145),
    ibm(1146),
    ibm(1147),
    ibm(1148),
    ibm(1149),
];

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

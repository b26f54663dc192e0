//! The 40 encodings, each as a static reference and as the static behind it.

use crate::Encoding;
use crate::encoding::Family::*;

/// Defines an encoding's two statics, and the list of all.
macro_rules! encodings {
    ($($ident:ident $init:ident $family:expr;)*) => {
        $(
            #[doc = concat!("What [`", stringify!($ident), "`] refers to, for the initialisers of other statics.")]
            pub static $init: Encoding = Encoding {
                engine: &mojika::$ident,
                family: $family,
            };

            #[doc = concat!("As [`mojika::", stringify!($ident), "`].")]
            pub static $ident: &'static Encoding = &$init;
        )*

        /// All encodings.
        static ALL: [&Encoding; 40] = [$(&$init),*];
    };
}

encodings! {
    UTF_8 UTF_8_INIT Utf8;
    IBM866 IBM866_INIT SingleByte;
    ISO_8859_2 ISO_8859_2_INIT SingleByte;
    ISO_8859_3 ISO_8859_3_INIT SingleByte;
    ISO_8859_4 ISO_8859_4_INIT SingleByte;
    ISO_8859_5 ISO_8859_5_INIT SingleByte;
    ISO_8859_6 ISO_8859_6_INIT SingleByte;
    ISO_8859_7 ISO_8859_7_INIT SingleByte;
    ISO_8859_8 ISO_8859_8_INIT SingleByte;
    ISO_8859_8_I ISO_8859_8_I_INIT SingleByte;
    ISO_8859_10 ISO_8859_10_INIT SingleByte;
    ISO_8859_13 ISO_8859_13_INIT SingleByte;
    ISO_8859_14 ISO_8859_14_INIT SingleByte;
    ISO_8859_15 ISO_8859_15_INIT SingleByte;
    ISO_8859_16 ISO_8859_16_INIT SingleByte;
    KOI8_R KOI8_R_INIT SingleByte;
    KOI8_U KOI8_U_INIT SingleByte;
    MACINTOSH MACINTOSH_INIT SingleByte;
    WINDOWS_874 WINDOWS_874_INIT SingleByte;
    WINDOWS_1250 WINDOWS_1250_INIT SingleByte;
    WINDOWS_1251 WINDOWS_1251_INIT SingleByte;
    WINDOWS_1252 WINDOWS_1252_INIT SingleByte;
    WINDOWS_1253 WINDOWS_1253_INIT SingleByte;
    WINDOWS_1254 WINDOWS_1254_INIT SingleByte;
    WINDOWS_1255 WINDOWS_1255_INIT SingleByte;
    WINDOWS_1256 WINDOWS_1256_INIT SingleByte;
    WINDOWS_1257 WINDOWS_1257_INIT SingleByte;
    WINDOWS_1258 WINDOWS_1258_INIT SingleByte;
    X_MAC_CYRILLIC X_MAC_CYRILLIC_INIT SingleByte;
    GBK GBK_INIT Gb18030 { is_gbk: true };
    GB18030 GB18030_INIT Gb18030 { is_gbk: false };
    BIG5 BIG5_INIT Big5;
    EUC_JP EUC_JP_INIT EucJp;
    ISO_2022_JP ISO_2022_JP_INIT Iso2022Jp;
    SHIFT_JIS SHIFT_JIS_INIT ShiftJis;
    EUC_KR EUC_KR_INIT EucKr;
    REPLACEMENT REPLACEMENT_INIT Replacement;
    UTF_16BE UTF_16BE_INIT Utf16;
    UTF_16LE UTF_16LE_INIT Utf16;
    X_USER_DEFINED X_USER_DEFINED_INIT XUserDefined;
}

/// The encoding that stands for one of the engine's.
pub(crate) fn of_engine(engine: &'static mojika::Encoding) -> &'static Encoding {
    ALL.into_iter()
        .find(|encoding| *encoding.engine == engine)
        // Every encoding of the engine is in the list, as the test says.
        .unwrap_or(UTF_8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_of_the_engine_has_its_own() {
        for &engine in mojika::Encoding::all() {
            assert_eq!(of_engine(engine).name(), engine.name());
        }
    }
}

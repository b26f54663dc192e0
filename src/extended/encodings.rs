//! The encodings of this module: statics, their names, and the Windows code page of each.

use crate::Encoding;
use crate::codec::{
    AnyDecoder, AnyEncoder, Scheme, big5_hkscs, cesu_8, euc_tw, gb18030_2005, gsm, iso_2022,
    iso_2022_cn, jis_x_0213, mixed, pure_pairs, shifted, table, two_bytes, utf_7, utf_32,
};
use crate::tables::extended as tables;

/// An encoding with its page number and aliases.
pub(super) struct Entry {
    pub(super) encoding: &'static Encoding,
    /// The Windows code page; 0 for none.
    pub(super) windows: u16,
    /// Aliases in lower case, without names that are a prefix and a number, such as "cp437".
    pub(super) aliases: &'static [&'static str],
}

impl Entry {
    /// Returns the name and the aliases.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        let aliases = self.aliases.iter().copied();
        core::iter::once(self.encoding.name).chain(aliases)
    }
}

/// Evaluates to the encodings that a byte order mark selects, or to `None` if they are not listed.
macro_rules! named_by_bom {
    () => {
        None
    };
    ($named:expr) => {
        Some($named)
    };
}

/// Defines a static for each encoding, and the list of entries. IBM's pages are private: programs request them by
/// number. 0 means that an encoding has no Windows code page.
macro_rules! encodings {
    ($($(#[$doc:meta])* $vis:vis $ident:ident $number:literal $name:literal $windows:literal $kind:expr $(=> $named:expr)?, [$($alias:literal)*];)*) => {
        $(
            $(#[$doc])*
            $vis static $ident: &Encoding = &Encoding {
                name: $name,
                number: $number,
                kind: $kind,
                decoder: AnyDecoder::new($kind),
                encoder: AnyEncoder::new($kind),
                named_by_bom: named_by_bom!($($named)?),
            };
        )*

        /// All entries, by number.
        pub(super) static ENTRIES: &[Entry] = &[$(Entry {
            encoding: $ident,
            windows: $windows,
            aliases: &[$($alias),*],
        }),*];
    };
}

encodings! {
    /// UTF-32BE: four bytes a character, the most significant first.
    pub UTF_32BE 40 "UTF-32BE" 12001 Scheme::Utf32(&utf_32::BIG_ENDIAN),
        ["csutf32be" "utf32be" "ucs-4be"];
    /// UTF-32LE: four bytes a character, the least significant first.
    pub UTF_32LE 41 "UTF-32LE" 12000 Scheme::Utf32(&utf_32::LITTLE_ENDIAN),
        ["csutf32le" "utf32le" "ucs-4le"];
    /// UTF-32 in the byte order 2143 of XML 1.0's appendix F, 1 being the most significant.
    pub UTF_32_2143 42 "UTF-32-2143" 0 Scheme::Utf32(&utf_32::ORDER_2143),
        ["ucs-4-2143"];
    /// UTF-32 in the byte order 3412 of XML 1.0's appendix F, 1 being the most significant.
    pub UTF_32_3412 43 "UTF-32-3412" 0 Scheme::Utf32(&utf_32::ORDER_3412),
        ["ucs-4-3412"];
    /// ISO-8859-1 itself: each byte is the code point of that number, as in isomorphic decoding and encoding.
    pub ISO_8859_1 44 "ISO-8859-1" 28591 Scheme::SingleByte(&tables::ISO_8859_1),
        ["iso_8859-1" "iso_8859-1:1987" "iso8859-1" "iso88591" "iso-ir-100" "latin1" "l1" "csisolatin1" "cp819" "ibm819"];
    /// ISO-8859-9 itself: bytes 0x80 to 0x9F are control characters, unlike in windows-1254.
    pub ISO_8859_9 45 "ISO-8859-9" 28599 Scheme::SingleByte(&tables::ISO_8859_9),
        ["iso_8859-9" "iso_8859-9:1989" "iso8859-9" "iso88599" "iso-ir-148" "latin5" "l5" "csisolatin5" "cp920" "ibm920"];
    /// ISO-8859-11 itself: bytes 0x80 to 0x9F are control characters, unlike in windows-874.
    pub ISO_8859_11 46 "ISO-8859-11" 28601 Scheme::SingleByte(&tables::ISO_8859_11),
        ["iso_8859-11" "iso_8859-11:2001" "iso8859-11" "iso885911"];
    /// US-ASCII: bytes from 0x80 on are malformed.
    pub US_ASCII 47 "US-ASCII" 20127 Scheme::SingleByte(&tables::US_ASCII),
        ["ascii" "ansi_x3.4-1968" "ansi_x3.4-1986" "iso-ir-6" "iso_646.irv:1991" "iso646-us" "us" "csascii" "cp367" "ibm367"];
    /// IBM437: United States (DOS).
    pub(super) IBM437 48 "IBM437" 437 Scheme::SingleByte(&tables::IBM437),
        ["cspc8codepage437"];
    /// IBM720: Arabic (DOS).
    pub(super) IBM720 49 "IBM720" 720 Scheme::SingleByte(&tables::IBM720),
        [];
    /// IBM737: Greek (DOS).
    pub(super) IBM737 50 "IBM737" 737 Scheme::SingleByte(&tables::IBM737),
        [];
    /// IBM775: Baltic (DOS).
    pub(super) IBM775 51 "IBM775" 775 Scheme::SingleByte(&tables::IBM775),
        ["cspc775baltic"];
    /// IBM850: Western European (DOS).
    pub(super) IBM850 52 "IBM850" 850 Scheme::SingleByte(&tables::IBM850),
        ["cspc850multilingual"];
    /// IBM852: Central European (DOS).
    pub(super) IBM852 53 "IBM852" 852 Scheme::SingleByte(&tables::IBM852),
        ["cspcp852"];
    /// IBM855: Cyrillic (DOS).
    pub(super) IBM855 54 "IBM855" 855 Scheme::SingleByte(&tables::IBM855),
        ["csibm855"];
    /// IBM857: Turkish (DOS).
    pub(super) IBM857 55 "IBM857" 857 Scheme::SingleByte(&tables::IBM857),
        ["csibm857"];
    /// IBM858: Western European with the euro sign (DOS).
    pub(super) IBM858 56 "IBM858" 858 Scheme::SingleByte(&tables::IBM858),
        ["ibm00858" "csibm00858" "pc-multilingual-850+euro"];
    /// IBM860: Portuguese (DOS).
    pub(super) IBM860 57 "IBM860" 860 Scheme::SingleByte(&tables::IBM860),
        ["csibm860"];
    /// IBM861: Icelandic (DOS).
    pub(super) IBM861 58 "IBM861" 861 Scheme::SingleByte(&tables::IBM861),
        ["cp-is" "csibm861"];
    /// IBM862: Hebrew (DOS).
    pub(super) IBM862 59 "IBM862" 862 Scheme::SingleByte(&tables::IBM862),
        ["cspc862latinhebrew"];
    /// IBM863: French (Canada) (DOS).
    pub(super) IBM863 60 "IBM863" 863 Scheme::SingleByte(&tables::IBM863),
        ["csibm863"];
    /// IBM864: Arabic, with presentation forms, as IBM defines it (DOS).
    pub(super) IBM864 61 "IBM864" 864 Scheme::SingleByte(&tables::IBM864),
        ["csibm864"];
    /// IBM865: Nordic (DOS).
    pub(super) IBM865 62 "IBM865" 865 Scheme::SingleByte(&tables::IBM865),
        ["csibm865"];
    /// IBM869: Greek (DOS).
    pub(super) IBM869 63 "IBM869" 869 Scheme::SingleByte(&tables::IBM869),
        ["cp-gr" "csibm869"];
    /// IBM874: Thai, as IBM defines it, which is not windows-874 (DOS).
    pub(super) IBM874 64 "IBM874" 0 Scheme::SingleByte(&tables::IBM874),
        [];
    /// IBM037: EBCDIC, United States, Canada, Brazil.
    pub(super) IBM037 65 "IBM037" 37 Scheme::Permuted(&tables::IBM037),
        ["ebcdic-cp-us" "ebcdic-cp-ca" "ebcdic-cp-wt" "ebcdic-cp-nl" "csibm037"];
    /// IBM273: EBCDIC, Germany, Austria.
    pub(super) IBM273 66 "IBM273" 20273 Scheme::Permuted(&tables::IBM273),
        ["ebcdic-cp-de" "ebcdic-cp-at" "csibm273"];
    /// IBM277: EBCDIC, Denmark, Norway.
    pub(super) IBM277 67 "IBM277" 20277 Scheme::Permuted(&tables::IBM277),
        ["ebcdic-cp-dk" "ebcdic-cp-no" "csibm277"];
    /// IBM278: EBCDIC, Finland, Sweden.
    pub(super) IBM278 68 "IBM278" 20278 Scheme::Permuted(&tables::IBM278),
        ["ebcdic-cp-fi" "ebcdic-cp-se" "csibm278"];
    /// IBM280: EBCDIC, Italy.
    pub(super) IBM280 69 "IBM280" 20280 Scheme::Permuted(&tables::IBM280),
        ["ebcdic-cp-it" "csibm280"];
    /// IBM284: EBCDIC, Spain, Latin America.
    pub(super) IBM284 70 "IBM284" 20284 Scheme::Permuted(&tables::IBM284),
        ["ebcdic-cp-es" "csibm284"];
    /// IBM285: EBCDIC, United Kingdom.
    pub(super) IBM285 71 "IBM285" 20285 Scheme::Permuted(&tables::IBM285),
        ["ebcdic-cp-gb" "csibm285"];
    /// IBM297: EBCDIC, France.
    pub(super) IBM297 72 "IBM297" 20297 Scheme::Permuted(&tables::IBM297),
        ["ebcdic-cp-fr" "csibm297"];
    /// IBM500: EBCDIC, international.
    pub(super) IBM500 73 "IBM500" 500 Scheme::Permuted(&tables::IBM500),
        ["ebcdic-cp-be" "ebcdic-cp-ch" "csibm500"];
    /// IBM871: EBCDIC, Iceland.
    pub(super) IBM871 74 "IBM871" 20871 Scheme::Permuted(&tables::IBM871),
        ["ebcdic-cp-is" "csibm871"];
    /// IBM1047: EBCDIC, open systems (z/OS UNIX).
    pub(super) IBM1047 75 "IBM1047" 1047 Scheme::Permuted(&tables::IBM1047),
        ["csibm1047"];
    /// IBM1140: EBCDIC, IBM037 with the euro sign.
    pub(super) IBM1140 76 "IBM1140" 1140 Scheme::Permuted(&tables::IBM1140),
        ["ebcdic-us-37+euro" "csibm01140"];
    /// IBM1141: EBCDIC, IBM273 with the euro sign.
    pub(super) IBM1141 77 "IBM1141" 1141 Scheme::Permuted(&tables::IBM1141),
        ["ebcdic-de-273+euro" "csibm01141"];
    /// IBM1142: EBCDIC, IBM277 with the euro sign.
    pub(super) IBM1142 78 "IBM1142" 1142 Scheme::Permuted(&tables::IBM1142),
        ["ebcdic-dk-277+euro" "ebcdic-no-277+euro" "csibm01142"];
    /// IBM1143: EBCDIC, IBM278 with the euro sign.
    pub(super) IBM1143 79 "IBM1143" 1143 Scheme::Permuted(&tables::IBM1143),
        ["ebcdic-fi-278+euro" "ebcdic-se-278+euro" "csibm01143"];
    /// IBM1144: EBCDIC, IBM280 with the euro sign.
    pub(super) IBM1144 80 "IBM1144" 1144 Scheme::Permuted(&tables::IBM1144),
        ["ebcdic-it-280+euro" "csibm01144"];
    /// IBM1145: EBCDIC, IBM284 with the euro sign.
    pub(super) IBM1145 81 "IBM1145" 1145 Scheme::Permuted(&tables::IBM1145),
        ["ebcdic-es-284+euro" "csibm01145"];
    /// IBM1146: EBCDIC, IBM285 with the euro sign.
    pub(super) IBM1146 82 "IBM1146" 1146 Scheme::Permuted(&tables::IBM1146),
        ["ebcdic-gb-285+euro" "csibm01146"];
    /// IBM1147: EBCDIC, IBM297 with the euro sign.
    pub(super) IBM1147 83 "IBM1147" 1147 Scheme::Permuted(&tables::IBM1147),
        ["ebcdic-fr-297+euro" "csibm01147"];
    /// IBM1148: EBCDIC, IBM500 with the euro sign.
    pub(super) IBM1148 84 "IBM1148" 1148 Scheme::Permuted(&tables::IBM1148),
        ["ebcdic-international-500+euro" "csibm01148"];
    /// IBM1149: EBCDIC, IBM871 with the euro sign.
    pub(super) IBM1149 85 "IBM1149" 1149 Scheme::Permuted(&tables::IBM1149),
        ["ebcdic-is-871+euro" "csibm01149"];
    /// UTF-32 in the byte order of its signature, `00 00 FE FF` or `FF FE 00 00`; big-endian without one. Encoders write
    /// big-endian, without a signature.
    pub UTF_32 86 "UTF-32" 0 Scheme::Utf32(&utf_32::BIG_ENDIAN) => [UTF_32BE, UTF_32LE],
        ["csutf32" "ucs-4" "csucs4" "iso-10646-ucs-4"];
    /// IBM290: EBCDIC, Japan: half-width katakana.
    pub(super) IBM290 87 "IBM290" 20290 Scheme::Permuted(&tables::IBM290),
        ["ebcdic-jp-kana" "csibm290"];
    /// IBM424: EBCDIC, Hebrew.
    pub(super) IBM424 88 "IBM424" 20424 Scheme::Permuted(&tables::IBM424),
        ["ebcdic-cp-he" "csibm424"];
    /// IBM870: EBCDIC, Central European.
    pub(super) IBM870 89 "IBM870" 870 Scheme::Permuted(&tables::IBM870),
        ["ebcdic-cp-roece" "ebcdic-cp-yu" "csibm870"];
    /// IBM875: EBCDIC, Greek.
    pub(super) IBM875 90 "IBM875" 875 Scheme::Permuted(&tables::IBM875),
        ["ebcdic-greek"];
    /// IBM918: EBCDIC, Urdu.
    pub(super) IBM918 91 "IBM918" 0 Scheme::Permuted(&tables::IBM918),
        ["ebcdic-cp-ar2" "csibm918"];
    /// IBM1025: EBCDIC, Cyrillic.
    pub(super) IBM1025 92 "IBM1025" 21025 Scheme::Permuted(&tables::IBM1025),
        ["csibm1025"];
    /// IBM1026: EBCDIC, Turkish.
    pub(super) IBM1026 93 "IBM1026" 1026 Scheme::Permuted(&tables::IBM1026),
        ["csibm1026"];
    /// IBM1112: EBCDIC, Baltic.
    pub(super) IBM1112 94 "IBM1112" 0 Scheme::Permuted(&tables::IBM1112),
        ["csibm1112"];
    /// IBM1122: EBCDIC, Estonian.
    pub(super) IBM1122 95 "IBM1122" 0 Scheme::Permuted(&tables::IBM1122),
        ["csibm1122"];
    /// IBM1123: EBCDIC, Ukrainian.
    pub(super) IBM1123 96 "IBM1123" 0 Scheme::Permuted(&tables::IBM1123),
        ["csibm1123"];
    /// IBM1153: EBCDIC, IBM870 with the euro sign.
    pub(super) IBM1153 97 "IBM1153" 0 Scheme::Permuted(&tables::IBM1153),
        ["csibm1153"];
    /// IBM1154: EBCDIC, IBM1025 with the euro sign.
    pub(super) IBM1154 98 "IBM1154" 0 Scheme::Permuted(&tables::IBM1154),
        ["csibm1154"];
    /// IBM1155: EBCDIC, IBM1026 with the euro sign.
    pub(super) IBM1155 99 "IBM1155" 0 Scheme::Permuted(&tables::IBM1155),
        ["csibm1155"];
    /// IBM1156: EBCDIC, IBM1112 with the euro sign.
    pub(super) IBM1156 100 "IBM1156" 0 Scheme::Permuted(&tables::IBM1156),
        ["csibm1156"];
    /// IBM1157: EBCDIC, IBM1122 with the euro sign.
    pub(super) IBM1157 101 "IBM1157" 0 Scheme::Permuted(&tables::IBM1157),
        ["csibm1157"];
    /// IBM1158: EBCDIC, IBM1123 with the euro sign.
    pub(super) IBM1158 102 "IBM1158" 0 Scheme::Permuted(&tables::IBM1158),
        ["csibm1158"];
    /// IBM1160: EBCDIC, Thai with the euro sign.
    pub(super) IBM1160 103 "IBM1160" 0 Scheme::Permuted(&tables::IBM1160),
        ["csibm1160"];
    /// IBM1164: EBCDIC, Vietnamese with the dong sign.
    pub(super) IBM1164 104 "IBM1164" 0 Scheme::Permuted(&tables::IBM1164),
        ["csibm1164"];
    /// IBM856: Hebrew (DOS).
    pub(super) IBM856 105 "IBM856" 0 Scheme::SingleByte(&tables::IBM856),
        ["csibm856"];
    /// IBM1006: Urdu (AIX), with presentation forms.
    pub(super) IBM1006 106 "IBM1006" 0 Scheme::SingleByte(&tables::IBM1006),
        [];
    /// IBM1124: Ukrainian (AIX).
    pub(super) IBM1124 107 "IBM1124" 0 Scheme::SingleByte(&tables::IBM1124),
        ["csibm1124"];
    /// IBM1125: Ukrainian (DOS).
    pub(super) IBM1125 108 "IBM1125" 0 Scheme::SingleByte(&tables::IBM1125),
        ["cp866u" "ruscii"];
    /// IBM1129: Vietnamese (AIX).
    pub(super) IBM1129 109 "IBM1129" 0 Scheme::SingleByte(&tables::IBM1129),
        ["csibm1129"];
    /// MacCentralEurope: Central European (Mac OS).
    pub(super) MACCENTRALEUROPE 110 "MacCentralEurope" 10029 Scheme::SingleByte(&tables::MACCENTRALEUROPE),
        ["x-mac-ce" "x-mac-centraleurroman" "mac-centraleurope" "maclatin2"];
    /// MacGreek: Greek (Mac OS).
    pub(super) MACGREEK 111 "MacGreek" 10006 Scheme::SingleByte(&tables::MACGREEK),
        ["x-mac-greek"];
    /// MacTurkish: Turkish (Mac OS).
    pub(super) MACTURKISH 112 "MacTurkish" 10081 Scheme::SingleByte(&tables::MACTURKISH),
        ["x-mac-turkish"];
    /// MacRomania: Romanian (Mac OS).
    pub(super) MACROMANIA 113 "MacRomania" 10010 Scheme::SingleByte(&tables::MACROMANIA),
        ["x-mac-romanian" "macromanian"];
    /// MacIceland: Icelandic (Mac OS).
    pub(super) MACICELAND 114 "MacIceland" 10079 Scheme::SingleByte(&tables::MACICELAND),
        ["x-mac-icelandic" "macicelandic" "mac-is"];
    /// MacCroatian: Croatian (Mac OS).
    pub(super) MACCROATIAN 115 "MacCroatian" 10082 Scheme::SingleByte(&tables::MACCROATIAN),
        ["x-mac-croatian"];
    /// KZ-1048: Kazakh (STRK1048-2002).
    pub(super) KZ_1048 116 "KZ-1048" 0 Scheme::SingleByte(&tables::KZ_1048),
        ["rk1048" "strk1048-2002" "cskz1048"];
    /// PTCP154: Cyrillic of Asia (ParaType).
    pub(super) PTCP154 117 "PTCP154" 0 Scheme::SingleByte(&tables::PTCP154),
        ["csptcp154" "pt154" "cp154" "cyrillic-asian"];
    /// KOI8-T: Tajik.
    pub(super) KOI8_T 118 "KOI8-T" 0 Scheme::SingleByte(&tables::KOI8_T),
        [];
    /// IBM930: EBCDIC with double bytes, Japan, half-width katakana.
    pub(super) IBM930 119 "IBM930" 50930 Scheme::unless_small(&mixed::IBM930),
        ["csibm930"];
    /// IBM933: EBCDIC with double bytes, Korea.
    pub(super) IBM933 120 "IBM933" 50933 Scheme::unless_small(&mixed::IBM933),
        ["csibm933"];
    /// IBM935: EBCDIC with double bytes, Simplified Chinese.
    pub(super) IBM935 121 "IBM935" 50935 Scheme::unless_small(&mixed::IBM935),
        ["csibm935"];
    /// IBM937: EBCDIC with double bytes, Traditional Chinese.
    pub(super) IBM937 122 "IBM937" 50937 Scheme::unless_small(&mixed::IBM937),
        ["csibm937"];
    /// IBM939: EBCDIC with double bytes, Japan, Latin.
    pub(super) IBM939 123 "IBM939" 50939 Scheme::unless_small(&mixed::IBM939),
        ["csibm939"];
    /// IBM1364: EBCDIC with double bytes, Korea, all Hangul syllables.
    pub(super) IBM1364 124 "IBM1364" 0 Scheme::unless_small(&mixed::IBM1364),
        ["csibm1364"];
    /// IBM1371: EBCDIC with double bytes, Traditional Chinese with the euro sign.
    pub(super) IBM1371 125 "IBM1371" 0 Scheme::unless_small(&mixed::IBM1371),
        ["csibm1371"];
    /// IBM1388: EBCDIC with double bytes, Simplified Chinese, with the characters of GB 18030-2000.
    pub(super) IBM1388 126 "IBM1388" 0 Scheme::unless_small(&mixed::IBM1388),
        ["csibm1388"];
    /// IBM1390: EBCDIC with double bytes, Japan, half-width katakana, with the characters of JIS X 0213.
    pub(super) IBM1390 127 "IBM1390" 0 Scheme::unless_small(&mixed::IBM1390),
        ["csibm1390"];
    /// IBM1399: EBCDIC with double bytes, Japan, Latin, with the characters of JIS X 0213.
    pub(super) IBM1399 128 "IBM1399" 0 Scheme::unless_small(&mixed::IBM1399),
        ["csibm1399"];
    /// HZ: GB 2312 in seven bits (RFC 1843).
    pub(super) HZ 129 "HZ" 52936 Scheme::unless_small(&shifted::HZ),
        ["hz-gb-2312"];
    /// ISO-2022-KR: KS X 1001 in seven bits (RFC 1557).
    pub(super) ISO_2022_KR 130 "ISO-2022-KR" 50225 Scheme::unless_small(&shifted::ISO_2022_KR),
        ["csiso2022kr"];
    /// CESU-8: UTF-8 with surrogates in three bytes each (Unicode Technical Report 26).
    pub(super) CESU_8 131 "CESU-8" 0 Scheme::Linked(&cesu_8::CESU_8),
        ["cscesu-8"];
    /// Modified UTF-8 of Java: CESU-8 with two bytes for U+0000.
    pub(super) MUTF_8 132 "MUTF-8" 0 Scheme::Linked(&cesu_8::MUTF_8),
        ["modified-utf-8"];
    /// UTF-7: UTF-16 in Base64 between ASCII (RFC 2152).
    pub(super) UTF_7 133 "UTF-7" 65000 Scheme::unless_small(&utf_7::UTF_7),
        ["csutf7" "unicode-1-1-utf-7" "csunicode11utf7" "unicode-2-0-utf-7"];
    /// UTF-7 in its form for IMAP mailbox names (RFC 3501).
    pub(super) UTF_7_IMAP 134 "UTF-7-IMAP" 0 Scheme::unless_small(&utf_7::UTF_7_IMAP),
        ["csutf7imap" "imap-mailbox-name"];
    /// Johab: KS X 1001 annex 3, all Hangul syllables by their parts.
    pub(super) JOHAB 135 "Johab" 1361 Scheme::unless_small(&two_bytes::JOHAB),
        ["ms1361" "ksc5601_1992"];
    /// GB 2312 itself, in EUC: fewer characters than GBK.
    pub(super) GB_2312 136 "GB2312" 20936 Scheme::unless_small(&two_bytes::GB_2312),
        ["gb_2312" "csgb2312"];
    /// ISO-2022-JP-1: ISO-2022-JP with JIS X 0212 (RFC 2237).
    pub(super) ISO_2022_JP_1 137 "ISO-2022-JP-1" 0 Scheme::unless_small(&iso_2022::ISO_2022_JP_1),
        [];
    /// ISO-2022-JP-2: ISO-2022-JP-1 with GB 2312, KS X 1001 and the upper halves of ISO-8859-1 and -7 (RFC 1554).
    pub(super) ISO_2022_JP_2 138 "ISO-2022-JP-2" 0 Scheme::unless_small(&iso_2022::ISO_2022_JP_2),
        ["csiso2022jp2"];
    /// ISO-2022-JP-3: ISO-2022-JP with JIS X 0213 of 2000.
    pub(super) ISO_2022_JP_3 139 "ISO-2022-JP-3" 0 Scheme::unless_small(&iso_2022::ISO_2022_JP_3),
        [];
    /// ISO-2022-JP-2004: ISO-2022-JP with JIS X 0213 of 2004.
    pub(super) ISO_2022_JP_2004 140 "ISO-2022-JP-2004" 0 Scheme::unless_small(&iso_2022::ISO_2022_JP_2004),
        [];
    /// EUC-JIS-2004: EUC-JP with JIS X 0213 of 2004.
    pub(super) EUC_JIS_2004 141 "EUC-JIS-2004" 0 Scheme::unless_small(&jis_x_0213::EUC_JIS_2004),
        ["euc-jisx0213"];
    /// Shift_JIS-2004: Shift_JIS with JIS X 0213 of 2004.
    pub(super) SHIFT_JIS_2004 142 "Shift_JIS-2004" 0 Scheme::unless_small(&jis_x_0213::SHIFT_JIS_2004),
        ["shift_jisx0213" "sjis-2004" "sjisx0213"];
    /// HP-Roman8: Western European (HP-UX).
    pub(super) HP_ROMAN8 143 "HP-Roman8" 0 Scheme::SingleByte(&tables::HP_ROMAN8),
        ["roman8" "r8" "cshproman8"];
    /// IBM901: Baltic (AIX), with the euro sign.
    pub(super) IBM901 144 "IBM901" 0 Scheme::SingleByte(&tables::IBM901),
        ["csibm901"];
    /// IBM902: Estonian (AIX), with the euro sign.
    pub(super) IBM902 145 "IBM902" 0 Scheme::SingleByte(&tables::IBM902),
        ["csibm902"];
    /// IBM922: Estonian (AIX).
    pub(super) IBM922 146 "IBM922" 0 Scheme::SingleByte(&tables::IBM922),
        ["csibm922"];
    /// IBM1133: Lao (AIX).
    pub(super) IBM1133 147 "IBM1133" 0 Scheme::Linked(&table::IBM1133),
        ["csibm1133" "ibm-cp1133"];
    /// IBM4909: Greek (AIX), with the euro sign.
    pub(super) IBM4909 148 "IBM4909" 0 Scheme::SingleByte(&tables::IBM4909),
        ["csibm4909"];
    /// IBM1130: EBCDIC, Vietnamese.
    pub(super) IBM1130 149 "IBM1130" 0 Scheme::Permuted(&tables::IBM1130),
        ["csibm1130"];
    /// IBM1132: EBCDIC, Lao.
    pub(super) IBM1132 150 "IBM1132" 0 Scheme::Permuted(&tables::IBM1132),
        ["csibm1132"];
    /// IBM1137: EBCDIC, Devanagari.
    pub(super) IBM1137 151 "IBM1137" 0 Scheme::Permuted(&tables::IBM1137),
        ["csibm1137"];
    /// IBM4971: EBCDIC, Greek with the euro sign.
    pub(super) IBM4971 152 "IBM4971" 0 Scheme::Permuted(&tables::IBM4971),
        ["csibm4971"];
    /// IBM9030: EBCDIC, Thai; IBM838 with later additions.
    pub(super) IBM9030 153 "IBM9030" 20838 Scheme::Permuted(&tables::IBM9030),
        ["ibm838" "ibm-thai" "csibmthai" "csibm9030"];
    /// IBM12712: EBCDIC, Hebrew with the euro sign.
    pub(super) IBM12712 154 "IBM12712" 0 Scheme::Permuted(&tables::IBM12712),
        ["csibm12712"];
    /// VISCII: Vietnamese (RFC 1456), with letters in the place of six controls.
    pub(super) VISCII 155 "VISCII" 0 Scheme::Linked(&table::VISCII),
        ["csviscii" "viscii1.1-1"];
    /// IBM420: EBCDIC, Arabic, without eight characters of ASCII.
    pub(super) IBM420 156 "IBM420" 20420 Scheme::Linked(&table::IBM420),
        ["ebcdic-cp-ar1" "csibm420"];
    /// IBM1097: EBCDIC, Farsi, without the circumflex.
    pub(super) IBM1097 157 "IBM1097" 0 Scheme::Linked(&table::IBM1097),
        ["csibm1097"];
    /// IBM16804: EBCDIC, Arabic with the euro sign.
    pub(super) IBM16804 158 "IBM16804" 0 Scheme::Linked(&table::IBM16804),
        ["csibm16804"];
    /// GB18030-2005: gb18030 with 18 characters as they were before the edition of 2022.
    pub(super) GB18030_2005 159 "GB18030-2005" 0 Scheme::unless_small(&gb18030_2005::GB_18030_2005),
        ["gb18030:2005" "gb18030_2005"];
    /// Big5-HKSCS: Big5 with the Hong Kong supplement of 2008, in both directions.
    pub(super) BIG5_HKSCS 160 "Big5-HKSCS" 0 Scheme::unless_small(&big5_hkscs::BIG5_HKSCS),
        ["big5hkscs" "big5-hkscs:2008" "big5-hkscs:2004" "hkscs-big5"];
    /// GSM-03.38: the default alphabet of short messages, a septet in each byte.
    pub(super) GSM_03_38 161 "GSM-03.38" 0 Scheme::Linked(&gsm::GSM_03_38),
        ["gsm-03.38-2009" "gsm03.38" "gsm0338"];
    /// ISO-2022-CN: GB 2312 and planes 1 and 2 of CNS 11643 in seven bits (RFC 1922).
    pub(super) ISO_2022_CN 162 "ISO-2022-CN" 50227 Scheme::unless_small(&iso_2022_cn::ISO_2022_CN),
        ["csiso2022cn"];
    /// EUC-TW: planes 1 and 2 of CNS 11643.
    pub(super) EUC_TW 163 "EUC-TW" 51950 Scheme::unless_small(&euc_tw::EUC_TW),
        ["euctw" "cseuctw"];
    /// IBM300: EBCDIC, Japan, the double bytes of IBM930 and IBM939 alone.
    pub(super) IBM300 164 "IBM300" 0 Scheme::unless_small(&pure_pairs::IBM300),
        [];
    /// IBM834: EBCDIC, Korea, the double bytes of IBM933 alone.
    pub(super) IBM834 165 "IBM834" 0 Scheme::unless_small(&pure_pairs::IBM834),
        [];
    /// IBM835: EBCDIC, Traditional Chinese, the double bytes of IBM937 alone.
    pub(super) IBM835 166 "IBM835" 0 Scheme::unless_small(&pure_pairs::IBM835),
        [];
    /// IBM837: EBCDIC, Simplified Chinese, the double bytes of IBM935 alone.
    pub(super) IBM837 167 "IBM837" 0 Scheme::unless_small(&pure_pairs::IBM837),
        [];
    /// IBM833: EBCDIC, Korea, the single bytes of IBM933 alone.
    pub(super) IBM833 168 "IBM833" 20833 Scheme::Permuted(&tables::IBM833),
        [];
    /// IBM836: EBCDIC, Simplified Chinese, the single bytes of IBM935 alone.
    pub(super) IBM836 169 "IBM836" 0 Scheme::Permuted(&tables::IBM836),
        [];
    /// IBM1027: EBCDIC, Japan, Latin, the single bytes of IBM939 alone.
    pub(super) IBM1027 170 "IBM1027" 0 Scheme::Permuted(&tables::IBM1027),
        [];
    /// ARMSCII-8: Armenian.
    pub(super) ARMSCII_8 171 "ARMSCII-8" 0 Scheme::Linked(&table::ARMSCII_8),
        ["armscii8"];
    /// Georgian-Academy: Georgian, after the Academy of Sciences.
    pub(super) GEORGIAN_ACADEMY 172 "Georgian-Academy" 0 Scheme::SingleByte(&tables::GEORGIAN_ACADEMY),
        [];
    /// Georgian-PS: windows-1252 with Georgian in the place of some Latin letters.
    pub(super) GEORGIAN_PS 173 "Georgian-PS" 0 Scheme::SingleByte(&tables::GEORGIAN_PS),
        [];
    /// IBM1046: Arabic (AIX).
    pub(super) IBM1046 174 "IBM1046" 0 Scheme::Linked(&table::IBM1046),
        [];
    /// KOI8-RU: Russian, Ukrainian and Belarusian; KOI8-U with other signs in the place of the mathematical ones.
    pub(super) KOI8_RU 175 "KOI8-RU" 0 Scheme::SingleByte(&tables::KOI8_RU),
        ["ibm1167" "csibm1167"];
    /// TCVN 5712-1: Vietnamese, with letters in the place of twelve controls, and with combining tone marks.
    pub(super) TCVN5712_1 176 "TCVN5712-1" 0 Scheme::Linked(&table::TCVN5712_1),
        ["tcvn" "tcvn-5712" "tcvn5712-1:1993" "tcvn3"];
    /// IBM880: EBCDIC, Cyrillic; the predecessor of IBM1025.
    pub(super) IBM880 177 "IBM880" 20880 Scheme::Permuted(&tables::IBM880),
        ["ebcdic-cyrillic" "csibm880"];
    /// IBM905: EBCDIC, Turkish and Maltese (Latin 3).
    pub(super) IBM905 178 "IBM905" 20905 Scheme::Permuted(&tables::IBM905),
        ["ebcdic-cp-tr" "csibm905"];
    /// IBM924: EBCDIC, Latin 9, with the euro sign.
    pub(super) IBM924 179 "IBM924" 20924 Scheme::Permuted(&tables::IBM924),
        ["ebcdic-latin9--euro" "csibm00924"];
    /// Mac OS, Thai.
    pub(super) MAC_THAI 180 "MacThai" 10021 Scheme::SingleByte(&tables::MACTHAI),
        ["x-mac-thai"];
    /// Mac OS, Hebrew.
    pub(super) MAC_HEBREW 181 "MacHebrew" 10005 Scheme::Linked(&table::MACHEBREW),
        ["x-mac-hebrew"];
    /// Mac OS, Arabic.
    pub(super) MAC_ARABIC 182 "MacArabic" 10004 Scheme::Linked(&table::MACARABIC),
        ["x-mac-arabic"];
    /// WTF-8: UTF-8 in which a lone surrogate has three bytes, which are one malformed sequence here.
    pub(super) WTF_8 183 "WTF-8" 0 Scheme::Linked(&cesu_8::WTF_8),
        [];
}

//! The encodings of iconv that are converted here, by the names that iconv has for them.

use super::convert::Step;
use super::differences as d;
use super::filter::{Filter, Structure};
use super::pairs::{Pairs, decode_utf_32};
use super::set::Set;
use core::ffi::CStr;
use core::mem::MaybeUninit;
use mojika::{BomHandling, Decoder, Encoding, extended};
use std::sync::OnceLock;

/// An encoding as iconv has it.
pub(super) struct Page {
    /// The name to open the C library's converter with, which reads and writes no byte order mark.
    pub native: &'static CStr,
    pub encoding: &'static Encoding,
    /// Finds the sequences that the C library treats differently.
    pub filter: Option<&'static Filter>,
    /// The space below which the C library reports E2BIG, not EINVAL, where the input ends within a character. 0 unless its
    /// converter is a single step, which asks for a code unit and for space before it looks at the input.
    pub least_space: usize,
    /// Single bytes to UTF-8, made at the first short call.
    short: OnceLock<Option<Box<Short>>>,
    /// Pairs to UTF-8; `None` in encodings without pairs.
    pairs: Option<&'static Pairs>,
}

/// The UTF-8 of each byte, the first byte lowest, and its length in the highest byte; 0 for bytes that are not converted here.
pub(super) type Short = [u32; 256];

impl Page {
    /// Whether an incomplete sequence is incomplete for the C library as well, whatever follows.
    pub(super) fn is_unicode(&self) -> bool {
        self.encoding.bom().is_some()
    }

    /// The table for short input; `None` unless each byte is a character.
    pub(super) fn short(&self) -> Option<&Short> {
        self.short.get_or_init(|| self.make_short()).as_deref()
    }

    /// A step of short input without a decoder: by the table of pairs, if there is one, and of UTF-32.
    pub(super) fn step(&self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<Step> {
        match self.pairs {
            Some(pairs) => pairs.decode(self.encoding, self.filter, src, dst),
            None => decode_utf_32(self.encoding, src, dst),
        }
    }

    fn make_short(&self) -> Option<Box<Short>> {
        if !self.encoding.is_single_byte() {
            return None;
        }
        let bytes: [u8; 256] = core::array::from_fn(|byte| byte as u8);
        let mut units = [0_u16; 256];
        Decoder::new(self.encoding, BomHandling::Keep).decode(&bytes, &mut units, true);
        let mut table = Box::new([0; 256]);
        for ((entry, &byte), &unit) in table.iter_mut().zip(&bytes).zip(&units) {
            let is_alike = self.filter.is_none_or(|filter| filter.input(&[byte]) == 1);
            if let Some(scalar) =
                char::from_u32(unit.into()).filter(|&c| is_alike && c != '\u{FFFD}')
            {
                let mut utf8 = [0; 4];
                let length = scalar.encode_utf8(&mut utf8).len() as u8;
                utf8[3] = length;
                *entry = u32::from_le_bytes(utf8);
            }
        }
        Some(table)
    }
}

/// What a name stands for.
#[derive(Clone, Copy)]
pub(super) enum Named {
    Page(&'static Page),
    /// UTF-16 and UTF-32 with a byte order mark: the pages of little and of big endian.
    Marked(&'static [Page; 2]),
}

const fn page(
    native: &'static CStr,
    encoding: &'static Encoding,
    filter: Option<&'static Filter>,
) -> Page {
    page_of_pairs(native, encoding, filter, None)
}

const fn page_of_pairs(
    native: &'static CStr,
    encoding: &'static Encoding,
    filter: Option<&'static Filter>,
    pairs: Option<&'static Pairs>,
) -> Page {
    Page {
        native,
        encoding,
        filter,
        least_space: 0,
        short: OnceLock::new(),
        pairs,
    }
}

/// Defines pages of single bytes with differences.
macro_rules! single_bytes {
    ($($page:ident $native:literal $encoding:expr;)*) => {$(
        static $page: Page = {
            static FILTER: Filter = Filter::new(Structure::Bytes, &d::$page, None, None);
            page($native, $encoding, Some(&FILTER))
        };
    )*};
}

/// Defines pages of pairs with differences.
macro_rules! double_bytes {
    ($($page:ident $native:literal $encoding:expr, $structure:ident;)*) => {$(
        static $page: Page = {
            static DECODED: Set = Set::EMPTY.with(d::$page.pairs);
            static ENCODED: Set = Set::EMPTY.with(d::$page.pairs).with(d::$page.encoded);
            static FILTER: Filter = Filter::new(
                Structure::$structure,
                &d::$page,
                Some(&DECODED),
                if d::$page.encoded.is_empty() { None } else { Some(&ENCODED) },
            );
            static PAIRS: Pairs = Pairs::new();
            page_of_pairs($native, $encoding, Some(&FILTER), Some(&PAIRS))
        };
    )*};
}

/// Defines pages without differences.
macro_rules! plain {
    ($($page:ident $native:literal $encoding:expr;)*) => {$(
        static $page: Page = page($native, $encoding, None);
    )*};
}

const fn ibm(number: u16) -> &'static Encoding {
    extended::ibm(number).expect("a page of IBM's")
}

pub(super) static UTF_8: Page = page(c"UTF-8", mojika::UTF_8, None);
pub(super) static UTF_16: [Page; 2] = [
    page(c"UTF-16LE", mojika::UTF_16LE, None),
    page(c"UTF-16BE", mojika::UTF_16BE, None),
];
pub(super) static UTF_32: [Page; 2] = [
    page(c"UTF-32LE", extended::UTF_32LE, None),
    page(c"UTF-32BE", extended::UTF_32BE, None),
];
/// The C library's converters refuse surrogates and values above U+10FFFF as well, but report some of them differently.
static UCS_4: [Page; 2] = [
    page(c"UCS-4LE", extended::UTF_32LE, None),
    page(c"UCS-4BE", extended::UTF_32BE, None),
];
static WCHAR: Page = {
    let encoding = if cfg!(target_endian = "little") {
        extended::UTF_32LE
    } else {
        extended::UTF_32BE
    };
    let mut page = page(c"WCHAR_T", encoding, None);
    page.least_space = 4;
    page
};

/// Whether the engine and the C library convert from one to the other alike.
///
/// They do not in three cases. glibc converts between `wchar_t` and another encoding in a single step, which writes a byte
/// order mark before it knows whether a character follows. Its UCS-4 passes values above U+10FFFF from one step to the
/// next. It refuses some pairs of the two.
pub(super) fn is_alike(from: Named, to: Named) -> bool {
    let is_one_of = |named: Named, pages: &[&Page]| match named {
        Named::Page(page) => pages.iter().any(|&known| core::ptr::eq(known, page)),
        Named::Marked(_) => false,
    };
    let is_utf_8 = |named| is_one_of(named, &[&UTF_8]);
    let is_ucs_4 = |named| is_one_of(named, &[&UCS_4[0], &UCS_4[1]]);
    let is_wide = |named| is_one_of(named, &[&WCHAR]);
    if is_ucs_4(from) || is_ucs_4(to) {
        return is_utf_8(from) || is_utf_8(to);
    }
    !is_wide(from) || !(is_wide(to) || matches!(to, Named::Marked(_)))
}

plain! {
    US_ASCII c"ANSI_X3.4-1968" extended::US_ASCII;
    ISO_8859_1 c"ISO-8859-1" extended::ISO_8859_1;
    ISO_8859_2 c"ISO-8859-2" mojika::ISO_8859_2;
    ISO_8859_3 c"ISO-8859-3" mojika::ISO_8859_3;
    ISO_8859_4 c"ISO-8859-4" mojika::ISO_8859_4;
    ISO_8859_5 c"ISO-8859-5" mojika::ISO_8859_5;
    ISO_8859_6 c"ISO-8859-6" mojika::ISO_8859_6;
    ISO_8859_7 c"ISO-8859-7" mojika::ISO_8859_7;
    ISO_8859_8 c"ISO-8859-8" mojika::ISO_8859_8;
    ISO_8859_9 c"ISO-8859-9" extended::ISO_8859_9;
    ISO_8859_10 c"ISO-8859-10" mojika::ISO_8859_10;
    ISO_8859_11 c"ISO-8859-11" extended::ISO_8859_11;
    ISO_8859_13 c"ISO-8859-13" mojika::ISO_8859_13;
    ISO_8859_14 c"ISO-8859-14" mojika::ISO_8859_14;
    ISO_8859_15 c"ISO-8859-15" mojika::ISO_8859_15;
    ISO_8859_16 c"ISO-8859-16" mojika::ISO_8859_16;
    KOI8_R c"KOI8-R" mojika::KOI8_R;
    CP1256 c"CP1256" mojika::WINDOWS_1256;
    IBM866 c"IBM866" mojika::IBM866;
    IBM437 c"IBM437" ibm(437);
    IBM850 c"IBM850" ibm(850);
    IBM852 c"IBM852" ibm(852);
    IBM855 c"IBM855" ibm(855);
    IBM857 c"IBM857" ibm(857);
    IBM860 c"IBM860" ibm(860);
    IBM861 c"IBM861" ibm(861);
    IBM862 c"IBM862" ibm(862);
    IBM863 c"IBM863" ibm(863);
    IBM865 c"IBM865" ibm(865);
    IBM037 c"IBM037" ibm(37);
    IBM500 c"IBM500" ibm(500);
    IBM1047 c"IBM1047" ibm(1047);
    CP949 c"UHC" mojika::EUC_KR;
}

single_bytes! {
    CP1250 c"CP1250" mojika::WINDOWS_1250;
    CP1251 c"CP1251" mojika::WINDOWS_1251;
    CP1252 c"CP1252" mojika::WINDOWS_1252;
    CP1253 c"CP1253" mojika::WINDOWS_1253;
    CP1254 c"CP1254" mojika::WINDOWS_1254;
    CP1257 c"CP1257" mojika::WINDOWS_1257;
    CP874 c"CP874" mojika::WINDOWS_874;
    TIS_620 c"TIS-620" mojika::WINDOWS_874;
    KOI8_U c"KOI8-U" mojika::KOI8_U;
    MACINTOSH c"MACINTOSH" mojika::MACINTOSH;
    MAC_CYRILLIC c"MAC-CYRILLIC" mojika::X_MAC_CYRILLIC;
    IBM864 c"IBM864" ibm(864);
}

double_bytes! {
    SJIS c"SJIS" mojika::SHIFT_JIS, ShiftJis;
    CP932 c"CP932" mojika::SHIFT_JIS, ShiftJis;
    EUC_JP c"EUC-JP" mojika::EUC_JP, EucJp;
    EUC_KR c"EUC-KR" mojika::EUC_KR, Pairs;
    GBK c"GBK" mojika::GBK, Gbk;
    GB2312 c"EUC-CN" mojika::GBK, Gbk;
    BIG5 c"BIG5" mojika::BIG5, Pairs;
    GB18030 c"GB18030" mojika::GB18030, Gb18030;
}

/// Names of glibc in upper case, with what they stand for, in the order of their bytes.
static NAMES: &[(&str, Named)] = &[
    ("437", Named::Page(&IBM437)),
    ("866", Named::Page(&IBM866)),
    ("8859_1", Named::Page(&ISO_8859_1)),
    ("ANSI_X3.4-1968", Named::Page(&US_ASCII)),
    ("ANSI_X3.4-1986", Named::Page(&US_ASCII)),
    ("ASCII", Named::Page(&US_ASCII)),
    ("BIG-5", Named::Page(&BIG5)),
    ("BIG5", Named::Page(&BIG5)),
    ("CN-BIG5", Named::Page(&BIG5)),
    ("CN-GB", Named::Page(&GB2312)),
    ("CP1250", Named::Page(&CP1250)),
    ("CP1251", Named::Page(&CP1251)),
    ("CP1252", Named::Page(&CP1252)),
    ("CP1253", Named::Page(&CP1253)),
    ("CP1254", Named::Page(&CP1254)),
    ("CP1256", Named::Page(&CP1256)),
    ("CP1257", Named::Page(&CP1257)),
    ("CP437", Named::Page(&IBM437)),
    ("CP850", Named::Page(&IBM850)),
    ("CP852", Named::Page(&IBM852)),
    ("CP866", Named::Page(&IBM866)),
    ("CP874", Named::Page(&CP874)),
    ("CP932", Named::Page(&CP932)),
    ("CP936", Named::Page(&GBK)),
    ("CP949", Named::Page(&CP949)),
    ("CP950", Named::Page(&BIG5)),
    ("EUC-CN", Named::Page(&GB2312)),
    ("EUC-JP", Named::Page(&EUC_JP)),
    ("EUC-KR", Named::Page(&EUC_KR)),
    ("EUCCN", Named::Page(&GB2312)),
    ("EUCJP", Named::Page(&EUC_JP)),
    ("EUCKR", Named::Page(&EUC_KR)),
    ("GB18030", Named::Page(&GB18030)),
    ("GB2312", Named::Page(&GB2312)),
    ("GBK", Named::Page(&GBK)),
    ("IBM037", Named::Page(&IBM037)),
    ("IBM1047", Named::Page(&IBM1047)),
    ("IBM437", Named::Page(&IBM437)),
    ("IBM500", Named::Page(&IBM500)),
    ("IBM850", Named::Page(&IBM850)),
    ("IBM852", Named::Page(&IBM852)),
    ("IBM855", Named::Page(&IBM855)),
    ("IBM857", Named::Page(&IBM857)),
    ("IBM860", Named::Page(&IBM860)),
    ("IBM861", Named::Page(&IBM861)),
    ("IBM862", Named::Page(&IBM862)),
    ("IBM863", Named::Page(&IBM863)),
    ("IBM864", Named::Page(&IBM864)),
    ("IBM865", Named::Page(&IBM865)),
    ("IBM866", Named::Page(&IBM866)),
    ("ISO-8859-1", Named::Page(&ISO_8859_1)),
    ("ISO-8859-10", Named::Page(&ISO_8859_10)),
    ("ISO-8859-11", Named::Page(&ISO_8859_11)),
    ("ISO-8859-13", Named::Page(&ISO_8859_13)),
    ("ISO-8859-14", Named::Page(&ISO_8859_14)),
    ("ISO-8859-15", Named::Page(&ISO_8859_15)),
    ("ISO-8859-16", Named::Page(&ISO_8859_16)),
    ("ISO-8859-2", Named::Page(&ISO_8859_2)),
    ("ISO-8859-3", Named::Page(&ISO_8859_3)),
    ("ISO-8859-4", Named::Page(&ISO_8859_4)),
    ("ISO-8859-5", Named::Page(&ISO_8859_5)),
    ("ISO-8859-6", Named::Page(&ISO_8859_6)),
    ("ISO-8859-7", Named::Page(&ISO_8859_7)),
    ("ISO-8859-8", Named::Page(&ISO_8859_8)),
    ("ISO-8859-9", Named::Page(&ISO_8859_9)),
    ("ISO8859-1", Named::Page(&ISO_8859_1)),
    ("ISO8859-10", Named::Page(&ISO_8859_10)),
    ("ISO8859-11", Named::Page(&ISO_8859_11)),
    ("ISO8859-13", Named::Page(&ISO_8859_13)),
    ("ISO8859-14", Named::Page(&ISO_8859_14)),
    ("ISO8859-15", Named::Page(&ISO_8859_15)),
    ("ISO8859-16", Named::Page(&ISO_8859_16)),
    ("ISO8859-2", Named::Page(&ISO_8859_2)),
    ("ISO8859-3", Named::Page(&ISO_8859_3)),
    ("ISO8859-4", Named::Page(&ISO_8859_4)),
    ("ISO8859-5", Named::Page(&ISO_8859_5)),
    ("ISO8859-6", Named::Page(&ISO_8859_6)),
    ("ISO8859-7", Named::Page(&ISO_8859_7)),
    ("ISO8859-8", Named::Page(&ISO_8859_8)),
    ("ISO8859-9", Named::Page(&ISO_8859_9)),
    ("ISO88591", Named::Page(&ISO_8859_1)),
    ("ISO885915", Named::Page(&ISO_8859_15)),
    ("ISO88592", Named::Page(&ISO_8859_2)),
    ("ISO_8859-1", Named::Page(&ISO_8859_1)),
    ("KOI8-R", Named::Page(&KOI8_R)),
    ("KOI8-U", Named::Page(&KOI8_U)),
    ("L1", Named::Page(&ISO_8859_1)),
    ("LATIN-9", Named::Page(&ISO_8859_15)),
    ("LATIN1", Named::Page(&ISO_8859_1)),
    ("LATIN2", Named::Page(&ISO_8859_2)),
    ("MAC", Named::Page(&MACINTOSH)),
    ("MAC-CYRILLIC", Named::Page(&MAC_CYRILLIC)),
    ("MACINTOSH", Named::Page(&MACINTOSH)),
    ("MS-ANSI", Named::Page(&CP1252)),
    ("MS-CYRL", Named::Page(&CP1251)),
    ("MS932", Named::Page(&CP932)),
    ("MS936", Named::Page(&GBK)),
    ("MSCP949", Named::Page(&CP949)),
    ("MS_KANJI", Named::Page(&SJIS)),
    ("SHIFT-JIS", Named::Page(&SJIS)),
    ("SHIFT_JIS", Named::Page(&SJIS)),
    ("SJIS", Named::Page(&SJIS)),
    ("TIS-620", Named::Page(&TIS_620)),
    ("UCS-4", Named::Page(&UCS_4[1])),
    ("UCS-4BE", Named::Page(&UCS_4[1])),
    ("UCS-4LE", Named::Page(&UCS_4[0])),
    ("UCS4", Named::Page(&UCS_4[1])),
    ("UHC", Named::Page(&CP949)),
    ("US-ASCII", Named::Page(&US_ASCII)),
    ("UTF-16", Named::Marked(&UTF_16)),
    ("UTF-16BE", Named::Page(&UTF_16[1])),
    ("UTF-16LE", Named::Page(&UTF_16[0])),
    ("UTF-32", Named::Marked(&UTF_32)),
    ("UTF-32BE", Named::Page(&UTF_32[1])),
    ("UTF-32LE", Named::Page(&UTF_32[0])),
    ("UTF-8", Named::Page(&UTF_8)),
    ("UTF16", Named::Marked(&UTF_16)),
    ("UTF16BE", Named::Page(&UTF_16[1])),
    ("UTF16LE", Named::Page(&UTF_16[0])),
    ("UTF32", Named::Marked(&UTF_32)),
    ("UTF32BE", Named::Page(&UTF_32[1])),
    ("UTF32LE", Named::Page(&UTF_32[0])),
    ("UTF8", Named::Page(&UTF_8)),
    ("WCHAR_T", Named::Page(&WCHAR)),
    ("WINDOWS-1250", Named::Page(&CP1250)),
    ("WINDOWS-1251", Named::Page(&CP1251)),
    ("WINDOWS-1252", Named::Page(&CP1252)),
    ("WINDOWS-1253", Named::Page(&CP1253)),
    ("WINDOWS-1254", Named::Page(&CP1254)),
    ("WINDOWS-1256", Named::Page(&CP1256)),
    ("WINDOWS-1257", Named::Page(&CP1257)),
    ("WINDOWS-31J", Named::Page(&CP932)),
    ("WINDOWS-936", Named::Page(&GBK)),
];

/// At least the length of the longest name in the list, in bytes.
const LONGEST: usize = 32;

/// What a name stands for, without regard to case; `None` for a name that only the C library may know.
pub(super) fn named(name: &[u8]) -> Option<Named> {
    // Nearly every conversion is from or to it.
    if name.eq_ignore_ascii_case(b"UTF-8") {
        return Some(Named::Page(&UTF_8));
    }
    let mut buffer = [0; LONGEST];
    let upper = buffer.get_mut(..name.len())?;
    upper.copy_from_slice(name);
    upper.make_ascii_uppercase();
    let place = NAMES.binary_search_by(|(known, _)| known.as_bytes().cmp(upper));
    place.ok().map(|place| NAMES[place].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order() {
        assert!(NAMES.is_sorted_by_key(|&(name, _)| name));
        assert!(named(b"Utf-8").is_some() && named(b"utf-7").is_none());
        for &(name, _) in NAMES {
            assert!(name.len() <= LONGEST && named(name.to_lowercase().as_bytes()).is_some());
        }
    }
}

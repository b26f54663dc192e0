//! The encodings that the engine converts for iconv, by iconv's names.

use super::differences as d;
use super::filter::{Filter, Structure};
use super::native::locale_charset;
use super::set::Set;
use super::tables::{Alike, Encoded, Encoding as EncodingTable, Pairs, Singles, Utf8};
use core::ffi::CStr;
use mojika::{Encoding, extended};
use std::sync::OnceLock;

/// The method of converting short input of a page.
pub(super) enum ShortMethod {
    Utf8,
    Utf16 {
        is_big: bool,
    },
    Utf32 {
        is_big: bool,
    },
    /// By tables. `pairs` has the tables of byte pairs, for an encoding with pairs.
    Table {
        pairs: Option<&'static Pairs>,
    },
    /// Not supported.
    Other,
}

/// An encoding by iconv's definition.
pub(super) struct Page {
    /// The name of the C library's converter that neither reads nor writes a byte order mark.
    pub native: &'static CStr,
    pub encoding: &'static Encoding,
    /// Finds the sequences that the C library converts differently.
    pub filter: Option<&'static Filter>,
    /// The output space below which the C library reports E2BIG instead of EINVAL for input that ends within a
    /// character. 0 unless it converts in a single step, which requires a code unit and space before reading.
    pub least_space: usize,
    /// The method of converting short input.
    pub form: ShortMethod,
    /// The characters of single bytes, built at the first short call.
    units: OnceLock<Box<Singles<u16>>>,
    utf8: OnceLock<Box<Singles<Utf8>>>,
    encoded: EncodingTable,
}

impl Page {
    const fn new(
        native: &'static CStr,
        encoding: &'static Encoding,
        filter: Option<&'static Filter>,
        form: ShortMethod,
    ) -> Self {
        Self {
            native,
            encoding,
            filter,
            least_space: 0,
            form,
            units: OnceLock::new(),
            utf8: OnceLock::new(),
            encoded: EncodingTable::new(),
        }
    }

    /// Returns the name of the C library's converter with a byte order mark, for a page of UTF-16 or UTF-32.
    pub(super) fn marked(&self) -> &'static CStr {
        if self.encoding.code_unit_len() == 2 {
            c"UTF-16"
        } else {
            c"UTF-32"
        }
    }

    /// True if the C library reports as incomplete every sequence that the engine reports as incomplete.
    pub(super) fn is_unicode(&self) -> bool {
        self.encoding.bom().is_some()
    }

    /// Returns the encoding, and the filter of its differences from the C library.
    pub(super) fn alike(&self) -> Alike {
        Alike {
            encoding: self.encoding,
            filter: self.filter,
        }
    }

    /// Returns the table of the characters of single bytes, as UTF-16.
    #[inline]
    pub(super) fn units(&self) -> &Singles<u16> {
        self.units
            .get_or_init(|| Box::new(Singles::new(self.alike())))
    }

    /// Returns the table of the characters of single bytes, as UTF-8.
    #[inline]
    pub(super) fn utf8(&self) -> &Singles<Utf8> {
        self.utf8
            .get_or_init(|| Box::new(Singles::new(self.alike())))
    }

    /// Returns the table of the bytes of characters; `None` before enough short calls.
    #[inline]
    pub(super) fn encoded(&self) -> Option<&Encoded> {
        self.encoded.of(self.alike(), || self.units())
    }
}

/// The meaning of a name.
#[derive(Clone, Copy)]
pub(super) enum Named {
    Page(&'static Page),
    /// UTF-16 or UTF-32 with a byte order mark: the little-endian and the big-endian page.
    Marked(&'static [Page; 2]),
}

const fn page(
    native: &'static CStr,
    encoding: &'static Encoding,
    filter: Option<&'static Filter>,
) -> Page {
    let form = if encoding.is_single_byte() {
        ShortMethod::Table { pairs: None }
    } else {
        ShortMethod::Other
    };
    Page::new(native, encoding, filter, form)
}

/// Returns a page of a Unicode encoding form.
const fn unicode(native: &'static CStr, encoding: &'static Encoding, form: ShortMethod) -> Page {
    Page::new(native, encoding, None, form)
}

/// Defines the little-endian and big-endian pages of a Unicode encoding form.
macro_rules! endians {
    ($form:ident, $little:literal $little_encoding:expr, $big:literal $big_encoding:expr) => {
        [
            unicode(
                $little,
                $little_encoding,
                ShortMethod::$form { is_big: false },
            ),
            unicode($big, $big_encoding, ShortMethod::$form { is_big: true }),
        ]
    };
}

/// Defines pages of single-byte encodings with differences.
macro_rules! single_bytes {
    ($($page:ident $native:literal $encoding:expr;)*) => {$(
        static $page: Page = {
            static FILTER: Filter = Filter::new(Structure::Bytes, &d::$page, None, None);
            page($native, $encoding, Some(&FILTER))
        };
    )*};
}

/// Defines pages of double-byte encodings with differences.
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
            let form = ShortMethod::Table {
                pairs: Some(&PAIRS),
            };
            Page::new($native, $encoding, Some(&FILTER), form)
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

pub(super) static UTF_8: Page = unicode(c"UTF-8", mojika::UTF_8, ShortMethod::Utf8);
pub(super) static UTF_16: [Page; 2] =
    endians!(Utf16, c"UTF-16LE" mojika::UTF_16LE, c"UTF-16BE" mojika::UTF_16BE);
pub(super) static UTF_32: [Page; 2] =
    endians!(Utf32, c"UTF-32LE" extended::UTF_32LE, c"UTF-32BE" extended::UTF_32BE);
/// The C library's converters also refuse surrogates and values above U+10FFFF, but report some in another way.
static UCS_4: [Page; 2] =
    endians!(Utf32, c"UCS-4LE" extended::UTF_32LE, c"UCS-4BE" extended::UTF_32BE);
static WCHAR: Page = {
    let is_big = cfg!(target_endian = "big");
    let encoding = if is_big {
        extended::UTF_32BE
    } else {
        extended::UTF_32LE
    };
    let mut page = unicode(c"WCHAR_T", encoding, ShortMethod::Utf32 { is_big });
    page.least_space = 4;
    page
};

/// True if the engine and the C library convert alike between two pages.
///
/// Four cases differ. glibc converts between `wchar_t` and another encoding in a single step, which writes a byte order
/// mark before it knows if a character follows. glibc's UCS-4 step passes on values above U+10FFFF. glibc refuses some
/// combinations of `wchar_t` and UCS-4. Between EUC-CN and GBK or Big5, glibc also uses a single step, which treats the
/// last pair of an input as incomplete.
pub(super) fn is_alike(from: Named, to: Named) -> bool {
    let is_one_of = |named: Named, pages: &[&Page]| match named {
        Named::Page(page) => pages.iter().any(|&known| core::ptr::eq(known, page)),
        Named::Marked(_) => false,
    };
    let is_utf_8 = |named| is_one_of(named, &[&UTF_8]);
    let is_ucs_4 = |named| is_one_of(named, &[&UCS_4[0], &UCS_4[1]]);
    let is_wide = |named| is_one_of(named, &[&WCHAR]);
    let is_euc_cn = |named| is_one_of(named, &[&GB2312]);
    let is_gbk_or_big5 = |named| is_one_of(named, &[&GBK, &BIG5]);
    if (is_euc_cn(from) && is_gbk_or_big5(to)) || (is_gbk_or_big5(from) && is_euc_cn(to)) {
        return false;
    }
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
}

/// Double-byte encodings without a difference.
static CP949: Page = {
    static PAIRS: Pairs = Pairs::new();
    let form = ShortMethod::Table {
        pairs: Some(&PAIRS),
    };
    Page::new(c"UHC", mojika::EUC_KR, None, form)
};

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

/// glibc's names in upper case with their meaning, sorted by bytes.
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

/// Iterates over the distinct pages with a name.
#[cfg(test)]
pub(super) fn all() -> impl Iterator<Item = &'static Page> {
    let pages = NAMES.iter().filter_map(|(_, named)| match named {
        Named::Page(page) => Some(*page),
        Named::Marked(_) => None,
    });
    let mut seen: Vec<*const Page> = Vec::new();
    pages.filter(move |&page| {
        let is_new = !seen.iter().any(|&known| core::ptr::eq(known, page));
        seen.push(page);
        is_new
    })
}

/// An upper bound of the name lengths in the list, in bytes.
const MAX_NAME_LENGTH: usize = 32;

/// Returns the meaning of a name, ignoring case; `None` for a name that only the C library may know.
pub(super) fn named(name: &[u8]) -> Option<Named> {
    // Nearly every conversion has UTF-8 on one side.
    if name.eq_ignore_ascii_case(b"UTF-8") {
        return Some(Named::Page(&UTF_8));
    }
    let mut buffer = [0; MAX_NAME_LENGTH];
    let upper = buffer.get_mut(..name.len())?;
    upper.copy_from_slice(name);
    upper.make_ascii_uppercase();
    let place = NAMES.binary_search_by(|(known, _)| known.as_bytes().cmp(upper));
    place.ok().map(|place| NAMES[place].1)
}

/// Splits a name before the slashes of its suffix.
pub(super) fn split(name: &[u8]) -> (&[u8], &[u8]) {
    let is_slash = |&byte: &u8| byte == b'/';
    let Some(slash) = name.iter().position(is_slash) else {
        return (name, &[]);
    };
    let end = name[slash..].windows(2).position(|pair| pair == b"//");
    let end = end.map_or(name.len() - usize::from(name.ends_with(b"/")), |at| {
        slash + at
    });
    name.split_at(end)
}

/// Returns the meaning of a name. The empty name stands for the locale's encoding.
pub(super) fn named_or_locale(name: &[u8]) -> Option<Named> {
    if !name.is_empty() {
        return named(name);
    }
    named(locale_charset()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order() {
        assert!(NAMES.is_sorted_by_key(|&(name, _)| name));
        assert!(named(b"Utf-8").is_some() && named(b"utf-7").is_none());
        for &(name, _) in NAMES {
            assert!(
                name.len() <= MAX_NAME_LENGTH && named(name.to_lowercase().as_bytes()).is_some()
            );
        }
    }
}

//! The encodings that the engine converts for iconv, by iconv's names.

use super::filter::{Filter, Structure};
use super::native::locale_charset;
use super::tables::{Alike, Decoded, Encoded, Lazy, Utf8};
use core::ffi::CStr;
use mojika::{Encoding, extended};

/// The method of converting short input of a page.
pub(super) enum ShortMethod {
    Utf8,
    Utf16 {
        is_big: bool,
    },
    Utf32 {
        is_big: bool,
    },
    /// By tables of single bytes and pairs.
    Table,
}

/// An encoding by iconv's definition.
pub(super) struct Page {
    /// The name of the C library's converter that neither reads nor writes a byte order mark.
    pub native: &'static CStr,
    pub encoding: &'static Encoding,
    /// Finds the sequences that the C library converts differently.
    pub filter: Option<Filter>,
    /// With less output space in bytes, the C library reports E2BIG instead of EINVAL if input ends within a character.
    /// 0 for encodings that it converts to in two steps: only a single step requires this space before it reads.
    pub least_space: usize,
    /// The method of converting short input.
    pub form: ShortMethod,
    /// The characters as UTF-16, and as UTF-8.
    pub units: Decoded<u16>,
    pub utf8: Decoded<Utf8>,
    encoded: Lazy<Encoded>,
}

impl Page {
    const fn new(
        native: &'static CStr,
        encoding: &'static Encoding,
        filter: Option<Filter>,
        form: ShortMethod,
    ) -> Self {
        Self {
            native,
            encoding,
            filter,
            least_space: 0,
            form,
            units: Decoded::new(),
            utf8: Decoded::new(),
            encoded: Lazy::new(),
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

    /// Returns the encoding, and the filter for sequences that the C library converts differently.
    pub(super) fn alike(&self) -> Alike<'_> {
        Alike {
            encoding: self.encoding,
            filter: self.filter.as_ref(),
        }
    }

    /// Returns the table of the bytes of characters. `None` until short calls are frequent enough to build it.
    #[inline]
    pub(super) fn encoded(&self) -> Option<&Encoded> {
        let make = || Box::new(Encoded::new(self.alike()));
        self.encoded.get(!self.encoding.is_single_byte(), make)
    }
}

/// The meaning of a name.
#[derive(Clone, Copy)]
pub(super) enum Named {
    Page(&'static Page),
    /// UTF-16 or UTF-32 with a byte order mark: the little-endian and the big-endian page.
    Marked(&'static [Page; 2]),
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

/// Returns the filter of a page's differences; none without a structure.
macro_rules! filter {
    ($native:literal) => {
        None
    };
    ($native:literal $structure:ident) => {
        Some(Filter::new(Structure::$structure, $native))
    };
}

/// Defines the pages with tables, and the list of all names. A row has the C library's name, the encoding, its structure if it
/// has differences, and the names.
macro_rules! pages {
    ($($page:ident $native:literal $encoding:expr, $($structure:ident)? [$($name:literal)*];)*) => {
        $(static $page: Page =
            Page::new($native, $encoding, filter!($native $($structure)?), ShortMethod::Table);)*

        /// glibc's names in upper case with their meaning.
        static NAMES: &[(&[&str], Named)] = &[
            (&["UTF-8", "UTF8"], Named::Page(&UTF_8)),
            (&["UTF-16", "UTF16"], Named::Marked(&UTF_16)),
            (&["UTF-16LE", "UTF16LE"], Named::Page(&UTF_16[0])),
            (&["UTF-16BE", "UTF16BE"], Named::Page(&UTF_16[1])),
            (&["UTF-32", "UTF32"], Named::Marked(&UTF_32)),
            (&["UTF-32LE", "UTF32LE"], Named::Page(&UTF_32[0])),
            (&["UTF-32BE", "UTF32BE"], Named::Page(&UTF_32[1])),
            (&["UCS-4LE"], Named::Page(&UCS_4[0])),
            (&["UCS-4", "UCS-4BE", "UCS4"], Named::Page(&UCS_4[1])),
            (&["WCHAR_T"], Named::Page(&WCHAR)),
            $((&[$($name),*], Named::Page(&$page)),)*
        ];
    };
}

const fn ibm(number: u16) -> &'static Encoding {
    extended::ibm(number).expect("a page of IBM's")
}

pub(super) static UTF_8: Page = unicode(c"UTF-8", mojika::UTF_8, ShortMethod::Utf8);
pub(super) static UTF_16: [Page; 2] =
    endians!(Utf16, c"UTF-16LE" mojika::UTF_16LE, c"UTF-16BE" mojika::UTF_16BE);
pub(super) static UTF_32: [Page; 2] =
    endians!(Utf32, c"UTF-32LE" extended::UTF_32LE, c"UTF-32BE" extended::UTF_32BE);
/// These converters refuse surrogates and values above U+10FFFF, too, but with other errors in some cases.
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

pages! {
    US_ASCII c"ANSI_X3.4-1968" extended::US_ASCII, ["ANSI_X3.4-1968" "ANSI_X3.4-1986" "ASCII" "US-ASCII"];
    ISO_8859_1 c"ISO-8859-1" extended::ISO_8859_1, ["ISO-8859-1" "8859_1" "ISO8859-1" "ISO88591" "ISO_8859-1" "L1" "LATIN1"];
    ISO_8859_2 c"ISO-8859-2" mojika::ISO_8859_2, ["ISO-8859-2" "ISO8859-2" "ISO88592" "LATIN2"];
    ISO_8859_3 c"ISO-8859-3" mojika::ISO_8859_3, ["ISO-8859-3" "ISO8859-3"];
    ISO_8859_4 c"ISO-8859-4" mojika::ISO_8859_4, ["ISO-8859-4" "ISO8859-4"];
    ISO_8859_5 c"ISO-8859-5" mojika::ISO_8859_5, ["ISO-8859-5" "ISO8859-5"];
    ISO_8859_6 c"ISO-8859-6" mojika::ISO_8859_6, ["ISO-8859-6" "ISO8859-6"];
    ISO_8859_7 c"ISO-8859-7" mojika::ISO_8859_7, ["ISO-8859-7" "ISO8859-7"];
    ISO_8859_8 c"ISO-8859-8" mojika::ISO_8859_8, ["ISO-8859-8" "ISO8859-8"];
    ISO_8859_9 c"ISO-8859-9" extended::ISO_8859_9, ["ISO-8859-9" "ISO8859-9"];
    ISO_8859_10 c"ISO-8859-10" mojika::ISO_8859_10, ["ISO-8859-10" "ISO8859-10"];
    ISO_8859_11 c"ISO-8859-11" extended::ISO_8859_11, ["ISO-8859-11" "ISO8859-11"];
    ISO_8859_13 c"ISO-8859-13" mojika::ISO_8859_13, ["ISO-8859-13" "ISO8859-13"];
    ISO_8859_14 c"ISO-8859-14" mojika::ISO_8859_14, ["ISO-8859-14" "ISO8859-14"];
    ISO_8859_15 c"ISO-8859-15" mojika::ISO_8859_15, ["ISO-8859-15" "ISO8859-15" "ISO885915" "LATIN-9"];
    ISO_8859_16 c"ISO-8859-16" mojika::ISO_8859_16, ["ISO-8859-16" "ISO8859-16"];
    KOI8_R c"KOI8-R" mojika::KOI8_R, ["KOI8-R"];
    CP1256 c"CP1256" mojika::WINDOWS_1256, ["CP1256" "WINDOWS-1256"];
    IBM866 c"IBM866" mojika::IBM866, ["IBM866" "866" "CP866"];
    IBM437 c"IBM437" ibm(437), ["IBM437" "437" "CP437"];
    IBM850 c"IBM850" ibm(850), ["IBM850" "CP850"];
    IBM852 c"IBM852" ibm(852), ["IBM852" "CP852"];
    IBM855 c"IBM855" ibm(855), ["IBM855"];
    IBM857 c"IBM857" ibm(857), ["IBM857"];
    IBM860 c"IBM860" ibm(860), ["IBM860"];
    IBM861 c"IBM861" ibm(861), ["IBM861"];
    IBM862 c"IBM862" ibm(862), ["IBM862"];
    IBM863 c"IBM863" ibm(863), ["IBM863"];
    IBM865 c"IBM865" ibm(865), ["IBM865"];
    IBM037 c"IBM037" ibm(37), ["IBM037"];
    IBM500 c"IBM500" ibm(500), ["IBM500"];
    IBM1047 c"IBM1047" ibm(1047), ["IBM1047"];
    CP949 c"UHC" mojika::EUC_KR, ["UHC" "CP949" "MSCP949"];
    CP1250 c"CP1250" mojika::WINDOWS_1250, Bytes ["CP1250" "WINDOWS-1250"];
    CP1251 c"CP1251" mojika::WINDOWS_1251, Bytes ["CP1251" "MS-CYRL" "WINDOWS-1251"];
    CP1252 c"CP1252" mojika::WINDOWS_1252, Bytes ["CP1252" "MS-ANSI" "WINDOWS-1252"];
    CP1253 c"CP1253" mojika::WINDOWS_1253, Bytes ["CP1253" "WINDOWS-1253"];
    CP1254 c"CP1254" mojika::WINDOWS_1254, Bytes ["CP1254" "WINDOWS-1254"];
    CP1257 c"CP1257" mojika::WINDOWS_1257, Bytes ["CP1257" "WINDOWS-1257"];
    CP874 c"CP874" mojika::WINDOWS_874, Bytes ["CP874"];
    TIS_620 c"TIS-620" mojika::WINDOWS_874, Bytes ["TIS-620"];
    KOI8_U c"KOI8-U" mojika::KOI8_U, Bytes ["KOI8-U"];
    MACINTOSH c"MACINTOSH" mojika::MACINTOSH, Bytes ["MACINTOSH" "MAC"];
    MAC_CYRILLIC c"MAC-CYRILLIC" mojika::X_MAC_CYRILLIC, Bytes ["MAC-CYRILLIC"];
    IBM864 c"IBM864" ibm(864), Bytes ["IBM864"];
    SJIS c"SJIS" mojika::SHIFT_JIS, ShiftJis ["SJIS" "MS_KANJI" "SHIFT-JIS" "SHIFT_JIS"];
    CP932 c"CP932" mojika::SHIFT_JIS, ShiftJis ["CP932" "MS932" "WINDOWS-31J"];
    EUC_JP c"EUC-JP" mojika::EUC_JP, EucJp ["EUC-JP" "EUCJP"];
    EUC_KR c"EUC-KR" mojika::EUC_KR, Pairs ["EUC-KR" "EUCKR"];
    GBK c"GBK" mojika::GBK, Gbk ["GBK" "CP936" "MS936" "WINDOWS-936"];
    GB2312 c"EUC-CN" mojika::GBK, Gbk ["EUC-CN" "CN-GB" "EUCCN" "GB2312"];
    BIG5 c"BIG5" mojika::BIG5, Pairs ["BIG5" "BIG-5" "CN-BIG5" "CP950"];
    GB18030 c"GB18030" mojika::GB18030, Gb18030 ["GB18030"];
}

/// Iterates over the pages with a name.
#[cfg(test)]
pub(super) fn all() -> impl Iterator<Item = &'static Page> {
    NAMES.iter().filter_map(|(_, named)| match named {
        Named::Page(page) => Some(*page),
        Named::Marked(_) => None,
    })
}

/// Returns the meaning of a name, ignoring case; `None` for a name that only the C library may know.
pub(super) fn named(name: &[u8]) -> Option<Named> {
    let is_name = |known: &&str| known.as_bytes().eq_ignore_ascii_case(name);
    let found = NAMES.iter().find(|(names, _)| names.iter().any(is_name));
    found.map(|&(_, named)| named)
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

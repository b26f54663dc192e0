//! The code pages of `mojika::extended`, their names in each source, and the choice of a table.

use crate::sources::{Bytes, Converter, SHIFTS, is_private};

/// The relation of a page to ASCII.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Bytes below 0x80 are ASCII.
    Ascii,
    /// The page has all of ASCII in another order. Its other characters are its own, or those of ISO-8859-1, possibly with
    /// U+20AC in place of U+00A4.
    Ebcdic,
    /// The page lacks characters of ASCII.
    Other,
    /// Bytes below 0x80 are ASCII, and other bytes repeat ASCII's signs for right-to-left text. ASCII characters are
    /// encoded to their own bytes.
    Repeated,
    /// The single bytes of an EBCDIC encoding with double bytes: 0x0E and 0x0F are shift bytes.
    Mixed,
}

/// A page with its name in each source; the name is empty if the source lacks the page.
pub struct Page {
    pub name: &'static str,
    pub shape: Shape,
    icu: &'static str,
    glibc: &'static str,
    python: &'static str,
    perl: &'static str,
    pub libiconv: &'static str,
    pub archive: &'static str,
    /// The source whose table is used if the sources differ.
    taken: Converter,
    pub reason: &'static str,
}

impl Page {
    /// Returns the page's name in each source.
    pub fn sources(&self) -> [(Converter, &'static str); 6] {
        [
            (Converter::Icu, self.icu),
            (Converter::Glibc, self.glibc),
            (Converter::Python, self.python),
            (Converter::Perl, self.perl),
            (Converter::Libiconv, self.libiconv),
            (Converter::Archive, self.archive),
        ]
    }

    /// Returns the table of a source; `None` if it lacks the page.
    fn decode(&self, source: Converter, name: &str) -> Option<Bytes> {
        let mut table = source.decode(name, self.shape == Shape::Mixed)?;
        if self.shape == Shape::Mixed {
            for shift in SHIFTS {
                table[shift] = Some(shift as u16);
            }
        }
        Some(table)
    }

    /// Returns the table to use, chosen from the sources' tables.
    pub fn taken(&self, tables: &[(Converter, &str, Bytes)]) -> Option<Bytes> {
        let of = |source: Converter| tables.iter().find(|(other, ..)| *other == source);
        let mut taken = of(self.taken)?.2;
        if self.shape == Shape::Repeated {
            let libiconv = of(Converter::Libiconv)?.2;
            for (byte, to) in taken.iter_mut().enumerate() {
                *to = match *to {
                    _ if byte < 0x80 => Some(byte as u16),
                    Some(code_point) if !is_private(code_point) => Some(code_point),
                    _ => libiconv[byte],
                };
            }
        }
        Some(taken)
    }

    /// Returns the bytes of a code point to which several bytes of the page decode.
    pub fn encode(&self, code_point: u16) -> Option<Vec<u8>> {
        let is_repeated = self.shape == Shape::Repeated;
        if is_repeated && code_point < 0x80 {
            return Some(vec![code_point as u8]);
        }
        let (source, name) = self.source();
        let mut bytes = source.encode(name, &[code_point])?;
        if is_repeated {
            bytes.truncate(1);
        }
        Some(bytes)
    }

    /// True if all sources of the page are installed.
    pub fn is_complete(&self, optional: Optional) -> bool {
        (optional.libiconv || self.libiconv.is_empty())
            && (optional.archive || self.archive.is_empty())
    }

    /// Returns the tables of all sources of the page.
    pub fn tables(&self) -> Result<Vec<(Converter, &'static str, Bytes)>, String> {
        let named = self
            .sources()
            .into_iter()
            .filter(|(_, name)| !name.is_empty());
        named
            .map(|(source, name)| {
                let table = self.decode(source, name);
                let table = table.ok_or_else(|| format!("{source:?} has no {name}"))?;
                Ok((source, name, table))
            })
            .collect()
    }

    /// Returns the source whose table is used, and the page's name in it.
    fn source(&self) -> (Converter, &'static str) {
        let of_taken = self
            .sources()
            .into_iter()
            .find(|(source, _)| *source == self.taken);
        of_taken.expect("there are six sources")
    }
}

const EBCDIC: &str = "IBM's own table, which ICU carries: the page with the euro sign, on which ICU and glibc agree, has the same letters there";
const OEM: &str = "glibc and Python agree with each other and with Microsoft; ICU has the control characters in IBM's order for PC displays";
const IBM: &str =
    "IBM's own table, which ICU carries: glibc and Python have Microsoft's page of this number";
const GLIBC_AND_PYTHON: &str =
    "glibc and Python agree with each other; ICU has another edition of the page";
const DBCS: &str = "IBM's own table, which ICU carries: half-width katakana, and the small letters that glibc lacks";
const ARABIC: &str = "IBM's own table, which ICU carries: presentation forms, as the page is for displays; glibc has letters without a form";
const MAC: &str = "Perl has DEL for no character; Python has it as in ASCII";
const LIRA: &str = "U+00AA, as the page was before ICU put the lira sign of 2012 there";
const OWN: &str = "IBM's own table, which ICU carries";
const ARABIC_420: &str =
    "IBM's own table, which ICU carries: it has one character more than glibc's";
const SUBSTITUTE: &str =
    "ICU's table: glibc has U+001A, a substitute, for bytes without a character";
const LIBICONV: &str =
    "glibc's table: libiconv has code points for private use, or another form of a letter";
const KOI: &str = "glibc and IBM agree with each other; libiconv has KOI8-U with two more letters";
const CYRILLIC: &str = "IBM's own table, which libiconv has, too; glibc lacks letters and signs";
const TURKISH: &str =
    "IBM's own table, which libiconv has, too; glibc has U+02DB for U+00B8, and U+00B7 for U+02D9";
const THAI: &str = "Apple's table, which Perl and ICU carry, without its marks for private use, which say at what height or side \
    of a letter a sign stands; libiconv has an older edition";
const HEBREW: &str = "Apple's table, which Perl carries, with the character that a byte stands for in text from right to left, too; \
    of private use or several characters libiconv's reading is taken; Windows has another edition";
const ARABIC_MAC: &str = "Apple's table, which Python and Perl carry, with the character that a byte stands for in text from right to left, \
    too; libiconv lacks these bytes, and Windows has private use for them";
const ISO: &str = "no difference is expected";

macro_rules! pages {
    ($($name:literal $shape:ident $icu:literal $glibc:literal $python:literal $taken:ident $reason:ident $($perl:literal $($libiconv:literal $($archive:literal)?)?)?;)*) => {
        &[$(Page {
            name: $name,
            shape: Shape::$shape,
            icu: $icu,
            glibc: $glibc,
            python: $python,
            perl: concat!($($perl)?),
            libiconv: concat!($($($libiconv)?)?),
            archive: concat!($($($($archive)?)?)?),
            taken: Converter::$taken,
            reason: $reason,
        }),*]
    };
}

/// Every imported page, including those that equal an index of the Standard.
pub const PAGES: &[Page] = pages! {
    "iso-8859-1" Ascii "ISO-8859-1" "ISO-8859-1" "iso8859-1" Glibc ISO;
    "iso-8859-9" Ascii "ISO-8859-9" "ISO-8859-9" "iso8859-9" Glibc ISO;
    "iso-8859-11" Ascii "iso-8859_11-2001" "ISO-8859-11" "iso8859-11" Glibc ISO;
    "us-ascii" Ascii "US-ASCII" "ANSI_X3.4-1968" "ascii" Glibc ISO;
    "ibm437" Ascii "ibm-437" "IBM437" "cp437" Glibc OEM;
    "ibm720" Ascii "ibm-720" "" "cp720" Python OEM;
    "ibm737" Ascii "ibm-737" "CP737" "cp737" Glibc OEM;
    "ibm775" Ascii "ibm-775" "CP775" "cp775" Glibc OEM;
    "ibm850" Ascii "ibm-850" "IBM850" "cp850" Glibc OEM;
    "ibm852" Ascii "ibm-852" "IBM852" "cp852" Glibc OEM;
    "ibm855" Ascii "ibm-855" "IBM855" "cp855" Glibc OEM;
    "ibm857" Ascii "ibm-857" "IBM857" "cp857" Glibc OEM;
    "ibm858" Ascii "ibm-858" "CP858" "cp858" Glibc OEM;
    "ibm860" Ascii "ibm-860" "IBM860" "cp860" Glibc OEM;
    "ibm861" Ascii "ibm-861" "IBM861" "cp861" Glibc OEM;
    "ibm862" Ascii "ibm-862" "IBM862" "cp862" Glibc OEM;
    "ibm863" Ascii "ibm-863" "IBM863" "cp863" Glibc OEM;
    "ibm864" Ascii "ibm-864" "IBM864" "cp864" Icu IBM;
    "ibm865" Ascii "ibm-865" "IBM865" "cp865" Glibc OEM;
    "ibm869" Ascii "ibm-869" "IBM869" "cp869" Glibc OEM;
    "ibm874" Ascii "ibm-874" "IBM874" "cp874" Icu IBM;
    "ibm037" Ebcdic "ibm-37" "IBM037" "cp037" Icu EBCDIC;
    "ibm273" Ebcdic "ibm-273" "IBM273" "cp273" Icu EBCDIC;
    "ibm277" Ebcdic "ibm-277" "IBM277" "" Icu EBCDIC;
    "ibm278" Ebcdic "ibm-278" "IBM278" "" Icu EBCDIC;
    "ibm280" Ebcdic "ibm-280" "IBM280" "" Icu EBCDIC;
    "ibm284" Ebcdic "ibm-284" "IBM284" "" Icu EBCDIC;
    "ibm285" Ebcdic "ibm-285" "IBM285" "" Icu EBCDIC;
    "ibm297" Ebcdic "ibm-297" "IBM297" "" Icu EBCDIC;
    "ibm500" Ebcdic "ibm-500" "IBM500" "cp500" Icu EBCDIC;
    "ibm871" Ebcdic "ibm-871" "IBM871" "" Icu EBCDIC;
    "ibm1047" Ebcdic "ibm-1047" "IBM1047" "" Icu EBCDIC;
    "ibm1140" Ebcdic "ibm-1140" "IBM1140" "cp1140" Icu EBCDIC;
    "ibm1141" Ebcdic "ibm-1141" "IBM1141" "" Icu EBCDIC;
    "ibm1142" Ebcdic "ibm-1142" "IBM1142" "" Icu EBCDIC;
    "ibm1143" Ebcdic "ibm-1143" "IBM1143" "" Icu EBCDIC;
    "ibm1144" Ebcdic "ibm-1144" "IBM1144" "" Icu EBCDIC;
    "ibm1145" Ebcdic "ibm-1145" "IBM1145" "" Icu EBCDIC;
    "ibm1146" Ebcdic "ibm-1146" "IBM1146" "" Icu EBCDIC;
    "ibm1147" Ebcdic "ibm-1147" "IBM1147" "" Icu EBCDIC;
    "ibm1148" Ebcdic "ibm-1148" "IBM1148" "" Icu EBCDIC;
    "ibm1149" Ebcdic "ibm-1149" "IBM1149" "" Icu EBCDIC;
    "ibm290" Ebcdic "ibm-290" "IBM290" "" Icu DBCS;
    "ibm424" Ebcdic "ibm-424" "IBM424" "cp424" Icu OWN;
    "ibm870" Ebcdic "ibm-870" "IBM870" "" Icu OWN;
    "ibm875" Ebcdic "ibm-875" "CP875" "cp875" Icu OWN;
    "ibm918" Ebcdic "ibm-918" "IBM918" "" Icu ARABIC;
    "ibm1025" Ebcdic "ibm-1025" "IBM1025" "" Icu OWN;
    "ibm1026" Ebcdic "ibm-1026" "IBM1026" "cp1026" Python LIRA;
    "ibm1112" Ebcdic "ibm-1112" "IBM1112" "" Icu OWN;
    "ibm1122" Ebcdic "ibm-1122" "IBM1122" "" Icu OWN;
    "ibm1123" Ebcdic "ibm-1123" "IBM1123" "" Icu OWN;
    "ibm1153" Ebcdic "ibm-1153" "IBM1153" "" Icu OWN;
    "ibm1154" Ebcdic "ibm-1154" "IBM1154" "" Icu OWN;
    "ibm1155" Ebcdic "ibm-1155" "IBM1155" "" Glibc LIRA;
    "ibm1156" Ebcdic "ibm-1156" "IBM1156" "" Icu OWN;
    "ibm1157" Ebcdic "ibm-1157" "IBM1157" "" Icu OWN;
    "ibm1158" Ebcdic "ibm-1158" "IBM1158" "" Icu OWN;
    "ibm1160" Ebcdic "ibm-1160" "IBM1160" "" Icu OWN;
    "ibm1164" Ebcdic "ibm-1164" "IBM1164" "" Icu OWN;
    "ibm833" Mixed "ibm-933" "IBM933" "" Icu OWN;
    "ibm836" Mixed "ibm-935" "IBM935" "" Icu OWN;
    "ibm28709" Mixed "ibm-937" "IBM937" "" Icu OWN;
    "ibm1027" Mixed "ibm-939" "IBM939" "" Icu OWN;
    "ibm1159" Mixed "ibm-1371" "IBM1371" "" Icu OWN;
    "ibm8482" Mixed "ibm-1390" "IBM1390" "" Icu SUBSTITUTE;
    "ibm5123" Mixed "ibm-1399" "IBM1399" "" Icu SUBSTITUTE;
    "ibm856" Ascii "ibm-856" "IBM856" "cp856" Icu OWN;
    "ibm1006" Ascii "ibm-1006" "" "cp1006" Icu OWN;
    "ibm1124" Ascii "ibm-1124" "IBM1124" "" Icu OWN;
    "ibm1125" Ascii "ibm-1125" "CP1125" "cp1125" Glibc GLIBC_AND_PYTHON;
    "ibm1129" Ascii "ibm-1129" "IBM1129" "" Icu OWN;
    "maccentraleurope" Ascii "macos-29-10.2" "MAC-CENTRALEUROPE" "mac_latin2" Python MAC "MacCentralEurRoman";
    "macgreek" Ascii "macos-6_2-10.4" "" "mac_greek" Python MAC "MacGreek";
    "macturkish" Ascii "macos-35-10.2" "" "mac_turkish" Python MAC "MacTurkish";
    "macromania" Ascii "" "" "mac_romanian" Python MAC "MacRomanian";
    "maciceland" Ascii "" "" "mac_iceland" Python MAC "MacIcelandic";
    "maccroatian" Ascii "" "" "mac_croatian" Python MAC "MacCroatian";
    "kz-1048" Ascii "" "RK1048" "kz1048" Glibc ISO;
    "ptcp154" Ascii "" "PT154" "ptcp154" Glibc ISO;
    "koi8-t" Ascii "" "KOI8-T" "koi8_t" Glibc ISO;
    "hp-roman8" Ascii "hp-roman8" "HP-ROMAN8" "hp_roman8" Glibc GLIBC_AND_PYTHON "hp-roman8";
    "ibm901" Ascii "ibm-901" "IBM901" "" Icu OWN;
    "ibm902" Ascii "ibm-902" "IBM902" "" Icu OWN;
    "ibm922" Ascii "ibm-922" "IBM922" "" Icu OWN;
    "ibm1133" Other "ibm-1133" "IBM1133" "" Icu OWN;
    "ibm4909" Ascii "ibm-4909" "IBM4909" "" Icu OWN;
    "ibm1130" Ebcdic "ibm-1130" "IBM1130" "" Icu OWN;
    "ibm1132" Ebcdic "ibm-1132" "IBM1132" "" Icu OWN;
    "ibm1137" Ebcdic "ibm-1137" "IBM1137" "" Icu OWN;
    "ibm4971" Ebcdic "ibm-4971" "IBM4971" "" Icu OWN;
    "ibm9030" Ebcdic "ibm-9030" "IBM9030" "" Icu OWN;
    "ibm12712" Ebcdic "ibm-12712" "IBM12712" "" Icu OWN;
    "viscii" Other "" "VISCII" "" Glibc ISO "viscii";
    "ibm420" Other "ibm-420" "IBM420" "" Icu ARABIC_420;
    "ibm1097" Other "ibm-1097" "IBM1097" "" Icu OWN;
    "ibm16804" Other "ibm-16804" "IBM16804" "" Icu OWN;
    "armscii-8" Other "" "ARMSCII-8" "" Glibc ISO "" "ARMSCII-8";
    "georgian-academy" Ascii "" "GEORGIAN-ACADEMY" "" Glibc ISO "" "Georgian-Academy";
    "georgian-ps" Ascii "" "GEORGIAN-PS" "" Glibc ISO "" "Georgian-PS";
    "ibm1046" Other "" "IBM1046" "" Glibc LIBICONV "" "CP1046";
    "koi8-ru" Ascii "" "KOI8-RU" "" Glibc KOI "" "KOI8-RU" "ibm-1167_P100-2002";
    "tcvn5712-1" Other "" "TCVN5712-1" "" Glibc ISO "" "TCVN";
    "ibm880" Ebcdic "" "IBM880" "" Archive CYRILLIC "" "IBM-880" "ibm-880_P100-1995";
    "ibm905" Ebcdic "" "IBM905" "" Archive TURKISH "" "IBM-905" "ibm-905_P100-1995";
    "ibm924" Ebcdic "" "" "" Archive ISO "" "IBM-924" "ibm-924_P100-1998";
    "macthai" Ascii "" "" "" Perl THAI "MacThai" "MacThai" "macos-21-10.5";
    "machebrew" Repeated "" "" "" Perl HEBREW "MacHebrew" "MacHebrew" "windows-10005-2000";
    "macarabic" Repeated "" "" "mac_arabic" Python ARABIC_MAC "MacArabic" "MacArabic" "windows-10004-2000";
};

/// The optional sources that are installed.
#[derive(Clone, Copy)]
pub struct Optional {
    pub libiconv: bool,
    pub archive: bool,
}

impl Optional {
    pub fn find() -> Self {
        let archived = PAGES.iter().find(|page| !page.archive.is_empty());
        Self {
            libiconv: Converter::Libiconv.decode("ASCII", false).is_some(),
            archive: archived
                .is_some_and(|page| Converter::Archive.decode(page.archive, false).is_some()),
        }
    }
}

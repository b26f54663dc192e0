//! The pages of `mojika::extended`: `gen import-extended` asks installed converters for them, `gen verify` asks again.
//!
//! The facts come from ICU (`uconv`), glibc (`iconv`), Python's codecs, Perl's Encode and GNU libiconv, at least two of them for each page.
//! Where they differ, [`Page::taken`] decides, and the file of the page names each difference, what was taken, and why. The
//! files are in `gen/extended`, one line for each byte that is mapped, and a second one for a byte to which a
//! code point is encoded although a later byte decodes to it, too.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::index::Index;
use crate::replay::Tables;
use crate::sources::{Bytes, SHIFTS, Source, glibc, icu, perl, python};
use crate::{Outcome, paths};

/// How bytes of a page relate to ASCII.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Bytes below 0x80 are ASCII.
    Ascii,
    /// The page has all of ASCII in another order. Its other characters are those of ISO-8859-1, perhaps with U+20AC in the
    /// place of U+00A4, or its own.
    Ebcdic,
    /// The page lacks characters of ASCII.
    Other,
    /// The single bytes of an EBCDIC encoding that has double bytes, too: 0x0E and 0x0F shift.
    Mixed,
}

/// A page, and what each source calls it; an empty name is a source that lacks the page.
pub struct Page {
    pub name: &'static str,
    pub shape: Shape,
    icu: &'static str,
    glibc: &'static str,
    python: &'static str,
    perl: &'static str,
    libiconv: &'static str,
    /// Whose table is taken where the sources differ.
    taken: Source,
    reason: &'static str,
}

impl Page {
    /// What each source calls it.
    fn sources(&self) -> [(Source, &'static str); 5] {
        [
            (Source::Icu, self.icu),
            (Source::Glibc, self.glibc),
            (Source::Python, self.python),
            (Source::Perl, self.perl),
            (Source::Libiconv, self.libiconv),
        ]
    }

    /// The table of a source; `None` if that lacks it.
    fn decode(&self, source: Source, name: &str) -> Option<Bytes> {
        let mut table = source.decode(name, self.shape == Shape::Mixed)?;
        if self.shape == Shape::Mixed {
            for shift in SHIFTS {
                table[shift] = Some(shift as u16);
            }
        }
        Some(table)
    }

    /// Whether all its sources are there.
    fn is_complete(&self, has_libiconv: bool) -> bool {
        has_libiconv || self.libiconv.is_empty()
    }

    /// The source that is taken, and its name there.
    fn source(&self) -> (Source, &'static str) {
        let of_taken = self
            .sources()
            .into_iter()
            .find(|(source, _)| *source == self.taken);
        of_taken.expect("there are five sources")
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
const ISO: &str = "no difference is expected";

macro_rules! pages {
    ($($name:literal $shape:ident $icu:literal $glibc:literal $python:literal $taken:ident $reason:ident $($perl:literal $($libiconv:literal)?)?;)*) => {
        &[$(Page {
            name: $name,
            shape: Shape::$shape,
            icu: $icu,
            glibc: $glibc,
            python: $python,
            perl: concat!($($perl)?),
            libiconv: concat!($($($libiconv)?)?),
            taken: Source::$taken,
            reason: $reason,
        }),*]
    };
}

/// Every page that is imported, also those that turn out to be what the Standard has.
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
};

/// The ISO-8859 parts that the Standard has an index for, to be compared with glibc's tables of them.
const ISO_PARTS: [&str; 12] = [
    "2", "3", "4", "5", "6", "7", "8", "10", "13", "14", "15", "16",
];

/// Runs `gen import-extended`: writes `gen/extended`.
pub fn import() -> Outcome {
    let mut differences = 0;
    let has_libiconv = has_libiconv();
    for page in PAGES {
        // Without libiconv, pages that are compared with it stay as they are.
        if !page.is_complete(has_libiconv) {
            continue;
        }
        let (text, differing) = derive(page)?;
        differences += differing;
        std::fs::write(path(page.name), text)?;
    }
    Ok(format!(
        "{} pages imported; their files explain {differences} differences{}",
        PAGES.len() - incomplete(has_libiconv),
        not_compared(has_libiconv)
    ))
}

/// Compares `gen/extended` and its tables with the installed sources, and the Standard's ISO-8859 parts and IBM866 with
/// glibc's.
pub fn verify() -> Outcome {
    let is_missing = [
        glibc("ISO-8859-1", false),
        icu("ISO-8859-1", false),
        python("ascii"),
        perl("ascii"),
    ]
    .contains(&None);
    if is_missing {
        return Ok(
            "extended: skipped: iconv, uconv, python3 and perl are not all installed".to_owned(),
        );
    }
    let has_libiconv = has_libiconv();
    let tables = Tables::read()?;
    for page in PAGES {
        compare_tables(page, &tables)?;
        if !page.is_complete(has_libiconv) {
            continue;
        }
        if derive(page)?.0 != std::fs::read_to_string(path(page.name))? {
            return Err(format!("gen/extended/{}.txt is not what is installed", page.name).into());
        }
    }
    let mut same = Vec::new();
    for part in ISO_PARTS {
        same.push((format!("iso-8859-{part}"), format!("ISO-8859-{part}")));
    }
    same.push(("ibm866".to_owned(), "IBM866".to_owned()));
    for (ours, theirs) in same {
        let index = Index::read(&paths::indexes(), &ours)?;
        let table = glibc(&theirs, false).ok_or_else(|| format!("iconv lacks {theirs}"))?;
        for pointer in 0..128_u32 {
            let standard = index.0.get(&pointer).copied();
            let installed = table[pointer as usize + 128].map(u32::from);
            if standard != installed {
                return Err(
                    format!("{ours}: pointer {pointer}: {standard:X?}, {installed:X?}").into(),
                );
            }
        }
    }
    Ok(format!(
        "extended: {} pages and their tables are what is installed; the Standard's 12 ISO-8859 parts and IBM866 are glibc's{}",
        PAGES.len() - incomplete(has_libiconv),
        not_compared(has_libiconv)
    ))
}

fn has_libiconv() -> bool {
    Source::Libiconv.decode("ASCII", false).is_some()
}

/// The number of pages whose files need libiconv, where it is not there.
fn incomplete(has_libiconv: bool) -> usize {
    let pages = PAGES.iter();
    pages.filter(|page| !page.is_complete(has_libiconv)).count()
}

/// What to say of these pages: nothing if there are none.
fn not_compared(has_libiconv: bool) -> String {
    match incomplete(has_libiconv) {
        0 => String::new(),
        count => format!("\nextended: {count} pages not compared: LIBICONV names no program"),
    }
}

/// Compares the tables of a page, in both directions, with what its source converts.
fn compare_tables(page: &Page, tables: &Tables) -> Result<(), String> {
    let (source, name) = page.source();
    let in_tables = tables.page(page.name);
    let installed = page.decode(source, name);
    let installed = installed.ok_or_else(|| format!("{source:?} has no {name}"))?;
    // Bytes below 0x80 are in no table of a page that extends ASCII.
    let first = if page.shape == Shape::Ascii { 0x80 } else { 0 };
    for byte in first..=0xFF {
        let ours = in_tables.code_point(byte);
        if ours != installed[usize::from(byte)] {
            return Err(format!(
                "tables/: {}: byte 0x{byte:02X}: {}, installed {}",
                page.name,
                shown(ours),
                shown(installed[usize::from(byte)])
            ));
        }
    }
    let mapped: BTreeSet<u16> =
        (installed[usize::from(first)..].iter().flatten().copied()).collect();
    let is_shift = |to: &u16| page.shape == Shape::Mixed && SHIFTS.contains(&usize::from(*to));
    let shifts: Vec<u16> = mapped.iter().copied().filter(is_shift).collect();
    let mut mapped: Vec<u16> = mapped.into_iter().filter(|to| !is_shift(to)).collect();
    let encoded = source.encode(name, &mapped);
    let encoded = encoded.filter(|bytes| bytes.len() == mapped.len());
    let mut encoded = encoded.ok_or_else(|| format!("{source:?} does not encode {name}"))?;
    // No source encodes them; they decode to themselves.
    for shift in shifts {
        let at = mapped.partition_point(|&to| to < shift);
        mapped.insert(at, shift);
        encoded.insert(at, shift as u8);
    }
    for code_point in u16::from(first)..=u16::MAX {
        let ours = in_tables.byte(code_point);
        let theirs = mapped.binary_search(&code_point).ok().map(|at| encoded[at]);
        // glibc writes forms of Arabic letters as the letters, which decode to themselves.
        let is_another = |byte: u8| installed[usize::from(byte)] != Some(code_point);
        let is_lossy = theirs.is_some_and(is_another) && !ours.is_none_or(is_another);
        if ours != theirs && !is_lossy {
            return Err(format!(
                "tables/: {}: U+{code_point:04X}: {ours:02X?}, installed {theirs:02X?}",
                page.name
            ));
        }
    }
    Ok(())
}

/// Reads the file of a page: code point by byte.
#[cfg(test)]
fn read(name: &str) -> Result<Index, String> {
    Ok(read_lines(name)?.0)
}

/// Reads the file of a page: code point by byte, and the bytes that are listed twice. Their code points are encoded to them,
/// and not to the last byte that decodes to the same code point.
pub fn read_lines(name: &str) -> Result<(Index, BTreeSet<u32>), String> {
    let path = path(name);
    let text =
        std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let (mut index, mut preferred) = (Index::default(), BTreeSet::new());
    for (number, line) in text.lines().enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let hex = |field: Option<&str>| {
            let digits = field.and_then(|field| field.strip_prefix("0x"));
            digits.and_then(|digits| u32::from_str_radix(digits, 16).ok())
        };
        let mut fields = line.split('\t');
        let (Some(byte), Some(code_point)) = (hex(fields.next()), hex(fields.next())) else {
            return Err(format!("{}: line {}: {line:?}", path.display(), number + 1));
        };
        if index.0.insert(byte, code_point).is_some() {
            preferred.insert(byte);
        }
    }
    Ok((index, preferred))
}

fn path(name: &str) -> std::path::PathBuf {
    paths::extended().join(format!("{name}.txt"))
}

/// The text of a page's file, and in how many bytes its sources differ.
fn derive(page: &Page) -> Result<(String, usize), String> {
    let mut tables = Vec::new();
    for (source, name) in page.sources() {
        if !name.is_empty() {
            let table = page.decode(source, name);
            let table = table.ok_or_else(|| format!("{source:?} has no {name}"))?;
            tables.push((source, name, table));
        }
    }
    let taken = tables
        .iter()
        .find(|(source, ..)| *source == page.taken)
        .ok_or_else(|| format!("{}: the source taken lacks it", page.name))?;

    let names: Vec<String> = tables
        .iter()
        .map(|(source, name, _)| format!("{source:?} {name}"))
        .collect();
    let mut text = format!(
        "# {}: code point by byte. Imported by `gen import-extended` from {}; do not edit.\n",
        page.name,
        names.join(", ")
    );
    let (mut entries, mut differences) = (String::new(), String::new());
    let mut count = 0;
    for byte in 0..256 {
        // Control characters of ASCII stay ASCII in every page that extends it.
        let control = page.shape == Shape::Ascii && byte < 0x80 && (byte < 0x20 || byte == 0x7F);
        let code_point = if control {
            Some(byte as u16)
        } else {
            taken.2[byte]
        };
        if let Some(code_point) = code_point {
            writeln!(entries, "0x{byte:02X}\t0x{code_point:04X}")
                .expect("a String takes everything");
        }
        if tables.iter().any(|(.., table)| table[byte] != code_point) {
            count += 1;
            write!(differences, "# 0x{byte:02X}:").expect("a String takes everything");
            for (source, _, table) in &tables {
                write!(differences, " {source:?} {},", shown(table[byte])).expect("likewise");
            }
            writeln!(differences, " taken {}", shown(code_point)).expect("likewise");
        }
    }
    // Where the byte that the source encodes to is not the last one of its code point, it is listed again.
    for (byte, code_point) in taken.2.iter().enumerate() {
        let Some(code_point) = *code_point else {
            continue;
        };
        let is_first_of_two = taken.2[byte + 1..].contains(&Some(code_point));
        if is_first_of_two && taken.0.encode(taken.1, &[code_point]) == Some(vec![byte as u8]) {
            writeln!(entries, "0x{byte:02X}\t0x{code_point:04X}")
                .expect("a String takes everything");
        }
    }
    if count > 0 {
        writeln!(text, "# {}.", page.reason).expect("a String takes everything");
        text.push_str(&differences);
    }
    text.push('\n');
    text.push_str(&entries);
    Ok((text, count))
}

fn shown(code_point: Option<u16>) -> String {
    code_point.map_or("unmapped".to_owned(), |code_point| {
        format!("U+{code_point:04X}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is not compared is said.
    #[test]
    fn pages_without_their_sources_are_counted() {
        assert_eq!(not_compared(true), "");
        let count = PAGES
            .iter()
            .filter(|page| !page.libiconv.is_empty())
            .count();
        assert_eq!(
            not_compared(false),
            format!("\nextended: {count} pages not compared: LIBICONV names no program")
        );
        assert_eq!((incomplete(true), incomplete(false)), (0, count));
    }

    #[test]
    fn pages_have_two_sources_each() {
        for page in PAGES {
            let sources = page.sources();
            let count = sources.iter().filter(|(_, name)| !name.is_empty()).count();
            assert!(count >= 2, "{}", page.name);
        }
    }

    #[test]
    fn pages_extend_ascii_or_have_it_in_another_order() {
        for page in PAGES {
            let index = read(page.name).unwrap();
            if page.shape == Shape::Ascii {
                let ascii = |byte: u32| index.0.get(&byte) == Some(&byte);
                assert!((0..0x80).all(ascii), "{}", page.name);
                let upper = index.0.range(0x80..);
                assert!(upper.into_iter().all(|(_, &code_point)| code_point >= 0x80));
            } else if page.shape != Shape::Other {
                for ascii in 0..0x80 {
                    let bytes = index.0.values().filter(|&&to| to == ascii);
                    assert_eq!(bytes.count(), 1, "{}: {ascii:02X}", page.name);
                }
            }
        }
    }
}

//! Windows code page numbers, of the Standard's encodings and of this module's.

use super::encodings::ENTRIES;
use crate::encodings::*;
use crate::{Encoding, UnknownCodePage};

/// Returns the numbers of the Standard's encodings. [`Encoding::windows_code_page`] returns an encoding's first number.
fn standard() -> impl Iterator<Item = (u16, &'static Encoding)> {
    [
        (65001, UTF_8),
        (866, IBM866),
        (28592, ISO_8859_2),
        (28593, ISO_8859_3),
        (28594, ISO_8859_4),
        (28595, ISO_8859_5),
        (28596, ISO_8859_6),
        (28597, ISO_8859_7),
        (28598, ISO_8859_8),
        (38598, ISO_8859_8_I),
        (28603, ISO_8859_13),
        (28605, ISO_8859_15),
        (20866, KOI8_R),
        (21866, KOI8_U),
        (10000, MACINTOSH),
        (874, WINDOWS_874),
        (1250, WINDOWS_1250),
        (1251, WINDOWS_1251),
        (1252, WINDOWS_1252),
        (1253, WINDOWS_1253),
        (1254, WINDOWS_1254),
        (1255, WINDOWS_1255),
        (1256, WINDOWS_1256),
        (1257, WINDOWS_1257),
        (1258, WINDOWS_1258),
        (10017, X_MAC_CYRILLIC),
        (936, GBK),
        (51936, GBK),
        (54936, GB18030),
        (950, BIG5),
        (51932, EUC_JP),
        (20932, EUC_JP),
        (50220, ISO_2022_JP),
        (50221, ISO_2022_JP),
        (50222, ISO_2022_JP),
        (932, SHIFT_JIS),
        (949, EUC_KR),
        (51949, EUC_KR),
        (20949, EUC_KR),
        (1200, UTF_16LE),
        (1201, UTF_16BE),
    ]
    .into_iter()
}

impl Encoding {
    /// Returns the encoding, of the Standard or of [`extended`](crate::extended), with the given Windows code page number.
    ///
    /// ```
    /// use mojika::Encoding;
    /// assert_eq!(Encoding::for_windows_code_page(932), Some(mojika::SHIFT_JIS));
    /// assert_eq!(Encoding::for_windows_code_page(20273), mojika::extended::ibm(273));
    /// assert_eq!(Encoding::for_windows_code_page(1), None);
    /// ```
    pub fn for_windows_code_page(number: u16) -> Option<&'static Encoding> {
        let of_standard = standard().find(|&(known, _)| known == number);
        of_standard.map(|(_, encoding)| encoding).or_else(|| {
            let entry = ENTRIES
                .iter()
                .find(|entry| entry.windows == number && number != 0);
            entry.map(|entry| entry.encoding)
        })
    }

    /// Returns the Windows code page number of this encoding; `None` if Windows has none.
    ///
    /// ```
    /// assert_eq!(mojika::UTF_8.windows_code_page(), Some(65001));
    /// assert_eq!(mojika::extended::ibm(874).unwrap().windows_code_page(), None);
    /// ```
    pub fn windows_code_page(&self) -> Option<u16> {
        let of_standard = standard().find(|&(_, encoding)| encoding == self);
        of_standard.map(|(number, _)| number).or_else(|| {
            let entry = ENTRIES.iter().find(|entry| entry.encoding == self)?;
            (entry.windows != 0).then_some(entry.windows)
        })
    }
}

impl TryFrom<u16> for &'static Encoding {
    type Error = UnknownCodePage;

    /// Calls [`Encoding::for_windows_code_page`].
    ///
    /// ```
    /// use mojika::Encoding;
    /// assert_eq!(<&Encoding>::try_from(1252)?, mojika::WINDOWS_1252);
    /// # Ok::<(), mojika::UnknownCodePage>(())
    /// ```
    fn try_from(number: u16) -> Result<Self, UnknownCodePage> {
        Encoding::for_windows_code_page(number).ok_or(UnknownCodePage { number })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extended;

    #[test]
    fn numbers_lead_to_encodings_and_back() {
        let mut without = std::vec::Vec::new();
        for encoding in Encoding::all().iter().copied().chain(extended::all()) {
            match encoding.windows_code_page() {
                Some(number) => assert_eq!(Encoding::for_windows_code_page(number), Some(encoding)),
                None => without.push(encoding.name()),
            }
        }
        without.sort_unstable();
        let expected = [
            "ARMSCII-8",
            "Big5-HKSCS",
            "CESU-8",
            "EUC-JIS-2004",
            "GB18030-2005",
            "GSM-03.38",
            "Georgian-Academy",
            "Georgian-PS",
            "HP-Roman8",
            "IBM1006",
            "IBM1027",
            "IBM1046",
            "IBM1097",
            "IBM1112",
            "IBM1122",
            "IBM1123",
            "IBM1124",
            "IBM1125",
            "IBM1129",
            "IBM1130",
            "IBM1132",
            "IBM1133",
            "IBM1137",
            "IBM1153",
            "IBM1154",
            "IBM1155",
            "IBM1156",
            "IBM1157",
            "IBM1158",
            "IBM1160",
            "IBM1164",
            "IBM12712",
            "IBM1364",
            "IBM1371",
            "IBM1388",
            "IBM1390",
            "IBM1399",
            "IBM16804",
            "IBM300",
            "IBM4909",
            "IBM4971",
            "IBM834",
            "IBM835",
            "IBM836",
            "IBM837",
            "IBM856",
            "IBM874",
            "IBM901",
            "IBM902",
            "IBM918",
            "IBM922",
            "ISO-2022-JP-1",
            "ISO-2022-JP-2",
            "ISO-2022-JP-2004",
            "ISO-2022-JP-3",
            "ISO-8859-10",
            "ISO-8859-14",
            "ISO-8859-16",
            "KOI8-RU",
            "KOI8-T",
            "KZ-1048",
            "MUTF-8",
            "PTCP154",
            "Shift_JIS-2004",
            "TCVN5712-1",
            "UTF-32",
            "UTF-32-2143",
            "UTF-32-3412",
            "UTF-7-IMAP",
            "VISCII",
            "WTF-8",
            "replacement",
            "x-user-defined",
        ];
        assert_eq!(without, expected);
        assert_eq!(Encoding::for_windows_code_page(0), None);
    }
}

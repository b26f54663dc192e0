//! Windows code page numbers, compared with Microsoft's list of code page identifiers and its names.

use mojika::{Encoding, extended};

/// Identifiers and encodings in the order of Microsoft's list, without encodings that mojika cannot decode.
const IDENTIFIERS: &str = "37 IBM037,437 IBM437,500 IBM500,720 IBM720,737 IBM737,775 IBM775,850 IBM850,852 IBM852,855 IBM855,857 IBM857,\
858 IBM858,860 IBM860,861 IBM861,862 IBM862,863 IBM863,864 IBM864,865 IBM865,866 IBM866,869 IBM869,870 IBM870,\
874 windows-874,875 IBM875,932 Shift_JIS,936 GBK,949 EUC-KR,950 Big5,1026 IBM1026,1047 IBM1047,1140 IBM1140,\
1141 IBM1141,1142 IBM1142,1143 IBM1143,1144 IBM1144,1145 IBM1145,1146 IBM1146,1147 IBM1147,1148 IBM1148,1149 IBM1149,\
1200 UTF-16LE,1201 UTF-16BE,1250 windows-1250,1251 windows-1251,1252 windows-1252,1253 windows-1253,1254 windows-1254,\
1255 windows-1255,1256 windows-1256,1257 windows-1257,1258 windows-1258,1361 Johab,10000 macintosh,10004 MacArabic,10005 MacHebrew,10006 MacGreek,\
10010 MacRomania,10017 x-mac-cyrillic,10021 MacThai,10029 MacCentralEurope,10079 MacIceland,10081 MacTurkish,10082 MacCroatian,\
12000 UTF-32LE,12001 UTF-32BE,20127 US-ASCII,20273 IBM273,20277 IBM277,20278 IBM278,20280 IBM280,20284 IBM284,\
20285 IBM285,20290 IBM290,20297 IBM297,20420 IBM420,20424 IBM424,20833 IBM833,20838 IBM9030,20866 KOI8-R,20871 IBM871,20880 IBM880,20905 IBM905,20924 IBM924,20932 EUC-JP,20936 GB2312,20949 EUC-KR,21025 IBM1025,21866 KOI8-U,\
28591 ISO-8859-1,28592 ISO-8859-2,28593 ISO-8859-3,28594 ISO-8859-4,28595 ISO-8859-5,28596 ISO-8859-6,28597 ISO-8859-7,\
28598 ISO-8859-8,28599 ISO-8859-9,28601 ISO-8859-11,28603 ISO-8859-13,28605 ISO-8859-15,38598 ISO-8859-8-I,\
50220 ISO-2022-JP,50221 ISO-2022-JP,50222 ISO-2022-JP,50225 ISO-2022-KR,50227 ISO-2022-CN,50930 IBM930,50933 IBM933,50935 IBM935,50937 IBM937,50939 IBM939,51932 EUC-JP,51936 GBK,51949 EUC-KR,51950 EUC-TW,52936 HZ,54936 gb18030,65000 UTF-7,65001 UTF-8";

/// The second and further identifiers of an encoding.
const FURTHER: [u16; 6] = [20932, 20949, 50221, 50222, 51936, 51949];

#[test]
fn code_pages_have_the_numbers_of_microsofts_list() {
    let listed: Vec<(u16, &str)> = IDENTIFIERS
        .split(',')
        .map(|entry| entry.split_once(' ').unwrap())
        .map(|(number, name)| (number.parse().unwrap(), name))
        .collect();
    for number in 0..=u16::MAX {
        let name = listed.iter().find(|entry| entry.0 == number);
        let found = Encoding::for_windows_code_page(number).map(Encoding::name);
        assert_eq!(found, name.map(|entry| entry.1), "{number}");
    }
    for encoding in Encoding::all().iter().copied().chain(extended::all()) {
        let first = listed
            .iter()
            .find(|(number, name)| *name == encoding.name() && !FURTHER.contains(number));
        let number = first.map(|entry| entry.0);
        assert_eq!(encoding.windows_code_page(), number, "{encoding}");
    }
}

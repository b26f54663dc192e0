//! Messages about a decided encoding, a file decoded in two encodings, and a result compared with its source.

use crate::common::encoded;
use crate::common::tree::{folder, read};
use crate::{snapshot, told};
use std::path::Path;

const RUSSIAN: &str = "Вечером на веранде пили чай с вареньем и говорили о лете, которое прошло.\n";

fn all(path: &Path, lines: &[&str]) -> String {
    let told: Vec<_> = lines.iter().map(|line| told(path, line)).collect();
    told.join("\n")
}

#[test]
fn decisions_say_what_they_rest_on() {
    let ebcdic = mojika::extended::ibm(1047).unwrap();
    let mixed = [
        RUSSIAN.repeat(3).as_bytes(),
        &encoded(mojika::KOI8_R, &RUSSIAN.repeat(3)),
    ]
    .concat();
    let late = [
        encoded(mojika::KOI8_R, &RUSSIAN.repeat(2000)),
        RUSSIAN.repeat(2000).into_bytes(),
    ]
    .concat();
    let tree = folder(&[
        ("ascii.txt", b"nothing else\n"),
        ("utf-8.txt", RUSSIAN.as_bytes()),
        ("koi8.txt", &encoded(mojika::KOI8_R, RUSSIAN)),
        ("utf-16.txt", &encoded(mojika::UTF_16LE, RUSSIAN)),
        ("jp.txt", b"\x1B$B$3$l$O\x1B(B\n"),
        ("cn.txt", b"\x1B$)E\x0EIa\x0F\n"),
        (
            "host.txt",
            &encoded(ebcdic, "The quick brown fox jumps over the lazy dog.\n"),
        ),
        (
            "controls.txt",
            &[7, 0x1B, 1, 2, 3, 0x85, 4, 5, 6].repeat(30),
        ),
        ("zeros.bin", b"a\0b\xFF"),
        ("mixed.log", &mixed),
        ("late.txt", &late),
        ("few.txt", b"\xC4\xC1\n"),
        (
            "meta.html",
            &[
                b"<meta charset=windows-1252>",
                &encoded(mojika::KOI8_R, RUSSIAN)[..],
            ]
            .concat(),
        ),
        (
            "bad.xml",
            "<?xml version='1.0' encoding='UTF-16'?><a/>".as_bytes(),
        ),
    ]);
    let files = "ascii.txt utf-8.txt koi8.txt utf-16.txt jp.txt cn.txt host.txt controls.txt zeros.bin meta.html bad.xml none";
    let allow = "--allow koi8-r,utf-8,utf-16le,iso-2022-jp";
    let said = all(
        tree.path(),
        &[
            &format!("detect -v {files} {allow}"),
            &format!("detect -v --json {files} {allow}"),
            "detect -v cn.txt host.txt --extended --allow ibm1047",
            &format!(
                "convert {files} mixed.log late.txt few.txt -o out/ -j 1 {allow} --doubtful list"
            ),
            &format!("convert -f auto mixed.log -o one {allow}"),
            &format!("convert -f auto few.txt -o one {allow}"),
            &format!("convert -f auto cn.txt host.txt -o one {allow}"),
            &format!("check mixed.log late.txt few.txt controls.txt -j 1 {allow} --doubtful list"),
            &format!("show few.txt utf-16.txt -q {allow}"),
            &format!("show few.txt utf-16.txt zeros.bin bad.xml {allow}"),
        ],
    );
    snapshot("decisions.txt", &said);
    assert_eq!(read(&tree, "list"), b"mixed.log\nlate.txt\ncontrols.txt\n");
}

/// Two decodings are shown in columns, from shortly before the first difference of a line.
#[test]
fn two_readings_are_shown_side_by_side() {
    let long = format!("{}я\u{7}конец {}\n", "a".repeat(100), "ж".repeat(100));
    let many: String = (0..300)
        .map(|number| format!("строка {number}\n"))
        .collect();
    let tree = folder(&[
        ("same.txt", b"one\ntwo\n"),
        ("long.txt", &encoded(mojika::KOI8_R, &long)),
        ("many.txt", &encoded(mojika::KOI8_R, &many)),
        ("wide.txt", &encoded(mojika::EUC_KR, &"가나다 ".repeat(20))),
    ]);
    let said = all(
        tree.path(),
        &[
            "detect --compare koi8-r,windows-1251 same.txt long.txt",
            "detect --compare koi8-r,windows-1251 many.txt none.txt",
            "detect --compare euc-kr,gbk wide.txt",
        ],
    );
    let lines: Vec<_> = said.lines().collect();
    // Compare only the first and the last of many lines.
    let (first, last) = (lines.len().min(30), lines.len().saturating_sub(25));
    let shown = [&lines[..first], &lines[last.max(first)..]].concat();
    snapshot("compare.txt", &(shown.join("\n") + "\n"));
}

/// The result is right, right with remarks, or wrong.
#[test]
fn a_result_that_is_not_right_says_where_and_why() {
    let source = encoded(mojika::KOI8_R, RUSSIAN);
    let rows: [(&str, &[u8], &[u8]); 9] = [
        ("1.txt", &source, RUSSIAN.as_bytes()),
        ("2.txt", &source, b"\xFF"),
        ("3.txt", b"\xFF\xFEa\0", "a".as_bytes()),
        (
            "4.txt",
            b"\xEF\xBB\xBFa\xEE\x80\x80\x07\x0C\n",
            b"a\xEE\x80\x80\x07\x0C\n",
        ),
        ("5.txt", b"a\xFF\xE9 b", "a\u{FFFD}\u{FFFD} b".as_bytes()),
        ("6.txt", b"\x1B$B$3\x1B$B$l\x1B(B\n", "これ\n".as_bytes()),
        ("7.txt", b"one\ntwo", b"one\ntw"),
        ("8.txt", b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR", b""),
        ("9.xml", b"<?xml version='1.0' encoding='UTF-16'?><a/>", b""),
    ];
    let mut files: Vec<(String, &[u8])> = Vec::new();
    for (name, source, result) in rows {
        files.push((format!("src/{name}"), source));
        files.push((format!("out/{name}"), result));
    }
    let files: Vec<_> = files
        .iter()
        .map(|(name, bytes)| (&**name, *bytes))
        .collect();
    let tree = folder(&files);
    let said = all(
        tree.path(),
        &[
            "check --against src out --allow koi8-r,utf-8,iso-2022-jp --report report",
            "check --against src/5.txt out/5.txt -f utf-8",
            "check --against none out",
            "check --against src/1.txt out/1.txt -q",
        ],
    );
    snapshot("against.txt", &said);
    let report = String::from_utf8(read(&tree, "report")).unwrap();
    assert_eq!(report.lines().count(), 9, "{report}");
}

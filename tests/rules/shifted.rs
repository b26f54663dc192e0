//! HZ, ISO-2022-KR, CESU-8, Java's modified UTF-8 and WTF-8. Expected bytes are those of ICU, glibc, Python or Java.

use crate::common::{decodes, decodes_cleanly, encodes, encodes_html};
use mojika::{Encoding, extended};

fn named(name: &str) -> &'static Encoding {
    extended::for_name(name).unwrap()
}

#[test]
fn hz_shifts_by_tildes() {
    let hz = named("hz");
    decodes_cleanly(hz, b"a~{::~}~~\nb", "a汉~\nb");
    encodes(hz, "a汉~\nb", b"a~{::~}~~\nb");
    // A tilde before a line feed joins two lines. A line feed also shifts back to single bytes.
    decodes_cleanly(hz, b"a~\nb~{::\n::", "ab汉\n::");
    decodes(
        hz,
        b"~a~{~!\xFF:",
        "\u{FFFD}a\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}",
        &[(0, 1), (4, 1), (5, 1), (6, 1), (7, 1)],
    );
    encodes_html(hz, "汉ß", b"~{::~}&#223;", &[(3, 'ß')]);
    encodes_html(hz, "汉\u{E000}", b"~{::~}&#57344;", &[(3, '\u{E000}')]);
}

#[test]
fn iso_2022_kr_is_designated_once() {
    let kr = named("iso-2022-kr");
    decodes_cleanly(kr, b"\x1B$)Ca\x0EGQ\x0F\nb", "a한\nb");
    decodes_cleanly(kr, b"a\x1B$)C\x0EGQ \nGQ", "a한 \nGQ");
    encodes(kr, "a한\nb", b"\x1B$)Ca\x0EGQ\x0F\nb");
    encodes(kr, "", b"");
    decodes(kr, b"\x1B$)Da", "\u{FFFD}$)Da", &[(0, 1)]);
    // KS X 1001 lacks the syllable 똠.
    encodes_html(kr, "한똠", b"\x1B$)C\x0EGQ\x0F&#46624;", &[(3, '똠')]);
    encodes_html(kr, "\u{1B}", b"\x1B$)C&#65533;", &[(0, '\u{FFFD}')]);
}

#[test]
fn surrogates_have_three_bytes_each() {
    for name in ["cesu-8", "mutf-8"] {
        let encoding = named(name);
        decodes_cleanly(encoding, b"a\xED\xA1\x80\xED\xB0\x80\xE6\xBC\xA2", "a𠀀漢");
        encodes(
            encoding,
            "a𠀀é漢",
            b"a\xED\xA1\x80\xED\xB0\x80\xC3\xA9\xE6\xBC\xA2",
        );
        decodes(encoding, b"\xED\xA1\x80a", "\u{FFFD}a", &[(0, 3)]);
        decodes(encoding, b"\xED\xB0\x80a", "\u{FFFD}a", &[(0, 3)]);
        decodes(
            encoding,
            b"\xED\xA1\x80\xED\x9F\xBF",
            "\u{FFFD}\u{D7FF}",
            &[(0, 3)],
        );
        let four = "\u{FFFD}".repeat(4);
        let errors = [(0, 1), (1, 1), (2, 1), (3, 1)];
        decodes(encoding, b"\xF0\xA0\x80\x80", &four, &errors);
        decodes(
            encoding,
            b"\xED\xA1\x80\xED\xB0",
            "\u{FFFD}\u{FFFD}",
            &[(0, 3), (3, 2)],
        );
    }
}

#[test]
fn java_has_two_bytes_for_null() {
    let java = named("mutf-8");
    decodes_cleanly(java, b"a\xC0\x80b\0", "a\0b\0");
    encodes(java, "a\0b", b"a\xC0\x80b");
    decodes(
        named("cesu-8"),
        b"\xC0\x80",
        "\u{FFFD}\u{FFFD}",
        &[(0, 1), (1, 1)],
    );
    encodes(named("cesu-8"), "\0", b"\0");
}

#[test]
fn wtf_8_is_utf_8_with_one_error_for_each_surrogate() {
    let wtf = named("wtf-8");
    decodes_cleanly(wtf, "a\0é漢𠀀".as_bytes(), "a\0é漢𠀀");
    encodes(wtf, "a\0é漢𠀀", "a\0é漢𠀀".as_bytes());
    decodes(wtf, b"\xED\xA1\x80a", "\u{FFFD}a", &[(0, 3)]);
    decodes(wtf, b"\xED\xB0\x80a", "\u{FFFD}a", &[(0, 3)]);
    // A pair has four bytes.
    decodes(
        wtf,
        b"\xED\xA1\x80\xED\xB0\x80a",
        "\u{FFFD}\u{FFFD}a",
        &[(0, 3), (3, 3)],
    );
    decodes(
        wtf,
        b"\xF0\xA0\x80a\xF0\x8F\xC3\xA9\xED\xA1",
        "\u{FFFD}a\u{FFFD}\u{FFFD}é\u{FFFD}",
        &[(0, 3), (4, 1), (5, 1), (8, 2)],
    );
    decodes(
        wtf,
        b"\xF4\x90\xF5\xC0\xA0",
        &"\u{FFFD}".repeat(5),
        &[(0, 1), (1, 1), (2, 1), (3, 1), (4, 1)],
    );
}

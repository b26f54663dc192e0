//! ISO-2022-JP-1, -2, -3 and -2004, EUC-JIS-2004, Shift_JIS-2004. Expected bytes are those of glibc and Python.

use crate::common::{decodes, decodes_cleanly, encodes, encodes_html};
use mojika::{Encoding, Status, extended};

fn named(name: &str) -> &'static Encoding {
    extended::for_name(name).unwrap()
}

#[test]
fn more_sets_are_designated_by_longer_sequences() {
    for (name, text, bytes) in [
        (
            "iso-2022-jp-1",
            "漢é字丂a",
            &b"\x1B$B4A\x1B$(D+1\x1B$B;z\x1B$(D0!\x1B(Ba"[..],
        ),
        (
            "iso-2022-jp-2",
            "漢é丂汉한Çα\nÇ",
            b"\x1B$B4A\x1B$(D+10!\x1B$A::\x1B$(CGQ\x1B$(D*.\x1B$B&A\x1B(B\n\x1B$(D*.\x1B(B",
        ),
        (
            "iso-2022-jp-3",
            "漢ゕ㐂俱𠂉ｱ",
            b"\x1B$B4A\x1B$(O$u.#\x1B$(Q.!\x1B$(P!!\x1B(I1\x1B(B",
        ),
        (
            "iso-2022-jp-2004",
            "漢ゕ㐂俱𠂉",
            b"\x1B$B4A\x1B$(Q$u.#.!\x1B$(P!!\x1B(B",
        ),
    ] {
        decodes_cleanly(named(name), bytes, text);
        encodes(named(name), text, bytes);
    }
}

#[test]
fn the_second_set_is_for_one_byte_and_one_line() {
    let jp_2 = named("iso-2022-jp-2");
    // Only sets of 96 characters have the no-break space and the drachma sign.
    let text = "a\u{A0}\u{20AF}\u{A0}\n\u{A0}";
    let bytes = b"a\x1B.A\x1BN \x1B.F\x1BN%\x1B.A\x1BN \n\x1B.A\x1BN ";
    decodes_cleanly(jp_2, bytes, text);
    encodes(jp_2, text, bytes);
    // An escape for the second set without a designation, or after the line for which it was designated.
    decodes(jp_2, b"\x1BNi", "\u{FFFD}Ni", &[(0, 1)]);
    decodes(jp_2, b"\x1B.A\n\x1BNi", "\n\u{FFFD}Ni", &[(4, 1)]);
    // A byte above 0x7F, and an unmapped byte, in the second set.
    decodes(
        jp_2,
        b"\x1B.F\x1BN\xE9\x1BN\x52",
        "\u{FFFD}\u{FFFD}\u{FFFD}",
        &[(3, 2), (5, 1), (6, 3)],
    );
    // The escape sequence for GB 2312 in the form that Python writes.
    decodes_cleanly(jp_2, b"\x1B$(A::", "汉");
}

#[test]
fn sets_are_those_of_their_own_standards() {
    for name in ["iso-2022-jp-1", "iso-2022-jp-2"] {
        let jp = named(name);
        // Characters that the Standard's index maps to full-width forms. JIS X 0212 has the full-width tilde.
        decodes_cleanly(jp, b"\x1B$B!A!B!]!q!r\"L\x1B$(D\"7", "〜‖−¢£¬～");
        encodes(jp, "〜～", b"\x1B$B!A\x1B$(D\"7\x1B(B");
        // Malformed input: row 13, which is NEC's; bytes above 0x7F and shifts; a line end or space after a lead byte.
        decodes(jp, b"\x1B$B-!", "\u{FFFD}", &[(3, 2)]);
        decodes(
            jp,
            b"a\x80\x0E\x1B$B0\n0 ",
            "a\u{FFFD}\u{FFFD}\u{FFFD}\n\u{FFFD} ",
            &[(1, 1), (2, 1), (6, 1), (8, 1)],
        );
        decodes(jp, b"\x1B$(Z\x1B", "\u{FFFD}$(Z\u{FFFD}", &[(0, 1), (4, 1)]);
        encodes_html(
            jp,
            "漢ｱ漢\u{E}",
            b"\x1B$B4A\x1B(B&#65393;\x1B$B4A\x1B(B&#65533;",
            &[(3, 'ｱ'), (9, '\u{FFFD}')],
        );
    }
    // The set of 2000 lacks the ten characters of the set of 2004.
    for name in ["iso-2022-jp-3", "iso-2022-jp-2004"] {
        decodes(named(name), b"\x1B$(O.!\x1B$(Q.!", "\u{FFFD}俱", &[(4, 2)]);
    }
}

#[test]
fn both_planes_of_jis_x_0213_have_bytes() {
    for (name, text, bytes) in [
        (
            "euc-jis-2004",
            "漢㐂俱𠂉ｱ\\~￥＼",
            &b"\xB4\xC1\xAE\xA3\xAE\xA1\x8F\xA1\xA1\x8E\xB1\\~\xA1\xEF\xA1\xC0"[..],
        ),
        (
            "shift_jis-2004",
            "漢㐂俱𠂉ｱ\\~¥‾",
            b"\x8A\xBF\x87\xA1\x87\x9F\xF0@\xB1\x81_\x81\xB0\\~",
        ),
    ] {
        decodes_cleanly(named(name), bytes, text);
        encodes(named(name), text, bytes);
    }
    // Two pairs decode to two characters each. U+309A has no pair of its own.
    let euc = named("euc-jis-2004");
    decodes_cleanly(euc, b"\xA4\xF7\xAB\xC4", "か\u{309A}æ\u{300}");
    encodes_html(
        euc,
        "か\u{309A}æ\u{300}",
        b"\xA4\xAB&#12442;\xA9\xDC\xAB\xDC",
        &[(3, '\u{309A}')],
    );
    decodes_cleanly(named("shift_jis-2004"), b"\x82\xF5", "か\u{309A}");
    decodes(
        euc,
        b"\x8FA\x8F\xA1A\x8F\xA2\xA1\x8EA\xA0",
        "\u{FFFD}A\u{FFFD}A\u{FFFD}\u{FFFD}A\u{FFFD}",
        &[(0, 1), (2, 2), (5, 3), (8, 1), (10, 1)],
    );
    encodes_html(named("shift_jis-2004"), "＼", b"&#65340;", &[(0, '＼')]);
}

#[test]
fn two_characters_of_a_pair_come_one_by_one_where_only_one_fits() {
    for (encoding, bytes) in [
        (named("euc-jis-2004"), &b"\xA4\xF7a"[..]),
        (named("shift_jis-2004"), b"\x82\xF5"),
        (extended::ibm(1390).unwrap(), b"\x0E\xEC\xB5\x0F\x81"),
    ] {
        let mut decoder = encoding.new_decoder();
        let (mut text, mut read) = (String::new(), 0);
        for _ in 0..8 {
            let mut room = [0_u8; 4];
            let progress = decoder.decode(&bytes[read..], &mut room[..], true);
            text.push_str(str::from_utf8(&room[..progress.written]).unwrap());
            read += progress.read;
            if progress.status == Status::InputEmpty {
                break;
            }
        }
        assert_eq!(text, encoding.decode(bytes).text, "{encoding}");
    }
}

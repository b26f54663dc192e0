//! EUC-TW and ISO-2022-CN. Expected bytes are those of ICU and glibc.

use crate::common::{decodes, decodes_cleanly, encodes, encodes_html};
use mojika::{Encoding, extended};

fn named(name: &str) -> &'static Encoding {
    extended::for_name(name).unwrap()
}

#[test]
fn euc_tw_has_planes_1_and_2() {
    let euc_tw = named("euctw");
    let text = "漢字 ABC 乂龘，①";
    let bytes = b"\xE9\xC7\xC7\xF3 ABC \x8E\xA2\xA1\xA1\x8E\xA2\xF2\xC4\xA1\xA2\xA6\xA1";
    decodes_cleanly(euc_tw, bytes, text);
    encodes(euc_tw, text, bytes);
    // Plane 1 as four bytes, and planes that are not supported.
    decodes_cleanly(euc_tw, b"\x8E\xA1\xC7\xF3", "字");
    decodes(
        euc_tw,
        b"\x8E\xA3\xA1\xA1\xFE\xFE\x8E\xB1\xC7\xF3\x8E\xA2A\x80\xC7",
        "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}A\u{FFFD}\u{FFFD}",
        &[
            (0, 4),
            (4, 2),
            (6, 1),
            (7, 2),
            (9, 1),
            (10, 2),
            (13, 1),
            (14, 1),
        ],
    );
    encodes_html(euc_tw, "字é", b"\xC7\xF3&#233;", &[(3, 'é')]);
}

#[test]
fn iso_2022_cn_designates_its_sets_for_a_line() {
    let iso_2022_cn = named("iso-2022-cn");
    let text = "汉字 A漢乂字\n字";
    let bytes = b"\x1B$)A\x0E::WV\x0F A\x1B$)G\x0EiG\x1B$*H\x1BN!!\x1B$)AWV\x0F\n\x1B$)A\x0EWV\x0F";
    decodes_cleanly(iso_2022_cn, bytes, text);
    encodes(iso_2022_cn, text, bytes);
    // A shift without a designated set, or after the line for which it was designated.
    decodes(
        iso_2022_cn,
        b"\x0EWV\x1BN!!\x1B$)A\n\x0Eab\x1B$)Bc\x80",
        "\u{FFFD}WV\u{FFFD}N!!\n\u{FFFD}ab\u{FFFD}$)Bc\u{FFFD}",
        &[(0, 1), (3, 1), (12, 1), (15, 1), (20, 1)],
    );
    encodes_html(
        iso_2022_cn,
        "字ñ\u{E}",
        b"\x1B$)A\x0EWV\x0F&#241;&#65533;",
        &[(3, 'ñ'), (5, '\u{FFFD}')],
    );
}

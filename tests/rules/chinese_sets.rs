//! GB 18030 of 2005, and Big5 with the Hong Kong supplement. Expected bytes are those of ICU, glibc and Python.

use crate::common::{decodes, decodes_cleanly, encodes, encodes_html};
use mojika::{Encoding, GB18030, extended};

fn named(name: &str) -> &'static Encoding {
    extended::for_name(name).unwrap()
}

#[test]
fn gb18030_of_2005_has_18_characters_elsewhere() {
    let of_2005 = named("gb18030-2005");
    let pairs = b"\xA6\xD9\xA6\xDF\xA6\xEC\xA6\xF3\xFE\x59\xFE\x7E\xFE\x90\xFE\xA0";
    let of_users = "\u{E78D}\u{E793}\u{E794}\u{E796}\u{E81E}\u{E843}\u{E854}\u{E864}";
    decodes_cleanly(of_2005, pairs, of_users);
    encodes(of_2005, of_users, pairs);
    // The characters that the changed pairs decode to since 2022; in 2005 they had four bytes.
    let fours = b"\x82\x35\x90\x37\x82\x35\x91\x34\x84\x31\x82\x36\x84\x31\x83\x35";
    let text = "\u{9FB4}\u{9FBB}\u{FE10}\u{FE19}";
    decodes_cleanly(of_2005, fours, text);
    encodes(of_2005, text, fours);
    let mut differing = 0;
    for lead in 0x81..=0xFE {
        for trail in 0x40..=0xFE {
            let pair = [lead, trail];
            differing += u32::from(of_2005.decode(&pair).text != GB18030.decode(&pair).text);
        }
    }
    assert_eq!(differing, 18 + 1, "and the ideographic space of the Web");
}

#[test]
fn gb18030_of_2005_lacks_what_the_web_adds() {
    let of_2005 = named("gb18030-2005");
    let text = "汉字 ABC €\u{E5E5}\u{20087}\u{1E3F}\u{E7C7}";
    let bytes = b"\xBA\xBA\xD7\xD6 ABC \xA2\xE3\xA3\xA0\x95\x32\x90\x31\xA8\xBC\x81\x35\xF4\x37";
    decodes_cleanly(of_2005, bytes, text);
    encodes(of_2005, text, bytes);
    decodes(
        of_2005,
        b"\x80\x81\x30\x81\x41\x81\x41\xE3\x32\x9A\x36\xFF",
        "\u{FFFD}\u{FFFD}0丄丄\u{FFFD}\u{FFFD}",
        &[(0, 1), (1, 1), (7, 4), (11, 1)],
    );
}

#[test]
fn big5_hkscs_encodes_the_supplement() {
    let hkscs = named("big5-hkscs:2008");
    // Characters of the supplement before Big5's first row, and characters added in 2008.
    let text = "香港嘛\u{43F0}\u{3875}\u{9FC7}";
    let bytes = b"\xAD\xBB\xB4\xE4\xB9\xC0\x87\x40\x87\x7A\x87\xC2";
    decodes_cleanly(hkscs, bytes, text);
    encodes(hkscs, text, bytes);
    decodes_cleanly(
        hkscs,
        b"\x88\x62\x88\xA5\x88\x66",
        "\u{CA}\u{304}\u{EA}\u{30C}\u{CA}",
    );
    encodes_html(hkscs, "\u{CA}\u{304}", b"\x88\x66&#772;", &[(2, '\u{304}')]);
}

#[test]
fn big5_hkscs_writes_no_reserved_pair() {
    let hkscs = named("hkscs-big5");
    // Pairs that are decoded but not encoded, because their characters have another pair in Big5 or in the supplement.
    for (reserved, written) in [
        (b"\x8E\x69", b"\xBA\xE6"),
        (b"\x8F\xCC", b"\xA0\xD4"),
        (b"\x96\xED", b"\x96\xEE"),
        (b"\xC6\xD7", b"\x90\xC4"),
        (b"\xFE\x52", b"\x99\x75"),
    ] {
        let text = hkscs.decode(reserved).text;
        encodes(hkscs, &text, written);
        decodes_cleanly(hkscs, written, &text);
    }
}

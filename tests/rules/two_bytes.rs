//! Johab, and GB 2312 in EUC. Expected bytes are those of glibc and Python.

use crate::common::{decodes, decodes_cleanly, encodes, encodes_html};
use mojika::{Encoding, extended};

fn named(name: &str) -> &'static Encoding {
    extended::for_name(name).unwrap()
}

#[test]
fn johab_has_syllables_by_their_parts() {
    let johab = named("johab");
    let text = "한글 ABC 똠 漢字 ㄱㅏㄳ\u{3164}\\";
    let bytes =
        b"\xD0\x65\x8B\x69 ABC \x99\xB1 \xF7\xD3\xF1\xAE \x88\x41\x84\x61\x84\x44\xDA\xD4\\";
    decodes_cleanly(johab, bytes, text);
    encodes(johab, text, bytes);
    // Unmapped: a final consonant that has a pair as an initial, no jamo at all, a jamo of row 4, a character of 2002.
    for pair in [b"\x84\x42", b"\x84\x41"] {
        let second = char::from(pair[1]);
        decodes(johab, pair, &format!("\u{FFFD}{second}"), &[(0, 1)]);
    }
    decodes(
        johab,
        b"\xDA\xA1\xD9\xE8",
        "\u{FFFD}\u{FFFD}",
        &[(0, 2), (2, 2)],
    );
    decodes(johab, b"\x80\xD0", "\u{FFFD}\u{FFFD}", &[(0, 1), (1, 1)]);
    encodes_html(johab, "한é", b"\xD0\x65&#233;", &[(3, 'é')]);
}

#[test]
fn gb2312_lacks_what_gbk_adds() {
    let gb2312 = named("gb2312");
    let text = "汉字 ABC ・―";
    let bytes = b"\xBA\xBA\xD7\xD6 ABC \xA1\xA4\xA1\xAA";
    decodes_cleanly(gb2312, bytes, text);
    encodes(gb2312, text, bytes);
    decodes(
        gb2312,
        b"\xA2\xA1\x81A\xFE",
        "\u{FFFD}\u{FFFD}A\u{FFFD}",
        &[(0, 2), (2, 1), (4, 1)],
    );
    encodes_html(gb2312, "漢·", b"&#28450;&#183;", &[(0, '漢'), (3, '·')]);
}

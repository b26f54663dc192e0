//! The suite's long pages and lists for the legacy multi-byte encodings: every character of an index decodes
//! (`…-decode.html`), every character of a range becomes its bytes in links and forms (`…-encode-href.html`,
//! `…-encode-form.html`) or a reference (`…-encode-href-errors-han.html` and so on). Expectations are the
//! transliteration's, as the suite has a transliteration of its own in each directory.

use mojika::{BomHandling, Encoding};
use mojika_spec::hooks::{decode_bytes_without_bom_handling, encode_string};

/// The ranges that the suite walks.
const RANGES: [(&str, core::ops::Range<u32>); 3] = [
    ("all of the basic plane but ASCII", 0x80..0xFFFF),
    ("extension B, first part", 0x20000..0x2536B),
    ("extension B, second part", 0x2536B..0x2A6E0),
];

fn encodes_like_the_standard(label: &str) {
    let encoding = Encoding::for_label(label).expect(label);
    let spec = mojika_spec::get_an_encoding(label).expect(label);
    let mut unmappable = 0;
    for (range, code_points) in RANGES {
        for scalar in code_points.filter_map(char::from_u32) {
            let text = scalar.encode_utf8(&mut [0; 4]).to_owned();
            let encoded = encoding.encode_html(&text).expect("an encoder");
            assert_eq!(
                *encoded.bytes,
                encode_string(&text, spec),
                "{label}: U+{:04X} of {range}",
                u32::from(scalar)
            );
            if encoded.had_errors {
                unmappable += 1;
                let reference = format!("&#{};", u32::from(scalar));
                assert_eq!(*encoded.bytes, *reference.as_bytes(), "{label}");
            }
        }
    }
    // Of gb18030 only U+E5E5 has no bytes.
    assert_eq!(unmappable <= 1, label == "gb18030", "{label}: {unmappable}");
}

/// Every pair of a lead byte and another one, behind `before`.
fn decodes_like_the_standard(label: &str, before: &[u8]) {
    let encoding = Encoding::for_label(label).expect(label);
    let spec = mojika_spec::get_an_encoding(label).expect(label);
    let low_bits = label == "iso-2022-jp";
    for lead in if low_bits {
        0x21..=0x7E
    } else {
        0x80..=0xFF_u8
    } {
        for trail in 0..=0xFF_u8 {
            let bytes = [before, &[lead, trail]].concat();
            assert_eq!(
                encoding.decode_with(&bytes, BomHandling::Keep).text,
                decode_bytes_without_bom_handling(&bytes, spec),
                "{label}: {bytes:02X?}"
            );
        }
    }
}

/// One test for each encoding, so that they run side by side.
macro_rules! encodings {
    ($($decode:ident, $encode:ident: $label:literal, $before:expr;)*) => {$(
        #[test]
        fn $decode() {
            decodes_like_the_standard($label, $before);
        }

        #[test]
        fn $encode() {
            encodes_like_the_standard($label);
        }
    )*};
}

encodings! {
    big5_decode, big5_encode_href: "big5", b"";
    eucjp_decode, eucjp_encode_href: "euc-jp", b"";
    euckr_decode, euckr_encode_href: "euc-kr", b"";
    gb18030_decode, gb18030_encode_href: "gb18030", b"";
    gbk_decode, gbk_encode_href: "gbk", b"";
    iso2022jp_decode, iso2022jp_encode_href: "iso-2022-jp", b"\x1B$B";
    sjis_decode, sjis_encode_href: "shift_jis", b"";
}

#[test]
fn eucjp_decode_three_bytes() {
    decodes_like_the_standard("euc-jp", b"\x8F");
}

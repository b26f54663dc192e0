//! GSM 03.38. Expected bytes are those of ICU and Perl.

use crate::common::{decodes, decodes_cleanly, encodes, encodes_html};
use mojika::extended;

#[test]
fn gsm_has_an_alphabet_and_an_extension_of_it() {
    let gsm = extended::for_name("gsm-03.38-2009").unwrap();
    let text = "@£Ω ¡Ñandù! {[€]}\\~|^\u{C}";
    let bytes = b"\x00\x01\x15 \x40\x5Dand\x06! \x1B\x28\x1B\x3C\x1B\x65\x1B\x3E\x1B\x29\x1B\x2F\x1B\x3D\x1B\x40\x1B\x14\x1B\x0A";
    decodes_cleanly(gsm, bytes, text);
    encodes(gsm, text, bytes);
    encodes_html(gsm, "`ç", b"&#96;&#231;", &[(0, '`'), (1, 'ç')]);
}

#[test]
fn gsm_reads_the_byte_after_an_unknown_escape_in_the_default_alphabet() {
    let gsm = extended::for_name("gsm0338").unwrap();
    decodes(gsm, b"a\x1B\x41b", "a\u{FFFD}Ab", &[(1, 1)]);
    decodes(gsm, b"\x1B\x1B\x65", "\u{FFFD}€", &[(0, 1)]);
    decodes(
        gsm,
        b"\x1B\x80\x1B",
        "\u{FFFD}\u{FFFD}\u{FFFD}",
        &[(0, 1), (1, 1), (2, 1)],
    );
}

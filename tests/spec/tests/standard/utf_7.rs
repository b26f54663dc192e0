//! UTF-7 and IMAP's.

use super::extended::named;
use mojika_spec::hooks::{decode_bytes, encode_string};

/// The examples of both RFCs.
#[test]
fn examples_of_the_rfcs() {
    let mail = named("UTF-7");
    for (bytes, text) in [
        (&b"A+ImIDkQ."[..], "A\u{2262}\u{391}."),
        (b"Hi Mom -+Jjo--!", "Hi Mom -\u{263A}-!"),
        (b"+ZeVnLIqe-", "日本語"),
        (b"Item 3 is +AKM-1.", "Item 3 is £1."),
    ] {
        assert_eq!(decode_bytes(bytes, mail), text);
        assert_eq!(encode_string(text, mail), bytes);
    }
    let imap = named("UTF-7-IMAP");
    let text = "~peter/mail/台北/日本語";
    let bytes = b"~peter/mail/&U,BTFw-/&ZeVnLIqe-";
    assert_eq!(decode_bytes(bytes, imap), text);
    assert_eq!(encode_string(text, imap), bytes);
}

//! Mail is left out: a message has parts in several encodings.

use super::common::tree::{folder, read, run, status};

const MESSAGE: &[u8] = b"Return-Path: <a@b.example>\nReceived: from x\n\tby y; 1 Jan 2003\nFrom: a@b.example\nTo: c@d.example\nSubject: x\nDate: Wed, 1 Jan 2003 10:00:00 +0300\nMessage-ID: <1@b>\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain; charset=koi8-r\nContent-Transfer-Encoding: 8bit\n\n\xF0\xD2\xC9\xD7\xC5\xD4\n--b\nContent-Type: text/plain; charset=windows-1251\nContent-Transfer-Encoding: 8bit\n\n\xCF\xF0\xE8\xE2\xE5\xF2\n--b--\n";

#[test]
fn messages_and_mailboxes_are_left_out_with_the_reason() {
    let mailbox = [b"From a@b.example Wed Jan  1 10:00:00 2003\n", MESSAGE].concat();
    let note = mojika::KOI8_R
        .encode("Это заметка, и она не письмо.\n")
        .unwrap()
        .repeat(5);
    let folder = folder(&[
        ("src/a.eml", MESSAGE),
        ("src/inbox", &mailbox),
        ("src/cur/1041404400.M1P1.host:2,S", MESSAGE),
        ("src/note.txt", &note),
    ]);
    for from in ["auto", "koi8-r"] {
        let said = status(
            &folder,
            &format!("convert --from {from} src -o out-{from}"),
            0,
        );
        assert!(said.contains("1 converted, 3 skipped"), "{said}");
        assert!(
            said.contains("2  a mail message") && said.contains("1  a mailbox"),
            "{said}"
        );
    }
    let said = status(&folder, "convert --from auto --in-place src", 0);
    assert!(said.contains("1 converted, 3 skipped"), "{said}");
    assert_eq!(read(&folder, "src/a.eml"), MESSAGE);
    // One that is named is converted if the user says what it is, or that it is text.
    let refused = run(&folder, "convert --from auto src/a.eml");
    assert_eq!(refused.status, 1);
    assert!(
        refused.stderr.contains("a mail message"),
        "{}",
        refused.stderr
    );
    assert!(run(&folder, "convert --from koi8-r src/a.eml").ok().len() > MESSAGE.len());
    let said = status(&folder, "convert --from koi8-r --text src -o all", 0);
    assert!(
        said.contains("3 converted, 1 in the output encoding already")
            || said.contains("4 converted"),
        "{said}"
    );
}

//! Edits by name. The proof edits every encoding, malformed input, and any offset.

#[path = "../../../tests/common/mod.rs"]
mod common;
#[path = "../../../tests/drive/src/edits.rs"]
#[allow(dead_code, reason = "the proof takes the rest")]
mod edits;

use common::{Random, everything, hex, oracle};
use edits::{Outcome, check, encodable, random_edits};
use mojika::{
    BIG5, BomHandling, EncodeError, Encoding, Fallback, GB18030, ISO_2022_JP, SHIFT_JIS, UTF_8,
    UTF_16BE, UTF_16LE, WINDOWS_1252, extended,
};
use mojika_edit::{Document, EditError, LineEnds};
use mojika_spec::DecodeItem;

#[track_caller]
fn edited(
    encoding: &'static Encoding,
    bytes: &[u8],
    old: &str,
    new: &str,
) -> Result<Vec<u8>, EditError> {
    let mut document = Document::open(bytes, encoding);
    let at = document.text().find(old).expect("the text is there");
    document.replace(at..at + old.len(), new)?;
    document.write()
}

#[test]
fn second_bytes_of_a_character_stay() {
    // NEC row 13 and IBM's own rows share characters, which encoders write in one row only.
    let file = b"\x87\x90\x81\xE0\xFA\x54 \x82\xA0";
    assert_eq!(
        edited(SHIFT_JIS, file, "あ", "い").unwrap(),
        b"\x87\x90\x81\xE0\xFA\x54 \x82\xA2"
    );
}

#[test]
fn what_would_combine_is_refused() {
    let combines = |encoding, bytes: &[u8], old: &str, new: &str| {
        matches!(
            edited(encoding, bytes, old, new),
            Err(EditError::Combines { .. })
        )
    };
    // A lead byte without a trail byte would take the next character.
    assert!(combines(SHIFT_JIS, b"\x82\"a", "\"", ""));
    assert!(combines(GB18030, b"\x81\x30a", "a", "\u{80}"));
    assert!(combines(UTF_16LE, b"\x3D\xD8a\0\xA9\xDC", "a", ""));
    assert!(!combines(UTF_16BE, b"\0a\xD8", "a\u{FFFD}", "b\u{FFFD}"));
    // The result would start with a byte order mark.
    assert!(combines(WINDOWS_1252, b"x\xBB\xBF", "x", "ï"));
    assert!(combines(UTF_8, b"a", "a", "\u{FEFF}a"));
    // An inserted escape sequence after a malformed one would not be text.
    assert!(edited(ISO_2022_JP, b"\x1Bx", "x", "(B").is_ok());
    // After a byte order mark, a second one is text.
    assert!(edited(UTF_8, b"\xEF\xBB\xBFa", "a", "\u{FEFF}a").is_ok());
}

/// The error names the refused edit, with any other edits near or far.
#[test]
fn what_would_combine_has_its_place() {
    let far = "日本".repeat(3000);
    let filler = SHIFT_JIS.encode(&far).unwrap();
    let bytes = [b"ab\x82\"c \x81\"d", &*filler, b"e\x83\"f"].concat();
    let text = format!("ab\u{FFFD}\"c \u{FFFD}\"d{far}e\u{FFFD}\"f");
    let quotes: Vec<usize> = text.match_indices('"').map(|(at, _)| at).collect();
    let sources = [3, 7, bytes.len() - 2];
    for (wrong, source) in quotes.iter().zip(sources) {
        let mut document = Document::open(&bytes, SHIFT_JIS);
        assert_eq!(document.text(), text);
        // All letters are edited, and one of the quotation marks is removed.
        for (at, _) in text.match_indices(['a', 'b', 'c', 'd', 'e', 'f']) {
            document.replace(at..at + 1, "文").unwrap();
        }
        assert!(document.write().is_ok());
        document.replace(*wrong..wrong + 1, "").unwrap();
        let offset = *wrong;
        assert_eq!(
            document.write(),
            Err(EditError::Combines { offset, source })
        );
    }
    // Either line end can be removed, but not both: 81 30 81 30 is a character.
    let filler = GB18030.encode(&far).unwrap();
    let bytes = [b"\x81\n0\n\x810\n", &*filler].concat();
    let mut document = Document::open(&bytes, GB18030);
    for at in [3, 5] {
        document.replace(at..at + 1, "").unwrap();
        assert_eq!(document.write().is_ok(), at == 3);
    }
    assert_eq!(
        document.write(),
        Err(EditError::Combines {
            offset: 3,
            source: 1
        })
    );
}

#[test]
fn odd_bytes_at_the_end_stay() {
    assert_eq!(edited(UTF_16LE, b"a\0b", "a", "é").unwrap(), b"\xE9\0b");
    let mut document = Document::open(b"a\0b", UTF_16LE);
    document.replace(4..4, "c").unwrap();
    assert!(matches!(
        document.write(),
        Err(EditError::Combines { source: 3, .. })
    ));
}

#[test]
fn escape_sequences_are_the_fewest() {
    let jis = |bytes: &[u8], old: &str, new: &str| edited(ISO_2022_JP, bytes, old, new).unwrap();
    let file = b"a\x1B$BJ8;z\x1B(Bb";
    assert_eq!(jis(file, "字", "文"), b"a\x1B$BJ8J8\x1B(Bb");
    assert_eq!(jis(file, "文", ""), b"a\x1B$B;z\x1B(Bb");
    assert_eq!(jis(file, "文字", ""), b"a\x1B(Bb");
    assert_eq!(jis(file, "文字", "xy"), b"axy\x1B(Bb");
    assert_eq!(jis(file, "a", "a文"), b"a\x1B$BJ8J8;z\x1B(Bb");
    assert_eq!(jis(file, "b", "字b"), b"a\x1B$BJ8;z;z\x1B(Bb");
    assert_eq!(jis(file, "文", "x"), b"ax\x1B$B;z\x1B(Bb");
    // ESC $ @ designates JIS C 6226, which no encoder writes.
    assert_eq!(jis(b"\x1B$@J8;z\x1B(B", "字", "文"), b"\x1B$@J8J8\x1B(B");
    // Half-width katakana have a character set of their own.
    assert_eq!(jis(b"\x1B(I12\x1B(B", "ｱ", "ｲ"), b"\x1B(I22\x1B(B");
}

#[test]
fn shifts_are_the_fewest() {
    let named = |name| extended::find(name).expect("a name");
    let edit = |name, bytes: &[u8], old, new| edited(named(name), bytes, old, new).unwrap();
    let file = b"~{VP9zND~}a";
    assert_eq!(edit("HZ", file, "国", "中"), b"~{VPVPND~}a");
    assert_eq!(edit("HZ", file, "国", "b"), b"~{VP~}b~{ND~}a");
    assert_eq!(edit("HZ", file, "中", "b"), b"b~{9zND~}a");
    assert_eq!(edit("HZ", file, "文", ""), b"~{VP9z~}a");
    assert_eq!(edit("HZ", file, "a", "中"), b"~{VP9zNDVP~}");
    assert_eq!(edit("HZ", file, "a", "中a"), b"~{VP9zNDVP~}a");
    let korean = "extended:ISO-2022-KR";
    let file = b"\x1B$)C\x0E0!3*\x0Fa\x0E0!\x0F";
    let edit_first = |new: &str| {
        let mut document = Document::open(file, named(korean));
        document.replace(0..3, new).unwrap();
        document.write().unwrap()
    };
    assert_eq!(
        edit(korean, file, "나", "가"),
        b"\x1B$)C\x0E0!0!\x0Fa\x0E0!\x0F"
    );
    assert_eq!(
        edit(korean, file, "나", "b"),
        b"\x1B$)C\x0E0!\x0Fb\x0Fa\x0E0!\x0F"
    );
    assert_eq!(
        edit(korean, file, "a", "나"),
        b"\x1B$)C\x0E0!3*3*\x0E0!\x0F"
    );
    // The designation stays, and is added if it is missing.
    assert_eq!(edit_first(""), b"\x1B$)C\x0E3*\x0Fa\x0E0!\x0F");
    assert_eq!(edit_first("b"), b"\x1B$)Cb\x0E3*\x0Fa\x0E0!\x0F");
    assert_eq!(edit(korean, file, "가나a", ""), b"\x1B$)C\x0E0!\x0F");
    assert_eq!(edit(korean, b"ab", "b", "가"), b"a\x1B$)C\x0E0!\x0F");
    let file = b"\x0EE\\E\x8FE\xCA\x0F\x81";
    assert_eq!(edit("IBM939", file, "国", "中"), b"\x0EE\\E\\E\xCA\x0F\x81");
    assert_eq!(
        edit("IBM939", file, "国", "b"),
        b"\x0EE\\\x0F\x82\x0EE\xCA\x0F\x81"
    );
    let file = b"\x1B$BCf9qJ8\x1B(Ba";
    assert_eq!(
        edit("ISO-2022-JP-2", file, "国", "中"),
        b"\x1B$BCfCfJ8\x1B(Ba"
    );
}

#[test]
fn characters_of_utf_7_share_digits() {
    let edit = |bytes: &[u8], old, new| {
        edited(extended::find("UTF-7").expect("a name"), bytes, old, new).unwrap()
    };
    assert_eq!(edit(b"a+AOk-b", "é", "è"), b"a+AOg-b");
    assert_eq!(edit(b"a+AOk-b", "é", "e"), b"aeb");
    assert_eq!(edit(b"a+AOk b", "é", "e"), b"ae b");
    assert_eq!(edit(b"a+AOk b", " ", "b"), b"a+AOk-bb");
    assert_eq!(edit(b"+AOkA6A-b", "é", "e"), b"e+AOg-b");
    assert_eq!(edit(b"+AOkA6A-b", "è", "aè"), b"+AOk-a+AOg-b");
    assert_eq!(edit(b"+AOkA6A", "è", ""), b"+AOk");
    // Distant characters keep their bytes: "b" need not be in Base64.
    assert_eq!(edit(b"+AGI- +AOk-", "é", "è"), b"+AGI- +AOg-");
    assert_eq!(
        edit(b"+AGI- +AOkA6A-b +AGI-", "é", "e"),
        b"+AGI- e+AOg-b +AGI-"
    );
}

#[test]
fn edits_of_sound_text_in_encodings_that_shift_are_written() {
    for (number, encoding) in everything().enumerate() {
        if !encoding.is_stateful() || encoding == mojika::REPLACEMENT {
            continue;
        }
        // Few edits in short texts, and many in long texts, whose checkpoints are near.
        for (case, length, most) in (0..60)
            .map(|case| (case, 3, 3))
            .chain([(60, 60, 40), (61, 90, 90)])
        {
            let mut random = Random::from_seeds(&[52, number as u64, case]);
            let sound = |random: &mut Random| {
                let text = encodable(encoding, &random.odd_bytes(20)) + &random.odd_text(3);
                let has_bytes = |c: &char| {
                    let own = c.to_string();
                    let bytes = encoding.encode(&own).unwrap_or_default();
                    *c != '\u{FFFD}' && encoding.with(BomHandling::Keep).decode(&bytes).text == own
                };
                text.chars().filter(has_bytes).collect::<String>()
            };
            let text: String = (0..length).map(|_| sound(&mut random)).collect();
            let bytes = encoding.encode(&text).unwrap();
            let mut more = random.clone();
            more.next();
            let mut replacement = || sound(&mut more);
            let edits = random_edits(
                &text,
                most,
                &mut |most| random.below(most),
                &mut replacement,
            );
            let decoded = |bytes: &[u8]| {
                let items = mojika_spec::decode_fragments(oracle(encoding), bytes);
                items.iter().map(DecodeItem::replaced).collect::<String>()
            };
            let outcome = check(encoding, BomHandling::Keep, &bytes, &edits, &decoded);
            let what = || format!("{encoding}, {}, edits {edits:?}", hex(&bytes));
            assert_eq!(outcome, Ok(Outcome::Written), "{}", what());
        }
    }
}

#[test]
fn two_characters_of_big5_share_their_bytes() {
    let file = b"\x88\x62\x88\x66";
    let big5 = |old: &str, new: &str| edited(BIG5, file, old, new);
    // The Standard's encoder does not write the letter alone.
    assert!(matches!(big5("\u{304}", ""), Err(EditError::Encode(_))));
    assert_eq!(big5("\u{304}", "\u{30C}").unwrap(), b"\x88\x64\x88\x66");
    assert_eq!(big5("\u{CA}\u{304}", "x").unwrap(), b"x\x88\x66");
    assert!(matches!(big5("\u{CA}", ""), Err(EditError::Encode(_))));
    let mut document = Document::open(file, BIG5);
    document.replace(2..4, "\u{30C}").unwrap();
    document.replace(4..6, "x").unwrap();
    assert_eq!(document.write().unwrap(), b"\x88\x64x");
}

#[test]
fn unmappable_insertions_are_refused_with_their_place_or_written_as_said() {
    let mut document = Document::open(b"caf\xE9, 5 EUR", WINDOWS_1252);
    document.replace(0..3, "日caf").unwrap();
    document.replace(6..6, "本").unwrap();
    let Err(EditError::Encode(EncodeError::Unmappable { unmappable, .. })) = document.write()
    else {
        panic!("{:?}", document.write());
    };
    assert_eq!((unmappable.scalar, unmappable.offset), ('日', 0));
    let mut asked = Vec::new();
    let patches = document
        .patches_with(|unmappable| {
            asked.push(unmappable.offset);
            Fallback::Text("?".into())
        })
        .unwrap();
    // The offsets are those in the edited text "日café,本".
    assert_eq!(asked, [0, 9]);
    assert_eq!(patches.len(), 2);
    assert_eq!(document.patches_with(|_| Fallback::Omit).unwrap().len(), 2);
}

#[test]
fn replacement_characters_stay_or_go_and_are_not_inserted() {
    let file = b"\xE1\xE2\xFF a\xFF";
    let encoding = mojika::WINDOWS_1253;
    let greek = |old: &str, new: &str| edited(encoding, file, old, new);
    assert_eq!(greek("α", "γ").unwrap(), b"\xE3\xE2\xFF a\xFF");
    assert_eq!(
        greek("β\u{FFFD} ", "β\u{FFFD}").unwrap(),
        b"\xE1\xE2\xFFa\xFF"
    );
    assert_eq!(greek("\u{FFFD} ", "").unwrap(), b"\xE1\xE2a\xFF");
    assert_eq!(
        greek("a", "\u{FFFD}"),
        Err(EditError::Replacement { offset: 8 })
    );
    // UTF-8 can encode U+FFFD, but the insertion is refused there, too.
    assert!(matches!(
        edited(UTF_8, b"a", "a", "\u{FFFD}"),
        Err(EditError::Replacement { .. })
    ));
}

#[test]
fn insertions_have_the_line_ends_of_the_document() {
    let mut document = Document::open(b"a\r\nb\r\n", SHIFT_JIS);
    assert_eq!(document.line_ends(), LineEnds::CrLf);
    document.replace(3..4, "x\ny").unwrap();
    assert_eq!(document.write().unwrap(), b"a\r\nx\r\ny\r\n");
    let mut document = Document::open(b"a\r\nb\n", SHIFT_JIS);
    assert_eq!(document.line_ends(), LineEnds::Mixed);
    document.replace(3..4, "x\ny").unwrap();
    assert_eq!(document.write().unwrap(), b"a\r\nx\ny\n");
    let ebcdic = extended::ibm(1047).unwrap();
    assert_eq!(
        edited(ebcdic, b"\x81\x15", "a", "a\nb").unwrap(),
        b"\x81\x15\x82\x15"
    );
}

#[test]
fn ranges_are_checked() {
    let mut document = Document::open("aé".as_bytes(), UTF_8);
    assert_eq!(document.replace(2..3, ""), Err(EditError::Range(2..3)));
    assert_eq!(document.replace(0..9, ""), Err(EditError::Range(0..9)));
    document.replace(0..3, "xy").unwrap();
    assert_eq!(document.replace(0..1, "z"), Err(EditError::Overlap(0..1)));
    assert_eq!(document.edited_text(), "xy");
}

#[test]
fn a_whole_new_text_is_edits() {
    for (number, encoding) in everything().enumerate() {
        for case in 0..40 {
            let mut random = Random::from_seeds(&[52, number as u64, case]);
            let length = random.below(80);
            let bytes = random.odd_bytes(length);
            let mut document = Document::open(&bytes, encoding);
            document.follow_line_ends(false);
            let text = document.text().to_owned();
            let mut more = random.clone();
            let mut replacement = || encodable(encoding, &more.odd_bytes(4));
            let edits = random_edits(&text, 3, &mut |most| random.below(most), &mut replacement);
            let new = edits::applied(&text, &edits);
            document.set_text(&new);
            assert_eq!(document.edited_text(), new);
            if let Ok(written) = document.write() {
                assert_eq!(encoding.decode(&written).text, new, "{encoding}");
            }
        }
    }
}

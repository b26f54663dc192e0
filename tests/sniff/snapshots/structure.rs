//! Which bytes of a structure that detection knows matter: escapes, sections, wide code units, magic numbers.

use super::documents::by_name;
use super::snapshot;
use crate::encoded;
use mojika::sniff::detect::{Content, DetectHints, Guess, detect};
use mojika_spec::snapshot::{Answer, Change, END_BEFORE, LEFT_OUT, LETTER, ONE_MORE, table, with};

const CHANGES: [Change; 6] = [
    LEFT_OUT,
    ("zero", |bytes, at| with(bytes, at, 0)),
    ONE_MORE,
    ("beyond ASCII or not", |bytes, at| {
        with(bytes, at, bytes[at] ^ 0x80)
    }),
    LETTER,
    END_BEFORE,
];

/// The format, the first guess, or what else the bytes are.
fn detected(bytes: &[u8]) -> Answer {
    let hints = DetectHints {
        extended: true,
        ..DetectHints::default()
    };
    let ranking = detect(bytes, &hints);
    let answer = match (ranking.format(), ranking.first()) {
        (Some(format), _) => format.to_owned(),
        // What statistics make of other bytes is tested elsewhere.
        (None, Some(guess)) if guess.language.is_some() && !is_of_structure(guess) => {
            "text".to_owned()
        }
        (None, Some(guess)) => format!("{} {:.2}", guess.encoding.name(), guess.probability),
        (None, None) => format!("{:?}", ranking.content()),
    };
    (answer, None)
}

/// True if a guess is by escapes or sections, or by EBCDIC's signs.
fn is_of_structure(guess: &Guess) -> bool {
    let name = guess.encoding.name();
    name.starts_with("ISO-2022") || name == "HZ" || !guess.encoding.is_ascii_compatible()
}

fn of_all(name: &str, documents: &[&[u8]]) {
    let tables = documents
        .iter()
        .map(|document| table("detected", document, "Ascii", &CHANGES, detected));
    snapshot(name, &tables.collect::<String>());
}

/// Escapes of ISO 2022, sections of HZ, runs of UTF-7.
#[test]
fn the_bytes_that_matter_in_ascii_with_escapes_are_those_reviewed() {
    of_all(
        "escapes.txt",
        &[
            b"a \x1B$B3$l\x1B(B b",
            b"a \x1B$@3$\x1B(J b",
            b"\x1B(I12\x1B(B",
            b"l\x1B(B b",
            b"a \x1B$(D3$\x1B(B b",
            b"\x1B$A3$\x1B.A\x1BNa\x1B(B",
            b"\x1B$(O3$\x1B(B",
            b"\x1B$(Q3$\x1B(B",
            b"\x1B$)C\x0E3$\x0F b",
            b"\x1B$)A\x0E3$\x0F\x1B$*H\x1BN3$",
            b"\x1B$)E\x0E3$\x0F\x1B$+I\x1BO3$",
            b"a\x1B[31mb\x1B[0m",
            b"a ~{VPND~} b ~~ c",
            b"~{<:Ky2;QAw!#~}\n",
            b"+BBIENQQ1BDU- +BEAEPgQ8- +BD0EMA-.",
            b"Hi +ZeVnLIqe- +- 1",
            b"+BBIENQQ1BDU- +2D0- a",
            b"+BBIENQQ1BDU- +3gA- a",
            b"+MEI- +MEQ- +MEI- +MEQ- +MEI- +MEQ- +MEI- +MEQ-.",
            b"+MEI- +MEQ- +MEY- +MEg- +MEo- +MEs- +ME0- +ME8-.",
        ],
    );
}

/// Code units of two and four bytes, and EBCDIC.
#[test]
fn the_bytes_that_matter_in_wide_units_are_those_reviewed() {
    let words = "Plain words.";
    let greek = "Άκου τη";
    let le: Vec<u8> = words.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let be: Vec<u8> = greek.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let emoji: Vec<u8> = "a 😀 é\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let wide: Vec<u8> = "Wide é😀"
        .chars()
        .flat_map(|one| u32::from(one).to_be_bytes())
        .collect();
    let ebcdic = encoded(by_name("IBM1047"), "Call me at 5, or write.\nYes.");
    let mut marked = b"\xFF\xFE".to_vec();
    marked.extend_from_slice(&le);
    of_all("units.txt", &[&le, &be, &emoji, &wide, &marked, &ebcdic]);
}

/// Formats whose structure is looked at, and magic numbers.
#[test]
fn the_bytes_that_matter_in_formats_are_those_reviewed() {
    let mut bmp = b"BM\x46\0\0\0\0\0\0\0\x1A\0\0\0\x0C\0\0\0\x01\0".to_vec();
    bmp.push(b'a');
    let mut member = [b' '; 70];
    member[..8].copy_from_slice(b"!<arch>\n");
    member[8..11].copy_from_slice(b"a.o");
    member[66..68].copy_from_slice(b"`\n");
    of_all(
        "formats.txt",
        &[
            b"\x89PNG\r\n\x1A\n\0\0",
            b"PK\x03\x04\x14\0\0\0",
            b"%PDF-1.4\n%\xE2\xE3\n",
            b"x %PDF-1.7\r\n12 0 obj\n",
            b"GIF89a\x01\x08\x01\x08\x80\0",
            b"\xFF\xD8\xFF\xE0\0\x10JFIF",
            &bmp,
            &member,
            b"BZh91AY&SY\x94",
            b"ID3\x04\0\0\0\0\x0F\x76TIT2",
            b"MZ\x90\0\x03\0\0\0\x02\0\0\0\xFF\xFF",
            b"P5 #a\n1 1 255\n\x80",
            b"dex\n035\0\x01",
            b"\x5D\0\0\x80\0\x01\0\0\0\0\0\0\0\0",
            b"\x1F\x9D\x89\x41",
            b"\x80\x01\xA0\x10\0\0%!PS",
            b"\xC5\xD0\xD3\xC6\x1E\0\0\0\x40",
            b"\xCA\xFE\xBA\xBE\0\0\0\x34",
            b"\xFE\xED\xFA\xCF\x01\0\0\x12",
            b"\xCF\xFA\xED\xFE\x07\0\0\x01",
            b"\0\0\x01\0\x01\0\x20\x20\0\0\x01\0",
            b"\0\0\x01\xB3\x14\0",
            b"\0\0\0\x20ftypisom",
            b"\x1A\x01\x05\0\x02\0dumb\0\0dumb\0",
            b"\x61\x0D\r\n\0\0\0\0\0\0\0\0\x63\0\0\0",
            b"RIFF\x24\x08\0\0WAVEfmt ",
            b"FORM\0\0\x08\x24AIFFCOMM",
            b"# v2 git bundle\n\0",
        ],
    );
    // The words for other content.
    assert_eq!(
        detect(b"\0\x01", &DetectHints::default()).content(),
        Content::Binary
    );
}

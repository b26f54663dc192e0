//! Converts generated text with mojika's portable code, with its kernels for this processor, and with encoding_rs.
//! Around each conversion, it writes to a closed file descriptor: qemu then prints the number of instructions so far.

use std::fs::File;
use std::hint::black_box;
use std::io::Write;
use std::mem::ManuallyDrop;
use std::os::fd::FromRawFd;

use mojika::simd::{self, Level};

/// The file descriptor that `count.c` watches. It is never open.
const MARK: i32 = 77;
/// The maximum length of a text in UTF-8 bytes.
const LENGTH: usize = 64 << 10;

/// Label, language, and ranges of letters. The second range gives one letter in 26, in Japanese one in two.
const TEXTS: [(&str, &str, [Range; 2]); 15] = [
    ("windows-1251", "Russian", [RUSSIAN; 2]),
    ("windows-874", "Thai", [(0xE01, 0xE2E); 2]),
    ("windows-1252", "French", FRENCH),
    ("shift_jis", "Japanese", JAPANESE),
    ("euc-jp", "Japanese", JAPANESE),
    ("iso-2022-jp", "Japanese", JAPANESE),
    ("gbk", "Chinese", [IDEOGRAPHS; 2]),
    ("big5", "Chinese", [IDEOGRAPHS; 2]),
    ("euc-kr", "Korean", [(0xAC00, 0xD7A3); 2]),
    ("utf-8", "Russian", [RUSSIAN; 2]),
    ("utf-8", "Chinese", [IDEOGRAPHS; 2]),
    ("utf-8", "French", FRENCH),
    ("utf-16le", "Russian", [RUSSIAN; 2]),
    ("utf-16le", "Chinese", [IDEOGRAPHS; 2]),
    ("utf-16be", "Chinese", [IDEOGRAPHS; 2]),
];
/// The first and the last code point.
type Range = (u32, u32);

const RUSSIAN: Range = (0x430, 0x44F);
const FRENCH: [Range; 2] = [(0x61, 0x7A), (0xE8, 0xE9)];
const IDEOGRAPHS: Range = (0x4E00, 0x9FA5);
/// Kana and ideographs.
const JAPANESE: [Range; 2] = [(0x3041, 0x3093), IDEOGRAPHS];

fn mark() {
    // Do not close it on drop.
    // SAFETY: the file is only written to, which fails.
    let mut file = ManuallyDrop::new(unsafe { File::from_raw_fd(MARK) });
    let _ = file.write(b".");
}

/// Returns the common letters of a range. In double-byte encodings, the lead byte decides, or both bytes.
fn letters(encoding: &'static mojika::Encoding, (first, last): Range) -> Vec<char> {
    let is_common = |c: &char| {
        let text = c.to_string();
        let bytes = encoding.encode_html(&text).expect("an encoder").bytes;
        match (encoding.name(), &*bytes) {
            ("Shift_JIS", &[lead, _]) => (0x82..=0x97).contains(&lead),
            ("EUC-JP", &[lead, _]) => (0xA4..=0xCF).contains(&lead),
            // A double-byte character between two escape sequences.
            ("ISO-2022-JP", &[0x1B, _, _, lead, _, _, _, _]) => (0x24..=0x4F).contains(&lead),
            ("GBK", &[lead, trail]) => (0xB0..=0xD7).contains(&lead) && trail >= 0xA1,
            ("Big5", &[lead, _]) => (0xA4..=0xC6).contains(&lead),
            ("EUC-KR", &[lead, trail]) => (0xB0..=0xC8).contains(&lead) && trail >= 0xA1,
            ("Shift_JIS" | "EUC-JP" | "ISO-2022-JP" | "GBK" | "Big5" | "EUC-KR", _) => false,
            _ => true,
        }
    };
    (first..=last)
        .filter_map(char::from_u32)
        .filter(is_common)
        .collect()
}

/// Returns random words of two to nine letters, with spaces; the same text in every run.
fn text(letters: &[Vec<char>; 2], rarely: usize, spaces: bool) -> String {
    let mut state = 1_u64;
    let mut below = |n: usize| {
        state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
        (state >> 33) as usize % n
    };
    let mut text = String::new();
    while text.len() < LENGTH - 64 {
        for _ in 0..2 + below(8) {
            let from = &letters[usize::from(below(rarely) == 0)];
            text.push(from[below(from.len())]);
        }
        text.push_str(match (spaces, below(8)) {
            (true, 0) => ", ",
            (true, _) => " ",
            (false, 0) => "1",
            (false, _) => "",
        });
    }
    text
}

/// Runs one conversion three times, with marks around each, and prints its name and the number of input bytes.
fn count(name: &str, bytes: usize, mut ours: impl FnMut(), mut theirs: impl FnMut()) {
    println!("{name}\t{bytes}");
    for level in [Some(Level::Portable), None] {
        simd::cap(level);
        mark();
        ours();
    }
    mark();
    theirs();
    mark();
}

fn main() {
    for (label, language, ranges) in TEXTS {
        let encoding = mojika::Encoding::for_label(label).expect("a label");
        let peer = encoding_rs::Encoding::for_label(label.as_bytes()).expect("a label");
        let is_japanese = language == "Japanese";
        let text = text(
            &ranges.map(|range| letters(encoding, range)),
            if is_japanese { 2 } else { 26 },
            !is_japanese && language != "Chinese",
        );
        let units: Vec<u16> = text.encode_utf16().collect();
        let bytes = encoding.encode_html(&text).expect("encodable").bytes;
        let (mut out, mut units_out) = (vec![0_u8; 1 << 20], vec![0_u16; 1 << 18]);
        let name = |what: &str| format!("{label}, {language}, {what}");
        count(
            &name("to UTF-8"),
            bytes.len(),
            || {
                black_box(
                    encoding
                        .new_decoder()
                        .decode(&bytes, &mut out[..], true),
                );
            },
            || {
                let _ = black_box(peer.new_decoder().decode_to_utf8(
                    &bytes,
                    &mut vec![0; 1 << 20],
                    true,
                ));
            },
        );
        count(
            &name("to UTF-16"),
            bytes.len(),
            || {
                black_box(
                    encoding
                        .new_decoder()
                        .decode(&bytes, &mut units_out[..], true),
                );
            },
            || {
                let mut to = vec![0; 1 << 18];
                let _ = black_box(peer.new_decoder().decode_to_utf16(&bytes, &mut to, true));
            },
        );
        // The Standard and encoding_rs have no UTF-16 encoder.
        if label.starts_with("utf-16") {
            continue;
        }
        count(
            &name("from UTF-16"),
            2 * units.len(),
            || {
                let mut encoder = encoding.new_encoder().expect("an encoder");
                let _ = black_box(encoder.encode_html(&units, &mut out[..], true));
            },
            || {
                let mut to = vec![0; 1 << 20];
                let _ = black_box(peer.new_encoder().encode_from_utf16(&units, &mut to, true));
            },
        );
        // UTF-8 needs no conversion.
        if label == "utf-8" {
            continue;
        }
        count(
            &name("from UTF-8"),
            text.len(),
            || {
                let mut encoder = encoding.new_encoder().expect("an encoder");
                let _ = black_box(encoder.encode_html(&text, &mut out[..], true));
            },
            || {
                let mut to = vec![0; 1 << 20];
                let _ = black_box(peer.new_encoder().encode_from_utf8(&text, &mut to, true));
            },
        );
    }
}

//! Seeds: a few small inputs for each target and encoding, for the fuzzer to start from.
//!
//! They are generated, because committed files would be invalid after a change to the bytes that select the encoding.

use crate::encodings;
use crate::filler;
use crate::input::Input;
use mojika_spec::{Encoding, labels::LABELS};

/// Payloads for every decoder: limits of lead and trail bytes, escape sequences, bytes after a malformed lead byte.
/// Text of the encoding is added. At most 16 payloads are possible, because some seeds hold the index in four bits.
const BYTES: [&[u8]; 15] = [
    b"",
    b"<p>plain</p>",
    b"\x82\"\xFF<script>\x80\xA0a",
    b"\x81\x30\x81\x30\x90\x30\x81\x30\x84\x31\xA4\x37\xE3\x32\x9A\x35\x81\x30\xFE\xFF",
    b"\x81\x30\x81<\x81\x30<\x81<\x95\x32\x82\x36\xA6\xD9",
    b"\x88\x62\x88\x64\x88\xA3\x88\xA5\xFE\xFE\x87\x40\xA1\x40\xF9\xD5",
    b"\x8E\xB1\x8F\xA2\xAF\x8F\xB0\xA1\x8F\xA2<\x8F<\x8E<\xB0\xA1\xFE\xFE",
    b"\x1B(J\\~\x1B$B0!\x1B(I1\x1B(B\x1B(B\x1B$@0!\x0E\x0F\x1B$B0\x1B(B",
    b"\x81\x5F\x95\xB6\xB1\xDF\xF0\x40\xFC\xFC\xFA\x40\xEF\xFC",
    b"\x81\x41\xC8\xFE\xC6\x52\xB0\xA1\xFD\xFE\xC9\xA1",
    b"\xF0\x9F\x92\xA9\xED\xA0\x80\xC0\x80\xF4\x90\x80\x80\xE2\x82\xF0\x9F\x92",
    // All pairs of ISO-2022-JP escape sequences, with no bytes between.
    b"a\x1B(B\x1B(B\x1B$B\x1B(J\x1B(I\x1B$@\x1B(B\x1B(Ba\x1B(J\x1B(B\x1B$B\x1B(B",
    // ISO-2022-JP escape sequences with one byte between them, valid or invalid in that state.
    b"\x1B(Ba\x1B(B \x1B(J\x80\x1B(B\x0E\x1B$B\x80\x1B(I\x60\x1B(I1\x1B(J~\x1B$B0!\x1B(B",
    // ISO-2022-JP escape sequences with an invalid one between them.
    b"\x1B(B\x1Ba\x1B(J\x1B(a\x1B(B\x1B$B\x1B$a\x1B(B\x1B\x1B(J\x1B$\x1B(B",
    b"\x3D\xD8\xA9\xDC\x00\xD8a\x00\xD8\x3D\xDC\xA9\xDC\x00\xDC\x00\xD8",
];

/// Texts for every encoder.
const TEXTS: [&str; 6] = [
    "",
    "plain <b>text</b>",
    "aé文字💩ｱ¥‾−－€\u{E5E5}\u{80}ÿ",
    "\u{E}\u{F}\u{1B}文\u{E}a¥\u{1B}",
    "\u{F780}\u{F7FF}\u{FFFD}\u{E7C7}\u{1E3F}\u{2550}\u{5341}Ê̄가힣",
    "한글とカタカナ中文 привет שלום",
];

/// Returns the seeds of a target, with names for files.
pub fn of(target: &str) -> Vec<(String, Vec<u8>)> {
    let mut seeds = Vec::new();
    if target == "labels" {
        for (number, (encoding, labels)) in LABELS.iter().enumerate() {
            let number = number as u8;
            let padded = format!("\0 {}\t", labels[labels.len() - 1]);
            seeds.push((encoding.name().to_owned(), padded.into_bytes()));
            let chosen = vec![0x80, number, 1, 1, 0, 1, 0, 1, 1];
            seeds.push((format!("{}-mutated", encoding.name()), chosen));
        }
        return seeds;
    }
    if target == "sniff" {
        return sniff();
    }
    if target == "detect" {
        return detect();
    }
    if target == "bodies" {
        return crate::bodies::seeds();
    }
    if target == "warc" {
        return crate::warc::seeds();
    }
    for (number, encoding) in Encoding::all().enumerate() {
        let choosing = &encodings::choosing(number)[..];
        // The decoders of single-byte encodings share one algorithm, so fewer seeds suffice.
        let single = (1..29).contains(&number) || number > 43;
        let mut payloads: Vec<&[u8]> = BYTES.to_vec();
        let own = filler::bytes(encodings::numbered(number), &mut Input(&[1, 24]));
        payloads.push(&own);
        for (i, payload) in payloads.iter().enumerate() {
            if single && !(i < 3 || i == BYTES.len()) {
                continue;
            }
            let i = i as u8;
            let mut add = |what: &str, chosen: &[u8], payload: &[u8]| {
                let name = format!("{}-{what}-{i}", encoding.name());
                seeds.push((name, [chosen, payload].concat()));
            };
            match target {
                "decode" => {
                    let (kind, len) = (i.wrapping_mul(37), 20 + 15 * i);
                    add(
                        "decode",
                        &[choosing, &[i, 0, len, kind, len]].concat(),
                        payload,
                    );
                }
                "edit" => {
                    let (distance, removed) = (i.wrapping_mul(3) % 9, i % 4);
                    let count = (i % 4) | ((i << 2) & 4);
                    let steps = [count, distance, removed, 2, b'a' + i, b'"'];
                    let more = [1, 1, 0x82, 0x81, 0x30, 2, 0, 0x81, 0x1B];
                    add("edit", &[choosing, &steps, &more].concat(), payload);
                }
                "bom" => add(
                    "bom",
                    &[choosing, &[i << 4 | i, i.wrapping_mul(21)]].concat(),
                    payload,
                ),
                "streaming" => {
                    let steps = [
                        i,
                        i.wrapping_mul(7),
                        3,
                        i.wrapping_mul(16) + 1,
                        i.wrapping_mul(29),
                        i.wrapping_mul(53),
                    ];
                    let chosen = [
                        &[0],
                        choosing,
                        &[i.wrapping_mul(19), i],
                        &steps[..],
                        &[i.wrapping_mul(37), 60 + i * 9],
                    ]
                    .concat();
                    add("decode", &chosen, payload);
                }
                _ => {}
            }
        }
        if encoding == Encoding::Replacement {
            continue;
        }
        for (i, text) in TEXTS.iter().enumerate() {
            let i = i as u8;
            let chosen = match target {
                "encode" => [choosing, &[i, 0, i.wrapping_mul(37), 20, i, 30]].concat(),
                "streaming" => {
                    let steps = [
                        i,
                        i,
                        i,
                        5,
                        2,
                        i.wrapping_mul(31),
                        i.wrapping_mul(47),
                        0,
                        i.wrapping_mul(37),
                        20,
                        i,
                        30,
                    ];
                    [&[1], choosing, &steps].concat()
                }
                _ => continue,
            };
            let name = format!("{}-encode-{i}", encoding.name());
            seeds.push((name, [&chosen, text.as_bytes()].concat()));
        }
    }
    seeds
}

/// Returns seeds of the target `sniff`: documents of each start and payload, with and without declarations.
fn sniff() -> Vec<(String, Vec<u8>)> {
    const PAYLOADS: [&[u8]; 10] = [
        b"gbk'?><a/>\x95\xB6",
        b"utf-16\"?>",
        b"sjis><p>\x95\xB6\x8E\x9A",
        b"koi8-r\";a{}",
        b"text/html; charset=\"euc-jp\"",
        b"--><meta charset=big5>",
        b"ISO-10646-UCS-4'?>",
        b"<p title=\"<meta charset=gbk>\"><meta/charset='euc-kr' charset=x>",
        b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0! \xCA\xE0\xEA \xE4\xE5\xEB\xE0?",
        b"<meta content='x; charset = utf-8' http-equiv=Content-Type><meta charset=x-user-defined>",
    ];
    const CONTEXTS: [u8; 8] = [HTML, 3, 4, 5, 8, 9, 40, 50];
    const HTML: u8 = 2;
    let mut seeds = Vec::new();
    for (i, payload) in PAYLOADS.iter().enumerate() {
        let i = i as u8;
        for start in 0..16 {
            let context = CONTEXTS[usize::from(i + start) % CONTEXTS.len()];
            let chosen = [
                context,
                1 | start << 1,
                i,
                start,
                start | i << 7,
                i.wrapping_mul(29),
            ];
            seeds.push((format!("{start}-{i}"), [&chosen, *payload].concat()));
        }
        // The payload follows the 1,024 bytes of the prescan, with no hint, detection, two environments, a locale.
        for hints in [0, 1, 8, 16, 32] {
            let chosen = [HTML, hints, i, 23, 0, 31 << 3 | 2];
            seeds.push((format!("late-{hints}-{i}"), [&chosen, *payload].concat()));
        }
    }
    seeds
}

/// Returns text of each encoding, with and without hints, in chunks and repeated.
fn detect() -> Vec<(String, Vec<u8>)> {
    let mut seeds = Vec::new();
    for (number, encoding) in Encoding::all().enumerate() {
        for (i, choosing) in [[0, 0, 255, 0], [31, 1, 3, 0x10], [4, 15, 7, 0x22]]
            .iter()
            .enumerate()
        {
            let text = filler::bytes(encodings::numbered(number), &mut Input(&[i as u8, 40]));
            seeds.push((
                format!("{}-{i}", encoding.name()),
                [&choosing[..], &text[..]].concat(),
            ));
        }
    }
    seeds
}

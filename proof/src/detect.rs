//! Accuracy and speed of detection on held-out texts, beside chardetng: `mojika-proof detect DIR`.
//!
//! `DIR/held-out/PACKAGE/LANGUAGE.txt` is text in UTF-8 that the tables were not made from
//! (`scripts/fetch-training-texts.py`). Each text is encoded in the legacy encodings of its language, and pieces of it
//! are cut out at places that follow from the file alone. An answer is right if it is the encoding, or if it decodes
//! the piece to the same text.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use mojika::Encoding;
use mojika::sniff::detect::{DetectHints, detect};
use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

const LENGTHS: [usize; 6] = [32, 64, 128, 256, 1024, 4096];

/// Pieces of each length from each text.
const PIECES: usize = 12;

fn encodings(language: &str) -> &'static [&'static str] {
    match language {
        "cs" | "sk" | "pl" | "hu" | "sl" | "hr" | "ro" => &["windows-1250", "ISO-8859-2"],
        "fr" | "de" | "es" | "pt" | "it" | "sv" | "da" | "nb" | "fi" | "is" | "nl" | "ca" => {
            &["windows-1252"]
        }
        "tr" => &["windows-1254"],
        "lt" | "lv" | "et" => &["windows-1257", "ISO-8859-4"],
        "vi" => &["UTF-8"],
        "el" => &["windows-1253", "ISO-8859-7"],
        "he" => &["windows-1255"],
        "ar" => &["windows-1256", "ISO-8859-6"],
        "fa" => &["windows-1256"],
        "th" => &["windows-874"],
        "ru" => &["windows-1251", "KOI8-U", "ISO-8859-5", "IBM866", "UTF-8"],
        "uk" => &["windows-1251", "KOI8-U"],
        "bg" | "sr" | "mk" | "be" => &["windows-1251"],
        "ja" => &[
            "Shift_JIS",
            "EUC-JP",
            "ISO-2022-JP",
            "UTF-8",
            "UTF-16LE",
            "UTF-16BE",
        ],
        "ko" => &["EUC-KR", "UTF-8", "UTF-16LE"],
        "zh_CN" => &["GBK", "UTF-8", "UTF-16LE"],
        "zh_TW" => &["Big5", "UTF-8"],
        _ => &[],
    }
}

#[derive(Default)]
struct Tally {
    pieces: u32,
    own: u32,
    peer: u32,
    own_times: Vec<Duration>,
    peer_times: Vec<Duration>,
}

/// Right and all answers whose probability was stated to be 0.99 or more.
#[derive(Default)]
struct Sure {
    right: u32,
    all: u32,
}

/// Prints the tables.
pub fn run(directory: &Path) -> ExitCode {
    match tables(directory) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", directory.join("held-out").display());
            ExitCode::FAILURE
        }
    }
}

fn tables(directory: &Path) -> Result<(), Box<dyn Error>> {
    let mut tallies: BTreeMap<(&str, usize), Tally> = BTreeMap::new();
    let mut sure = Sure::default();
    let mut confusion: BTreeMap<(&str, &str), u32> = BTreeMap::new();
    for package in std::fs::read_dir(directory.join("held-out"))? {
        for file in std::fs::read_dir(package?.path())? {
            let path = file?.path();
            let language = path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let text = std::fs::read_to_string(&path)?;
            for &name in encodings(&language) {
                let encoding = Encoding::for_label(name).ok_or("an unknown encoding")?;
                let text: String = text.replace('ș', "ş").replace('ț', "ţ").replace('ی', "ي");
                let lines: Vec<&str> = text
                    .lines()
                    .filter(|line| encoding.encode(line).is_ok())
                    .collect();
                let bytes = encoding.encode(&lines.join("\n"))?.into_owned();
                for length in LENGTHS {
                    pieces(
                        encoding,
                        &bytes,
                        length,
                        &mut tallies,
                        &mut sure,
                        &mut confusion,
                    );
                }
            }
        }
    }
    print(&mut tallies, &sure, &confusion);
    Ok(())
}

fn pieces(
    encoding: &'static Encoding,
    bytes: &[u8],
    length: usize,
    tallies: &mut BTreeMap<(&'static str, usize), Tally>,
    sure: &mut Sure,
    confusion: &mut BTreeMap<(&'static str, &'static str), u32>,
) {
    if bytes.len() < 2 * length {
        return;
    }
    let unit = if encoding.name().starts_with("UTF-16") {
        2
    } else {
        1
    };
    for number in 0..PIECES {
        let start = (bytes.len() - length) / PIECES * number / unit * unit;
        // From the next line on, where there is one.
        let rest = &bytes[start..];
        let line = rest
            .iter()
            .position(|&byte| byte == b'\n')
            .map_or(0, |at| at + 1);
        let start = if unit == 1 { start + line } else { start };
        let Some(piece) = bytes.get(start..start + length) else {
            continue;
        };
        if encoding.is_ascii_compatible() && piece.is_ascii()
            || encoding.name() == "ISO-2022-JP" && !piece.contains(&0x1B)
        {
            continue;
        }
        let clock = Instant::now();
        let ranking = detect(piece, &DetectHints::default());
        let own_time = clock.elapsed();
        let clock = Instant::now();
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
        // A piece may end within a character.
        detector.feed(piece, false);
        let peer = detector.guess(None, Utf8Detection::Allow);
        let peer_time = clock.elapsed();
        let truth = encoding.decode(piece).text;
        let same =
            |other: &'static Encoding| other == encoding || other.decode(piece).text == truth;
        let own = ranking.first();
        let right = own.is_some_and(|guess| same(guess.encoding));
        let tally = tallies.entry((encoding.name(), length)).or_default();
        tally.pieces += 1;
        tally.own += u32::from(right);
        tally.peer += u32::from(Encoding::for_label(peer.name()).is_some_and(same));
        tally.own_times.push(own_time);
        tally.peer_times.push(peer_time);
        if own.is_some_and(|guess| guess.probability >= 0.99) {
            sure.all += 1;
            sure.right += u32::from(right);
        }
        if !right {
            let said = own.map_or("none", |guess| guess.encoding.name());
            *confusion.entry((encoding.name(), said)).or_default() += 1;
        }
    }
}

fn print(
    tallies: &mut BTreeMap<(&str, usize), Tally>,
    sure: &Sure,
    confusion: &BTreeMap<(&str, &str), u32>,
) {
    println!("encoding bytes pieces mojika% chardetng% mojika_us chardetng_us");
    let mut means: BTreeMap<usize, (f64, f64, f64)> = BTreeMap::new();
    for (&(name, length), tally) in tallies.iter_mut() {
        let share = |right: u32| 100.0 * f64::from(right) / f64::from(tally.pieces);
        let (own, peer) = (share(tally.own), share(tally.peer));
        let (own_time, peer_time) = (median(&mut tally.own_times), median(&mut tally.peer_times));
        println!(
            "{name} {length} {} {own:.1} {peer:.1} {own_time:.1} {peer_time:.1}",
            tally.pieces
        );
        let mean = means.entry(length).or_default();
        *mean = (mean.0 + own, mean.1 + peer, mean.2 + 1.0);
    }
    for (length, (own, peer, count)) in means {
        println!("mean {length} - {:.1} {:.1} - -", own / count, peer / count);
    }
    println!("stated 0.99 or more: {} of {} right", sure.right, sure.all);
    for ((truth, said), count) in confusion {
        println!("confused {truth} {said} {count}");
    }
}

/// In microseconds.
fn median(times: &mut [Duration]) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1e6
}

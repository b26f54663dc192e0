//! Measures detection of UTF-16 and UTF-32 without a byte order mark: `mojika-proof units [FOLDER...]`.
//!
//! FOLDER has text or pages in UTF-8, `.txt` and `.html`, at any depth; the default is the folder of samples. Each file
//! is encoded in both byte orders of UTF-16 and the four of UTF-32. Pieces of several lengths start at code units that
//! follow from the file alone.

use super::accuracy::Score;
use mojika::{Encoding, UTF_16BE, UTF_16LE, extended};
use mojika_sniff::detect::{DetectHints, detect};
use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The lengths of pieces in bytes. From 256 bytes on, [`LEAST`] is required.
const LENGTHS: [usize; 7] = [16, 32, 64, 128, 256, 1024, 4096];

/// The required share of right answers in every encoding, in percent.
const LEAST: f64 = 95.0;

/// The number of pieces of each length from a file.
const PIECES: usize = 40;

/// The encodings with the length of a code unit.
const ENCODINGS: [(&Encoding, usize); 6] = [
    (UTF_16BE, 2),
    (UTF_16LE, 2),
    (extended::UTF_32BE, 4),
    (extended::UTF_32LE, 4),
    (extended::UTF_32_2143, 4),
    (extended::UTF_32_3412, 4),
];

/// Scores by encoding and length.
pub type Scores = BTreeMap<(&'static str, usize), Score>;

/// Prints the table. Fails if an encoding has less than the required share of right answers.
pub fn run(folders: &[String]) -> ExitCode {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/utf-8");
    let mut folders: Vec<PathBuf> = folders.iter().map(PathBuf::from).collect();
    if folders.is_empty() {
        folders.push(samples);
    }
    match measure(folders) {
        Ok((files, scores)) => print(files, &scores),
        Err(error) => {
            eprintln!("units: {error}");
            ExitCode::FAILURE
        }
    }
}

fn print(files: usize, scores: &Scores) -> ExitCode {
    println!("{files} files; right answers in % (pieces)\n");
    println!(
        "| encoding | {} |",
        LENGTHS.map(|length| format!("{length} bytes")).join(" | ")
    );
    println!("|---|{}", "---:|".repeat(LENGTHS.len()));
    for (encoding, _) in ENCODINGS {
        let name = encoding.name();
        let cells = LENGTHS.map(|length| match scores.get(&(name, length)) {
            Some(score) => format!("{} ({})", score.shown(), score.all),
            None => "-".to_owned(),
        });
        println!("| {name} | {} |", cells.join(" | "));
    }
    let missed: Vec<_> = missed(scores).collect();
    for missed in &missed {
        eprintln!("units: {missed}: less than {LEAST} %");
    }
    if missed.is_empty() && files > 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Returns the encodings with less than the required share of right answers, at lengths of 256 bytes or more.
pub fn missed(scores: &Scores) -> impl Iterator<Item = String> {
    scores
        .iter()
        .filter(|((_, length), score)| *length >= 256 && score.percent() < LEAST)
        .map(|((name, length), score)| format!("{name}, {length} bytes, {:.2} %", score.percent()))
}

/// Measures all files in folders. Returns the number of files, and the scores.
///
/// # Errors
///
/// Returns an error if a file or folder cannot be read.
pub fn measure(mut waiting: Vec<PathBuf>) -> Result<(usize, Scores), Box<dyn Error>> {
    let (mut files, mut scores) = (0, Scores::new());
    while let Some(path) = waiting.pop() {
        let named = |error| format!("{}: {error}", path.display());
        if path.is_dir() {
            for entry in std::fs::read_dir(&path).map_err(named)? {
                waiting.push(entry.map_err(named)?.path());
            }
        } else if path
            .extension()
            .is_some_and(|end| end == "txt" || end == "html")
        {
            let text = String::from_utf8(std::fs::read(&path).map_err(named)?);
            // Files in other encodings are skipped.
            if let Ok(text) = text {
                add(&text, &mut scores)?;
                files += 1;
            }
        }
    }
    Ok((files, scores))
}

fn add(text: &str, scores: &mut Scores) -> Result<(), Box<dyn Error>> {
    for (encoding, unit) in ENCODINGS {
        let bytes = encoding.encode(text)?;
        for length in LENGTHS {
            if bytes.len() < 2 * length {
                continue;
            }
            let score = scores.entry((encoding.name(), length)).or_default();
            for number in 0..PIECES {
                let start = (bytes.len() - length) / PIECES * number / unit * unit;
                let piece = &bytes[start..start + length];
                let ranking = detect(piece, &DetectHints::default());
                let said = ranking.first().map(|guess| guess.encoding);
                score.add(said == Some(encoding));
            }
        }
    }
    Ok(())
}

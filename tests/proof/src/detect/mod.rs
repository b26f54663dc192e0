//! Accuracy and speed of detection, beside chardetng: `mojika-proof detect DIR [SET] [--svg FILE] [--pieces FOLDER]`.
//!
//! `DIR/SET/PACKAGE/LANGUAGE.txt` is text in UTF-8 outside of the training set (`scripts/fetch-training-texts.py`). SET
//! is `held-out` by default. Each text is encoded in the legacy encodings of its language, plain and as paragraphs with
//! links in HTML. Pieces are cut out at places that follow from the file alone, at any byte. An answer is right if it
//! is the encoding, or if it decodes the piece to the same text.
//!
//! `mojika-proof detect --files MANIFEST...` measures labelled files instead, and `--kinds DIR [SET]`
//! documents of the kinds of docs/DETECTION.md, made from the same texts. `--fit DIR [MANIFEST...]` prints the constants
//! of the calibration.

mod accuracy;
pub mod ascii;
mod document;
mod files;
mod fit;
mod kinds;
/// The generator's module, so that pieces are spelled as the training texts are.
#[allow(dead_code, reason = "pieces need a part of it")]
#[path = "../../../../gen/src/train/letters.rs"]
mod letters;
mod pieces;
mod reliability;
mod report;
/// The detector's own module: the fit needs its features.
#[allow(dead_code, reason = "the fit needs a part of it")]
#[path = "../../../../crates/sniff/src/detect/statistics/mod.rs"]
mod statistics;
pub mod units;
mod verdict;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use mojika::Encoding;
use mojika_sniff::detect::{Content, DetectHints, Guess, detect};
use pieces::Piece;
use report::Report;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The measurement, and the files to write besides the tables.
#[derive(Default)]
struct Options {
    directory: PathBuf,
    set: String,
    svg: Option<PathBuf>,
    pieces: Option<PathBuf>,
}

impl Options {
    fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut options = Self {
            set: "held-out".to_owned(),
            ..Self::default()
        };
        let mut places = Vec::new();
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let mut value = || {
                rest.next()
                    .map(PathBuf::from)
                    .ok_or_else(|| format!("{argument} needs a value"))
            };
            match argument.as_str() {
                "--svg" => options.svg = Some(value()?),
                "--pieces" => options.pieces = Some(value()?),
                place => places.push(place),
            }
        }
        match places[..] {
            [directory] => options.directory = directory.into(),
            [directory, set] => (options.directory, options.set) = (directory.into(), set.into()),
            _ => return Err("detect takes a folder and, perhaps, the name of a set".to_owned()),
        }
        Ok(options)
    }
}

/// Prints the tables.
pub fn run(arguments: &[String]) -> ExitCode {
    let is_of_documents = |argument: &String| argument == "--files" || argument == "--kinds";
    let result = if arguments.iter().any(|argument| argument == "--fit") {
        fit::run(arguments)
    } else if arguments.iter().any(is_of_documents) {
        files::Options::parse(arguments)
            .map_err(Into::into)
            .and_then(|options| files::measure(&options))
    } else {
        Options::parse(arguments)
            .map_err(Into::into)
            .and_then(|options| measure(&options))
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("detect: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the language of a tag, without a country.
fn primary(tag: &str) -> &str {
    tag.split(['-', '_']).next().unwrap_or("")
}

/// The answer of a detector to a piece.
pub(crate) struct Answer {
    pub said: &'static str,
    pub is_right: bool,
    pub probability: f32,
    pub language: Option<&'static str>,
    pub time: Duration,
}

fn measure(options: &Options) -> Result<(), Box<dyn Error>> {
    let folder = options.directory.join(&options.set);
    let mut report = Report::default();
    let mut list = String::new();
    let mut number = 0;
    pieces::each(&folder, |piece| -> Result<(), Box<dyn Error>> {
        report.add(piece, &own(piece), &chardetng(piece));
        if let Some(folder) = &options.pieces {
            std::fs::create_dir_all(folder)?;
            std::fs::write(folder.join(number.to_string()), piece.bytes)?;
            list += &format!(
                "{}\t{}\t{number}\t{} bytes{}\n",
                piece.encoding.name(),
                piece.language,
                piece.length,
                if piece.is_markup { ", markup" } else { "" }
            );
            number += 1;
        }
        Ok(())
    })
    .map_err(|error| format!("{}: {error}", folder.display()))?;
    if let Some(folder) = &options.pieces {
        std::fs::write(folder.join("list.tsv"), list)?;
    }
    report.print();
    if let Some(file) = &options.svg {
        std::fs::write(file, report.reliability.svg())?;
    }
    Ok(())
}

fn is_right(piece: &Piece, said: Option<&'static Encoding>) -> bool {
    said.is_some_and(|said| {
        said == piece.encoding
            || said.decode(piece.bytes).text == piece.encoding.decode(piece.bytes).text
    })
}

fn own(piece: &Piece) -> Answer {
    let clock = Instant::now();
    let ranking = detect(piece.bytes, &DetectHints::default());
    let time = clock.elapsed();
    let first: Option<&Guess> = ranking.first();
    Answer {
        said: match first {
            Some(guess) => guess.encoding.name(),
            None if ranking.content() == Content::Binary => "binary",
            None => "none",
        },
        is_right: is_right(piece, first.map(|guess| guess.encoding)),
        probability: first.map_or(0.0, |guess| guess.probability),
        language: first.and_then(|guess| guess.language),
        time,
    }
}

fn chardetng(piece: &Piece) -> Answer {
    let clock = Instant::now();
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    // A piece may end within a character.
    detector.feed(piece.bytes, false);
    let said = detector.guess(None, Utf8Detection::Allow);
    let time = clock.elapsed();
    Answer {
        said: said.name(),
        is_right: is_right(piece, Encoding::for_label(said.name())),
        probability: 0.0,
        language: None,
        time,
    }
}

/// Counts the files under `folder` that are called text: `mojika-proof binaries FOLDER...`.
pub fn binaries(folders: &[String]) -> ExitCode {
    let (mut all, mut text) = (0_u32, 0_u32);
    let mut waiting: Vec<PathBuf> = folders.iter().map(PathBuf::from).collect();
    while let Some(path) = waiting.pop() {
        if path.is_symlink() {
            continue;
        }
        if let Ok(entries) = std::fs::read_dir(&path) {
            waiting.extend(entries.flatten().map(|entry| entry.path()));
        } else if is_binary_by_name(&path)
            && let Ok(bytes) = std::fs::read(&path)
            && !bytes.is_empty()
        {
            let ranking = detect(&bytes, &DetectHints::default());
            all += 1;
            if ranking.content() != Content::Binary {
                text += 1;
                let said = ranking
                    .first()
                    .map_or("ASCII", |guess| guess.encoding.name());
                println!("{}: {said}", path.display());
            }
        }
    }
    println!("{text} of {all} called text");
    ExitCode::SUCCESS
}

fn is_binary_by_name(path: &Path) -> bool {
    const ENDS: [&str; 44] = [
        "png", "jpg", "jpeg", "gif", "webp", "ico", "bmp", "tiff", "gz", "xz", "bz2", "zst", "zip",
        "whl", "jar", "deb", "tar", "so", "o", "a", "rlib", "exe", "dll", "pyc", "pdf", "wav",
        "mid", "mp3", "ogg", "flac", "mp4", "webm", "lib", "obj", "pack", "idx", "mo", "ttf",
        "otf", "woff", "woff2", "class", "jmod", "wasm",
    ];
    let end = path.extension().unwrap_or_default().to_string_lossy();
    ENDS.contains(&end.to_ascii_lowercase().as_str())
        || end.is_empty()
            && path.parent().is_some_and(|folder| folder.ends_with("bin"))
            && std::fs::read(path).is_ok_and(|bytes| bytes.starts_with(b"\x7FELF"))
}

//! Measures accuracy and speed of detection, beside chardetng: `mojika-proof detect DIR [SET]`.
//!
//! `DIR/SET/PACKAGE/LANGUAGE.txt` is text in UTF-8 outside of the training set (`scripts/fetch-training-texts.py`). SET
//! is `held-out` by default. Each text is encoded in the legacy encodings of its language, plain and as HTML paragraphs
//! with links. Pieces start at byte offsets that follow from the file alone. An answer is right if it names the
//! encoding, or if it decodes the piece to the same text.
//!
//! `mojika-proof detect --files MANIFEST...` measures labelled files instead, and `--kinds DIR [SET]`
//! documents of the kinds of docs/DETECTION.md, made from the same texts. `--fit DIR [MANIFEST...]` prints the constants
//! of the calibration.

mod accuracy;
mod document;
mod files;
mod fit;
mod kinds;
/// The generator's module for the letters of a language, so that pieces and training texts are spelled alike.
#[allow(dead_code, reason = "pieces need a part of it")]
#[path = "../../../../gen/src/train/letters.rs"]
mod letters;
mod pieces;
mod reliability;
/// A module of the detector, whose features the fit needs.
#[allow(dead_code, reason = "the fit needs a part of it")]
#[path = "../../../../crates/sniff/src/detect/statistics/mod.rs"]
mod statistics;
pub mod units;
mod verdict;

use std::process::ExitCode;

/// Prints the tables.
pub fn run(arguments: &[String]) -> ExitCode {
    let result = if arguments.iter().any(|argument| argument == "--fit") {
        fit::run(arguments)
    } else {
        files::Options::parse(arguments)
            .map_err(Into::into)
            .and_then(|options| files::measure(&options))
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

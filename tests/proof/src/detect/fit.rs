//! Fits the calibration of the statistical model: `mojika-proof detect --fit DIR [MANIFEST...]`.
//!
//! `DIR/tune` has the texts, from `scripts/fetch-training-texts.py`. The samples are pieces of these texts, documents
//! of all kinds, and the labelled documents of the manifests. Some pieces are scored without the model of their
//! language, as if there were no such model. The printed constants are for `posterior.rs`.

use super::document::{self, Document};
use super::reliability::Reliability;
use super::statistics::{self, Expected};
use super::verdict::Said;
use super::{kinds, pieces, primary};
use mojika::Encoding;
use std::error::Error;
use std::path::PathBuf;

/// The lengths of the short pieces.
const SHORT: [usize; 4] = [8, 12, 16, 20];
/// The lengths of the pieces that are scored again without the model of their language, and the weight of these scores.
const UNKNOWN: [usize; 3] = [64, 256, 1024];
const UNKNOWN_WEIGHT: f64 = 0.45;
/// Languages with a script of their own. They always have a model: every language without one shares its script.
const ALONE: [&str; 7] = ["el", "he", "ja", "ko", "th", "zh_CN", "zh_TW"];
/// One piece in this many is used.
const EVERY: usize = 6;
/// One piece in this many is scored without the model of its language.
const EVERY_UNKNOWN: usize = 12;

/// The number of weights.
const WEIGHTS: usize = 6;
const ROUNDS: usize = 60;
/// A small term on the diagonal, which keeps the equations solvable.
const RIDGE: f64 = 1e-3;
/// The cost that excludes a language.
const LEFT_OUT: i32 = 1 << 13;

/// Hints that exclude one language, and allow everything else.
struct Without<'a> {
    language: &'a str,
    is_extended: bool,
}

impl Expected for Without<'_> {
    fn allows(&self, _: &'static Encoding) -> bool {
        true
    }

    fn cost_of(&self, language: &str) -> i32 {
        let is_left_out = !self.language.is_empty() && primary(language) == primary(self.language);
        if is_left_out { LEFT_OUT } else { 0 }
    }

    fn is_extended(&self) -> bool {
        self.is_extended
    }

    fn is_certain(&self) -> bool {
        false
    }
}

/// An answer of the detector.
struct Sample {
    features: [f64; WEIGHTS],
    is_right: bool,
    weight: f64,
}

/// Prints the constants, and the shares of right answers by stated probability.
pub fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let mut paths = arguments
        .iter()
        .filter(|one| *one != "--fit")
        .map(PathBuf::from);
    let directory = paths.next().ok_or("--fit takes a folder of texts")?;
    let mut samples = Vec::new();
    let mut number = 0;
    pieces::each(&directory.join("tune"), |whole| {
        let length = whole.bytes.len();
        number += 1;
        if number % EVERY == 0 {
            samples.extend(sample(&whole, "", false));
            if length == 256 {
                for length in SHORT {
                    let short = document::pieces(&whole, length, 1);
                    samples.extend(short.iter().filter_map(|one| sample(one, "", false)));
                }
            }
        }
        let is_unknown = UNKNOWN.contains(&length) && !ALONE.contains(&whole.language.as_str());
        if number % EVERY_UNKNOWN == 0 && is_unknown {
            let unknown = sample(&whole, &whole.language, false);
            samples.extend(unknown.map(|one| Sample {
                weight: UNKNOWN_WEIGHT,
                ..one
            }));
        }
        Ok(())
    })?;
    kinds::each(&directory, "tune", |document| {
        samples.extend(sample(&document, "", false));
        Ok(())
    })?;
    for manifest in paths {
        document::each(&manifest, |document| {
            samples.extend(sample(&document, "", true));
            Ok(())
        })?;
    }
    let weights = fitted(&samples);
    println!(
        "{} samples\nconst CALIBRATION: {weights:.3?}",
        samples.len()
    );
    println!();
    let mut reliability = Reliability::default();
    for sample in &samples {
        reliability.add(
            probability(&weights, &sample.features) as f32,
            sample.is_right,
        );
    }
    reliability.print();
    Ok(())
}

/// Returns the sample of a document; `None` if the model does not decide on its encoding.
fn sample(document: &Document, language: &str, is_extended: bool) -> Option<Sample> {
    let encoding = document::find(&document.label)?;
    let is_answer = is_extended || document::is_of_the_web(&document.label);
    let is_of_the_model =
        is_answer && encoding.is_ascii_compatible() && !encoding.name().starts_with("UTF");
    let high = document.bytes.iter().position(|byte| !byte.is_ascii());
    let bytes = &document.bytes[high?.saturating_sub(72)..];
    let bytes = &bytes[..bytes.len().min(64 << 10)];
    if !is_of_the_model || str::from_utf8(bytes).is_ok() {
        return None;
    }
    let malformed = |one: &'static Encoding| {
        let text = one.decode(bytes).text;
        text.chars().filter(|&one| one == '\u{FFFD}').count() as u32
    };
    let expected = Without {
        language,
        is_extended,
    };
    let (answers, features) = statistics::rank(bytes, &expected, malformed);
    let said = Said::of_name(answers.first()?.encoding.name());
    Some(Sample {
        features: features.factors().map(f64::from),
        is_right: said.is_exact(document),
        weight: 1.0,
    })
}

/// Returns the fitted weights, in bits, by Newton's method.
fn fitted(samples: &[Sample]) -> [f64; WEIGHTS] {
    let mut weights = [0.0; WEIGHTS];
    for _ in 0..ROUNDS {
        let mut gradient: [f64; WEIGHTS] = weights.map(|weight| -RIDGE * weight);
        let mut curvature = [[0.0; WEIGHTS]; WEIGHTS];
        for (at, row) in curvature.iter_mut().enumerate() {
            row[at] = RIDGE;
        }
        for sample in samples {
            let stated = probability(&weights, &sample.features);
            let error = f64::from(u8::from(sample.is_right)) - stated;
            for (at, one) in sample.features.iter().enumerate() {
                gradient[at] += sample.weight * error * one;
                for (to, other) in sample.features.iter().enumerate() {
                    curvature[at][to] += sample.weight * stated * (1.0 - stated) * one * other;
                }
            }
        }
        let step = solved(curvature, gradient);
        for (weight, step) in weights.iter_mut().zip(step) {
            *weight += step / std::f64::consts::LN_2;
        }
    }
    weights
}

/// Returns the probability for features, with weights in bits.
fn probability(weights: &[f64; WEIGHTS], features: &[f64; WEIGHTS]) -> f64 {
    let odds: f64 = weights
        .iter()
        .zip(features)
        .map(|(one, other)| one * other)
        .sum();
    1.0 / (1.0 + (-odds).exp2())
}

/// Solves linear equations by elimination.
fn solved(mut rows: [[f64; WEIGHTS]; WEIGHTS], mut right: [f64; WEIGHTS]) -> [f64; WEIGHTS] {
    for at in 0..WEIGHTS {
        let (row, value) = (rows[at], right[at]);
        for to in (0..WEIGHTS).filter(|to| *to != at) {
            let factor = rows[to][at] / row[at];
            for (cell, one) in rows[to].iter_mut().zip(row) {
                *cell -= factor * one;
            }
            right[to] -= factor * value;
        }
    }
    core::array::from_fn(|at| right[at] / rows[at][at])
}

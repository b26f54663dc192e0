//! The output for a file: a row of a table, a line of JSON, the best guesses.

use super::Finding;
use mojika::{Encoding, UTF_8};
use mojika_convert::decide::{self, SHOWN};
use mojika_convert::report::counted;
use mojika_sniff::Source;
use mojika_sniff::detect::Content;
use mojika_sniff::judge::{Judgement, is_wide};
use serde_json::{Value, json};
use std::path::Path;

/// The head of the table.
pub const HEAD: &str = "encoding       source          confidence file";

/// Returns a row of the table; `name` is quoted.
pub fn row(name: &str, finding: &Finding) -> String {
    let none = if finding.error.is_some() { "?" } else { "-" };
    let format = finding.format.map(|format| format.to_string());
    let what = match (format, finding.binary) {
        (Some(format), Some(what)) => format!(" ({format}, {what})"),
        (Some(format), None) => format!(" ({format})"),
        (None, Some(what)) => format!(" ({what})"),
        (None, None) => String::new(),
    };
    format!(
        "{:<14} {:<15} {:<10} {name}{what}",
        finding.name(),
        finding.source.map_or(none, Source::as_str),
        confidence(finding).unwrap_or_else(|| none.into()),
    )
}

/// Returns the probability of a guess, or the word for the certainty of another decision.
fn confidence(finding: &Finding) -> Option<String> {
    let is_guess =
        finding.source == Some(Source::Detection) && (finding.doubt.is_none() || finding.is_unsure);
    let judgement = finding.judgement.as_ref().filter(|_| is_guess);
    let probability = judgement.and_then(|judgement| judgement.probability);
    probability
        .map(decide::hundredths)
        .or_else(|| finding.certainty().map(str::to_owned))
}

/// Returns a line of JSON.
pub fn json(path: &Path, finding: &Finding, verbose: bool) -> String {
    // Written by hand, because objects of serde_json do not keep this order.
    let judgement = finding.judgement.as_ref();
    // As in reports of conversions, the probability that the text is right.
    let probability = judgement.and_then(|judgement| judgement.probability);
    let mut parts: Vec<(&str, Value)> = vec![
        ("path", path.to_string_lossy().into()),
        ("encoding", finding.encoding.map(Encoding::name).into()),
        ("source", finding.source.map(Source::as_str).into()),
        ("confidence", finding.certainty().into()),
        ("probability", probability.map(decide::rounded).into()),
        ("bom_length", finding.bom_length.into()),
        ("error", finding.error.as_deref().into()),
    ];
    if let Some(judgement) = judgement.filter(|_| verbose) {
        let content = match finding.binary {
            Some(_) => "binary",
            None => decide::content(judgement),
        };
        parts.extend([
            (
                "declared",
                judgement
                    .declared
                    .map(|declared| declared.encoding.name())
                    .into(),
            ),
            (
                "contradiction",
                judgement.contradiction.map(Encoding::name).into(),
            ),
            ("doubt", finding.doubt.as_deref().into()),
            ("content", content.into()),
            (
                "compression",
                finding.format.map(|format| format.to_string()).into(),
            ),
        ]);
        let guesses = judgement.ranking.iter().take(SHOWN).map(|guess| {
            json!({
                "encoding": guess.encoding.name(),
                "probability": guess.probability,
                "language": guess.language,
                "script": guess.script(),
            })
        });
        parts.push(("bytes_read", judgement.ranking.bytes_read().into()));
        parts.push(("guesses", guesses.collect()));
        if let Some(twice) = &finding.twice {
            parts.push(("encoded_twice", twice.as_str().into()));
        }
    }
    let parts: Vec<_> = parts
        .iter()
        .map(|(key, value)| format!("\"{key}\":{value}"))
        .collect();
    format!("{{{}}}", parts.join(","))
}

/// Returns the best guesses, each with a sample of the text.
pub fn guesses(judgement: &Judgement) -> Vec<String> {
    let ranking = &judgement.ranking;
    let read = ranking.bytes_read();
    let mut lines: Vec<String> = ranking
        .iter()
        .take(SHOWN)
        .enumerate()
        .map(|(at, guess)| {
            let name = guess.encoding.name();
            let why = match (guess.language, guess.script()) {
                _ if guess.encoding.is_stateful() => "its escape sequences".to_owned(),
                (Some(language), Some(script)) => {
                    format!("its letters read as {language} ({script})")
                }
                _ if guess.encoding == UTF_8 => "well-formed".to_owned(),
                _ if is_wide(guess.encoding) => {
                    "its bytes read as text in groups of two or four".to_owned()
                }
                _ => "its signs, as it has no letters".to_owned(),
            };
            format!("{}. {name:<14} {:.4}  {why}", at + 1, guess.probability)
        })
        .collect();
    let read = counted(read, "byte");
    lines.push(match ranking.content() {
        Content::Ascii => format!("{read} read: ASCII, which reads alike in most encodings"),
        Content::Text => format!("{read} read"),
        Content::Unsupported(name) => {
            format!("{read} read: {name}, {}", decide::no_answer(name))
        }
        _ => format!("{read} read: NUL bytes or many control characters, so this is not text"),
    });
    lines
}

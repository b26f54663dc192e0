//! Tables of the shares of labelled documents with right answers, by kind and label, for Mojika and other detectors.

use super::document::Document;
use super::document::is_of_the_web;
use super::primary;
use super::reliability::Reliability;
use super::verdict::Said;
use std::collections::BTreeMap;

/// The lower limits of the size classes, in bytes.
const SIZES: [usize; 7] = [0, 64, 256, 1024, 4096, 16 << 10, 256 << 10];

/// The number of right answers, and of all answers.
#[derive(Clone, Copy, Default)]
pub struct Score {
    pub all: u32,
    right: u32,
}

impl Score {
    pub fn add(&mut self, is_right: bool) {
        self.all += 1;
        self.right += u32::from(is_right);
    }

    /// The share of right answers in percent.
    pub fn percent(self) -> f64 {
        100.0 * f64::from(self.right) / f64::from(self.all.max(1))
    }

    pub fn shown(self) -> String {
        match self.all {
            0 => "-".to_owned(),
            _ => format!("{:.1}", self.percent()),
        }
    }
}

/// The scores of all detectors, by the name of a table row.
type Table = BTreeMap<String, Vec<Score>>;

/// The time of all detectors for the documents of a size class.
#[derive(Clone, Default)]
struct Times {
    bytes: usize,
    /// The times by detector, in seconds.
    times: Vec<Vec<f64>>,
}

/// The measurements.
pub struct Accuracy {
    detectors: Vec<String>,
    /// True if detectors may answer with encodings outside the Standard.
    extended: bool,
    groups: Table,
    /// Scores by manifest, for encodings of the Web only.
    sources: Table,
    kinds: Table,
    labels: Table,
    languages: Score,
    impossible: u32,
    reliability: Reliability,
    sizes: [Times; SIZES.len()],
    wrong: Vec<String>,
    /// Documents for which mojika names another language than the label.
    other_languages: Vec<String>,
}

impl Accuracy {
    /// Creates empty tables for these detectors, mojika first.
    pub fn new(detectors: impl Iterator<Item = String>, extended: bool) -> Self {
        let detectors: Vec<String> = detectors.collect();
        let times = Times {
            bytes: 0,
            times: vec![Vec::new(); detectors.len()],
        };
        Self {
            detectors,
            extended,
            groups: Table::new(),
            sources: Table::new(),
            kinds: Table::new(),
            labels: Table::new(),
            languages: Score::default(),
            impossible: 0,
            reliability: Reliability::default(),
            sizes: [(); SIZES.len()].map(|()| times.clone()),
            wrong: Vec::new(),
            other_languages: Vec::new(),
        }
    }

    /// Adds all detectors' answers for a document.
    pub fn add(&mut self, document: &Document, answers: &[Option<Said>]) {
        let right: Vec<Option<bool>> = answers
            .iter()
            .map(|said| {
                said.as_ref()
                    .map(|said| said.is_right(document, self.extended))
            })
            .collect();
        let group = match document.label.as_str() {
            "binary" => "binary",
            label if is_of_the_web(label) => "encodings of the Web",
            _ => "other encodings",
        };
        add(&mut self.groups, group, &right);
        add(&mut self.groups, "all", &right);
        if is_of_the_web(&document.label) {
            add(&mut self.sources, &document.source, &right);
        }
        add(&mut self.kinds, &document.kind, &right);
        add(&mut self.labels, &document.label, &right);
        let size = SIZES.iter().rposition(|&low| document.bytes.len() >= low);
        let size = &mut self.sizes[size.unwrap_or(0)];
        size.bytes += document.bytes.len();
        for (times, said) in size.times.iter_mut().zip(answers) {
            times.extend(said.as_ref().map(|said| said.time));
        }
        if let Some(Some(own)) = answers.first() {
            self.own(document, own, right[0] == Some(true));
            if right[0] != Some(true) {
                self.impossible += u32::from(own.is_impossible(document));
                self.wrong.push(wrong(document, &self.detectors, answers));
            }
        }
    }

    fn own(&mut self, document: &Document, own: &Said, is_right: bool) {
        if own.probability > 0.0 {
            self.reliability
                .add(own.probability, own.is_exact(document));
        }
        // In these kinds, the language has no model, or is only that of the text around a few characters.
        let is_running_text = !document.kind.starts_with(['A', 'B', 'C', 'E', 'H', 'I']);
        if is_right && is_running_text && !document.language.is_empty() && !own.language.is_empty()
        {
            let is_named = primary(&own.language) == primary(&document.language);
            self.languages.add(is_named);
            if !is_named {
                self.other_languages.push(format!(
                    "{}; language {}; mojika {}; {} bytes; {}",
                    document.label,
                    document.language,
                    own.language,
                    document.bytes.len(),
                    document.name
                ));
            }
        }
    }

    /// Prints all tables as Markdown, and then the wrong answers.
    pub fn print(&mut self, verbose: bool) {
        self.table("documents", &self.groups);
        if self.sources.len() > 1 {
            self.table("encodings of the Web in", &self.sources);
        }
        if self.kinds.keys().any(|kind| !kind.is_empty()) {
            self.table("kind", &self.kinds);
        }
        self.table("label", &self.labels);
        if self.languages.all > 0 {
            println!(
                "language named in {} answers that are right, {} % of them as labelled\n",
                self.languages.all,
                self.languages.shown()
            );
        }
        self.reliability.print();
        self.print_times();
        println!(
            "{} wrong; {} of them do not decode the document without errors, as its label does",
            self.wrong.len(),
            self.impossible
        );
        if verbose {
            self.wrong.sort();
            for wrong in &self.wrong {
                println!("{wrong}");
            }
            if !self.other_languages.is_empty() {
                println!("\nlanguage named otherwise than labelled:");
                self.other_languages.sort();
                for document in &self.other_languages {
                    println!("{document}");
                }
            }
        }
    }

    fn table(&self, heading: &str, table: &Table) {
        println!(
            "| {heading} | number | {} % |",
            self.detectors.join(" % | ")
        );
        println!("|---|---:|{}", "---:|".repeat(self.detectors.len()));
        for (row, scores) in table {
            let cells: Vec<String> = scores.iter().map(|score| score.shown()).collect();
            println!("| {row} | {} | {} |", scores[0].all, cells.join(" | "));
        }
        println!();
    }

    /// Prints the median time in microseconds, and the speed over all documents of a size class.
    fn print_times(&mut self) {
        println!(
            "| bytes | number | {} |",
            self.detectors
                .iter()
                .map(|name| format!("{name} µs: MB/s"))
                .collect::<Vec<_>>()
                .join(" | ")
        );
        println!("|---|---:|{}", "---:|".repeat(self.detectors.len()));
        for (low, size) in SIZES.iter().zip(&mut self.sizes) {
            let number = size.times.first().map_or(0, Vec::len);
            if number == 0 {
                continue;
            }
            let bytes = size.bytes as f64;
            let cells: Vec<String> = size
                .times
                .iter_mut()
                .map(|times| {
                    times.sort_unstable_by(f64::total_cmp);
                    let Some(median) = times.get(times.len() / 2) else {
                        return "-".to_owned();
                    };
                    let share = times.len() as f64 / number as f64;
                    let speed = bytes * share / times.iter().sum::<f64>() / 1e6;
                    format!("{:.1}: {speed:.0}", median * 1e6)
                })
                .collect();
            println!("| from {low} | {number} | {} |", cells.join(" | "));
        }
        println!();
    }
}

fn add(table: &mut Table, row: &str, right: &[Option<bool>]) {
    let scores = table
        .entry(row.to_owned())
        .or_insert_with(|| vec![Score::default(); right.len()]);
    for (score, right) in scores.iter_mut().zip(right) {
        if let Some(right) = right {
            score.add(*right);
        }
    }
}

/// Returns a line about a document with wrong answers.
fn wrong(document: &Document, detectors: &[String], answers: &[Option<Said>]) -> String {
    let mut line = format!("{} {}", document.kind, document.label);
    for (detector, said) in detectors.iter().zip(answers) {
        if let Some(said) = said {
            line += &format!("; {detector} {}", said.name);
            if said.probability > 0.0 {
                line += &format!(" {:.3}", said.probability);
            }
        }
    }
    format!(
        "{}; {} bytes; {}",
        line.trim_start(),
        document.bytes.len(),
        document.name
    )
}

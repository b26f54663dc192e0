//! Tables of accuracies and times.

use super::pieces::{LENGTHS, Piece};
use super::reliability::Reliability;
use super::{Answer, accuracy, primary};
use std::collections::BTreeMap;
use std::time::Duration;

/// Right answers of both detectors among all.
#[derive(Clone, Copy, Default)]
struct Score {
    pieces: u32,
    own: u32,
    peer: u32,
}

impl Score {
    fn add(&mut self, own: bool, peer: bool) {
        self.pieces += 1;
        self.own += u32::from(own);
        self.peer += u32::from(peer);
    }

    fn shares(self) -> (f64, f64) {
        let share = |right: u32| 100.0 * f64::from(right) / f64::from(self.pieces.max(1));
        (share(self.own), share(self.peer))
    }
}

#[derive(Default)]
struct Cell {
    plain: Score,
    markup: Score,
    own_times: Vec<Duration>,
    peer_times: Vec<Duration>,
}

/// The measurements.
#[derive(Default)]
pub struct Report {
    cells: BTreeMap<(&'static str, usize), Cell>,
    languages: BTreeMap<String, [Score; LENGTHS.len()]>,
    /// By length, right answers with a language, and the share with the text's language.
    named: [accuracy::Score; LENGTHS.len()],
    /// The text's language, the answer's, and how often.
    misnamed: BTreeMap<(String, &'static str), u32>,
    confusion: BTreeMap<(&'static str, &'static str), u32>,
    /// Of mojika's answers.
    pub reliability: Reliability,
}

impl Report {
    /// Adds the answers to a piece.
    pub fn add(&mut self, piece: &Piece, own: &Answer, peer: &Answer) {
        let name = piece.encoding.name();
        let cell = self.cells.entry((name, piece.length)).or_default();
        let score = if piece.is_markup {
            &mut cell.markup
        } else {
            &mut cell.plain
        };
        score.add(own.is_right, peer.is_right);
        cell.own_times.push(own.time);
        cell.peer_times.push(peer.time);
        let at = LENGTHS.iter().position(|&length| length == piece.length);
        // The Unicode encodings tell nothing about a language.
        if !name.starts_with("UTF") {
            let scores = self.languages.entry(piece.language.to_owned()).or_default();
            scores[at.unwrap_or(0)].add(own.is_right, peer.is_right);
            if let Some(language) = own.language.filter(|_| own.is_right) {
                let is_named = primary(language) == primary(piece.language);
                self.named[at.unwrap_or(0)].add(is_named);
                if !is_named {
                    let pair = (piece.language.to_owned(), language);
                    *self.misnamed.entry(pair).or_default() += 1;
                }
            }
        }
        if own.probability > 0.0 {
            self.reliability.add(own.probability, own.is_right);
        }
        if !own.is_right {
            *self.confusion.entry((name, own.said)).or_default() += 1;
        }
    }

    /// Prints everything as tables of Markdown.
    pub fn print(&mut self) {
        println!(
            "| encoding | bytes | pieces | mojika %, plain | chardetng % | mojika %, markup | chardetng % | mojika µs | chardetng µs |"
        );
        println!("|---|---|---|---|---|---|---|---|---|");
        let mut means: BTreeMap<usize, Vec<[f64; 4]>> = BTreeMap::new();
        let mut ratios: BTreeMap<usize, Vec<(f64, &str)>> = BTreeMap::new();
        let mut medians: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        for (&(name, length), cell) in &mut self.cells {
            let (plain, markup) = (cell.plain.shares(), cell.markup.shares());
            let (own, peer) = (
                quartiles(&mut cell.own_times),
                quartiles(&mut cell.peer_times),
            );
            println!(
                "| {name} | {length} | {} | {:.1} | {:.1} | {:.1} | {:.1} | {} | {} |",
                cell.plain.pieces + cell.markup.pieces,
                plain.0,
                plain.1,
                markup.0,
                markup.1,
                shown(own),
                shown(peer)
            );
            // chardetng does not know these.
            if !name.starts_with("UTF-16") && !name.starts_with("UTF-32") {
                let shares = [plain.0, plain.1, markup.0, markup.1];
                means.entry(length).or_default().push(shares);
                ratios
                    .entry(length)
                    .or_default()
                    .push((peer[1] / own[1], name));
            }
            medians.entry(length).or_default().push(own[1]);
        }
        println!(
            "\nMeans over the encodings without UTF-16 and UTF-32; the time is the median over all encodings.\n"
        );
        println!(
            "| bytes | mojika %, plain | chardetng % | mojika %, markup | chardetng % | mojika µs | times as fast: least, median |"
        );
        println!("|---|---|---|---|---|---|---|");
        for (length, shares) in &means {
            let mean =
                |at: usize| shares.iter().map(|one| one[at]).sum::<f64>() / shares.len() as f64;
            let times = medians.get_mut(length).expect("all lengths have times");
            times.sort_by(f64::total_cmp);
            let of = ratios.get_mut(length).expect("all lengths have times");
            of.sort_by(|a, b| a.0.total_cmp(&b.0));
            println!(
                "| {length} | {:.2} | {:.2} | {:.2} | {:.2} | {:.1} | {:.1} ({}), {:.1} |",
                mean(0),
                mean(1),
                mean(2),
                mean(3),
                times[times.len() / 2],
                of[0].0,
                of[0].1,
                of[of.len() / 2].0
            );
        }
        self.print_languages();
        println!("\nWrong answers, by encoding:\n");
        for ((truth, said), count) in &self.confusion {
            println!("- {truth} called {said}: {count}");
        }
        println!();
        self.reliability.print();
    }

    fn print_languages(&self) {
        println!("\nBy language, mojika / chardetng in %, legacy encodings only:\n");
        let lengths: Vec<String> = LENGTHS.iter().map(usize::to_string).collect();
        println!("| language | {} |", lengths.join(" | "));
        println!("|---|{}", "---|".repeat(LENGTHS.len()));
        for (language, scores) in &self.languages {
            let cells = scores.map(|score| {
                if score.pieces == 0 {
                    return "-".to_owned();
                }
                let (own, peer) = score.shares();
                format!("{own:.1} / {peer:.1}")
            });
            println!("| {language} | {} |", cells.join(" | "));
        }
        println!("\nLanguages of right answers, legacy encodings only:\n");
        println!("| bytes | answers with a language | named right % |");
        println!("|---|---|---|");
        for (length, named) in LENGTHS.into_iter().zip(self.named) {
            println!("| {length} | {} | {} |", named.all, named.shown());
        }
        println!("\nLanguages named otherwise:\n");
        for ((truth, said), count) in &self.misnamed {
            println!("- {truth} called {said}: {count}");
        }
    }
}

/// In microseconds.
fn quartiles(times: &mut [Duration]) -> [f64; 3] {
    times.sort_unstable();
    [1, 2, 3].map(|quarter| times[(times.len() - 1) * quarter / 4].as_secs_f64() * 1e6)
}

fn shown([low, median, high]: [f64; 3]) -> String {
    format!("{median:.1} ({low:.1}–{high:.1})")
}

//! Tables of accuracies and times, and the curve of reliability.

use super::Answer;
use super::pieces::{LENGTHS, Piece};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

/// Lower ends of the ranges of probabilities.
const RANGES: [f32; 12] = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99];

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

/// Stated probabilities of a range.
#[derive(Clone, Copy, Default)]
struct Range {
    all: u32,
    right: u32,
    sum: f64,
}

/// What was measured.
#[derive(Default)]
pub struct Report {
    cells: BTreeMap<(&'static str, usize), Cell>,
    languages: BTreeMap<String, [Score; LENGTHS.len()]>,
    confusion: BTreeMap<(&'static str, &'static str), u32>,
    ranges: [Range; RANGES.len()],
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
        }
        if own.probability > 0.0 {
            let at = RANGES
                .iter()
                .rposition(|&low| own.probability >= low)
                .unwrap_or(0);
            let range = &mut self.ranges[at];
            range.all += 1;
            range.right += u32::from(own.is_right);
            range.sum += f64::from(own.probability);
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
        println!("\n| stated probability | answers | mean stated | right |");
        println!("|---|---|---|---|");
        for (low, range) in RANGES.iter().zip(&self.ranges) {
            if range.all > 0 {
                let all = f64::from(range.all);
                println!(
                    "| from {low} | {} | {:.3} | {:.4} |",
                    range.all,
                    range.sum / all,
                    f64::from(range.right) / all
                );
            }
        }
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
    }

    /// The share of right answers over the stated probability.
    pub fn reliability_svg(&self) -> String {
        const SIDE: f64 = 400.0;
        const EDGE: f64 = 50.0;
        let x = |value: f64| EDGE + value * SIDE;
        let y = |value: f64| EDGE + (1.0 - value) * SIDE;
        let mut svg = String::from(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 500 500\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"500\" height=\"500\" fill=\"white\"/>\n",
        );
        let _ = writeln!(
            svg,
            "<path d=\"M{} {}H{}V{}\" fill=\"none\" stroke=\"black\"/>",
            x(0.0),
            y(0.0),
            x(1.0),
            y(1.0)
        );
        let _ = writeln!(
            svg,
            "<path d=\"M{} {}L{} {}\" stroke=\"silver\" stroke-dasharray=\"4\"/>",
            x(0.0),
            y(0.0),
            x(1.0),
            y(1.0)
        );
        for tenth in 0..=5 {
            let value = f64::from(tenth) / 5.0;
            let _ = writeln!(
                svg,
                "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{value:.1}</text>",
                x(value),
                y(0.0) + 18.0
            );
            let _ = writeln!(
                svg,
                "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{value:.1}</text>",
                x(0.0) - 6.0,
                y(value) + 4.0
            );
        }
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">stated probability</text>",
            x(0.5),
            y(0.0) + 38.0
        );
        let _ = writeln!(
            svg,
            "<text x=\"14\" y=\"{}\" transform=\"rotate(-90 14 {})\" text-anchor=\"middle\">share of right answers</text>",
            y(0.5),
            y(0.5)
        );
        let points: Vec<(f64, f64, u32)> = self
            .ranges
            .iter()
            .filter(|range| range.all > 0)
            .map(|range| {
                let all = f64::from(range.all);
                (range.sum / all, f64::from(range.right) / all, range.all)
            })
            .collect();
        let line: Vec<String> = points
            .iter()
            .map(|&(stated, right, _)| format!("{:.1},{:.1}", x(stated), y(right)))
            .collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"steelblue\" stroke-width=\"2\"/>",
            line.join(" ")
        );
        for (stated, right, all) in points {
            let _ = writeln!(
                svg,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"steelblue\"><title>{all} answers: stated {stated:.3}, right {right:.3}</title></circle>",
                x(stated),
                y(right)
            );
        }
        svg.push_str("</svg>\n");
        svg
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

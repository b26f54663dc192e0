//! The share of right answers, by their stated probability.

use std::fmt::Write as _;

/// Lower ends of the ranges of probabilities.
const RANGES: [f32; 12] = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99];

/// Answers in a range of probabilities.
#[derive(Clone, Copy, Default)]
struct Range {
    all: u32,
    right: u32,
    sum: f64,
}

impl Range {
    /// The mean of the stated probabilities.
    fn stated(self) -> f64 {
        self.sum / f64::from(self.all)
    }

    /// The share of right answers.
    fn right(self) -> f64 {
        f64::from(self.right) / f64::from(self.all)
    }
}

/// Answers by the probability that they state.
#[derive(Default)]
pub struct Reliability {
    ranges: [Range; RANGES.len()],
}

impl Reliability {
    /// Adds an answer.
    pub fn add(&mut self, probability: f32, is_right: bool) {
        let at = RANGES.iter().rposition(|&low| probability >= low);
        let range = &mut self.ranges[at.unwrap_or(0)];
        range.all += 1;
        range.right += u32::from(is_right);
        range.sum += f64::from(probability);
    }

    /// Prints the table.
    pub fn print(&self) {
        println!("| stated probability | answers | mean stated | right |");
        println!("|---|---|---|---|");
        for (low, range) in RANGES.iter().zip(self.ranges) {
            if range.all > 0 {
                println!(
                    "| from {low} | {} | {:.3} | {:.4} |",
                    range.all,
                    range.stated(),
                    range.right()
                );
            }
        }
        println!();
    }

    /// Mean stated probability, share of right answers and number of answers of each range that has any.
    fn points(&self) -> Vec<(f64, f64, u32)> {
        let ranges = self.ranges.iter().filter(|range| range.all > 0);
        ranges
            .map(|range| (range.stated(), range.right(), range.all))
            .collect()
    }

    /// The share of right answers over the stated probability.
    pub fn svg(&self) -> String {
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
        let points = self.points();
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

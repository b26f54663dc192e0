//! The share of right answers by stated probability.

/// The lower limits of the ranges of probability.
const RANGES: [f32; 12] = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99];

/// Answers in a range of probabilities.
#[derive(Clone, Copy, Default)]
struct Range {
    all: u32,
    right: u32,
    sum: f64,
}

impl Range {
    /// Returns the mean of the stated probabilities.
    fn stated(self) -> f64 {
        self.sum / f64::from(self.all)
    }

    /// Returns the share of right answers.
    fn right(self) -> f64 {
        f64::from(self.right) / f64::from(self.all)
    }
}

/// Answers, by range of their stated probability.
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
}

//! Times detection on 1 GB of ASCII with one word in a legacy encoding at its end: `mojika-proof detect-ascii`.

use mojika::WINDOWS_1251;
use mojika_sniff::detect::{DetectHints, Detector, Ranking, detect};
use std::process::ExitCode;
use std::time::Instant;

const LENGTH: usize = 1_000_000_000;
const RUNS: usize = 5;

/// Chunks of a stream in bytes.
const CHUNK: usize = 128 << 10;

/// Prints gigabytes (of 10^9 bytes) a second, the least and the greatest of the runs.
pub fn run() -> ExitCode {
    let hints = DetectHints::default();
    let line = b"A line of a log that is ASCII, as most lines of most files are.\n";
    let word = WINDOWS_1251.encode("Вечером").unwrap_or_default();
    let mut document: Vec<u8> = line.iter().copied().cycle().take(LENGTH).collect();
    document.truncate(LENGTH - word.len());
    document.extend_from_slice(&word);
    let whole = |document: &[u8]| detect(document, &hints);
    let chunks = |document: &[u8]| {
        let mut detector = Detector::new();
        for chunk in document.chunks(CHUNK) {
            detector.feed(chunk);
        }
        detector.finish(&hints)
    };
    let is_right = measure("whole", &document, whole) & measure("in chunks", &document, chunks);
    if is_right {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Measures one document; returns true if all answers are right.
fn measure(name: &str, document: &[u8], detect: impl Fn(&[u8]) -> Ranking) -> bool {
    let mut speeds = [0.0; RUNS];
    let mut is_right = true;
    for speed in &mut speeds {
        let clock = Instant::now();
        let ranking = detect(document);
        *speed = document.len() as f64 / clock.elapsed().as_secs_f64() / 1e9;
        is_right &= ranking.first().map(|guess| guess.encoding) == Some(WINDOWS_1251);
    }
    speeds.sort_unstable_by(f64::total_cmp);
    let verdict = if is_right { "right" } else { "wrong" };
    println!(
        "{name}: {verdict}, {:.1} to {:.1} GB/s",
        speeds[0],
        speeds[RUNS - 1]
    );
    is_right
}

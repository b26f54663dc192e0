//! Compares the time of a column with that of calls without Arrow, for 200,000 Shift_JIS rows of 10 or 40 characters.
//! `scripts/measure-python.py` decodes the rows of 40 from Python. `appended` uses one decoder for all rows.
//!
//! `cargo run --release --example measure`

use arrow_array::{ArrayRef, BinaryArray};
use mojika::{BomHandling, SHIFT_JIS};
use mojika_arrow::{Decode, Labels, OnError};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

const TEXT: &str = "文字化けという現象は、文字コードの取り違えで起こる。ソースは表示できない。カタカナも漢字もある。";

/// Returns the median, the minimum and the maximum of eleven runs, in seconds.
fn seconds(mut run: impl FnMut()) -> [f64; 3] {
    run();
    let mut times = [0; 11].map(|_| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64()
    });
    times.sort_by(f64::total_cmp);
    [times[5], times[0], times[10]]
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    measure(10)?;
    measure(40)
}

fn measure(length: usize) -> Result<(), Box<dyn std::error::Error>> {
    let twice: Vec<char> = TEXT.chars().chain(TEXT.chars()).collect();
    let rows = (0..200_000).map(|n| {
        let row: String = twice[n % 40..n % 40 + length].iter().collect();
        let encoded = SHIFT_JIS.encode(&row);
        encoded
            .map(std::borrow::Cow::into_owned)
            .map_err(|error| error.to_string())
    });
    let rows: Vec<Vec<u8>> = rows.collect::<Result<_, _>>()?;
    let column: ArrayRef = Arc::new(BinaryArray::from_iter_values(&rows));
    let decode = Decode {
        labels: Labels::All(SHIFT_JIS),
        on_error: OnError::Fail,
        bom: BomHandling::Sniff,
    };
    let by_column = seconds(|| {
        black_box(decode.decode(&column, 0).expect("the rows are well-formed"));
    });
    let by_call = seconds(|| {
        for row in &rows {
            black_box(
                SHIFT_JIS
                    .decode_fatal(row)
                    .expect("the rows are well-formed"),
            );
        }
    });
    let appended = seconds(|| {
        let mut text = String::with_capacity(rows.len() * 3 * length);
        let mut offsets = vec![0_i32];
        let mut decoder = SHIFT_JIS.new_decoder();
        for row in &rows {
            decoder.decode_append_fatal(row, &mut text, true);
            offsets.push(text.len() as i32);
        }
        black_box((text, offsets));
    });
    let all = [
        ("column", by_column),
        ("appended", appended),
        ("a call for each row", by_call),
    ];
    for (name, [median, least, most]) in all {
        println!("{length} characters, {name:<20} {median:.4} s ({least:.4} to {most:.4})");
    }
    Ok(())
}

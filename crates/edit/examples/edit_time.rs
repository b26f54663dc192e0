//! Times opening a document of 1 MB, comparing it with a new text, and writing it.
//!
//! ```sh
//! cargo run --release -p mojika-edit --example edit_time
//! ```

use mojika_edit::Document;
use std::error::Error;
use std::time::{Duration, Instant};

/// The length of a document in bytes.
const LENGTH: usize = 1_000_000;
const RUNS: usize = 25;

fn main() -> Result<(), Box<dyn Error>> {
    let lines = [
        ("windows-1251", "Съешь ещё этих мягких французских булок № "),
        ("shift_jis", "いろはにほへと ちりぬるを 番号 "),
        ("iso-2022-jp", "日本語とASCIIの文 "),
        ("utf-8", "Voix ambiguë d’un cœur qui préfère les jattes "),
    ];
    println!("milliseconds for 1 MB, 10 lines changed; of {RUNS} runs the least, and the median");
    println!("                 open            difference      write");
    for (label, line) in lines {
        let encoding: &mojika::Encoding = label.parse()?;
        let length = encoding.encode(line)?.len() + 8;
        let numbered = |i: usize| format!("{line}{i:06}\r\n");
        let text: String = (0..LENGTH / length).map(numbered).collect();
        let bytes = encoding.encode(&text)?;
        let mut new = text.clone();
        for i in 0..10 {
            let number = format!("{:06}", i * 997 + 3);
            new = new.replacen(&number, "changed", 1);
        }
        let mut times = [const { Vec::new() }; 3];
        for _ in 0..RUNS {
            let start = Instant::now();
            let mut document = Document::open(&bytes, encoding);
            let opened = Instant::now();
            document.set_text(&new);
            let compared = Instant::now();
            let written = document.write()?;
            let end = Instant::now();
            assert_eq!(encoding.decode(&written).text, new);
            times[0].push(opened - start);
            times[1].push(compared - opened);
            times[2].push(end - compared);
        }
        let shown = |times: &mut Vec<Duration>| {
            times.sort();
            let [least, median] = [times[0], times[RUNS / 2]].map(|time| time.as_secs_f64() * 1e3);
            format!("{least:5.2} ({median:5.2})")
        };
        let [open, difference, write] = times.each_mut().map(shown);
        println!("{label:<15}  {open}   {difference}   {write}");
    }
    Ok(())
}

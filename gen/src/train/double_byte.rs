//! How common the characters of the double-byte indexes are.

use super::{cost, texts::Texts};

/// Encoding, first lead, number of leads, languages. Trails are numbered by [`cell`].
const SETS: [(&str, u8, usize, &str); 4] = [
    ("EUC-JP", 0xA1, 94, "ja"),
    ("EUC-KR", 0xA1, 94, "ko"),
    ("Big5", 0xA1, 89, "zh_TW"),
    ("GBK", 0xA1, 94, "zh_CN"),
];

/// -log2 of the probabilities that part the four steps.
const STEPS: [f64; 3] = [15.0, 11.5, 8.5];

/// For each set: the costs of the four steps, then two bits for each cell, row by row.
pub fn table(texts: &Texts) -> Result<Vec<u8>, String> {
    let mut table = Vec::new();
    for (name, first, rows, language) in SETS {
        let encoding = encoding_rs::Encoding::for_label(name.as_bytes()).expect("names are labels");
        let cells = if name == "Big5" { 157 } else { 94 };
        let mut counts = vec![0.0_f64; rows * cells];
        let mut buffer = [0; 4];
        for character in texts.of(language)?.chars().filter(|c| !c.is_ascii()) {
            let (bytes, _, unmappable) = encoding.encode(character.encode_utf8(&mut buffer));
            let [lead, trail] = *bytes else { continue };
            let row = usize::from(lead.wrapping_sub(first));
            if let (false, true, Some(cell)) = (unmappable, row < rows, cell(trail, cells)) {
                counts[row * cells + cell] += 1.0;
            }
        }
        let sum: f64 = counts.iter().sum();
        let steps: Vec<usize> = counts
            .iter()
            .map(|count| {
                STEPS
                    .iter()
                    .filter(|&&bits| -(count / sum).log2() <= bits)
                    .count()
            })
            .collect();
        for step in 0..4 {
            let of: Vec<f64> = (0..counts.len())
                .filter(|&i| steps[i] == step)
                .map(|i| counts[i])
                .collect();
            let mean = (of.iter().sum::<f64>() + 0.5) / of.len().max(1) as f64;
            table.push(cost(mean / sum, 30));
        }
        table.extend(steps.chunks(4).map(|four| {
            four.iter()
                .enumerate()
                .fold(0, |byte, (at, &step)| byte | (step as u8) << (2 * at))
        }));
    }
    Ok(table)
}

fn cell(trail: u8, cells: usize) -> Option<usize> {
    match trail {
        0x40..=0x7E if cells == 157 => Some(usize::from(trail - 0x40)),
        0xA1..=0xFE if cells == 157 => Some(usize::from(trail - 0xA1) + 63),
        0xA1..=0xFE => Some(usize::from(trail - 0xA1)),
        _ => None,
    }
}

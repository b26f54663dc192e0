//! `gen train`: the tables of the statistical detector, made from texts that are not in the repository.
//!
//! `scripts/fetch-training-texts.py DIR` puts the texts in place: `DIR/train/PACKAGE_VERSION/LANGUAGE.txt` is read,
//! `DIR/held-out` only for the names of its packages, as no work may be in both. The output is `tables/detect/`:
//!
//! - `languages.bin`: for each language the cost of one letter class after another, two in a byte.
//! - `bytes.bin`: for each pair of encoding and language the class, the case and the cost of each byte from 0x80 on.
//! - `pairs.bin`: for each double-byte index how common each character is, in four steps, two bits each.
//! - `MANIFEST.txt`: sources by package and version, languages, counts, digests. `check` compares the digests.
//!
//! A cost is -log2 of a probability, in units of 3/4 bit.

mod double_byte;
mod language;
mod letters;
mod texts;

use std::fmt::Write as _;
use std::path::Path;

use crate::{Outcome, paths};

/// Most bytes that the detector's tables may take.
pub const SIZE_LIMIT: usize = 64 * 1024;

const MANIFEST: &str = "MANIFEST.txt";

/// Trains on the texts in `directory` and writes `tables/detect/`.
pub fn run(directory: &Path) -> Outcome {
    let texts = texts::Texts::read(directory)?;
    let (languages, bytes) = language::tables(&texts)?;
    let files = [
        ("languages.bin", languages),
        ("bytes.bin", bytes),
        ("pairs.bin", double_byte::table(&texts)?),
    ];
    let size: usize = files.iter().map(|(_, content)| content.len()).sum();
    if size > SIZE_LIMIT {
        return Err(format!("{size} bytes of tables, of {SIZE_LIMIT} allowed").into());
    }
    let mut manifest = String::from(
        "# Written by `gen train`. Digest: FNV-1a 64. `gen check` compares the digests of the files.\n",
    );
    let target = paths::detection_tables();
    std::fs::create_dir_all(&target)?;
    for (name, content) in &files {
        std::fs::write(target.join(name), content)?;
        writeln!(
            manifest,
            "file {name} {} {:016x}",
            content.len(),
            digest(content)
        )?;
    }
    manifest.push_str(&texts.manifest());
    writeln!(manifest, "total {size} bytes, of {SIZE_LIMIT} allowed")?;
    std::fs::write(target.join(MANIFEST), manifest)?;
    Ok(format!(
        "total {size} bytes in tables/detect, of {SIZE_LIMIT} allowed"
    ))
}

/// Fails unless each file of `tables/detect/` has the size and the digest that its manifest states.
pub fn check() -> Outcome {
    let target = paths::detection_tables();
    let manifest = std::fs::read_to_string(target.join(MANIFEST))?;
    let mut count = 0;
    for line in manifest.lines() {
        let Some(rest) = line.strip_prefix("file ") else {
            continue;
        };
        let name = rest.split(' ').next().unwrap_or_default();
        let content = std::fs::read(target.join(name))?;
        if rest != format!("{name} {} {:016x}", content.len(), digest(&content)) {
            return Err(format!("tables/detect/{name} differs from its manifest").into());
        }
        count += 1;
    }
    if count == 0 {
        return Err("tables/detect/MANIFEST.txt names no file".into());
    }
    Ok(format!(
        "{count} files in tables/detect/ match their manifest"
    ))
}

fn digest(bytes: &[u8]) -> u64 {
    crate::tables::output::fnv_1a_64(bytes)
}

/// -log2 of a probability in units of 3/4 bit, at most `most`.
fn cost(probability: f64, most: u8) -> u8 {
    (-probability.log2() / 0.75)
        .round()
        .clamp(0.0, f64::from(most)) as u8
}

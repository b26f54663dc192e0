//! `gen train`: the tables of the statistical detector, made from texts that are not in the repository.
//!
//! `scripts/fetch-training-texts.py DIR` puts the texts in place: `DIR/train/PACKAGE_VERSION/LANGUAGE.txt` is read,
//! `DIR/tune` and `DIR/held-out` only for the names of their packages, as no work may be in two sets. The output is
//! `tables/detect/`:
//!
//! - `languages.bin`: for each language the cost of one class of letters after another, two in a byte.
//! - `letters.bin`: for each language the class of each letter of its script's alphabet.
//! - `bytes.bin`: for each single-byte encoding the letter, the case and a further cost of each byte from 0x80 on.
//! - `single.bin`: for each script and letter its cost in each language: what the detector looks at first.
//! - `pairs.bin`: for each double-byte index how common each character is, in four steps, two bits each.
//! - `candidates.rs`: the encodings, languages and places in these files.
//! - `MANIFEST.txt`: sources by package and version, languages, counts, digests. `check` compares the digests.
//!
//! A cost is -log2 of a probability, in units of 3/4 bit.

mod alphabet;
mod candidates;
mod double_byte;
mod encoding;
mod language;
mod letters;
mod signs;
mod texts;

use std::fmt::Write as _;
use std::path::Path;

use alphabet::Alphabet;
use candidates::{CANDIDATES, SCRIPTS, UNDETERMINED, number_of, script_of};
use language::Language;
use texts::Texts;

use crate::{Outcome, paths};

/// Most bytes that the detector's tables may take.
pub const SIZE_LIMIT: usize = 96 * 1024;

const MANIFEST: &str = "MANIFEST.txt";

/// Trains on the texts in `directory` and writes `tables/detect/`.
pub fn run(directory: &Path) -> Outcome {
    let texts = Texts::read(directory)?;
    let files = files(&texts)?;
    let size: usize = tables(&files).map(|(_, content)| content.len()).sum();
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

type File = (&'static str, Vec<u8>);

/// The files that end up in programs.
fn tables(files: &[File]) -> impl Iterator<Item = &File> {
    files.iter().filter(|(name, _)| name.ends_with(".bin"))
}

fn files(texts: &Texts) -> Result<Vec<File>, String> {
    let mut alphabets = Vec::new();
    let mut languages = Vec::new();
    for (script, (_, names)) in SCRIPTS.iter().enumerate() {
        let alphabet = Alphabet::read(script, texts)?;
        for &name in *names {
            let language = if name == UNDETERMINED {
                Language::train(&texts.mixed(names.iter().copied()), name, &alphabet)
            } else {
                Language::train(texts.of(name)?, name, &alphabet)
            };
            languages.push(language);
        }
        alphabets.push(alphabet);
    }
    let mut letters = Vec::new();
    let mut places = Vec::new();
    for alphabet in &alphabets {
        assert!(alphabet.len() <= 128, "numbers of letters have seven bits");
    }
    for language in &languages {
        places.push(letters.len());
        letters.extend_from_slice(&language.map);
    }
    // The detector reads 128 bytes from each place.
    letters.resize(letters.len() + 128, 0);
    let mut bytes = Vec::new();
    for candidate in &CANDIDATES {
        let alphabet = &alphabets[script_of(candidate.languages[0])];
        bytes.extend(encoding::bytes(candidate, alphabet));
    }
    let mut single = Vec::new();
    let mut rows = Vec::new();
    for (script, (_, names)) in SCRIPTS.iter().enumerate() {
        rows.push(single.len());
        for number in 0..alphabets[script].len() {
            single.extend(
                names
                    .iter()
                    .map(|name| languages[number_of(name)].single[number]),
            );
        }
    }
    let costs = languages
        .iter()
        .flat_map(|language| &language.costs)
        .copied();
    Ok(vec![
        ("languages.bin", costs.collect()),
        ("letters.bin", letters),
        ("bytes.bin", bytes),
        ("single.bin", single),
        ("pairs.bin", double_byte::table(texts)?),
        ("candidates.rs", source(&places, &rows).into_bytes()),
    ])
}

/// `candidates.rs`.
fn source(places: &[usize], rows: &[usize]) -> String {
    let mut text = String::from("// Generated by `gen train`; do not edit.\n");
    let names: Vec<&str> = SCRIPTS
        .iter()
        .flat_map(|(_, names)| names.iter().copied())
        .collect();
    let _ = writeln!(
        text,
        "\n/// Languages, in the order of `languages.bin`.\nconst LANGUAGES: [Language; {}] = [",
        names.len()
    );
    for (name, place) in names.iter().zip(places) {
        let _ = writeln!(
            text,
            "    Language {{ tag: \"{name}\", letters: {place} }},"
        );
    }
    let _ = writeln!(
        text,
        "];\n\n/// Encodings, in the order of `bytes.bin`.\nconst CANDIDATES: [Candidate; {}] = [",
        CANDIDATES.len()
    );
    for candidate in &CANDIDATES {
        let numbers: Vec<usize> = candidate
            .languages
            .iter()
            .map(|name| number_of(name))
            .collect();
        let _ = writeln!(
            text,
            "    Candidate {{ encoding: {}, script: Script::{}, prior: {}, languages: &{numbers:?} }},",
            candidate.name.to_uppercase().replace('-', "_"),
            SCRIPTS[script_of(candidate.languages[0])].0,
            candidate.prior,
        );
    }
    let _ = writeln!(
        text,
        "];\n\n/// Where the rows of each script begin in `single.bin`, its first language, how many it has.\nconst SCRIPTS: [(usize, u8, usize); {}] = [",
        rows.len()
    );
    for (row, (_, names)) in rows.iter().zip(SCRIPTS) {
        let _ = writeln!(
            text,
            "    ({row}, {}, {}),",
            number_of(names[0]),
            names.len()
        );
    }
    text.push_str("];\n");
    text
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

//! Generates documents of the kinds in docs/DETECTION.md from texts: `mojika-proof detect --kinds DIR [SET]`.
//!
//! `DIR/SET` has the texts by package and language, `DIR/kinds/SET` the documents of other kinds,
//! both by `scripts/fetch-training-texts.py`. The generated documents follow from the files alone.

mod legacy;
mod made;
mod sources;

use super::document::Document;
use mojika::{Encoding, UTF_8, extended};
use mojika_spec::random::Random;
use sources::Sources;
use std::error::Error;
use std::path::Path;

/// Lengths of pieces in bytes.
const LENGTHS: [usize; 4] = [32, 128, 1024, 8192];

/// Calls `use_document` with the documents of all kinds.
pub fn each(
    directory: &Path,
    set: &str,
    mut use_document: impl FnMut(Document) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let sources = Sources::read(directory, set)?;
    let mut documents = Vec::new();
    signs(&sources, &mut documents);
    damaged(&sources, &mut documents);
    capitals(&sources, &mut documents);
    controls(&sources, &mut documents);
    odd_places(&sources, &mut documents);
    pointed(&mut documents);
    without_models(&sources, &mut documents);
    without_decoders(&sources, &mut documents);
    binaries(&sources, &mut documents)?;
    for (number, document) in documents.into_iter().enumerate() {
        let name = format!("{number:05}-{}", document.name);
        use_document(Document { name, ..document })?;
    }
    Ok(())
}

fn document(kind: &str, label: &str, language: &str, name: &str, bytes: Vec<u8>) -> Document {
    Document {
        label: label.to_owned(),
        language: language.to_owned(),
        kind: kind.to_owned(),
        source: String::new(),
        name: name.to_owned(),
        bytes,
    }
}

/// Returns the encoding of this name.
fn encoding(name: &str) -> &'static Encoding {
    extended::find(name).unwrap_or(UTF_8)
}

/// Returns the part of the text that the encoding can represent, as bytes.
fn encoded(text: &str, name: &str) -> Vec<u8> {
    let encoding = encoding(name);
    match encoding.encode(text) {
        Ok(bytes) => bytes.into_owned(),
        Err(_) => {
            let has = |line: &&str| encoding.encode(line).is_ok();
            let kept: Vec<&str> = text.lines().filter(has).collect();
            match encoding.encode(&kept.join("\n")) {
                Ok(bytes) => bytes.into_owned(),
                Err(_) => Vec::new(),
            }
        }
    }
}

/// Adds kinds A and B. A has documents in English with few signs and names outside of ASCII, whole and in pieces around
/// one sign, and generated lines. B has the shortest documents.
fn signs(sources: &Sources, documents: &mut Vec<Document>) {
    let mut random = Random::from_seeds(&[1]);
    for (name, text) in &sources.signs {
        let bytes = encoded(text, "windows-1252");
        let form = name.split('-').next().unwrap_or("");
        let places: Vec<usize> = (0..bytes.len())
            .filter(|&at| !bytes[at].is_ascii())
            .collect();
        for length in LENGTHS {
            if let (false, true) = (places.is_empty(), bytes.len() > length) {
                let at = random.pick(&places).saturating_sub(random.below(length));
                let piece = bytes[at..bytes.len().min(at + length)].to_vec();
                if !piece.is_ascii() {
                    let kind = format!("A {form}, pieces");
                    documents.push(document(&kind, "windows-1252", "en", name, piece));
                }
            }
        }
        let kind = format!("A {form}");
        documents.push(document(&kind, "windows-1252", "en", name, bytes));
    }
    for number in 0..600 {
        let (form, text) = made::line(&mut random, &sources.english, number);
        let bytes = encoded(&text, "windows-1252");
        let kind = if bytes.len() < 8 { "B" } else { "A" };
        documents.push(document(kind, "windows-1252", "en", form, bytes));
    }
}

/// Adds kind C: UTF-8 with a few malformed sequences.
fn damaged(sources: &Sources, documents: &mut Vec<Document>) {
    let mut random = Random::from_seeds(&[2]);
    for language in [
        "ru", "ja", "zh_CN", "ko", "el", "ar", "he", "th", "fr", "cs", "vi", "uk", "tr", "es",
    ] {
        for damage in made::DAMAGES {
            for lines in [4, 40] {
                let text = sources.some(language, lines, &mut random);
                let beyond = text.chars().filter(|letter| !letter.is_ascii()).count();
                if beyond < 14 {
                    continue;
                }
                let bytes = made::damage(text.as_bytes(), damage, &mut random);
                documents.push(document("C", "UTF-8", language, damage, bytes));
            }
        }
    }
}

/// Adds kind D: upper case, in which Greek has no accents.
fn capitals(sources: &Sources, documents: &mut Vec<Document>) {
    const IN: [(&str, &[&str]); 12] = [
        (
            "ru",
            &[
                "windows-1251",
                "KOI8-R",
                "ISO-8859-5",
                "IBM866",
                "x-mac-cyrillic",
            ],
        ),
        ("uk", &["windows-1251", "KOI8-U"]),
        ("bg", &["windows-1251"]),
        ("el", &["windows-1253", "ISO-8859-7"]),
        ("pl", &["windows-1250", "ISO-8859-2"]),
        ("cs", &["windows-1250", "ISO-8859-2"]),
        ("hu", &["windows-1250", "ISO-8859-2"]),
        ("de", &["windows-1252"]),
        ("fr", &["windows-1252"]),
        ("sv", &["windows-1252"]),
        ("tr", &["windows-1254"]),
        ("lt", &["windows-1257"]),
    ];
    let mut random = Random::from_seeds(&[3]);
    for (language, encodings) in IN {
        for name in encodings {
            for (length, times) in [(24, 12), (64, 12), (400, 6)] {
                for _ in 0..times {
                    let text = made::upper(&sources.some(language, 12, &mut random), language);
                    let bytes = encoded(&text, name);
                    // Pieces start at a word whose first letter is not ASCII.
                    let starts: Vec<usize> = (1..bytes.len().saturating_sub(length))
                        .filter(|&at| bytes[at - 1] == b' ' && !bytes[at].is_ascii())
                        .collect();
                    if starts.is_empty() {
                        continue;
                    }
                    let start = *random.pick(&starts);
                    let piece = bytes[start..start + length].to_vec();
                    let kind = format!("D {length}");
                    documents.push(document(&kind, name, language, "upper", piece));
                }
            }
        }
    }
}

/// Adds kind E: ASCII with control characters and NUL.
fn controls(sources: &Sources, documents: &mut Vec<Document>) {
    let mut random = Random::from_seeds(&[4]);
    for number in 0..240 {
        let (form, bytes) = made::controls(&mut random, &sources.english, number);
        documents.push(document("E", "ASCII", "en", form, bytes));
    }
}

/// Adds kind F: text after, before or around characters that look like another encoding.
fn odd_places(sources: &Sources, documents: &mut Vec<Document>) {
    const IN: [(&str, &[&str], &[&str]); 8] = [
        ("zh_TW", &["Big5"], &["☆★ ", "【公告】", "αβγ ", "┌─┐\n"]),
        ("zh_CN", &["GBK"], &["★ ", "ひらがな\n", "Привет\n", "①② "]),
        (
            "ko",
            &["EUC-KR"],
            &["☆ ", "日本語 ひらがな\n", "Ωμ ", "【공지】"],
        ),
        (
            "ja",
            &["Shift_JIS", "EUC-JP"],
            &["☆★ ", "─━│\n", "Привет\n", "αβγ "],
        ),
        (
            "ru",
            &["windows-1251", "KOI8-R", "ISO-8859-5", "IBM866"],
            &["j2k\n", "x ", "12 5\n"],
        ),
        ("el", &["windows-1253", "ISO-8859-7"], &["± ", "§ "]),
        ("ar", &["windows-1256"], &["× ", "« "]),
        ("tr", &["windows-1254"], &["© ", "• "]),
    ];
    let mut random = Random::from_seeds(&[5]);
    for (language, encodings, oddities) in IN {
        for name in encodings {
            for odd in oddities {
                for form in ["first", "after English", "each line", "middle"] {
                    let lines = *random.pick(&[5, 30, 90]);
                    let text = sources.some(language, lines, &mut random);
                    let text = match form {
                        "first" => odd.repeat(1 + random.below(30)) + &text,
                        "after English" => {
                            let lines = *random.pick(&[30, 300]);
                            sources.some("en", lines, &mut random) + odd + &text
                        }
                        "each line" => text.lines().map(|line| format!("{odd}{line}\n")).collect(),
                        _ => {
                            let half = text.len() / 2;
                            let at = (half..).find(|&at| text.is_char_boundary(at));
                            let (before, after) = text.split_at(at.unwrap_or(0));
                            format!("{before}{}{after}", odd.repeat(40))
                        }
                    };
                    documents.push(document("F", name, language, form, encoded(&text, name)));
                }
            }
        }
    }
}

/// Adds kind G: Hebrew with vowel points, and Arabic with vowel signs.
fn pointed(documents: &mut Vec<Document>) {
    let mut random = Random::from_seeds(&[6]);
    for (language, name, words) in made::POINTED {
        for number in 0..60 {
            let count = [1, 2, 3, 8, 30][number % 5];
            let words: Vec<&str> = (0..count).map(|_| *random.pick(words)).collect();
            let bytes = encoded(&words.join(" "), name);
            documents.push(document("G", name, language, "pointed", bytes));
        }
    }
}

/// Adds kind H: languages of the Latin script that have no model.
fn without_models(sources: &Sources, documents: &mut Vec<Document>) {
    let mut random = Random::from_seeds(&[7]);
    for (name, text) in &sources.latin {
        let lines: Vec<&str> = text.lines().filter(|line| !line.is_ascii()).collect();
        for count in [1, 3, 40] {
            if lines.len() >= count {
                let start = random.below(lines.len() - count + 1);
                let text = lines[start..start + count].join("\n");
                let bytes = encoded(&text, "windows-1252");
                documents.push(document("H", "windows-1252", "", name, bytes));
            }
        }
    }
}

/// Adds kind I: encodings outside the Standard, and encodings without a decoder.
fn without_decoders(sources: &Sources, documents: &mut Vec<Document>) {
    let mut random = Random::from_seeds(&[8]);
    for (language, name) in legacy::EXTENDED {
        for lines in [2, 10, 60] {
            let text = sources.some(language, lines, &mut random);
            let bytes = encoded(&text, name);
            if !bytes.is_ascii() {
                documents.push(document("I", name, language, "extended", bytes));
            }
        }
    }
    for (language, name, encode) in legacy::ESCAPED {
        for lines in [1, 2, 10, 60] {
            let text = sources.some(language, lines, &mut random);
            documents.push(document("I", name, language, "escaped", encode(&text)));
        }
    }
}

/// Adds kind J: binary data.
fn binaries(sources: &Sources, documents: &mut Vec<Document>) -> Result<(), Box<dyn Error>> {
    for path in &sources.binary {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        documents.push(document("J", "binary", "", &name, std::fs::read(path)?));
    }
    Ok(())
}

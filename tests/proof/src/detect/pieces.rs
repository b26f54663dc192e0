//! Pieces of texts in the legacy encodings of their languages.

use super::document::Document;
use super::letters;
use mojika::Encoding;
use std::error::Error;
use std::path::{Path, PathBuf};

/// Lengths of pieces in bytes.
pub const LENGTHS: [usize; 6] = [32, 64, 128, 256, 1024, 4096];

/// The number of pieces of each length from a text.
const PIECES: usize = 8;

/// Returns the encodings in which a language is or was written.
fn encodings(language: &str) -> &'static [&'static str] {
    match language {
        "cs" | "sk" | "pl" | "hu" | "sl" | "hr" | "ro" => &["windows-1250", "ISO-8859-2"],
        "fr" | "de" | "es" | "pt" | "it" | "sv" | "da" | "nb" | "fi" | "is" | "nl" | "ca"
        | "en" => &["windows-1252"],
        "tr" => &["windows-1254"],
        "lt" | "lv" | "et" => &["windows-1257", "ISO-8859-4"],
        "vi" => &["windows-1258", "UTF-8"],
        "el" => &["windows-1253", "ISO-8859-7"],
        "he" => &["windows-1255"],
        "ar" => &["windows-1256", "ISO-8859-6"],
        "fa" => &["windows-1256"],
        "th" => &["windows-874"],
        "ru" => &[
            "windows-1251",
            "KOI8-U",
            "ISO-8859-5",
            "IBM866",
            "UTF-8",
            "UTF-16LE",
            "UTF-32LE",
        ],
        "uk" => &["windows-1251", "KOI8-U"],
        "bg" | "sr" | "mk" | "be" => &["windows-1251"],
        "ja" => &[
            "Shift_JIS",
            "EUC-JP",
            "ISO-2022-JP",
            "UTF-8",
            "UTF-16LE",
            "UTF-16BE",
            "UTF-32BE",
        ],
        "ko" => &["EUC-KR", "UTF-8", "UTF-16LE"],
        "zh_CN" => &["GBK", "UTF-8", "UTF-16LE"],
        "zh_TW" => &["Big5", "UTF-8"],
        _ => &[],
    }
}

/// Returns the length of the smallest unit in bytes.
fn unit(encoding: &'static Encoding) -> usize {
    match encoding.name().as_bytes() {
        [b'U', b'T', b'F', b'-', b'1', b'6', ..] => 2,
        [b'U', b'T', b'F', b'-', b'3', b'2', ..] => 4,
        _ => 1,
    }
}

/// Calls `use_piece` with every piece of the texts in `folder`. The kind of a piece is its length.
pub fn each(
    folder: &Path,
    mut use_piece: impl FnMut(Document) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    for package in sorted(folder)? {
        for path in sorted(&package)? {
            let language = path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let text = std::fs::read_to_string(&path)?;
            for &name in encodings(&language) {
                let encoding = Encoding::for_label(name)
                    .or_else(|| mojika::extended::for_name(name))
                    .ok_or("an unknown encoding")?;
                for is_markup in [false, true] {
                    let bytes = encoded(&text, &language, encoding, is_markup)?;
                    for length in LENGTHS {
                        of_length(encoding, &bytes, length, |bytes| {
                            let markup = if is_markup { ", markup" } else { "" };
                            use_piece(Document {
                                label: encoding.name().to_owned(),
                                language: language.clone(),
                                kind: format!("{length} bytes{markup}"),
                                name: path.to_string_lossy().into_owned(),
                                bytes: bytes.to_vec(),
                                ..Document::default()
                            })
                        })?;
                    }
                }
            }
        }
    }
    Ok(())
}

fn sorted(folder: &Path) -> Result<Vec<PathBuf>, std::io::Error> {
    let entries = std::fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    let mut paths: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

/// Returns the lines that the encoding can represent. Lines with control characters are damaged, and left out.
fn encoded(
    text: &str,
    language: &str,
    encoding: &'static Encoding,
    is_markup: bool,
) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut kept = String::new();
    for (number, line) in text.lines().enumerate() {
        if line.contains(|character| matches!(character, '\0'..='\x1F' | '\u{7F}'..='\u{9F}')) {
            continue;
        }
        // Spell the line as the training texts are spelled. Greek stays as it is, with accents and both forms of sigma.
        let line = match language {
            "ro" | "fa" | "ar" | "vi" => letters::line(line, language, number),
            _ => line.to_owned(),
        };
        if encoding.encode(&line).is_ok() {
            if is_markup {
                kept +=
                    &format!("<p class=\"item\"><a href=\"/text/{number}.html\">{line}</a></p>\n");
            } else {
                kept += &line;
                kept.push('\n');
            }
        }
    }
    Ok(encoding.encode(&kept)?.into_owned())
}

fn of_length(
    encoding: &'static Encoding,
    bytes: &[u8],
    length: usize,
    mut use_piece: impl FnMut(&[u8]) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    if bytes.len() < 2 * length {
        return Ok(());
    }
    let unit = unit(encoding);
    for number in 0..PIECES {
        let start = (bytes.len() - length) / PIECES * number / unit * unit;
        let piece = &bytes[start..start + length];
        let is_undecidable = unit == 1 && piece.is_ascii() && !piece.contains(&0x1B);
        if !is_undecidable {
            use_piece(piece)?;
        }
    }
    Ok(())
}

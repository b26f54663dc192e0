//! Labelled documents, and their manifests.

use mojika::{Encoding, UTF_8, extended};
use std::error::Error;
use std::path::Path;

/// A document whose encoding is known.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// The name of the encoding, `ASCII`, or `binary`. mojika need not have the encoding.
    pub label: String,
    /// A language tag, or empty.
    pub language: String,
    /// The kind: a letter from `A` to `J` (docs/DETECTION.md), which more words may follow; or empty.
    pub kind: String,
    /// The name of the manifest, or a substitute.
    pub source: String,
    /// The path, or a substitute.
    pub name: String,
    pub bytes: Vec<u8>,
}

/// Calls `use_document` with each document of a manifest. Its lines have fields with tabs between them: label, language
/// (may be empty), path (absolute or relative to the manifest) and, optionally, kind.
pub fn each(
    manifest: &Path,
    mut use_document: impl FnMut(Document) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let folder = manifest.parent().unwrap_or(Path::new(""));
    let named = |path: &Path, error| format!("{}: {error}", path.display());
    let source = manifest.file_stem().unwrap_or_default().to_string_lossy();
    let list = std::fs::read_to_string(manifest).map_err(|error| named(manifest, error))?;
    for (number, line) in list.lines().enumerate() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [label, language, path, ref rest @ ..] = fields[..] else {
            let place = format!("{}:{}", manifest.display(), number + 1);
            return Err(format!("{place}: a label, a language and a path are needed").into());
        };
        let path = folder.join(path);
        use_document(Document {
            label: label.to_owned(),
            language: language.to_owned(),
            kind: rest.first().unwrap_or(&"").to_string(),
            source: source.clone().into_owned(),
            bytes: std::fs::read(&path).map_err(|error| named(&path, error))?,
            name: path.to_string_lossy().into_owned(),
        })?;
    }
    Ok(())
}

/// Returns at most `most` pieces of `length` bytes of running text, which begin at a word and have little markup. At
/// least a quarter of a piece is not ASCII; in Latin encodings and UTF-8, at least two bytes. The positions follow from
/// the document alone. Documents in encodings that are not supersets of ASCII have no pieces.
pub fn pieces(document: &Document, length: usize, most: usize) -> Vec<Document> {
    let bytes = &document.bytes;
    let is_wide = bytes.contains(&0) || document.label.starts_with("ISO-2022");
    if is_wide || !is_of_the_web(&document.label) {
        return Vec::new();
    }
    let is_latin = document.label == "UTF-8" || find(&document.label).is_some_and(is_latin);
    let least = if is_latin { 2 } else { length / 4 };
    let is_start = |at: usize| at == 0 || matches!(bytes[at - 1], b' ' | b'\n' | b'>');
    let high = sums(bytes, |byte| !byte.is_ascii());
    let markup = sums(bytes, |byte| b"<>=\"/&".contains(&byte));
    let starts: Vec<usize> = (0..bytes.len().saturating_sub(length))
        .filter(|&at| {
            let count = |sums: &[usize]| sums[at + length] - sums[at];
            is_start(at) && count(&high) >= least && 8 * count(&markup) < length
        })
        .collect();
    let step = starts.len().div_ceil(most).max(1);
    starts
        .into_iter()
        .step_by(step)
        .map(|at| Document {
            kind: format!("{length} bytes"),
            name: format!("{}:{at}", document.name),
            bytes: bytes[at..at + length].to_vec(),
            ..document.clone()
        })
        .collect()
}

/// Returns, for each offset and for the end, the number of bytes of a kind before it.
fn sums(bytes: &[u8], is_of_kind: impl Fn(u8) -> bool) -> Vec<usize> {
    let mut sum = 0;
    let mut sums = vec![0];
    sums.extend(bytes.iter().map(|&byte| {
        sum += usize::from(is_of_kind(byte));
        sum
    }));
    sums
}

/// Returns the encoding that a label or a detector names; `None` if mojika does not have it.
pub fn find(name: &str) -> Option<&'static Encoding> {
    if name.eq_ignore_ascii_case("ascii") {
        return Some(UTF_8);
    }
    extended::find(name)
}

/// True if a label is the name of one of the Web's encodings, or of no encoding.
pub fn is_of_the_web(label: &str) -> bool {
    ["ASCII", "binary"].contains(&label) || Encoding::for_label(label).is_some()
}

/// True if the encoding is a single-byte encoding of the Latin script.
pub fn is_latin(encoding: &'static Encoding) -> bool {
    let is_byte =
        !["UTF-8", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"].contains(&encoding.name());
    is_byte
        && ["é", "ö", "ü"]
            .iter()
            .all(|letter| encoding.encode(letter).is_ok_and(|bytes| bytes.len() == 1))
}

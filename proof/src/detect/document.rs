//! Labelled documents, and manifests of them.

use std::error::Error;
use std::path::Path;

/// A document whose encoding is known.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// The encoding's name, `ASCII`, or `binary`. It may be one that mojika does not have.
    pub label: String,
    /// A language tag, or empty.
    pub language: String,
    /// A letter from `A` to `J` (docs/DETECTION.md), and, perhaps, more words; or empty.
    pub kind: String,
    /// The path, or what stands for it.
    pub name: String,
    pub bytes: Vec<u8>,
}

/// Calls `use_document` with each document of a manifest: lines of label, language (may be empty), path (relative to
/// the manifest or absolute), and, perhaps, kind, with tabs between them.
pub fn each(
    manifest: &Path,
    mut use_document: impl FnMut(Document) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let folder = manifest.parent().unwrap_or(Path::new(""));
    let named = |path: &Path, error| format!("{}: {error}", path.display());
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
            bytes: std::fs::read(&path).map_err(|error| named(&path, error))?,
            name: path.to_string_lossy().into_owned(),
        })?;
    }
    Ok(())
}

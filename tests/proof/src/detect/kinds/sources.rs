//! The files that documents are made from.

use mojika_spec::random::Random;
use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};

/// Texts of a set.
#[derive(Default)]
pub struct Sources {
    /// Lines by language.
    texts: BTreeMap<String, Vec<String>>,
    /// Lines of English that are ASCII.
    pub english: Vec<String>,
    /// Documents in English with few characters outside of ASCII, with their names.
    pub signs: Vec<(String, String)>,
    /// Texts in languages without a model, with their names.
    pub latin: Vec<(String, String)>,
    pub binary: Vec<PathBuf>,
}

impl Sources {
    /// Reads `directory/set` and `directory/kinds/set`.
    pub fn read(directory: &Path, set: &str) -> Result<Self, Box<dyn Error>> {
        let mut sources = Self::default();
        for path in files(&directory.join(set))? {
            let language = path.file_stem().unwrap_or_default().to_string_lossy();
            let lines = sources.texts.entry(language.into_owned()).or_default();
            let text = std::fs::read_to_string(&path)?;
            lines.extend(
                text.lines()
                    .filter(|line| line.len() > 20)
                    .map(str::to_owned),
            );
        }
        for path in files(&directory.join("kinds").join(set))? {
            let kind = path.parent().and_then(Path::file_name).unwrap_or_default();
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            match kind.to_str() {
                Some("signs") => sources.signs.push((name, std::fs::read_to_string(&path)?)),
                Some("latin") => sources.latin.push((name, std::fs::read_to_string(&path)?)),
                Some("binary") => sources.binary.push(path),
                _ => {}
            }
        }
        let english = sources.texts.get("en").into_iter().flatten();
        sources.english = english.filter(|line| line.is_ascii()).cloned().collect();
        if sources.english.is_empty() {
            return Err(format!("{}: no English", directory.join(set).display()).into());
        }
        Ok(sources)
    }

    /// Returns consecutive lines in a language; empty if there are none.
    pub fn some(&self, language: &str, count: usize, random: &mut Random) -> String {
        let Some(lines) = self.texts.get(language) else {
            return String::new();
        };
        let start = random.below(lines.len().saturating_sub(count));
        let some = &lines[start..lines.len().min(start + count)];
        some.iter().map(|line| format!("{line}\n")).collect()
    }
}

/// Returns the files in a folder, in order.
fn files(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            for entry in std::fs::read_dir(&path)? {
                waiting.push(entry?.path());
            }
        } else {
            found.push(path);
        }
    }
    if found.is_empty() {
        return Err(format!("{}: no such folder, or nothing in it", folder.display()).into());
    }
    found.sort();
    Ok(found)
}

//! The training texts by language, and their packages.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// The limit of one package in one language, in bytes.
const PACKAGE_LIMIT: usize = 600_000;

/// Text by language.
pub struct Texts {
    languages: BTreeMap<String, String>,
    packages: BTreeMap<String, usize>,
    /// Documents of English with signs.
    pub signs: Vec<String>,
}

impl Texts {
    /// Reads `directory/train`.
    ///
    /// # Errors
    ///
    /// Fails if a package is also in another set, in any version.
    pub fn read(directory: &Path) -> Result<Self, Box<dyn Error>> {
        let train = packages(&directory.join("train"))?;
        let tune = packages(&directory.join("tune"))?;
        let held_out = packages(&directory.join("held-out"))?;
        for (name, one, other) in [
            ("train and in tune", &train, &tune),
            ("train and in held-out", &train, &held_out),
            ("tune and in held-out", &tune, &held_out),
        ] {
            if let Some(both) = works_in_both(one, other) {
                return Err(format!("{both} is both in {name}").into());
            }
        }
        let mut texts = Self {
            languages: BTreeMap::new(),
            packages: BTreeMap::new(),
            signs: Vec::new(),
        };
        texts.read_signs(&directory.join("kinds").join("train"))?;
        for package in train {
            let mut names: Vec<_> =
                fs::read_dir(directory.join("train").join(&package))?.collect::<Result<_, _>>()?;
            names.sort_by_key(fs::DirEntry::file_name);
            let mut size = 0;
            for entry in names {
                let name = entry.file_name().to_string_lossy().into_owned();
                let language = name.trim_end_matches(".txt").to_owned();
                let mut text = fs::read_to_string(entry.path())?;
                text.truncate(text.floor_char_boundary_at(PACKAGE_LIMIT));
                size += text.len();
                *texts.languages.entry(language).or_default() += &text;
            }
            texts.packages.insert(package, size);
        }
        Ok(texts)
    }

    fn read_signs(&mut self, directory: &Path) -> Result<(), Box<dyn Error>> {
        for package in packages(directory)? {
            let folder = directory.join(&package).join("signs");
            let Ok(entries) = fs::read_dir(&folder) else {
                continue;
            };
            let mut paths: Vec<_> = entries
                .map(|entry| Ok(entry?.path()))
                .collect::<Result<_, std::io::Error>>()?;
            paths.sort();
            let mut size = 0;
            for path in paths {
                let bytes = fs::read(path)?;
                size += bytes.len();
                self.signs
                    .push(String::from_utf8_lossy(&bytes).into_owned());
            }
            self.packages.insert(package, size);
        }
        Ok(())
    }

    /// Returns the text of a language.
    pub fn of(&self, language: &str) -> Result<&str, String> {
        let text = self.languages.get(language).map(String::as_str);
        text.ok_or_else(|| format!("no text in language {language}"))
    }

    /// Returns one line per package and per language: name and bytes.
    pub fn manifest(&self) -> String {
        let mut text = String::new();
        for (package, size) in &self.packages {
            let _ = writeln!(text, "package {package} {size}");
        }
        for (language, content) in &self.languages {
            let _ = writeln!(text, "language {language} {}", content.len());
        }
        text
    }
}

trait Boundary {
    fn floor_char_boundary_at(&self, at: usize) -> usize;
}

impl Boundary for str {
    fn floor_char_boundary_at(&self, at: usize) -> usize {
        (0..=at.min(self.len()))
            .rev()
            .find(|&at| self.is_char_boundary(at))
            .unwrap_or(0)
    }
}

fn packages(directory: &Path) -> Result<BTreeSet<String>, Box<dyn Error>> {
    let entries = fs::read_dir(directory).map_err(|error| {
        format!(
            "{}: {error}; see scripts/fetch-training-texts.py",
            directory.display()
        )
    })?;
    let mut names = BTreeSet::new();
    for entry in entries {
        names.insert(entry?.file_name().to_string_lossy().into_owned());
    }
    Ok(names)
}

/// Returns a work that is in both sets, if there is one. Works are compared by package name, without the version.
fn works_in_both(train: &BTreeSet<String>, held_out: &BTreeSet<String>) -> Option<String> {
    let work = |name: &String| name.split('_').next().unwrap_or_default().to_owned();
    let trained: BTreeSet<String> = train.iter().map(work).collect();
    held_out
        .iter()
        .map(work)
        .find(|name| trained.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_work_in_both_sets_is_found_whatever_its_version() {
        let set = |name: &str| BTreeSet::from([name.to_owned()]);
        let both = works_in_both(&set("git_1"), &set("git_2"));
        assert_eq!(both.as_deref(), Some("git"));
        assert_eq!(works_in_both(&set("git_1"), &set("gitk_1")), None);
    }
}

//! `gen/labels.txt`: the encodings and their labels, in the order of the Standard's table.

use std::collections::BTreeSet;

use crate::paths;

/// An encoding and its labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labelled {
    /// The encoding's name.
    pub name: String,
    /// The encoding's labels, in lower case.
    pub labels: Vec<String>,
}

/// Reads the file.
pub fn read() -> Result<Vec<Labelled>, String> {
    let path = paths::labels();
    let text =
        std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    parse(&text).map_err(|error| format!("{}: {error}", path.display()))
}

/// Reads lines of `NAME<TAB>label label …`; lines that begin with `#` are ignored.
fn parse(text: &str) -> Result<Vec<Labelled>, String> {
    let mut list = Vec::new();
    let mut seen = BTreeSet::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (name, labels) = line
            .split_once('\t')
            .ok_or_else(|| format!("no tab in {line:?}"))?;
        let labels: Vec<String> = labels.split(' ').map(str::to_owned).collect();
        for label in &labels {
            let well_formed = !label.is_empty()
                && label
                    .bytes()
                    .all(|byte| byte.is_ascii_graphic() && !byte.is_ascii_uppercase());
            if !well_formed || !seen.insert(label.clone()) {
                return Err(format!("label {label:?} is malformed or given twice"));
            }
        }
        list.push(Labelled {
            name: name.to_owned(),
            labels,
        });
    }
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_in_order() {
        let list = parse("# comment\nUTF-8\tutf-8 utf8\nIBM866\t866\n").unwrap();
        assert_eq!(list.len(), 2);
        assert_eq!(list[0].labels, ["utf-8", "utf8"]);
        assert_eq!(list[1].name, "IBM866");
    }

    #[test]
    fn malformed_labels_are_refused() {
        assert!(parse("UTF-8\tutf8 utf8\n").is_err());
        assert!(parse("UTF-8\tUTF8\n").is_err());
        assert!(parse("UTF-8\tutf8  utf-8\n").is_err());
        assert!(parse("UTF-8 utf8\n").is_err());
    }

    #[test]
    fn the_file_has_the_standards_counts() {
        let list = read().unwrap();
        assert_eq!(list.len(), 40);
        let labels: usize = list.iter().map(|encoding| encoding.labels.len()).sum();
        assert_eq!(labels, 228);
    }
}

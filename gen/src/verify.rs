//! `gen verify DIR`: compares the data of this repository with the Standard's own files.

use std::collections::BTreeSet;
use std::path::Path;

use crate::index::{Index, file_name};
use crate::label_list::{self, Labelled};
use crate::{Outcome, edition, paths};

/// Runs the command. A missing folder is skipped without an error.
pub fn run(directory: &Path) -> Outcome {
    if !directory.is_dir() {
        return Ok("skipped: no such folder".to_owned());
    }
    let mut differences = Vec::new();
    let ours = index_names(&paths::indexes())?;
    let official = index_names(directory)?;
    for name in ours.symmetric_difference(&official) {
        let side = if ours.contains(name) {
            "not in the official folder"
        } else {
            "missing in gen/indexes"
        };
        differences.push(format!("{}: {side}", file_name(name)));
    }
    let mut entries = 0;
    for name in ours.intersection(&official) {
        compare_editions(name, directory, &mut differences)?;
        let index = Index::read(&paths::indexes(), name)?;
        entries += index.0.len();
        compare(
            name,
            &index,
            &Index::read(directory, name)?,
            &mut differences,
        );
    }

    let list = label_list::read()?;
    let json = std::fs::read_to_string(directory.join("encodings.json"))?;
    if list != parse_encodings_json(&json)? {
        differences.push("labels.txt differs from encodings.json".to_owned());
    }

    if differences.is_empty() {
        let labels: usize = list.iter().map(|encoding| encoding.labels.len()).sum();
        Ok(format!(
            "verified {} indexes ({entries} entries, identifiers and dates), {} encodings, {labels} labels: no difference",
            ours.len(),
            list.len(),
        ))
    } else {
        Err(differences.join("\n").into())
    }
}

/// Returns the names of the index files in a folder.
fn index_names(directory: &Path) -> Result<BTreeSet<String>, std::io::Error> {
    let mut names = BTreeSet::new();
    for entry in std::fs::read_dir(directory)? {
        let file = entry?.file_name();
        let name = file
            .to_str()
            .and_then(|name| name.strip_prefix("index-")?.strip_suffix(".txt"));
        names.extend(name.map(str::to_owned));
    }
    Ok(names)
}

/// Compares the identifier and the date in both files of an index.
fn compare_editions(
    name: &str,
    directory: &Path,
    differences: &mut Vec<String>,
) -> Result<(), std::io::Error> {
    let read = |folder: &Path| std::fs::read_to_string(folder.join(file_name(name)));
    let (ours, official) = (read(&paths::indexes())?, read(directory)?);
    let (ours, official) = (edition::stated(&ours), edition::stated(&official));
    for ((field, ours), official) in ["Identifier", "Date"].into_iter().zip(ours).zip(official) {
        if ours != official || ours.is_none() {
            differences.push(format!(
                "{}: {field}: ours {}, official {}",
                file_name(name),
                ours.unwrap_or("not stated"),
                official.unwrap_or("not stated")
            ));
        }
    }
    Ok(())
}

fn compare(name: &str, ours: &Index, official: &Index, differences: &mut Vec<String>) {
    let pointers: BTreeSet<_> = ours.0.keys().chain(official.0.keys()).collect();
    for pointer in pointers {
        let pair = (ours.0.get(pointer), official.0.get(pointer));
        if pair.0 != pair.1 {
            differences.push(format!(
                "{}: pointer {pointer}: ours {:X?}, official {:X?}",
                file_name(name),
                pair.0,
                pair.1
            ));
        }
    }
}

/// Parses encodings.json as a list of strings. The strings after `"labels"` are labels, and the string after `"name"`
/// is the name of their encoding. No string in the file needs an escape.
fn parse_encodings_json(json: &str) -> Result<Vec<Labelled>, String> {
    let mut list = Vec::new();
    let mut labels = None;
    let mut strings = json.split('"').skip(1).step_by(2);
    while let Some(string) = strings.next() {
        match string {
            "labels" => labels = Some(Vec::new()),
            "name" => list.push(Labelled {
                name: strings.next().ok_or("no name after \"name\"")?.to_owned(),
                labels: labels.take().ok_or("\"name\" before \"labels\"")?,
            }),
            other => {
                if let Some(labels) = &mut labels {
                    labels.push(other.to_owned());
                }
            }
        }
    }
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absent_folder_is_skipped() {
        let outcome = run(Path::new("no/such/folder")).unwrap();
        assert_eq!(outcome, "skipped: no such folder");
    }

    #[test]
    fn another_edition_is_a_difference() {
        let folder = std::env::temp_dir().join(format!("mojika-edition-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join(file_name("big5"));
        let ours = std::fs::read_to_string(paths::indexes().join(file_name("big5"))).unwrap();
        let mut differences = Vec::new();
        std::fs::write(&path, &ours).unwrap();
        compare_editions("big5", &folder, &mut differences).unwrap();
        assert_eq!(differences, [""; 0]);
        std::fs::write(&path, ours.replacen("# Date: 2", "# Date: 3", 1)).unwrap();
        compare_editions("big5", &folder, &mut differences).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(differences.len(), 1);
        assert!(differences[0].starts_with("index-big5.txt: Date: ours 2"));
    }

    #[test]
    fn encodings_json_is_read() {
        let json = r#"[{"encodings":[{"labels":["866","cp866"],"name":"IBM866"}],
            "heading":"Legacy"},{"encodings":[{"labels":["gbk"],"name":"GBK"}],"heading":"x"}]"#;
        let list = parse_encodings_json(json).unwrap();
        assert_eq!(list.len(), 2);
        assert_eq!(list[0].labels, ["866", "cp866"]);
        assert_eq!(list[1].name, "GBK");
    }

    #[test]
    fn differences_are_named_by_pointer() {
        let mut differences = Vec::new();
        let ours = Index([(1, 0x41), (2, 0x42)].into());
        let official = Index([(1, 0x41), (3, 0x43)].into());
        compare("x", &ours, &official, &mut differences);
        assert_eq!(differences.len(), 2);
        assert!(differences[0].contains("pointer 2: ours Some(42), official None"));
    }
}

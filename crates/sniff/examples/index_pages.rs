//! Indexes a folder of pages in any encodings. For a phrase it prints the file, the byte range, the encoding and the
//! reason.
//!
//! ```sh
//! cargo run -p mojika-sniff --example index_pages -- samples エスケープ
//! ```
//!
//! The folder has a crawler's layout: `HOST/path/page.html`. The host's top-level domain is a hint for detection.
//! `page.html.headers` next to a page may have the lines of the response's header. Without that file, the extension
//! determines the type, or else the bytes. Files that are not text are skipped.

use mojika::offsets::OffsetMap;
use mojika_sniff::{Decision, Document, Response};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A page of the index, without its bytes, which are read again for a match.
struct Page {
    path: PathBuf,
    document: Document,
    map: OffsetMap,
}

/// The pages, and a list of pages for each pair of characters. Pairs also suit scripts without spaces between words.
#[derive(Default)]
pub struct Index {
    pages: Vec<Page>,
    by_pair: HashMap<[char; 2], Vec<usize>>,
    /// The skipped files, with the reason.
    pub left_out: Vec<(PathBuf, String)>,
}

/// A match of the phrase.
#[derive(Debug)]
pub struct Match<'a> {
    /// The file.
    pub path: &'a Path,
    /// The bytes of the phrase in the file.
    pub bytes: Range<u64>,
    /// The encoding, with the reason.
    pub decision: &'a Decision,
    /// The text before the phrase and after it.
    pub around: [String; 2],
}

impl Index {
    /// Indexes all files of a folder and its subfolders.
    pub fn of_folder(folder: &Path) -> io::Result<Self> {
        let mut index = Self::default();
        for path in files(folder)? {
            if path.extension().is_none_or(|end| end != "headers") {
                index.add(folder, path)?;
            }
        }
        Ok(index)
    }

    fn add(&mut self, folder: &Path, path: PathBuf) -> io::Result<()> {
        let body = fs::read(&path)?;
        let response = response(folder, &path)?;
        match response.decode_with_offsets(&body) {
            None => self.left_out.push((path, "no text".to_owned())),
            Some(Err(error)) => self.left_out.push((path, error.to_string())),
            Some(Ok((document, map))) => {
                let pairs: HashSet<_> = pairs(&document.text).collect();
                for pair in pairs {
                    self.by_pair.entry(pair).or_default().push(self.pages.len());
                }
                self.pages.push(Page {
                    path,
                    document,
                    map,
                });
            }
        }
        Ok(())
    }

    /// Returns the number of pages.
    pub fn page_count(&self) -> usize {
        self.pages.len()
    }

    /// Returns all matches of the phrase, by file.
    pub fn find(&self, phrase: &str) -> io::Result<Vec<Match<'_>>> {
        let mut found = Vec::new();
        for page in self.candidates(phrase).map(|at| &self.pages[at]) {
            let text = &page.document.text;
            if !text.contains(phrase) {
                continue;
            }
            let body = fs::read(&page.path)?;
            let changed =
                || io::Error::other(format!("{} has changed meanwhile", page.path.display()));
            let offsets = page.map.utf8_offsets(&body).ok_or_else(changed)?;
            for (start, _) in text.match_indices(phrase) {
                let end = start + phrase.len();
                let bytes = offsets.source_range(start as u64..end as u64);
                found.push(Match {
                    path: &page.path,
                    bytes: bytes.ok_or_else(changed)?,
                    decision: &page.document.decision,
                    around: around(text, start..end),
                });
            }
        }
        Ok(found)
    }

    /// Returns the pages that have every pair of the phrase's characters; all pages for a phrase of one character.
    fn candidates(&self, phrase: &str) -> impl Iterator<Item = usize> {
        let mut candidates: Vec<usize> = (0..self.pages.len()).collect();
        for pair in pairs(phrase) {
            let with_pair = self.by_pair.get(&pair).map_or(&[][..], Vec::as_slice);
            candidates.retain(|page| with_pair.binary_search(page).is_ok());
        }
        candidates.into_iter()
    }
}

/// Returns the response for a file, by its address and header. Without a header, its name determines the type, as in
/// browsers.
fn response(folder: &Path, path: &Path) -> io::Result<Response> {
    let below = path.strip_prefix(folder).unwrap_or(path);
    let url = format!("https://{}", below.display());
    let mut name = path.as_os_str().to_owned();
    name.push(".headers");
    let header = match fs::read_to_string(name) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => by_extension(path).to_owned(),
        header => header?,
    };
    let fields = header.lines().filter_map(|line| line.split_once(':'));
    let fields = fields.map(|(name, value)| (name.trim(), value.trim()));
    Ok(Response::new(&url, fields))
}

fn by_extension(path: &Path) -> &'static str {
    match path.extension().and_then(|end| end.to_str()) {
        Some("html" | "htm") => "Content-Type: text/html",
        Some("xml" | "xhtml" | "svg") => "Content-Type: application/xml",
        Some("css") => "Content-Type: text/css",
        Some("txt") => "Content-Type: text/plain",
        // The bytes decide.
        _ => "",
    }
}

/// Returns the files below a folder, sorted by name.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            files.extend(self::files(&entry.path())?);
        } else {
            files.push(entry.path());
        }
    }
    files.sort();
    Ok(files)
}

fn pairs(text: &str) -> impl Iterator<Item = [char; 2]> {
    text.chars()
        .zip(text.chars().skip(1))
        .map(|(first, second)| [first, second])
}

fn around(text: &str, phrase: Range<usize>) -> [String; 2] {
    const LENGTH: usize = 10;
    let before: Vec<char> = text[..phrase.start].chars().rev().take(LENGTH).collect();
    let behind = text[phrase.end..].chars().take(LENGTH);
    let spaced = |text: String| text.replace(char::is_whitespace, " ");
    [
        spaced(before.into_iter().rev().collect()),
        spaced(behind.collect()),
    ]
}

#[allow(dead_code, reason = "a test includes this file as a module")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, phrase] = &arguments[..] else {
        return Err("arguments: a folder and a phrase".into());
    };
    let index = Index::of_folder(Path::new(folder))?;
    println!("{} pages indexed", index.page_count());
    for (path, reason) in &index.left_out {
        println!("left out: {}: {reason}", path.display());
    }
    for found in index.find(phrase)? {
        let Decision {
            encoding,
            source,
            confidence,
            ..
        } = found.decision;
        let [before, behind] = found.around;
        println!(
            "{}: bytes {}..{}, {encoding} by {source} ({confidence}): {before}[{phrase}]{behind}",
            found.path.display(),
            found.bytes.start,
            found.bytes.end,
        );
    }
    Ok(())
}

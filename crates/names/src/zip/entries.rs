//! The entries of an archive: their decoded names, and the reasons to refuse extraction.
//!
//! The name of an entry is bytes. With the flag, they are UTF-8. Without it, they are CP437 by the specification
//! (APPNOTE.TXT, appendix D), but many programs write their system's encoding. Info-ZIP's Unicode Path (0x7075) also
//! has the name in UTF-8.

use super::super::reading::{Reading, decode};
use flate2::Crc;
use mojika::{Encoding, extended};
use mojika_convert::decide::Question;
use mojika_convert::report::Failure;
use rawzip::extra_fields::ExtraFieldId;
use rawzip::time::ZipDateTimeKind;
use rawzip::{
    CompressionMethod, CreatorSystem, FileReader, RECOMMENDED_BUFFER_SIZE, ZipArchive,
    ZipArchiveEntryWayfinder, ZipFileHeaderRecord,
};
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::path::{Component, Path, PathBuf};

/// The maximum depth of folders.
const MOST_DEPTH: usize = 100;
/// The maximum total length of the names of all entries, in bytes.
const MOST_NAMES: usize = 64 << 20;
/// The maximum length of a name in common file systems, in bytes.
const LONGEST_NAME: usize = 255;

/// The Windows attribute for links and junctions.
const REPARSE_POINT: u32 = 0x400;

/// An open archive.
pub type Archive = ZipArchive<FileReader>;

/// The source of a name's encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    Ascii,
    /// The flag says that the name is UTF-8, and the name is valid UTF-8.
    Flag,
    /// Info-ZIP's extra field.
    ExtraField,
    /// The name is valid UTF-8 without a flag.
    Valid,
    /// `--from`, or the decision from all names whose encoding is not stated.
    Encoding(&'static Encoding),
}

impl Why {
    /// Returns the word for the source in the list of names.
    pub fn word(self) -> &'static str {
        match self {
            Self::Ascii => "ASCII",
            Self::Flag => "UTF-8 (flag)",
            Self::ExtraField => "UTF-8 (0x7075)",
            Self::Valid => "UTF-8",
            Self::Encoding(encoding) => encoding.name(),
        }
    }
}

/// A file or folder in an archive.
pub struct ListedEntry {
    /// The name's bytes in the archive.
    pub raw: Vec<u8>,
    /// The decoded name.
    pub name: String,
    pub why: Why,
    /// The path below the output folder.
    pub path: PathBuf,
    pub is_folder: bool,
    /// The size of the entry's content in bytes, as stated by the archive.
    pub size: u64,
    pub method: CompressionMethod,
    pub is_executable: bool,
    /// The modification time in seconds since 1970, if the archive states it.
    pub modified: Option<i64>,
    pub way: ZipArchiveEntryWayfinder,
    /// The reason why the entry is not extracted.
    pub refused: Option<String>,
}

/// A name in UTF-8 with its source, if the entry's record states the encoding.
type Said = Option<(String, Why)>;

/// Opens an archive.
///
/// # Errors
///
/// Fails if the file is not an archive, or is unreadable.
pub fn open(file: &Path) -> Result<Archive, Failure> {
    let name = mojika_convert::quote::quote(file);
    let opened = File::open(file).map_err(|error| Failure::io("open", name.clone(), error))?;
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    ZipArchive::from_file(opened, &mut buffer).map_err(|error| {
        let error =
            std::io::Error::other(format!("it is not a ZIP archive, or is damaged ({error})"));
        Failure::io("read", name, error)
    })
}

/// Reads the entries of an archive, up to `most`.
///
/// # Errors
///
/// Fails if the list is damaged or longer, or if the encoding of the names is doubtful.
pub fn read(
    archive: &Archive,
    file: &Path,
    reading: &mut Reading,
    question: &Question,
    most: u64,
) -> Result<Vec<ListedEntry>, Failure> {
    let name = mojika_convert::quote::quote(file);
    let damaged = |error: String| Failure::io("read", name.clone(), std::io::Error::other(error));
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let mut entries = Vec::new();
    let mut said = Vec::new();
    let mut bytes = 0;
    let mut records = archive.entries(&mut buffer);
    loop {
        let record = records
            .next_entry()
            .map_err(|error| damaged(format!("its list of entries is damaged ({error})")))?;
        let Some(record) = record else { break };
        let entry = entry(&record);
        bytes += entry.raw.len();
        if entries.len() as u64 >= most {
            return Err(damaged(format!(
                "it has more than {most} entries; --max-entries allows more"
            )));
        }
        if bytes > MOST_NAMES {
            return Err(damaged(
                "the names of its entries are longer than 64 MiB in all".to_owned(),
            ));
        }
        said.push(what_is_said(&record));
        entries.push(entry);
    }
    let all = entries.iter().zip(&said);
    let open: Vec<_> = all
        .filter(|(_, said)| said.is_none())
        .map(|(entry, _): (&ListedEntry, _)| &entry.raw[..])
        .collect();
    let text = super::super::tree::text(open.iter().copied(), reading);
    if !text.is_empty() {
        let (encoding, _) = super::super::decide(question, &text, &name)?;
        // The encoding of the specification is preferred if the decoded names are the same.
        let specified = extended::find("IBM437").unwrap_or(encoding);
        let reads_alike = |raw: &[u8]| decode(specified, raw).ok() == decode(encoding, raw).ok();
        reading.from = Some(match open.into_iter().all(reads_alike) {
            true => specified,
            false => encoding,
        });
    }
    for (entry, said) in entries.iter_mut().zip(said) {
        entry.set_name(said, reading);
    }
    refuse_collisions(&mut entries);
    Ok(entries)
}

/// Checks that extraction creates at most `most` files and folders. An entry may create all folders in its path.
///
/// # Errors
///
/// Returns a message about the exceeded limit.
pub fn check_folders(entries: &[ListedEntry], most: u64) -> Result<(), String> {
    let mut folders: HashSet<&Path> = HashSet::new();
    let mut made = 0;
    for entry in entries.iter().filter(|entry| entry.refused.is_none()) {
        made += u64::from(!entry.is_folder);
        let above = usize::from(!entry.is_folder);
        for folder in entry.path.ancestors().skip(above) {
            // If a folder is known, so are its parents.
            if folder.as_os_str().is_empty() || !folders.insert(folder) {
                break;
            }
            if made + folders.len() as u64 > most {
                return Err(format!(
                    "its files and the folders of their names are more than {most}; --max-entries allows more"
                ));
            }
        }
    }
    Ok(())
}

fn entry(record: &ZipFileHeaderRecord<'_>) -> ListedEntry {
    let mode = record.mode();
    let is_unix = matches!(
        record.version_made_by().creator_system(),
        CreatorSystem::UNIX | CreatorSystem::MACOS
    );
    let type_bits = if is_unix {
        record.external_attributes() >> 28
    } else {
        0
    };
    // Info-ZIP marks links by these bits, also in DOS archives.
    let is_link = mode.is_symlink() || record.external_attributes() >> 28 == 0o12;
    let is_junction = !is_unix && record.external_attributes() & REPARSE_POINT != 0;
    let mut refused = None;
    if is_link || is_junction {
        refused = Some("a symbolic link, which is not extracted".to_owned());
    } else if ![0, 0o4, 0o10].contains(&type_bits) {
        refused = Some("it is neither a file nor a folder".to_owned());
    } else if record.flags().is_encrypted() {
        refused = Some(
            "it is encrypted; extract it with a program that asks for the password".to_owned(),
        );
    }
    ListedEntry {
        raw: record.file_path().as_bytes().to_vec(),
        name: String::new(),
        why: Why::Ascii,
        path: PathBuf::new(),
        is_folder: record.is_dir(),
        size: record.uncompressed_size_hint(),
        method: record.compression_method(),
        is_executable: is_unix && mode.permissions() & 0o100 != 0,
        modified: match record.last_modified() {
            ZipDateTimeKind::Utc(time) => Some(time.to_unix()),
            // The time zone is unknown.
            ZipDateTimeKind::Local(_) => None,
        },
        way: record.wayfinder(),
        refused,
    }
}

/// Returns the encoding of an entry's name, as stated by its record.
fn what_is_said(record: &ZipFileHeaderRecord<'_>) -> Said {
    let path = record.file_path();
    let raw = path.as_bytes();
    let text = std::str::from_utf8(raw);
    if raw.is_ascii()
        && let Ok(text) = text
    {
        return Some((text.to_owned(), Why::Ascii));
    }
    if record.flags().is_utf8()
        && let Ok(text) = text
    {
        return Some((text.to_owned(), Why::Flag));
    }
    let fields = record.extra_fields();
    let unicode = fields.filter(|(id, _)| *id == ExtraFieldId::INFO_ZIP_UNICODE_PATH);
    for (_, field) in unicode {
        if let Some(text) = unicode_path(field, raw) {
            return Some((text.to_owned(), Why::ExtraField));
        }
    }
    // A name that is not UTF-8 has an undecided encoding, even if the UTF-8 flag is set.
    text.ok().map(|text| (text.to_owned(), Why::Valid))
}

/// Returns the name in Info-ZIP's field: version 1, the checksum of the entry's own name, which must match, and UTF-8.
fn unicode_path<'f>(field: &'f [u8], raw: &[u8]) -> Option<&'f str> {
    let (head, text) = field.split_at_checked(5)?;
    let mut crc = Crc::new();
    crc.update(raw);
    let is_its = head[0] == 1 && head[1..] == crc.sum().to_le_bytes();
    is_its.then(|| std::str::from_utf8(text).ok())?
}

impl ListedEntry {
    /// Sets name and path.
    fn set_name(&mut self, said: Said, reading: &Reading) {
        let (text, why) = match said {
            Some((text, why)) => (Ok(text), why),
            None => {
                let from = reading.from.unwrap_or(mojika::UTF_8);
                let decoded = decode(from, &self.raw);
                (decoded.map(String::from), Why::Encoding(from))
            }
        };
        self.why = why;
        let path = text.and_then(|text| {
            self.name = reading.in_form(&text).into_owned();
            path(&self.name)
        });
        match path {
            Ok(path) => self.path = path,
            Err(reason) => {
                self.refused.get_or_insert(reason);
            }
        }
    }
}

/// Returns the path of a name below a folder.
///
/// # Errors
///
/// Returns the reason if the path is invalid.
fn path(name: &str) -> Result<PathBuf, String> {
    // Some Windows programs write backslashes as separators.
    let replaced = match name.contains('/') {
        false => name.replace('\\', "/"),
        true => name.to_owned(),
    };
    if replaced.starts_with('/') {
        return Err("an absolute name, which would leave the output folder".to_owned());
    }
    if replaced.contains('\0') {
        return Err("the name has a zero byte".to_owned());
    }
    let mut path = PathBuf::new();
    let mut depth = 0;
    for part in Path::new(&replaced).components() {
        match part {
            Component::Normal(part) if part.len() > LONGEST_NAME => {
                return Err(format!(
                    "a part of the name has {} bytes, and file systems take at most {LONGEST_NAME}",
                    part.len()
                ));
            }
            Component::Normal(part) => path.push(part),
            Component::CurDir => {}
            _ => return Err("a name with \"..\", which would leave the output folder".to_owned()),
        }
        depth += 1;
    }
    if path.as_os_str().is_empty() {
        return Err("the name is empty".to_owned());
    }
    if depth > MOST_DEPTH {
        return Err(format!("more than {MOST_DEPTH} folders within one another"));
    }
    Ok(path)
}

/// Refuses all files with the same name, and entries below a file.
fn refuse_collisions(entries: &mut [ListedEntry]) {
    let mut places: HashMap<PathBuf, usize> = HashMap::new();
    let mut same = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        if entry.refused.is_some() || entry.is_folder {
            continue;
        }
        if let Some(&first) = places.get(&entry.path) {
            same.extend([first, at]);
        } else {
            places.insert(entry.path.clone(), at);
        }
    }
    let reason = "another entry has the same name, and neither is extracted";
    let same = same.into_iter().map(|at| (at, reason.to_owned()));
    let mut reasons: Vec<(usize, String)> = same.collect();
    for (at, entry) in entries.iter().enumerate() {
        let above = entry.path.ancestors().skip(usize::from(!entry.is_folder));
        let mut above = above.filter(|path| !path.as_os_str().is_empty());
        if let Some(file) = above.find(|path| places.contains_key(*path)) {
            let file = mojika_convert::quote::quote(file);
            reasons.push((
                at,
                format!("it lies below {file}, which is a file in this archive"),
            ));
        }
    }
    for (at, reason) in reasons {
        entries[at].refused.get_or_insert(reason);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_nowhere_but_below_the_folder() {
        for (name, place) in [
            ("a/b", "a/b"),
            ("a//b/", "a/b"),
            ("./a/./b", "a/b"),
            ("a\\b", "a/b"),
            ("a\\b/c", "a\\b/c"),
            ("...", "..."),
        ] {
            assert_eq!(path(name), Ok(PathBuf::from(place)), "{name}");
        }
        let long = "x".repeat(256);
        let deep = "x/".repeat(101);
        for name in [
            "",
            ".",
            "/",
            "/a",
            "..",
            "../a",
            "a/../../b",
            "a/..",
            "..\\a",
            "\\a",
            "\\\\host\\a",
            "a\0b",
            &long,
            &deep,
        ] {
            assert!(path(name).is_err(), "{name}");
        }
    }

    #[test]
    fn a_unicode_path_counts_where_its_checksum_is_that_of_the_name() {
        let mut crc = Crc::new();
        crc.update(b"a?");
        let field = [&[1][..], &crc.sum().to_le_bytes(), "aé".as_bytes()].concat();
        assert_eq!(unicode_path(&field, b"a?"), Some("aé"));
        assert_eq!(unicode_path(&field, b"b?"), None);
        assert_eq!(unicode_path(&field[..4], b"a?"), None);
        assert_eq!(unicode_path(&[&[2], &field[1..]].concat(), b"a?"), None);
        assert_eq!(unicode_path(&[&field[..], b"\xFF"].concat(), b"a?"), None);
    }
}

//! `mojika warc`: converts web archives to UTF-8 text.
//!
//! `reader` reads records and continues after damage. `archive` converts the records of one archive: `http` decodes the
//! codings of a body, `decide` decides its encoding, `document` has its metadata. `jsonl`, `wet` and `utf8` write it to a
//! `sink`, and the `summary` counts it. This file processes archives one after another, or in parallel to a folder, with
//! drafts, batches and journal of [`mojika_convert::job`]. `choose` filters documents, and `cdx` finds records. [`pages`]
//! reads files of a folder instead of archives; `saved` turns each into an archive. `shards` divides the documents of one
//! output.

#![cfg(unix)]
#![forbid(unsafe_code)]

mod archive;
pub mod args;
mod cdx;
mod cells;
#[cfg(test)]
mod changes;
mod choose;
mod decide;
mod document;
mod folder;
mod format;
mod http;
mod jsonl;
pub mod pages;
#[cfg_attr(not(feature = "parquet"), path = "no_parquet.rs")]
mod parquet;
mod plain;
mod reader;
mod saved;
mod shards;
mod single;
mod sink;
mod summary;
mod utf8;
mod wet;

use archive::{ArchiveOptions, Piece};
use args::{DocumentArgs, WarcArgs};
use format::Format;
use mojika_convert::decide::Question;
use mojika_convert::engine::{self, Compress};
use mojika_convert::job::folder::{Opener, Spot};
use mojika_convert::job::journal::Journal;
use mojika_convert::job::lines;
use mojika_convert::job::operation::Operation;
use mojika_convert::job::output_tree::OutputTree;
use mojika_convert::job::tree::{self, NamedFile, TreeError};
use mojika_convert::output::is_folder;
use mojika_convert::quote::quote;
use mojika_convert::report::{self, Failure};
use reader::Input;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The file name endings by which archives are found in folders.
const ENDINGS: [&str; 3] = [".warc", ".warc.gz", ".warc.zst"];

/// Runs `mojika warc` and returns the exit status.
pub fn run(args: &WarcArgs) -> Result<u8, Failure> {
    let start = Instant::now();
    args.document.check_output(args.place.force)?;
    let mut files = inputs(args)?;
    if let Some(list) = &args.cdx {
        cdx::choose(list, &mut files)?;
    }
    args.document.check_own_files(&files, args.cdx.as_deref())?;
    let (summary, status) = match &args.document.output {
        Some(folder) if is_folder(folder) => folder::run(args, folder, &files)?,
        output => {
            if args.place.resume.is_some() {
                return Err(Failure::usage(
                    "--resume needs an output folder, -o DIR/: a single output appears only when it is complete",
                ));
            }
            let summary = single::run(&args.document, output.as_deref(), &files)?;
            (summary, 0)
        }
    };
    if !args.document.quiet {
        report::say(summary.text(start.elapsed(), "archive").trim_end());
    }
    Ok(status.max(summary.status()))
}

/// True if a file of this name holds Parquet.
fn is_parquet(path: &Path) -> bool {
    path.extension()
        .is_some_and(|end| end.eq_ignore_ascii_case("parquet"))
}

/// Returns the failure for an output that already exists.
fn exists(output: &Path) -> Failure {
    let error = io::Error::other("it exists; --force replaces it");
    Failure::io("write", quote(output), error)
}

/// An archive to read, or a page.
#[derive(Clone)]
struct Archive {
    /// The address of a page.
    url: Option<String>,
    path: PathBuf,
    /// The path below the user's folder.
    relative: PathBuf,
    /// The file's position in that folder.
    spot: Option<Spot>,
    /// The records to read, as offset and length in bytes; `None` means all.
    ranges: Option<Vec<(u64, u64)>>,
}

/// Returns the archives to read, in order.
fn inputs(args: &WarcArgs) -> Result<Vec<Archive>, Failure> {
    let is_archive = |name: &OsStr| {
        let name = name.as_encoded_bytes().to_ascii_lowercase();
        ENDINGS.iter().any(|end| name.ends_with(end.as_bytes()))
    };
    let archives = find(&args.files, args.document.follow_links, &is_archive)?;
    if archives.is_empty() {
        return Err(Failure::usage(
            "no archives: name files, or a folder with files *.warc, *.warc.gz or *.warc.zst",
        ));
    }
    Ok(archives)
}

/// Returns the user's files, and the matching files of the user's folders, in order.
fn find(
    paths: &[PathBuf],
    follow: bool,
    is_wanted: &dyn Fn(&OsStr) -> bool,
) -> Result<Vec<Archive>, Failure> {
    let mut files = Vec::new();
    for found in tree::files(paths.iter().cloned(), follow) {
        let NamedFile {
            path,
            relative,
            spot,
        } = found.map_err(|TreeError { path, error }| Failure::io("read", quote(&path), error))?;
        if spot.is_none() || is_wanted(relative.file_name().unwrap_or_default()) {
            files.push(Archive {
                url: None,
                path,
                relative,
                spot,
                ranges: None,
            });
        }
    }
    Ok(files)
}

impl Archive {
    /// Returns the size of the file in bytes; 0 for standard input.
    fn size(&self) -> u64 {
        fs::metadata(&self.path).map_or(0, |metadata| metadata.len())
    }

    /// Opens the file. A file that was found in a folder must still be a regular file there.
    fn open(&self) -> io::Result<File> {
        let Some(spot) = &self.spot else {
            return File::open(&self.path);
        };
        let file = Opener::default().read(spot)?;
        match file.metadata()?.is_file() {
            true => Ok(file),
            false => Err(io::Error::other("it is not a regular file any more")),
        }
    }

    /// Returns the parts of the file to read, through `reader`: the whole file, or the ranges of a list.
    fn inputs<'a>(&self, reader: Box<dyn Read + 'a>, file: &File) -> io::Result<Vec<Piece<'a>>> {
        let Some(ranges) = &self.ranges else {
            return Ok(vec![Piece::whole(Input::file(reader, file)?)]);
        };
        let pieces = ranges.iter().map(|&(offset, length)| {
            let range = Range {
                file: file.try_clone()?,
                at: offset,
                left: length,
            };
            Ok(Piece {
                input: Input::stream(Box::new(range) as Box<dyn Read>),
                offset,
            })
        });
        pieces.collect()
    }
}

/// A range of a file.
struct Range {
    file: File,
    at: u64,
    left: u64,
}

impl Read for Range {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        use std::os::unix::fs::FileExt;
        let most = usize::try_from(self.left).unwrap_or(usize::MAX);
        let most = buffer.len().min(most);
        let length = self.file.read_at(&mut buffer[..most], self.at)?;
        self.at += length as u64;
        self.left -= length as u64;
        Ok(length)
    }
}

impl DocumentArgs {
    /// Returns the requested format, or the format of the output's name.
    fn format(&self) -> Format {
        self.format.unwrap_or_else(|| {
            let named = self.output.as_deref().is_some_and(is_parquet);
            if named {
                Format::Parquet
            } else {
                Format::Jsonl
            }
        })
    }

    /// Refuses an existing output unless `force` is set, and an output whose name suggests another format.
    fn check_output(&self, force: bool) -> Result<(), Failure> {
        self.shards
            .check(self.output.as_deref(), self.format(), force)?;
        let Some(output) = &self.output else {
            return Ok(());
        };
        let name = output.to_string_lossy().to_ascii_lowercase();
        if is_parquet(output) != (self.format() == Format::Parquet) && !is_folder(output) {
            return Err(Failure::usage(match self.format() {
                Format::Parquet => {
                    "--format parquet needs a name that ends with .parquet, or a folder: -o out.parquet or -o DIR/"
                }
                _ => {
                    "a name that ends with .parquet is for Parquet: leave out --format, or name the output .jsonl, .warc.wet or .warc"
                }
            }));
        }
        const OTHERS: [&str; 5] = [".csv", ".tsv", ".arrow", ".feather", ".avro"];
        if let Some(other) = OTHERS.iter().find(|end| name.ends_with(*end)) {
            return Err(Failure::usage(&format!(
                "a {other} file would contain {}: name the output .jsonl, .warc.wet or .warc, or read the JSON lines with \
                 the program that wants {other}",
                match self.format() {
                    Format::Jsonl => "lines of JSON",
                    Format::Parquet => "Parquet",
                    Format::Wet | Format::WarcUtf8 => "an archive",
                },
            )));
        }
        let is_file = fs::metadata(output).is_ok_and(|metadata| metadata.is_file());
        if is_file && !force && !self.shards.are_asked() {
            return Err(exists(output));
        }
        Ok(())
    }

    /// Refuses an output that would replace an archive or the `list` of records. Refuses a report that would replace one of
    /// these or the output.
    fn check_own_files(&self, archives: &[Archive], list: Option<&Path>) -> Result<(), Failure> {
        let inputs = archives.iter().map(|archive| &*archive.path);
        let inputs = inputs.chain(list);
        if let Some(output) = self.output.as_deref().filter(|output| !is_folder(output))
            && inputs
                .clone()
                .any(|input| lines::is_same_file(input, output))
        {
            return Err(Failure::Usage(format!(
                "{}: is an input, which the output would replace; give the output another name",
                quote(output)
            )));
        }
        let say = self.run.say(self.quiet);
        say.check_own_files(inputs, self.output.as_deref())
    }

    /// Begins to read archives.
    fn begin(
        &self,
        archives: &[Archive],
        journal: Option<Journal>,
        folders: Option<OutputTree>,
    ) -> Result<Operation, Failure> {
        let say = self.run.say(self.quiet);
        let operation = Operation::begin(&say, journal, folders)?;
        operation
            .reporter
            .expect(archives.iter().map(Archive::size));
        Ok(operation)
    }

    fn options(&self) -> Result<ArchiveOptions, Failure> {
        Ok(ArchiveOptions {
            format: self.format(),
            choice: self.choose.choice(self.format() == Format::WarcUtf8)?,
            text: self.text,
            are_pages: false,
            max_body: self.max_body,
            question: Question {
                confidence: self.confidence,
                ..self.hints.question()?
            },
        })
    }

    /// Refuses formats in which archives are never compressed.
    fn check_compression(&self, compression: Option<engine::Format>) -> Result<(), Failure> {
        use engine::Format::{Gzip, Zstd};
        if self.format() == Format::Parquet && compression.is_some() {
            return Err(Failure::usage(
                "Parquet files are compressed by Zstandard already: leave out --compress",
            ));
        }
        if !self.format().is_archive() || matches!(compression, None | Some(Gzip | Zstd)) {
            return Ok(());
        }
        Err(Failure::usage(
            "archives are compressed with gz or zst, or not at all: use --compress gz, zst or none",
        ))
    }

    /// Returns the compression of an output with this name.
    fn compression(&self, name: Option<&Path>) -> Option<engine::Format> {
        let by_name = || name.and_then(engine::Format::of_name);
        match self.compress {
            None | Some(Compress::Keep) => by_name(),
            Some(compress) => compress.format(None),
        }
    }
}

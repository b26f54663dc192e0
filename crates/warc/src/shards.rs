//! The files of an output: one file, or several shards.
//!
//! With a number of shards, the documents go in turn to `out-00000-of-00008.jsonl` and so on, which appear at the end.
//! With a size, `out-00000.jsonl` and so on are filled one after another, and each appears when the next one begins.

use super::format::Format;
use super::parquet;
use super::sink::{Sink, Sinks};
use mojika_convert::engine;
use mojika_convert::job::folder::folder_of;
use mojika_convert::output::{Output, is_folder};
use mojika_convert::quote::quote;
use mojika_convert::report::Failure;
use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The minimum number of digits in a name.
const DIGITS: usize = 5;

/// The number of files of an output.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct ShardArgs {
    /// Divide the documents among N files, out-00000-of-0000N.jsonl and so on for -o out.jsonl
    ///
    /// Documents go to the files in turn. The files appear when all are complete.
    #[arg(
        long,
        value_name = "N",
        value_parser = count,
        allow_negative_numbers = true,
        help_heading = "Output"
    )]
    pub shards: Option<u16>,

    /// Begin a new file when one has reached SIZE: out-00000.jsonl, then out-00001.jsonl, for -o out.jsonl
    ///
    /// SIZE is a number of bytes, or of kB, MB, GB, KiB, MiB or GiB. It limits the lines before compression, or the
    /// text in Parquet. A file ends with the document that reaches SIZE, and appears when it is complete.
    #[arg(
        long,
        value_name = "SIZE",
        value_parser = size,
        allow_negative_numbers = true,
        conflicts_with = "shards",
        help_heading = "Output"
    )]
    pub shard_size: Option<u64>,
}

/// Reads a number of shards.
fn count(text: &str) -> Result<u16, String> {
    match text.parse() {
        Ok(count @ 1..=1000) => Ok(count),
        _ => Err("give a number from 1 to 1000".to_owned()),
    }
}

/// Reads a size.
fn size(text: &str) -> Result<u64, String> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let factor = match &*unit.trim_start().to_ascii_lowercase() {
        "" | "b" => 1,
        "k" | "kb" => 1000,
        "m" | "mb" => 1_000_000,
        "g" | "gb" => 1_000_000_000,
        "kib" => 1 << 10,
        "mib" => 1 << 20,
        "gib" => 1 << 30,
        _ => 0,
    };
    let size = number.parse::<u64>().ok();
    let size = size.and_then(|number| number.checked_mul(factor));
    size.filter(|&size| size > 0)
        .ok_or_else(|| "give a size in bytes, such as 500000000, 500MB or 512MiB".to_owned())
}

/// The division of an output into files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Division {
    Whole,
    Count(u16),
    Size(u64),
}

impl ShardArgs {
    fn division(&self) -> Division {
        match (self.shards, self.shard_size) {
            (Some(count), _) => Division::Count(count),
            (None, Some(size)) => Division::Size(size),
            (None, None) => Division::Whole,
        }
    }

    /// True if the user requests shards.
    pub fn are_asked(&self) -> bool {
        self.division() != Division::Whole
    }

    /// Refuses outputs that cannot have shards, and existing files without `force`.
    ///
    /// # Errors
    ///
    /// Fails if the output cannot have shards, or if shards of this name exist and `force` is false.
    pub fn check(&self, output: Option<&Path>, format: Format, force: bool) -> Result<(), Failure> {
        if !self.are_asked() {
            return Ok(());
        }
        let Some(output) = output else {
            return Err(Failure::usage(
                "--shards and --shard-size need a name for the files, such as -o out.jsonl",
            ));
        };
        if is_folder(output) {
            return Err(Failure::usage(
                "-o DIR/ writes one file for each archive: name a file for --shards and --shard-size, such as -o out.jsonl",
            ));
        }
        if format.is_archive() {
            return Err(Failure::usage(
                "--shards and --shard-size are for --format jsonl and parquet",
            ));
        }
        if !force && let Some(name) = self.series(output)?.first() {
            return Err(super::exists(name));
        }
        Ok(())
    }

    /// Returns the existing files with the names of this output's shards, in order.
    fn series(&self, output: &Path) -> Result<Vec<PathBuf>, Failure> {
        let folder = folder_of(output);
        let (stem, ending) = parts(output);
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => Failure::NoFolder {
                name: quote(output),
                folder: quote(folder),
            },
            _ => Failure::io("read", quote(folder), error),
        };
        let mut found = Vec::new();
        for entry in fs::read_dir(folder).map_err(failed)? {
            let name = entry.map_err(failed)?.file_name();
            if is_shard(&name, &stem, &ending) {
                found.push(output.with_file_name(name));
            }
        }
        found.sort();
        Ok(found)
    }
}

/// Returns the part of an output's name before the number of a shard, and its extensions.
fn parts(output: &Path) -> (OsString, OsString) {
    let mut stem = PathBuf::from(output.file_name().unwrap_or_default());
    let mut ending = OsString::new();
    for is_wanted in [engine::Format::of_name(&stem).is_some(), true] {
        if is_wanted && let Some(extension) = stem.extension() {
            let mut whole = OsString::from(".");
            whole.push(extension);
            whole.push(&ending);
            ending = whole;
            stem.set_extension("");
        }
    }
    (stem.into_os_string(), ending)
}

/// True if `name` is that of a shard: `stem`, digits by number or by size, and `ending`.
fn is_shard(name: &OsStr, stem: &OsStr, ending: &OsStr) -> bool {
    let middle = name
        .as_encoded_bytes()
        .strip_prefix(stem.as_encoded_bytes())
        .and_then(|rest| rest.strip_suffix(ending.as_encoded_bytes()));
    let is_number =
        |part: &str| part.len() >= DIGITS && part.bytes().all(|byte| byte.is_ascii_digit());
    let middle = middle.and_then(|middle| str::from_utf8(middle).ok()?.strip_prefix('-'));
    middle.is_some_and(|middle| match middle.split_once("-of-") {
        Some((number, count)) => is_number(number) && is_number(count),
        None => is_number(middle),
    })
}

/// The files of an output.
pub struct Shards<'a> {
    path: Option<&'a Path>,
    format: Format,
    compression: Option<engine::Format>,
    division: Division,
    /// The open shards.
    open: Vec<Sink<Output>>,
    names: Vec<String>,
    /// The index of the shard to which the last document was written.
    last: usize,
    /// The number of files that have been created.
    begun: u64,
    /// The number of bytes of the shards that have their final names.
    bytes: u64,
    /// The reason why a file did not get its final name, or why the next file was not begun.
    failure: Option<Failure>,
}

impl<'a> Shards<'a> {
    /// Opens the output at `path`, or standard output.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be created.
    pub fn begin(
        args: &ShardArgs,
        path: Option<&'a Path>,
        format: Format,
        compression: Option<engine::Format>,
    ) -> Result<Self, Failure> {
        let mut shards = Self {
            path,
            format,
            compression,
            division: args.division(),
            open: Vec::new(),
            names: Vec::new(),
            last: 0,
            begun: 0,
            bytes: 0,
            failure: None,
        };
        let count = match shards.division {
            Division::Count(count) => count,
            Division::Whole | Division::Size(_) => 1,
        };
        for _ in 0..count {
            shards.add(usize::from(count))?;
        }
        // The first document will go to the shard after the last one, which is the first.
        shards.last = shards.open.len() - 1;
        Ok(shards)
    }

    /// Returns the path of the shard `number`, counted from 0.
    fn named(&self, path: &Path, number: u64) -> PathBuf {
        let number = match self.division {
            Division::Whole => return path.to_owned(),
            Division::Count(count) => format!("-{number:0DIGITS$}-of-{count:0DIGITS$}"),
            Division::Size(_) => format!("-{number:0DIGITS$}"),
        };
        let (mut name, ending) = parts(path);
        name.push(number);
        name.push(ending);
        path.with_file_name(name)
    }

    /// Opens the next shard. `count` is the number of shards that are open at the same time.
    fn add(&mut self, count: usize) -> Result<(), Failure> {
        let path = self.path.map(|path| self.named(path, self.begun));
        let output = Output::open(path.as_deref())?;
        let name = output.name().to_owned();
        // The rows of a single output are encoded by other threads.
        let threads = if count == 1 { parquet::threads() } else { 0 };
        let sink = Sink::new(self.format, self.compression, output, (count, threads));
        self.open
            .push(sink.map_err(|error| Failure::write(&name, error))?);
        self.names.push(name);
        self.begun += 1;
        Ok(())
    }

    /// Returns the failure that caused an error of [`Sinks::next`], or an error of the file with the last document.
    pub fn failure(&mut self, error: io::Error) -> Failure {
        let failure = self.failure.take();
        failure.unwrap_or_else(|| Failure::write(&self.names[self.last], error))
    }

    /// Returns the number of bytes written, before compression.
    pub fn bytes(&self) -> u64 {
        self.bytes + self.open.iter().map(Sink::bytes).sum::<u64>()
    }

    /// Moves the open files, which are complete, to their final names.
    fn appear(&mut self) -> Result<(), Failure> {
        self.bytes = self.bytes();
        let mut complete = Vec::new();
        for (sink, name) in self.open.drain(..).zip(self.names.drain(..)) {
            complete.push(
                sink.finish()
                    .map_err(|error| Failure::write(&name, error))?,
            );
        }
        complete.into_iter().try_for_each(Output::commit)
    }

    /// Writes the end of the files, and moves them to their final names. Returns files of another run that have names
    /// of this output's shards.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be written or replaced.
    pub fn finish(mut self, args: &ShardArgs) -> Result<Vec<PathBuf>, Failure> {
        self.appear()?;
        let Some(path) = self.path.filter(|_| args.are_asked()) else {
            return Ok(Vec::new());
        };
        let ours: HashSet<PathBuf> = (0..self.begun).map(|at| self.named(path, at)).collect();
        let mut found = args.series(path)?;
        found.retain(|path| !ours.contains(path));
        Ok(found)
    }
}

impl Sinks for Shards<'_> {
    type Writer = Output;

    fn next(&mut self) -> io::Result<&mut Sink<Output>> {
        if let Division::Size(size) = self.division
            && self.open[0].bytes() >= size
        {
            let begun = self.appear().and_then(|()| self.add(1));
            if let Err(failure) = begun {
                let error = io::Error::other(failure.message().unwrap_or_default());
                self.failure = Some(failure);
                return Err(error);
            }
        }
        self.last = (self.last + 1) % self.open.len();
        Ok(&mut self.open[self.last])
    }

    fn last(&mut self) -> &mut Sink<Output> {
        &mut self.open[self.last]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        let rows = [
            ("1", 1),
            ("500MB", 500_000_000),
            ("512 MiB", 512 << 20),
            ("2g", 2_000_000_000),
            ("3KiB", 3072),
            ("4kB", 4000),
            ("5 b", 5),
            ("6M", 6_000_000),
            ("7GiB", 7 << 30),
        ];
        for (text, expected) in rows {
            assert_eq!(size(text), Ok(expected), "{text}");
        }
        for wrong in ["", "0", "MB", "-1", "1.5GB", "1 TB", "99999999999GB"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_shard_has_the_name_and_the_endings_of_the_output() {
        let rows = [
            ("out.jsonl", "out", ".jsonl"),
            ("a/out.jsonl.gz", "out", ".jsonl.gz"),
            ("crawl.2026.parquet", "crawl.2026", ".parquet"),
            ("out", "out", ""),
            ("out.zst", "out", ".zst"),
        ];
        for (path, stem, ending) in rows {
            let (found, end) = parts(Path::new(path));
            assert_eq!(
                (&*found, &*end),
                (OsStr::new(stem), OsStr::new(ending)),
                "{path}"
            );
        }
        let is = |name: &str| is_shard(name.as_ref(), "out".as_ref(), ".jsonl".as_ref());
        assert!(is("out-00000.jsonl") && is("out-00001-of-00008.jsonl") && is("out-123456.jsonl"));
        for other in [
            "out.jsonl",
            "out-1.jsonl",
            "out-00000.jsonl.gz",
            "out-00000-of-.jsonl",
            "about-00000.jsonl",
            "out-0000a.jsonl",
        ] {
            assert!(!is(other), "{other}");
        }
    }
}

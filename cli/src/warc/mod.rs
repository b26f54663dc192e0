//! `mojika warc`: from web archives to UTF-8 text.
//!
//! [`reader`] reads records and goes on behind damage. [`archive`] takes the records of one archive: [`http`] undoes
//! the codings of a body, [`decide`] decides its encoding, [`document`] has what is known of it; [`jsonl`], [`wet`] and
//! [`utf8`] write it to a [`sink`], and the [`summary`] counts it; a [`page`] shows that in pictures ([`chart`]). This file
//! lets archives go through that one after another, or side by side to a folder, with drafts, batches and journal of
//! [`crate::job`].

mod archive;
pub mod args;
mod chart;
mod decide;
mod document;
mod folder;
mod http;
mod jsonl;
mod page;
mod plain;
mod reader;
mod relabel;
mod sink;
mod summary;
mod utf8;
mod wet;

use crate::engine::{self, Compress};
use crate::job::{quote, signals};
use crate::output::{self, Output};
use crate::report::{self, Failure};
use archive::{Options, Progress, Stop};
use args::{Format, WarcArgs};
use reader::Damage;
use sink::Sink;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use summary::Summary;

/// Endings of archives in folders.
const ENDINGS: [&str; 3] = [".warc", ".warc.gz", ".warc.zst"];

/// `mojika warc`; returns the exit status.
pub fn run(args: &WarcArgs) -> Result<u8, Failure> {
    let start = Instant::now();
    let files = inputs(args)?;
    let page = args.report_html.as_deref();
    let page = page.map(|path| Output::open(Some(path))).transpose()?;
    let (summary, status) = match &args.output {
        Some(folder) if is_folder(folder) => folder::run(args, folder, &files)?,
        output => {
            if args.resume {
                return Err(Failure::usage(
                    "--resume needs an output folder: a single output appears when all of it is complete",
                ));
            }
            let summary = run_to_one(args, output.as_deref(), &files)?;
            (summary, 0)
        }
    };
    if !args.quiet {
        report::say(summary.text(start.elapsed()).trim_end());
    }
    if let Some(page) = page {
        write_page(page, &summary, start.elapsed())?;
    }
    Ok(status.max(u8::from(summary.damaged > 0)))
}

fn write_page(mut output: Output, summary: &Summary, time: Duration) -> Result<(), Failure> {
    let name = output.name().to_owned();
    let failed = |error| Failure::write(&name, error);
    let page = page::page(summary, time);
    let page = page.map_err(|error| failed(io::Error::other(error.to_string())))?;
    output.write_all(page.as_bytes()).map_err(failed)?;
    output.commit()
}

fn is_folder(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().ends_with(b"/") || path.is_dir()
}

/// An archive to read.
#[derive(Clone, Debug)]
struct Archive {
    path: PathBuf,
    /// Below the folder that was named.
    relative: PathBuf,
}

/// The archives to read, in order.
fn inputs(args: &WarcArgs) -> Result<Vec<Archive>, Failure> {
    let mut archives = Vec::new();
    for path in &args.files {
        if path.as_os_str() == "-" || !path.is_dir() {
            let relative = PathBuf::from(path.file_name().unwrap_or(path.as_os_str()));
            let path = path.clone();
            archives.push(Archive { path, relative });
            continue;
        }
        let walk = ignore::WalkBuilder::new(path)
            .standard_filters(false)
            .sort_by_file_name(Ord::cmp)
            .build();
        for entry in walk {
            let entry = entry.map_err(|error| {
                let error = io::Error::other(error.to_string());
                Failure::io("read", quote(path), error)
            })?;
            let name = entry.file_name().as_encoded_bytes().to_ascii_lowercase();
            let is_file = entry.file_type().is_some_and(|kind| !kind.is_dir());
            if is_file && ENDINGS.iter().any(|end| name.ends_with(end.as_bytes())) {
                let relative = entry.path().strip_prefix(path).unwrap_or(entry.path());
                archives.push(Archive {
                    path: entry.path().to_owned(),
                    relative: relative.to_owned(),
                });
            }
        }
    }
    if archives.is_empty() {
        return Err(Failure::usage(
            "no archives: a folder is searched for *.warc, *.warc.gz and *.warc.zst",
        ));
    }
    Ok(archives)
}

impl WarcArgs {
    fn options(&self) -> Options {
        Options {
            format: self.format,
            text: self.text,
            max_body: self.max_body,
        }
    }

    /// Refuses what archives are never compressed with.
    fn check_compression(&self, compression: Option<engine::Format>) -> Result<(), Failure> {
        use engine::Format::{Gzip, Zstd};
        if self.format == Format::Jsonl || matches!(compression, None | Some(Gzip | Zstd)) {
            return Ok(());
        }
        Err(Failure::usage(
            "archives are compressed with gz or zst, or not at all",
        ))
    }

    /// How an output of this name is compressed.
    fn compression(&self, name: Option<&Path>) -> Option<engine::Format> {
        let by_name = || name.and_then(engine::Format::of_name);
        match self.compress {
            None | Some(Compress::Keep) => by_name(),
            Some(compress) => compress.format(None),
        }
    }
}

/// Says what is damaged as it is found.
struct Messages<'a> {
    path: &'a Path,
    verbose: bool,
}

impl Progress for Messages<'_> {
    fn advance(&mut self, _: u64) {}

    fn damage(&mut self, damage: &Damage) {
        if self.verbose {
            report::say(&format!("{}: {damage}", quote(self.path)));
        }
    }
}

/// All archives to one output.
fn run_to_one(
    args: &WarcArgs,
    output: Option<&Path>,
    archives: &[Archive],
) -> Result<Summary, Failure> {
    signals::watch(signals::Reaction::Exit)
        .map_err(|error| Failure::io("watch for", "signals", error))?;
    let compression = args.compression(output);
    args.check_compression(compression)?;
    let mut output = Output::open(output)?;
    let name = output.name().to_owned();
    let failed = |error| Failure::write(&name, error);
    let mut summary = Summary::default();
    let mut sink = Sink::new(args.format, compression, &mut output).map_err(failed)?;
    for Archive { path, .. } in archives {
        let input: Box<dyn Read> = if path.as_os_str() == "-" {
            Box::new(io::stdin())
        } else {
            if args.output.is_none() && output::is_standard_output(path) {
                return Err(Failure::OntoStandardOutput { name: quote(path) });
            }
            let file = File::open(path);
            Box::new(file.map_err(|error| Failure::io("open", quote(path), error))?)
        };
        let mut messages = Messages {
            path,
            verbose: args.verbose,
        };
        let options = args.options();
        let converted = archive::convert(
            input,
            path,
            &options,
            &mut sink,
            &mut summary,
            &mut messages,
        );
        converted.map_err(|stop| match stop {
            Stop::Read(error) => Failure::io("read", quote(path), error),
            Stop::Write(error) => failed(error),
            Stop::Stopped => Failure::BrokenPipe,
        })?;
    }
    sink.finish().map_err(failed)?;
    output.commit()?;
    Ok(summary)
}

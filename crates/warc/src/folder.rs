//! Converts archives to a folder in parallel. Each output is a temporary file that gets its name when it is
//! complete, and is recorded in the journal.

use super::Archive;
use super::archive::{self, ArchiveOptions, Stop, Watch};
use super::args::WarcArgs;
use super::format::Format;
use super::sink::Sink;
use super::summary::Summary;
use mojika_convert::engine::{self, Compress, lock};
use mojika_convert::job::batch::{self, Batch, FileStep};
use mojika_convert::job::draft::{Access, Draft, Maker};
use mojika_convert::job::folder::Spot;
use mojika_convert::job::journal::Journal;
use mojika_convert::job::lines;
use mojika_convert::job::operation::{self, Operation};
use mojika_convert::job::output_tree::{OutputTree, only_folder};
use mojika_convert::job::problem::{Problem, cannot, failed};
use mojika_convert::job::record::Record;
use mojika_convert::job::signals::{self, Reaction};
use mojika_convert::quote::quote;
use mojika_convert::report::Failure;
use std::collections::HashSet;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The state that all workers share.
struct FolderRun<'a> {
    args: &'a WarcArgs,
    options: ArchiveOptions,
    folder: &'a Path,
    operation: Operation,
    /// The device and inode of each archive, which must not be replaced.
    inputs: HashSet<(u64, u64)>,
    summary: Mutex<Summary>,
}

/// Converts all archives; returns the summary and the exit status.
pub fn run(args: &WarcArgs, folder: &Path, archives: &[Archive]) -> Result<(Summary, u8), Failure> {
    if archives
        .iter()
        .any(|archive| archive.path.as_os_str() == "-")
    {
        return Err(Failure::usage(
            "standard input, -, has no name for its output: use -o FILE",
        ));
    }
    args.document.check_compression(
        args.document
            .compress
            .and_then(|compress| compress.format(None)),
    )?;
    let options = args.document.options()?;
    signals::watch(Reaction::Drain)?;
    let folders = OutputTree::new(folder, only_folder(&args.files))
        .map_err(|error| Failure::io("create the folder", quote(folder), error))?;
    let journal = open_journal(args, folder)?;
    let run = FolderRun {
        args,
        options,
        folder,
        operation: args.document.begin(archives, journal, Some(folders))?,
        inputs: (archives.iter())
            .filter_map(|archive| lines::identity(&archive.path))
            .collect(),
        summary: Mutex::default(),
    };
    let jobs = batch::most_jobs(engine::jobs(args.document.run.jobs).min(archives.len()));
    run.operation.work(jobs, archives.iter(), || Worker {
        run: &run,
        batch: run.operation.batch(jobs, None, None),
        summary: Summary::default(),
    });
    let verb = (!args.document.quiet).then_some("converted");
    let (_, status) = run.operation.end(verb)?;
    let summary = run.summary.into_inner();
    Ok((summary.unwrap_or_else(PoisonError::into_inner), status))
}

fn open_journal(args: &WarcArgs, folder: &Path) -> Result<Option<Journal>, Failure> {
    let options = format!(
        "warc {:?} {:?} {} {:?} {:?} {:?} {:?} {} {:?} {} {}",
        args.document.format(),
        args.document.hints,
        args.document.confidence,
        args.document.choose,
        args.cdx,
        args.document.text,
        args.document.compress,
        args.document.max_body,
        args.files,
        quote(folder),
        quote(&std::env::current_dir().unwrap_or_default())
    );
    Journal::open_or_warn(
        &args.place.ask(options, Vec::new()),
        args.place.resume.is_some(),
    )
}

/// Converts archives to drafts.
struct Worker<'a> {
    run: &'a FolderRun<'a>,
    batch: Batch<'a>,
    summary: Summary,
}

impl operation::Worker<&Archive> for Worker<'_> {
    fn work(&mut self, archive: &Archive) {
        let mut counts = Summary::default();
        let processed = batch::guarded(archive.path.clone(), |record| {
            record.bytes_in = archive.size();
            let step = draft(self.run, archive, record, &mut counts)?;
            if let FileStep::Draft(_) = step {
                record.reason = archive::left_out(counts.damaged);
                self.summary.merge(counts);
            }
            Ok(step)
        });
        self.batch.take(processed);
    }

    fn end(mut self) {
        self.batch.commit();
        lock(&self.run.summary).merge(self.summary);
    }
}

/// Writes the output of an archive.
fn draft(
    run: &FolderRun<'_>,
    archive: &Archive,
    record: &mut Record,
    summary: &mut Summary,
) -> Result<FileStep, Problem> {
    let input = archive.open().map_err(cannot("open"))?;
    let compression = match (run.args.document.compress, run.args.document.format()) {
        (None, format) if !format.is_archive() => None,
        (None | Some(Compress::Keep), _) => engine::Format::of_name(&archive.path),
        (Some(compress), _) => compress.format(None),
    };
    let within = renamed(&archive.relative, run.args.document.format(), compression);
    let target = run.folder.join(&within);
    if let Some(step) = run.operation.set_output(&target, record)? {
        return Ok(step);
    }
    if lines::identity(&target).is_some_and(|file| run.inputs.contains(&file)) {
        return Err(failed(
            "its output would replace an archive of this run; use another folder",
        ));
    }
    if !run.args.place.force && target.symlink_metadata().is_ok() {
        return Err(failed(batch::EXISTS));
    }
    run.operation.claim(&target, "archive")?;
    let parent = within.parent().unwrap_or(Path::new(""));
    let like = archive.spot.as_ref().map(Spot::folder);
    let folder = run.operation.make_folder(parent, like);
    let folder = folder.map_err(cannot("create the folder"))?;
    let name = within.file_name().unwrap_or_default();
    let replace = run.args.place.force && folder.has(name);
    let metadata = input.metadata().map_err(cannot("read"))?;
    // A pipe's mode says nothing about the permissions of its content.
    let draft = match metadata.is_file() {
        true => Maker::default().create(&folder, name, replace, metadata.mode()),
        false => Draft::create_named(&folder, name, replace, Access::New),
    };
    let draft = draft.map_err(cannot("create the output"))?;
    let sink = Sink::new(
        run.args.document.format(),
        compression,
        draft.file(),
        (1, 0),
    );
    let mut sink = sink.map_err(cannot("write"))?;
    let mut watch = Watch::new(
        &run.operation.reporter,
        &archive.path,
        run.args.document.run.verbose,
    );
    let inputs = archive.inputs(Box::new(&input), &input);
    let converted = archive::convert(
        inputs.map_err(cannot("read"))?,
        &archive.path,
        &run.options,
        &mut sink,
        summary,
        &mut watch,
    );
    record.bytes_counted = watch.counted;
    converted.map_err(|stop| match stop {
        Stop::Read(error) => cannot("read")(error),
        Stop::Write(error) => cannot("write")(error),
        Stop::Stopped => failed("interrupted"),
    })?;
    record.bytes_out = sink.bytes();
    sink.finish().map_err(cannot("write"))?;
    if metadata.is_file() {
        let kept = draft.keep_access(&metadata);
        kept.map_err(cannot("keep the mode"))?;
    }
    Ok(FileStep::Draft(Box::new(draft)))
}

/// Returns the name of the output of an archive.
fn renamed(archive: &Path, format: Format, compression: Option<engine::Format>) -> PathBuf {
    let mut path = archive.to_owned();
    if engine::Format::of_name(&path).is_some() {
        path.set_extension("");
    }
    if path
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("warc"))
    {
        path.set_extension("");
    }
    let mut name = path.into_os_string();
    name.push(format.ending());
    if let Some(compression) = compression {
        name.push(compression.ending());
    }
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_named_after_their_archives() {
        let gzip = Some(engine::Format::Gzip);
        let named = |path: &str, format, compression| renamed(path.as_ref(), format, compression);
        assert_eq!(
            named("a/b.warc.gz", Format::Jsonl, None),
            Path::new("a/b.jsonl")
        );
        assert_eq!(
            named("b.WARC", Format::Wet, gzip),
            Path::new("b.warc.wet.gz")
        );
        assert_eq!(
            named("b.warc.zst", Format::WarcUtf8, gzip),
            Path::new("b.warc.gz")
        );
        assert_eq!(named("b.1", Format::Jsonl, None), Path::new("b.1.jsonl"));
    }
}

//! Converts all archives, one after another, to one output: standard output, or a file that is named when complete.

use super::Archive;
use super::archive::{self, Piece, Stop, Watch};
use super::args::DocumentArgs;
use super::reader::Input;
use super::saved;
use super::shards::Shards;
use super::summary::Summary;
use mojika_convert::job::record::{Fate, Record};
use mojika_convert::job::report::Reporter;
use mojika_convert::job::signals::{self, Reaction};
use mojika_convert::quote::quote;
use mojika_convert::report::{self, Failure};
use std::io;
use std::path::Path;

/// Converts all archives and returns the summary.
///
/// # Errors
///
/// Fails at the first unreadable archive, and if an output cannot be written. The report has the error, too.
pub fn run(
    args: &DocumentArgs,
    output: Option<&Path>,
    archives: &[Archive],
) -> Result<Summary, Failure> {
    if output.is_none() {
        args.run.say(args.quiet).refuse_standard_output()?;
    }
    signals::watch(Reaction::Exit)?;
    let compression = args.compression(output);
    args.check_compression(compression)?;
    let mut shards = Shards::begin(&args.shards, output, args.format(), compression)?;
    let operation = args.begin(archives, None, None)?;
    let mut records = Vec::new();
    let written = write(
        args,
        archives,
        &mut shards,
        &operation.reporter,
        &mut records,
    );
    let result = written.and_then(|mut summary| {
        summary.other_shards = shards.finish(&args.shards)?;
        Ok(summary)
    });
    for mut record in records {
        record.output = output.map(Path::to_owned);
        if result.is_err() && output.is_some() && record.fate != Fate::Failed {
            record.fate = Fate::Failed;
            let what = match args.shards.shard_size {
                Some(_) => "the last file is incomplete, so it is not kept",
                None => "the output is incomplete, so it is not kept",
            };
            record.reason = Some(what.to_owned());
        }
        operation.reporter.add(record);
    }
    let reported = operation.end(None);
    let summary = result?;
    reported?;
    Ok(summary)
}

/// Writes the records of all archives, and adds the outcome of each to `records`.
fn write(
    args: &DocumentArgs,
    archives: &[Archive],
    shards: &mut Shards<'_>,
    reporter: &Reporter,
    records: &mut Vec<Record>,
) -> Result<Summary, Failure> {
    let mut summary = Summary::default();
    for archive in archives {
        let path = &archive.path;
        let (damaged, before) = (summary.damaged, shards.bytes());
        let mut watch = Watch::new(reporter, path, args.run.verbose);
        let (mut record, result) = Record::timed(path.clone(), |_| {
            let input = open(args, archive)?;
            let mut options = args.options()?;
            options.are_pages = archive.url.is_some();
            let converted =
                archive::convert(input, path, &options, shards, &mut summary, &mut watch);
            converted.map_err(|stop| match stop {
                Stop::Read(error) => Failure::io("read", quote(path), error),
                Stop::Write(error) => shards.failure(error),
                Stop::Stopped => Failure::BrokenPipe,
            })
        });
        record.bytes_in = watch.counted;
        record.bytes_counted = watch.counted;
        record.bytes_out = shards.bytes() - before;
        record.reason = archive::left_out(summary.damaged - damaged);
        if let Err(failure) = &result {
            record.fate = Fate::Failed;
            record.reason = failure.message();
        }
        records.push(record);
        result?;
    }
    Ok(summary)
}

fn open(args: &DocumentArgs, archive: &Archive) -> Result<Vec<Piece<'static>>, Failure> {
    let path = &archive.path;
    if path.as_os_str() == "-" {
        return Ok(vec![Piece::whole(Input::stream(Box::new(io::stdin())))]);
    }
    if args.output.is_none() && report::is_standard_output(path) {
        return Err(Failure::OntoStandardOutput { name: quote(path) });
    }
    let failed = |error| Failure::io("open", quote(path), error);
    let file = archive.open().map_err(failed)?;
    if let Some(url) = &archive.url {
        let piece = saved::piece(archive, url, file, args.max_body);
        return piece.map(|piece| vec![piece]).map_err(failed);
    }
    let ahead = file.try_clone().map_err(failed)?;
    archive.inputs(Box::new(file), &ahead).map_err(failed)
}

//! Converts one archive, from its first record to its last.

use super::choose::{Choice, LeftOut};
use super::document::Shown;
use super::document::{self, Content};
use super::format::Format;
use super::reader::{self, Damage, Event, Extent, Loaded, Reader};
use super::sink::Sinks;
use super::summary::Summary;
use super::{jsonl, utf8, wet};
use mojika_convert::decide::Question;
use mojika_convert::job::report::Reporter;
use mojika_convert::job::signals;
use mojika_convert::quote::quote;
use mojika_convert::report::counted;
use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// The options for converting records.
#[derive(Clone, Debug)]
pub struct ArchiveOptions {
    pub format: Format,
    pub text: Shown,
    /// True if each input is a page, which becomes the only record.
    pub are_pages: bool,
    /// The maximum length of a body in bytes.
    pub max_body: u64,
    /// The options for deciding encodings.
    pub question: Question,
    /// The filter for documents.
    pub choice: Choice,
}

/// A part of an archive that can be read like an archive.
pub struct Piece<'a> {
    pub input: reader::Input<Box<dyn Read + 'a>>,
    /// The offset of the part in the file.
    pub offset: u64,
}

impl<'a> Piece<'a> {
    /// Creates a piece that is a whole archive.
    pub fn whole(input: reader::Input<Box<dyn Read + 'a>>) -> Self {
        Self { input, offset: 0 }
    }
}

/// The reason why an archive is not read to its end.
pub enum Stop {
    Read(io::Error),
    Write(io::Error),
    /// A signal has arrived.
    Stopped,
}

/// Shows the progress through an archive.
pub struct Watch<'a> {
    reporter: &'a Reporter,
    path: &'a Path,
    verbose: bool,
    /// The number of bytes of the archive that have been read.
    pub counted: u64,
}

impl<'a> Watch<'a> {
    /// Reports to `reporter` on the archive at `path`, and on damage if `verbose`.
    pub fn new(reporter: &'a Reporter, path: &'a Path, verbose: bool) -> Self {
        Self {
            reporter,
            path,
            verbose,
            counted: 0,
        }
    }

    fn advance(&mut self, bytes: u64) {
        self.counted += bytes;
        self.reporter.advance(bytes);
    }

    fn damage(&mut self, damage: &Damage) {
        if self.verbose {
            let line = format!("{}: {damage}", quote(self.path));
            self.reporter.warn(&line);
        }
    }
}

/// Returns the report's note for an archive with this number of damaged records.
pub fn left_out(damaged: u64) -> Option<String> {
    (damaged > 0).then(|| format!("{} left out", counted(damaged, "damaged place")))
}

/// Converts an archive.
///
/// # Errors
///
/// Fails if the archive cannot be read, or the output cannot be written; damage is not an error.
pub fn convert<S: Sinks>(
    pieces: Vec<Piece<'_>>,
    path: &Path,
    options: &ArchiveOptions,
    sinks: &mut S,
    summary: &mut Summary,
    watch: &mut Watch<'_>,
) -> Result<(), Stop> {
    summary.archives += 1;
    if options.format.is_archive() && (!options.are_pages || summary.archives == 1) {
        let info = wet::info(path, options.format == Format::WarcUtf8);
        let sink = sinks.next().map_err(Stop::Write)?;
        info.and_then(|info| sink.record(|output| output.extend_from_slice(&info)))
            .map_err(Stop::Write)?;
    }
    let name = path.file_name().unwrap_or(path.as_os_str());
    let name = name.to_string_lossy();
    for Piece { input, offset } in pieces {
        let mut reader = Reader::new(input, reader::CHUNK, offset).map_err(Stop::Read)?;
        let mut counted = offset;
        loop {
            let event = reader.advance().map_err(Stop::Read)?;
            let bytes = reader.bytes_read() - counted;
            if bytes > 0 {
                counted += bytes;
                summary.bytes_in += bytes;
                watch.advance(bytes);
                if signals::stopped() {
                    return Err(Stop::Stopped);
                }
            }
            let damage = match event {
                Event::End => break,
                Event::Damage(damage) => Some(damage),
                Event::Record => {
                    let convert = || record(&mut reader, &name, options, sinks, summary);
                    match catch_unwind(AssertUnwindSafe(convert)) {
                        Ok(damage) => damage?,
                        // A panic affects only this record.
                        Err(_) => {
                            sinks.last().undo();
                            let what = "an internal error; please report it".to_owned();
                            let at = reader.position();
                            let url = reader.url();
                            Some(Damage { at, what, url })
                        }
                    }
                }
            };
            if let Some(damage) = damage {
                watch.damage(&damage);
                summary.add_damage(path, damage);
            }
        }
    }
    Ok(())
}

/// Converts one record and returns its damage, if any.
fn record<R: Read, S: Sinks>(
    reader: &mut Reader<R>,
    archive: &str,
    options: &ArchiveOptions,
    sinks: &mut S,
    summary: &mut Summary,
) -> Result<Option<Damage>, Stop> {
    let keep = |reader: &mut Reader<R>, sinks: &mut S| match options.format == Format::WarcUtf8 {
        true => copy(reader, sinks),
        false => Ok(None),
    };
    if let Err(why) = document::is_candidate(&reader.head()) {
        summary.add_other(why);
        return keep(reader, sinks);
    }
    let head = reader.head();
    if let Some(why) = options.choice.by_head(&head) {
        summary.leave_out(why);
        return Ok(None);
    }
    match reader.load(options.max_body).map_err(Stop::Read)? {
        Loaded::Yes => {}
        Loaded::Damaged(damage) => return Ok(Some(damage)),
        Loaded::TooLong => {
            summary.too_long += 1;
            return keep(reader, sinks);
        }
    }
    let head = reader.head();
    #[cfg(test)]
    assert!(head.get("X-Panic").is_none(), "a fault, for the test");
    let content = document::content(&head, reader.body(), options.max_body);
    if let Some(why) = options.choice.by_content(&head, &content) {
        summary.leave_out(why);
        return Ok(None);
    }
    let extent = match options.are_pages {
        // The whole file.
        true => Extent {
            at: reader::Position::default(),
            length: Some(reader.length()),
        },
        false => reader.extent(),
    };
    let document = match document::document(&head, &content, options.text, &options.question) {
        Ok(document) => document,
        Err(why) => {
            summary.add_other(why);
            drop_content(content);
            return keep(reader, sinks);
        }
    };
    if options.choice.is_same(&head, &content) {
        summary.leave_out(LeftOut::Same);
        return Ok(None);
    }
    summary.add(&document, content.body.len() as u64);
    let sink = sinks.next().map_err(Stop::Write)?;
    let is_long = document.shown().len() > jsonl::WRITE_LENGTH;
    let written = match options.format {
        Format::Parquet => sink.row(&document, archive, extent),
        Format::Jsonl if is_long => {
            sink.long_record(|output| jsonl::write_long(output, &document, archive, extent))
        }
        Format::Jsonl => sink.record(|output| jsonl::write(output, &document, archive, extent)),
        Format::Wet => sink.record(|output| wet::write(output, &document, options.text)),
        Format::WarcUtf8 => sink.record(|output| utf8::write(output, &head, &content, &document)),
    };
    written.map(|()| None).map_err(Stop::Write)
}

/// Ends the borrow of the reader by `Content`.
fn drop_content(_: Content<'_>) {}

/// Copies a record unchanged.
fn copy<R: Read, S: Sinks>(reader: &mut Reader<R>, sinks: &mut S) -> Result<Option<Damage>, Stop> {
    let sink = sinks.next().map_err(Stop::Write)?;
    if reader.length() <= 1 << 20 {
        // Nothing of a damaged record is written.
        match reader.load(u64::MAX).map_err(Stop::Read)? {
            Loaded::Damaged(damage) => return Ok(Some(damage)),
            Loaded::Yes | Loaded::TooLong => {}
        }
        let written = sink.record(|output| {
            output.extend_from_slice(reader.head_bytes());
            output.extend_from_slice(reader.body());
            output.extend_from_slice(b"\r\n\r\n");
        });
        return written.map(|()| None).map_err(Stop::Write);
    }
    let head = reader.head_bytes().to_owned();
    let copied = sink.long_record(|output| {
        output.write_all(&head)?;
        let damage = reader.copy_body(output)?;
        output.write_all(b"\r\n\r\n")?;
        Ok(damage)
    });
    copied.map_err(Stop::Write)
}

#[cfg(test)]
mod tests {
    use super::super::sink::Sink;
    use super::*;
    use mojika_convert::job::report::Say;

    #[test]
    fn a_fault_of_this_program_is_damage_of_one_record() {
        let record = |field: &str, text: &str| {
            let length = text.len();
            format!(
                "WARC/1.0\r\nWARC-Type: resource\r\nContent-Type: text/plain\r\n{field}Content-Length: {length}\r\n\r\n{text}\r\n\r\n"
            )
        };
        let archive = [
            record("", "one"),
            record("X-Panic: 1\r\n", "two"),
            record("", "three"),
        ];
        let at = archive[0].len() as u64;
        let archive = archive.concat();
        let options = ArchiveOptions {
            format: Format::Jsonl,
            text: Shown::Whole,
            are_pages: false,
            max_body: 100,
            question: Question::default(),
            choice: Choice::default(),
        };
        let mut output = Vec::new();
        let mut sink = Sink::new(Format::Jsonl, None, &mut output, (1, 0)).unwrap();
        let mut summary = Summary::default();
        let reporter = Reporter::new(&Say::default()).unwrap();
        let path = Path::new("a.warc");
        let mut watch = Watch::new(&reporter, path, false);
        let input = reader::Input::stream(Box::new(archive.as_bytes()) as Box<dyn Read>);
        let input = vec![Piece::whole(input)];
        let converted = convert(input, path, &options, &mut sink, &mut summary, &mut watch);
        assert!(converted.is_ok());
        sink.finish().unwrap();
        let output = String::from_utf8(output).unwrap();
        assert_eq!(output.lines().count(), 2, "{output}");
        assert!(
            output.contains("\"one\"") && output.contains("\"three\""),
            "{output}"
        );
        assert_eq!((summary.total().documents, summary.damaged), (2, 1));
        assert_eq!(summary.damages[0].1.at.file, at);
    }
}

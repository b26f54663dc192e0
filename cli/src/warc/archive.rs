//! One archive, from its first record to its last.

use super::args::{Format, Text};
use super::document::{self, Content, NoDocument};
use super::reader::{self, Damage, Event, Loaded, Reader};
use super::sink::Sink;
use super::summary::Summary;
use super::{jsonl, utf8, wet};
use crate::job::report::Reporter;
use crate::job::{quote, signals};
use std::io::{self, Read, Write};
use std::path::Path;

/// What becomes of records.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub format: Format,
    pub text: Text,
    /// Longest body in bytes.
    pub max_body: u64,
}

/// Why an archive is not read to its end.
pub enum Stop {
    Read(io::Error),
    Write(io::Error),
    /// A signal has come.
    Stopped,
}

/// Shows how far an archive is.
pub struct Watch<'a> {
    reporter: &'a Reporter,
    path: &'a Path,
    verbose: bool,
    /// Bytes of the archive that have been read.
    pub counted: u64,
}

impl<'a> Watch<'a> {
    /// Tells `reporter` of the archive at `path`, and of damage if `verbose`.
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

/// The report's note for an archive with this number of damaged places.
pub fn left_out(damaged: u64) -> Option<String> {
    match damaged {
        0 => None,
        1 => Some("1 damaged place is left out".to_owned()),
        damaged => Some(format!("{damaged} damaged places are left out")),
    }
}

/// Converts an archive.
///
/// # Errors
///
/// Fails if it cannot be read, or the output not written to; damage is no error.
pub fn convert<W: Write>(
    input: impl Read,
    path: &Path,
    options: &Options,
    sink: &mut Sink<W>,
    summary: &mut Summary,
    watch: &mut Watch<'_>,
) -> Result<(), Stop> {
    let mut reader = Reader::new(input, reader::CHUNK).map_err(Stop::Read)?;
    let mut counted = 0;
    summary.archives += 1;
    begin(path, options, sink).map_err(Stop::Write)?;
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
            Event::End => return Ok(()),
            Event::Damage(damage) => Some(damage),
            Event::Record => record(&mut reader, options, sink, summary)?,
        };
        if let Some(damage) = damage {
            watch.damage(&damage);
            summary.add_damage(path, damage);
        }
    }
}

fn begin<W: Write>(path: &Path, options: &Options, sink: &mut Sink<W>) -> io::Result<()> {
    match options.format {
        Format::Jsonl => Ok(()),
        Format::Wet | Format::WarcUtf8 => sink.record(|output| {
            wet::write_info(output, path, options.format == Format::WarcUtf8);
        }),
    }
}

/// Converts one record; returns what is wrong with it.
fn record<R: Read, W: Write>(
    reader: &mut Reader<R>,
    options: &Options,
    sink: &mut Sink<W>,
    summary: &mut Summary,
) -> Result<Option<Damage>, Stop> {
    let copies = options.format == Format::WarcUtf8;
    if let Err(why) = document::is_candidate(&reader.head()) {
        summary.add_other(why);
        return if copies { copy(reader, sink) } else { Ok(None) };
    }
    match reader.load(options.max_body).map_err(Stop::Read)? {
        Loaded::Yes => {}
        Loaded::Damaged(damage) => return Ok(Some(damage)),
        Loaded::TooLong => {
            summary.too_long += 1;
            return if copies { copy(reader, sink) } else { Ok(None) };
        }
    }
    let head = reader.head();
    let content = document::content(&head, reader.body(), options.max_body);
    match document::document(&head, &content, options.text) {
        Err(why @ (NoDocument::Type(_) | NoDocument::Binary(_))) => {
            summary.add_other(why);
            drop_content(content);
            if copies {
                return copy(reader, sink);
            }
        }
        Ok(document) => {
            summary.add(&document, content.body.len() as u64);
            let written = sink.record(|output| match options.format {
                Format::Jsonl => jsonl::write(output, &document),
                Format::Wet => wet::write(output, &document, options.text),
                Format::WarcUtf8 => utf8::write(output, &head, &content, &document),
            });
            written.map_err(Stop::Write)?;
        }
    }
    Ok(None)
}

/// Ends the borrow of the reader.
fn drop_content(_: Content<'_>) {}

/// Copies a record as it is.
fn copy<R: Read, W: Write>(
    reader: &mut Reader<R>,
    sink: &mut Sink<W>,
) -> Result<Option<Damage>, Stop> {
    if reader.length() <= 1 << 20 {
        // A damaged record leaves nothing in the output.
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

//! Decides the encoding of an input that the user does not name.

use crate::source;
use mojika_convert::bounded;
use mojika_convert::decide::{Decided, Outcome, Question};
use mojika_convert::engine::{self, From, Options, Place, Turn, Utf8};
use mojika_convert::mail;
use mojika_convert::quote::input_name;
use mojika_convert::report::Failure;
use mojika_sniff::judge::Judge;
use mojika_sniff::{Decision, Source, xml};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// The maximum number of bytes that are buffered of a pipe.
const MAX_BUFFERED: usize = 1 << 20;

/// The number of bytes of a pipe to read at once.
const READ_LENGTH: usize = 64 << 10;

/// Opens a regular file, which can be read repeatedly; `head` receives its first bytes.
///
/// # Errors
///
/// Fails if the file cannot be read.
pub fn open<'b>(file: &Path, head: &'b mut Vec<u8>) -> io::Result<source::Opened<'b>> {
    head.resize(source::HEAD, 0);
    let opened = source::Opened::new(File::open(file), head);
    opened.map_err(|problem| io::Error::other(problem.reason))
}

/// Decides on a regular file.
///
/// # Errors
///
/// Fails if the file cannot be read.
pub fn on_file(file: &Path, question: &Question) -> io::Result<Decided> {
    open(file, &mut Vec::new())?.decide(question, file)
}

/// True if a regular file is mail. The conversion reports read errors.
pub fn is_mail(file: &Path) -> bool {
    let mut head = Vec::new();
    file.is_file() && open(file, &mut head).is_ok_and(|one| mail::kind(one.head).is_some())
}

/// A pipe that is buffered until its encoding is decided.
///
/// ASCII passes at once, because all candidate encodings decode it alike. From the first non-ASCII byte on, 64 KB are
/// buffered before the decision, or up to 1 MB if they are not UTF-8 and remain undecided.
pub struct Held<'q, R> {
    reader: R,
    question: &'q Question,
    judge: Judge<'q>,
    head: Vec<u8>,
    /// The buffered bytes, and the number of bytes that have been returned to the reader.
    held: Vec<u8>,
    passed: usize,
    ended: bool,
    is_decided: bool,
    /// Passes a decision to the converter if ASCII has already passed.
    turn: Arc<Turn>,
    /// The decision, if it was made after ASCII had passed. No more bytes pass if the encoding is doubtful.
    decided: Arc<Mutex<Option<Decided>>>,
}

impl<'q, R: Read> Held<'q, R> {
    /// Reads the start of a pipe.
    ///
    /// # Errors
    ///
    /// Fails if the pipe cannot be read.
    pub fn new(mut reader: R, path: &Path, question: &'q Question) -> io::Result<Self> {
        let mut head = Vec::new();
        (&mut reader)
            .take(xml::HEAD_LENGTH as u64)
            .read_to_end(&mut head)?;
        let path = engine::renamed(path.to_owned(), engine::Format::of_name(path), None);
        let mut judge = question.judge(Some(&path), &head);
        judge.feed(&head);
        Ok(Self {
            reader,
            question,
            judge,
            held: head.clone(),
            ended: head.len() < xml::HEAD_LENGTH,
            head,
            passed: 0,
            is_decided: false,
            turn: Arc::default(),
            decided: Arc::default(),
        })
    }

    /// True if the start is ASCII without a declaration, so that it may pass before the decision.
    pub fn is_open(&self) -> bool {
        let is_unsaid = self.judge.finish().is_ok_and(|said| {
            let Decision {
                encoding, source, ..
            } = said.decision;
            let is_unsaid = matches!(
                source,
                Source::Default | Source::Locale | Source::Environment
            );
            is_unsaid && encoding.is_ascii_compatible()
        });
        !self.ended && self.judge.is_ascii() && is_unsaid
    }

    /// Reads until the encoding is decided.
    ///
    /// # Errors
    ///
    /// Fails if the pipe cannot be read.
    pub fn decide(&mut self) -> io::Result<()> {
        while !self.ended && !self.judge.is_decided() && self.held.len() < MAX_BUFFERED {
            // Once the window is full of UTF-8, later bytes are very unlikely to change the decision.
            if self.judge.is_window_full()
                && self
                    .judge
                    .finish()
                    .is_ok_and(|said| said.decision.encoding == mojika::UTF_8)
            {
                break;
            }
            self.read_on()?;
        }
        self.is_decided = true;
        Ok(())
    }

    /// Returns the decision on the bytes that have been read.
    pub fn conclude(&self) -> Decided {
        // The buffer has all bytes from the start, unless some have passed.
        let head = match self.passed == 0 && self.held.len() >= self.head.len() {
            true => &self.held,
            false => &self.head,
        };
        self.question.concluded(&self.judge, head)
    }

    /// Returns the shared slots that receive a decision after ASCII has passed.
    pub fn slots(&self) -> (Arc<Turn>, Arc<Mutex<Option<Decided>>>) {
        (Arc::clone(&self.turn), Arc::clone(&self.decided))
    }

    fn read_on(&mut self) -> io::Result<()> {
        let start = self.held.len();
        self.held.resize(start + READ_LENGTH, 0);
        let read = bounded::read(&mut self.reader, &mut self.held[start..]);
        let length = *read.as_ref().unwrap_or(&0);
        self.held.truncate(start + length);
        read?;
        self.ended = length == 0;
        self.judge.feed(&self.held[start..]);
        Ok(())
    }

    /// Returns the length of the ASCII prefix of the buffer, which may pass before the decision.
    fn open_length(&self) -> usize {
        if self.judge.is_ascii() {
            self.held.len()
        } else {
            self.passed + mojika::mem::iso_2022_jp_ascii_prefix_len(&self.held[self.passed..])
        }
    }
}

impl<R: Read> Read for Held<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let open = match self.is_decided {
                true => self.held.len(),
                false => self.open_length(),
            };
            if self.passed < open {
                let length = buffer.len().min(open - self.passed);
                buffer[..length].copy_from_slice(&self.held[self.passed..][..length]);
                self.passed += length;
                return Ok(length);
            }
            if self.is_decided {
                self.held = Vec::new();
                self.passed = 0;
                return self.reader.read(buffer);
            }
            if self.judge.is_ascii() && !self.ended {
                self.held.clear();
                self.passed = 0;
                self.read_on()?;
                continue;
            }
            self.decide()?;
            let decided = self.conclude();
            let sure = decided
                .decision()
                .filter(|_| matches!(decided.outcome, Outcome::Sure));
            *engine::lock(&self.decided) = Some(decided);
            let undecided = || io::Error::other("the encoding is not decided");
            let decision = sure.ok_or_else(undecided)?;
            self.turn.set(decision.encoding, decision.source.as_str());
        }
    }
}

/// Without detection: returns a failure if the file does not stay UTF-16 as its byte order mark says, or if it has no
/// mark, is not UTF-8, and the user names no encoding.
///
/// Only regular files are tested in advance, because they can be read twice; the converter tests every input.
pub fn unknown(file: &Path, question: &Question, options: &Options) -> Option<Failure> {
    // The conversion reports read errors.
    if !file.is_file() {
        return None;
    }
    let name = input_name(file);
    let mut head = Vec::new();
    let opened = open(file, &mut head).ok()?;
    let text = || opened.text(None).ok();
    if options.has_deciding_mark(opened.head) {
        let doubt = Box::new(question.doubt_parts(text()?).ok()??);
        return Some(Failure::Doubtful { name, doubt });
    }
    // A compressed file is not decompressed twice for this test.
    let has_mark = engine::byte_order_mark(opened.head, None, None).is_some();
    if opened.format.is_some() || has_mark || !matches!(options.from, From::Unnamed) {
        return None;
    }
    let Utf8::Malformed(offset) = opened.utf_8().ok()? else {
        return None;
    };
    let place = Place {
        offset,
        line: engine::line_after(&mut text()?.take(offset)).ok(),
    };
    Some(Failure::UnknownSource { name, place })
}

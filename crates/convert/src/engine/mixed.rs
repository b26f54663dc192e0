//! Input that changes its encoding from line to line: UTF-8, and another encoding.

use super::counting::Counting;
use super::{
    ErrorMode, Failure, From, Input, Options, Outcome, Trouble, TroubleKind, lock, workers,
};
use mojika::io::{MixedEvent, MixedReader};
use mojika::{Encoding, UTF_8};
use std::io::{self, Read, Write};
use std::sync::{Mutex, PoisonError};

/// Changes and malformed sequences of one input that are listed, at most.
const MOST: usize = 1000;

/// The start of input in another encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Offset of the line's first byte in the input.
    pub offset: u64,
    /// Number of the line, from 1.
    pub line: u64,
    /// The encoding of the lines that are not UTF-8.
    pub encoding: &'static Encoding,
}

/// Converts lines that are not UTF-8 from `other`. `why` is the source of that encoding.
pub fn convert(
    input: Input<'_>,
    (other, why): (&'static Encoding, &'static str),
    output: &mut (dyn Write + Send),
    options: &Options,
    on_trouble: &mut (dyn FnMut(&Trouble) + Send),
) -> (Outcome, Result<(), Failure>) {
    let events = Mutex::new(Events::default());
    let mut counting = Counting::new(input.reader, input.size);
    // The engine treats a byte order mark by the options.
    let mut mark = Vec::new();
    if let Err(error) = (&mut counting).take(3).read_to_end(&mut mark) {
        return (Outcome::default(), Err(Failure::Read(error)));
    }
    let has_mark = mark == b"\xEF\xBB\xBF";
    let (before, first) = if has_mark {
        (&mark[..], &b""[..])
    } else {
        (&b""[..], &mark[..])
    };
    let base = before.len() as u64;
    let is_skipping = options.errors == ErrorMode::Skip;
    let mut mixed = MixedReader::new(first.chain(&mut counting), other)
        .on_event(|event| lock(&events).push(event, base));
    if is_skipping {
        mixed = mixed.without_replacement();
    }
    let stopping = Stopping {
        mixed,
        events: &events,
        is_fatal: options.errors == ErrorMode::Fatal,
    };
    let mut reader = before.chain(stopping);
    let inner = Input {
        reader: &mut reader,
        size: None,
        prompt: input.prompt,
        turn: None,
    };
    let options = Options {
        from: From::Given(UTF_8),
        ..*options
    };
    let (mut outcome, result) = workers::convert(inner, output, &options, on_trouble);
    drop(reader);
    let events = events.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut result = counting.check(result);
    for trouble in &events.malformed {
        on_trouble(trouble);
    }
    outcome.malformed += events.malformed_count;
    if let Some(trouble) = events.malformed.first() {
        if options.errors == ErrorMode::Fatal {
            result = Err(Failure::Trouble(trouble.clone()));
        }
        outcome.first_error.get_or_insert_with(|| trouble.clone());
    }
    if events.change_count > 0 {
        outcome.encoding = Some(other);
        outcome.why = why;
    }
    outcome.bytes_in = counting.read;
    outcome.changes = events.changes;
    outcome.change_count = events.change_count;
    (outcome, result)
}

/// The events of the reader; the lists are bounded.
#[derive(Default)]
struct Events {
    changes: Vec<Change>,
    change_count: u64,
    malformed: Vec<Trouble>,
    malformed_count: u64,
}

impl Events {
    /// Takes an event whose offset counts from `base` on.
    fn push(&mut self, event: MixedEvent, base: u64) {
        match event {
            MixedEvent::Change {
                offset,
                line,
                encoding,
                ..
            } => {
                self.change_count += 1;
                if self.changes.len() < MOST {
                    self.changes.push(Change {
                        offset: base + offset,
                        line,
                        encoding,
                    });
                }
            }
            MixedEvent::Malformed {
                offset,
                line,
                column,
                len,
                bytes,
                ..
            } => {
                self.malformed_count += 1;
                if self.malformed.len() < MOST {
                    self.malformed.push(Trouble {
                        kind: TroubleKind::Malformed,
                        offset: base + offset,
                        line,
                        column,
                        bytes: bytes[..usize::from(len).min(bytes.len())].to_vec(),
                    });
                }
            }
            _ => {}
        }
    }
}

/// Ends with an error at the first malformed sequence, if it is one.
struct Stopping<'e, R> {
    mixed: R,
    events: &'e Mutex<Events>,
    is_fatal: bool,
}

impl<R: Read> Read for Stopping<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.mixed.read(buffer)?;
        if self.is_fatal && lock(self.events).malformed_count > 0 {
            return Err(io::Error::other("malformed"));
        }
        Ok(length)
    }
}

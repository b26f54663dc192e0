//! Input that changes its encoding from line to line: UTF-8, and another encoding.

use super::counting::Counting;
use super::parts::{self, Part, PartReader};
use super::{
    ErrorMode, Failure, From, Input, Options, Outcome, Place, Trouble, TroubleKind, lock, workers,
};
use mojika::io::{MixedEvent, MixedReader};
use mojika::{Encoding, UTF_8};
use std::io::{self, Read, Write};
use std::sync::{Mutex, PoisonError};

/// The maximum number of changes and malformed sequences that are listed for one input.
const MAX_CHANGES: usize = 1000;

/// A change of the encoding in the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The input offset of the line's first byte.
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
    // A byte order mark bypasses the mixed reader, because the engine handles it by the options.
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
    // The mark of UTF-16 makes the whole text one part.
    let encoding = Encoding::for_bom(&mark).map(|(encoding, _)| encoding);
    let place = Place {
        offset: 0,
        line: Some((1, 1)),
    };
    let whole = [Part { encoding, place }];
    let parts = match input.parts {
        [] if encoding.is_some() && !has_mark => &whole[..],
        parts => parts,
    };
    let first = first.chain(&mut counting);
    let (mut first, starts) = PartReader::new(first, parts, base);
    let is_skipping = options.errors == ErrorMode::Skip;
    if is_skipping {
        first = first.without_replacement();
    }
    let mut mixed = MixedReader::new(first, other).on_event(|event| {
        lock(&events).push(event, &|offset| parts::in_input(&starts, base + offset))
    });
    if is_skipping {
        mixed = mixed.without_replacement();
    }
    let stopping = Stopping {
        mixed,
        events: &events,
        starts: &starts,
        is_fatal: options.errors == ErrorMode::Fatal,
    };
    let mut reader = before.chain(stopping);
    let inner = Input {
        reader: &mut reader,
        size: None,
        prompt: input.prompt,
        turn: None,
        parts: &[],
    };
    let options = Options {
        from: From::Given(UTF_8),
        ..*options
    };
    let (mut outcome, result) = workers::convert(inner, output, &options, on_trouble);
    drop(reader);
    let mut events = events.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut result = counting.check(result);
    let begun = std::mem::take(&mut *lock(&starts));
    events.malformed.extend(begun.malformed);
    events.malformed.sort_by_key(|trouble| trouble.offset);
    events.malformed_count += begun.malformed_count;
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
    events.add_parts(&begun.starts);
    if events.change_count > 0 {
        outcome.encoding = Some(other);
        outcome.why = why;
    }
    outcome.bytes_in = counting.read;
    outcome.changes = events.changes;
    outcome.change_count = events.change_count;
    (outcome, result)
}

/// Collects the events of the reader in bounded lists.
#[derive(Default)]
struct Events {
    changes: Vec<Change>,
    change_count: u64,
    malformed: Vec<Trouble>,
    malformed_count: u64,
}

impl Events {
    fn add(&mut self, change: Change) {
        self.change_count += 1;
        if self.changes.len() < MAX_CHANGES {
            self.changes.push(change);
        }
    }

    /// Adds the starts of parts. The first part is a change only if it is UTF-16.
    fn add_parts(&mut self, starts: &[(u64, Part)]) {
        for (_, part) in starts {
            let Place { offset, line } = part.place;
            if offset > 0 || part.encoding.is_some() {
                self.add(Change {
                    offset,
                    line: line.map_or(1, |(line, _)| line),
                    encoding: part.encoding.unwrap_or(UTF_8),
                });
            }
        }
        self.changes.sort_by_key(|change| change.offset);
    }

    /// Adds an event; `place` maps an offset of the event to the offset in the input.
    fn push(&mut self, event: MixedEvent, place: &dyn Fn(u64) -> (u64, Option<Part>)) {
        match event {
            MixedEvent::Change {
                offset,
                line,
                encoding,
                ..
            } => {
                let (offset, part) = place(offset);
                if part.is_none_or(|part| part.encoding.is_none()) {
                    self.add(Change {
                        offset,
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
                if self.malformed.len() < MAX_CHANGES {
                    self.malformed.push(Trouble {
                        kind: TroubleKind::Malformed,
                        offset: place(offset).0,
                        line,
                        column,
                        bytes: bytes[..usize::from(len).min(bytes.len())].to_vec(),
                        encoding: None,
                    });
                }
            }
            _ => {}
        }
    }
}

/// A reader that fails at the first malformed sequence in error mode "fatal".
struct Stopping<'e, R> {
    mixed: R,
    events: &'e Mutex<Events>,
    starts: &'e parts::Starts,
    is_fatal: bool,
}

impl<R: Read> Read for Stopping<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.mixed.read(buffer)?;
        let is_malformed =
            || lock(self.events).malformed_count + lock(self.starts).malformed_count > 0;
        if self.is_fatal && is_malformed() {
            return Err(io::Error::other("malformed"));
        }
        Ok(length)
    }
}

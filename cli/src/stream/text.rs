//! The text of an input. Its encoding, and parts in other encodings, may become known only while it is read.

use super::decide::Held;
use mojika::Encoding;
use mojika_convert::bounded::peek;
use mojika_convert::decide::{Decided, Question};
use mojika_convert::engine::{
    self, Failure, From, Input, Options, Outcome, Part, Trouble, Turn, lock,
};
use mojika_convert::job::record::Record;
use mojika_convert::survey::{Stopping, Survey, Surveyed};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// A text that has not been read.
pub struct UnreadText<'q> {
    pub reader: Box<dyn Read + Send + 'q>,
    pub from: From,
    /// A slot for an encoding that is decided while the text is read.
    pub turn: Option<Arc<Turn>>,
    /// The parts in UTF-16, with --mixed.
    pub parts: Vec<Part>,
    decided: Arc<Mutex<Option<Decided>>>,
    survey: Arc<Mutex<Option<Survey>>>,
}

impl<'q> UnreadText<'q> {
    /// Creates a text whose encoding is known.
    pub fn new(reader: Box<dyn Read + Send + 'q>, from: From) -> Self {
        Self {
            reader,
            from,
            turn: None,
            parts: Vec::new(),
            decided: Arc::default(),
            survey: Arc::default(),
        }
    }

    /// Creates a text in the encoding of the options. If a mark of UTF-16 overrides that encoding, the text is surveyed
    /// while it is read, because it may not stay UTF-16.
    ///
    /// # Errors
    ///
    /// Fails if the start cannot be read.
    pub fn given(
        reader: Box<dyn Read + Send + 'q>,
        question: &'q Question,
        options: &Options,
    ) -> io::Result<Self> {
        let (head, whole) = peek(reader, 2)?;
        match options.has_deciding_mark(&head) {
            // In a page, no declaration contradicts the mark.
            true => Self::undecided(whole, Path::new("a.html"), question),
            false => Ok(Self::new(whole, options.from)),
        }
    }

    /// Creates a text of mixed lines, which cannot be read twice. It ends before a part that is neither UTF-8 nor `other`.
    pub fn surveyed(
        reader: Box<dyn Read + Send + 'q>,
        from: From,
        other: &'static Encoding,
    ) -> Self {
        let (stopping, survey) = Stopping::new(reader, other);
        Self {
            survey,
            ..Self::new(Box::new(stopping), from)
        }
    }

    /// Creates a text whose encoding is decided by its start. ASCII at the start passes before the decision.
    ///
    /// # Errors
    ///
    /// Fails if the start cannot be read.
    pub fn undecided(
        reader: Box<dyn Read + Send + 'q>,
        path: &Path,
        question: &'q Question,
    ) -> io::Result<Self> {
        let mut held = Held::new(reader, path, question)?;
        let mut from = From::Given(mojika::UTF_8);
        let (mut turn, mut decided) = (None, Arc::default());
        if held.is_open() {
            let slots = held.slots();
            (turn, decided) = (Some(slots.0), slots.1);
        } else {
            held.decide()?;
            let now = held.conclude();
            if let Some(decision) = now.decision() {
                from = From::Decided(decision);
            }
            *lock(&decided) = Some(now);
        }
        let (surveyed, survey) = Surveyed::new(held);
        Ok(Self {
            reader: Box::new(surveyed),
            from,
            turn,
            parts: Vec::new(),
            decided,
            survey,
        })
    }

    /// Converts the text to its end, and records the outcome. `size` is that of a regular file; other text is written as
    /// it arrives if it `is_prompt`. `options.from` is set to the source of the encoding.
    pub fn convert(
        &mut self,
        (size, is_prompt): (Option<u64>, bool),
        output: &mut (dyn Write + Send),
        options: &Options,
        record: &mut Record,
        on_trouble: &mut (dyn FnMut(&Trouble) + Send),
    ) -> (Outcome, Result<(), Failure>) {
        let input = Input {
            reader: &mut self.reader,
            size,
            prompt: is_prompt,
            turn: self.turn.as_deref(),
            parts: &self.parts,
        };
        let options = Options {
            from: self.from,
            ..*options
        };
        let faults = &mut record.faults;
        let (outcome, result) = engine::convert(input, output, &options, &mut |trouble| {
            faults.push(trouble);
            on_trouble(trouble);
        });
        record.take_all(&outcome);
        let result = result.map_err(|failure| match (failure, record.format) {
            (Failure::Read(error), Some(format)) => Failure::Damaged { format, error },
            (failure, _) => failure,
        });
        (outcome, result)
    }

    /// Returns the decision, once it is made; `None` if it was already taken.
    pub fn take_decided(&self) -> Option<Decided> {
        lock(&self.decided).take()
    }

    /// Returns the survey of a text whose encoding was unknown, once the text is read to its end.
    pub fn take_survey(&self) -> Option<Survey> {
        lock(&self.survey).take()
    }
}

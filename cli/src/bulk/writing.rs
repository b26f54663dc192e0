//! Writes the draft of a file's output: converted, or copied unchanged.

use super::Destination;
use super::choice::{Choice, doubtful};
use super::target::FileTarget;
use super::walk::WalkEntry;
use super::worker::Worker;
use crate::source::Opened;
use mojika_convert::decide::Later;
use mojika_convert::declared;
use mojika_convert::engine::{
    self, Compressor, Failure, From, Options, Outcome, Trouble, TroubleKind,
};
use mojika_convert::job::batch::{FileStep, MOST_BYTES};
use mojika_convert::job::folder::Stamp;
use mojika_convert::job::problem::{Cause, Problem, cannot, damaged, failed, unreadable};
use mojika_convert::job::record::{Fate, Record};
use mojika_convert::job::signals;
use mojika_convert::repair::Treatment;
use mojika_convert::report;
use mojika_mail as mime;
use std::io::{self, Seek, Write};

impl Worker<'_> {
    /// Converts a file to a draft.
    pub fn convert_to(
        &mut self,
        entry: &WalkEntry,
        source: &Opened<'_>,
        target: &FileTarget,
        choice: Choice,
        record: &mut Record,
    ) -> Result<FileStep, Problem> {
        let in_place = self.run.order.in_place();
        if source.metadata.len() > MOST_BYTES {
            // Finished drafts are committed first, because this conversion takes long.
            self.batch.commit();
        }
        let mut draft = self.draft(entry, source, target)?;
        if in_place {
            draft.replaces = Some(Stamp::of(&source.metadata));
            draft.links = entry.links.clone().unwrap_or_default();
        }
        let format = self.run.order.compress.format(source.format);
        let mut writer = Compressor::new(format, draft.file()).map_err(cannot("compress"))?;
        let (outcome, result) = self.convert(source, &mut writer, choice, record);
        let damage = match result {
            Ok(()) => None,
            Err(problem)
                if problem.cause == Cause::Damage
                    && self.run.order.salvage
                    && outcome.bytes_out > 0 =>
            {
                Some(problem)
            }
            Err(problem) => return Err(problem),
        };
        writer.finish().map_err(cannot("write"))?;
        record.bytes_out = match format {
            None => outcome.bytes_out,
            Some(_) => draft.file().metadata().map_err(cannot("write"))?.len(),
        };
        if let Some(problem) = damage {
            record.fate = Fate::Failed;
            let saved = report::counted(outcome.bytes_out, "byte");
            record.reason = Some(format!("{}; {saved} of text saved", problem.reason));
        } else if !source
            .is_unchanged(outcome.bytes_in)
            .map_err(cannot("read"))?
        {
            return Err(failed("it changed while it was read; convert it again"));
        }
        draft
            .keep_attributes(&source.file, &source.metadata)
            .map_err(cannot("keep mode and times"))?;
        if in_place && let Ok(own) = draft.file().metadata() {
            self.run.touch(&own);
        }
        Ok(FileStep::Draft(Box::new(draft)))
    }

    /// Converts a file. Output that precedes a problem has been written.
    pub fn convert(
        &self,
        source: &Opened<'_>,
        writer: &mut (dyn Write + Send),
        choice: Choice,
        record: &mut Record,
    ) -> (Outcome, Result<(), Problem>) {
        if choice.is_mail {
            return self.convert_mail(source, writer, record);
        }
        let rules = Options {
            from: choice.from,
            ..self.run.order.rules
        };
        let reporter = Some(&self.run.operation.reporter);
        let mut later = Later::default();
        let faults = &mut record.faults;
        let mut remember = |trouble: &Trouble| {
            faults.push(trouble);
            later.push(trouble);
        };
        let path = engine::renamed(record.path.clone(), source.format, None);
        let target = declared::Target {
            to: rules.to,
            context: self.run.order.question.context,
            path: Some(&path),
            updates: self.run.order.update_declared,
        };
        let (outcome, result, changes) = declared::updated(writer, target, |writer| {
            source.convert(writer, rules, reporter, &mut remember)
        });
        record.declared = changes;
        record.take(&outcome);
        let is_undone = rules.repair == Treatment::Undo;
        if let Some(said) = report::repaired(&outcome.repaired, is_undone) {
            record.reason = Some(said);
        }
        record.seen = record
            .seen
            .filter(|_| result.is_ok() && !rules.shape.is_idle());
        let result = match result {
            Err(Failure::Trouble(trouble)) => {
                if record.faults.is_empty() {
                    record.faults.push(&trouble);
                }
                Err(self.faulty(&trouble, choice, record))
            }
            result => self.judged(source, outcome.bytes_in, result),
        };
        later.has_nul = outcome.has_nul;
        let result = result.and_then(|()| match self.run.order.place {
            // `mojika check` has already rejected a malformed text.
            Destination::Nowhere if !later.has_nul => Ok(()),
            _ => self.check_later(source, choice, &later, record),
        });
        (outcome, result)
    }

    /// Converts mail part by part.
    fn convert_mail(
        &self,
        source: &Opened<'_>,
        writer: &mut dyn Write,
        record: &mut Record,
    ) -> (Outcome, Result<(), Problem>) {
        let mut text = match source.text(Some(&self.run.operation.reporter)) {
            Ok(text) => text,
            Err(error) => return (Outcome::default(), Err(unreadable(source.format)(error))),
        };
        let rules = self.run.mail_rules();
        let (outcome, report, result) = mime::convert(source.head, &mut text, writer, &rules);
        record.mail = Some(Box::new(report));
        let result = self.judged(source, outcome.bytes_in, result);
        (outcome, result)
    }

    /// Returns the problem for a failure of the engine.
    fn judged(
        &self,
        source: &Opened<'_>,
        read: u64,
        result: Result<(), Failure>,
    ) -> Result<(), Problem> {
        result.map_err(|failure| match (failure, source.format) {
            (Failure::Read(_) | Failure::Write(_), _) if signals::stopped() => {
                failed("interrupted")
            }
            (Failure::Read(error), Some(format)) => Problem {
                cause: Cause::Damage,
                ..failed(damaged(format, &error.to_string(), read))
            },
            (Failure::Write(error), _) if error.kind() == io::ErrorKind::StorageFull => Problem {
                cause: Cause::NoRoom,
                ..failed(Failure::Write(error).to_string())
            },
            (other, _) => failed(other.to_string()),
        })
    }

    /// Returns the problem of a text whose first error is `first`.
    pub fn faulty(&self, first: &Trouble, choice: Choice, record: &Record) -> Problem {
        let mut reason = report::trouble(first, self.run.order.rules.to);
        if first.kind == TroubleKind::Malformed {
            reason += report::false_mark(
                choice.why,
                &Options {
                    from: choice.from,
                    ..self.run.order.rules
                },
                Some(choice.encoding),
            );
            reason += &report::in_question(record.judgement.as_ref());
        }
        if matches!(self.run.order.place, Destination::Nowhere) {
            reason += &report::and_more(record.malformed + record.unmappable);
        }
        failed(reason)
    }

    /// Fails if malformed text after the examined part is probably in another encoding.
    fn check_later(
        &self,
        source: &Opened<'_>,
        choice: Choice,
        later: &Later,
        record: &mut Record,
    ) -> Result<(), Problem> {
        let From::Decided(decision) = choice.from else {
            return Ok(());
        };
        let question = &self.run.order.question;
        if later.is_empty() || question.confidence == 0.0 {
            return Ok(());
        }
        let doubt = source
            .text(None)
            .and_then(|mut text| question.doubt_later(decision, later, &mut *text));
        match doubt.map_err(unreadable(source.format))? {
            Some(doubt) => Err(doubtful(record, doubt)),
            None => Ok(()),
        }
    }

    /// Copies the file unchanged.
    pub fn copy(
        &mut self,
        entry: &WalkEntry,
        source: &Opened<'_>,
        target: &FileTarget,
        record: &mut Record,
        fate: Fate,
    ) -> Result<FileStep, Problem> {
        record.fate = fate;
        record.bytes_out = source.metadata.len();
        if self.run.order.how.dry_run {
            return Ok(FileStep::Done(fate));
        }
        (&source.file).rewind().map_err(cannot("read"))?;
        let draft = self.draft(entry, source, target)?;
        // Between two files this uses `copy_file_range`.
        let copied = io::copy(&mut &source.file, &mut draft.file()).map_err(cannot("copy"))?;
        if copied != source.metadata.len()
            || !source.is_unchanged(copied).map_err(cannot("read"))?
        {
            return Err(failed("it changed while it was read; convert it again"));
        }
        draft
            .keep_attributes(&source.file, &source.metadata)
            .map_err(cannot("keep mode and times"))?;
        Ok(FileStep::Draft(Box::new(draft)))
    }
}

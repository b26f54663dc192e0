//! Chooses the encoding of a file, and checks if the conversion would change anything.

use super::Run;
use super::walk::WalkEntry;
use crate::args::convert::MailPart;
use crate::source::Opened;
use mojika::{Encoding, UTF_8};
use mojika_convert::decide::{self, Doubt};
use mojika_convert::declared;
use mojika_convert::engine::{self, BomMode, ErrorMode, Format, From, Options, Utf8};
use mojika_convert::job::problem::{Cause, Problem, failed, skipped, unreadable};
use mojika_convert::job::record::{Fate, Record};
use mojika_convert::mail;
use mojika_convert::mixed;
use mojika_convert::repair::{self, Repairs, Treatment};
use mojika_convert::report;
use mojika_mail as mime;
use mojika_sniff::Source as SniffSource;
use std::io;
use std::path::Path;

/// The encoding of a file; `why` is the source of the encoding as a word for the report.
#[derive(Clone, Copy)]
pub struct Choice {
    pub encoding: &'static Encoding,
    pub why: &'static str,
    /// The source of the encoding, for the engine.
    pub from: From,
    /// True if the file is mail, whose parts have their own encodings.
    pub is_mail: bool,
}

/// Message for a file that is valid UTF-8 despite `--from`.
const ALREADY_UTF_8: &str =
    "valid UTF-8, so it is treated as converted; --convert-utf-8 converts it anyway";

impl Choice {
    fn new(encoding: &'static Encoding, why: &'static str, from: From) -> Self {
        Self {
            encoding,
            why,
            from,
            is_mail: false,
        }
    }
}

/// Returns the problem of a file that is not text but `what`.
fn binary(what: &str, format: Option<Format>) -> Problem {
    let what = match format {
        None => what.to_owned(),
        Some(format) => format!("{format} data, and in it {what}"),
    };
    Problem {
        cause: Cause::Binary,
        ..skipped(what)
    }
}

/// Returns the problem of a doubtful file.
pub fn doubtful(record: &mut Record, doubt: Doubt) -> Problem {
    let reason = doubt.to_string();
    record.doubt = Some(Box::new(doubt));
    Problem {
        fate: Fate::Doubtful,
        ..failed(reason)
    }
}

impl Run<'_> {
    /// Returns the encoding of a file, given or decided.
    pub fn choose(
        &self,
        entry: &WalkEntry,
        source: &Opened<'_>,
        record: &mut Record,
    ) -> Result<Choice, Problem> {
        if self.order.mail.is_some() && mail::kind(source.head).is_some() {
            return Ok(Choice {
                is_mail: true,
                ..Choice::new(UTF_8, "mail", From::Given(UTF_8))
            });
        }
        if self.order.mixed
            && let Some(chosen) = self.choose_mixed(source, record)?
        {
            return Ok(chosen);
        }
        let Some(given) = self.order.from else {
            return self.decide(entry, source, record);
        };
        let head = source.head;
        let is_text = self.order.question.is_text;
        let what = decide::binary(head, Some(given));
        if let Some(what) = what.filter(|_| !is_text) {
            return Err(binary(what, source.format));
        }
        let from = From::Given(given);
        let rules = Options {
            from,
            ..self.order.rules
        };
        if rules.has_deciding_mark(head) {
            self.check_parts(source, record)?;
        }
        let bom = BomMode::Keep;
        let question = &self.order.question;
        if rules.bom == BomMode::Ignore
            && question.confidence != 0.0
            && (Options { bom, ..rules }).has_deciding_mark(head)
            && let Ok(decided) = source.decide(question, &entry.path)
            && !matches!(decided.outcome, decide::Outcome::Doubtful(_))
        {
            return Err(failed(
                "its mark is true by its bytes; leave out --bom ignore",
            ));
        }
        let mark = engine::byte_order_mark(head, Some(given), rules.rfc2781)
            .filter(|_| rules.bom != BomMode::Ignore);
        if mark.is_none() && self.is_utf_8_all_the_same(source, given) {
            record.reason = Some(ALREADY_UTF_8.to_owned());
            let why = SniffSource::Detection.as_str();
            return Ok(Choice::new(UTF_8, why, From::Given(UTF_8)));
        }
        let (encoding, why) = match mark {
            Some((encoding, _)) => (encoding, SniffSource::Bom),
            None => (given, SniffSource::Override),
        };
        Ok(Choice::new(encoding, why.as_str(), from))
    }

    /// Returns the encodings of the lines that are not UTF-8; `None` if the file is in one encoding.
    fn choose_mixed(
        &self,
        source: &Opened<'_>,
        record: &mut Record,
    ) -> Result<Option<Choice>, Problem> {
        let head = source.head;
        let is_text = self.order.question.is_text;
        let from = self.order.from;
        let found = mixed::decide(&self.order.question, from, &|| source.text(None));
        let mixed::Mixed {
            parts,
            decided,
            is_given,
            doubt,
        } = found.map_err(unreadable(source.format))?;
        if let Some(doubt) = doubt {
            return Err(doubtful(record, doubt));
        }
        source.parts.get_or_init(|| parts);
        let has_parts = source.has_parts();
        let is_wide = mojika_sniff::bom::of_text(head).is_some_and(|bom| bom.encoding != UTF_8);
        let is_other = || !is_text && decide::binary(head, Some(UTF_8)).is_some();
        if !has_parts && (is_wide || is_other()) {
            return Ok(None);
        }
        let (encoding, why) = match from {
            Some(_) if !has_parts && matches!(source.utf_8(), Ok(Utf8::Ascii | Utf8::Valid)) => {
                (UTF_8, SniffSource::Detection)
            }
            Some(given) => (given, SniffSource::Override),
            None => {
                let Some(decided) = decided else {
                    return Ok(None);
                };
                record.judgement = decided.judgement;
                if let decide::Outcome::Doubtful(doubt) = decided.outcome {
                    return Err(doubtful(record, *doubt));
                }
                let Some(decision) = decided.decision() else {
                    return Ok(None);
                };
                (decision.encoding, decision.source)
            }
        };
        let from = match encoding {
            _ if is_given || encoding == UTF_8 && !has_parts => From::Given(encoding),
            _ => From::Mixed(encoding, why.as_str()),
        };
        Ok(Some(Choice::new(encoding, why.as_str(), from)))
    }

    /// Decides the encoding of a file that the user does not name.
    fn decide(
        &self,
        entry: &WalkEntry,
        source: &Opened<'_>,
        record: &mut Record,
    ) -> Result<Choice, Problem> {
        let decided = source
            .decide(&self.order.question, &entry.path)
            .map_err(unreadable(source.format))?;
        record.judgement = decided.judgement;
        record.reason = decided.judgement.as_ref().and_then(report::disagreement);
        let decision = decided.decision();
        record.encoding = decision.map(|decision| decision.encoding);
        record.why = decision.map(|decision| decision.source.as_str());
        match decided.outcome {
            decide::Outcome::Binary(what) => {
                (record.encoding, record.why) = (None, None);
                return Err(binary(what, source.format));
            }
            decide::Outcome::Contradiction(_, doubt) | decide::Outcome::Doubtful(doubt) => {
                return Err(doubtful(record, *doubt));
            }
            decide::Outcome::Sure => {}
        }
        let decision = decision.ok_or_else(|| failed("nothing says which encoding this is"))?;
        let why = decision.source.as_str();
        Ok(Choice::new(decision.encoding, why, From::Decided(decision)))
    }

    /// Returns the rules for mail.
    pub fn mail_rules(&self) -> mime::Rules<'_> {
        mime::Rules {
            question: &self.order.question,
            given: self.order.from,
            headers: self.order.mail == Some(MailPart::Headers),
            updates_declared: self.order.update_declared,
        }
    }

    /// Fails if a text has parts in UTF-16 and parts in other encodings.
    fn check_parts(&self, source: &Opened<'_>, record: &mut Record) -> Result<(), Problem> {
        let text = source.text(None);
        let doubt = text.and_then(|text| self.order.question.doubt_parts(text));
        match doubt.map_err(unreadable(source.format))? {
            Some(doubt) => Err(doubtful(record, doubt)),
            None => Ok(()),
        }
    }

    /// True if mail has no part to convert.
    fn is_mail_already(&self, source: &Opened<'_>, record: &mut Record) -> Result<bool, Problem> {
        if self.order.compress.format(source.format) != source.format {
            return Ok(false);
        }
        let mut text = source.text(None).map_err(unreadable(source.format))?;
        let rules = self.mail_rules();
        let (_, report, result) = mime::convert(source.head, &mut text, &mut io::sink(), &rules);
        let is_already = result.is_ok() && !report.has_changes();
        if is_already {
            record.mail = Some(Box::new(report));
        }
        Ok(is_already)
    }

    /// True if the conversion would change nothing.
    pub fn is_already(
        &self,
        source: &Opened<'_>,
        choice: Choice,
        record: &mut Record,
    ) -> Result<bool, Problem> {
        if choice.is_mail {
            return self.is_mail_already(source, record);
        }
        if self.order.update_declared && self.has_untrue(source, &record.path, choice) {
            return Ok(false);
        }
        let mut rules = self.order.rules;
        let has_bom =
            engine::byte_order_mark(source.head, Some(choice.encoding), rules.rfc2781).is_some();
        let same_bom = match rules.bom {
            BomMode::Add => has_bom,
            BomMode::Strip | BomMode::None | BomMode::Ignore => !has_bom,
            BomMode::Keep => true,
        };
        let same_format = self.order.compress.format(source.format) == source.format;
        if choice.encoding != rules.to || !same_bom || !same_format || source.has_parts() {
            return Ok(false);
        }
        if choice.encoding == UTF_8 {
            let Ok(found @ (Utf8::Ascii | Utf8::Valid)) = source.utf_8() else {
                // Damaged data is left to the conversion, which reports it.
                return Ok(false);
            };
            if source.has_nul() && matches!(choice.from, From::Decided(_)) {
                self.check_parts(source, record)?;
            }
            if found == Utf8::Ascii {
                rules.repair = Treatment::Ignore;
            }
            let is_looked_at = match rules.repair {
                Treatment::Look if source.format.is_none() => {
                    repair::count(source.head).is_ok_and(|found| found != Repairs::default())
                }
                repair => repair != Treatment::Ignore,
            };
            if rules.shape.is_idle() && !is_looked_at {
                return Ok(true);
            }
        }
        rules.errors = ErrorMode::Fatal;
        rules.from = choice.from;
        let (outcome, result) = source.convert(&mut io::sink(), rules, None, &mut |_| {});
        let is_undone = rules.repair == Treatment::Undo;
        let is_counted = rules.repair == Treatment::Count;
        let is_changed = (is_undone || is_counted) && outcome.repaired.count > 0
            || outcome.seen.is_changed(rules.shape);
        if result.is_err() || is_changed {
            return Ok(false);
        }
        record.seen = Some(outcome.seen).filter(|_| !rules.shape.is_idle());
        // Lines that were encoded twice, but stay, are the reason for the report.
        if let Some(said) = report::repaired(&outcome.repaired, is_undone) {
            record.reason = Some(said);
        }
        Ok(true)
    }

    /// True if a file is in the output encoding already but declares another encoding.
    fn has_untrue(&self, source: &Opened<'_>, path: &Path, choice: Choice) -> bool {
        let mut rules = self.order.rules;
        if choice.encoding != rules.to {
            return false;
        }
        rules.from = choice.from;
        let mut sink = io::sink();
        let path = engine::renamed(path.to_owned(), source.format, None);
        let target = declared::Target {
            to: rules.to,
            context: self.order.question.context,
            path: Some(&path),
            updates: true,
        };
        let (_, result, changes) = declared::updated(&mut sink, target, |writer| {
            source.convert(writer, rules, None, &mut |_| {})
        });
        result.is_ok() && changes.updated > 0
    }

    /// True if a file is valid UTF-8 although the user names the encoding `given`, as after an earlier conversion.
    fn is_utf_8_all_the_same(&self, source: &Opened<'_>, given: &'static Encoding) -> bool {
        !self.order.how.convert_utf_8
            && self.order.rules.to == UTF_8
            && given != UTF_8
            // Damaged data is reported by the conversion.
            && matches!(source.utf_8(), Ok(Utf8::Valid))
    }
}

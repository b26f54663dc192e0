//! Converts a message or a mailbox, message by message.

use super::mailbox::{LONGEST, Messages};
use super::report::Report;
use super::{Rules, message};
use crate::engine::{Failure, Outcome};
use crate::mail::is_mailbox;
use mojika::UTF_8;
use std::io::{Read, Write};

/// Converts the mail that `reader` reads and that begins with `head`.
///
/// What precedes a failure has been written.
pub fn convert(
    head: &[u8],
    reader: &mut dyn Read,
    output: &mut dyn Write,
    rules: &Rules<'_>,
) -> (Outcome, Report, Result<(), Failure>) {
    let mut output = Counted { output, written: 0 };
    let mut messages = Messages::new(reader, is_mailbox(head));
    let mut report = Report::default();
    let result = all(
        &mut messages,
        is_mailbox(head),
        &mut output,
        rules,
        &mut report,
    );
    let result = result.and_then(|()| output.flush().map_err(Failure::Write));
    let outcome = Outcome {
        encoding: Some(UTF_8),
        why: "mail",
        bytes_in: messages.read,
        bytes_out: output.written,
        ..Outcome::default()
    };
    (outcome, report, result)
}

fn all<R: Read>(
    messages: &mut Messages<R>,
    is_mailbox: bool,
    output: &mut Counted<'_>,
    rules: &Rules<'_>,
    report: &mut Report,
) -> Result<(), Failure> {
    while let Some(message) = messages.next(output).map_err(|error| match error {
        Ok(error) => Failure::Read(error),
        Err(error) => Failure::Write(error),
    })? {
        report.messages += 1;
        report.offset = message.offset;
        if !message.is_whole {
            report.leave("", "", &format!("it is longer than {LONGEST} bytes"));
            continue;
        }
        let converted = message::converted(&message.bytes, is_mailbox, rules, report);
        let bytes = converted.as_deref().unwrap_or(&message.bytes);
        let written = output.write_all(&message.separator);
        written
            .and_then(|()| output.write_all(bytes))
            .map_err(Failure::Write)?;
    }
    Ok(())
}

struct Counted<'o> {
    output: &'o mut dyn Write,
    written: u64,
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let length = self.output.write(bytes)?;
        self.written += length as u64;
        Ok(length)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.output.flush()
    }
}

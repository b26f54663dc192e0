//! Converts a message or a mailbox, message by message.

use super::Report;
use super::mailbox::{MAX_MESSAGE, Messages};
use super::{Rules, message};
use mojika::UTF_8;
use mojika_convert::engine::{CountingWriter, Failure, Outcome};
use mojika_convert::mail::is_mailbox;
use std::io::{Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Converts the mail from `reader`, which begins with `head`.
///
/// At a failure, earlier output has been written.
pub fn convert(
    head: &[u8],
    reader: &mut dyn Read,
    output: &mut dyn Write,
    rules: &Rules<'_>,
) -> (Outcome, Report, Result<(), Failure>) {
    let mut written = 0;
    let mut output = CountingWriter::new(output, &mut written);
    let mut messages = Messages::new(reader, is_mailbox(head));
    let mut report = Report::default();
    let mut converted = |message: &[u8], report: &mut Report| {
        message::converted(message, is_mailbox(head), rules, report)
    };
    let result = all(&mut messages, &mut output, &mut converted, &mut report);
    let result = result.and_then(|()| output.flush().map_err(Failure::Write));
    let outcome = Outcome {
        encoding: Some(UTF_8),
        why: "mail",
        bytes_in: messages.read,
        bytes_out: written,
        ..Outcome::default()
    };
    (outcome, report, result)
}

/// Converts one message; `None` if it stays.
type Convert<'a> = dyn FnMut(&[u8], &mut Report) -> Option<Vec<u8>> + 'a;

fn all<R: Read>(
    messages: &mut Messages<R>,
    output: &mut dyn Write,
    converted: &mut Convert<'_>,
    report: &mut Report,
) -> Result<(), Failure> {
    while let Some(message) = messages.next(output).map_err(|error| match error {
        Ok(error) => Failure::Read(error),
        Err(error) => Failure::Write(error),
    })? {
        report.messages += 1;
        report.offset = message.offset;
        if !message.is_whole {
            report.leave("", "", &format!("it is longer than {MAX_MESSAGE} bytes"));
            continue;
        }
        // A panic affects only this message, which stays.
        let work = AssertUnwindSafe(|| converted(&message.bytes, report));
        let converted = catch_unwind(work).unwrap_or_else(|_| {
            report.doubt("", "", "an internal error; please report it");
            None
        });
        let bytes = converted.as_deref().unwrap_or(&message.bytes);
        let written = output.write_all(&message.separator);
        written
            .and_then(|()| output.write_all(bytes))
            .map_err(Failure::Write)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use mojika_convert::decide::Question;

    /// An output that counts bytes.
    #[derive(Default)]
    struct Output {
        bytes: Vec<u8>,
        flushes: usize,
    }

    impl Write for Output {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            // Writes only a part, as a pipe may.
            let length = bytes.len().min(7);
            self.bytes.extend_from_slice(&bytes[..length]);
            Ok(length)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            self.flushes += 1;
            Ok(())
        }
    }

    #[test]
    fn what_is_read_and_written_is_counted_and_flushed() {
        let message = b"From: a\nTo: b\nSubject: c\nMessage-ID: <1>\nContent-Type: text/plain; charset=koi8-r\n\n\xF0\xD2\n";
        let question = Question::default();
        let rules = Rules::of(&question);
        let separator = b"From a@b Wed Jan  1 10:00:00 2003\n";
        for (input, messages) in [
            (message.to_vec(), 1),
            ([&separator[..], message, b"\n"].concat().repeat(3), 3),
        ] {
            let mut output = Output::default();
            let (outcome, report, result) = convert(&input, &mut &input[..], &mut output, &rules);
            assert!(result.is_ok());
            assert_eq!((report.messages, report.converted), (messages, messages));
            assert_eq!((outcome.encoding, outcome.why), (Some(UTF_8), "mail"));
            assert_eq!(outcome.bytes_in, input.len() as u64);
            assert_eq!(outcome.bytes_out, output.bytes.len() as u64);
            let text = String::from_utf8(output.bytes).unwrap();
            assert_eq!(text.matches("charset=utf-8").count() as u64, messages);
            assert_eq!(text.matches("8bit\n\nПр\n").count() as u64, messages);
            assert_eq!(output.flushes, 1);
        }
    }

    #[test]
    fn a_fault_of_this_program_is_one_messages() {
        let separator = "From a@b Wed Jan  1 10:00:00 2003\n";
        let input = ["a", "b", "c"].map(|one| format!("{separator}Subject: {one}\n\nx\n\n"));
        let input = input.concat();
        let mut messages = Messages::new(input.as_bytes(), true);
        let (mut output, mut report) = (Output::default(), Report::default());
        let mut converted = |message: &[u8], _: &mut Report| {
            let subject = message[9];
            assert_ne!(subject, b'b', "on purpose");
            Some(vec![subject.to_ascii_uppercase(), b'\n'])
        };
        let result = all(&mut messages, &mut output, &mut converted, &mut report);
        assert!(result.is_ok());
        let expected = format!("{separator}A\n{separator}Subject: b\n\nx\n\n{separator}C\n");
        assert_eq!(String::from_utf8(output.bytes).unwrap(), expected);
        assert_eq!((report.messages, report.doubtful), (3, 1));
    }

    #[test]
    fn declarations_of_each_type_of_text_are_updated() {
        let question = Question::default();
        let rules = Rules {
            updates_declared: true,
            ..Rules::of(&question)
        };
        for (kind, text) in [
            ("text/css", "@charset \"koi8-r\";\n/* П */\n"),
            ("text/html", "<p>П<meta charset=koi8-r>\n"),
            (
                "text/xml",
                "<?xml version='1.0' encoding='koi8-r'?>\n<a>П</a>\n",
            ),
            ("text/plain", "# -*- coding: koi8-r -*-\nП\n"),
        ] {
            let head = format!("From: a\nContent-Type: {kind}; charset=koi8-r\n");
            let body = mojika::KOI8_R.encode(text).unwrap();
            let input = [head.as_bytes(), b"\n", &body].concat();
            let mut output = Output::default();
            let (_, _, result) = convert(&input, &mut &input[..], &mut output, &rules);
            assert!(result.is_ok());
            let head = head.replace("koi8-r", "utf-8") + "Content-Transfer-Encoding: 8bit\n\n";
            let expected = head + &text.replace("koi8-r", "utf-8");
            assert_eq!(String::from_utf8(output.bytes).unwrap(), expected, "{kind}");
        }
    }
}

//! `mojika show`: the first lines of files, decoded and safe for a terminal.

use super::decide::{self, Held};
use crate::args::show::ShowArgs;
use crate::source;
use mojika::Encoding;
use mojika_convert::bounded::peek;
use mojika_convert::decide::{Decided, Outcome, Question};
use mojika_convert::engine::{self, BomMode, ErrorMode, From, Input, LONGEST_BOM, Options};
use mojika_convert::output::Output;
use mojika_convert::quote::{input_name, printable_lines};
use mojika_convert::report::{self, Failure};
use mojika_sniff::Source;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// The maximum number of characters that are shown of a line.
const MOST_CHARACTERS: usize = 1000;

/// The maximum number of bytes that are searched for lines.
const MOST_BYTES: usize = 16 << 20;

/// Runs `mojika show`; returns the exit status.
///
/// # Errors
///
/// Fails if an option is wrong, or standard output cannot be written. Errors of a file are reported, and the other files
/// are shown.
pub fn show(args: &ShowArgs) -> Result<u8, Failure> {
    let (from, question) = args.encoding.question()?;
    let mut output = BufWriter::new(Output::open(None)?);
    let standard_input = [PathBuf::from("-")];
    let files = match &args.files[..] {
        [] => &standard_input[..],
        files => files,
    };
    let show = Show {
        args,
        question: &question,
        from,
    };
    let mut status = 0;
    for file in files {
        if files.len() > 1 {
            let head = writeln!(output, "==> {} <==", input_name(file));
            head.map_err(|error| Failure::write(output.get_ref().name(), error))?;
        }
        match show.one(file, &mut output) {
            Ok(is_sure) => status = status.max(u8::from(!is_sure)),
            Err(Failure::BrokenPipe) => return Err(Failure::BrokenPipe),
            Err(failure) => {
                if let Some(message) = failure.message() {
                    report::say(&message);
                }
                status = status.max(failure.status());
            }
        }
    }
    Ok(status)
}

struct Show<'a> {
    args: &'a ShowArgs,
    question: &'a Question,
    /// The encoding; `None` to detect it.
    from: Option<&'static Encoding>,
}

impl Show<'_> {
    /// Shows one file; returns true if its encoding is certain.
    fn one(&self, file: &Path, output: &mut BufWriter<Output>) -> Result<bool, Failure> {
        let name = input_name(file);
        let unreadable = |error| Failure::io("read", name.clone(), error);
        let (format, mut reader) = source::open(file).map_err(unreadable)?;
        let (from, line, doubt) = if let Some(given) = self.from {
            let (head, whole) = peek(reader, LONGEST_BOM).map_err(unreadable)?;
            reader = whole;
            let (encoding, why) = match engine::byte_order_mark(&head, Some(given), None) {
                Some((encoding, _)) => (encoding, Source::Bom),
                None => (given, Source::Override),
            };
            (From::Given(given), format!("{encoding} ({why})"), None)
        } else {
            let decided = if file.is_file() {
                decide::on_file(file, self.question).map_err(unreadable)?
            } else {
                let mut held = Held::new(reader, file, self.question).map_err(unreadable)?;
                held.decide().map_err(unreadable)?;
                let decided = held.conclude();
                reader = Box::new(held);
                decided
            };
            let refused = report::refused(&decided, &name);
            let decision = decided.decision();
            match (refused, decision, &decided.outcome) {
                (None, Some(decision), _) => (From::Decided(decision), why(&decided), None),
                // A doubtful file is shown in its likeliest encoding, with the doubt.
                (Some(doubt), Some(decision), Outcome::Doubtful(_)) => (
                    From::Decided(decision),
                    format!("shown as {}", decision.encoding),
                    Some(doubt),
                ),
                (Some(failure), ..) => return Err(failure),
                (None, None, _) => return Err(Failure::usage("nothing is decided")),
            }
        };
        output
            .flush()
            .map_err(|error| Failure::write(output.get_ref().name(), error))?;
        if let Some(message) = doubt.as_ref().and_then(Failure::message) {
            report::say(&message);
        }
        if !self.args.quiet || doubt.is_some() {
            let format = format.map_or_else(String::new, |format| format!(", {format}"));
            report::say(&format!("{name}: {line}{format}"));
        }
        self.lines(&name, &mut *reader, from, output)?;
        Ok(doubt.is_none())
    }

    /// Writes the first lines.
    fn lines(
        &self,
        name: &str,
        reader: &mut (dyn Read + Send),
        from: From,
        output: &mut BufWriter<Output>,
    ) -> Result<(), Failure> {
        let options = Options {
            errors: ErrorMode::Replacement,
            bom: BomMode::Strip,
            ..Options::new(from, mojika::UTF_8)
        };
        let mut reader = reader;
        let input = Input {
            prompt: true,
            ..Input::new(&mut reader)
        };
        let mut lines = Lines {
            output,
            line: Vec::new(),
            is_long: false,
            left: self.args.lines,
            read: 0,
            error: None,
        };
        let result = match lines.left {
            0 => Ok(()),
            _ => engine::convert(input, &mut lines, &options, &mut |_| {}).1,
        };
        let ended = lines.left == 0 || lines.read >= MOST_BYTES;
        let written = match lines.error.take() {
            Some(error) => Err(error),
            None => lines.end().and_then(|()| lines.output.flush()),
        };
        // True if requested lines remain at the limit of 16 MiB.
        let is_cut = lines.left > 0 && lines.read >= MOST_BYTES;
        written.map_err(|error| Failure::write(output.get_ref().name(), error))?;
        if is_cut {
            report::say(&format!("{name}: what follows 16 MiB of text is not shown"));
        }
        match result {
            // The writer fails on purpose after the last requested line.
            Err(engine::Failure::Write(_)) if ended => Ok(()),
            result => result.map_err(|failure| Failure::of(failure, name, "", &options)),
        }
    }
}

/// Returns the reason for a certain encoding.
fn why(decided: &Decided) -> String {
    let Some(judgement) = &decided.judgement else {
        return String::new();
    };
    let encoding = judgement.decision.encoding;
    let mut line = format!("{encoding} ({})", report::why(judgement));
    if let Some(warning) = report::disagreement(judgement) {
        line.push_str("; ");
        line.push_str(&warning);
    }
    line
}

/// A writer of UTF-8 text that writes its first lines, each safe for a terminal and of limited length.
struct Lines<'o> {
    output: &'o mut BufWriter<Output>,
    /// The start of an unfinished line.
    line: Vec<u8>,
    /// True if the line is longer than its shown part.
    is_long: bool,
    /// The number of remaining lines.
    left: u64,
    /// The number of bytes received.
    read: usize,
    /// The error of standard output.
    error: Option<io::Error>,
}

/// The maximum number of bytes kept of a line: a character has at most four bytes.
const MOST_KEPT: usize = MOST_CHARACTERS * 4 + 4;

impl Lines<'_> {
    fn end(&mut self) -> io::Result<()> {
        if self.line.is_empty() || self.left == 0 {
            return Ok(());
        }
        self.end_line(false)
    }

    /// Writes the current line.
    fn end_line(&mut self, has_end: bool) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        let text = String::from_utf8_lossy(&line);
        let text = match has_end {
            true => text.strip_suffix('\r').unwrap_or(&text),
            false => &text,
        };
        let end = text.char_indices().nth(MOST_CHARACTERS);
        let shown = end.map_or(text, |(end, _)| &text[..end]);
        let dots = match self.is_long || end.is_some() {
            true => "…",
            false => "",
        };
        self.is_long = false;
        self.left -= 1;
        writeln!(self.output, "{}{dots}", printable_lines(shown))
    }

    fn take(&mut self, part: &[u8]) {
        let kept = part.len().min(MOST_KEPT.saturating_sub(self.line.len()));
        self.is_long |= kept < part.len();
        self.line.extend_from_slice(&part[..kept]);
    }
}

impl Write for Lines<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let enough = || io::Error::other("enough lines");
        if self.left == 0 || self.read >= MOST_BYTES {
            return Err(enough());
        }
        self.read += bytes.len();
        let mut rest = bytes;
        while let Some(end) = memchr::memchr(b'\n', rest) {
            self.take(&rest[..end]);
            rest = &rest[end + 1..];
            if let Err(error) = self.end_line(true) {
                self.error = Some(error);
                return Err(enough());
            }
            if self.left == 0 {
                return Err(enough());
            }
        }
        self.take(rest);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

//! The messages of a mailbox (RFC 4155), one after another.

use std::io::{self, BufRead, BufReader, Read, Write};

/// The length in bytes beyond which a message is copied unchanged.
pub const MAX_MESSAGE: usize = 32 << 20;

/// The length in bytes beyond which a line is read piece by piece.
const LONGEST_LINE: u64 = 64 << 10;

/// A message.
pub struct Message {
    /// The separator line before the message.
    pub separator: Vec<u8>,
    pub bytes: Vec<u8>,
    /// The offset of the message's first byte in the input.
    pub offset: u64,
    /// True if the message is complete; a message that is too long has already been written.
    pub is_whole: bool,
}

/// Reads the messages of a mailbox, or the single message of another file.
pub struct Messages<R> {
    reader: BufReader<R>,
    is_mailbox: bool,
    /// The number of bytes read.
    pub read: u64,
    /// A line that was read in advance.
    next: Vec<u8>,
    separator: Vec<u8>,
    is_first: bool,
    is_ended: bool,
}

impl<R: Read> Messages<R> {
    pub fn new(reader: R, is_mailbox: bool) -> Self {
        Self {
            reader: BufReader::with_capacity(LONGEST_LINE as usize, reader),
            is_mailbox,
            read: 0,
            next: Vec::new(),
            separator: Vec::new(),
            is_first: true,
            is_ended: false,
        }
    }

    fn line(&mut self) -> io::Result<Vec<u8>> {
        let mut line = std::mem::take(&mut self.next);
        if line.is_empty() {
            let mut piece = (&mut self.reader).take(LONGEST_LINE);
            piece.read_until(b'\n', &mut line)?;
            self.read += line.len() as u64;
        }
        Ok(line)
    }

    /// Returns the next message; `None` after the last one. Messages that are too long go to `output`.
    ///
    /// # Errors
    ///
    /// Fails if reading or writing fails; `Err(Ok(error))` is an error of reading.
    #[allow(clippy::type_complexity, reason = "one caller takes it apart")]
    pub fn next(
        &mut self,
        output: &mut dyn Write,
    ) -> Result<Option<Message>, Result<io::Error, io::Error>> {
        if self.is_ended {
            return Ok(None);
        }
        if std::mem::take(&mut self.is_first) && self.is_mailbox {
            self.separator = self.line().map_err(Ok)?;
        }
        let mut message = Message {
            separator: std::mem::take(&mut self.separator),
            bytes: Vec::new(),
            offset: self.read - self.next.len() as u64,
            is_whole: true,
        };
        // A separator follows an empty line.
        let (mut is_after_empty, mut is_at_start) = (false, true);
        loop {
            let line = self.line().map_err(Ok)?;
            if line.is_empty() {
                self.is_ended = true;
                return Ok(Some(message));
            }
            let text = without_end(&line);
            if self.is_mailbox && is_after_empty && mojika_convert::mail::is_separator(text) {
                self.next = self.line().map_err(Ok)?;
                if begins_header(&self.next) {
                    self.separator = line;
                    return Ok(Some(message));
                }
            }
            is_after_empty = is_at_start && text.is_empty();
            is_at_start = line.ends_with(b"\n");
            if message.is_whole && message.bytes.len() + line.len() > MAX_MESSAGE {
                let begun = [&message.separator[..], &message.bytes].concat();
                output.write_all(&begun).map_err(Err)?;
                message.is_whole = false;
            }
            if message.is_whole {
                message.bytes.extend_from_slice(&line);
            } else {
                output.write_all(&line).map_err(Err)?;
            }
        }
    }
}

/// Returns a line without its end.
pub fn without_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// True if a line can begin a message's header: it is a field, or a separator that was quoted as ">From ".
fn begins_header(line: &[u8]) -> bool {
    let name = line.split(|&byte| byte == b':').next().unwrap_or_default();
    let is_field = name.len() < line.len()
        && !name.is_empty()
        && name.iter().all(|byte| byte.is_ascii_graphic());
    is_field || line.starts_with(b">From ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the messages of a mailbox, after a check that together they equal it.
    fn messages(mailbox: &[u8]) -> Vec<(u64, usize)> {
        let mut reader = Messages::new(mailbox, true);
        let (mut output, mut all) = (Vec::new(), Vec::new());
        while let Some(message) = reader.next(&mut output).unwrap() {
            if message.is_whole {
                output.extend_from_slice(&message.separator);
                output.extend_from_slice(&message.bytes);
            }
            all.push((message.offset, message.bytes.len()));
        }
        assert!(output == mailbox);
        assert_eq!(reader.read, mailbox.len() as u64);
        all
    }

    #[test]
    fn messages_are_separated_by_lines_with_a_date_before_a_header() {
        let line = "From a@b Wed Jan  1 10:00:00 2003\n";
        let mailbox =
            format!("{line}A: 1\n\nx\n\n{line}B: 2\n\nFrom me to you\n\n{line}no header\n");
        assert_eq!(messages(mailbox.as_bytes()), [(34, 9), (77, 66)]);
        let crlf = mailbox.replace('\n', "\r\n");
        assert_eq!(messages(crlf.as_bytes()).len(), 2);
        assert_eq!(messages(line.as_bytes()), [(34, 0)]);
    }

    #[test]
    fn a_separator_follows_an_empty_line_and_precedes_a_field() {
        let separator = "From a@b Wed Jan  1 10:00:00 2003\n";
        let long = "x".repeat(LONGEST_LINE as usize);
        for (before, after, count) in [
            ("A: 1\n\nx\n\n", "B: 2\n", 2),
            ("A: 1\n\nx\n\n", ">From x\nB: 2\n", 2),
            ("A: 1\n\n", "B: 2\n", 2),
            ("A: 1\n\nx\n", "B: 2\n", 1),
            ("A: 1\n\nx\n\n", "text", 1),
            ("A: 1\n\nx\n\n", ": 2\n", 1),
            ("A: 1\n\nx\n\n", "two words: 2\n", 1),
            ("A: 1\n\nx\n\n", "", 1),
            // The last piece of a long line is not an empty line.
            (&format!("A: 1\n\n{long}\n"), "B: 2\n", 1),
            (&format!("A: 1\n\n{long}\n\n"), "B: 2\n", 2),
        ] {
            let mailbox = format!("{separator}{before}{separator}{after}");
            let found = messages(mailbox.as_bytes());
            let what = before.replace(&long, "…");
            assert_eq!(found.len(), count, "{what:?} and {after:?}");
        }
    }

    /// Reads a message of the maximum length in bytes, and a message that is one byte longer.
    #[test]
    fn a_message_is_as_long_as_it_may_be() {
        for (length, is_whole) in [(MAX_MESSAGE, true), (MAX_MESSAGE + 1, false)] {
            let mut text = vec![b'a'; length];
            // The text is lines of 1,000 bytes.
            for end in (999..length).step_by(1000) {
                text[end] = b'\n';
            }
            let mut reader = Messages::new(&text[..], false);
            let mut output = Vec::new();
            let message = reader.next(&mut output).unwrap().unwrap();
            assert_eq!(message.is_whole, is_whole);
            let (kept, written) = match is_whole {
                true => (&message.bytes, &output),
                false => (&output, &Vec::new()),
            };
            assert!(*kept == text && (!is_whole || written.is_empty()));
            assert!(reader.next(&mut output).unwrap().is_none());
        }
    }

    #[test]
    fn a_long_message_passes_and_the_next_one_is_found() {
        let line = "From a@b Wed Jan  1 10:00:00 2003\n";
        let body = "0123456789abcdef".repeat(MAX_MESSAGE / 16) + "\n\n";
        let mailbox = format!("{line}A: 1\n\n{body}{line}B: 2\n\n");
        let found = messages(mailbox.as_bytes());
        assert_eq!(found.len(), 2);
        assert_eq!(found[1].1, 6);
    }
}

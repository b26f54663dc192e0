//! A writer that changes only the labels in a text.

use super::{Changes, Convention, Edit, Target, edits};
use crate::decide::FileContext;
use mojika::{BomHandling, Encoder, Encoding, Status, UTF_8};
use mojika_sniff::declared::Kind;
use std::io::{self, Write};
use std::path::Path;

/// The number of bytes at the start of a file that are buffered and searched for declarations.
const HEAD: usize = 1 << 20;

/// The number of bytes at the end of a longer file that are buffered and searched for modelines.
const TAIL: usize = 8 << 10;

/// The number of bytes at the start of a file that are searched for declarations if the output is not changed.
const START: usize = 64 << 10;

/// A writer of text in an encoding. It buffers the start and the end, and changes the labels there.
///
/// Pending bytes are written by [`finish`](Self::finish). If declarations are only listed, all bytes are written at
/// once, and a copy of the start is searched.
pub struct Rewriter<'w> {
    output: &'w mut (dyn Write + Send),
    target: Target<'w>,
    held: Vec<u8>,
    is_past_head: bool,
    changes: Changes,
    /// The number of bytes by which the output is longer than the input.
    growth: i64,
}

impl<'w> Rewriter<'w> {
    /// Returns a writer of a file.
    pub fn new(output: &'w mut (dyn Write + Send), target: Target<'w>) -> Self {
        Self {
            output,
            target,
            held: Vec::new(),
            is_past_head: false,
            changes: Changes {
                are_kept: !target.updates,
                ..Changes::default()
            },
            growth: 0,
        }
    }

    /// Writes the pending bytes. Returns the declarations that a conversion from the encoding `from` makes false, and
    /// the growth of the output in bytes.
    ///
    /// # Errors
    ///
    /// Fails if writing fails.
    pub fn finish(mut self, from: Option<&'static Encoding>) -> io::Result<(Changes, i64)> {
        let held = std::mem::take(&mut self.held);
        if !self.target.updates {
            let text = self.target.to.with(BomHandling::Keep).decode(&held).text;
            // ASCII text has the same bytes in both encodings, so its declarations stay true.
            let is_same =
                !self.is_past_head && held.is_ascii() && self.target.to.is_ascii_compatible();
            for Edit { change, .. } in edits(&text, self.target, !self.is_past_head, from) {
                if !is_same {
                    self.changes.push(change);
                }
            }
        } else if self.is_past_head {
            self.write_tail(&held)?;
        } else {
            self.write_head(&held, true, from)?;
        }
        self.output.flush()?;
        Ok((self.changes, self.growth))
    }

    fn write_head(
        &mut self,
        bytes: &[u8],
        is_whole: bool,
        from: Option<&'static Encoding>,
    ) -> io::Result<()> {
        let text = self.target.to.with(BomHandling::Keep).decode(bytes).text;
        let edits = edits(&text, self.target, is_whole, from);
        self.write_changed(bytes, &text, edits)
    }

    /// Writes the end of a long file, which may start within a character.
    fn write_tail(&mut self, bytes: &[u8]) -> io::Result<()> {
        // In other encodings, the start of a character cannot be recognised, so the end is not searched.
        let start = match self.target.to {
            to if to == UTF_8 => bytes.iter().position(|&byte| byte & 0xC0 != 0x80),
            to if to.is_single_byte() && to.is_ascii_compatible() => Some(0),
            _ => None,
        };
        let Some(start) = start else {
            return self.output.write_all(bytes);
        };
        self.output.write_all(&bytes[..start])?;
        let bytes = &bytes[start..];
        let text = self.target.to.with(BomHandling::Keep).decode(bytes).text;
        // Empty lines before the text ensure that its lines are not taken for the first lines of a file.
        let blank = "\n".repeat(8);
        let shifted = [&*blank, &*text].concat();
        let target = Target {
            context: FileContext::Auto,
            path: Some(Path::new("tail.txt")),
            ..self.target
        };
        let edits = edits(&shifted, target, true, None).into_iter();
        let edits = edits.filter_map(|edit| {
            let is_of_tail = matches!(
                edit.change.convention,
                Convention::Text(Kind::Emacs | Kind::Vim)
            );
            let at = edit.at.start.checked_sub(blank.len())?..edit.at.end - blank.len();
            is_of_tail.then_some(Edit { at, ..edit })
        });
        self.write_changed(bytes, &text, edits.collect())
    }

    /// Writes `bytes`, which are the encoded `text`, with the labels changed.
    fn write_changed(&mut self, bytes: &[u8], text: &str, edits: Vec<Edit>) -> io::Result<()> {
        let mut written = 0;
        let mut aligned = Aligned {
            to: self.target.to,
            encoder: self.target.to.new_encoder().ok(),
            text,
            bytes,
            text_at: 0,
            bytes_at: 0,
        };
        for Edit { at, mut change } in edits {
            let label = change.to.as_deref().map(|to| self.target.to.encode(to));
            let place = aligned
                .offset(at.start)
                .and_then(|start| Some((start, aligned.offset(at.end)?)));
            if let (Some((start, end)), Some(Ok(label))) = (place, label) {
                self.output.write_all(&bytes[written..start])?;
                self.output.write_all(&label)?;
                self.growth += label.len() as i64 - (end - start) as i64;
                written = end;
            } else {
                change.to = None;
            }
            self.changes.push(change);
        }
        self.output.write_all(&bytes[written..])
    }
}

/// A text and its bytes. Offsets can be mapped as long as encoding the text gives the same bytes.
struct Aligned<'t> {
    to: &'static Encoding,
    /// The encoder; `None` once the encoded text differs from `bytes`.
    encoder: Option<Encoder>,
    text: &'t str,
    bytes: &'t [u8],
    text_at: usize,
    bytes_at: usize,
}

impl Aligned<'_> {
    /// Returns the byte offset of a text offset, which must not decrease from call to call.
    fn offset(&mut self, at: usize) -> Option<usize> {
        let mut encoder = self.encoder.take()?;
        let mut encoded = Vec::new();
        while self.text_at < at {
            let rest = &self.text[self.text_at..at];
            let (read, piece) = if self.to == UTF_8 {
                (rest.len(), rest.as_bytes())
            } else {
                encoded.clear();
                let progress = encoder.encode_append(rest, &mut encoded, false);
                match progress.status {
                    Status::InputEmpty | Status::OutputFull => (progress.read, &*encoded),
                    Status::Malformed(_) | Status::Unmappable(_) => return None,
                }
            };
            if !self.bytes[self.bytes_at..].starts_with(piece) {
                return None;
            }
            self.text_at += read;
            self.bytes_at += piece.len();
        }
        self.encoder = Some(encoder);
        Some(self.bytes_at)
    }
}

impl Write for Rewriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.target.updates {
            let length = self.output.write(bytes)?;
            let missing = START - self.held.len();
            self.held.extend_from_slice(&bytes[..length.min(missing)]);
            self.is_past_head |= length > missing;
            return Ok(length);
        }
        self.held.extend_from_slice(bytes);
        if !self.is_past_head && self.held.len() > HEAD {
            // The head ends with a line, so that it does not end within a character.
            let end = memchr::memrchr(b'\n', &self.held[..HEAD]).map_or(HEAD, |end| end + 1);
            let rest = self.held.split_off(end);
            let head = std::mem::replace(&mut self.held, rest);
            self.is_past_head = true;
            self.write_head(&head, false, None)?;
        }
        if self.is_past_head && self.held.len() > HEAD / 4 {
            let rest = self.held.split_off(self.held.len() - TAIL);
            let passed = std::mem::replace(&mut self.held, rest);
            self.output.write_all(&passed)?;
        }
        Ok(bytes.len())
    }

    /// Does not write the pending bytes.
    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Change;
    use super::*;
    use mojika::{GBK, ISO_2022_JP, KOI8_R, SHIFT_JIS, UTF_16LE};
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Counts written bytes.
    struct Counter<'c>(&'c AtomicUsize);

    impl Write for Counter<'_> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.fetch_add(bytes.len(), Ordering::Relaxed);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn target<'p>(to: &'static Encoding, path: Option<&'p str>) -> Target<'p> {
        Target {
            to,
            context: FileContext::Auto,
            path: path.map(Path::new),
            updates: true,
        }
    }

    /// Rewrites a text that arrives in pieces; returns it with the changes of its declarations.
    fn rewritten(text: &str, to: &'static Encoding, path: &str) -> (Vec<u8>, Vec<Change>) {
        in_pieces(100_003, text, to, path)
    }

    /// Rewrites a text as [`rewritten`] does, in pieces of this length.
    fn in_pieces(
        length: usize,
        text: &str,
        to: &'static Encoding,
        path: &str,
    ) -> (Vec<u8>, Vec<Change>) {
        let bytes = to.encode(text).unwrap();
        let mut output = Vec::new();
        let mut rewriter = Rewriter::new(&mut output, target(to, Some(path)));
        for piece in bytes.chunks(length) {
            rewriter.write_all(piece).unwrap();
        }
        let (changes, growth) = rewriter.finish(None).unwrap();
        assert_eq!(output.len() as i64, bytes.len() as i64 + growth);
        (output, changes.listed)
    }

    #[test]
    fn labels_are_changed_in_every_output_encoding_and_nothing_else_is() {
        for to in [UTF_8, SHIFT_JIS, GBK, ISO_2022_JP, UTF_16LE] {
            let page = "表<meta charset='koi8-r'>文字<meta http-equiv=content-type content='text/html; charset=koi8-r'>字";
            let (output, changes) = rewritten(page, to, "a.html");
            let label = if to == UTF_16LE {
                "utf-16".to_owned()
            } else {
                to.name().to_ascii_lowercase()
            };
            let expected = page.replace("koi8-r", &label);
            assert_eq!(output, *to.encode(&expected).unwrap(), "{to}");
            assert_eq!(changes.len(), 2, "{to}");
            // A second run changes nothing.
            let again = rewritten(&expected, to, "a.html");
            assert_eq!(again.0, output);
            assert_eq!(again.1, [], "{to}");
        }
    }

    #[test]
    fn a_long_file_is_written_while_it_is_read() {
        let written = AtomicUsize::new(0);
        let mut output = Counter(&written);
        let mut rewriter = Rewriter::new(&mut output, target(UTF_8, None));
        let piece = "a line of text\n".repeat(6_667);
        for count in 1..=40 {
            rewriter.write_all(piece.as_bytes()).unwrap();
            let read = count * piece.len();
            let most = if read > HEAD { HEAD / 4 } else { HEAD };
            assert!(read - written.load(Ordering::Relaxed) <= most, "{read}");
        }
        rewriter.finish(None).unwrap();
        assert_eq!(written.into_inner(), 40 * piece.len());
    }

    /// Many labels take linear time, and only the first ones are listed.
    #[test]
    fn work_on_many_declarations_is_in_proportion_to_the_length() {
        let start = std::time::Instant::now();
        for (text, path) in [
            ("<meta charset=koi8-r>".repeat(40_000), "a.html"),
            ("@documentencoding koi8-r\n".repeat(40_000), "a.texi"),
            (
                "msgid \"\"\nmsgstr \"\"\n".to_owned()
                    + &"\"Content-Type: charset=koi8-r\\n\"\n".repeat(30_000),
                "a.po",
            ),
        ] {
            for to in [UTF_8, SHIFT_JIS] {
                let (output, changes) = rewritten(&text, to, path);
                let label = to.name().to_ascii_lowercase();
                assert!(!output.windows(6).any(|part| part == b"koi8-r"), "{path}");
                let count = output
                    .windows(label.len())
                    .filter(|part| part.eq_ignore_ascii_case(label.as_bytes()))
                    .count();
                assert!(count >= 30_000, "{path} {to}: {count}");
                assert_eq!(changes.len(), super::super::MOST_LISTED, "{path}");
            }
        }
        let spent = start.elapsed();
        assert!(spent < std::time::Duration::from_secs(60), "{spent:?}");
    }

    #[test]
    fn both_ends_of_a_long_file_are_read() {
        let line = "строка без объявлений\n";
        let lines = line.repeat(3_000_000 / line.len());
        let text = format!("# -*- coding: koi8-r -*-\n{lines}# vim: fenc=koi8-r\n");
        let (output, changes) = rewritten(&text, UTF_8, "a.py");
        let expected = text.replace("koi8-r", "utf-8");
        assert!(output == expected.as_bytes());
        assert_eq!(changes.len(), 2);
        // A cookie that is neither at the start nor at the end is not a declaration.
        let text = format!("{lines}# -*- coding: koi8-r -*-\n{lines}");
        assert!(rewritten(&text, UTF_8, "a.py").0 == text.as_bytes());
    }

    /// In multi-byte encodings except UTF-8, labels at the end stay, because the start of a character cannot be found.
    #[test]
    fn the_end_of_a_long_file_is_read_in_utf_8_and_in_single_bytes() {
        let line = "a line without a declaration 0123456789\n";
        let lines = line.repeat(2_000_000 / line.len());
        for (to, is_changed) in [
            (UTF_8, true),
            (KOI8_R, true),
            (SHIFT_JIS, false),
            (UTF_16LE, false),
            (ISO_2022_JP, false),
        ] {
            let text = format!("{lines}# vim: fenc=windows-1251\n");
            let label = match is_changed {
                true => to.name().to_ascii_lowercase(),
                false => "windows-1251".to_owned(),
            };
            let expected = text.replace("windows-1251", &label);
            let (output, changes) = rewritten(&text, to, "a.txt");
            assert!(output == *to.encode(&expected).unwrap(), "{to}");
            assert_eq!(changes.len(), usize::from(is_changed), "{to}");
        }
    }

    /// In XHTML, both declarations count; in other XML, `meta` is an ordinary element.
    #[test]
    fn each_declaration_of_a_document_is_of_its_convention() {
        use super::super::Markup::{Html, Xhtml, Xml};
        let head = "<?xml version='1.0' encoding='koi8-r'?>\n";
        let meta = "<meta charset='koi8-r'/><meta charset='koi8-r'/>";
        for (path, text, expected) in [
            (
                "a.xhtml",
                format!("{head}<html>{meta}"),
                vec![Xml, Xhtml, Xhtml],
            ),
            (
                "a.xml",
                format!("\u{FEFF}{head}<html>{meta}"),
                vec![Xml, Xhtml, Xhtml],
            ),
            ("a.xml", format!("{head}<a>{meta}"), vec![Xml]),
            ("a.html", format!("{head}{meta}"), vec![Xml, Html, Html]),
            ("a.html", format!("<p>{meta}"), vec![Html, Html]),
        ] {
            let (output, changes) = rewritten(&text, UTF_8, path);
            let found: Vec<_> = changes.iter().map(|change| change.convention).collect();
            let markup: Vec<_> = expected.iter().copied().map(Convention::Markup).collect();
            assert_eq!(found, markup, "{path}: {text}");
            let new = text.replacen("koi8-r", "utf-8", expected.len());
            assert_eq!(String::from_utf8(output).unwrap(), new, "{path}");
        }
    }

    #[test]
    fn the_end_of_a_long_file_may_begin_within_a_character() {
        let lines = "文字だけの行\n".repeat(80_000);
        for (shift, length) in [(0, 100_003), (1, 100_003), (2, 100_003), (0, 1000)] {
            let text = format!("{}{lines}# vim: fenc=koi8-r\n", "x".repeat(shift));
            let (output, changes) = in_pieces(length, &text, UTF_8, "a.txt");
            let what = format!("shifted by {shift}, in pieces of {length} bytes");
            assert!(
                output == text.replace("koi8-r", "utf-8").as_bytes(),
                "{what}"
            );
            assert_eq!(changes.len(), 1, "{what}");
        }
    }

    /// The first line determines the form of hexadecimal strings, but only the whole file shows if it has such strings.
    #[test]
    fn the_header_of_a_registry_is_changed_in_a_file_that_is_looked_at_as_a_whole() {
        let header = "REGEDIT4\r\n";
        for (length, is_changed) in [(HEAD / 2, true), (HEAD / 2 + 1, false)] {
            let text = header.to_owned() + &"x".repeat(length - header.len());
            let expected = match is_changed {
                true => text.replace("REGEDIT4", "Windows Registry Editor Version 5.00"),
                false => text.clone(),
            };
            let (output, _) = rewritten(&text, UTF_16LE, "a.reg");
            assert!(output == *UTF_16LE.encode(&expected).unwrap(), "{length}");
        }
    }

    #[test]
    fn a_flush_is_passed_on_and_writes_nothing_that_is_held_back() {
        #[derive(Default)]
        struct Output {
            bytes: usize,
            flushes: usize,
        }
        impl Write for Output {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.bytes += bytes.len();
                Ok(bytes.len())
            }

            fn flush(&mut self) -> io::Result<()> {
                self.flushes += 1;
                Ok(())
            }
        }
        let mut output = Output::default();
        let mut rewriter = Rewriter::new(&mut output, target(UTF_8, None));
        rewriter.write_all(b"text").unwrap();
        rewriter.flush().unwrap();
        drop(rewriter);
        assert_eq!((output.bytes, output.flushes), (0, 1));
        let mut rewriter = Rewriter::new(&mut output, target(UTF_8, None));
        rewriter.write_all(b"text").unwrap();
        rewriter.finish(None).unwrap();
        assert_eq!((output.bytes, output.flushes), (4, 2));
    }
}

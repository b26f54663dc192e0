//! Line ends: counted by kind, and changed to the requested kind.

use super::{Newline, Origin, Sink};
use std::fmt;

/// The number of line ends of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineEnds {
    /// The number of line feeds.
    pub lf: u64,
    /// The number of pairs of carriage return and line feed.
    pub crlf: u64,
    /// The number of carriage returns without a line feed.
    pub cr: u64,
    /// The number of U+0085.
    pub nel: u64,
}

impl LineEnds {
    /// Counts the line ends of a whole text.
    pub fn of(text: &str) -> Self {
        let mut ends = Ends::new(Newline::Keep, true);
        ends.take(text, Origin::Same(0), &mut super::Nothing);
        ends.seen
    }

    /// Returns the number and the name of each kind.
    pub fn kinds(self) -> [(&'static str, u64); 4] {
        [
            ("LF", self.lf),
            ("CR LF", self.crlf),
            ("CR", self.cr),
            ("NEL", self.nel),
        ]
    }

    /// True if there is more than one kind.
    pub fn are_mixed(self) -> bool {
        self.kinds().iter().filter(|(_, count)| *count > 0).count() > 1
    }

    /// Returns the number of line ends that `newline` changes.
    pub(super) fn others(self, newline: Newline) -> u64 {
        let all = self.lf + self.crlf + self.cr + self.nel;
        match newline {
            Newline::Keep => 0,
            Newline::Lf => all - self.lf,
            Newline::Crlf => all - self.crlf,
            Newline::Cr => all - self.cr,
            Newline::Nel => all - self.nel,
        }
    }
}

impl fmt::Display for LineEnds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = self.kinds().into_iter().filter(|(_, count)| *count > 0);
        let kinds: Vec<_> = kinds
            .map(|(name, count)| format!("{count} {name}"))
            .collect();
        f.write_str(&kinds.join(", "))
    }
}

/// Changes and counts the line ends of text that arrives in pieces.
#[derive(Default)]
pub(super) struct Ends {
    newline: Newline,
    /// True if line ends are counted.
    counts: bool,
    /// True if the last character was U+000D, whose line end has been written.
    after_return: bool,
    seen: LineEnds,
}

impl Ends {
    /// Creates a shaper that changes line ends to `newline`. Changes are always counted.
    pub fn new(newline: Newline, counts: bool) -> Self {
        Self {
            newline,
            counts: counts || newline != Newline::Keep,
            ..Self::default()
        }
    }

    /// Returns the counts since the last call.
    pub fn seen(&mut self) -> LineEnds {
        std::mem::take(&mut self.seen)
    }

    /// Passes on a piece of text with its line ends changed; returns false to stop.
    pub fn take(&mut self, text: &str, origin: Origin, sink: &mut dyn Sink) -> bool {
        if !self.counts || text.is_empty() {
            return sink.take(text, origin);
        }
        let bytes = text.as_bytes();
        let converts = self.newline != Newline::Keep;
        let mut start = 0;
        let mut read = 0;
        if std::mem::take(&mut self.after_return) && bytes[0] == b'\n' {
            self.seen.cr = self.seen.cr.wrapping_sub(1);
            self.seen.crlf += 1;
            read = 1;
            start = usize::from(converts);
        }
        // 0xC2 is the first byte of U+0085, and never a continuation byte.
        while let Some(at) = memchr::memchr3(b'\r', b'\n', 0xC2, &bytes[read..]) {
            let at = read + at;
            let next = bytes.get(at + 1);
            let (found, length) = match (bytes[at], next) {
                (b'\r', Some(b'\n')) => (Newline::Crlf, 2),
                (b'\r', _) => (Newline::Cr, 1),
                (b'\n', _) => (Newline::Lf, 1),
                (_, Some(0x85)) => (Newline::Nel, 2),
                _ => {
                    read = at + 1;
                    continue;
                }
            };
            read = at + length;
            match found {
                Newline::Crlf => self.seen.crlf += 1,
                Newline::Cr => self.seen.cr = self.seen.cr.wrapping_add(1),
                Newline::Nel => self.seen.nel += 1,
                _ => self.seen.lf += 1,
            }
            self.after_return = found == Newline::Cr && next.is_none();
            if !converts || found == self.newline {
                continue;
            }
            let is_on = sink.take(&text[start..at], origin.after(start))
                && sink.take(self.newline.text(), origin.of_other(at));
            if !is_on {
                return false;
            }
            start = read;
        }
        sink.take(&text[start..], origin.after(start))
    }
}

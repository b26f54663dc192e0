//! Declarations beyond the head of a text: after a long comment or preamble, and in the last lines.

use super::{HEAD_LENGTH, find_in, find_in_end};
use alloc::vec::Vec;
use mojika::Encoding;

/// The number of bytes from the start that are searched.
pub const START_LENGTH: usize = 16 * HEAD_LENGTH;

/// The number of bytes at the end that are searched, if the text is longer than [`START_LENGTH`].
const END_LENGTH: usize = 2 * HEAD_LENGTH;

/// Searches a text that is fed in chunks of any size.
#[derive(Clone, Debug, Default)]
pub struct LateDeclaration {
    start: Vec<u8>,
    /// The last bytes that were fed, once the text is longer than [`START_LENGTH`].
    end: Vec<u8>,
}

impl LateDeclaration {
    pub fn feed(&mut self, chunk: &[u8]) {
        let missing = START_LENGTH - self.start.len();
        let (start, rest) = chunk.split_at(chunk.len().min(missing));
        self.start.extend_from_slice(start);
        if rest.is_empty() {
            return;
        }
        if self.end.is_empty() {
            // The end may overlap the start.
            let last = &self.start[START_LENGTH - END_LENGTH..];
            self.end.extend_from_slice(last);
        }
        let rest = &rest[rest.len().saturating_sub(END_LENGTH)..];
        // Bytes are moved rarely, even if many chunks are short.
        if self.end.len() + rest.len() > 2 * END_LENGTH {
            let excess = (self.end.len() + rest.len()).saturating_sub(END_LENGTH);
            self.end.drain(..excess.min(self.end.len()));
        }
        self.end.extend_from_slice(rest);
    }

    /// Returns the declared encoding. `is_whole` is true if the text ends here.
    pub fn found(&self, is_whole: bool) -> Option<&'static Encoding> {
        let is_in_end = is_whole && !self.end.is_empty();
        let in_start = find_in(&self.start, is_whole && !is_in_end);
        let end = &self.end[self.end.len().saturating_sub(END_LENGTH)..];
        in_start.or_else(|| find_in_end(end).filter(|_| is_in_end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mojika::KOI8_R;

    /// The first 64 KB and the last 8 KB are searched, however the text is split into chunks.
    #[test]
    fn a_declaration_is_found_at_both_ends_however_the_text_is_split() {
        let line = b"a line of text\n";
        let package = b"\\usepackage[koi8-r]{inputenc}\n";
        let modeline = b"# vim: fenc=koi8-r\n";
        let variables = b"Local Variables:\ncoding: koi8-r\nEnd:\n";
        let lines = |count: usize| line.repeat(count);
        let many = START_LENGTH / line.len();
        for (text, is_found) in [
            ([&lines(400), &package[..], &lines(10_000)].concat(), true),
            ([&lines(many - 2), &package[..]].concat(), true),
            ([&lines(many), &package[..]].concat(), false),
            ([&lines(many), &modeline[..]].concat(), true),
            ([&lines(20_000), &modeline[..], &lines(4)].concat(), true),
            ([&lines(20_000), &modeline[..], &lines(5)].concat(), false),
            ([&lines(20_000), &variables[..], &lines(190)].concat(), true),
            (
                [&lines(20_000), &variables[..], &lines(210)].concat(),
                false,
            ),
            ([&lines(400), &modeline[..], &lines(20_000)].concat(), false),
            (lines(20_000), false),
        ] {
            for size in [1, 100, 5000, 8191, 8192, 8193, 70_000, text.len()] {
                let mut late = LateDeclaration::default();
                for chunk in text.chunks(size) {
                    late.feed(chunk);
                }
                let expected = is_found.then_some(KOI8_R);
                assert_eq!(late.found(true), expected, "{} in {size}", text.len());
            }
        }
        // The text continues, so these are not yet its last bytes.
        let mut late = LateDeclaration::default();
        late.feed(&[&lines(20_000), &modeline[..]].concat());
        assert_eq!(late.found(false), None);
    }

    /// Only the end of a long text is kept, so its first line may be truncated.
    #[test]
    fn a_line_that_is_cut_is_no_modeline() {
        let long = [
            &b"x".repeat(START_LENGTH)[..],
            b" vim: fenc=koi8-r\n",
            &b"y".repeat(END_LENGTH - 18),
        ]
        .concat();
        let mut late = LateDeclaration::default();
        late.feed(&long);
        assert_eq!(late.found(true), None);
    }
}

//! Commands that stand alone in a line: `@documentencoding` of Texinfo and `=encoding` of Perl's POD.

use super::conventions::{label, label_length, skip_blank};
use super::{Kind, Place};

/// What is before the word that both have.
const BEFORE: [(Kind, &[u8]); 2] = [(Kind::Texinfo, b"@document"), (Kind::Pod, b"=")];

/// Calls `each` with the place of every label. Both may be anywhere in a text.
pub(super) fn find(text: &[u8], each: &mut dyn FnMut(Place)) {
    for at in memchr::memmem::find_iter(text, b"encoding") {
        let start = memchr::memrchr(b'\n', &text[..at]).map_or(0, |end| end + 1);
        let before = &text[start..at];
        let before = before.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(before);
        let command = BEFORE.iter().find(|(kind, word)| match kind {
            // Blanks may precede it.
            Kind::Texinfo => before.trim_ascii_start() == *word,
            _ => before == *word,
        });
        let Some(&(kind, _)) = command else { continue };
        let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |end| at + end);
        let line = text[..end].trim_ascii_end();
        let after = at + b"encoding".len();
        let argument = skip_blank(line, after.min(line.len()));
        let length = label_length(&line[argument..]);
        if argument > after && argument + length == line.len() {
            label(kind, line, argument, 0, each);
        }
    }
}

//! Commands on a line of their own: `@documentencoding` of Texinfo and `=encoding` of Perl's POD.

use super::conventions::{label, label_length, skip_blank};
use super::{Kind, Place};

/// The text before `encoding` in each command.
const BEFORE: [(Kind, &[u8]); 2] = [(Kind::Texinfo, b"@document"), (Kind::Pod, b"=")];

/// Calls `each` with the position of every label. The commands may stand anywhere in a text.
pub(super) fn find(text: &[u8], each: &mut dyn FnMut(Place)) {
    for at in memchr::memmem::find_iter(text, b"encoding") {
        // Not searched from the start of the line, which may be as long as the text.
        let command = BEFORE.iter().find(|(kind, word)| {
            let Some(mut before) = text[..at].strip_suffix(*word) else {
                return false;
            };
            // Blanks may precede Texinfo's command.
            while let (Kind::Texinfo, [rest @ .., b' ' | b'\t' | b'\r' | b'\x0C']) = (kind, before)
            {
                before = rest;
            }
            let before = before.strip_suffix(b"\xEF\xBB\xBF").unwrap_or(before);
            matches!(before, [] | [.., b'\n'])
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

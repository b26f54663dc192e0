//! One function for each convention, which finds the labels in a text.

use super::super::mime::starts_with;
use super::{Kind, Place};
use core::ops::Range;

/// The number of bytes at the end in which Emacs looks for its list of variables.
const EMACS_TAIL: usize = 3000;

/// The number of lines at each end in which Vim looks for modelines.
const VIM_LINES: usize = 5;

/// Vim's options for the encoding.
const OPTIONS: [&[u8]; 2] = [b"fileencoding=", b"fenc="];

/// A byte order mark, which is not part of the first line.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// Returns the text without a byte order mark.
pub(super) fn unmarked(text: &[u8]) -> &[u8] {
    text.strip_prefix(MARK).unwrap_or(text)
}

/// Returns the places of the lines from `start` on, without line ends.
fn lines(text: &[u8], mut start: usize) -> impl Iterator<Item = Range<usize>> {
    if start == 0 {
        start = text.len() - unmarked(text).len();
    }
    core::iter::from_fn(move || {
        let rest = text.get(start..)?;
        let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let at = start;
        start += length + 1;
        Some(at..at + rest[..length].trim_ascii_end().len())
    })
}

/// Returns the places of the lines from the last one to the first, without line ends.
fn last_lines(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut end = Some(text.len());
    core::iter::from_fn(move || {
        let before = &text[..end?];
        end = memchr::memrchr(b'\n', before);
        let start = end.map_or(0, |end| end + 1);
        Some(start..start + before[start..].trim_ascii_end().len())
    })
}

/// Returns the offset of the first `word` in `text`, from `at` on.
pub(super) fn position(text: &[u8], at: usize, word: &[u8]) -> Option<usize> {
    let found = memchr::memmem::find(text.get(at..)?, word)?;
    Some(at + found)
}

pub(super) fn skip_blank(text: &[u8], at: usize) -> usize {
    let blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
    at + text[at..].iter().take_while(blank).count()
}

/// Returns the length of a label in the syntax of PEP 263 and Emacs.
pub(super) fn label_length(text: &[u8]) -> usize {
    let is_label = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_.:".contains(byte);
    let label = &text[..text.iter().take_while(is_label).count()];
    // A full stop or a colon may follow the label in a sentence or a modeline.
    let end = label.iter().rposition(u8::is_ascii_alphanumeric);
    end.map_or(0, |end| end + 1)
}

/// A search for labels.
pub(super) struct Search<'t, 'e> {
    pub text: &'t [u8],
    /// The function that is called with the position of every label.
    pub each: &'e mut dyn FnMut(Place),
}

impl Search<'_, '_> {
    /// Calls `each` with the label at `at`, or after spaces and tabs there, in the text before `end`.
    pub fn label(&mut self, kind: Kind, at: usize, end: usize) {
        let text = &self.text[..end];
        let start = skip_blank(text, at);
        let mut name = &text[start..start + label_length(&text[start..])];
        if matches!(kind, Kind::Vim | Kind::Words("vcard-charset")) {
            // The name ends before a colon, which ends an option or the parameters of a property.
            name = memchr::memchr(b':', name).map_or(name, |end| &name[..end]);
        }
        if kind == Kind::Emacs || kind == Kind::Cookie {
            // Emacs may append the kind of line ends to the name.
            let ends: [&[u8]; 3] = [b"-unix", b"-dos", b"-mac"];
            let stripped = ends.iter().find_map(|end| name.strip_suffix(*end));
            name = stripped.unwrap_or(name);
        }
        if !name.is_empty() {
            let end = start + name.len();
            (self.each)(Place { kind, start, end });
        }
    }

    /// Finds `"Content-Type: text/plain; charset=KOI8-R\n"` in the entry whose `msgid` is empty.
    pub fn gettext(&mut self) {
        let text = self.text;
        // Returns the string after a keyword, with its quotation mark.
        let string = |line: &Range<usize>, keyword: &[u8]| {
            let words = text[line.clone()].trim_ascii_start();
            let rest = words.strip_prefix(keyword)?.trim_ascii_start();
            rest.starts_with(b"\"").then_some(rest)
        };
        let is_before = |line: &Range<usize>| {
            let words = text[line.clone()].trim_ascii_start();
            words.is_empty() || words.starts_with(b"#") || string(line, b"domain").is_some()
        };
        let mut lines = lines(text, 0).skip_while(is_before);
        // Only the first entry is the header.
        if lines.next().and_then(|line| string(&line, b"msgid")) != Some(b"\"\"") {
            return;
        }
        let mut is_type = false;
        for line in lines {
            let value = string(&line, b"").or_else(|| string(&line, b"msgstr"));
            let Some(value) = value else { return };
            // A field ends with `\n`, and may span several strings.
            let mut at = line.end - value.len() + 1;
            loop {
                let end = position(&text[..line.end], at, b"\\n");
                let field = &text[..end.unwrap_or(line.end)];
                is_type |= starts_with(&field[at..], b"content-type:");
                if is_type && let Some(found) = position(field, at, b"charset=") {
                    self.label(Kind::Gettext, found + b"charset=".len(), field.len());
                }
                let Some(end) = end else { break };
                is_type = false;
                at = end + 2;
            }
        }
    }

    /// Finds coding cookies, and the variables in Emacs' first line.
    pub fn first_lines(&mut self) {
        let mut before: &[u8] = b"";
        for (number, line) in lines(self.text, 0).take(2).enumerate() {
            let words = &self.text[line.clone()];
            // The first line may name an interpreter, or preprocessors of a manual page; the second line then counts, too.
            let is_first = number == 0 || before.starts_with(b"#!") || before.starts_with(b"'\\\"");
            let is_comment =
                before.trim_ascii().is_empty() || before.trim_ascii_start().starts_with(b"#");
            if words.trim_ascii_start().starts_with(b"#") && (number == 0 || is_comment) {
                self.cookie(Kind::Cookie, line);
            } else if is_first
                && let Some(start) = position(words, 0, b"-*-")
                && let Some(end) = position(words, start + 3, b"-*-")
            {
                self.cookie(Kind::Emacs, line.start + start..line.start + end);
            }
            before = words;
        }
    }

    /// Finds `coding:` or `coding=` and a label. Emacs and Ruby ignore case.
    fn cookie(&mut self, kind: Kind, line: Range<usize>) {
        let words = &self.text[..line.end];
        let mut at = line.start;
        while let Some(found) = position(words, at, b"oding") {
            at = found + b"oding".len();
            let starts = matches!(words[line.start..found].last(), Some(b'c' | b'C'));
            if starts && matches!(words.get(at), Some(b':' | b'=')) {
                return self.label(kind, at + 1, line.end);
            }
        }
    }

    /// Finds `vim: set fileencoding=…:` in the first and the last lines.
    pub fn vim(&mut self, is_whole: bool) {
        let mut seen = 0;
        for line in lines(self.text, 0).take(VIM_LINES) {
            seen = line.end;
            self.modeline(line);
        }
        if is_whole {
            self.last_modelines(seen);
        }
    }

    /// Finds modelines in the last lines that start after `seen`. A line at the start of the text is skipped, because it
    /// may be the end of a longer line.
    pub fn last_modelines(&mut self, seen: usize) {
        // A line end at the end of the text does not start another line.
        let text = self.text.strip_suffix(b"\n").unwrap_or(self.text);
        for line in last_lines(text).take(VIM_LINES) {
            if line.start > seen {
                self.modeline(line);
            }
        }
    }

    fn modeline(&mut self, line: Range<usize>) {
        let words = &self.text[line.clone()];
        // Few lines have such an option. One search for `=` is faster than searches for the options.
        let is_option = |at: usize| OPTIONS.iter().any(|name| words[..=at].ends_with(name));
        if !memchr::memchr_iter(b'=', words).any(is_option) {
            return;
        }
        let Some(start) = modeline_start(words) else {
            return;
        };
        for option in OPTIONS {
            if let Some(at) = position(words, start, option)
                && matches!(words[at - 1], b' ' | b'\t' | b':')
            {
                self.label(Kind::Vim, line.start + at + option.len(), line.end);
            }
        }
    }

    /// Finds Emacs' list of variables near the end. Emacs ignores case.
    pub fn emacs_variables(&mut self) {
        let text = self.text;
        let before = text.len().saturating_sub(EMACS_TAIL);
        let tail = &text[before..];
        // The last list counts. Most texts have no list, and searching from the start is faster.
        let ends = memchr::memmem::find_iter(tail, b"ariables:").map(|at| at + b"ariables:".len());
        let word = b"Local Variables:";
        let start = ends
            .filter(|end| {
                tail[..*end].len() >= word.len() && starts_with(&tail[end - word.len()..], word)
            })
            .last();
        let Some(start) = start else { return };
        for line in lines(text, before + start).skip(1) {
            let words = &text[line.clone()];
            let colon =
                |word| memchr::memchr_iter(b':', words).find(|&at| is_after(words, at, word));
            if colon(b"end").is_some() {
                return;
            }
            if let Some(at) = colon(b"coding") {
                self.label(Kind::Emacs, line.start + at + 1, line.end);
            }
        }
    }

    /// Finds options of `inputenc` and similar packages, and `\inputencoding`.
    pub fn inputenc(&mut self) {
        let text = self.text;
        // One search of the text is faster than several, and most texts are not LaTeX.
        if position(text, 0, b"inputen").is_none() {
            return;
        }
        let commands: [&[u8]; 3] = [b"\\usepackage", b"\\RequirePackage", b"\\inputencoding"];
        let in_lines = lines(text, 0).flat_map(|line| {
            let words = &text[line.clone()];
            let mut before_comment = None;
            memchr::memchr_iter(b'\\', words).filter_map(move |at| {
                let command = commands.iter().find(|one| words[at..].starts_with(one))?;
                let end = *before_comment.get_or_insert_with(|| comment(words));
                (at < end).then_some((line.start + at, *command))
            })
        });
        for (start, command) in in_lines {
            let at = start + command.len();
            if command.ends_with(b"inputencoding") {
                if let Some((name, _)) = group(text, at, b'{', b'}') {
                    let start = skip_space(&text[..name.end], name.start);
                    self.label(Kind::Inputenc, start, name.end);
                }
            } else if let Some((options, at)) = group(text, at, b'[', b']')
                && let Some((names, _)) = group(text, at, b'{', b'}')
                && text[names]
                    .split(|&byte| byte == b',')
                    .any(|name| PACKAGES.contains(&name.trim_ascii()))
            {
                let mut at = options.start;
                for option in text[options].split(|&byte| byte == b',') {
                    let end = at + option.len();
                    let start = skip_space(&text[..end], at);
                    self.label(Kind::Inputenc, start, end);
                    at = end + 1;
                }
            }
        }
    }

    /// Finds the keys that state the encoding in files that consist of sections.
    pub fn sections(&mut self) {
        let mut key: Option<(Kind, &[u8])> = None;
        let mut is_first = true;
        for line in lines(self.text, 0) {
            let words = &self.text[line.clone()];
            if matches!(words, [] | [b'#' | b';', ..]) {
                continue;
            }
            if words.starts_with(b"[") {
                key = match words {
                    b"[Desktop Entry]" | b"[KDE Desktop Entry]" => {
                        Some((Kind::DesktopEntry, b"Encoding"))
                    }
                    b"[LangOptions]" => Some((Kind::CodePage, b"LanguageCodePage")),
                    _ => None,
                };
            } else if is_first {
                // The file does not begin with a section.
                return;
            } else if let Some((kind, name)) = key
                && words.starts_with(name)
            {
                let at = skip_blank(words, name.len());
                if words.get(at) == Some(&b'=') {
                    self.label(kind, line.start + at + 1, line.end);
                }
            }
            is_first = false;
        }
    }
}

/// Returns the start of a modeline's options, after the word `vim:`, `vi:`, `ex:`, or `vim600:` with a version.
fn modeline_start(line: &[u8]) -> Option<usize> {
    const NAMES: [&[u8]; 4] = [b"vim", b"Vim", b"vi", b"ex"];
    memchr::memchr_iter(b':', line).find_map(|colon| {
        let before = &line[..colon];
        let digits = before.iter().rev().take_while(|byte| byte.is_ascii_digit());
        let (name, version) = before.split_at(colon - digits.count());
        let (name, names) = match name {
            _ if version.is_empty() => (name, &NAMES[..]),
            [name @ .., b'<' | b'=' | b'>'] => (name, &NAMES[..2]),
            _ => (name, &NAMES[..2]),
        };
        let is_word = |before: &[u8]| matches!(before.last(), None | Some(b' ' | b'\t'));
        let mut names = names.iter();
        let is_name = names.any(|one| name.strip_suffix(*one).is_some_and(is_word));
        is_name.then_some(colon + 1)
    })
}

/// True if `word`, in any case, stands before `at` and is not part of a longer word.
fn is_after(line: &[u8], at: usize, word: &[u8]) -> bool {
    let Some((before, end)) = line[..at].split_at_checked(at.wrapping_sub(word.len())) else {
        return false;
    };
    let is_longer = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
    end.eq_ignore_ascii_case(word) && !before.last().is_some_and(is_longer)
}

/// LaTeX packages with an option for the encoding.
const PACKAGES: [&[u8]; 3] = [b"inputenc", b"inputenx", b"luainputenc"];

/// The maximum length of a command's argument, in bytes.
const LONGEST_ARGUMENT: usize = 1024;

/// Returns the text between brackets, and the offset after them.
fn group(text: &[u8], at: usize, open: u8, close: u8) -> Option<(Range<usize>, usize)> {
    let at = skip_space(text, at);
    if text.get(at) != Some(&open) {
        return None;
    }
    let rest = &text[at + 1..text.len().min(at + 1 + LONGEST_ARGUMENT)];
    let end = at + 1 + memchr::memchr(close, rest)?;
    Some((at + 1..end, end + 1))
}

/// Returns the offset after TeX's white space and comments.
fn skip_space(text: &[u8], mut at: usize) -> usize {
    loop {
        match text.get(at) {
            Some(byte) if byte.is_ascii_whitespace() => at += 1,
            Some(b'%') => at = position(text, at, b"\n").unwrap_or(text.len()),
            _ => return at,
        }
    }
}

/// Returns the offset of the comment in a line of TeX, or the line's length.
fn comment(line: &[u8]) -> usize {
    let mut is_escaped = false;
    for (at, &byte) in line.iter().enumerate() {
        if byte == b'%' && !is_escaped {
            return at;
        }
        is_escaped = byte == b'\\' && !is_escaped;
    }
    line.len()
}

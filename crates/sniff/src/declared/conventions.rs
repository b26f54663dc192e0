//! One function for each convention, which finds the labels in a text.
//!
//! Each function calls `each` with the position of every label. Offsets count from the start of the text.

use super::{Kind, Place};
use core::ops::Range;

/// The number of bytes at the end in which Emacs looks for its list of variables.
const EMACS_TAIL: usize = 3000;

/// The number of lines at each end in which Vim looks for modelines.
const VIM_LINES: usize = 5;

/// Vim's options for the encoding.
const OPTIONS: [&[u8]; 2] = [b"fileencoding=", b"fenc="];

/// Returns the lines and their offsets, without line ends.
fn lines(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    // A byte order mark is not part of the first line.
    let mut start = if text.starts_with(b"\xEF\xBB\xBF") {
        3
    } else {
        0
    };
    core::iter::from_fn(move || {
        let rest = text.get(start..)?;
        let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let offset = start;
        start += length + 1;
        Some((offset, rest[..length].trim_ascii_end()))
    })
}

/// Returns the lines and their offsets from the last one to the first, without line ends.
fn last_lines(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut end = Some(text.len());
    core::iter::from_fn(move || {
        let before = &text[..end?];
        end = memchr::memrchr(b'\n', before);
        let start = end.map_or(0, |end| end + 1);
        Some((start, before[start..].trim_ascii_end()))
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

/// Calls `each` with the label that follows `at`, after spaces and tabs.
pub(super) fn label(
    kind: Kind,
    text: &[u8],
    at: usize,
    offset: usize,
    each: &mut dyn FnMut(Place),
) {
    let at = skip_blank(text, at);
    let mut length = label_length(&text[at..]);
    if matches!(kind, Kind::Vim | Kind::Words("vcard-charset")) {
        // The name ends before a colon, which ends an option or the parameters of a property.
        let name = &text[at..at + length];
        length = memchr::memchr(b':', name).unwrap_or(length);
    }
    if kind == Kind::Emacs || kind == Kind::Cookie {
        // Emacs may append the kind of line ends to the name.
        let name = &text[at..at + length];
        let ends: [&[u8]; 3] = [b"-unix", b"-dos", b"-mac"];
        let end = ends.iter().find(|end| name.ends_with(end));
        length -= end.map_or(0, |end| end.len());
    }
    if length > 0 {
        each(Place {
            kind,
            start: offset + at,
            end: offset + at + length,
        });
    }
}

/// Finds `"Content-Type: text/plain; charset=KOI8-R\n"` in the entry whose `msgid` is empty.
pub(super) fn gettext(text: &[u8], each: &mut dyn FnMut(Place)) {
    let (mut is_header, mut is_type) = (false, false);
    for (offset, line) in lines(text) {
        let words = line.trim_ascii_start();
        let string = |keyword: &[u8]| {
            let rest = words.strip_prefix(keyword)?.trim_ascii_start();
            rest.starts_with(b"\"").then_some(rest)
        };
        let value = if !is_header {
            match string(b"msgid") {
                // Only the first entry is the header.
                Some(value) => {
                    if value != b"\"\"" {
                        return;
                    }
                    is_header = true;
                }
                None if words.is_empty()
                    || words.starts_with(b"#")
                    || string(b"domain").is_some() => {}
                None => return,
            }
            continue;
        } else if words.starts_with(b"\"") {
            words
        } else if let Some(value) = string(b"msgstr") {
            value
        } else {
            return;
        };
        // The offset after the quotation mark.
        let start = line.len() - value.len() + 1;
        fields(line, start, offset, &mut is_type, each);
    }
}

/// Finds the label in a string of the header, from `at` on. A field ends with `\n`, and may span several strings.
fn fields(
    line: &[u8],
    mut at: usize,
    offset: usize,
    is_type: &mut bool,
    each: &mut dyn FnMut(Place),
) {
    loop {
        let end = position(line, at, b"\\n");
        let field = &line[..end.unwrap_or(line.len())];
        let name = field.get(at..at + b"content-type:".len());
        *is_type |= name.is_some_and(|name| name.eq_ignore_ascii_case(b"content-type:"));
        if *is_type && let Some(at) = position(field, at, b"charset=") {
            label(Kind::Gettext, field, at + b"charset=".len(), offset, each);
        }
        let Some(end) = end else { return };
        *is_type = false;
        at = end + 2;
    }
}

/// Finds coding cookies, and the variables in Emacs' first line.
pub(super) fn first_lines(text: &[u8], each: &mut dyn FnMut(Place)) {
    let mut before: &[u8] = b"";
    for (number, (offset, line)) in lines(text).take(2).enumerate() {
        // The first line may name an interpreter, or preprocessors of a manual page; the second line then counts, too.
        let is_first = number == 0 || before.starts_with(b"#!") || before.starts_with(b"'\\\"");
        let words = line.trim_ascii_start();
        let is_comment =
            before.trim_ascii().is_empty() || before.trim_ascii_start().starts_with(b"#");
        if words.starts_with(b"#") && (number == 0 || is_comment) {
            cookie(Kind::Cookie, offset, line, each);
        } else if is_first
            && let Some(start) = position(line, 0, b"-*-")
            && let Some(end) = position(line, start + 3, b"-*-")
        {
            cookie(Kind::Emacs, offset + start, &line[start..end], each);
        }
        before = line;
    }
}

/// Finds `coding:` or `coding=` and a label. Emacs and Ruby ignore case.
fn cookie(kind: Kind, offset: usize, line: &[u8], each: &mut dyn FnMut(Place)) {
    let mut at = 0;
    while let Some(found) = position(line, at, b"oding") {
        at = found + b"oding".len();
        let starts = matches!(line[..found].last(), Some(b'c' | b'C'));
        if starts && matches!(line.get(at), Some(b':' | b'=')) {
            return label(kind, line, at + 1, offset, each);
        }
    }
}

/// Finds `vim: set fileencoding=…:` in the first and the last lines.
pub(super) fn vim(text: &[u8], is_whole: bool, each: &mut dyn FnMut(Place)) {
    let mut seen = 0;
    for (offset, line) in lines(text).take(VIM_LINES) {
        modeline(offset, line, each);
        seen = offset + line.len();
    }
    if is_whole {
        last_modelines(text, seen, each);
    }
}

/// Calls `each` with the modelines in the last lines of `text` that start after `seen`. A line at the start of `text` is
/// skipped, because it may be the end of a longer line.
pub(super) fn last_modelines(text: &[u8], seen: usize, each: &mut dyn FnMut(Place)) {
    // A line end at the end of the text does not start another line.
    let last = last_lines(text.strip_suffix(b"\n").unwrap_or(text)).take(VIM_LINES);
    for (offset, line) in last.filter(|(offset, _)| *offset > seen) {
        modeline(offset, line, each);
    }
}

fn modeline(offset: usize, line: &[u8], each: &mut dyn FnMut(Place)) {
    // Few lines have such an option. One search for `=` is faster than searches for the options.
    let is_option = |at: usize| OPTIONS.iter().any(|name| line[..=at].ends_with(name));
    if !memchr::memchr_iter(b'=', line).any(is_option) {
        return;
    }
    let Some(start) = modeline_start(line) else {
        return;
    };
    for option in OPTIONS {
        if let Some(at) = position(line, start, option)
            && matches!(line[at - 1], b' ' | b'\t' | b':')
        {
            label(Kind::Vim, line, at + option.len(), offset, each);
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

/// Finds Emacs' list of variables near the end. Emacs ignores case.
pub(super) fn emacs_variables(text: &[u8], each: &mut dyn FnMut(Place)) {
    let tail = &text[text.len().saturating_sub(EMACS_TAIL)..];
    // The last list counts. Most texts have no list, and searching from the start is faster.
    let word = b"Local Variables:";
    let ends = memchr::memmem::find_iter(tail, b"ariables:").map(|at| at + b"ariables:".len());
    let starts = ends.filter(|&end| {
        let start = end.checked_sub(word.len());
        start.is_some_and(|start| tail[start..end].eq_ignore_ascii_case(word))
    });
    let Some(start) = starts.last() else { return };
    let start = text.len() - tail.len() + start;
    for (offset, line) in lines(&text[start..]).skip(1) {
        let colon = |word| memchr::memchr_iter(b':', line).find(|&at| is_after(line, at, word));
        if colon(b"end").is_some() {
            return;
        }
        if let Some(at) = colon(b"coding") {
            label(Kind::Emacs, line, at + 1, start + offset, each);
        }
    }
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

/// Finds options of `inputenc` and similar packages, and `\inputencoding`.
pub(super) fn inputenc(text: &[u8], each: &mut dyn FnMut(Place)) {
    // One search of the text is faster than several, and most texts are not LaTeX.
    if position(text, 0, b"inputen").is_none() {
        return;
    }
    let commands: [&[u8]; 3] = [b"\\usepackage", b"\\RequirePackage", b"\\inputencoding"];
    let in_lines = lines(text).flat_map(|(offset, line)| {
        let mut before_comment = None;
        memchr::memchr_iter(b'\\', line).filter_map(move |at| {
            let command = commands.iter().find(|one| line[at..].starts_with(one))?;
            let end = *before_comment.get_or_insert_with(|| comment(line));
            (at < end).then_some((offset + at, *command))
        })
    });
    for (start, command) in in_lines {
        let at = start + command.len();
        if command.ends_with(b"inputencoding") {
            if let Some((name, _)) = group(text, at, b'{', b'}') {
                let text = &text[..name.end];
                label(Kind::Inputenc, text, skip_space(text, name.start), 0, each);
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
                label(Kind::Inputenc, &text[..end], start, 0, each);
                at = end + 1;
            }
        }
    }
}

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

/// Finds the keys that state the encoding in files that consist of sections.
pub(super) fn sections(text: &[u8], each: &mut dyn FnMut(Place)) {
    let mut key: Option<(Kind, &[u8])> = None;
    let mut is_first = true;
    for (offset, line) in lines(text) {
        if line.is_empty() || line.starts_with(b"#") || line.starts_with(b";") {
            continue;
        }
        if line.starts_with(b"[") {
            key = match line {
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
            && line.starts_with(name)
        {
            let at = skip_blank(line, name.len());
            if line.get(at) == Some(&b'=') {
                label(kind, line, at + 1, offset, each);
            }
        }
        is_first = false;
    }
}

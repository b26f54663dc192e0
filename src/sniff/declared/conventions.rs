//! One function for each convention, which finds the labels that a text states by it.
//!
//! Each function calls `each` with the place of every label. Offsets count from the start of the text.

use super::{Kind, Place};

/// Bytes at the end in which Emacs looks for its list of variables.
const EMACS_TAIL: usize = 3000;

/// Lines at each end in which Vim looks for modelines.
const VIM_LINES: usize = 5;

/// The options of Vim that name an encoding.
const OPTIONS: [&[u8]; 2] = [b"fileencoding=", b"fenc="];

/// Lines in which TeX's editors look for their comments.
const TEX_LINES: usize = 20;

/// The lines with their offsets, without their ends.
fn lines(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    // A byte order mark is no part of the first line.
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

/// The lines from the last one to the first, with their offsets, without their ends.
fn last_lines(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut end = Some(text.len());
    core::iter::from_fn(move || {
        let before = &text[..end?];
        end = memchr::memrchr(b'\n', before);
        let start = end.map_or(0, |end| end + 1);
        Some((start, before[start..].trim_ascii_end()))
    })
}

/// Where `word` is in `text`, from `at` on.
fn position(text: &[u8], at: usize, word: &[u8]) -> Option<usize> {
    let found = memchr::memmem::find(text.get(at..)?, word)?;
    Some(at + found)
}

fn skip_blank(text: &[u8], at: usize) -> usize {
    let blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
    at + text[at..].iter().take_while(blank).count()
}

/// The length of a label, as PEP 263 and Emacs have it.
pub(super) fn label_length(text: &[u8]) -> usize {
    let is_label = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_.:".contains(byte);
    let label = &text[..text.iter().take_while(is_label).count()];
    // A full stop or a colon may follow it in a sentence or a modeline.
    let end = label.iter().rposition(u8::is_ascii_alphanumeric);
    end.map_or(0, |end| end + 1)
}

/// The label at `at`, after blanks.
fn label(kind: Kind, text: &[u8], at: usize, offset: usize, each: &mut dyn FnMut(Place)) {
    let at = skip_blank(text, at);
    let mut length = label_length(&text[at..]);
    if kind == Kind::Emacs || kind == Kind::Cookie {
        // The kind of line ends is no part of the name.
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

/// `"Content-Type: text/plain; charset=KOI8-R\n"` in the entry whose `msgid` is empty.
pub(super) fn gettext(text: &[u8], each: &mut dyn FnMut(Place)) {
    let mut is_header = false;
    for (offset, line) in lines(text) {
        if line.starts_with(b"msgid ") {
            // The header is the first entry.
            if is_header || line != b"msgid \"\"" {
                return;
            }
            is_header = true;
        } else if is_header && line.is_empty() {
            return;
        } else if is_header && line.starts_with(b"\"") {
            let is_type = line
                .get(1..14)
                .is_some_and(|word| word.eq_ignore_ascii_case(b"content-type:"));
            if is_type && let Some(at) = position(line, 0, b"charset=") {
                label(Kind::Gettext, line, at + 8, offset, each);
            }
        } else if !is_header && !line.is_empty() && !line.starts_with(b"#") {
            return;
        }
    }
}

/// Coding cookies and Emacs' first line.
pub(super) fn first_lines(text: &[u8], each: &mut dyn FnMut(Place)) {
    let mut before: &[u8] = b"";
    for (number, (offset, line)) in lines(text).take(2).enumerate() {
        let is_script = number == 0 || before.starts_with(b"#!");
        let words = line.trim_ascii_start();
        let is_comment =
            before.trim_ascii().is_empty() || before.trim_ascii_start().starts_with(b"#");
        if words.starts_with(b"#") && (number == 0 || is_comment) {
            cookie(Kind::Cookie, offset, line, each);
        } else if is_script
            && let Some(start) = position(line, 0, b"-*-")
            && let Some(end) = position(line, start + 3, b"-*-")
        {
            cookie(Kind::Emacs, offset + start, &line[start..end], each);
        }
        before = line;
    }
}

/// `coding:` or `coding=` and a label.
fn cookie(kind: Kind, offset: usize, line: &[u8], each: &mut dyn FnMut(Place)) {
    let mut at = 0;
    while let Some(found) = position(line, at, b"coding") {
        at = found + 6;
        let is_cookie = matches!(line.get(at), Some(b':' | b'='));
        if is_cookie {
            return label(kind, line, at + 1, offset, each);
        }
    }
}

/// `vim: set fileencoding=…:` in the first and the last lines.
pub(super) fn vim(text: &[u8], is_whole: bool, each: &mut dyn FnMut(Place)) {
    let mut seen = 0;
    for (offset, line) in lines(text).take(VIM_LINES) {
        modeline(offset, line, each);
        seen = offset + line.len();
    }
    if !is_whole {
        return;
    }
    // The end of the last line begins no other one.
    let last = last_lines(text.strip_suffix(b"\n").unwrap_or(text)).take(VIM_LINES);
    for (offset, line) in last.filter(|(offset, _)| *offset > seen) {
        modeline(offset, line, each);
    }
}

fn modeline(offset: usize, line: &[u8], each: &mut dyn FnMut(Place)) {
    // Few lines have such an option, and one search is faster than four.
    let is_option = |at: usize| OPTIONS.iter().any(|name| line[..=at].ends_with(name));
    if !memchr::memchr_iter(b'=', line).any(is_option) {
        return;
    }
    let names: [&[u8]; 4] = [b"vim:", b"vi:", b"Vim:", b"ex:"];
    let start = names.iter().find_map(|name| {
        let at = position(line, 0, name)?;
        let is_word = at == 0 || matches!(line[at - 1], b' ' | b'\t');
        is_word.then_some(at + name.len())
    });
    let Some(start) = start else { return };
    for option in OPTIONS {
        if let Some(at) = position(line, start, option)
            && matches!(line[at - 1], b' ' | b'\t' | b':')
        {
            label(Kind::Vim, line, at + option.len(), offset, each);
        }
    }
}

/// Emacs' list of variables near the end.
pub(super) fn emacs_variables(text: &[u8], each: &mut dyn FnMut(Place)) {
    let tail = text.len().saturating_sub(EMACS_TAIL);
    // The last one counts. Most texts have none, and a search from the start is faster.
    let Some(start) = memchr::memmem::find_iter(&text[tail..], b"Local Variables:").last() else {
        return;
    };
    let start = tail + start + b"Local Variables:".len();
    for (offset, line) in lines(&text[start..]).skip(1) {
        if position(line, 0, b"End:").is_some() {
            return;
        }
        if let Some(at) = position(line, 0, b"coding:")
            && (at == 0 || !line[at - 1].is_ascii_alphanumeric() && line[at - 1] != b'-')
        {
            label(Kind::Emacs, line, at + 7, start + offset, each);
        }
    }
}

/// Options of `inputenc`, and `\inputencoding`.
pub(super) fn inputenc(text: &[u8], each: &mut dyn FnMut(Place)) {
    // One search of the text is faster than two of each line, and most texts are not LaTeX.
    if position(text, 0, b"inputenc").is_none() {
        return;
    }
    for (offset, line) in lines(text) {
        let code = &line[..comment(line)];
        let mut at = 0;
        while let Some(package) = position(code, at, b"{inputenc}") {
            at = package + 1;
            let Some(options) = code[..package].strip_suffix(b"]") else {
                continue;
            };
            let Some(open) = memchr::memrchr(b'[', options) else {
                continue;
            };
            let command = options[..open].trim_ascii_end();
            if !command.ends_with(b"\\usepackage") && !command.ends_with(b"\\RequirePackage") {
                continue;
            }
            let mut start = open + 1;
            for option in options[open + 1..].split(|&byte| byte == b',') {
                label(
                    Kind::Inputenc,
                    &code[..start + option.len()],
                    start,
                    offset,
                    each,
                );
                start += option.len() + 1;
            }
        }
        if let Some(at) = position(code, 0, b"\\inputencoding{") {
            label(
                Kind::Inputenc,
                code,
                at + b"\\inputencoding{".len(),
                offset,
                each,
            );
        }
    }
}

/// Where the comment of a line of TeX starts.
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

/// `% !TeX encoding = …`.
pub(super) fn tex_comment(text: &[u8], each: &mut dyn FnMut(Place)) {
    for (offset, line) in lines(text).take(TEX_LINES) {
        if !line.starts_with(b"%") {
            continue;
        }
        let at = skip_blank(line, 1);
        let is_magic = line
            .get(at..at + 4)
            .is_some_and(|word| word.eq_ignore_ascii_case(b"!tex"));
        if !is_magic {
            continue;
        }
        let at = skip_blank(line, at + 4);
        let is_encoding = line
            .get(at..at + 8)
            .is_some_and(|word| word.eq_ignore_ascii_case(b"encoding"));
        let at = skip_blank(line, (at + 8).min(line.len()));
        if is_encoding && line.get(at) == Some(&b'=') {
            label(Kind::TexComment, line, at + 1, offset, each);
        }
    }
}

/// Keys that name an encoding in files of sections.
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
            // Such a file begins with a section.
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

/// `#pragma code_page(1251)`.
pub(super) fn pragma(text: &[u8], each: &mut dyn FnMut(Place)) {
    if position(text, 0, b"#pragma").is_none() {
        return;
    }
    for (offset, line) in lines(text) {
        if line.starts_with(b"#pragma") {
            let at = skip_blank(line, 7);
            if line[at..].starts_with(b"code_page(") {
                label(Kind::CodePage, line, at + 10, offset, each);
            }
        }
    }
}

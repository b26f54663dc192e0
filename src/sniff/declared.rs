//! What text says of its own encoding: the header of gettext, coding cookies of Python and Ruby, variables of Emacs,
//! modelines of Vim, `inputenc` of LaTeX, desktop entries, and code pages of resource files and installers.
//!
//! One list serves two purposes. [`find`] takes it for a declaration in [`sniff`](super::sniff()) and
//! [`judge`](super::judge()), in the context of text files. A converter that changes the encoding asks [`places`] for the
//! labels that it makes untrue.
//!
//! The sources: GNU gettext manual, "Header Entry"; PEP 263; Ruby's "magic comments"; Emacs manual, "Specifying File
//! Variables"; Vim's help, "modeline"; the LaTeX package `inputenc`; the Desktop Entry Specification 0.9.4, "Encoding"; the
//! directive `#pragma code_page` of Microsoft's resource compiler; Inno Setup's `LanguageCodePage`.

use crate::{Encoding, extended};

/// How many bytes from the start [`find`] reads.
pub const HEAD_LENGTH: usize = 4096;

/// Bytes at the end in which Emacs looks for its list of variables.
const EMACS_TAIL: usize = 3000;

/// Lines at each end in which Vim looks for modelines.
const VIM_LINES: usize = 5;

/// Lines in which TeX's editors look for their comments.
const TEX_LINES: usize = 20;

/// The convention that a declaration follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// `charset=` in the header entry of a gettext catalogue.
    Gettext,
    /// `coding:` or `coding=` in a comment with `#` in the first two lines.
    Cookie,
    /// `coding:` between `-*-`, or in the list of local variables at the end.
    Emacs,
    /// `fileencoding=` or `fenc=` in a modeline.
    Vim,
    /// An option of LaTeX's package `inputenc`.
    Inputenc,
    /// `% !TeX encoding =`.
    TexComment,
    /// `Encoding=` of a desktop entry.
    DesktopEntry,
    /// The number of a Windows code page.
    CodePage,
}

impl Kind {
    /// The word for it in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Gettext => "gettext-header",
            Self::Cookie => "coding-cookie",
            Self::Emacs => "emacs-variable",
            Self::Vim => "vim-modeline",
            Self::Inputenc => "inputenc",
            Self::TexComment => "tex-comment",
            Self::DesktopEntry => "desktop-entry",
            Self::CodePage => "code-page",
        }
    }

    /// The encoding that a label means under this convention.
    pub fn encoding(self, label: &[u8]) -> Option<&'static Encoding> {
        let label = core::str::from_utf8(label).ok()?.trim_ascii();
        let is_number = label.bytes().all(|byte| byte.is_ascii_digit());
        match self {
            Self::CodePage => Encoding::for_windows_code_page(label.parse().ok()?),
            // A number alone names nothing in a document.
            _ if is_number => None,
            _ => extended::find(label),
        }
    }
}

/// The place of a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The convention.
    pub kind: Kind,
    /// Offset of the label's first byte.
    pub start: usize,
    /// Offset of the byte after it.
    pub end: usize,
}

/// The encoding that a text declares in its first [`HEAD_LENGTH`] bytes. `is_whole` says whether these are all.
///
/// Only encodings that are compatible with ASCII count: the declaration was read as ASCII.
pub fn find(head: &[u8], is_whole: bool) -> Option<&'static Encoding> {
    let is_whole = is_whole && head.len() <= HEAD_LENGTH;
    let head = &head[..head.len().min(HEAD_LENGTH)];
    let mut found: Option<(Kind, &'static Encoding)> = None;
    places(head, is_whole, &mut |place: Place| {
        let encoding = place.kind.encoding(&head[place.start..place.end]);
        let encoding = encoding.filter(|encoding| encoding.is_ascii_compatible());
        // Of the options of a package, the last one counts.
        let is_option =
            found.is_some_and(|(kind, _)| kind == Kind::Inputenc) && place.kind == Kind::Inputenc;
        if let Some(encoding) = encoding
            && (found.is_none() || is_option)
        {
            found = Some((place.kind, encoding));
        }
    });
    found.map(|(_, encoding)| encoding)
}

/// Calls `each` with the place of every label in `text`, which is ASCII or compatible with it; `is_whole` says whether the
/// text ends there, so that what stands in its last lines counts. A place may be found by two rules, one after the other.
pub fn places(text: &[u8], is_whole: bool, each: &mut dyn FnMut(Place)) {
    gettext(text, each);
    first_lines(text, each);
    vim(text, is_whole, each);
    if is_whole {
        emacs_variables(text, each);
    }
    inputenc(text, each);
    tex_comment(text, each);
    sections(text, each);
    pragma(text, each);
}

/// The lines with their offsets, without their ends.
fn lines(text: &[u8]) -> impl DoubleEndedIterator<Item = (usize, &[u8])> {
    // A byte order mark is no part of the first line.
    let start = if text.starts_with(b"\xEF\xBB\xBF") {
        3
    } else {
        0
    };
    let base = text.as_ptr() as usize;
    text[start..]
        .split(|&byte| byte == b'\n')
        .map(move |line| (line.as_ptr() as usize - base, line.trim_ascii_end()))
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
fn label_length(text: &[u8]) -> usize {
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
fn gettext(text: &[u8], each: &mut dyn FnMut(Place)) {
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
fn first_lines(text: &[u8], each: &mut dyn FnMut(Place)) {
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
fn vim(text: &[u8], is_whole: bool, each: &mut dyn FnMut(Place)) {
    let mut seen = 0;
    for (offset, line) in lines(text).take(VIM_LINES) {
        modeline(offset, line, each);
        seen = offset + line.len();
    }
    if !is_whole {
        return;
    }
    // The end of the last line begins an empty one.
    let last = lines(text).rev().take(VIM_LINES + 1);
    for (offset, line) in last.filter(|(offset, _)| *offset > seen) {
        modeline(offset, line, each);
    }
}

fn modeline(offset: usize, line: &[u8], each: &mut dyn FnMut(Place)) {
    let names: [&[u8]; 4] = [b"vim:", b"vi:", b"Vim:", b"ex:"];
    let start = names.iter().find_map(|name| {
        let at = position(line, 0, name)?;
        let is_word = at == 0 || matches!(line[at - 1], b' ' | b'\t');
        is_word.then_some(at + name.len())
    });
    let Some(start) = start else { return };
    for option in [&b"fileencoding="[..], b"fenc="] {
        if let Some(at) = position(line, start, option)
            && matches!(line[at - 1], b' ' | b'\t' | b':')
        {
            label(Kind::Vim, line, at + option.len(), offset, each);
        }
    }
}

/// Emacs' list of variables near the end.
fn emacs_variables(text: &[u8], each: &mut dyn FnMut(Place)) {
    let tail = text.len().saturating_sub(EMACS_TAIL);
    let Some(start) = memchr::memmem::rfind(&text[tail..], b"Local Variables:") else {
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
fn inputenc(text: &[u8], each: &mut dyn FnMut(Place)) {
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
fn tex_comment(text: &[u8], each: &mut dyn FnMut(Place)) {
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
fn sections(text: &[u8], each: &mut dyn FnMut(Place)) {
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
fn pragma(text: &[u8], each: &mut dyn FnMut(Place)) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::*;

    #[test]
    fn every_convention_is_read() {
        let rows: &[(&str, Kind, &str, &'static Encoding)] = &[
            (
                "# Translators:\nmsgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=KOI8-R\\n\"\n",
                Kind::Gettext,
                "KOI8-R",
                KOI8_R,
            ),
            (
                "#!/usr/bin/python\n# -*- coding: latin-1 -*-\n",
                Kind::Cookie,
                "latin-1",
                WINDOWS_1252,
            ),
            (
                "# encoding: cp1251\nputs 1",
                Kind::Cookie,
                "cp1251",
                WINDOWS_1251,
            ),
            (
                "# vim: set fileencoding=cp932 :\n",
                Kind::Cookie,
                "cp932",
                SHIFT_JIS,
            ),
            ("#coding=koi8-r-unix\n", Kind::Cookie, "koi8-r", KOI8_R),
            (
                ";;; a.el -*- mode: lisp; coding: euc-jp-dos; -*-\n",
                Kind::Emacs,
                "euc-jp",
                EUC_JP,
            ),
            (
                "text\n\n;; Local Variables:\n;; fill: 1\n;; coding: iso-latin-2\n;; End:\n",
                Kind::Emacs,
                "iso-latin-2",
                ISO_8859_2,
            ),
            (
                "/* vim: set ts=4 fenc=cp1250: */\n",
                Kind::Vim,
                "cp1250",
                WINDOWS_1250,
            ),
            (
                "1\n2\n3\n4\n5\n6\n7\n8\n vim:fenc=big5\n",
                Kind::Vim,
                "big5",
                BIG5,
            ),
            (
                "\\documentclass{article}\n\\usepackage[latin2]{inputenc}\n",
                Kind::Inputenc,
                "latin2",
                ISO_8859_2,
            ),
            (
                "\\inputencoding{applemac}",
                Kind::Inputenc,
                "applemac",
                MACINTOSH,
            ),
            (
                "% !TeX encoding = windows-1250\n",
                Kind::TexComment,
                "windows-1250",
                WINDOWS_1250,
            ),
            (
                "[Desktop Entry]\nName=x\nEncoding=EUC-KR\n",
                Kind::DesktopEntry,
                "EUC-KR",
                EUC_KR,
            ),
            (
                "; Inno\n[LangOptions]\nLanguageCodePage=1251\n",
                Kind::CodePage,
                "1251",
                WINDOWS_1251,
            ),
            (
                "#include <x.h>\n#pragma code_page(932)\n",
                Kind::CodePage,
                "932",
                SHIFT_JIS,
            ),
        ];
        for &(text, kind, label, encoding) in rows {
            let mut first = None;
            places(text.as_bytes(), true, &mut |place| {
                first.get_or_insert(place);
            });
            let place = first.unwrap_or_else(|| panic!("{text}"));
            assert_eq!(
                (place.kind, &text[place.start..place.end]),
                (kind, label),
                "{text}"
            );
            assert_eq!(find(text.as_bytes(), true), Some(encoding), "{text}");
            // A byte order mark and other line ends change nothing.
            let marked = [b"\xEF\xBB\xBF", text.replace('\n', "\r\n").as_bytes()].concat();
            assert_eq!(find(&marked, true), Some(encoding), "{text}");
        }
    }

    #[test]
    fn the_last_option_of_a_package_counts() {
        let text = b"\\usepackage[latin1,utf8]{inputenc}";
        assert_eq!(find(text, true), Some(UTF_8));
    }

    #[test]
    fn what_only_looks_like_a_declaration_is_none() {
        for text in [
            "1\n2\n# coding: koi8-r\n",
            "code\n# coding: koi8-r\n",
            "% \\usepackage[latin2]{inputenc}\n",
            "\\usepackage[latin2]{babel}\n",
            "msgid \"a\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=KOI8-R\\n\"\n",
            "msgid \"\"\nmsgstr \"\"\n\nmsgid \"x\"\n\"Content-Type: text/plain; charset=KOI8-R\\n\"\n",
            "\"Content-Type: text/plain; charset=CHARSET\\n\"\n",
            "# coding: utf-16\n",
            "# coding: 866\n",
            "# coding: gzip\n",
            "# decoding of coding\n",
            "Name=x\n[Desktop Entry]\nEncoding=EUC-KR\n",
            "[Other]\nEncoding=EUC-KR\n",
            "ex: fenc\n",
            "in vex:fenc=koi8-r\n",
            "#pragma code_page\n#pragma code_page(\n#pragma code_page(99999)",
        ] {
            assert_eq!(find(text.as_bytes(), true), None, "{text}");
        }
        assert_eq!(
            find(b"a\n;; Local Variables:\n;; coding: koi8-r\n", false),
            None
        );
    }

    /// Any words in any order: places are within the text, and hold a label.
    #[test]
    fn any_text_has_places_within_itself() {
        const WORDS: [&str; 26] = [
            "#",
            "coding",
            ":",
            "=",
            " ",
            "\n",
            "-*-",
            "vim:",
            "fenc=",
            "set ",
            "Local Variables:",
            "End:",
            "msgid \"\"",
            "\"Content-Type:",
            "charset=",
            "\\usepackage",
            "[",
            "]",
            "{inputenc}",
            ",",
            "%",
            "!TeX",
            "encoding",
            "koi8-r",
            "[Desktop Entry]\nEncoding=",
            "#pragma code_page(",
        ];
        let mut seed = 1_u32;
        let mut next = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as usize
        };
        for _ in 0..20_000 {
            let mut text = std::string::String::new();
            for _ in 0..next() % 24 {
                text.push_str(WORDS[next() % WORDS.len()]);
            }
            places(text.as_bytes(), next() % 2 == 0, &mut |place| {
                let label = &text[place.start..place.end];
                assert!(
                    !label.is_empty() && label.len() == label_length(label.as_bytes()),
                    "{text}"
                );
            });
        }
    }
}

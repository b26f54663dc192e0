//! Declarations in text: gettext headers, coding cookies of Python and Ruby, variables of Emacs, modelines of Vim,
//! `inputenc` of LaTeX, `@documentencoding` of Texinfo, `=encoding` of Perl's POD. Page directives of JSP, desktop entries,
//! and code pages of resource files and installers are read, too.
//!
//! The list has two uses. [`find`] gives [`sniff`](super::sniff()) and [`judge`](super::judge()) the declaration of a text
//! file; [`judge`](super::judge()) also reads beyond the head. [`places`] gives a converter the labels that become false
//! after a conversion.
//!
//! The sources: GNU gettext manual, "Header Entry"; PEP 263; Ruby's "magic comments"; Emacs manual, "Specifying File
//! Variables"; Vim's help, "modeline"; the LaTeX package `inputenc`; Texinfo's manual, "`@documentencoding`"; perlpod; JavaServer Pages
//! 2.3, JSP.4.1 "Page Character Encoding"; the Desktop Entry Specification 0.9.4, "Encoding"; the
//! directive `#pragma code_page` of Microsoft's resource compiler; Inno Setup's `LanguageCodePage`.

mod conventions;
#[cfg(feature = "alloc")]
mod late;
mod line_commands;
mod page_directive;

#[cfg(feature = "alloc")]
pub(super) use late::LateDeclaration;

use mojika::{Encoding, extended};

/// The number of bytes from the start that [`find`] reads.
pub const HEAD_LENGTH: usize = 4096;

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
    /// `@documentencoding` of Texinfo.
    Texinfo,
    /// `=encoding` of Perl's POD.
    Pod,
    /// `pageEncoding` of a page directive of JSP, or the `charset` of its `contentType`.
    Jsp,
    /// `Encoding=` of a desktop entry.
    DesktopEntry,
    /// The number of a Windows code page.
    CodePage,
}

impl Kind {
    /// The convention's name in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Gettext => "gettext-header",
            Self::Cookie => "coding-cookie",
            Self::Emacs => "emacs-variable",
            Self::Vim => "vim-modeline",
            Self::Inputenc => "inputenc",
            Self::TexComment => "tex-comment",
            Self::Texinfo => "texinfo",
            Self::Pod => "pod-encoding",
            Self::Jsp => "jsp-directive",
            Self::DesktopEntry => "desktop-entry",
            Self::CodePage => "code-page",
        }
    }

    /// Returns the encoding of a label under this convention.
    pub fn encoding(self, label: &[u8]) -> Option<&'static Encoding> {
        let label = core::str::from_utf8(label).ok()?.trim_ascii();
        let is_number = label.bytes().all(|byte| byte.is_ascii_digit());
        match self {
            Self::CodePage => Encoding::for_windows_code_page(label.parse().ok()?),
            // A number alone is not a label in a document.
            _ if is_number => None,
            _ => extended::find(label),
        }
    }
}

/// The position of a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The convention.
    pub kind: Kind,
    /// Offset of the label's first byte.
    pub start: usize,
    /// Offset of the byte after it.
    pub end: usize,
}

/// Returns the encoding that a text declares in its first [`HEAD_LENGTH`] bytes. `is_whole` is true if `head` is the whole
/// text.
///
/// Only encodings that are compatible with ASCII count, because the declaration was read as ASCII.
pub fn find(head: &[u8], is_whole: bool) -> Option<&'static Encoding> {
    let is_whole = is_whole && head.len() <= HEAD_LENGTH;
    find_in(&head[..head.len().min(HEAD_LENGTH)], is_whole)
}

/// The encoding that `text` declares.
pub(super) fn find_in(text: &[u8], is_whole: bool) -> Option<&'static Encoding> {
    let mut first = First { text, found: None };
    places(text, is_whole, &mut |place| first.take(place));
    first.found.map(|(_, encoding)| encoding)
}

/// Returns the encoding that the end of a text declares, if the text starts before `end`.
#[cfg(feature = "alloc")]
fn find_in_end(end: &[u8]) -> Option<&'static Encoding> {
    let mut first = First {
        text: end,
        found: None,
    };
    conventions::last_modelines(end, 0, &mut |place| first.take(place));
    conventions::emacs_variables(end, &mut |place| first.take(place));
    first.found.map(|(_, encoding)| encoding)
}

/// The first label of a known encoding.
struct First<'t> {
    text: &'t [u8],
    found: Option<(Place, &'static Encoding)>,
}

impl First<'_> {
    fn take(&mut self, place: Place) {
        let encoding = place.kind.encoding(&self.text[place.start..place.end]);
        let encoding = encoding.filter(|encoding| encoding.is_ascii_compatible());
        // If one package has several options, the last one counts.
        let is_option = self.found.is_some_and(|(before, _)| {
            let between = self.text.get(before.end..place.start);
            (before.kind, place.kind) == (Kind::Inputenc, Kind::Inputenc)
                && between.is_some_and(|between| !between.contains(&b'}'))
        });
        if let Some(encoding) = encoding
            && (self.found.is_none() || is_option)
        {
            self.found = Some((place, encoding));
        }
    }
}

/// Calls `each` with the position of every label in `text` whose encoding is compatible with ASCII.
///
/// `is_whole` is true if `text` reaches the end of the file; only then are its last lines read. A label that matches two
/// conventions is passed twice.
pub fn places(text: &[u8], is_whole: bool, each: &mut dyn FnMut(Place)) {
    conventions::gettext(text, each);
    conventions::first_lines(text, each);
    conventions::vim(text, is_whole, each);
    if is_whole {
        conventions::emacs_variables(text, each);
    }
    conventions::inputenc(text, each);
    conventions::tex_comment(text, each);
    line_commands::find(text, each);
    page_directive::find(text, each);
    conventions::sections(text, each);
    conventions::pragma(text, each);
}

#[cfg(test)]
mod tests {
    use super::*;
    use mojika::*;

    /// The text may be one long line, whose start must not be searched for repeatedly.
    #[test]
    fn work_on_long_lines_is_in_proportion_to_the_length() {
        extern crate std;
        let start = std::time::Instant::now();
        for part in [
            "encoding ",
            "x\\inputencoding{",
            "\\usepackage[",
            "=encoding x @documentencoding ",
        ] {
            let text = part.repeat(8_000_000 / part.len());
            places(text.as_bytes(), true, &mut |_| {});
        }
        let spent = start.elapsed();
        assert!(spent < std::time::Duration::from_secs(30), "{spent:?}");
    }

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
                "\\input texinfo\n@setfilename a.info\n@documentencoding ISO-8859-2\n@settitle A\n",
                Kind::Texinfo,
                "ISO-8859-2",
                ISO_8859_2,
            ),
            (
                "package A;\n\n=encoding koi8-r\n\n=head1 NAME\n",
                Kind::Pod,
                "koi8-r",
                KOI8_R,
            ),
            (
                "<%@ page language='java' contentType='text/html; charset=Cp1251' %>\n<p>",
                Kind::Jsp,
                "Cp1251",
                WINDOWS_1251,
            ),
            (
                "<%@page contentType=\"text/html; charset=UTF-8\"\n pageEncoding=\"MS932\"%>\n<p>",
                Kind::Jsp,
                "MS932",
                SHIFT_JIS,
            ),
            (
                "<%@ page import='a.B' %>\n<%-- %> --%><%@ tag pageEncoding='big5' %>\n<p>",
                Kind::Jsp,
                "big5",
                BIG5,
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
            // A byte order mark and other line ends make no difference.
            let marked = [b"\xEF\xBB\xBF", text.replace('\n', "\r\n").as_bytes()].concat();
            assert_eq!(find(&marked, true), Some(encoding), "{text}");
        }
    }

    #[test]
    fn the_last_option_of_a_package_counts() {
        let text = b"\\usepackage[latin1,utf8]{inputenc}";
        assert_eq!(find(text, true), Some(UTF_8));
        // `\inputencoding` switches the encoding in the middle of the text.
        let text = b"\\usepackage[latin1,latin2]{inputenc}\n\\inputencoding{koi8-r}";
        assert_eq!(find(text, true), Some(ISO_8859_2));
    }

    /// Each convention accepts the spellings that its programs accept.
    #[test]
    fn conventions_are_read_however_they_are_spelled() {
        for text in [
            // gettext joins strings, and its lexer skips any white space.
            "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset={}\\n\"\n",
            "msgid \"\"\nmsgstr \"\"\n\"A: b\\nContent-Type: text/plain; charset={}\\nC: d\\n\"\n",
            "msgid \"\"\nmsgstr \"\"\n\"content-type: text/plain; \"\n\"charset={}\\n\"\n",
            "msgid\t\"\"\nmsgstr  \"\"\n  \"Content-Type: text/plain; charset= {}\\n\"\n",
            "#, fuzzy\n\ndomain \"a\"\nmsgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset={}\\n\"\n",
            // Ruby and Emacs read any case.
            "# -*- Coding: {} -*-\n",
            "#!/usr/bin/ruby\n# Encoding: {}\n",
            "/* -*- Coding: {} -*- */\n",
            ";;; local variables:\n;;; CODING: {}\n;;; end:\n",
            // The first line of a manual page may list preprocessors.
            "'\\\" t\n.\\\" -*- coding: {} -*-\n",
            // A modeline's options may end with a colon, and `vim` may have a version.
            "; vim: ts=4:fenc={}:sw=4\n",
            "; vim600: set fenc={}:\n",
            "; vim>600: set fenc={}:\n",
            "; vim<801: set fenc={}:\n",
            "; see a: b vim: se fenc={} :\n",
            // TeX skips white space and comments.
            "\\usepackage [{}] {inputenc}\n",
            "\\usepackage[\n  {}\n]{inputenc}\n",
            "\\usepackage[% the old one\n{}%\n]%\n{inputenc}\n",
            "\\usepackage[{}]{ fontenc, inputenc }\n",
            "\\RequirePackage[T1,{}]{inputenx}[2004/02/05]\n",
            "\\usepackage[{}]{luainputenc}\n",
            "\\inputencoding {{}}\n",
        ] {
            let declared = text.replacen("{}", "koi8-r", 1);
            assert_eq!(find(declared.as_bytes(), true), Some(KOI8_R), "{text}");
        }
        for text in [
            "// a\n  #pragma code_page(1251)\n",
            "# pragma  code_page ( 1251 )\n",
        ] {
            assert_eq!(find(text.as_bytes(), true), Some(WINDOWS_1251), "{text}");
        }
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
            "ex600: fenc=koi8-r\n",
            "vim-6: fenc=koi8-r\n",
            "a % \\usepackage[koi8-r]{inputenc}\n",
            "\\usepackage[koi8-r]{inputenc",
            "\\usepackage[koi8-r{inputenc}",
            "\\usepackages[koi8-r]{inputenc}",
            "Local Variables:\nxcoding: koi8-r\nEnd:\n",
            "Local Variables:\nEnd:\ncoding: koi8-r\n",
            "msgid \"\"\nmsgstr \"\"\n\"X: charset=koi8-r\\n\"\n\"Content-Type: a\\nY: charset=koi8-r\\n\"\n",
            "a @documentencoding koi8-r\n",
            "@documentencodings koi8-r\n",
            "@documentencoding koi8-r or so\n",
            "@c @documentencoding koi8-r\n",
            " =encoding koi8-r\n",
            "==encoding koi8-r\n",
            "=encoding=koi8-r\n",
            "=encoding koi8-r utf8\n",
            "<%-- <%@ page pageEncoding='koi8-r' %> --%>\n",
            "<% s = \"<%@ page pageEncoding='koi8-r' \"; %>\n",
            "So: <%@ page pageEncoding='koi8-r' %>\n",
            "<%@ include pageEncoding='koi8-r' %>\n",
            "<%@ page pageEncodings='koi8-r' %>\n",
            "<%@ page info='pageEncoding=koi8-r' %>\n",
            "<%@ page contentType='text/koi8-r' %>\n",
            "<%@ page pageEncoding='koi8-r' ",
            "msgctxt \"a\"\nmsgid \"\"\nmsgstr \"Content-Type: charset=koi8-r\\n\"\n",
            "#pragma code_pages(1251)\n",
            "#pragma code_page\n#pragma code_page(\n#pragma code_page(99999)",
        ] {
            assert_eq!(find(text.as_bytes(), true), None, "{text}");
        }
        assert_eq!(
            find(b"a\n;; Local Variables:\n;; coding: koi8-r\n", false),
            None
        );
    }

    /// For random words in random order, positions are within the text and hold a label.
    #[test]
    fn any_text_has_places_within_itself() {
        const WORDS: [&str; 33] = [
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
            "@documentencoding ",
            "=encoding ",
            "<%@ page ",
            "pageEncoding=\"",
            "contentType='",
            "%>",
            "\"",
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
                    !label.is_empty() && label.len() == conventions::label_length(label.as_bytes()),
                    "{text}"
                );
            });
        }
    }
}

//! The effect of single bytes of a declaration: each is changed by itself.

use super::snapshot;
use mojika::sniff::xml::XmlErrorKind;
use mojika::sniff::{Context, Decision, Hints, sniff};
use mojika_spec::snapshot::{
    Answer, Change, END_BEFORE, LEFT_OUT, LETTER, LINE_END, SPACE, TWICE, table, with,
};

use Context::{CssFromDocument, HtmlParser, PlainText, XhrTextXml, XmlParser};

/// Declarations as people write them.
const DECLARATIONS: [(Context, &str); 36] = [
    (
        PlainText,
        "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=KOI8-R\\n\"\n",
    ),
    (PlainText, "#!/usr/bin/python\n# -*- coding: latin-2 -*-\n"),
    (PlainText, "#coding=koi8-r-unix\n"),
    (PlainText, "# vim: set fileencoding=cp932 :\n"),
    (
        PlainText,
        ";;; a.el -*- mode: lisp; coding: euc-jp-dos; -*-\n",
    ),
    (
        PlainText,
        "a\n;; Local Variables:\n;; fill: 1\n;; coding: latin-2\n;; End:\n",
    ),
    (PlainText, "/* vim: set ts=4 fenc=cp1250: */\n"),
    (PlainText, "; vim>600:sw=4:fenc=koi8-r\n"),
    (
        PlainText,
        "\\documentclass{a}\n\\usepackage[T1, latin2]{inputenc}\n",
    ),
    (
        PlainText,
        "\\usepackage [% old\nlatin2]{ fontenc, inputenc }\n",
    ),
    (
        PlainText,
        "\\inputencoding{applemac} % \\inputencoding{latin2}\n",
    ),
    (PlainText, "% !TeX encoding = windows-1250\n"),
    (PlainText, "@documentencoding ISO-8859-2\n@settitle A\n"),
    (PlainText, "package A;\n\n=encoding koi8-r\n\n=head1 NAME\n"),
    (
        PlainText,
        "<%@ page contentType='text/html; charset=Cp1251' %>\n",
    ),
    (
        PlainText,
        "<%@page contentType=\"a; charset=UTF-8\" pageEncoding=\"MS932\"%>\n",
    ),
    (
        PlainText,
        "<%-- a %> --%>\n<%@ tag x = 'y' pageEncoding = 'big5' %>\n",
    ),
    (PlainText, "[Desktop Entry]\nName=x\nEncoding=EUC-KR\n"),
    (PlainText, "; Inno\n[LangOptions]\nLanguageCodePage=1251\n"),
    (PlainText, "#include <x.h>\n #pragma code_page(932)\n"),
    (
        HtmlParser,
        "<!doctype html><html><head><meta charset=koi8-r><p>",
    ),
    (
        HtmlParser,
        "<!-- <meta charset=gbk> --><meta name=x charset = 'koi8-r'/>",
    ),
    (
        HtmlParser,
        "<meta http-equiv=Content-Type content='text/html; charset=koi8-r'>",
    ),
    (
        HtmlParser,
        "<META CONTENT=\"a;charset='big5'\" HTTP-EQUIV=\"content-type\">",
    ),
    (
        HtmlParser,
        "<a title=\"<meta charset=gbk>\"><meta charset=utf-16></a>",
    ),
    (
        HtmlParser,
        "</a href=x><?php > ?><!x><meta charset=x-user-defined>",
    ),
    (
        HtmlParser,
        "<?xml version=\"1.0\" encoding=\"koi8-r\"?><html>",
    ),
    (
        XmlParser,
        "<?xml version=\"1.0\" encoding=\"koi8-r\" standalone='yes' ?><a/>",
    ),
    (
        XmlParser,
        "<?xml version = '1.1'\n\tencoding = 'Shift_JIS'?><a/>",
    ),
    (
        XmlParser,
        "\u{FEFF}<?xml version='1.0' encoding='utf-8'?><a/>",
    ),
    (
        XhrTextXml,
        "<?xml version=\"1.0\" encoding=\"koi8-r\" standalone='yes' ?><a/>",
    ),
    (XhrTextXml, "<?xml version='1.0' encoding='utf-16'?><a/>"),
    (CssFromDocument, "@charset \"koi8-r\";\na { color: red }\n"),
    (XmlParser, "<?xml encoding='IBM037' version='1.0'?><a/>"),
    (XmlParser, "<?xml version='1.0' encoding='utf-16'?><a/>"),
    (CssFromDocument, "@charset \"utf-16le\"; b {}\n"),
];

const CHANGES: [Change; 8] = [
    LEFT_OUT,
    TWICE,
    ("another case", |text, at| with(text, at, swapped(text[at]))),
    LETTER,
    SPACE,
    ("a space before", |text, at| {
        [&text[..at], b" ", &text[at..]].concat()
    }),
    LINE_END,
    END_BEFORE,
];

fn swapped(byte: u8) -> u8 {
    match byte.is_ascii_alphabetic() {
        true => byte ^ 0x20,
        false => byte,
    }
}

/// Returns the declaration, and the offset of an error.
fn declared(text: &[u8], context: Context) -> Answer {
    let hints = Hints {
        detect: false,
        ..Hints::new(context)
    };
    match sniff(text, &hints) {
        Ok(Decision {
            encoding, source, ..
        }) => (format!("{} by {source}", encoding.name()), None),
        Err(error) => {
            let kind = match error.kind {
                XmlErrorKind::Malformed => "error: malformed".to_owned(),
                XmlErrorKind::Unsupported(_) => "error: unsupported".to_owned(),
                kind => format!("error: {kind:?}"),
            };
            (kind, Some(error.offset))
        }
    }
}

#[test]
fn the_bytes_that_matter_in_declarations_are_those_reviewed() {
    let tables = DECLARATIONS.map(|(context, text)| {
        let nothing = declared(b"", context).0;
        let answer = |text: &[u8]| declared(text, context);
        table(
            context.row().id,
            text.as_bytes(),
            &nothing,
            &CHANGES,
            answer,
        )
    });
    snapshot("declarations.txt", &tables.concat());
}

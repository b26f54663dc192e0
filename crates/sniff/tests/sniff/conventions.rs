//! Declarations in text: the range in which each convention is searched for, and its limits.

use mojika::*;
use mojika_drive::spent;
use mojika_sniff::declared::{HEAD_LENGTH, find, places};

/// Returns the encoding that a whole text declares.
fn of(text: &str) -> Option<&'static Encoding> {
    find(text.as_bytes(), true)
}

/// Returns the labels in a whole text, in the order in which they are found.
fn labels(text: &str) -> Vec<&str> {
    let mut labels = Vec::new();
    places(text.as_bytes(), true, &mut |place| {
        labels.push(&text[place.start..place.end]);
    });
    labels
}

#[test]
fn a_cookie_is_in_a_comment_of_the_first_two_lines() {
    let cookie = "# coding: koi8-r\n";
    for (text, is_found) in [
        (format!("{cookie}1"), true),
        (format!("#!/usr/bin/ruby\n{cookie}"), true),
        (format!("# a\n{cookie}"), true),
        (format!("\n{cookie}"), true),
        (format!(" \t\n \t{cookie}"), true),
        (format!("#!a\n# b\n{cookie}"), false),
        (format!("\n\n{cookie}"), false),
        (format!("a = 1\n{cookie}"), false),
        ("1 # coding: koi8-r\n".to_owned(), false),
        ("# encoding koi8-r, coding=koi8-r\n".to_owned(), true),
        ("# coding : koi8-r\n".to_owned(), false),
        ("# -*- coding : koi8-r -*-\n".to_owned(), false),
        ("# coding:\t koi8-r.\n".to_owned(), true),
    ] {
        assert_eq!(of(&text), is_found.then_some(KOI8_R), "{text:?}");
    }
    for (end, label) in [
        ("-unix", "koi8-r"),
        ("-dos", "koi8-r"),
        ("-mac", "koi8-r"),
        ("-mac2", "koi8-r-mac2"),
        (":", "koi8-r"),
        ("_", "koi8-r"),
        (".", "koi8-r"),
    ] {
        let text = format!("# coding: koi8-r{end}\n");
        assert_eq!(labels(&text), [label], "{text}");
    }
}

#[test]
fn variables_of_emacs_are_in_the_first_line_or_after_a_script_or_near_the_end() {
    let line = "-*- mode: x; coding: koi8-r; -*-\n";
    for (text, is_found) in [
        (line.to_owned(), true),
        (format!("#!/bin/x\n;; {line}"), true),
        (format!("text\n;; {line}"), false),
        (format!("#!/bin/x\n\n;; {line}"), false),
        (";; -*- coding: koi8-r\n".to_owned(), false),
        (";; coding: koi8-r -*- -*-\n".to_owned(), false),
    ] {
        assert_eq!(of(&text), is_found.then_some(KOI8_R), "{text:?}");
    }
    let list = ";; Local Variables:\n;; coding: koi8-r\n;; End:\n";
    // The words begin within the last 3,000 bytes.
    let offset = list.find("Local").unwrap();
    for (length, is_found) in [(3000, true), (3001, false)] {
        let filler = "\n".repeat(length - (list.len() - offset));
        let text = format!("text\n{list}{filler}");
        assert_eq!(labels(&text).is_empty(), !is_found, "{length}");
    }
    for (text, expected) in [
        // The last list counts, from its second line to its end.
        (
            format!("{list};; Local Variables:\n;; coding: gbk\n"),
            vec!["gbk"],
        ),
        (
            ";; Local Variables: coding: gbk\n;; x: y\n".to_owned(),
            vec![],
        ),
        (
            ";; Local Variables:\n;; End:\n;; coding: gbk\n".to_owned(),
            vec![],
        ),
        ("Local Variables:\ncoding: gbk\n".to_owned(), vec!["gbk"]),
        (
            ";; Local Variables:\n;; my-coding: gbk\n".to_owned(),
            vec![],
        ),
        (";; Local Variables:\n;; xcoding: gbk\n".to_owned(), vec![]),
        (
            "% Local Variables:\n%coding: gbk-unix\n".to_owned(),
            vec!["gbk"],
        ),
    ] {
        assert_eq!(labels(&text), expected, "{text:?}");
    }
}

#[test]
fn modelines_of_vim_are_in_the_first_and_the_last_five_lines() {
    let modeline = "# vim: set fenc=koi8-r:\n";
    for before in 0..8 {
        for after in 0..8 {
            let text = ["x\n".repeat(before), modeline.into(), "y\n".repeat(after)].concat();
            let is_found = before < 5 || after < 5;
            assert_eq!(
                labels(&text).len(),
                usize::from(is_found),
                "{before} {after}"
            );
            // The result is the same without the end of the last line.
            let text = text.trim_end();
            assert_eq!(
                labels(text).len(),
                usize::from(is_found),
                "{before} {after}"
            );
            // `places` reads no bytes after the head.
            let mut count = 0;
            places(text.as_bytes(), false, &mut |_| count += 1);
            assert_eq!(count, usize::from(before < 5), "{before} {after}");
        }
    }
    for (line, is_found) in [
        ("vi:fenc=koi8-r", true),
        ("Vim: fenc=koi8-r", true),
        ("ex:fileencoding=koi8-r", true),
        ("\tvim:ts=4:fenc=koi8-r:", true),
        ("vim: set\tfileencoding=koi8-r :", true),
        ("xvim:fenc=koi8-r", false),
        ("vim:xfenc=koi8-r", false),
        ("vim:fenc =koi8-r", false),
        ("fenc=koi8-r vim:", false),
    ] {
        assert_eq!(of(line), is_found.then_some(KOI8_R), "{line}");
    }
}

#[test]
fn options_of_inputenc_are_outside_of_comments() {
    for (line, expected) in [
        ("\\usepackage[koi8-r]{inputenc}", vec!["koi8-r"]),
        ("\\RequirePackage[koi8-r]{inputenc}", vec!["koi8-r"]),
        ("\\usepackage [ a , koi8-r ]{inputenc}", vec!["a", "koi8-r"]),
        (
            "\\usepackage{x}\\usepackage[gbk]{inputenc} \\usepackage[big5]{inputenc}",
            vec!["gbk", "big5"],
        ),
        ("\\inputencoding{gbk}", vec!["gbk"]),
        ("\\usepackage{inputenc}", vec![]),
        ("\\package[gbk]{inputenc}", vec![]),
        ("gbk]{inputenc}", vec![]),
        ("% \\usepackage[gbk]{inputenc}", vec![]),
        ("10\\% \\usepackage[gbk]{inputenc}", vec!["gbk"]),
        ("\\\\% \\usepackage[gbk]{inputenc}", vec![]),
        ("\\\\\\% \\inputencoding{gbk}", vec!["gbk"]),
        (
            "\\usepackage[gbk]{inputenc} % \\inputencoding{big5}",
            vec!["gbk"],
        ),
    ] {
        assert_eq!(labels(line), expected, "{line}");
    }
}

#[test]
fn an_argument_of_tex_ends_within_1024_bytes() {
    for (before, is_found) in [(1016, true), (1017, false)] {
        let options = format!("{},koi8-r", "x".repeat(before));
        let line = format!("\\usepackage[{options}]{{inputenc}}");
        assert_eq!(labels(&line).contains(&"koi8-r"), is_found, "{before}");
    }
}

#[test]
fn a_comment_of_tex_is_in_the_first_twenty_lines() {
    for (before, is_found) in [(0, true), (19, true), (20, false)] {
        let text = ["x\n".repeat(before), "% !TeX encoding = koi8-r\n".into()].concat();
        assert_eq!(of(&text), is_found.then_some(KOI8_R), "{before}");
    }
    for (line, is_found) in [
        ("%!TEX encoding=koi8-r", true),
        ("%\t !tex\tENCODING\t=\tkoi8-r", true),
        (" % !TeX encoding = koi8-r", false),
        ("% !TeX encodings = koi8-r", false),
        ("% TeX encoding = koi8-r", false),
        ("% !TeX program = koi8-r", false),
        ("% !TeX encoding", false),
        ("% !TeX", false),
        ("% !TeX encoding koi8-r", false),
    ] {
        assert_eq!(of(line), is_found.then_some(KOI8_R), "{line}");
    }
}

#[test]
fn the_header_of_gettext_is_the_first_entry() {
    let header =
        "msgid \"\"\nmsgstr \"\"\n\"A: b\\n\"\n\"content-TYPE: text/plain; charset=koi8-r\\n\"\n";
    for (text, is_found) in [
        (header.to_owned(), true),
        (format!("# a\n\n#: b\n{header}"), true),
        (format!("x\n{header}"), false),
        (format!("msgid \"a\"\n{header}"), false),
        (header.replace("\"A: b\\n\"\n", "\n"), false),
        (header.replace("\"A: b\\n\"\n", "msgid \"x\"\n"), false),
        (header.replace("\"content-", "\"a content-"), false),
        (header.replace("\"content-", "content-"), false),
        (header.replace("msgid \"\"\n", ""), false),
    ] {
        assert_eq!(of(&text), is_found.then_some(KOI8_R), "{text:?}");
    }
}

#[test]
fn keys_and_numbers_count_in_their_sections() {
    for (text, expected) in [
        ("[Desktop Entry]\nEncoding=KOI8-R\n", Some(KOI8_R)),
        ("[KDE Desktop Entry]\nEncoding = KOI8-R\n", Some(KOI8_R)),
        (
            "\n# a\n; b\n[Desktop Entry]\n\nEncoding=KOI8-R\n",
            Some(KOI8_R),
        ),
        ("[a]\nb=c\n[Desktop Entry]\nEncoding=KOI8-R\n", Some(KOI8_R)),
        ("[Desktop Entry]\n[a]\nEncoding=KOI8-R\n", None),
        ("[Desktop Entry]\nEncodings=KOI8-R\n", None),
        ("[Desktop Entry]\nX-Encoding=KOI8-R\n", None),
        ("Encoding=KOI8-R\n[Desktop Entry]\nEncoding=KOI8-R\n", None),
        ("[LangOptions]\nLanguageCodePage=1251\n", Some(WINDOWS_1251)),
        ("[LangOptions]\nLanguageCodePage=koi8-r\n", None),
        ("[Desktop Entry]\nLanguageCodePage=1251\n", None),
        ("#pragma\tcode_page(1251)\n", Some(WINDOWS_1251)),
        ("#pragma code_page( 1251 )\n", Some(WINDOWS_1251)),
        (" #pragma code_page(1251)\n", Some(WINDOWS_1251)),
        ("# pragma code_page (1251)\n", Some(WINDOWS_1251)),
        ("#pragma code_page 1251\n", None),
        ("// #pragma code_page(1251)\n", None),
        ("#pragma once\n", None),
    ] {
        assert_eq!(of(text), expected, "{text:?}");
    }
}

/// A label that ends at the last byte read is complete; a truncated one is not.
#[test]
fn what_stands_after_the_head_declares_nothing() {
    let declaration = "#pragma code_page(1251)\n";
    for (end, is_found) in [(HEAD_LENGTH, true), (HEAD_LENGTH + 7, false)] {
        let text = ["\n".repeat(end - declaration.len()), declaration.into()].concat();
        assert_eq!(of(&text), is_found.then_some(WINDOWS_1251), "{end}");
    }
    // The head of a longer text does not end with the text's last lines.
    let list = "\n;; Local Variables:\n;; coding: koi8-r\n";
    let text = |length: usize| ["x".repeat(length - list.len()), list.into()].concat();
    assert_eq!(of(&text(HEAD_LENGTH)), Some(KOI8_R));
    assert_eq!(of(&(text(HEAD_LENGTH) + "\n")), None);
}

/// The text may be one long line, whose start must not be searched for repeatedly.
#[test]
fn work_on_long_lines_is_in_proportion_to_the_length() {
    let start = spent();
    for part in [
        "encoding ",
        "x\\inputencoding{",
        "\\usepackage[",
        "=encoding x @documentencoding ",
    ] {
        let text = part.repeat(8_000_000 / part.len());
        places(text.as_bytes(), true, &mut |_| {});
    }
    let took = spent() - start;
    assert!(took < std::time::Duration::from_secs(30), "{took:?}");
}

#[test]
fn every_convention_is_read() {
    // Each row has a kind, its encoding, and a text. Guillemets enclose the label, and pilcrows stand for line ends.
    for row in include_str!("conventions.txt").lines() {
        let [kind, encoding, marked] =
            [0, 1, 2].map(|field| row.splitn(3, ' ').nth(field).unwrap());
        let encoding = Encoding::for_label(encoding).unwrap();
        let marked = marked.replace('¶', "\n");
        let mut parts = marked.split(['«', '»']);
        let [before, label, after] = [(); 3].map(|()| parts.next().unwrap());
        let text = [before, label, after].concat();
        let mut first = None;
        places(text.as_bytes(), true, &mut |place| {
            first.get_or_insert(place);
        });
        let place = first.unwrap_or_else(|| panic!("{text}"));
        assert_eq!(
            (place.kind.as_str(), &text[place.start..place.end]),
            (kind, label),
            "{text}"
        );
        assert_eq!(find(text.as_bytes(), true), Some(encoding), "{text}");
        // A byte order mark and other line ends make no difference.
        let marked = [b"\xEF\xBB\xBF", text.replace('\n', "\r\n").as_bytes()].concat();
        assert_eq!(find(&marked, true), Some(encoding), "{text}");
    }
}

/// SQL tables and output may have another encoding than the text, and encoded values keep their charset.
#[test]
fn labels_of_data_do_not_name_the_encoding_of_the_text() {
    for (text, is_place) in [
        (
            "CREATE TABLE `a` (\n  b text\n) ENGINE=InnoDB DEFAULT CHARSET=koi8r;\n",
            true,
        ),
        ("alter table a default character set koi8r;\n", true),
        (
            "<xsl:stylesheet>\n<xsl:output method='html'\nencoding='koi8-r'/>\n",
            true,
        ),
        (
            "<xsl:stylesheet>\n<xsl:output method='html' encoding='koi8-r'/>\n",
            true,
        ),
        (
            "BEGIN:VCARD\nN;CHARSET=koi8-r;ENCODING=QUOTED-PRINTABLE:=F0\n",
            false,
        ),
        (
            "BEGIN:VCARD\nN;QUOTED-PRINTABLE;CHARSET=koi8-r:=F0\n",
            false,
        ),
        ("BEGIN:VCARD\nN;ENCODING=b;CHARSET=koi8-r:8A==\n", false),
    ] {
        let mut count = 0;
        places(text.as_bytes(), true, &mut |_| count += 1);
        assert_eq!(count, usize::from(is_place), "{text}");
        assert_eq!(find(text.as_bytes(), true), None, "{text}");
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

/// Each convention is read as by the programs that define it.
#[test]
fn conventions_are_read_however_they_are_spelled() {
    for text in [
        // gettext joins strings, and its lexer skips any white space.
        "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset={}\\n\"\n",
        "msgid \"\"\nmsgstr \"\"\n\"A: b\\nContent-Type: text/plain; charset={}\\nC: d\\n\"\n",
        "msgid \"\"\nmsgstr \"\"\n\"content-type: text/plain; \"\n\"charset={}\\n\"\n",
        "msgid\t\"\"\nmsgstr  \"\"\n  \"Content-Type: text/plain; charset= {}\\n\"\n",
        "#, fuzzy\n\ndomain \"a\"\nmsgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset={}\\n\"\n",
        // Ruby and Emacs ignore case.
        "# -*- Coding: {} -*-\n",
        "#!/usr/bin/ruby\n# Encoding: {}\n",
        "/* -*- Coding: {} -*- */\n",
        ";;; local variables:\n;;; CODING: {}\n;;; end:\n",
        // The first line may name the preprocessors of a manual page.
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
}

#[test]
fn what_only_looks_like_a_declaration_is_none() {
    for text in include_str!("no_conventions.txt").lines() {
        let text = text.replace('¶', "\n");
        assert_eq!(find(text.as_bytes(), true), None, "{text}");
    }
    let start = b"a\n;; Local Variables:\n;; coding: koi8-r\n";
    assert_eq!(find(start, false), None);
}

/// Random words of the conventions in random order: every position is within the text and has the label.
#[test]
fn any_text_has_places_within_itself() {
    const WORDS: &str = concat!(
        "#~coding~:~=~ ~\n~-*-~vim:~fenc=~set ~Local Variables:~End:~msgid \"\"~\"Content-Type:~",
        "charset=~\\usepackage~[~]~{inputenc}~,~%~!TeX~encoding~koi8-r~",
        "[Desktop Entry]\nEncoding=~#pragma code_page(~@documentencoding ~=encoding ~<%@ page ~",
        "pageEncoding=\"~contentType='~%>~\"~SET NAMES ~BEGIN:VCARD\nN;CHARSET=~<?php header(~",
        "CodePage=",
    );
    let words: Vec<&str> = WORDS.split('~').collect();
    let mut seed = 1_u32;
    let mut next = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as usize
    };
    for _ in 0..20_000 {
        let mut text = std::string::String::new();
        for _ in 0..next() % 24 {
            text.push_str(words[next() % words.len()]);
        }
        places(text.as_bytes(), next() % 2 == 0, &mut |place| {
            let label = &text[place.start..place.end];
            assert!(
                !label.is_empty()
                    && label
                        .bytes()
                        .all(|byte| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte)),
                "{text}"
            );
        });
    }
}

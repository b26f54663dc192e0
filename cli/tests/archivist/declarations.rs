//! Files that declare their encoding. The decision uses the declaration, and a conversion updates it.

use super::common::tree::{folder, read, run, status};
use super::common::{has, run_at, run_in};
use mojika::{Encoding, ISO_8859_2, KOI8_R, WINDOWS_1251};
use serde_json::Value;

/// Returns files of each kind: name, encoding, text. In the text, the label and the label after conversion are between
/// guillemets. The texts are so short that only their declarations show the encoding.
fn rows() -> impl Iterator<Item = (&'static str, &'static Encoding, String)> {
    include_str!("declarations.txt").lines().map(|row| {
        let mut fields = row.splitn(3, ' ');
        let [name, label, text] = [(); 3].map(|()| fields.next().unwrap());
        let text = text.replace('¶', "\n").replace('␍', "\r");
        (name, Encoding::for_label(label).unwrap(), text)
    })
}

/// Returns the text with the label of this number, and that label.
fn labelled(marked: &str, number: usize) -> (String, &str) {
    let mut parts = marked.split(['«', '|', '»']);
    let [before, old, new, after] = [(); 4].map(|()| parts.next().unwrap());
    let label = [old, new][number];
    ([before, label, after].concat(), label)
}

fn tree() -> tempfile::TempDir {
    let files = rows().map(|(name, encoding, marked)| {
        let text = labelled(&marked, 0).0;
        (
            format!("src/{name}"),
            encoding.encode(&text).unwrap().into_owned(),
        )
    });
    let files: Vec<_> = files.collect();
    let files: Vec<_> = files
        .iter()
        .map(|(name, bytes)| (&**name, &**bytes))
        .collect();
    folder(&files)
}

#[test]
fn declarations_decide_and_stay_true_and_nothing_else_changes() {
    let folder = tree();
    let line = "convert --from auto src -o out --update-declared --report report.jsonl";
    let said = status(&folder, line, 0);
    assert!(
        said.contains("27 declarations updated in 27 files"),
        "{said}"
    );
    for (name, _, marked) in rows() {
        let written = String::from_utf8(read(&folder, &format!("out/{name}"))).unwrap();
        assert_eq!(written, labelled(&marked, 1).0, "{name}");
    }
    let report = String::from_utf8(read(&folder, "report.jsonl")).unwrap();
    for line in report.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let (_, encoding, marked) = rows()
            .find(|row| line["path"].as_str().unwrap().ends_with(row.0))
            .unwrap();
        assert_eq!(line["encoding"], encoding.name(), "{line}");
        assert_eq!(
            line["declared"][0]["from"],
            labelled(&marked, 0).1,
            "{line}"
        );
        assert_eq!(line["declared"][0]["to"], labelled(&marked, 1).1, "{line}");
        assert_eq!(
            line["bytes_out"],
            read(&folder, line["output"].as_str().unwrap()).len()
        );
    }
    // A second run changes nothing.
    let said = status(
        &folder,
        "convert --from auto out --in-place --update-declared",
        0,
    );
    assert!(said.contains("27 in the output encoding already"), "{said}");
}

/// The decision and the conversion find declarations in every position in which the files' own programs find them.
#[test]
fn declarations_are_read_after_a_long_start_and_at_the_end() {
    // For short words in ISO-8859-2, statistics would choose another encoding.
    let words = "k\u{16f}\u{148} \u{17e}\u{11b}\n";
    let long = |line: &str, bytes: usize| line.repeat(bytes / line.len());
    let files = [
        (
            "a.po",
            format!(
                "{}msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset={{}}\\n\"\n\nmsgid \"a\"\nmsgstr \"{}\"\n",
                long("# A comment of this catalogue.\n", 9000),
                words.trim_end()
            ),
            "UTF-8",
        ),
        (
            "a.tex",
            format!(
                "\\documentclass{{article}}\n{}\\usepackage[{{}}]{{inputenc}}\n{words}",
                long("\\newcommand{\\a}{b}\n", 30_000)
            ),
            "utf8",
        ),
        (
            "a.c",
            format!("// {words}{}// vim: fenc={{}}\n", long("int a;\n", 9000)),
            "utf-8",
        ),
        (
            "a.el",
            format!(
                ";; {words}{};; Local Variables:\n;; coding: {{}}\n;; End:\n{}",
                long("(setq a 1)\n", 50_000),
                long("; more\n", 2500)
            ),
            "utf-8",
        ),
        (
            "b.c",
            format!("{}// {words}// vim: fenc={{}}\n", long("int a;\n", 150_000)),
            "utf-8",
        ),
    ];
    let tree = folder(&[]);
    for (name, text, _) in &files {
        let text = text
            .replace("{}", "iso-8859-2")
            .replace("[iso-8859-2]", "[latin2]");
        let bytes = ISO_8859_2.encode(&text).unwrap();
        let path = tree.path().join("src").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    let said = status(
        &tree,
        "convert --from auto src -o out/ --update-declared",
        0,
    );
    has(&said, "ISO-8859-2       declaration        5");
    for (name, text, label) in &files {
        let expected = text.replace("{}", label);
        assert_eq!(
            read(&tree, &format!("out/{name}")),
            expected.as_bytes(),
            "{name}"
        );
        let piped = run_at(
            tree.path(),
            "convert -q --from auto --update-declared",
            &read(&tree, &format!("src/{name}")),
        );
        assert!(piped.ok() == expected.as_bytes(), "{name}");
    }
}

/// A JSP page declares its own encoding, and that of its output: both are updated.
#[test]
fn a_page_of_jsp_is_in_the_encoding_that_it_says_of_itself() {
    let page = |own: &str, made: &str| {
        format!(
            "<%@page contentType=\"text/html; charset={made}\" pageEncoding=\"{own}\"%>\n\
             <html><head><meta charset=\"{made}\"></head><p>да</html>\n"
        )
    };
    let source = WINDOWS_1251
        .encode(&page("Cp1251", "koi8-r"))
        .unwrap()
        .into_owned();
    let tree = folder(&[("src/a.jsp", &source)]);
    let said = status(
        &tree,
        "convert --from auto src -o out/ --update-declared",
        0,
    );
    assert!(said.contains("windows-1251     declaration"), "{said}");
    let expected = page("UTF-8", "UTF-8").replace("charset=\"UTF-8\"", "charset=\"utf-8\"");
    assert_eq!(read(&tree, "out/a.jsp"), expected.as_bytes());
    // A JSP page without a known declared encoding is read as HTML.
    for own in ["", "<%@page pageEncoding=\"klingon\"%>\n"] {
        let page = format!("{own}<html><meta charset=koi8-r><p>да</html>\n");
        let tree = folder(&[("src/a.jsp", &KOI8_R.encode(&page).unwrap()[..])]);
        let said = status(&tree, "convert --from auto src -o out/", 0);
        assert!(said.contains("KOI8-R           meta"), "{said}");
    }
}

/// The summary names each declaration, and the option that changes it.
#[test]
fn without_the_option_nothing_is_rewritten() {
    let folder = tree();
    let said = status(&folder, "convert --from auto src -o out --report report", 0);
    assert!(
        said.contains("declarations that are no longer true:\n"),
        "{said}"
    );
    assert!(said.contains("; --update-declared changes it\n"), "{said}");
    let report = String::from_utf8(read(&folder, "report")).unwrap();
    for (name, _, marked) in rows() {
        let (text, label) = labelled(&marked, 0);
        let written = String::from_utf8(read(&folder, &format!("out/{name}"))).unwrap();
        assert_eq!(written, text, "{name}");
        let in_report = format!("src/{name}\"");
        let line = report
            .lines()
            .find(|line| line.contains(&in_report))
            .unwrap();
        let line: Value = serde_json::from_str(line).unwrap();
        assert_eq!(line["declared"][0]["from"], label, "{name}");
        assert_eq!(line["declared"][0]["to"], Value::Null, "{name}");
    }
}

#[test]
fn one_file_and_a_pipe_are_updated_as_folders_are() {
    let folder = tree();
    for (name, encoding, marked) in rows().filter(|row| row.0.ends_with("py")) {
        let expected = labelled(&marked, 1).0;
        let line = format!("convert --from auto --update-declared src/{name}");
        assert_eq!(run(&folder, &line).ok(), expected.as_bytes());
        let text = labelled(&marked, 0).0;
        let bytes = encoding.encode(&text).unwrap();
        let args = ["convert", "--from", "auto", "--update-declared"];
        assert_eq!(
            run_in(folder.path(), &args, &bytes).ok(),
            expected.as_bytes()
        );
    }
}

#[test]
fn declarations_are_true_after_a_byte_order_mark_is_added() {
    let folder = tree();
    let all = ["UTF-8 --bom add", "UTF-16LE --bom add", "UTF-16"];
    for (number, to) in all.into_iter().enumerate() {
        let line = format!("convert --from auto --to {to} src -o out{number} --update-declared");
        status(&folder, &line, 0);
        for (name, _, marked) in rows() {
            let written = read(&folder, &format!("out{number}/{name}"));
            let encoding = Encoding::for_bom(&written).unwrap().0;
            let written = encoding.decode(&written).text;
            let label = if encoding == mojika::UTF_8 {
                "utf-8"
            } else {
                "utf-16"
            };
            if ["a.xml", "a.css", "a.html"].contains(&name) {
                let expected = labelled(&marked, 0)
                    .0
                    .replace(labelled(&marked, 0).1, label);
                assert_eq!(
                    written.to_lowercase(),
                    expected.to_lowercase(),
                    "{name} {to}"
                );
            }
        }
        let line = format!("check out{number}/a.xml out{number}/a.css");
        status(&folder, &line, 0);
    }
}

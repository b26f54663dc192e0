//! Text that was encoded twice: reported by `check`, repaired by `--repair`; clean text stays.

use super::common::tree::{folder, read, run, status};
use super::common::{has, run_in, samples};
use crate::common::run_at;
use mojika::{
    Encoding, GBK, ISO_8859_15, MACINTOSH, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, extended,
};
use serde_json::Value;

const CLEAN: &str = "Les élèves ont déjà été reçus.\nplain\nОбычный русский текст\n";

fn twice(text: &str, encoding: &'static Encoding) -> String {
    encoding.decode(text.as_bytes()).text.into_owned()
}

fn file() -> String {
    let lines = [
        twice("Où est l'élève ?", WINDOWS_1252),
        "Où est l'élève ?".to_owned(),
        twice(&twice("Żółta łódź na rzece", WINDOWS_1250), WINDOWS_1252),
        twice("Привет, мир", WINDOWS_1251),
    ];
    lines.join("\n") + "\n"
}

const UNDONE: &str = "Où est l'élève ?\nOù est l'élève ?\nŻółta łódź na rzece\nПривет, мир\n";

#[test]
fn lines_are_undone_and_the_others_stay() {
    let folder = folder(&[
        ("src/a.txt", file().as_bytes()),
        ("src/b.txt", CLEAN.as_bytes()),
    ]);
    // By default, text is never repaired.
    status(&folder, "convert --from auto src -o same", 0);
    assert_eq!(read(&folder, "same/a.txt"), file().as_bytes());
    let said = status(
        &folder,
        "convert --from auto src -o out --repair --report report.jsonl",
        0,
    );
    has(&said, "encoded twice in 3 lines, first in line 1");
    assert_eq!(read(&folder, "out/a.txt"), UNDONE.as_bytes());
    assert_eq!(read(&folder, "out/b.txt"), CLEAN.as_bytes());
    let report = String::from_utf8(read(&folder, "report.jsonl")).unwrap();
    let line = report.lines().find(|line| line.contains("a.txt")).unwrap();
    let line: Value = serde_json::from_str(line).unwrap();
    assert_eq!(line["encoded_twice"][1]["line"], 3);
    assert_eq!(line["encoded_twice"][1]["read_as"][0], "windows-1252");
    assert_eq!(line["encoded_twice"][1]["read_as"][1], "windows-1250");
    // A second run changes nothing.
    let said = status(&folder, "convert --from auto out --in-place --repair", 0);
    assert!(said.contains("2 in the output encoding already"), "{said}");
}

/// The lines are counted even without --repair. With --repair, a message says why nothing was changed.
#[test]
fn convert_and_detect_count_the_lines() {
    let folder = folder(&[
        ("src/a.txt", file().as_bytes()),
        ("b.txt", CLEAN.as_bytes()),
        ("c.txt", b"\xC4\xC1\n"),
    ]);
    let twice = "encoded twice in 3 lines, first in line 1";
    for command in [
        "convert --from auto src -o out",
        "convert src/a.txt",
        "check src/a.txt b.txt",
    ] {
        let said = run(&folder, command).stderr;
        has(&said, twice);
        has(&said, "--repair undoes it");
    }
    let said = run(&folder, "detect -v src/a.txt b.txt").stdout;
    let said = String::from_utf8_lossy(&said);
    assert_eq!(said.matches(twice).count(), 1, "{said}");
    let said = run(&folder, "convert --repair b.txt").stderr;
    has(&said, "no line was encoded twice");
    let said = run(&folder, "convert --repair -f koi8-r c.txt").stderr;
    has(&said, "text in UTF-8, and this is KOI8-R");
}

#[test]
fn one_file_and_a_pipe_are_undone_to_any_encoding() {
    let folder = folder(&[("a.txt", file().as_bytes())]);
    assert_eq!(
        run(&folder, "convert -q --repair a.txt").ok(),
        UNDONE.as_bytes()
    );
    let wide = run_at(
        folder.path(),
        "convert -q --from utf-8 --to utf-16le --repair",
        file().as_bytes(),
    )
    .ok();
    assert_eq!(wide, *mojika::UTF_16LE.encode(UNDONE).unwrap());
    // Bytes that are not UTF-8 are converted as without the option.
    let args = ["convert", "-q", "--from", "koi8-r", "--repair"];
    assert_eq!(
        run_in(folder.path(), &args, b"\xC4\xC1\n").ok(),
        "да\n".as_bytes()
    );
}

/// `Ã€` is `À` in windows-1252 and `ä` in ISO-8859-15. An earlier line decides; without one, the line stays.
#[test]
fn a_line_that_may_have_been_several_texts_stays_and_is_said() {
    let lines = ["Ähnlich", "für", "ähnlich"];
    let twice = |lines: &[&str]| {
        let lines = lines.iter().map(|line| twice(line, ISO_8859_15) + "\n");
        lines.collect::<String>()
    };
    let folder = folder(&[
        ("src/told.txt", twice(&lines).as_bytes()),
        ("src/open.txt", twice(&lines[2..]).as_bytes()),
    ]);
    let said = "encoded twice in 1 line, first in line 1, in one of several encodings (windows-1252, ISO-8859-15): left as it was";
    let summary = status(&folder, "convert --from auto src -o out --repair", 0);
    has(&summary, &format!("src/open.txt: {said}\n"));
    assert_eq!(
        read(&folder, "out/told.txt"),
        (lines.join("\n") + "\n").as_bytes()
    );
    assert_eq!(read(&folder, "out/open.txt"), read(&folder, "src/open.txt"));
    let checked = run(&folder, "check src/open.txt");
    checked.says(said);
    let checked = run(&folder, "check --against src/open.txt out/open.txt");
    checked.says("looks encoded twice");
}

/// Every sample of the project, in more than 40 languages: clean text stays, and text that was encoded twice is restored.
#[test]
fn samples_stay_and_come_back() {
    let files: Vec<_> = samples().join("utf-8").read_dir().unwrap().collect();
    let (mut lines, mut undone) = (0, 0);
    for file in files {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        let folder = folder(&[("a.txt", text.as_bytes())]);
        assert_eq!(
            run(&folder, "convert -q --repair a.txt").ok(),
            text.as_bytes()
        );
        for encoding in [
            WINDOWS_1252,
            WINDOWS_1251,
            MACINTOSH,
            extended::ibm(437).unwrap(),
            GBK,
        ] {
            let mistaken: Vec<_> = text
                .lines()
                .map(|line| (line, encoding.decode(line.as_bytes())))
                .filter(|(line, read)| {
                    !line.is_ascii() && !read.had_errors && !read.text.contains('\u{FFFD}')
                })
                .collect();
            let joined: String = mistaken
                .iter()
                .map(|(_, read)| format!("{}\n", read.text))
                .collect();
            let back = run_at(
                folder.path(),
                "convert -q --from utf-8 --repair",
                joined.as_bytes(),
            )
            .ok();
            let back = String::from_utf8(back).unwrap();
            lines += mistaken.len();
            undone += back
                .lines()
                .zip(&mistaken)
                .filter(|(back, (line, _))| back == line)
                .count();
        }
    }
    assert!(undone * 10 >= lines * 8, "{undone} of {lines}");
}

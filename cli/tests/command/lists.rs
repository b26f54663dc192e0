//! Reports and lists of doubtful files. All subcommands write them, and they replace no file of the user.

use crate::common::tree::{bash, folder, read, run, status};
use crate::common::{has, run_in};
use serde_json::Value;
use std::fs;

/// Two letters that could be in many encodings.
const SHORT: &[u8] = b"\xC4\xE0\n";
const RUSSIAN: &[u8] = b"\xC2\xE5\xF7\xE5\xF0\xEE\xEC \xEF\xE8\xEB\xE8 \xF7\xE0\xE9 \xF1 \xE2\xE0\xF0\xE5\xED\xFC\xE5\xEC.\n";

fn lines(bytes: &[u8]) -> Vec<Value> {
    let text = str::from_utf8(bytes).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    lines.collect()
}

/// Returns the fields of a report line about the doubt, which are the same in all subcommands.
fn doubt(line: &Value) -> Value {
    let keys = [
        "status",
        "encoding",
        "why",
        "probability",
        "runner_up",
        "disagreement",
        "reason",
        "candidates",
    ];
    let mut found = Value::Null;
    for key in keys {
        found[key] = line[key].clone();
    }
    found
}

#[test]
fn a_doubt_is_in_the_report_and_in_the_list_of_every_route() {
    let tree = folder(&[("src/a", SHORT), ("src/b", RUSSIAN)]);
    let path = tree.path();
    status(&tree, "convert src -o out/ --report folder", 1);
    let of_folder = lines(&read(&tree, "folder"));
    let of_folder = of_folder.iter().find(|line| line["path"] == "src/a");
    let expected = doubt(of_folder.unwrap());
    assert_eq!(expected["status"], "doubtful");
    assert_eq!(expected["candidates"].as_array().unwrap().len(), 3);

    let line = "convert --from auto src/b src/a -o one --report report --doubtful list";
    status(&tree, line, 1);
    let of_one = lines(&read(&tree, "report"));
    assert_eq!(doubt(&of_one[1]), expected);
    assert_eq!(
        (&of_one[0]["status"], &of_one[0]["reason"]),
        (
            &"skipped".into(),
            &"not written, as another input failed".into()
        )
    );
    assert_eq!(read(&tree, "list"), b"src/a\n");
    assert!(!path.join("one").exists());

    for args in [
        "convert --from auto -o one --report report",
        "check --report report",
    ] {
        let args: Vec<_> = args.split(' ').chain(["--doubtful", "list"]).collect();
        assert_eq!(run_in(path, &args, SHORT).status, 1, "{args:?}");
        let of_pipe = lines(&read(&tree, "report"));
        assert_eq!(doubt(&of_pipe[0]), expected, "{args:?}");
        // Standard input has no file name that a list could contain.
        assert_eq!(read(&tree, "list"), b"", "{args:?}");
    }
}

#[test]
fn what_is_no_text_or_not_in_utf_8_is_in_the_report() {
    let tree = folder(&[
        ("a", b"\x7FELF\x02\x01\x01\0\0\0"),
        ("b", b"\xFF"),
        ("c", b"c"),
    ]);
    let of = |line: &str, stdin: &[u8]| {
        let args: Vec<_> = line.split(' ').collect();
        run_in(tree.path(), &args, stdin);
        let lines = lines(&read(&tree, "r")).into_iter();
        let said = lines.map(|line| line["status"].as_str().unwrap().to_owned());
        said.collect::<Vec<_>>()
    };
    assert_eq!(
        of("convert --from auto a c -o out --report r", b""),
        ["skipped", "skipped"]
    );
    assert_eq!(
        of("convert b c -o out --report r", b""),
        ["failed", "skipped"]
    );
    assert_eq!(
        of("check --report r", b"\x7FELF\x02\x01\x01\0\0\0"),
        ["skipped"]
    );
    let xml = b"<?xml version='1.0' encoding='UTF-16'?><a/>";
    assert_eq!(of("check --context xml --report r", xml), ["doubtful"]);
    assert_eq!(of("check --report r", b"text\n"), ["already"]);
    assert_eq!(
        of("check --report r", "\u{FEFF}text\n".as_bytes()),
        ["converted"]
    );
    assert_eq!(of("check --report r", RUSSIAN), ["converted"]);
}

#[test]
fn a_list_goes_to_standard_output_and_takes_any_name() {
    let tree = folder(&[("src/new\nline", SHORT), ("src/b", SHORT)]);
    let listed = run(&tree, "check src --doubtful -");
    assert_eq!((listed.status, listed.stdout.len()), (1, 19));
    let listed = run(&tree, "check src --doubtful - -0 -j 1").stdout;
    assert_eq!(listed, b"src/b\0src/new\nline\0");
    assert!(!tree.path().join("-").exists());
    let args = "convert --from koi8-r --files-from - -0 --base src -o out/";
    let args: Vec<_> = args.split(' ').collect();
    assert_eq!(run_in(tree.path(), &args, &listed).status, 0);
    assert_eq!(read(&tree, "out/new\nline"), "дЮ\n".as_bytes());
}

#[test]
fn a_report_in_a_folder_that_is_converted_in_place_is_not_converted() {
    let tree = folder(&[("src/a", RUSSIAN)]);
    // In a folder that is converted in place, the report and the list are not converted.
    let line = "convert --from windows-1251 -i src --report src/report --doubtful src/list";
    status(&tree, line, 0);
    let found = lines(&read(&tree, "src/report"));
    assert_eq!(found.len(), 3, "{found:?}");
    let others = found.iter().filter(|line| line["path"] != "src/a");
    for other in others {
        assert_eq!(other["reason"], "the report or list that this run writes");
    }
}

/// A link in a source folder counts as a file of that folder, wherever its target is.
#[test]
fn a_report_or_list_replaces_no_link_in_a_folder_that_is_read() {
    let tree = folder(&[("src/a", RUSSIAN), ("outside", RUSSIAN)]);
    std::os::unix::fs::symlink("../outside", tree.path().join("src/link")).unwrap();
    for (place, link) in [("src", "link"), ("", "src/link")] {
        for option in ["--report", "--doubtful"] {
            let args = ["check", ".", option, link];
            let run = run_in(&tree.path().join(place), &args, b"");
            assert_ne!(run.status, 0, "{place} {option}");
            run.says("a file of .");
        }
    }
    assert!(tree.path().join("src/link").is_symlink());
    assert_eq!(read(&tree, "outside"), RUSSIAN);
}

#[test]
fn standard_input_that_is_a_file_is_not_replaced() {
    let tree = folder(&[("a", RUSSIAN), ("names", b"a\n")]);
    for script in [
        "mojika convert -f windows-1251 --report a -o out <a",
        "mojika convert -f windows-1251 --doubtful ./a - -o out <a",
        "mojika check -f windows-1251 --doubtful a <a",
        "mojika check -f windows-1251 --report a - <a",
        "mojika check --files-from - --report names <names",
    ] {
        let run = bash(tree.path(), script);
        assert_eq!(run.status, 2, "{script}: {}", run.stderr);
        run.says(": is an input");
        assert_eq!(read(&tree, "a"), RUSSIAN, "{script}");
        assert_eq!(read(&tree, "names"), b"a\n", "{script}");
    }
}

/// In a source or output folder, a report or list replaces only an earlier report or list.
#[test]
fn a_report_or_list_replaces_no_file_of_a_folder() {
    let tree = folder(&[("f/a", RUSSIAN), ("t/a", b"text\n"), ("names", b"f/a\n")]);
    std::os::unix::fs::symlink("../names", tree.path().join("f/link")).unwrap();
    let message = status(&tree, "check f --report f/link", 2);
    assert!(message.contains("f/link: is a file of f,"), "{message}");
    assert_eq!(read(&tree, "names"), b"f/a\n");
    // In other folders, a report or list replaces an existing file.
    for file in ["f", "f/a", "names t"] {
        fs::write(tree.path().join("elsewhere"), "mine").unwrap();
        status(&tree, &format!("check {file} --report elsewhere -q"), 0);
        assert!(!lines(&read(&tree, "elsewhere")).is_empty(), "{file}");
    }
    // The output of an earlier run may be replaced.
    let tree = folder(&[("f/a", SHORT), ("f/b", RUSSIAN)]);
    for _ in 0..2 {
        let line = "convert --from auto -i f --report f/report --doubtful f/list";
        status(&tree, line, 1);
        assert_eq!(lines(&read(&tree, "f/report")).len(), 4);
        assert_eq!(read(&tree, "f/list"), b"f/a\n");
    }
}

#[test]
fn an_output_does_not_replace_the_report() {
    let tree = folder(&[("d/a", b"text\n"), ("d/b", b"text\n"), ("d/list", SHORT)]);
    for force in ["", "--force"] {
        let line = format!("convert d -o o{force}/ --report o{force}/a {force}");
        fs::create_dir(tree.path().join(format!("o{force}"))).unwrap();
        status(&tree, &line, 1);
        let found = lines(&read(&tree, &format!("o{force}/a")));
        let of_a = found.iter().find(|line| line["path"] == "d/a").unwrap();
        assert_eq!(of_a["status"], "failed", "{line}");
        assert_eq!(read(&tree, &format!("o{force}/b")), b"text\n", "{line}");
    }
    // `check --against` does not take the report for a result.
    fs::create_dir(tree.path().join("t")).unwrap();
    let said = status(&tree, "check --against d t --report t/a", 1);
    assert!(said.contains("d/a: has no result"), "{said}");
}

#[test]
fn mail_that_is_not_converted_is_in_the_report() {
    let mail = b"From: a@a.example\nTo: b@b.example\nSubject: text\nMIME-Version: 1.0\nMessage-ID: <1@a.example>\n\ntext\n";
    let tree = folder(&[("a", SHORT), ("m.eml", mail), ("z", b"text\n")]);
    for (from, of_a) in [("--from auto", "doubtful"), ("", "failed")] {
        let line = format!("convert {from} --mail m.eml a z -o o --report -");
        let run = run(&tree, &line);
        assert_ne!(run.status, 0, "{line}: {}", run.stderr);
        let found = lines(&run.stdout);
        let found: Vec<_> = found
            .iter()
            .map(|line| [&line["path"], &line["status"]].map(|value| value.as_str().unwrap()))
            .collect();
        let expected = [["m.eml", "skipped"], ["a", of_a], ["z", "skipped"]];
        assert_eq!(found, expected, "{line}");
    }
}

/// A full disk is a failure, not an empty list.
#[test]
#[cfg(target_os = "linux")]
fn a_list_that_cannot_be_written_is_a_failure() {
    let tree = folder(&[("a", SHORT)]);
    let said = run(&tree, "check a -q --doubtful /dev/full").stderr;
    assert!(said.contains("cannot write to /dev/full: "), "{said}");
    for line in ["check a", "convert --from auto a -o out"] {
        let said = bash(
            tree.path(),
            &format!("exec mojika {line} -q --report - >&-"),
        );
        let line = said.stderr.lines().next().unwrap_or_default();
        assert_eq!(line, "cannot write to -: it is closed");
        assert_eq!(said.status, 1);
    }
}

/// A backup is not converted, even if a shell pattern or a list contains its name.
#[test]
fn a_backup_stays_as_it_is_by_whatever_name() {
    let tree = folder(&[("src/a", RUSSIAN), ("src/b", RUSSIAN)]);
    status(
        &tree,
        "convert --from windows-1251 -i src --backup .orig",
        0,
    );
    fs::write(
        tree.path().join("names"),
        "src/a\nsrc/a.orig\n./src/b.orig\n",
    )
    .unwrap();
    for line in [
        "convert --from auto -i src",
        "convert --from auto -i src/a src/a.orig src/b src/b.orig",
        "convert --from auto -i src/b.orig",
        "convert --from auto -i --files-from names",
    ] {
        let said = status(&tree, line, 0);
        has(
            &said,
            "a backup that an earlier run has made: it stays as it is",
        );
        for name in ["src/a.orig", "src/b.orig"] {
            assert_eq!(read(&tree, name), RUSSIAN, "{line}");
        }
    }
    // The backup is named relative to its own folder.
    let named = ["convert", "--from", "auto", "-i", "a.orig"];
    let said = run_in(&tree.path().join("src"), &named, b"").stderr;
    assert!(said.contains("it stays as it is"), "{said}");
    assert_eq!(read(&tree, "src/a.orig"), RUSSIAN);
    // If the output is another folder, the backup is converted as text.
    status(&tree, "convert --from auto src/a.orig -o out/", 0);
    assert_ne!(read(&tree, "out/a.orig"), RUSSIAN);
    // Without the original file, the backup is the only copy.
    fs::remove_file(tree.path().join("src/a")).unwrap();
    status(&tree, "convert --from auto -i src/a.orig", 0);
    assert_ne!(read(&tree, "src/a.orig"), RUSSIAN);
}

/// An XML document that contradicts itself also needs the user's decision.
#[test]
fn xml_that_contradicts_itself_has_candidates() {
    let xml = [b"<?xml version='1.0' encoding='UTF-16'?><a>", RUSSIAN].concat();
    let tree = folder(&[("src/a.xml", &xml)]);
    for line in [
        "convert --from auto src/a.xml --report r",
        "convert src -o out/ --report r",
        "check src --report r",
    ] {
        let said = status(&tree, line, 1);
        assert!(said.contains("  windows-1251   0.9"), "{said}");
        assert!(said.contains("Вечером пили чай"), "{said}");
        let found = lines(&read(&tree, "r"));
        assert_eq!(found[0]["candidates"][0]["encoding"], "windows-1251");
    }
}

//! Characters that the output encoding lacks: `check` and `convert` list every one.

use crate::common::tree::folder;
use crate::common::{Run, holds, run_at, run_in};
use serde_json::{Value, json};

const TEXT: &[u8] = "a\n€b€é\n".as_bytes();

/// Returns the positions of the errors in the first line of JSON.
fn errors(lines: &str) -> Value {
    let line: Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    let errors = line["errors"].as_array().cloned().unwrap_or_default();
    let places = ["kind", "offset", "line", "column", "character"];
    errors
        .iter()
        .map(|error| places.map(|key| error[key].clone()).to_vec())
        .collect::<Vec<_>>()
        .into()
}

fn expected() -> Value {
    json!([
        ["unmappable", 2, 2, 1, "€"],
        ["unmappable", 6, 2, 3, "€"],
        ["unmappable", 9, 2, 4, "é"],
    ])
}

#[test]
fn check_lists_every_unmappable_character() {
    let folder = folder(&[("a.txt", TEXT)]);
    let of_standard_input = ["check", "--to", "cp932", "--json"];
    let of_file = ["check", "--to", "cp932", "--json", "a.txt"];
    for (args, stdin) in [(&of_file[..], &b""[..]), (&of_standard_input[..], TEXT)] {
        let Run {
            status,
            stdout,
            stderr,
        } = run_in(folder.path(), args, stdin);
        assert_eq!(status, 1, "{stderr}");
        let stdout = String::from_utf8(stdout).unwrap();
        assert_eq!(errors(&stdout), expected(), "{stdout}");
        assert!(
            stderr.contains("(line 2, column 1)") && stderr.contains("; and 2 more"),
            "{stderr}"
        );
    }
    let whole = run_at(folder.path(), "check --to gb18030 --json a.txt", b"");
    assert_eq!(
        (
            whole.status,
            errors(&String::from_utf8(whole.stdout).unwrap())
        ),
        (0, json!([]))
    );
}

#[test]
fn convert_lists_every_character_that_it_replaces() {
    let folder = folder(&[("a.txt", TEXT)]);
    for output in ["out/", "out.txt"] {
        let args = "convert --to cp932 --errors replacement a.txt --report report.jsonl -o";
        let mut args: Vec<_> = args.split(' ').collect();
        args.push(output);
        run_in(folder.path(), &args, b"").ends(0);
        let report = std::fs::read_to_string(folder.path().join("report.jsonl")).unwrap();
        assert_eq!(errors(&report), expected(), "{report}");
    }
    holds(&folder, "out.txt", b"a\n?b??\n");
}

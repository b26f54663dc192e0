//! The help of each subcommand, and the messages about wrong arguments.

use crate::common::mojika;

fn said(args: &[&str]) -> String {
    let output = mojika().args(args).env("COLUMNS", "100").output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    String::from_utf8(text).unwrap()
}

#[test]
fn help_is_as_it_was_reviewed() {
    let always = "convert check detect show names undo encodings completions pages warc";
    let edits = if cfg!(feature = "edit") {
        "get put edit"
    } else {
        ""
    };
    for subcommand in always.split(' ').chain(edits.split_whitespace()) {
        let text = said(&[subcommand, "--help"]);
        crate::snapshot(&format!("help-{subcommand}.txt"), &text);
        // The short help lists every option that the long help has.
        let short = said(&[subcommand, "-h"]);
        let option = |line: &str| line.trim_start().starts_with('-');
        let names = |text: &str| -> Vec<String> {
            let words = text.lines().filter(|line| option(line));
            let words = words.flat_map(|line| line.split_whitespace());
            let mut names: Vec<_> = words
                .filter(|word| word.starts_with("--"))
                .map(|word| word.trim_end_matches(',').to_owned())
                .collect();
            names.sort();
            names.dedup();
            names
        };
        for name in names(&short) {
            assert!(text.contains(&name), "{subcommand} {name}");
        }
    }
    crate::snapshot("help.txt", &said(&["--help"]));
}

#[test]
fn mistakes_are_named() {
    let lines = crate::replayed("mistakes.txt", |line| {
        let args: Vec<_> = line.split(' ').collect();
        format!("$ mojika {line}\n{}", said(&args))
    });
    crate::snapshot("mistakes.txt", &lines.join("\n"));
}

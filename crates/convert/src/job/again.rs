//! The command that continues a run, for messages and notes.

use crate::quote::quote;
use std::ffi::OsString;
use std::path::Path;

/// Returns the command that continues this run, truncated if it is very long.
pub fn again() -> String {
    command_again(std::env::args_os())
}

fn command_again(arguments: impl Iterator<Item = OsString>) -> String {
    /// The maximum length of a command in a message, in bytes.
    const MAX_LENGTH: usize = 1000;
    let is_resume = |word: &String| word == "--resume" || word.starts_with("--resume=");
    let mut words: Vec<_> = arguments.map(|word| quote(Path::new(&word))).collect();
    // The option must be among the shown words.
    let given = words.iter().position(is_resume).map(|at| words.remove(at));
    let resume = given.unwrap_or_else(|| "--resume".to_owned());
    let is_long = words.iter().map(|word| word.len() + 1).sum::<usize>() > MAX_LENGTH;
    words.insert(words.len().min(2), resume);
    if !is_long {
        return words.join(" ");
    }
    let mut length = 0;
    let shown = words.iter().take_while(|word| {
        length += word.len() + 1;
        length <= MAX_LENGTH
    });
    let shown = shown.count().max(3).min(words.len());
    let left = words.len() - shown;
    let words = words[..shown].join(" ");
    match left {
        0 => words,
        _ => format!("{words} … and the other {left} words of this command"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_that_goes_on_is_shown_in_full_unless_it_is_long() {
        let again = |line: &str| command_again(line.split(' ').map(OsString::from));
        assert_eq!(
            again("mojika convert -i src"),
            "mojika convert --resume -i src"
        );
        assert_eq!(
            again("mojika convert -i s --resume=j"),
            "mojika convert --resume=j -i s"
        );
        let line = format!("mojika convert -i{} --resume", " file".repeat(5000));
        let shown = again(&line);
        assert!(
            shown.starts_with("mojika convert --resume -i file file "),
            "{shown}"
        );
        let files = shown.matches(" file").count();
        assert!(
            shown.ends_with(&format!(
                " … and the other {} words of this command",
                5000 - files
            )),
            "{shown}"
        );
        assert!(shown.len() < 1100, "{shown}");
        // Up to 1,000 bytes, including the space after each word.
        let words = |length| again(&format!("mojika convert -i a {}", "x".repeat(length)));
        assert!(words(979).ends_with("xx"), "{}", words(979));
        let shown = "mojika convert --resume -i a … and the other 1 words of this command";
        assert_eq!(words(980), shown);
        // The only argument is long, and is not omitted.
        let long = "x".repeat(1000);
        let expected = format!("mojika {long} --resume");
        assert_eq!(again(&format!("mojika {long}")), expected);
    }
}

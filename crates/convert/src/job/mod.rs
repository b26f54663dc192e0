//! The parts of a run over many files, except the conversion itself.
//!
//! * [`folder`]: open folders, in which files are found, created and renamed; [`tree`] walks through them.
//! * [`draft`]: a file that is invisible until it is complete.
//! * [`output_tree`]: the folders of the output.
//! * [`batch`]: drafts that are flushed together, recorded in the journal and made to appear.
//! * [`journal`]: finished files, for `--resume`; [`state`]: its folder.
//! * [`history`]: runs that can be reverted; [`renames`]: changed names; [`replaced`]: changed files.
//! * [`problem`]: the reason why a file was not converted; [`record`]: its result. [`report`] receives the records of all
//!   threads, shows progress, writes the report and adds up the [`summary`].
//! * [`signals`]: the orderly end of a run; [`sources`]: locks on files that are changed in place.
//! * [`mail`]: the parts of messages in reports.
//! * [`lines`]: reports and lists; [`own`]: the files that they must not replace.
//! * [`names`]: file names in JSON.
//!
//! Nothing here depends on the subcommand or chooses encodings.

pub mod batch;
pub mod draft;
pub mod folder;
pub mod history;
#[cfg_attr(not(feature = "gitignore"), path = "no_ignores.rs")]
mod ignores;
pub mod journal;
pub mod lines;
pub mod mail;
pub mod names;
pub mod output_tree;
pub mod own;
pub mod problem;
pub mod record;
pub mod renames;
pub mod replaced;
pub mod report;
pub mod signals;
pub mod sources;
pub mod state;
pub mod summary;
pub mod tree;

use crate::quote::quote;
use crate::report as messages;
use crate::report::Failure;
use journal::Journal;
use report::Reporter;
use std::ffi::OsString;
use std::path::Path;
use std::time::Instant;
use summary::Summary;

/// Ends a run: its progress, its report and, if there is nothing to resume, its journal. Prints the summary unless
/// `verb`, the word for the treatment of the files, is `None`.
///
/// Returns the summary and the exit status, in which doubtful files do not count as failures.
///
/// # Errors
///
/// Fails if the journal, the report or the list of doubtful files cannot be written.
pub fn end(
    reporter: Reporter,
    journal: Option<Journal>,
    start: Instant,
    verb: Option<&str>,
) -> Result<(Summary, u8), Failure> {
    let (summary, reported) = reporter.finish();
    let is_complete = !summary.has_failures() && !signals::stopped();
    let journal_failed = |error| Failure::io("write", "the journal", error);
    if is_complete && let Some(journal) = &journal {
        journal.complete().map_err(journal_failed)?;
    }
    if let Some(verb) = verb {
        let again = (journal.is_some() && !is_complete).then(again);
        let text = summary.text(start.elapsed(), again.as_deref(), verb);
        messages::say(text.trim_end());
    }
    reported?;
    if let Some(journal) = journal {
        journal.end().map_err(journal_failed)?;
    }
    let status = signals::status().unwrap_or(u8::from(!is_complete));
    Ok((summary, status))
}

/// Returns the command that continues this run, truncated if it is very long.
pub fn again() -> String {
    command_again(std::env::args_os())
}

fn command_again(arguments: impl Iterator<Item = OsString>) -> String {
    /// The maximum length of a command in a message, in bytes.
    const MAX_LENGTH: usize = 1000;
    const RESUME: &str = "--resume";
    let mut words: Vec<_> = arguments
        .filter(|word| word != "--restart")
        .map(|word| quote(Path::new(&word)))
        .collect();
    let is_long = words.iter().map(|word| word.len() + 1).sum::<usize>() > MAX_LENGTH;
    if is_long {
        // A long command is truncated, so the option moves to the front to be shown.
        words.retain(|word| word != RESUME);
    }
    if !words.iter().any(|word| word == RESUME) {
        words.insert(words.len().min(2), RESUME.to_owned());
    }
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
            again("mojika convert -i src --restart"),
            "mojika convert --resume -i src"
        );
        assert_eq!(
            again("mojika convert -i s --resume"),
            "mojika convert -i s --resume"
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
        // A command is shown in full up to 1,000 bytes, including the space after each word.
        let words = |length| again(&format!("mojika convert -i a {}", "x".repeat(length)));
        assert!(words(979).ends_with("xx"), "{}", words(979));
        let shown = "mojika convert --resume -i a … and the other 1 words of this command";
        assert_eq!(words(980), shown);
        // The long word and the option are both shown, although the command exceeds the limit.
        let long = "x".repeat(1000);
        let expected = format!("mojika {long} --resume");
        assert_eq!(again(&format!("mojika {long}")), expected);
    }
}

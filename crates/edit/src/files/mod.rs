//! `mojika get`, `put` and `edit`: change the text of a file and keep all other bytes.
//!
//! * `args`: the options of the three commands; `how`: the shared ones;
//! * `file`: a file that is replaced when its new bytes are complete; `source`: its bytes;
//! * `change`: the kinds of change: an exact text, a patch, or the whole text;
//! * `find`: searches for a text without decoding the whole file; `needle`: its bytes; `boundary`: offsets at which a text
//!   can be split; `patches`: the changes of a file's bytes;
//! * `text_file`: the same for the Python module.
//!
//! The edits themselves, and their guarantees, are those of the [crate].

pub mod args;
mod boundary;
mod change;
mod changed;
mod file;
mod find;
mod how;
mod needle;
mod patches;
mod replace;
mod source;
pub mod text_file;

use args::{EditArgs, GetArgs, PutArgs};
use changed::Changed;
use file::{Choice, Fingerprint, Opened};
pub use how::HowArgs;
use mojika_convert::args::hints::EncodingArgs;
use mojika_convert::job::signals::{self, Reaction};
use mojika_convert::output::print;
use mojika_convert::report::was_closed;
use mojika_convert::report::{self, Failure};
use serde_json::json;
use std::path::Path;

/// Runs `mojika get` and returns the exit status.
///
/// # Errors
///
/// Fails if the file cannot be read, or its encoding is uncertain.
pub fn get(args: &GetArgs) -> Result<u8, Failure> {
    let opened = Opened::open(&args.file, &choice(&args.encoding)?, args.size.max_size)?;
    if was_closed() {
        return Err(Failure::ClosedOutput);
    }
    let document = opened.document()?;
    let fingerprint = opened.fingerprint()?;
    let output = if args.fingerprint {
        format!("{fingerprint}\n")
    } else if args.json {
        let object = json!({
            "file": opened.name(),
            "encoding": document.encoding().name(),
            "why": opened.why(),
            "fingerprint": fingerprint.to_string(),
            "line_ends": change::line_ends(document.line_ends()),
            "malformed": document.text().matches('\u{FFFD}').count(),
            "text": document.text(),
        });
        format!("{object}\n")
    } else {
        if !args.quiet {
            report::say(&format!(
                "{}: {} ({}), line ends: {}, fingerprint {fingerprint}",
                opened.name(),
                document.encoding(),
                opened.why(),
                change::line_ends(document.line_ends()),
            ));
        }
        document.text().to_owned()
    };
    print(output.as_bytes())?;
    Ok(0)
}

/// Returns the choice of the encoding by the options.
fn choice(args: &EncodingArgs) -> Result<Choice, Failure> {
    let (named, question) = args.question()?;
    Ok(named.map_or_else(|| Choice::Auto(Box::new(question)), Choice::Named))
}

/// Runs `mojika put` and returns the exit status.
///
/// # Errors
///
/// Fails if the file has changed, or the text cannot be written.
pub fn put(args: &PutArgs) -> Result<u8, Failure> {
    signals::watch(Reaction::Exit)?;
    let expected = Fingerprint::parse(&args.expect)?;
    let text = change::read_text(Path::new("-"), args.size.max_size)?;
    let opened = Opened::open(
        &args.file,
        &Choice::Named(expected.encoding),
        args.size.max_size,
    )?;
    opened.expect(&expected)?;
    let changed = change::whole(&opened, &text, &args.how)?;
    finish(&opened, &changed, &args.how)
}

/// Runs `mojika edit` and returns the exit status.
///
/// # Errors
///
/// Fails if an option is wrong. Errors of a file are reported, and the other files are edited.
pub fn edit(args: &EditArgs) -> Result<u8, Failure> {
    signals::watch(Reaction::Exit)?;
    let choice = choice(&args.encoding)?;
    let change = args.change()?;
    let mut status = 0;
    for path in &args.files {
        let result = Opened::open(path, &choice, args.size.max_size).and_then(|opened| {
            let changed = change::apply(&opened, &change, &args.how)?;
            finish(&opened, &changed, &args.how)
        });
        if let Err(failure) = result {
            if let Some(message) = failure.message() {
                report::say(&message);
            }
            status = failure.status().max(status);
        }
    }
    Ok(status)
}

/// Writes the changes, and reports them.
fn finish(opened: &Opened, changed: &Changed, how: &HowArgs) -> Result<u8, Failure> {
    if !how.dry_run {
        opened.write(&changed.patches, how.keep_times)?;
    }
    if !how.quiet {
        report::say(&changed.summary(opened, how.dry_run));
    }
    Ok(0)
}

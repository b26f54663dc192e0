//! `mojika names`: converts file names from an old encoding to UTF-8.
//!
//! * `args`: the options;
//! * `tree`: the names in the user's trees;
//! * `reading`: computes the new name from the bytes of a name;
//! * `plan`: the new names, and the refusals;
//! * `zip`: the names in a zip archive.
//!
//! All names together decide one encoding, by [`mojika_convert::decide`]. [`mojika_convert::job::renames`] records and
//! performs the renames, and `mojika undo` reverts them.

#![cfg(unix)]
#![forbid(unsafe_code)]

pub mod args;
mod plan;
mod reading;
mod tree;
pub mod undo;
#[cfg(feature = "zip")]
mod zip;

use args::NamesArgs;
use mojika::{Encoding, UTF_8};
use mojika_convert::args::hints::refuse_hint;
use mojika_convert::decide::{FileContext, Outcome, Question};
use mojika_convert::job::folder::Opener;
use mojika_convert::job::history::{self, ChangeKind, Header, RecordedRun, RunError};
use mojika_convert::job::names::{name_of, put_name};
use mojika_convert::job::operation::{self, again, going};
use mojika_convert::job::renames::{Rename, RenameState, Renames};
use mojika_convert::job::signals::Reaction;
use mojika_convert::job::{signals, sources};
use mojika_convert::labels;
use mojika_convert::output::print;
use mojika_convert::quote::quote;
use mojika_convert::report::{self, Failure, counted};
use mojika_sniff::Context;
use plan::{Plan, Planned};
use reading::Reading;
use std::path::{Path, PathBuf};
use tree::Names;

/// Runs `mojika names` and returns the exit status.
///
/// # Errors
///
/// Fails if the options conflict, if the encoding is doubtful, or if an earlier run is incomplete. Nothing is renamed then.
pub fn run(args: &NamesArgs) -> Result<u8, Failure> {
    let mut reading = reading(args)?;
    #[cfg(feature = "zip")]
    if let Some(file) = &args.archive.zip {
        return zip::run(args, file, reading, question(args)?);
    }
    if !args.rename {
        return finish(args, &look(args, &mut reading)?, None);
    }
    signals::watch(Reaction::Drain)?;
    let absolute = sources::absolute(args.sources.iter());
    let _locks = sources::lock(&args.sources)?;
    if let Some(run) = unfinished(&absolute)? {
        return match args.resume {
            true => go_on(args, &run),
            false => Err(Failure::Usage(format!(
                "an earlier run over these names is unfinished; go on with it: {}; or revert it: mojika undo {}",
                run.header.command, run.id
            ))),
        };
    }
    if args.resume {
        report::say(
            "nothing to resume: no earlier run over these names is unfinished; a new run begins",
        );
    }
    let mut plan = look(args, &mut reading)?;
    if plan.renames.is_empty() {
        return finish(args, &plan, Some((0, 0)));
    }
    let mut renames = Renames::new(std::mem::take(&mut plan.renames));
    let not_kept = |error| {
        Failure::io(
            "keep",
            "the record of the run, so nothing is renamed",
            error,
        )
    };
    let header = Header::new(ChangeKind::Names, absolute);
    let run = RecordedRun::create(header).map_err(not_kept)?;
    renames.note(&run).map_err(not_kept)?;
    let count = rename(&run, &mut renames, false, |one, refused| {
        if let Some(&place) = plan.places.get(&one.spot.path()) {
            plan.names[place].refused = refused;
        }
    })?;
    let id = run.id;
    if count == 0 && !signals::stopped() {
        let removed = run.remove();
        removed.map_err(|error| Failure::io("remove", "the record of the run", error))?;
    }
    finish(args, &plan, Some((id, count)))
}

/// The number of a run and the number of names that it changed, unless renaming was not requested.
type Done = Option<(u64, u64)>;

/// Finds the names and plans the changes.
fn look(args: &NamesArgs, reading: &mut Reading) -> Result<Plan, Failure> {
    let found = Names::find(&args.sources, reading);
    let mut said = String::new();
    let text = found.text(reading);
    if !text.is_empty() {
        let question = question(args)?;
        let (encoding, why) = decide(&question, &text, "the names that are not UTF-8")?;
        reading.from = Some(encoding);
        said = format!("the names that are not UTF-8 are in {encoding} ({why})");
    }
    Ok(Plan::new(found, said, reading))
}

/// Returns the rules by the options.
fn reading(args: &NamesArgs) -> Result<Reading, Failure> {
    let from = labels::given(&args.from)?;
    if from.is_some() {
        refuse_hint(args.guess.first_given())?;
    }
    let to = labels::find_target(&args.to)?;
    if let Some(from) = from
        && !from.is_ascii_compatible()
        && !from.is_stateful()
    {
        return Err(Failure::Usage(format!(
            "names of files cannot be in {from}, in which the byte of a slash is another character; name another encoding with --from"
        )));
    }
    if !to.is_ascii_compatible() || to.is_stateful() || to.new_encoder().is_err() {
        return Err(Failure::Usage(format!(
            "names of files cannot be in {to}: its characters have slashes or zero bytes in them, or it cannot be written; use another --to"
        )));
    }
    if to != UTF_8 && from.is_some_and(|from| from != UTF_8) {
        return Err(Failure::usage(
            "--to takes names from UTF-8 to another encoding, so --from must be utf-8: change the names to UTF-8 first",
        ));
    }
    Ok(Reading {
        from,
        to,
        form: args.normalize,
        repair: args.repair,
    })
}

fn question(args: &NamesArgs) -> Result<Question, Failure> {
    Ok(Question {
        context: FileContext::Of(Context::PlainText),
        confidence: args.confidence.confidence,
        is_text: true,
        ..args.guess.question()?
    })
}

/// Decides the encoding of names, one per line, and returns it with the reason.
///
/// # Errors
///
/// Fails if the encoding is doubtful.
fn decide(
    question: &Question,
    text: &[u8],
    name: &str,
) -> Result<(&'static Encoding, String), Failure> {
    let decided = question.of_bytes(None, text);
    let doubtful = |doubt| Failure::Doubtful {
        name: name.to_owned(),
        doubt,
    };
    match (&decided.outcome, &decided.judgement) {
        (Outcome::Doubtful(doubt), _) => Err(doubtful(doubt.clone())),
        (Outcome::Sure, Some(judgement)) => {
            Ok((judgement.decision.encoding, report::why(judgement)))
        }
        _ => Err(doubtful(Box::default())),
    }
}

/// Returns the interrupted run over the `named` files and folders, if there is one.
fn unfinished(named: &[PathBuf]) -> Result<Option<RecordedRun>, Failure> {
    let failed = |error| Failure::io("read", "the records of earlier runs", error);
    for listed in history::all().map_err(failed)? {
        let is_over = sources::overlap(&listed.header.sources, named);
        if listed.header.kind != ChangeKind::Names || !is_over {
            continue;
        }
        match RecordedRun::open(listed.id) {
            Ok(run) => {
                let renames = Renames::read(&run).map_err(failed)?;
                if renames.is_undo {
                    return Err(Failure::Usage(format!(
                        "an undo of an earlier run over these names is unfinished; go on with it: mojika undo {}",
                        run.id
                    )));
                }
                if renames.list.is_empty() && !renames.is_complete {
                    // The run was interrupted before anything was renamed.
                    run.remove().map_err(failed)?;
                } else if !renames.is_complete {
                    return Ok(Some(run));
                }
            }
            Err(RunError::Locked) => {
                return Err(Failure::usage(
                    "another run is changing these names; wait until it ends",
                ));
            }
            Err(RunError::None) => {}
            Err(RunError::Io(error)) => return Err(failed(error)),
        }
    }
    Ok(None)
}

/// Continues an interrupted run: only its planned changes are made.
fn go_on(args: &NamesArgs, run: &RecordedRun) -> Result<u8, Failure> {
    let failed = |error| Failure::io("read", "the record of the earlier run", error);
    let mut renames = Renames::read(run).map_err(failed)?;
    run.go_on().map_err(failed)?;
    let is_done = |one: &&Rename| one.state == RenameState::Done;
    let before = renames.list.iter().filter(is_done).count() as u64;
    let mut plan = Plan {
        count: renames.list.len() as u64,
        said: format!("{} renamed before", counted(before, "name")),
        ..Plan::default()
    };
    let count = rename(run, &mut renames, true, |one, refused| {
        plan.names.push(Planned {
            path: one.spot.path(),
            to: Some(one.to.clone()),
            refused,
        });
    })?;
    finish(args, &plan, Some((run.id, count)))
}

/// Makes the changes of a run that an earlier run has not made, until a signal stops it, and passes each to `note` with the
/// reason if it is refused. Records that the run is complete; returns the number of changes.
///
/// The record of the run is its journal and its report, so no [`Operation`](operation::Operation) is begun.
fn rename(
    run: &RecordedRun,
    renames: &mut Renames,
    is_again: bool,
    mut note: impl FnMut(&Rename, Option<String>),
) -> Result<u64, Failure> {
    let mut opener = Opener::default();
    let mut count = 0;
    for at in going(0..renames.list.len()) {
        if renames.list[at].state != RenameState::Done {
            let refused = renames.rename(&mut opener, run, at, is_again).err();
            count += u64::from(refused.is_none());
            note(&renames.list[at], refused);
        }
    }
    if !signals::stopped() {
        let noted = run.append(b"{\"complete\":true}\n");
        noted.map_err(|error| Failure::io("complete", "the record of the run", error))?;
    }
    Ok(count)
}

/// Prints the changes or the plan; returns the exit status.
fn finish(args: &NamesArgs, plan: &Plan, done: Done) -> Result<u8, Failure> {
    if !args.quiet || args.json {
        let lines = plan.names.iter().filter_map(|name| match args.json {
            true => Some(json(name, done) + "\n"),
            false => line(name),
        });
        print(lines.collect::<String>().as_bytes())?;
    }
    let refused: Vec<_> = plan
        .names
        .iter()
        .filter_map(|name| Some((&name.path, name.refused.as_ref()?)))
        .collect();
    for error in &plan.errors {
        report::say(&format!(
            "{}: cannot read: {}",
            quote(&error.path),
            error.error
        ));
    }
    for (path, reason) in &refused {
        report::say(&format!("{}: refused: {reason}", quote(path)));
    }
    if !args.quiet {
        say_summary(plan, done, refused.len() as u64);
    }
    let is_right = refused.is_empty() && plan.errors.is_empty();
    Ok(operation::status(is_right))
}

/// Returns the line for a name that changes or would change.
fn line(name: &Planned) -> Option<String> {
    let to = name.to.as_ref().filter(|_| name.refused.is_none())?;
    let to = quote(Path::new(to));
    Some(format!("{} -> {to}\n", quote(&name.path)))
}

fn json(name: &Planned, done: Done) -> String {
    let mut line = name_of(&name.path);
    line["status"] = match (&name.refused, done) {
        (Some(_), _) => "refused",
        (None, None) => "planned",
        (None, Some(_)) => "renamed",
    }
    .into();
    if let Some(to) = &name.to {
        put_name(&mut line, "to", Path::new(to));
    }
    if let Some(reason) = &name.refused {
        line["reason"] = reason.as_str().into();
    }
    line.to_string()
}

fn say_summary(plan: &Plan, done: Done, refused: u64) {
    if !plan.said.is_empty() {
        report::say(&plan.said);
    }
    let planned = plan.names.len() as u64 - refused;
    let (changed, verb) = match done {
        None => (planned, "would be renamed"),
        Some((_, count)) => (count, "renamed"),
    };
    let mut line = format!("{}: {changed} {verb}", counted(plan.count, "name"));
    if refused > 0 {
        line += &format!(", {refused} refused");
    }
    match done {
        None if planned > 0 => line += "; --rename does it",
        Some((id, 1..)) => line += &format!("; to revert it: mojika undo {id}"),
        _ => {}
    }
    report::say(&line);
    if signals::stopped() {
        report::say(&format!("interrupted; to go on: {}", again()));
    }
}

//! `mojika check` of standard input.

use super::decide::{self, Held};
use crate::args::check::CheckArgs;
use crate::engine::{self, From, Input, Options, Shape};
use crate::labels;
use crate::report::{self, Failure};
use std::io::{self, Read};
use std::path::Path;

/// Checks standard input; returns the exit status.
///
/// # Errors
///
/// Fails if it is no valid text, or its encoding is not sure enough.
pub fn standard_input(args: &CheckArgs) -> Result<u8, Failure> {
    const NAME: &str = "standard input";
    let is_auto = args.from == "auto";
    let question = args.question(is_auto)?;
    let to = labels::find_target(&args.to)?;
    let mut options = Options {
        threads: args.select.run.jobs,
        shape: Shape {
            counts: true,
            ..Shape::default()
        },
        ..Options::new(From::Unnamed, to)
    };
    let unreadable = |error| Failure::io("read", NAME, error);
    let (format, reader) = engine::decompressed(Box::new(io::stdin())).map_err(unreadable)?;
    let (mut judgement, mut slots) = (None, None);
    let mut reader: Box<dyn Read + Send> = if is_auto {
        let mut held = Held::new(reader, Path::new("-"), &question).map_err(unreadable)?;
        if held.is_open() {
            slots = Some(held.slots());
            options.from = From::Given(mojika::UTF_8);
        } else {
            held.decide().map_err(unreadable)?;
            let decided = held.conclude();
            if let Some(failure) = decide::refused(&decided, NAME) {
                return Err(failure);
            }
            judgement = decided.judgement;
            if let Some(decision) = decided.decision() {
                options.from = From::Decided(decision);
            }
        }
        Box::new(held)
    } else {
        options.from = From::Given(labels::find(&args.from)?);
        reader
    };
    let input = Input {
        reader: &mut reader,
        size: None,
        prompt: false,
        turn: slots.as_ref().map(|(turn, _)| &**turn),
    };
    let (outcome, result) = engine::convert(input, &mut io::sink(), &options, &mut |_| {});
    if let Some((_, decided)) = &slots
        && let Some(decided) = engine::lock(decided).take()
    {
        if let Some(failure) = decide::refused(&decided, NAME) {
            return Err(failure);
        }
        judgement = decided.judgement;
    }
    match (result, format) {
        (Ok(()), _) => {
            if !args.quiet {
                let encoding = outcome.encoding.unwrap_or(mojika::UTF_8);
                report::say(&format!("{NAME}: valid {encoding} ({})", outcome.why));
                for note in report::seen(&outcome.seen, options.shape) {
                    report::say(&format!("{NAME}: {note}"));
                }
            }
            Ok(0)
        }
        (Err(engine::Failure::Read(error)), Some(format)) => Err(Failure::io(
            "read",
            NAME,
            io::Error::other(format!("the {format} data is damaged ({error})")),
        )),
        (Err(failure), _) => {
            let failure = Failure::of(failure, NAME, NAME, &outcome, &options);
            if let Failure::Malformed { .. } = failure {
                let message = failure.message().unwrap_or_default();
                report::say(&(message + &report::in_question(judgement.as_ref())));
                return Ok(failure.status());
            }
            Err(failure)
        }
    }
}

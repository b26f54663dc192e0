//! All messages. The messages of errors that stop the command are in `failure`.

mod failure;

pub use failure::{Failure, refused};

use crate::decide::{Doubt, SHOWN, hundredths};
use crate::engine::{From, Newline, Options, Place, Seen, Shape, Trouble, TroubleKind, hex};
use crate::repair::Repairs;
use mojika::Encoding;
use mojika_sniff::Source;
use mojika_sniff::judge::Judgement;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// The message about an input in the encoding `REPLACEMENT`.
pub const DECODED_BY_NONE: &str = "the label names an encoding that browsers do not decode; \
     after \"extended:\", iso-2022-kr, iso-2022-cn and hz-gb-2312 are decoded";

/// True if a file looks like text in the decided encoding, though it may be malformed, such as UTF-16 with a cut end.
fn is_as_guessed(judgement: &&Judgement) -> bool {
    let mut guesses = judgement.ranking.iter();
    (guesses.next()).is_some_and(|guess| guess.encoding == judgement.decision.encoding)
}

/// Returns the text about detection for a file that is malformed in the decided encoding; empty if detection was not used,
/// or has found that encoding.
pub fn in_question(judgement: Option<&Judgement>) -> String {
    let judgement = judgement.filter(|one| !is_as_guessed(one));
    let guesses = judgement.map_or(&[][..], |judgement| &judgement.ranking[..]);
    let names: Vec<_> = guesses
        .iter()
        .take(SHOWN)
        .map(|guess| format!("{} ({})", guess.encoding, hundredths(guess.probability)))
        .collect();
    match names.is_empty() {
        true => String::new(),
        false => format!("; its bytes look like {}", names.join(", ")),
    }
}

/// Returns the source of a decision, with the probability of a guess.
pub fn why(judgement: &Judgement) -> String {
    let source = judgement.decision.source;
    let probability = judgement.probability.map(hundredths);
    match probability.filter(|_| source == Source::Detection) {
        Some(probability) => format!("{source}, {probability}"),
        None => source.to_string(),
    }
}

/// Returns the hint for text that is malformed in the encoding of its byte order mark, which overrode `--from`.
pub fn false_mark(why: &str, options: &Options, encoding: Option<&Encoding>) -> &'static str {
    match options.from {
        From::Given(given)
            if why == Source::Bom.as_str()
                && options.rfc2781.is_none()
                && encoding.is_some_and(|encoding| encoding != given) =>
        {
            "; if its byte order mark is false, --bom ignore lets --from decide"
        }
        _ => "",
    }
}

/// Returns the options that convert text on which a conversion has failed.
pub fn remedy(failure: &Failure, judgement: Option<&Judgement>) -> &'static str {
    match failure {
        Failure::Trouble { trouble, .. } if failure::is_of_replacement(trouble) => "",
        Failure::Trouble { trouble, .. } => match trouble.kind {
            TroubleKind::Malformed if judgement.as_ref().is_some_and(is_as_guessed) => {
                "; write U+FFFD for it with --errors replacement"
            }
            TroubleKind::Malformed => {
                "; name another encoding with --from LABEL, or write U+FFFD for it with --errors replacement"
            }
            TroubleKind::Unmappable(_) => {
                "; use --to utf-8, or write something like it with --translit or --errors html"
            }
        },
        _ => "",
    }
}

/// Returns the one-line message for a malformed sequence or unmappable character.
pub fn trouble(trouble: &Trouble, to: &Encoding) -> String {
    let at = Place::of(trouble);
    let Trouble {
        encoding, bytes, ..
    } = trouble;
    match trouble.kind {
        TroubleKind::Malformed => format!("malformed {encoding} sequence {} at {at}", hex(bytes)),
        TroubleKind::Unmappable(character) => {
            let number = u32::from(character);
            format!("U+{number:04X} {character:?} at {at} cannot be written in {to}")
        }
    }
}

/// Returns the warning about a text that is converted as declared, although its bytes suggest another encoding.
pub fn disagreement(judgement: &Judgement) -> Option<String> {
    let (declared, shown) = judgement.declared.zip(judgement.contradiction)?;
    (declared.encoding == judgement.decision.encoding).then(|| {
        format!(
            "declared {} ({}), though its bytes look like {shown}; --distrust-declared believes them",
            declared.encoding, declared.source
        )
    })
}

/// Returns the possible encodings, one per line, with the probability and a sample line.
pub(crate) fn candidates(doubt: &Doubt) -> impl Iterator<Item = String> {
    doubt.candidates.iter().map(|candidate| {
        let probability = match candidate.probability {
            Some(probability) => hundredths(probability),
            None => "said".to_owned(),
        };
        format!(
            "{:<14} {probability}  {}",
            candidate.encoding.name(),
            candidate.line
        )
    })
}

/// Returns the reason why --repair has changed nothing.
pub fn unrepaired(outcome: &crate::engine::Outcome) -> String {
    match outcome.encoding {
        Some(other) if other != mojika::UTF_8 => {
            format!("nothing to repair: --repair looks at text in UTF-8, and this is {other}")
        }
        _ => "nothing to repair: no line was encoded twice".to_owned(),
    }
}

/// Returns the message about lines that were encoded twice, with the first line as a sample; `None` without such lines.
pub fn repaired(found: &Repairs, is_undone: bool) -> Option<String> {
    let stays = (found.ambiguous > 0).then(|| {
        let lines = counted(found.ambiguous, "line");
        let line = found.first_ambiguous;
        let encodings = found.may_be.join(", ");
        format!(
            "encoded twice in {lines}, first in line {line}, in one of several encodings ({encodings}): left as it was"
        )
    });
    let Some(first) = found.repaired.first() else {
        return stays;
    };
    let lines = counted(found.count, "line");
    let sample = |text: &str| -> String {
        // The sample starts at the first non-ASCII character.
        let start = text.find(|c: char| !c.is_ascii()).unwrap_or(0);
        let text: String = text[start..].trim_end().chars().take(24).collect();
        text.escape_debug().to_string()
    };
    let fate = if is_undone {
        "undone"
    } else {
        "--repair undoes it"
    };
    let undone = format!(
        "encoded twice in {lines}, first in line {}, where \"{}\" was \"{}\": {fate}",
        first.line,
        sample(&first.before),
        sample(first.after.as_deref().unwrap_or_default()),
    );
    Some(match stays {
        Some(stays) => format!("{undone}; {stays}"),
        None => undone,
    })
}

/// Returns the messages about several kinds of line ends, and about byte order marks after the start.
pub fn seen(seen: &Seen, shape: Shape) -> Vec<String> {
    let mut notes = Vec::new();
    if seen.line_ends.are_mixed() {
        let fate = match shape.newline {
            Newline::Keep => "",
            Newline::Lf => "; all are LF now",
            Newline::Crlf => "; all are CR LF now",
            Newline::Cr => "; all are CR now",
            Newline::Nel => "; all are NEL now",
        };
        notes.push(format!("mixed line ends, {}{fate}", seen.line_ends));
    }
    if seen.marks > 0 {
        let marks = counted(seen.marks, "byte order mark");
        let fate = match shape.strips_marks {
            false => "kept: --bom none leaves them out",
            true => "left out",
        };
        notes.push(format!("{marks} after the start, {fate}"));
    }
    notes
}

/// Returns the end of a message about the first of `count` errors.
pub fn and_more(count: u64) -> String {
    match count.saturating_sub(1) {
        0 => String::new(),
        others => format!("; and {others} more"),
    }
}

/// Formats a number with its noun.
pub fn counted(count: u64, what: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {what}{s}")
}

/// True if the last byte on standard output was not a line end.
static IS_WITHIN: AtomicBool = AtomicBool::new(false);

/// Records the last byte written to standard output.
pub(crate) fn note_end(last: u8) {
    IS_WITHIN.store(last != b'\n', Ordering::Relaxed);
}

/// Writes a message to standard error. Characters that control a terminal are escaped.
///
/// If standard output is the same terminal, the message starts on a new line.
pub fn say(message: &str) {
    let are_terminals = || io::stdout().is_terminal() && io::stderr().is_terminal();
    if IS_WITHIN.load(Ordering::Relaxed) && are_terminals() {
        let _ = io::stdout().flush();
        let _ = writeln!(io::stderr());
        note_end(b'\n');
    }
    let message = crate::quote::printable_lines(message);
    // Without standard error, the message is lost.
    let _ = writeln!(io::stderr(), "{message}");
}

/// True if `file` is standard output. Such a file would grow while it is read.
pub fn is_standard_output(file: &Path) -> bool {
    let is_regular = file.metadata().is_ok_and(|metadata| metadata.is_file());
    is_regular
        && match (
            same_file::Handle::stdout(),
            same_file::Handle::from_path(file),
        ) {
            (Ok(output), Ok(input)) => output == input,
            _ => false,
        }
}

/// True if standard output was closed when the command started.
///
/// Rust's runtime opens the null device for reading and writing in place of a closed stream. A shell that redirects the
/// output to the null device opens it only for writing.
pub fn was_closed() -> bool {
    use rustix::fs::OFlags;
    let flags = rustix::fs::fcntl_getfl(rustix::stdio::stdout());
    let is_both = flags.is_ok_and(|flags| flags & OFlags::RWMODE == OFlags::RDWR);
    let own = same_file::Handle::stdout();
    let null = same_file::Handle::from_path("/dev/null");
    is_both && matches!((own, null), (Ok(own), Ok(null)) if own == null)
}

//! Every message and exit status.

use crate::decide::{Doubt, SHOWN, hundredths};
use crate::engine::{
    self, ErrorMode, InteriorBom, Newline, Options, Outcome, Place, Seen, Shape, Trouble,
    TroubleKind, hex,
};
use crate::repair::Repairs;
use mojika::extended::rfc2781::{self, Charset};
use mojika::sniff::judge::Judgement;
use mojika::{Encoding, REPLACEMENT, UTF_16LE};
use std::io::{self, Write};

/// Why the command stops.
#[derive(Debug)]
pub enum Failure {
    /// No encoding has this label.
    UnknownLabel {
        label: String,
        nearest: Vec<&'static str>,
    },
    /// Other programs have an encoding of this name, and this one has not.
    MissingEncoding { label: String, name: &'static str },
    /// The output encoding has no encoder.
    NoEncoder { encoding: &'static Encoding },
    /// The output encoding has no byte order mark.
    NoBom { encoding: &'static Encoding },
    /// The options do not go together, or not with what is there.
    Usage(String),
    /// An input with neither `--from` nor a byte order mark, and not UTF-8 at `offset`.
    UnknownSource { name: String, place: Place },
    /// An XML document whose encoding declaration is not what its bytes show.
    Contradiction { name: String, doubt: Box<Doubt> },
    /// An input whose encoding is not sure enough.
    Doubtful { name: String, doubt: Box<Doubt> },
    /// An input that is no text, but this.
    Binary { name: String, what: &'static str },
    /// An input that is the file behind standard output.
    OntoStandardOutput { name: String },
    /// `bytes` at `offset` of the input are no text in `encoding`.
    Malformed {
        name: String,
        encoding: &'static Encoding,
        bytes: Vec<u8>,
        place: Place,
        /// What RFC 2781 calls it, where the input is labelled with a charset of that.
        error: Option<rfc2781::CharsetError>,
    },
    /// The character whose first byte is at `offset` of the input cannot be written in `encoding`.
    Unmappable {
        name: String,
        encoding: &'static Encoding,
        character: char,
        place: Place,
    },
    /// A file is not changed, for this reason.
    #[cfg(all(unix, feature = "edit"))]
    Refused { name: String, reason: String },
    /// Reading or writing failed.
    Io {
        action: &'static str,
        name: String,
        error: io::Error,
    },
    /// The folder that the output file is to be in does not exist.
    NoFolder { name: String, folder: String },
    /// Standard output is closed.
    ClosedOutput,
    /// Whoever was to read the output has gone.
    BrokenPipe,
}

/// What is said of an input in `REPLACEMENT`.
pub const DECODED_BY_NONE: &str = "the label names an encoding that browsers decode none of; \
     after \"extended:\", iso-2022-kr, iso-2022-cn and hz-gb-2312 are decoded";

/// What detection makes of a file that is malformed in the encoding that was decided on; nothing if it was not asked.
pub fn in_question(judgement: Option<&Judgement>) -> String {
    let guesses = judgement.map_or(&[][..], |judgement| &judgement.ranking[..]);
    let names: Vec<_> = guesses
        .iter()
        .take(SHOWN)
        .map(|guess| format!("{} ({})", guess.encoding, hundredths(guess.probability)))
        .collect();
    match names.is_empty() {
        true => String::new(),
        false => format!("; in question by its bytes: {}", names.join(", ")),
    }
}

impl Failure {
    /// `action` on the file called `name` failed.
    pub fn io(action: &'static str, name: impl Into<String>, error: io::Error) -> Self {
        Self::Io {
            action,
            name: name.into(),
            error,
        }
    }

    /// The options do not go together.
    pub fn usage(message: &str) -> Self {
        Self::Usage(message.to_owned())
    }

    /// Writing to the output called `name` failed.
    pub fn write(name: &str, error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::BrokenPipe
        } else {
            Self::io("write to", name, error)
        }
    }

    /// The engine's failure on the input called `name`.
    pub fn of(
        failure: engine::Failure,
        name: &str,
        output_name: &str,
        outcome: &Outcome,
        options: &Options,
    ) -> Self {
        let name = name.to_owned();
        let to = options.to;
        match failure {
            engine::Failure::UnknownSource { offset } => Self::UnknownSource {
                name,
                place: match &outcome.first_error {
                    Some(trouble) if trouble.offset == offset => Place::of(trouble),
                    _ => Place::at(offset),
                },
            },
            engine::Failure::NoEncoder(encoding) => Self::NoEncoder { encoding },
            engine::Failure::NoBom(encoding) => Self::NoBom { encoding },
            engine::Failure::Read(error) => Self::io("read", name, error),
            engine::Failure::Write(error) => Self::write(output_name, error),
            engine::Failure::Trouble(trouble) => match trouble.kind {
                TroubleKind::Malformed => {
                    let encoding = outcome.encoding.unwrap_or(to);
                    Self::Malformed {
                        name,
                        encoding,
                        error: options
                            .rfc2781
                            .and_then(|_| rfc2781_error(encoding, &trouble.bytes, trouble.offset)),
                        place: Place::of(&trouble),
                        bytes: trouble.bytes,
                    }
                }
                TroubleKind::Unmappable(character) => Self::Unmappable {
                    name,
                    encoding: to,
                    character,
                    place: Place::of(&trouble),
                },
            },
            engine::Failure::Damaged { .. } | engine::Failure::Changed { .. } => {
                let error = io::Error::other(failure.to_string());
                Self::io("read", name, error)
            }
        }
    }

    /// The exit status.
    pub fn status(&self) -> u8 {
        match self {
            Self::UnknownLabel { .. }
            | Self::MissingEncoding { .. }
            | Self::NoEncoder { .. }
            | Self::NoBom { .. }
            | Self::Usage(_)
            | Self::UnknownSource { .. }
            | Self::OntoStandardOutput { .. } => 2,
            Self::Contradiction { .. }
            | Self::Doubtful { .. }
            | Self::Binary { .. }
            | Self::Malformed { .. }
            | Self::Unmappable { .. }
            | Self::NoFolder { .. }
            | Self::ClosedOutput
            | Self::Io { .. } => 1,
            #[cfg(all(unix, feature = "edit"))]
            Self::Refused { .. } => 1,
            // What shells say of a command that SIGPIPE has ended, as it ends most filters.
            Self::BrokenPipe => 141,
        }
    }

    /// The line for standard error; `None` if there is nothing to say.
    pub fn message(&self) -> Option<String> {
        Some(match self {
            Self::UnknownLabel { label, nearest } => {
                let hint = if nearest.is_empty() {
                    String::new()
                } else {
                    format!("did you mean {}? ", nearest.join(", "))
                };
                let label = label.escape_debug();
                format!("unknown encoding '{label}'; {hint}`mojika encodings` lists all")
            }
            Self::MissingEncoding { label, name } => {
                let label = label.escape_debug();
                let instead = match *name {
                    "UTF-8-MAC" => "; it is utf-8 with --normalize: nfc to read it, nfd to write it",
                    _ => "",
                };
                format!("'{label}' is {name} to iconv, which is not among the encodings that `mojika encodings` lists{instead}")
            }
            Self::Usage(message) => message.clone(),
            Self::NoEncoder { encoding } => {
                format!("{encoding} has no encoder: nothing can be written in it; use --to utf-8")
            }
            Self::NoBom { encoding } => {
                format!("{encoding} has no byte order mark: --bom is for UTF-8, UTF-16LE, UTF-16BE")
            }
            Self::UnknownSource { name, place } => format!(
                "{name}: has no byte order mark and is not UTF-8 at {place}; \
                 name its encoding with --from LABEL, or let --from auto find it"
            ),
            Self::Contradiction { name, doubt } => {
                let message =
                    format!("{name}: {}; name its encoding with --from LABEL", doubt.reason);
                with_candidates(message, doubt)
            }
            Self::Doubtful { name, doubt } => {
                let message = format!(
                    "{name}: doubtful: {}; name its encoding with --from LABEL, or ask for less with --confidence",
                    doubt.reason
                );
                with_candidates(message, doubt)
            }
            Self::Binary { name, what } => {
                format!("{name}: {what}; --text takes it for text")
            }
            Self::OntoStandardOutput { name } => {
                format!("{name}: is also standard output; use -o to convert a file onto itself")
            }
            Self::Malformed { name, encoding, .. } if *encoding == REPLACEMENT => {
                format!("{name}: {DECODED_BY_NONE}")
            }
            Self::Malformed {
                name,
                encoding,
                place,
                error: Some(error),
                ..
            } => format!("{name}: malformed {encoding}: {error}{}", place.in_lines()),
            Self::Malformed {
                name,
                encoding,
                bytes,
                place,
                error: None,
            } => format!("{name}: {}", malformed(encoding, bytes, *place)),
            Self::Unmappable {
                name,
                encoding,
                character,
                place,
            } => format!("{name}: {}", unmappable(encoding, *character, *place)),
            #[cfg(all(unix, feature = "edit"))]
            Self::Refused { name, reason } => format!("{name}: {reason}"),
            Self::Io {
                action,
                name,
                error,
            } => format!("cannot {action} {name}: {error}"),
            Self::NoFolder { name, folder } => format!(
                "{name}: the folder {folder} does not exist; make it, or use -o DIR/, which makes DIR"
            ),
            Self::ClosedOutput => {
                "standard output is closed, so the text would be lost; use -o FILE, or >/dev/null to discard it"
                    .to_owned()
            }
            Self::BrokenPipe => return None,
        })
    }
}

/// What is wrong with a file, as one line.
pub fn trouble(trouble: &Trouble, from: &Encoding, to: &Encoding) -> String {
    let at = Place::of(trouble);
    match trouble.kind {
        TroubleKind::Malformed => malformed(from, &trouble.bytes, at),
        TroubleKind::Unmappable(character) => unmappable(to, character, at),
    }
}

fn malformed(encoding: &Encoding, bytes: &[u8], at: Place) -> String {
    format!("malformed {encoding} sequence {} at {at}", hex(bytes))
}

fn unmappable(encoding: &Encoding, character: char, at: Place) -> String {
    let number = u32::from(character);
    format!("U+{number:04X} {character:?} at {at} cannot be written in {encoding}")
}

/// What is to be said of a text that is converted as it is declared, though its bytes show another encoding.
pub fn disagreement(judgement: &Judgement) -> Option<String> {
    let (declared, shown) = judgement.declared.zip(judgement.contradiction)?;
    (declared.encoding == judgement.decision.encoding).then(|| {
        format!(
            "declared {} ({}), though its bytes look like {shown}; --distrust-declared believes them",
            declared.encoding, declared.source
        )
    })
}

fn with_candidates(mut message: String, doubt: &Doubt) -> String {
    for line in candidates(doubt) {
        message.push_str("\n  ");
        message.push_str(&line);
    }
    message
}

/// The encodings in question, one a line: with their probability, and the first line beyond ASCII as it would read.
pub fn candidates(doubt: &Doubt) -> impl Iterator<Item = String> {
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

/// The error of RFC 2781 that these malformed bytes at `offset` of the input are.
fn rfc2781_error(encoding: &Encoding, bytes: &[u8], offset: u64) -> Option<rfc2781::CharsetError> {
    let charset = if encoding == UTF_16LE {
        Charset::Utf16Le
    } else {
        Charset::Utf16Be
    };
    let mut error = charset.decode_fatal(bytes).err()?;
    error.offset += offset;
    Some(error)
}

/// What was not converted as it stood, in one input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Malformed sequences.
    pub malformed: u64,
    /// Characters that the output encoding lacks; a U+FFFD for a malformed sequence is not one of them.
    pub unmappable: u64,
    /// Characters that the output encoding lacks, for which a substitute was written.
    pub substituted: u64,
}

/// The line that says what was replaced or dropped; `None` if nothing was.
pub fn summary(name: &str, errors: ErrorMode, to: &Encoding, counts: Counts) -> Option<String> {
    let (malformed_fate, unmappable_fate) = match errors {
        ErrorMode::Skip => ("dropped", "dropped"),
        ErrorMode::Html => ("replaced", "written as &#…;"),
        ErrorMode::Replacement | ErrorMode::Fatal => ("replaced", "replaced with '?'"),
    };
    let mut parts = Vec::new();
    if counts.malformed > 0 {
        let sequences = counted(counts.malformed, "malformed sequence");
        parts.push(format!("{sequences} {malformed_fate}"));
    }
    if counts.unmappable > 0 {
        let characters = counted(counts.unmappable, "character");
        parts.push(format!("{characters} not in {to} {unmappable_fate}"));
    }
    if counts.substituted > 0 {
        let characters = counted(counts.substituted, "character");
        parts.push(format!("{characters} not in {to} written as a substitute"));
    }
    (!parts.is_empty()).then(|| format!("{name}: {}", parts.join(", ")))
}

/// What is said of lines that were encoded twice, with the first as a sample; `None` if there are none.
pub fn repaired(found: &Repairs, is_undone: bool) -> Option<String> {
    let stays = (found.ambiguous > 0).then(|| {
        let lines = counted(found.ambiguous, "line");
        format!(
            "encoded twice in {lines}, first in line {}, in one of several encodings: left as it was",
            found.first_ambiguous
        )
    });
    let Some(first) = found.repaired.first() else {
        return stays;
    };
    let lines = counted(found.count, "line");
    let sample = |text: &str| -> String {
        // From the first character beyond ASCII on.
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
        sample(&first.after),
    );
    Some(match stays {
        Some(stays) => format!("{undone}; {stays}"),
        None => undone,
    })
}

/// What is said of line ends of several kinds, and of byte order marks after the start.
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
        let fate = match shape.interior_bom {
            InteriorBom::Keep => "kept: --interior-bom strip leaves them out",
            InteriorBom::Strip => "left out",
        };
        notes.push(format!("{marks} after the start, {fate}"));
    }
    notes
}

/// What follows a message about the first of `count` errors.
#[cfg(unix)]
pub fn and_more(count: u64) -> String {
    match count.saturating_sub(1) {
        0 => String::new(),
        others => format!("; and {others} more"),
    }
}

/// A number of things.
pub fn counted(count: u64, what: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {what}{s}")
}

/// Writes a message to standard error. What would steer a terminal is escaped, wherever it has come from.
pub fn say(message: &str) {
    let message = crate::quote::printable_lines(message);
    // If standard error is gone there is no one left to tell.
    let _ = writeln!(io::stderr(), "{message}");
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What has become of line ends and of marks is said for each choice.
    #[test]
    fn what_was_seen_says_what_has_become_of_it() {
        let mut seen = Seen::default();
        (seen.line_ends.lf, seen.line_ends.crlf, seen.marks) = (1, 2, 1);
        let notes = |newline, interior_bom| {
            let shape = Shape {
                newline,
                interior_bom,
                ..Shape::default()
            };
            super::seen(&seen, shape)
        };
        let ends = format!("mixed line ends, {}", seen.line_ends);
        for (newline, fate) in [
            (Newline::Keep, ""),
            (Newline::Lf, "; all are LF now"),
            (Newline::Crlf, "; all are CR LF now"),
            (Newline::Cr, "; all are CR now"),
            (Newline::Nel, "; all are NEL now"),
        ] {
            let marks = "1 byte order mark after the start, left out";
            assert_eq!(
                notes(newline, InteriorBom::Strip),
                [format!("{ends}{fate}"), marks.to_owned()]
            );
        }
        let kept = "1 byte order mark after the start, kept: --interior-bom strip leaves them out";
        assert_eq!(notes(Newline::Keep, InteriorBom::Keep)[1], kept);
        assert_eq!(super::seen(&Seen::default(), Shape::default()), [""; 0]);
    }

    /// Sequences that RFC 2781 forbids are named by it, where they are in the input.
    #[test]
    fn errors_of_rfc_2781_are_those_of_the_octet_order() {
        for (encoding, bytes) in [(UTF_16LE, b"\x00\xDC"), (mojika::UTF_16BE, b"\xDC\x00")] {
            let error = rfc2781_error(encoding, bytes, 10).unwrap();
            assert_eq!(error.offset, 10, "{encoding}");
            assert_eq!(rfc2781_error(encoding, b"ab", 10), None, "{encoding}");
        }
    }

    #[test]
    fn numbers_of_things_and_of_more_errors() {
        let counted = |count| super::counted(count, "file");
        assert_eq!([0, 1, 2].map(counted), ["0 files", "1 file", "2 files"]);
        #[cfg(unix)]
        assert_eq!([0, 1, 3].map(and_more), ["", "", "; and 2 more"]);
    }
}

//! The reasons why the command stops: the message for standard error, and the exit status.

use super::{DECODED_BY_NONE, candidates};
use crate::decide::{Decided, Doubt, Outcome as Decision};
use crate::engine::{self, Options, Place, Trouble, TroubleKind};
use mojika::extended::rfc2781::{self, Charset};
use mojika::{Encoding, REPLACEMENT, UTF_16LE};
use std::io;

/// The reason why the command stops.
#[derive(Debug)]
#[allow(missing_docs, reason = "fields are named after what they hold")]
pub enum Failure {
    /// There is no encoding with this label.
    UnknownLabel {
        label: String,
        /// The function that finds similar labels. It searches all labels, so it is called only for a message: mail may
        /// have many unknown labels.
        nearest: fn(&str) -> Vec<&'static str>,
    },
    /// Other programs have an encoding with this name, but mojika lacks it.
    MissingEncoding { label: String, name: &'static str },
    /// The options contradict each other or the files.
    Usage(String),
    /// An input has neither `--from` nor a byte order mark, and is not UTF-8 at `offset`.
    UnknownSource { name: String, place: Place },
    /// The encoding of an input is uncertain.
    Doubtful { name: String, doubt: Box<Doubt> },
    /// An input is binary data; `what` describes its kind.
    Binary { name: String, what: &'static str },
    /// Standard output is redirected to an input.
    OntoStandardOutput { name: String },
    /// An input has a malformed sequence, or a character that is unmappable in `to`.
    Trouble {
        name: String,
        trouble: Trouble,
        to: &'static Encoding,
        /// The error by RFC 2781, if the input is labelled with a charset of that RFC.
        error: Option<rfc2781::CharsetError>,
    },
    /// A file is not changed; `reason` is the reason.
    Refused { name: String, reason: String },
    /// Reading or writing failed.
    Io {
        action: &'static str,
        name: String,
        error: io::Error,
    },
    /// The folder of the output file does not exist.
    NoFolder { name: String, folder: String },
    /// Standard output is closed.
    ClosedOutput,
    /// The reader of standard output has closed it.
    BrokenPipe,
}

impl Failure {
    /// Returns the failure of `action` on the file called `name`.
    pub fn io(action: &'static str, name: impl Into<String>, error: io::Error) -> Self {
        Self::Io {
            action,
            name: name.into(),
            error,
        }
    }

    /// Returns the failure of contradictory options.
    pub fn usage(message: &str) -> Self {
        Self::Usage(message.to_owned())
    }

    /// Returns the failure to write to the output called `name`.
    pub fn write(name: &str, error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::BrokenPipe
        } else {
            Self::io("write to", name, error)
        }
    }

    /// Returns the engine's failure on the input called `name`.
    pub fn of(failure: engine::Failure, name: &str, output_name: &str, options: &Options) -> Self {
        let name = name.to_owned();
        match failure {
            engine::Failure::UnknownSource(trouble) => Self::UnknownSource {
                name,
                place: Place::of(&trouble),
            },
            engine::Failure::NoEncoder(_) | engine::Failure::NoBom(_) => {
                Self::Usage(failure.to_string())
            }
            engine::Failure::Read(error) => Self::io("read", name, error),
            engine::Failure::Write(error) => Self::write(output_name, error),
            engine::Failure::Trouble(trouble) => {
                let is_labelled =
                    options.rfc2781.is_some() && trouble.kind == TroubleKind::Malformed;
                Self::Trouble {
                    name,
                    to: options.to,
                    error: is_labelled.then(|| rfc2781_error(&trouble)).flatten(),
                    trouble,
                }
            }
            engine::Failure::Damaged { .. } | engine::Failure::Changed { .. } => {
                let error = io::Error::other(failure.to_string());
                Self::io("read", name, error)
            }
        }
    }

    /// Returns the exit status.
    pub fn status(&self) -> u8 {
        match self {
            Self::UnknownLabel { .. }
            | Self::MissingEncoding { .. }
            | Self::Usage(_)
            | Self::UnknownSource { .. }
            | Self::OntoStandardOutput { .. } => 2,
            // The status that a shell reports for a command that SIGPIPE has ended, which ends most filters.
            Self::BrokenPipe => 141,
            _ => 1,
        }
    }

    /// Returns the line for standard error; `None` if there is no message.
    pub fn message(&self) -> Option<String> {
        Some(match self {
            Self::UnknownLabel { label, nearest } => {
                let nearest = nearest(label);
                let hint = if label.eq_ignore_ascii_case("ansi") {
                    "Windows calls a code page so, such as windows-1252 or windows-1251; ".to_owned()
                } else if nearest.is_empty() {
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
            Self::UnknownSource { name, place } => format!(
                "{name}: has no byte order mark and is not UTF-8 at {place}; \
                 name its encoding with --from LABEL, or let --from auto find it"
            ),
            Self::Doubtful { name, doubt } => {
                let candidates = &doubt.candidates;
                // The best guess is a declaration that the text contradicts, if a candidate has no probability.
                let is_said = candidates.iter().any(|one| one.probability.is_none());
                let remedy = match () {
                    () if doubt.is_named => "",
                    () if doubt.place.is_some() || candidates.is_empty() || is_said => {
                        "; name its encoding with --from LABEL"
                    }
                    () => "; name its encoding with --from LABEL, or take the best guess with --confidence 0",
                };
                let message = format!("{name}: doubtful: {doubt}{remedy}");
                with_candidates(message, doubt)
            }
            Self::Binary { name, what } => {
                format!("{name}: {what}; --text takes it for text")
            }
            Self::OntoStandardOutput { name } => {
                format!("{name}: is also standard output; use -o to convert a file onto itself")
            }
            Self::Trouble { name, trouble, .. } if is_of_replacement(trouble) => {
                format!("{name}: {DECODED_BY_NONE}")
            }
            Self::Trouble {
                name,
                trouble,
                error: Some(error),
                ..
            } => format!(
                "{name}: malformed {}: {error}{}",
                trouble.encoding,
                Place::of(trouble).in_lines()
            ),
            Self::Trouble {
                name, trouble, to, ..
            } => format!("{name}: {}", super::trouble(trouble, to)),
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

fn with_candidates(mut message: String, doubt: &Doubt) -> String {
    for line in candidates(doubt) {
        message.push_str("\n  ");
        message.push_str(&line);
    }
    message
}

/// True if the input is in the encoding `REPLACEMENT`.
pub(super) fn is_of_replacement(trouble: &Trouble) -> bool {
    trouble.kind == TroubleKind::Malformed && trouble.encoding == REPLACEMENT
}

/// Returns the error of RFC 2781 for a malformed sequence.
fn rfc2781_error(trouble: &Trouble) -> Option<rfc2781::CharsetError> {
    let charset = if trouble.encoding == UTF_16LE {
        Charset::Utf16Le
    } else {
        Charset::Utf16Be
    };
    let mut error = charset.decode_fatal(&trouble.bytes).err()?;
    error.offset += trouble.offset;
    Some(error)
}

/// Returns the failure for a decision that refuses the input; `None` if the input is converted.
pub fn refused(decided: &Decided, name: &str) -> Option<Failure> {
    let name = name.to_owned();
    match &decided.outcome {
        Decision::Sure => None,
        Decision::Doubtful(doubt) | Decision::Contradiction(_, doubt) => Some(Failure::Doubtful {
            name,
            doubt: doubt.clone(),
        }),
        Decision::Binary(what) => Some(Failure::Binary { name, what }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sequences that RFC 2781 forbids are reported with the names of the RFC and with their positions.
    #[test]
    fn errors_of_rfc_2781_are_those_of_the_octet_order() {
        for (encoding, bytes) in [(UTF_16LE, b"\x00\xDC"), (mojika::UTF_16BE, b"\xDC\x00")] {
            let error = |bytes: &[u8]| {
                rfc2781_error(&Trouble {
                    kind: TroubleKind::Malformed,
                    offset: 10,
                    line: 1,
                    column: 6,
                    bytes: bytes.to_vec(),
                    encoding,
                })
            };
            assert_eq!(error(bytes).unwrap().offset, 10, "{encoding}");
            assert_eq!(error(b"ab"), None, "{encoding}");
        }
    }
}

//! The syntax of iconv, uconv, recode, enca, nkf, convmv and dos2unix.
//!
//! * [`arguments`]: the syntax without a subcommand.
//! * [`Suffixed`]: a label with `//TRANSLIT` and `//IGNORE`.
//! * [`hint`]: the command to type for an argument of another program.
//!
//! docs/FROM_ICONV.md documents it.

mod hints;

pub use hints::hint;

use crate::args::convert::ConvertArgs;
use crate::args::text::Translit;
use mojika_convert::engine::ErrorMode;
use mojika_convert::report::Failure;
use std::ffi::OsString;

/// Returns the arguments with a subcommand, which iconv lacks: options alone mean `convert`, and `-l` lists encodings.
pub fn arguments(mut arguments: Vec<OsString>) -> Vec<OsString> {
    const OWN: [&str; 4] = ["-h", "--help", "-V", "--version"];
    let Some(first) = arguments.get(1).and_then(|first| first.to_str()) else {
        return arguments;
    };
    match first {
        "-l" | "--list" => arguments[1] = "encodings".into(),
        _ if OWN.contains(&first) => {}
        _ if first.len() > 1 && first.starts_with('-') => arguments.insert(1, "convert".into()),
        _ => {}
    }
    arguments
}

/// A label with iconv's suffixes, which select the treatment of unmappable characters.
#[derive(Debug, PartialEq, Eq)]
struct Suffixed<'a> {
    label: &'a str,
    translit: bool,
    ignore: bool,
}

impl<'a> Suffixed<'a> {
    /// # Errors
    ///
    /// Fails if a suffix is unknown to iconv.
    fn of(text: &'a str) -> Result<Self, Failure> {
        let (label, suffixes) = text.split_once("//").unwrap_or((text, ""));
        let mut suffixed = Self {
            label,
            translit: false,
            ignore: false,
        };
        for suffix in suffixes.split(['/', ',']).filter(|one| !one.is_empty()) {
            if suffix.eq_ignore_ascii_case("TRANSLIT") {
                suffixed.translit = true;
            } else if suffix.eq_ignore_ascii_case("IGNORE") {
                suffixed.ignore = true;
            } else {
                return Err(Failure::Usage(format!(
                    "'{}': {} is not a suffix of an encoding; use //TRANSLIT or //IGNORE",
                    text.escape_debug(),
                    suffix.escape_debug()
                )));
            }
        }
        Ok(suffixed)
    }
}

impl ConvertArgs {
    /// Translates iconv's options: `-c`, and suffixes of labels.
    ///
    /// # Errors
    ///
    /// Fails if a suffix is unknown, or contradicts `--errors`.
    pub fn take_from_iconv(&mut self) -> Result<(), Failure> {
        let to = self.to.clone();
        let to = Suffixed::of(&to)?;
        let from = self.from.clone();
        let from = from.as_deref().map(Suffixed::of).transpose()?;
        if to.translit {
            self.text.translit.push(Translit::Ascii);
        }
        let is_ignored = to.ignore || from.as_ref().is_some_and(|from| from.ignore);
        if is_ignored {
            if !matches!(self.errors, ErrorMode::Fatal | ErrorMode::Skip) {
                return Err(Failure::usage(
                    "//IGNORE means --errors skip: give one of the two",
                ));
            }
            self.errors = ErrorMode::Skip;
        }
        if self.omit {
            self.errors = ErrorMode::Skip;
        }
        self.to = to.label.to_owned();
        self.from = from.map(|from| from.label.to_owned());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes_of_iconv_are_read_in_any_order_and_case() {
        for (text, label, translit, ignore) in [
            ("latin1", "latin1", false, false),
            ("ascii//TRANSLIT", "ascii", true, false),
            ("ASCII//translit//ignore", "ASCII", true, true),
            ("ASCII//IGNORE//TRANSLIT", "ASCII", true, true),
            ("cp1252//IGNORE,TRANSLIT", "cp1252", true, true),
            ("UTF-8//", "UTF-8", false, false),
        ] {
            let expected = Suffixed {
                label,
                translit,
                ignore,
            };
            assert_eq!(Suffixed::of(text).unwrap(), expected, "{text}");
        }
        assert!(Suffixed::of("latin1//SMART").is_err());
    }

    #[test]
    fn options_alone_are_those_of_convert() {
        let line = |line: &str| {
            let words = line.split(' ').map(OsString::from).collect();
            let words = arguments(words).into_iter().map(|one| one.into_string());
            words.collect::<Result<Vec<_>, _>>().unwrap().join(" ")
        };
        assert_eq!(line("mojika -f a -t b"), "mojika convert -f a -t b");
        assert_eq!(line("mojika --from=a x"), "mojika convert --from=a x");
        assert_eq!(line("mojika -l"), "mojika encodings");
        for same in [
            "mojika",
            "mojika -h",
            "mojika --version",
            "mojika detect",
            "mojika -",
        ] {
            assert_eq!(line(same), same);
        }
    }
}

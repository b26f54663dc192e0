//! Look-up of encodings by name, as in the command, with Python's spellings as well.

use crate::errors;
use mojika::{Encoding, extended};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use std::cell::RefCell;
use std::collections::HashMap;
use std::thread::LocalKey;

/// The rule that maps a name to an encoding.
#[derive(Clone, Copy, PartialEq)]
pub enum Rule {
    /// The name is a label of the Standard.
    Standard,
    /// The name is that of an encoding outside the Standard.
    Extended,
    /// The name is another program's.
    Foreign,
    /// The name is CPython's.
    Python,
    /// The name has the letters and digits of a known name, with other punctuation.
    Squashed,
}

impl Rule {
    fn word(self) -> &'static str {
        match self {
            Rule::Standard => "standard",
            Rule::Extended => "extended",
            Rule::Foreign => "foreign",
            Rule::Python => "python",
            Rule::Squashed => "squashed",
        }
    }
}

/// Returns the encoding with this name.
pub fn find(name: &str) -> Option<&'static Encoding> {
    found(name).map(|(encoding, _)| encoding)
}

/// Returns the encoding with this name, and the rule that found it.
///
/// Python's normalisation turns hyphens, spaces and colons into underscores. An unknown name is therefore compared by its
/// letters and digits only. CPython's own names come last.
pub fn found(name: &str) -> Option<(&'static Encoding, Rule)> {
    if let Some(encoding) = extended::find(name) {
        return Some((encoding, rule(encoding, name)));
    }
    if name.contains(|c: char| !c.is_ascii_graphic() && c != ' ') {
        return None;
    }
    let squashed = squashed(name).map(|encoding| (encoding, Rule::Squashed));
    squashed.or_else(|| of_python(name).map(|encoding| (encoding, Rule::Python)))
}

/// Returns the rule by which the library has found this encoding.
fn rule(encoding: &'static Encoding, name: &str) -> Rule {
    let name = name.trim_ascii();
    let name = extended::without_prefix(name).unwrap_or(name);
    let is_like = |known: &str| squash(known) == squash(name);
    if Encoding::for_label(name) == Some(encoding) {
        Rule::Standard
    } else if extended::for_name(name) == Some(encoding) {
        Rule::Extended
    } else if encoding.labels().any(is_like) || extended::names(encoding).any(is_like) {
        Rule::Squashed
    } else {
        Rule::Foreign
    }
}

fn squashed(name: &str) -> Option<&'static Encoding> {
    let (only_extended, name) = match name.trim_ascii().strip_prefix("extended_") {
        Some(rest) => (true, rest),
        None => (false, name),
    };
    let squashed = squash(name);
    let standard = Encoding::all().iter().copied().find(|encoding| {
        !only_extended && encoding.labels().any(|known| squash(known) == squashed)
    });
    standard.or_else(|| {
        extended::for_name(name).or_else(|| {
            extended::all()
                .find(|&encoding| extended::names(encoding).any(|known| squash(known) == squashed))
        })
    })
}

/// CPython's codecs with names that no other program uses.
const CODECS: [(&str, &str); 4] = [
    ("utf_8_sig", "utf-8"),
    ("mac_latin2", "x-mac-ce"),
    ("mac_roman", "macintosh"),
    ("mac_cyrillic", "x-mac-cyrillic"),
];

/// Returns the encoding for a name in CPython's alias table; `None` if mojika lacks the encoding.
fn of_python(name: &str) -> Option<&'static Encoding> {
    static ALIASES: PyOnceLock<HashMap<String, String>> = PyOnceLock::new();
    let normal: String = name
        .trim_ascii()
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() {
                c.to_ascii_lowercase()
            } else {
                '_'
            }
        })
        .collect();
    Python::attach(|py| {
        let read = || {
            let aliases = py.import("encodings.aliases")?.getattr("aliases")?;
            aliases.extract()
        };
        let aliases = ALIASES.get_or_try_init(py, read).ok()?;
        let codec = aliases.get(&normal).unwrap_or(&normal);
        let known = CODECS.iter().find(|(known, _)| known == codec);
        let name = known.map_or(&**codec, |(_, name)| name);
        extended::find(name).or_else(|| squashed(name))
    })
}

fn squash(name: &str) -> String {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|c| c.to_ascii_lowercase()).collect()
}

/// An encoding of output.
#[derive(Clone, Copy)]
pub struct Target {
    pub encoding: &'static Encoding,
    /// True if CPython writes a byte order mark under this name.
    pub has_mark: bool,
}

impl Target {
    /// Returns the encoding of this name for reading, without a mark to write.
    pub fn to_read(name: &str) -> Option<Self> {
        thread_local! {
            static KNOWN: Known = RefCell::default();
        }
        if name == "auto" {
            return None;
        }
        remembering(&KNOWN, name, |name| {
            let encoding = find(name)?;
            let has_mark = false;
            Some(Self { encoding, has_mark })
        })
    }

    /// Returns the target of this name.
    pub fn to_write(name: &str) -> Option<Self> {
        thread_local! {
            static KNOWN: Known = RefCell::default();
        }
        remembering(&KNOWN, name, Self::find)
    }

    fn find(name: &str) -> Option<Self> {
        let encoding = match extended::for_name(name.trim_ascii()) {
            Some(ascii) if ascii == extended::US_ASCII => ascii,
            _ => find(name)?,
        };
        let (encoding, has_mark) = match &*squash(name) {
            "utf8sig" | "utf16" | "u16" => (encoding, true),
            "utf32" | "u32" => (extended::UTF_32LE, true),
            _ => (encoding, false),
        };
        Some(Self { encoding, has_mark })
    }

    /// Returns the bytes of the byte order mark; empty if there is none.
    pub fn mark(self) -> &'static [u8] {
        match self.has_mark {
            false => &[],
            true => self.encoding.bom().unwrap_or_default(),
        }
    }

    /// Returns the name under which mojika finds this target, and no other.
    pub fn own_name(self) -> String {
        match self.has_mark {
            false => own_name(self.encoding),
            true if self.encoding == mojika::UTF_8 => "utf-8-sig".to_owned(),
            true if self.encoding == mojika::UTF_16LE => "utf-16".to_owned(),
            true => "utf-32".to_owned(),
        }
    }
}

/// The names that a thread has looked up. A look-up takes longer than converting a line.
type Known = RefCell<HashMap<String, Target>>;

fn remembering(
    known: &'static LocalKey<Known>,
    name: &str,
    find: fn(&str) -> Option<Target>,
) -> Option<Target> {
    /// The maximum number of names.
    const MAX_NAMES: usize = 256;
    if let Some(target) = known.with_borrow(|known| known.get(name).copied()) {
        return Some(target);
    }
    let target = find(name)?;
    known.with_borrow_mut(|known| {
        if known.len() == MAX_NAMES {
            known.clear();
        }
        known.insert(name.to_owned(), target);
    });
    Some(target)
}

/// [`find`], with a `LookupError` that names the remedy.
pub fn require(name: &str) -> PyResult<&'static Encoding> {
    let target = Target::to_read(name).ok_or_else(|| errors::unknown_name(name))?;
    Ok(target.encoding)
}

/// [`require`] for writing text. "ascii" is US-ASCII, as in the command, because its user expects no non-ASCII bytes.
/// For reading, "ascii" is windows-1252, as in the Standard. "utf-8-sig", "utf-16" and "utf-32" have a byte order mark,
/// as in CPython.
pub fn require_target(name: &str) -> PyResult<Target> {
    Target::to_write(name).ok_or_else(|| errors::unknown_name(name))
}

/// [`require_target`] for a codec. "ascii" is windows-1252 also for writing, so that a codec writes the bytes it reads.
pub fn require_codec(name: &str) -> PyResult<Target> {
    let target = require_target(name)?;
    let encoding = match target.has_mark {
        true => target.encoding,
        false => require(name)?,
    };
    Ok(Target { encoding, ..target })
}

/// The name of the label's encoding, and the rule that found it: "standard", "extended", "foreign", "python" or "squashed".
/// LookupError if there is none.
#[pyfunction]
pub fn resolve(label: &str) -> PyResult<(&'static str, &'static str)> {
    let (encoding, rule) = found(label).ok_or_else(|| errors::unknown_name(label))?;
    Ok((encoding.name(), rule.word()))
}

/// The name of the label's encoding, or LookupError.
#[pyfunction]
pub fn lookup(label: &str) -> PyResult<&'static str> {
    require(label).map(Encoding::name)
}

/// The names of all encodings, as all functions accept them: the Standard's 40, then the others.
///
/// If the name is also a Standard label of another encoding, it has the prefix "extended:".
#[pyfunction]
pub fn encodings() -> Vec<String> {
    let standard = Encoding::all().iter().copied();
    let all = standard.chain(extended::all());
    all.map(own_name).collect()
}

/// Returns the unambiguous name of an encoding.
pub fn own_name(encoding: &'static Encoding) -> String {
    match find(encoding.name()) {
        Some(found) if found == encoding => encoding.name().to_owned(),
        _ => format!("extended:{}", encoding.name()),
    }
}

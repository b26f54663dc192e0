//! From a name to its encoding, as the command looks names up; Python's spellings besides.

use crate::errors;
use mojika::{Encoding, extended};
use pyo3::prelude::*;

/// The encoding that `name` names.
///
/// Python's normalisation makes underscores of hyphens, spaces and colons: a name that is unknown as it stands is
/// compared by its letters and digits alone.
pub fn find(name: &str) -> Option<&'static Encoding> {
    extended::find(name).or_else(|| {
        if name.contains(|c: char| !c.is_ascii_graphic() && c != ' ') {
            return None;
        }
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
                extended::all().find(|&encoding| {
                    extended::names(encoding).any(|known| squash(known) == squashed)
                })
            })
        })
    })
}

fn squash(name: &str) -> String {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|c| c.to_ascii_lowercase()).collect()
}

/// [`find`], with a `LookupError` that says what to do.
pub fn require(name: &str) -> PyResult<&'static Encoding> {
    find(name).ok_or_else(|| errors::unknown_name(name))
}

/// The name of the encoding that a label names, or LookupError.
#[pyfunction]
pub fn lookup(label: &str) -> PyResult<&'static str> {
    require(label).map(Encoding::name)
}

/// The names of all encodings, as every call takes them: the 40 of the Standard, then the others.
///
/// Those whose name is a label of another encoding of the Standard have "extended:" before it.
#[pyfunction]
pub fn encodings() -> Vec<String> {
    let standard = Encoding::all().iter().copied();
    let all = standard.chain(extended::all());
    all.map(|encoding| match find(encoding.name()) {
        Some(found) if found == encoding => encoding.name().to_owned(),
        _ => format!("extended:{}", encoding.name()),
    })
    .collect()
}

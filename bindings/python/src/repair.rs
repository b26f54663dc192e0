//! Text that was decoded in the wrong encoding.

use crate::text::detached;
use mojika_convert::repair;
use pyo3::prelude::*;

/// A line that was decoded in the wrong encoding.
#[pyclass(module = "mojika", frozen, get_all)]
pub struct Mojibake {
    /// The number of the line, from 1.
    line: u64,
    /// The line before the repair.
    before: String,
    /// The line after the repair; None if it is not repaired.
    after: Option<String>,
    /// The steps of the repair: "encode" or "decode", and an encoding.
    steps: Vec<(&'static str, &'static str)>,
    /// "certain", or "tentative" for a line that is not repaired, because several encodings explain it.
    confidence: &'static str,
}

#[pymethods]
impl Mojibake {
    fn __repr__(&self) -> String {
        format!(
            "Mojibake(line={}, before={:?}, after={}, confidence='{}')",
            self.line,
            self.before,
            self.after
                .as_ref()
                .map_or("None".to_owned(), |after| format!("{after:?}")),
            self.confidence
        )
    }
}

/// Repairs the lines of a text that were decoded in the wrong encoding.
#[pyfunction]
#[pyo3(name = "repair")]
pub fn repaired(py: Python<'_>, text: &str) -> String {
    detached(py, text.len(), || repair::repair(text).text.into_owned())
}

/// Finds the lines of a text that were decoded in the wrong encoding.
#[pyfunction]
pub fn find_mojibake(py: Python<'_>, text: &str) -> Vec<Mojibake> {
    let findings = detached(py, text.len(), || repair::inspect(text));
    let mojibake = findings.into_iter().map(|finding| {
        let misreadings = finding.misreadings.iter();
        Mojibake {
            line: finding.line,
            confidence: finding.confidence().as_str(),
            steps: misreadings
                .flat_map(|one| {
                    [
                        ("encode", one.read_as.name()),
                        ("decode", one.encoding.name()),
                    ]
                })
                .collect(),
            before: finding.before,
            after: finding.after,
        }
    });
    mojibake.collect()
}

//! Which encoding bytes are in, by the library's order, and whole documents of HTML and XML.

use crate::errors;
use crate::names;
use crate::text::{Input, detached};
pub use mojika::sniff::Source;
use mojika::sniff::{self, Context, Decision, DocumentError, Hints};
pub use mojika_arrow::plain_text;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// An encoding and why.
#[pyclass(module = "mojika", frozen, eq)]
#[derive(Clone, PartialEq)]
pub struct Detection {
    decision: Decision,
}

#[pymethods]
impl Detection {
    #[getter]
    fn encoding(&self) -> &'static str {
        self.decision.encoding.name()
    }

    #[getter]
    fn source(&self) -> &'static str {
        self.decision.source.as_str()
    }

    #[getter]
    fn confidence(&self) -> &'static str {
        self.decision.confidence.as_str()
    }

    #[getter]
    fn bom_length(&self) -> usize {
        self.decision.bom_length
    }

    fn __repr__(&self) -> String {
        format!(
            "Detection(encoding='{}', source='{}', confidence='{}', bom_length={})",
            self.encoding(),
            self.source(),
            self.confidence(),
            self.bom_length()
        )
    }
}

/// How many bytes of a file [`plain_text`] needs: a sample for detection, unless the first bytes decide.
pub const HEAD_LENGTH: usize = sniff::detect::SAMPLE_LENGTH;

/// Whether the first bytes decide without detection.
pub fn is_decided(head: &[u8]) -> bool {
    let hints = Hints {
        detect: false,
        ..Hints::new(Context::PlainText)
    };
    head.len() >= hints.head_length() && sniff::sniff_leniently(head, &hints).source == Source::Bom
}

/// The context of this id.
fn context_of(id: &str) -> PyResult<Context> {
    let context = match id {
        "text" => Some(Context::PlainText),
        "html" => Some(Context::HtmlParser),
        "xml" => Some(Context::XmlParser),
        "css" => Some(Context::CssFromDocument),
        id => Context::for_id(id),
    };
    context.ok_or_else(|| {
        PyValueError::new_err(format!(
            "unknown context {id:?}: 'auto', 'text', 'html', 'xml', 'css', or an id of docs/SNIFFING.md"
        ))
    })
}

/// Which encoding bytes are in, and why.
#[pyfunction]
#[pyo3(signature = (data, *, context="auto", transport=None, environment=None, locale=None, tld=None))]
pub fn detect(
    data: &Bound<'_, PyAny>,
    context: &str,
    transport: Option<&str>,
    environment: Option<&str>,
    locale: Option<&str>,
    tld: Option<&str>,
) -> PyResult<Detection> {
    let py = data.py();
    let input = Input::of(data)?;
    let bytes = input.as_slice();
    let context = match context {
        "auto" if sniff::xml::has_declaration(bytes) => Context::XmlParser,
        "auto" => Context::PlainText,
        id => context_of(id)?,
    };
    let hints = Hints {
        transport: transport.map(str::as_bytes),
        implied_environment: environment.map(names::require).transpose()?,
        locale,
        tld,
        ..Hints::new(context)
    };
    let decision = detached(py, bytes.len(), || sniff::sniff(bytes, &hints))
        .map_err(|error| errors::xml(py, &error))?;
    Ok(Detection { decision })
}

/// A decoded document.
#[pyclass(module = "mojika", frozen)]
pub struct Document {
    document: sniff::Document,
}

#[pymethods]
impl Document {
    #[getter]
    fn text(&self) -> &str {
        &self.document.text
    }

    #[getter]
    fn encoding(&self) -> &'static str {
        self.document.decision.encoding.name()
    }

    #[getter]
    fn source(&self) -> &'static str {
        self.document.decision.source.as_str()
    }

    #[getter]
    fn confidence(&self) -> &'static str {
        self.document.decision.confidence.as_str()
    }

    #[getter]
    fn bom_length(&self) -> usize {
        self.document.decision.bom_length
    }

    /// Offset and length in bytes of each malformed sequence.
    #[getter]
    fn errors(&self) -> Vec<(u64, u8)> {
        let errors = self.document.errors.iter();
        errors
            .map(|sequence| (sequence.offset, sequence.len))
            .collect()
    }

    #[getter]
    fn late_meta(&self) -> Option<&'static str> {
        self.document.late_meta.map(mojika::Encoding::name)
    }

    fn __str__(&self) -> &str {
        &self.document.text
    }

    fn __repr__(&self) -> String {
        format!(
            "Document(encoding='{}', source='{}', {} bytes of text, {} errors)",
            self.encoding(),
            self.source(),
            self.document.text.len(),
            self.document.errors.len()
        )
    }
}

fn document(data: &Bound<'_, PyAny>, hints: &Hints<'_>) -> PyResult<Document> {
    let py = data.py();
    let input = Input::of(data)?;
    let bytes = input.as_slice();
    match detached(py, bytes.len(), || sniff::decode_document(bytes, hints)) {
        Ok(document) => Ok(Document { document }),
        Err(DocumentError::Xml(error)) => Err(errors::xml(py, &error)),
        Err(DocumentError::Malformed(error)) => Err(errors::malformed(
            input.to_object(),
            error.encoding,
            error.sequence,
        )),
        Err(other) => Err(PyValueError::new_err(other.to_string())),
    }
}

/// A page, decoded as a browser decodes it.
#[pyfunction]
#[pyo3(signature = (data, *, content_type=None, encoding=None, locale=None, tld=None))]
pub fn decode_html(
    data: &Bound<'_, PyAny>,
    content_type: Option<&str>,
    encoding: Option<&str>,
    locale: Option<&str>,
    tld: Option<&str>,
) -> PyResult<Document> {
    let hints = Hints {
        transport: content_type.map(str::as_bytes),
        user_override: encoding.map(names::require).transpose()?,
        locale,
        tld,
        ..Hints::new(Context::HtmlParser)
    };
    document(data, &hints)
}

/// An XML document, decoded as an XML processor decodes it.
#[pyfunction]
#[pyo3(signature = (data, *, content_type=None, encoding=None))]
pub fn decode_xml(
    data: &Bound<'_, PyAny>,
    content_type: Option<&str>,
    encoding: Option<&str>,
) -> PyResult<Document> {
    let hints = Hints {
        transport: content_type.map(str::as_bytes),
        user_override: encoding.map(names::require).transpose()?,
        ..Hints::new(Context::XmlParser)
    };
    document(data, &hints)
}

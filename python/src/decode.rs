//! Bytes to `str` or to UTF-8, with Python's error handlers.

use crate::errors;
use crate::names;
use crate::sniff;
use crate::text::{self, Input, detached};
use mojika::{BomHandling, DecodeError, Decoder, Encoding, Status, extended};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::borrow::Cow;

/// What becomes of malformed sequences.
pub enum Errors<'py> {
    Strict,
    Replace,
    Ignore,
    Handler(Bound<'py, PyAny>),
}

impl<'py> Errors<'py> {
    /// The mode of this name: the library's, or one registered with `codecs`.
    pub fn of(py: Python<'py>, name: &str) -> PyResult<Self> {
        Ok(match name {
            "strict" | "fatal" => Errors::Strict,
            "replace" | "replacement" => Errors::Replace,
            "ignore" => Errors::Ignore,
            _ => Errors::Handler(py.import("codecs")?.call_method1("lookup_error", (name,))?),
        })
    }
}

/// How byte order marks are handled, by the words of the argument `bom`.
pub fn bom_handling(word: &str) -> PyResult<BomHandling> {
    match word {
        "sniff" => Ok(BomHandling::Sniff),
        "remove" => Ok(BomHandling::Remove),
        "keep" => Ok(BomHandling::Keep),
        _ => Err(PyValueError::new_err(format!(
            "bom must be 'sniff', 'remove' or 'keep', not {word:?}"
        ))),
    }
}

/// The encoding of a name, or what `detect` finds for "auto", if that is sure enough.
fn encoding_of(
    py: Python<'_>,
    name: &str,
    bytes: &[u8],
    confidence: f32,
) -> PyResult<&'static Encoding> {
    if name == "auto" {
        return Ok(sniff::decided(py, bytes, confidence)?.encoding);
    }
    names::require(name)
}

/// bytes to str.
#[pyfunction]
#[pyo3(signature = (data, encoding="auto", errors="strict", *, bom="sniff", confidence=0.9))]
pub fn decode<'py>(
    data: &Bound<'py, PyAny>,
    encoding: &str,
    errors: &str,
    bom: &str,
    confidence: f32,
) -> PyResult<Bound<'py, PyString>> {
    let py = data.py();
    let input = Input::of(data)?;
    let encoding = encoding_of(py, encoding, input.as_slice(), confidence)?;
    let handling = bom_handling(bom)?;
    copied(py, encoding, input.as_slice(), handling)
        .unwrap_or_else(|| decode_from(py, encoding, &input, handling, errors))
}

/// ASCII and ISO-8859-1 to str, which need no decoder; `None` for anything else.
pub fn copied<'py>(
    py: Python<'py>,
    encoding: &'static Encoding,
    bytes: &[u8],
    handling: BomHandling,
) -> Option<PyResult<Bound<'py, PyString>>> {
    if encoding.is_ascii_compatible() && bytes.is_ascii() {
        return Some(text::from_ascii(py, bytes));
    }
    let has_bom = || {
        matches!(
            bytes,
            [0xEF, 0xBB, 0xBF, ..] | [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]
        )
    };
    if encoding == extended::ISO_8859_1 && (handling != BomHandling::Sniff || !has_bom()) {
        return Some(text::from_latin1(py, bytes));
    }
    None
}

/// bytes of `encoding` that are not [`copied`] to str.
pub fn decode_from<'py>(
    py: Python<'py>,
    encoding: &'static Encoding,
    input: &Input<'py>,
    handling: BomHandling,
    errors: &str,
) -> PyResult<Bound<'py, PyString>> {
    let mut decoder = Decoder::new(encoding, handling);
    let errors = Errors::of(py, errors)?;
    text::with_units(|units| {
        run(py, &mut decoder, &errors, b"", input, true, units)?;
        text::from_utf16(py, units)
    })
}

/// Decodes all of `input` to the end of `units`, which is UTF-16.
///
/// `held` are the bytes of calls before that the decoder has not decoded yet: exceptions point into these and `input`
/// together, as those of Python's decoders.
pub fn run<'py>(
    py: Python<'py>,
    decoder: &mut Decoder,
    errors: &Errors<'py>,
    held: &[u8],
    input: &Input<'py>,
    last: bool,
    units: &mut Vec<u16>,
) -> PyResult<()> {
    let bytes = input.as_slice();
    if let Errors::Replace = errors {
        detached(py, bytes.len(), || {
            decoder.decode_append(bytes, units, last)
        });
        return Ok(());
    }
    let length = held.len() + bytes.len();
    let mut object = None;
    let mut at = 0;
    // Where the object of exceptions starts in the decoder's stream.
    let mut origin = decoder.position() as i128 - held.len() as i128;
    loop {
        let progress = detached(py, bytes.len() - at, || {
            decoder.decode_append_fatal(&bytes[at..], units, last)
        });
        at += progress.read;
        let Status::Malformed(sequence) = progress.status else {
            return Ok(());
        };
        if let Errors::Ignore = errors {
            continue;
        }
        let from = usize::try_from(i128::from(sequence.offset) - origin).unwrap_or(0);
        let to = (from + usize::from(sequence.len)).min(length);
        let object = object.get_or_insert_with(|| {
            if held.is_empty() {
                input.to_object().clone()
            } else {
                PyBytes::new(py, &[held, bytes].concat())
            }
        });
        let offset = sequence.offset;
        let exception = errors::decode_exception(decoder.encoding(), object, from, to, offset)?;
        let Errors::Handler(handler) = errors else {
            return Err(PyErr::from_value(exception));
        };
        let (replacement, position) = errors::handled(handler, exception)?;
        append(&replacement, units)?;
        let position = errors::position(position, length)?;
        if position != to {
            // Another place than the one behind the sequence: a new decoder, as no state fits there.
            *decoder = Decoder::new(decoder.encoding(), BomHandling::Keep);
            at = position.saturating_sub(held.len());
            origin = -((at + held.len()) as i128);
        }
    }
}

/// What a handler gave, surrogates included.
fn append(replacement: &Bound<'_, PyAny>, units: &mut Vec<u16>) -> PyResult<()> {
    let replacement = replacement.cast::<PyString>()?;
    match text::Units::of(replacement)? {
        text::Units::Ascii(ascii) => units.extend(ascii.bytes().map(u16::from)),
        text::Units::Latin1(bytes) => units.extend(bytes.iter().map(|&byte| u16::from(byte))),
        text::Units::Utf16(utf_16) => units.extend_from_slice(&utf_16.units),
    }
    Ok(())
}

/// bytes to bytes of UTF-8.
#[pyfunction]
#[pyo3(signature = (data, encoding="auto", errors="strict", *, bom="sniff", confidence=0.9))]
pub fn to_utf8<'py>(
    data: &Bound<'py, PyAny>,
    encoding: &str,
    errors: &str,
    bom: &str,
    confidence: f32,
) -> PyResult<Bound<'py, PyBytes>> {
    let py = data.py();
    let input = Input::of(data)?;
    let bytes = input.as_slice();
    let encoding = encoding_of(py, encoding, bytes, confidence)?;
    let handling = bom_handling(bom)?;
    let decoded = match Errors::of(py, errors)? {
        Errors::Strict => detached(py, bytes.len(), || encoding.decode_fatal(bytes, handling))
            .map_err(|error: DecodeError| {
                errors::malformed(input.to_object(), error.encoding, error.sequence)
            })?,
        Errors::Replace => detached(py, bytes.len(), || encoding.decode_with(bytes, handling)),
        Errors::Ignore | Errors::Handler(_) => {
            return Err(PyValueError::new_err(
                "to_utf8 takes errors='strict' or 'replace'",
            ));
        }
    };
    match &decoded.text {
        // Valid UTF-8 is itself.
        Cow::Borrowed(text) if text.len() == bytes.len() => Ok(input.to_object().clone()),
        text => Ok(PyBytes::new(py, text.as_bytes())),
    }
}

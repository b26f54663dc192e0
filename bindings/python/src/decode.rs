//! Bytes to `str` or to UTF-8, with Python's error handlers.

use crate::errors::{self, Errors};
use crate::names;
use crate::sniff::{self, Wish};
use crate::text::{self, Input, detached};
use mojika::{BomHandling, DecodeError, Decoder, Encoding, Status, UTF_8, WINDOWS_1252, extended};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::borrow::Cow;

/// Parses the argument `bom`, the handling of byte order marks.
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

/// Returns Python's word for the handling of byte order marks.
pub fn bom_word(handling: BomHandling) -> &'static str {
    match handling {
        BomHandling::Sniff => "sniff",
        BomHandling::Remove => "remove",
        BomHandling::Keep => "keep",
    }
}

/// Returns the encoding of a name. For "auto", returns the detected encoding if it is certain enough.
fn encoding_of(
    py: Python<'_>,
    name: &str,
    bytes: &[u8],
    confidence: f32,
    allowed: Option<Vec<String>>,
    locale: Option<&str>,
) -> PyResult<&'static Encoding> {
    if name == "auto" {
        let wish = Wish::of(confidence, allowed, locale)?;
        return Ok(sniff::judged(py, bytes, &wish)?.decision.encoding);
    }
    names::require(name)
}

/// Decodes bytes to str.
#[pyfunction]
#[pyo3(signature = (data, encoding="auto", errors=None, *, bom="sniff", confidence=0.9, allowed=None, locale=None))]
pub fn decode<'py>(
    data: &Bound<'py, PyAny>,
    encoding: &str,
    errors: Option<&Bound<'py, PyAny>>,
    bom: &str,
    confidence: f32,
    allowed: Option<Vec<String>>,
    locale: Option<&str>,
) -> PyResult<Bound<'py, PyString>> {
    let py = data.py();
    errors::check_handling(errors)?;
    let input = Input::of(data)?;
    let bytes = input.as_slice();
    let encoding = encoding_of(py, encoding, bytes, confidence, allowed, locale)?;
    let handling = bom_handling(bom)?;
    decode_bytes(encoding, input.to_object(), handling, errors)
}

/// Converts to str without a decoder: ASCII, ISO-8859-1, its part of windows-1252, and short UTF-8. `None` for other input,
/// and if a byte order mark may have an effect.
#[inline]
pub fn copied<'py>(
    py: Python<'py>,
    encoding: &'static Encoding,
    bytes: &[u8],
    handling: BomHandling,
) -> Option<PyResult<Bound<'py, PyString>>> {
    if encoding.is_ascii_compatible() && bytes.is_ascii() {
        return Some(text::from_ascii(py, bytes));
    }
    let is_latin1 = encoding == extended::ISO_8859_1
        || encoding == WINDOWS_1252 && !text::has_c1_controls(bytes);
    // Marks of UTF-8 and UTF-16 begin with these bytes.
    if handling != BomHandling::Keep && matches!(bytes, [0xEF | 0xFE.., ..]) {
        return None;
    }
    if is_latin1 {
        return Some(text::from_latin1(py, bytes));
    }
    if encoding == UTF_8 && bytes.len() <= text::SHORT {
        return text::from_utf8(py, bytes).map(Ok);
    }
    None
}

/// Decodes bytes of `encoding`.
pub fn decode_bytes<'py>(
    encoding: &'static Encoding,
    bytes: &Bound<'py, PyBytes>,
    handling: BomHandling,
    errors: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyString>> {
    match copied(bytes.py(), encoding, bytes.as_bytes(), handling) {
        Some(text) => text,
        None => decode_from(encoding, &Input::of_bytes(bytes), handling, errors),
    }
}

/// Decodes bytes of `encoding`, except those that [`copied`] converts.
pub fn decode_from<'py>(
    encoding: &'static Encoding,
    input: &Input<'py>,
    handling: BomHandling,
    errors: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyString>> {
    let py = input.to_object().py();
    let mut decoder = Decoder::new(encoding, handling);
    let errors = Errors::of(errors, false)?;
    text::with_units(|units| {
        run(py, &mut decoder, &errors, b"", input, true, units)?;
        text::from_utf16(py, units)
    })
}

/// The number of bytes converted between two checks for signals, such as Ctrl-C's.
pub const PIECE: usize = 1 << 20;

/// Iterates over the bytes in pieces, each with a flag that is true for the last one.
pub fn pieces(bytes: &[u8]) -> impl Iterator<Item = (&[u8], bool)> {
    let ends = (0..bytes.len().max(1)).step_by(PIECE);
    ends.map(|start| {
        let end = (start + PIECE).min(bytes.len());
        (&bytes[start..end], end == bytes.len())
    })
}

/// Decodes all of `input` and appends UTF-16 to `units`.
///
/// `held` has the bytes of earlier calls that the decoder has read but not decoded. Exceptions index into `held`
/// followed by `input`, as in Python's decoders.
pub fn run<'py>(
    py: Python<'py>,
    decoder: &mut Decoder,
    errors: &Errors,
    held: &[u8],
    input: &Input<'py>,
    last: bool,
    units: &mut Vec<u16>,
) -> PyResult<()> {
    let bytes = input.as_slice();
    if let Errors::Replace = errors {
        for (piece, is_last) in pieces(bytes) {
            detached(py, piece.len(), || {
                decoder.decode_append(piece, units, last && is_last)
            });
            if !is_last {
                py.check_signals()?;
            }
        }
        return Ok(());
    }
    let length = held.len() + bytes.len();
    let mut object = None;
    let mut at = 0;
    // The stream offset that corresponds to index 0 of the object to which exceptions refer.
    let mut origin = decoder.position() as i128 - held.len() as i128;
    loop {
        let end = (at + PIECE).min(bytes.len());
        let is_last = end == bytes.len();
        let progress = detached(py, end - at, || {
            decoder.decode_append_fatal(&bytes[at..end], units, last && is_last)
        });
        at += progress.read;
        let Status::Malformed(sequence) = progress.status else {
            if is_last {
                return Ok(());
            }
            py.check_signals()?;
            continue;
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
        let encoding = decoder.encoding();
        let exception = errors::decode_exception(encoding, object, from, to, offset)?;
        let Errors::Handler(handler) = errors else {
            // Line numbers are only known in whole input, not in a piece of a stream.
            let is_whole = offset == from as u64;
            let place = is_whole.then(|| errors::place_after(encoding, &object.as_bytes()[..from]));
            return Err(PyErr::from_value(errors::placed(exception, place)?));
        };
        let (replacement, position) = errors::handled(handler.bind(py), exception)?;
        append(&replacement, units)?;
        let position = errors::position(position, length)?;
        if position != to {
            // The handler continues at another position, for which the decoder's state is unknown: use a new decoder.
            *decoder = Decoder::new(decoder.encoding(), BomHandling::Keep);
            at = position.saturating_sub(held.len());
            origin = -((at + held.len()) as i128);
        }
    }
}

/// Appends a handler's replacement to `units`, including surrogates.
fn append(replacement: &Bound<'_, PyAny>, units: &mut Vec<u16>) -> PyResult<()> {
    let replacement = replacement.cast::<PyString>()?;
    match text::Units::of(replacement)? {
        text::Units::Ascii(ascii) => units.extend(ascii.bytes().map(u16::from)),
        text::Units::Latin1(bytes) => units.extend(bytes.iter().map(|&byte| u16::from(byte))),
        text::Units::Utf16(utf_16) => units.extend_from_slice(&utf_16.units),
    }
    Ok(())
}

/// Converts bytes to UTF-8 bytes.
#[pyfunction]
#[pyo3(
    signature = (data, encoding="auto", errors=None, *, bom="sniff", confidence=0.9, allowed=None, locale=None),
    text_signature = "(data, encoding='auto', errors='strict', *, bom='sniff', confidence=0.9, allowed=None, locale=None)"
)]
pub fn to_utf8<'py>(
    data: &Bound<'py, PyAny>,
    encoding: &str,
    errors: Option<&Bound<'py, PyAny>>,
    bom: &str,
    confidence: f32,
    allowed: Option<Vec<String>>,
    locale: Option<&str>,
) -> PyResult<Bound<'py, PyBytes>> {
    let py = data.py();
    let input = Input::of(data)?;
    let bytes = input.as_slice();
    let encoding = encoding_of(py, encoding, bytes, confidence, allowed, locale)?;
    let handling = bom_handling(bom)?;
    let errors = Errors::of(errors, false)?;
    if let Errors::Ignore | Errors::Handler(_) = errors {
        let text = text::with_units(|units| {
            let mut decoder = Decoder::new(encoding, handling);
            run(py, &mut decoder, &errors, b"", &input, true, units)?;
            text::from_utf16(py, units)
        })?;
        return Ok(PyBytes::new(py, text.to_str()?.as_bytes()));
    }
    if bytes.len() > PIECE {
        return long_to_utf8(py, encoding, handling, &errors, &input);
    }
    let decoded = match errors {
        Errors::Replace => detached(py, bytes.len(), || encoding.with(handling).decode(bytes)),
        _ => detached(py, bytes.len(), || {
            encoding.with(handling).decode_fatal(bytes)
        })
        .map_err(|error: DecodeError| {
            errors::malformed(input.to_object(), error.encoding, error.sequence)
        })?,
    };
    match &decoded.text {
        // Valid UTF-8 is returned unchanged.
        Cow::Borrowed(text) if text.len() == bytes.len() => Ok(input.to_object().clone()),
        text => Ok(PyBytes::new(py, text.as_bytes())),
    }
}

/// [`to_utf8`] in pieces, with a check for signals after each.
fn long_to_utf8<'py>(
    py: Python<'py>,
    encoding: &'static Encoding,
    handling: BomHandling,
    errors: &Errors,
    input: &Input<'py>,
) -> PyResult<Bound<'py, PyBytes>> {
    let bytes = input.as_slice();
    let replaces = matches!(errors, Errors::Replace);
    let mut decoder = Decoder::new(encoding, handling);
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 2);
    for (piece, is_last) in pieces(bytes) {
        let status = detached(py, piece.len(), || {
            let progress = match replaces {
                true => decoder.decode_append(piece, &mut text, is_last),
                false => decoder.decode_append_fatal(piece, &mut text, is_last),
            };
            progress.status
        });
        if let Status::Malformed(sequence) = status {
            let object = input.to_object();
            return Err(errors::malformed(object, decoder.encoding(), sequence));
        }
        py.check_signals()?;
    }
    match text.len() == bytes.len() && text.as_bytes() == bytes {
        true => Ok(input.to_object().clone()),
        false => Ok(PyBytes::new(py, text.as_bytes())),
    }
}

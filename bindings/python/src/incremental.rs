//! `IncrementalDecoder` and `IncrementalEncoder`: the interface of `codecs`.

use crate::decode;
use crate::encode;
use crate::errors::{self, Errors};
use crate::names::{self, Target};
use crate::text::{self, Input};
use mojika::{BomHandling, Decoder, Encoder, Encoding, UTF_8, UTF_16BE, UTF_16LE, extended};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};

/// For each mode of stateful encodings, bytes that bring a decoder into it. The index is the mode's number in Python's
/// state. Entry 0 is the mode at the start. The others are ISO-2022-JP after an escape sequence, and after a character
/// that follows one; then the double-byte modes of HZ, and of ISO-2022-KR and EBCDIC.
const DECODER_MODES: [&[u8]; 11] = [
    b"",
    b"\x1B(B",
    b"\x1B(B!",
    b"\x1B(J",
    b"\x1B(J!",
    b"\x1B(I",
    b"\x1B(I!",
    b"\x1B$B",
    b"\x1B$B0!",
    b"~{",
    b"\x0E",
];
/// Byte sequences that distinguish the modes. For any two modes, after any incomplete sequence, at least one of these
/// decodes differently.
const DECODER_PROBES: [&[u8]; 8] = [
    b"!\\~", b"\x1B(B~", b"(B~", b"B~", b"-!~", b"\x1BN ~",
    // Tests for the designations of ISO-2022-CN.
    b"\x0E0!", b"\x1BN!!",
];
/// Text that brings an encoder into each mode, and probes: any two modes encode at least one probe differently.
const ENCODER_MODES: [&str; 3] = ["", "¥", "文"];
const ENCODER_PROBES: [&str; 5] = ["~", "¥", "文", "漢", "乂"];
/// The encodings that a byte order mark can select. Their numbers in Python's state start at 1.
const BOM_ENCODINGS: [&Encoding; 4] = [UTF_8, UTF_16BE, UTF_16LE, extended::UTF_32LE];

/// The positional and named arguments of a decoder, as pickle stores them.
type Arguments<'py> = ((String, Py<PyAny>), Bound<'py, PyDict>);

/// Decodes a stream in pieces, as `codecs.IncrementalDecoder`.
#[pyclass(module = "mojika", name = "IncrementalDecoder", subclass)]
pub struct IncrementalDecoder {
    decoder: Decoder,
    encoding: &'static Encoding,
    handling: BomHandling,
    #[pyo3(get)]
    errors: Py<PyAny>,
    /// The last bytes read, including those that the decoder has not decoded yet.
    tail: Vec<u8>,
}

#[pymethods]
impl IncrementalDecoder {
    #[new]
    #[pyo3(
        signature = (encoding, errors=None, *, bom="sniff"),
        text_signature = "(encoding, errors='strict', *, bom='sniff')"
    )]
    fn new(
        py: Python<'_>,
        encoding: &str,
        errors: Option<Bound<'_, PyAny>>,
        bom: &str,
    ) -> PyResult<Self> {
        let encoding = names::require(encoding)?;
        let handling = decode::bom_handling(bom)?;
        Ok(Self {
            decoder: Decoder::new(encoding, handling),
            encoding,
            handling,
            errors: given(py, errors)?,
            tail: Vec::new(),
        })
    }

    #[setter]
    fn set_errors(&mut self, errors: Bound<'_, PyAny>) -> PyResult<()> {
        errors::check_handling(Some(&errors))?;
        self.errors = errors.unbind();
        Ok(())
    }

    /// The encoding: the requested one, or the one that a byte order mark has selected.
    #[getter]
    fn encoding(&self) -> &'static str {
        self.decoder.encoding().name()
    }

    #[pyo3(signature = (input, r#final=false))]
    fn decode<'py>(
        &mut self,
        input: &Bound<'py, PyAny>,
        r#final: bool,
    ) -> PyResult<Bound<'py, PyString>> {
        let py = input.py();
        let input = Input::of(input)?;
        let errors = Errors::of(Some(self.errors.bind(py)), false)?;
        let before = self.decoder.clone();
        let held = self.held().to_vec();
        let (decoder, bytes) = (&mut self.decoder, input.as_slice());
        let text = text::with_units(|units| {
            decode::run(py, decoder, &errors, &held, &input, r#final, units)?;
            text::from_utf16(py, units)
        });
        match text {
            Ok(text) => {
                if r#final {
                    self.reset();
                } else {
                    self.remember(bytes);
                }
                Ok(text)
            }
            Err(error) => {
                // As in Python's decoders, a failed call has read nothing.
                self.decoder = before;
                Err(error)
            }
        }
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<Arguments<'py>> {
        let named = PyDict::new(py);
        named.set_item("bom", decode::bom_word(self.handling))?;
        let name = names::own_name(self.encoding);
        Ok(((name, self.errors.clone_ref(py)), named))
    }

    fn __getstate__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyBytes>, u32)> {
        self.getstate(py)
    }

    fn __setstate__(&mut self, state: (Bound<'_, PyBytes>, u32)) -> PyResult<()> {
        self.setstate(state)
    }

    fn reset(&mut self) {
        self.decoder = Decoder::new(self.encoding, self.handling);
        self.tail.clear();
    }

    /// Returns the bytes not decoded yet, and the state before them. Bit 0 is set after the stream's start. Bits 1, 2
    /// and 7 are the encoding that a byte order mark selected. Bits 3 to 6 are the mode of a stateful encoding.
    ///
    /// A `ValueError` for a mode without a number, in ISO-2022-JP-1 and its relatives, ISO-2022-CN, and UTF-7 within
    /// Base64.
    fn getstate<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyBytes>, u32)> {
        let held = self.held();
        let decoding = self.decoder.encoding();
        let is_past = self.decoder.position() > held.len() as u64;
        let named = BOM_ENCODINGS.iter().position(|named| *named == decoding);
        let named = named
            .filter(|_| decoding != self.encoding)
            .map_or(0, |n| n + 1);
        let mode = if is_past { self.mode()? } else { 0 };
        let state = u32::from(is_past)
            | (named as u32 & 3) << 1
            | (named as u32 >> 2) << 7
            | (mode as u32) << 3;
        Ok((PyBytes::new(py, held), state))
    }

    fn setstate(&mut self, state: (Bound<'_, PyBytes>, u32)) -> PyResult<()> {
        let (held, state) = state;
        let held = held.as_bytes();
        let is_past = state & 1 != 0;
        let named = (state >> 1 & 3 | (state >> 7 & 1) << 2) as usize;
        let mode = (state >> 3 & 15) as usize;
        let encoding = match named.checked_sub(1) {
            None => Some(self.encoding),
            Some(named) => BOM_ENCODINGS.get(named).copied(),
        };
        let has_mode = |encoding: &&Encoding| {
            mode == 0 || is_past && mode < DECODER_MODES.len() && encoding.is_stateful()
        };
        let Some(encoding) = encoding.filter(has_mode).filter(|_| state >> 8 == 0) else {
            return Err(PyValueError::new_err(format!(
                "no state of a decoder: {state}"
            )));
        };
        self.reset();
        if is_past {
            self.decoder = decoder_in(encoding, mode, held);
        } else {
            self.decoder.decode_append(held, &mut String::new(), false);
        }
        self.tail = held.to_vec();
        Ok(())
    }
}

/// Returns the argument `errors`, or CPython's default "strict" if it is missing.
fn given(py: Python<'_>, errors: Option<Bound<'_, PyAny>>) -> PyResult<Py<PyAny>> {
    errors::check_handling(errors.as_ref())?;
    let errors = errors.unwrap_or_else(|| PyString::intern(py, "strict").into_any());
    Ok(errors.unbind())
}

/// Returns the exception for a decoder or encoder in a mode that has no number.
fn without_number(encoding: &Encoding) -> PyErr {
    PyValueError::new_err(format!(
        "{encoding} has no number for the state here; it has one in ASCII"
    ))
}

/// Returns the bytes of a character with which a stream can start: a letter or, in double-byte encodings, a space.
fn past(encoding: &'static Encoding) -> Vec<u8> {
    ["a", "\u{3000}"]
        .iter()
        .find_map(|text| encoding.encode(text).ok())
        .map_or_else(|| vec![b'a'], |bytes| bytes.into_owned())
}

/// Returns a decoder that is past the start of its stream, in the mode with this number, and has then read `held`.
fn decoder_in(encoding: &'static Encoding, mode: usize, held: &[u8]) -> Decoder {
    let mut decoder = Decoder::new(encoding, BomHandling::Keep);
    let ignored = &mut String::new();
    if mode == 0 {
        // Decode a character, because mode 0 has no bytes and the decoder's position must be past the start.
        decoder.decode_append(&past(encoding), ignored, false);
    }
    decoder.decode_append(DECODER_MODES[mode], ignored, false);
    decoder.decode_append(held, ignored, false);
    decoder
}

/// Returns a decoder's output for each of the probes.
fn decoder_probed(decoder: &Decoder) -> [String; DECODER_PROBES.len()] {
    DECODER_PROBES.map(|probe| {
        let mut text = String::new();
        decoder.clone().decode_append(probe, &mut text, true);
        text
    })
}

impl IncrementalDecoder {
    /// Returns the number of the mode before the bytes that are not decoded yet.
    fn mode(&self) -> PyResult<usize> {
        let encoding = self.decoder.encoding();
        if !encoding.is_stateful() {
            return Ok(0);
        }
        // The library does not expose the mode: find the mode that decodes all probes to the same output.
        let (probed, held) = (decoder_probed(&self.decoder), self.held());
        (0..DECODER_MODES.len())
            .find(|&mode| decoder_probed(&decoder_in(encoding, mode, held)) == probed)
            .ok_or_else(|| without_number(encoding))
    }

    /// Returns the bytes that are read but not decoded yet.
    fn held(&self) -> &[u8] {
        let length = self.decoder.incomplete_len().min(self.tail.len());
        &self.tail[self.tail.len() - length..]
    }

    /// Keeps the last bytes of `input`, for [`held`](Self::held).
    fn remember(&mut self, input: &[u8]) {
        /// More bytes than any incomplete sequence has.
        const LONGEST: usize = 16;
        let keep = input.len().min(LONGEST);
        self.tail.extend_from_slice(&input[input.len() - keep..]);
        let excess = self.tail.len().saturating_sub(LONGEST);
        self.tail.drain(..excess);
    }
}

/// Encodes a stream in pieces, as `codecs.IncrementalEncoder`.
#[pyclass(module = "mojika", name = "IncrementalEncoder", subclass)]
pub struct IncrementalEncoder {
    encoder: Encoder,
    target: Target,
    /// True if the byte order mark is still to be written.
    is_marking: bool,
    #[pyo3(get)]
    errors: Py<PyAny>,
}

#[pymethods]
impl IncrementalEncoder {
    #[new]
    #[pyo3(signature = (encoding, errors=None), text_signature = "(encoding, errors='strict')")]
    fn new(py: Python<'_>, encoding: &str, errors: Option<Bound<'_, PyAny>>) -> PyResult<Self> {
        let target = names::require_codec(encoding)?;
        Ok(Self {
            encoder: target.encoding.new_encoder().map_err(errors::no_encoder)?,
            target,
            is_marking: target.has_mark,
            errors: given(py, errors)?,
        })
    }

    #[setter]
    fn set_errors(&mut self, errors: Bound<'_, PyAny>) -> PyResult<()> {
        errors::check_handling(Some(&errors))?;
        self.errors = errors.unbind();
        Ok(())
    }

    #[getter]
    fn encoding(&self) -> &'static str {
        self.encoder.encoding().name()
    }

    #[pyo3(signature = (input, r#final=false))]
    fn encode<'py>(
        &mut self,
        input: &Bound<'py, PyString>,
        r#final: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let py = input.py();
        let errors = Errors::of(Some(self.errors.bind(py)), true)?;
        let before = self.encoder.clone();
        let mark = match self.is_marking {
            true => self.target.mark(),
            false => &[],
        };
        match encode::run(&mut self.encoder, &errors, mark, input, r#final) {
            Ok(bytes) => {
                self.is_marking = false;
                if r#final {
                    self.encoder.reset();
                }
                Ok(bytes)
            }
            Err(error) => {
                // A failed call writes nothing, not even escape sequences.
                self.encoder = before;
                Err(error)
            }
        }
    }

    fn __getnewargs__(&self, py: Python<'_>) -> (String, Py<PyAny>) {
        (self.target.own_name(), self.errors.clone_ref(py))
    }

    fn __getstate__(&self) -> PyResult<usize> {
        self.getstate()
    }

    fn __setstate__(&mut self, state: usize) -> PyResult<()> {
        self.setstate(state)
    }

    fn reset(&mut self) {
        self.encoder.reset();
        self.is_marking = self.target.has_mark;
    }

    /// Returns the mode of a stateful encoding, 0 at the start of the stream. In ISO-2022-JP, 1 is Roman and 2 is JIS X
    /// 0208. In others, 2 is the double-byte mode; ISO-2022-KR has 1 after its designation. If the encoding is not
    /// stateful, 2 means that a byte order mark is still to be written. 0 is any other state, as in CPython.
    ///
    /// A `ValueError` for a mode without a number, as for the decoder.
    fn getstate(&self) -> PyResult<usize> {
        let encoding = self.encoder.encoding();
        if !encoding.is_stateful() {
            return Ok(2 * usize::from(self.is_marking));
        }
        let probed = encoder_probed(&self.encoder);
        let is_in = |&mode: &usize| {
            let encoder = encoder_in(self.encoder.clone(), mode);
            encoder_probed(&encoder) == probed
        };
        let mode = (0..ENCODER_MODES.len()).find(is_in);
        mode.ok_or_else(|| without_number(encoding))
    }

    fn setstate(&mut self, state: usize) -> PyResult<()> {
        if state >= ENCODER_MODES.len() {
            return Err(PyValueError::new_err(format!(
                "no state of an encoder: {state}"
            )));
        }
        self.encoder = encoder_in(self.encoder.clone(), state);
        self.is_marking = self.target.has_mark && state != 0;
        Ok(())
    }
}

/// Brings an encoder from the start of its stream into the mode of this number.
fn encoder_in(mut encoder: Encoder, mode: usize) -> Encoder {
    encoder.reset();
    encoder.encode_append(ENCODER_MODES[mode], &mut Vec::new(), false);
    encoder
}

/// Returns an encoder's output for each of the probes, including the end of the stream.
fn encoder_probed(encoder: &Encoder) -> [Vec<u8>; ENCODER_PROBES.len()] {
    ENCODER_PROBES.map(|probe| {
        let mut bytes = Vec::new();
        encoder.clone().encode_append(probe, &mut bytes, true);
        bytes
    })
}

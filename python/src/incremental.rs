//! `IncrementalDecoder` and `IncrementalEncoder`: the interface of `codecs`.

use crate::decode;
use crate::encode;
use crate::errors;
use crate::names;
use crate::text::{self, Input};
use mojika::{
    BomHandling, Decoder, Encoder, Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE, extended,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};

/// The escape sequences of ISO-2022-JP, behind the escape.
const ESCAPES: [&[u8; 2]; 5] = [b"(B", b"(J", b"(I", b"$@", b"$B"];
const ESCAPE: u8 = 0x1B;
/// The encodings that a byte order mark names, from 1 on in the state.
const BOM_ENCODINGS: [&Encoding; 4] = [UTF_8, UTF_16BE, UTF_16LE, extended::UTF_32LE];

/// Decodes a stream in pieces, as `codecs.IncrementalDecoder`.
#[pyclass(module = "mojika", name = "IncrementalDecoder", subclass)]
pub struct IncrementalDecoder {
    decoder: Decoder,
    encoding: &'static Encoding,
    handling: BomHandling,
    #[pyo3(get, set)]
    errors: String,
    /// The last bytes read; the end of them is not decoded yet.
    tail: Vec<u8>,
    /// The last escape sequence of ISO-2022-JP that has been decoded, from 1 on.
    escape: u8,
    /// Whether nothing has been decoded behind it.
    at_escape: bool,
}

#[pymethods]
impl IncrementalDecoder {
    #[new]
    #[pyo3(signature = (encoding, errors="strict", *, bom="sniff"))]
    fn new(encoding: &str, errors: &str, bom: &str) -> PyResult<Self> {
        let encoding = names::require(encoding)?;
        let handling = decode::bom_handling(bom)?;
        Ok(Self {
            decoder: Decoder::new(encoding, handling),
            encoding,
            handling,
            errors: errors.to_owned(),
            tail: Vec::new(),
            escape: 0,
            at_escape: false,
        })
    }

    /// The encoding: the one asked for, or the one that a byte order mark has named.
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
        let errors = decode::Errors::of(py, &self.errors)?;
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
                // As Python's decoders: a failed call has not read anything.
                self.decoder = before;
                Err(error)
            }
        }
    }

    fn __getnewargs_ex__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<((String, String), Bound<'py, PyDict>)> {
        let named = PyDict::new(py);
        named.set_item("bom", decode::bom_word(self.handling))?;
        let name = names::own_name(self.encoding);
        Ok(((name, self.errors.clone()), named))
    }

    fn __getstate__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyBytes>, u32) {
        self.getstate(py)
    }

    fn __setstate__(&mut self, state: (Bound<'_, PyBytes>, u32)) -> PyResult<()> {
        self.setstate(state)
    }

    fn reset(&mut self) {
        self.decoder = Decoder::new(self.encoding, self.handling);
        self.tail.clear();
        self.escape = 0;
        self.at_escape = false;
    }

    /// The bytes that are not decoded yet, and the state before them: bit 0 the start is past, bits 1, 2 and 7 the encoding
    /// that a byte order mark has named, bits 3 to 5 the escape sequence of ISO-2022-JP, bit 6 nothing is after it.
    fn getstate<'py>(&self, py: Python<'py>) -> (Bound<'py, PyBytes>, u32) {
        let held = self.held();
        let decoding = self.decoder.encoding();
        let is_past = self.decoder.position() > held.len() as u64;
        let named = BOM_ENCODINGS.iter().position(|named| *named == decoding);
        let named = named
            .filter(|_| decoding != self.encoding)
            .map_or(0, |n| n + 1);
        let state = u32::from(is_past)
            | (named as u32 & 3) << 1
            | (named as u32 >> 2) << 7
            | u32::from(self.escape) << 3
            | u32::from(self.at_escape) << 6;
        (PyBytes::new(py, held), state)
    }

    fn setstate(&mut self, state: (Bound<'_, PyBytes>, u32)) -> PyResult<()> {
        let (held, state) = state;
        let named = (state >> 1 & 3 | (state >> 7 & 1) << 2) as usize;
        let escape = (state >> 3 & 7) as u8;
        let is_state =
            state >> 8 == 0 && named <= BOM_ENCODINGS.len() && usize::from(escape) <= ESCAPES.len();
        if !is_state {
            return Err(PyValueError::new_err(format!(
                "no state of a decoder: {state}"
            )));
        }
        self.reset();
        if state & 1 != 0 {
            let encoding = match named {
                0 => self.encoding,
                n => BOM_ENCODINGS[n - 1],
            };
            self.decoder = Decoder::new(encoding, BomHandling::Keep);
        }
        self.escape = escape;
        self.at_escape = state & 64 != 0;
        let ignored = &mut String::new();
        if let Some(index) = usize::from(escape).checked_sub(1) {
            let [first, second] = *ESCAPES[index];
            self.decoder
                .decode_append(&[ESCAPE, first, second], ignored, false);
            if !self.at_escape {
                // One character, so that another escape sequence may follow.
                let character: &[u8] = if first == b'$' { b"\x30\x21" } else { b"!" };
                self.decoder.decode_append(character, ignored, false);
            }
        } else if state & 1 != 0 {
            // Past the start, which the position says.
            self.decoder
                .decode_append(&past(self.decoder.encoding()), ignored, false);
        }
        self.decoder.decode_append(held.as_bytes(), ignored, false);
        self.tail = held.as_bytes().to_vec();
        Ok(())
    }
}

/// A character, which a stream may start with.
fn past(encoding: &'static Encoding) -> Vec<u8> {
    encoding
        .encode("a")
        .map_or_else(|_| vec![b'a'], |bytes| bytes.into_owned())
}

impl IncrementalDecoder {
    /// The bytes read that are not decoded yet.
    fn held(&self) -> &[u8] {
        let length = self.decoder.incomplete_len().min(self.tail.len());
        &self.tail[self.tail.len() - length..]
    }

    /// Keeps the end of what has been read, and the escape sequence before it.
    fn remember(&mut self, input: &[u8]) {
        /// More than any incomplete sequence and an escape sequence.
        const LONGEST: usize = 16;
        if self.decoder.encoding() == ISO_2022_JP {
            self.find_escape(input);
        }
        let keep = input.len().min(LONGEST);
        self.tail.extend_from_slice(&input[input.len() - keep..]);
        let excess = self.tail.len().saturating_sub(LONGEST);
        self.tail.drain(..excess);
    }

    fn find_escape(&mut self, input: &[u8]) {
        let bytes = [&self.tail, input].concat();
        let decoded = &bytes[..bytes.len() - self.decoder.incomplete_len().min(bytes.len())];
        let held_starts_escape = bytes.get(decoded.len()).is_none_or(|&byte| byte == ESCAPE);
        let number = |window: &[u8]| {
            let index = ESCAPES.iter().position(|escape| window[1..] == **escape)?;
            (window[0] == ESCAPE).then_some(index as u8 + 1)
        };
        let found = decoded
            .windows(3)
            .rev()
            .enumerate()
            .find_map(|(behind, window)| Some((behind, number(window)?)));
        if let Some((behind, number)) = found {
            self.escape = number;
            self.at_escape = behind == 0 && held_starts_escape;
        } else if !input.is_empty() {
            self.at_escape = false;
        }
    }
}

/// Encodes a stream in pieces, as `codecs.IncrementalEncoder`.
#[pyclass(module = "mojika", name = "IncrementalEncoder", subclass)]
pub struct IncrementalEncoder {
    encoder: Encoder,
    #[pyo3(get, set)]
    errors: String,
}

#[pymethods]
impl IncrementalEncoder {
    #[new]
    #[pyo3(signature = (encoding, errors="strict"))]
    fn new(encoding: &str, errors: &str) -> PyResult<Self> {
        let encoding = names::require(encoding)?;
        Ok(Self {
            encoder: encoding.new_encoder().map_err(errors::no_encoder)?,
            errors: errors.to_owned(),
        })
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
        let errors = encode::Errors::of(py, &self.errors)?;
        let before = self.encoder.clone();
        match encode::run(&mut self.encoder, &errors, input, r#final) {
            Ok(bytes) => {
                if r#final {
                    self.encoder.reset();
                }
                Ok(bytes)
            }
            Err(error) => {
                // Nothing of a failed call is written, escape sequences included.
                self.encoder = before;
                Err(error)
            }
        }
    }

    fn __getnewargs__(&self) -> (String, String) {
        (
            names::own_name(self.encoder.encoding()),
            self.errors.clone(),
        )
    }

    fn __getstate__(&self) -> u32 {
        self.getstate()
    }

    fn __setstate__(&mut self, state: u32) -> PyResult<()> {
        self.setstate(state)
    }

    fn reset(&mut self) {
        self.encoder.reset();
    }

    /// 0 wherever the stream may end; 1 and 2 in the states Roman and JIS X 0208 of ISO-2022-JP.
    fn getstate(&self) -> u32 {
        if self.encoder.is_complete() {
            return 0;
        }
        // The state is known by what it takes to write one character of each set.
        let lengths = ["a", "¥", "文"].map(|text| {
            let mut bytes = Vec::new();
            self.encoder.clone().encode_append(text, &mut bytes, false);
            bytes.len()
        });
        match lengths {
            [1, ..] => 0,
            [_, 1, _] => 1,
            _ => 2,
        }
    }

    fn setstate(&mut self, state: u32) -> PyResult<()> {
        let text = match state {
            0 => "",
            1 => "¥",
            2 => "文",
            _ => {
                return Err(PyValueError::new_err(format!(
                    "no state of an encoder: {state}"
                )));
            }
        };
        self.encoder.reset();
        self.encoder.encode_append(text, &mut Vec::new(), false);
        Ok(())
    }
}

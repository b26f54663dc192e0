//! `str` to bytes, with Python's error handlers.

use crate::errors::{self, Errors};
use crate::names::{self, Target};
use crate::text::{self, Units, Utf16, detached, widened, with_bytes};
use mojika::{Encoder, Status, UTF_8, WINDOWS_1252, extended};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// Encodes a str.
#[pyfunction]
#[pyo3(signature = (text, encoding="utf-8", errors=None))]
pub fn encode<'py>(
    text: &Bound<'py, PyString>,
    encoding: &str,
    errors: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    errors::check_handling(errors)?;
    encode_to(names::require_target(encoding)?, text, errors)
}

/// Encodes a str to bytes of the target.
pub fn encode_to<'py>(
    target: Target,
    text: &Bound<'py, PyString>,
    errors: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    if let Some(bytes) = copied(target, text) {
        return bytes;
    }
    let mut encoder = target.encoding.new_encoder().map_err(errors::no_encoder)?;
    let errors = Errors::of(errors, true)?;
    run(&mut encoder, &errors, target.mark(), text, true)
}

/// Converts to bytes without an encoder: ASCII, ISO-8859-1, its part in windows-1252, and short UTF-8. `None` for other text.
#[inline]
fn copied<'py>(
    target: Target,
    text: &Bound<'py, PyString>,
) -> Option<PyResult<Bound<'py, PyBytes>>> {
    let encoding = target.encoding;
    if target.has_mark {
        return None;
    }
    let bytes = match text::narrow(text) {
        Some((bytes, true)) if encoding.is_ascii_compatible() => bytes,
        Some((bytes, false)) if encoding == extended::ISO_8859_1 => bytes,
        Some((bytes, false)) if encoding == WINDOWS_1252 && !text::has_c1_controls(bytes) => bytes,
        // A surrogate makes CPython's encoder fail; the library's then reports the surrogate with its position.
        _ if encoding == UTF_8 && text.len().ok()? <= text::SHORT => {
            return text.encode_utf8().ok().map(Ok);
        }
        _ => return None,
    };
    Some(Ok(PyBytes::new(text.py(), bytes)))
}

/// Encodes all of `text`, after the bytes of `mark`.
pub fn run<'py>(
    encoder: &mut Encoder,
    errors: &Errors,
    mark: &[u8],
    text: &Bound<'py, PyString>,
    last: bool,
) -> PyResult<Bound<'py, PyBytes>> {
    with_bytes(|bytes| {
        // Two bytes per character are the maximum of most encodings. The 64 extra bytes allow for register-wide writes
        // of the kernels.
        bytes.reserve(2 * text.len()? + 64);
        bytes.extend_from_slice(mark);
        let run = Run {
            encoder,
            errors,
            text,
            bytes,
            last,
        };
        run.all()?;
        Ok(PyBytes::new(text.py(), bytes))
    })
}

struct Run<'a, 'py> {
    encoder: &'a mut Encoder,
    errors: &'a Errors,
    text: &'a Bound<'py, PyString>,
    bytes: &'a mut Vec<u8>,
    last: bool,
}

/// Maps code unit positions to character positions, in ascending order.
struct Places<'a> {
    source: &'a Utf16<'a>,
    unit: usize,
    character: usize,
}

impl Places<'_> {
    /// Returns the index of the character at code unit index `unit`.
    fn character_at(&mut self, unit: usize) -> usize {
        if !self.source.has_pairs {
            return unit;
        }
        if unit < self.unit {
            (self.unit, self.character) = (0, 0);
        }
        while self.unit < unit {
            self.unit += self.length_at(self.unit);
            self.character += 1;
        }
        self.character
    }

    /// Returns the code unit index at which `character` starts.
    fn unit_at(&mut self, character: usize) -> usize {
        if !self.source.has_pairs {
            return character;
        }
        if character < self.character {
            (self.unit, self.character) = (0, 0);
        }
        while self.character < character {
            self.unit += self.length_at(self.unit);
            self.character += 1;
        }
        self.unit
    }

    fn length_at(&self, unit: usize) -> usize {
        let is_lead = self.source.units[unit] & 0xFC00 == 0xD800;
        1 + usize::from(is_lead && self.source.lone.binary_search(&unit).is_err())
    }
}

impl Run<'_, '_> {
    fn all(mut self) -> PyResult<()> {
        match Units::of(self.text)? {
            Units::Ascii(ascii) if self.encoder.encoding().is_ascii_compatible() => {
                let (py, last) = (self.text.py(), self.last);
                let Run { encoder, bytes, .. } = self;
                for (piece, is_last) in crate::decode::pieces(ascii.as_bytes()) {
                    // A piece of ASCII is valid UTF-8, so this never uses the default.
                    let piece = std::str::from_utf8(piece).unwrap_or_default();
                    detached(py, piece.len(), || {
                        encoder.encode_append(piece, bytes, last && is_last)
                    });
                    py.check_signals()?;
                }
                Ok(())
            }
            // The encoding is not ASCII-compatible, or is ISO-2022-JP, which refuses some ASCII.
            Units::Ascii(ascii) => self.units(&widened(ascii.as_bytes())),
            Units::Latin1(bytes) => self.units(&widened(bytes)),
            Units::Utf16(utf_16) => self.units(&utf_16),
        }
    }

    fn units(&mut self, source: &Utf16<'_>) -> PyResult<()> {
        let units = &*source.units;
        let mut places = Places {
            source,
            unit: 0,
            character: 0,
        };
        let mut at = 0;
        loop {
            // The encoder never receives the `str`'s surrogates, because it would combine two into one character.
            let next_lone = source.lone.partition_point(|&lone| lone < at);
            let lone = source.lone.get(next_lone).copied().unwrap_or(units.len());
            // A piece ends at a check for signals, but never within a surrogate pair.
            let mut end = lone.min(at + crate::decode::PIECE);
            if end < lone && units[end - 1] & 0xFC00 == 0xD800 {
                end -= 1;
            }
            let last = self.last && end == units.len();
            let failed = self.part(&units[at..end], last);
            at = match failed {
                Some((from, to)) => self.unmappable(&mut places, at + from, at + to)?,
                None if end == units.len() => return Ok(()),
                None if end < lone => {
                    self.text.py().check_signals()?;
                    end
                }
                None => self.unmappable(&mut places, end, end + 1)?,
            };
            if at == units.len() && !self.last {
                return Ok(());
            }
        }
    }

    /// Encodes until an unmappable character. Returns its start and end in `units`.
    fn part(&mut self, units: &[u16], last: bool) -> Option<(usize, usize)> {
        let (encoder, bytes) = (&mut *self.encoder, &mut *self.bytes);
        let py = self.text.py();
        if let Errors::Html = self.errors {
            detached(py, units.len(), || {
                encoder.encode_html_append(units, bytes, last)
            });
            return None;
        }
        let progress = detached(py, units.len(), || {
            encoder.encode_append(units, bytes, last)
        });
        let Status::Unmappable(_) = progress.status else {
            return None;
        };
        let read = progress.read;
        let is_pair = read >= 2 && units[read - 1] & 0xFC00 == 0xDC00;
        Some((read - 1 - usize::from(is_pair), read))
    }

    /// Handles the unmappable character in units `from..to`. Returns the unit index at which to continue.
    fn unmappable(&mut self, places: &mut Places<'_>, from: usize, to: usize) -> PyResult<usize> {
        match self.errors {
            Errors::Ignore => return Ok(to),
            Errors::Replace => {
                self.encoder.encode_append("?", self.bytes, false);
                return Ok(to);
            }
            Errors::Html => {
                // A lone surrogate: the encoder replaces other characters. Python also writes this reference.
                let reference = format!("&#{};", places.source.units[from]);
                self.encoder.encode_append(&*reference, self.bytes, false);
                return Ok(to);
            }
            Errors::Strict | Errors::Handler(_) => {}
        }
        let py = self.text.py();
        let start = places.character_at(from);
        let encoding = self.encoder.encoding();
        let exception = errors::encode_exception(py, encoding, self.text, start, start + 1)?;
        let Errors::Handler(handler) = self.errors else {
            let place = errors::place_of(self.text, start)?;
            return Err(PyErr::from_value(errors::placed(exception, Some(place))?));
        };
        let (replacement, position) = errors::handled(handler.bind(py), exception.clone())?;
        if let Ok(bytes) = replacement.cast::<PyBytes>() {
            self.bytes.extend_from_slice(bytes.as_bytes());
        } else {
            let text = replacement.cast::<PyString>()?;
            self.aside(text, exception)?;
        }
        let characters = self.text.len()?;
        Ok(places.unit_at(errors::position(position, characters)?))
    }

    /// Encodes the replacement that a handler has returned, which must be mappable.
    fn aside(&mut self, text: &Bound<'_, PyString>, exception: Bound<'_, PyAny>) -> PyResult<()> {
        let units = match Units::of(text)? {
            Units::Ascii(ascii) => ascii.bytes().map(u16::from).collect(),
            Units::Latin1(bytes) => bytes.iter().map(|&byte| u16::from(byte)).collect(),
            Units::Utf16(utf_16) if utf_16.lone.is_empty() => utf_16.units.into_owned(),
            Units::Utf16(_) => return Err(PyErr::from_value(exception)),
        };
        let progress = self.encoder.encode_append(&units, self.bytes, false);
        match progress.status {
            Status::Unmappable(_) => Err(PyErr::from_value(exception)),
            _ => Ok(()),
        }
    }
}

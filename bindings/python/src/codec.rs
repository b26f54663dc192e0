//! `Codec`: the two functions that `codecs` calls for one encoding, without a look-up of its name.

use crate::decode::{copied, decode_from};
use crate::encode::encode_to;
use crate::names;
use crate::text::Input;
use mojika::{BomHandling, Encoding};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// One encoding, with the functions of a `codecs.CodecInfo`.
#[pyclass(module = "mojika._native", frozen)]
pub struct Codec {
    encoding: &'static Encoding,
}

#[pymethods]
impl Codec {
    #[new]
    fn new(encoding: &str) -> PyResult<Self> {
        let encoding = names::require(encoding)?;
        Ok(Self { encoding })
    }

    /// str to bytes, and how many characters that were.
    #[pyo3(signature = (text, errors="strict", /))]
    fn encode<'py>(
        &self,
        text: &Bound<'py, PyString>,
        errors: &str,
    ) -> PyResult<(Bound<'py, PyBytes>, usize)> {
        Ok((encode_to(self.encoding, text, errors)?, text.len()?))
    }

    /// bytes to str, and how many bytes that were.
    #[pyo3(signature = (data, errors="strict", /))]
    fn decode<'py>(
        &self,
        data: &Bound<'py, PyAny>,
        errors: &str,
    ) -> PyResult<(Bound<'py, PyString>, usize)> {
        let (py, handling) = (data.py(), BomHandling::Sniff);
        let shortcut = |bytes: &[u8]| {
            let text = copied(py, self.encoding, bytes, handling)?;
            Some(text.map(|text| (text, bytes.len())))
        };
        match Input::unless(data, shortcut)? {
            Ok(input) => {
                let text = decode_from(py, self.encoding, &input, handling, errors)?;
                Ok((text, input.as_slice().len()))
            }
            Err(copied) => copied,
        }
    }
}

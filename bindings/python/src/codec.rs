//! `Codec`: the two functions that `codecs` calls for one encoding, without a name look-up.

use crate::decode::{copied, decode_from};
use crate::encode::encode_to;
use crate::names::{self, Target};
use crate::text::Input;
use mojika::{BomHandling, Encoding};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// One encoding, with the functions of a `codecs.CodecInfo`.
#[pyclass(module = "mojika._native", frozen)]
pub struct Codec {
    encoding: &'static Encoding,
    target: Target,
}

#[pymethods]
impl Codec {
    #[new]
    fn new(encoding: &str) -> PyResult<Self> {
        let target = names::require_codec(encoding)?;
        let encoding = names::require(encoding)?;
        Ok(Self { encoding, target })
    }

    /// The name of this encoding and of no other. It also says if writing begins with a byte order mark.
    #[getter]
    fn name(&self) -> String {
        self.target.own_name()
    }

    /// Encodes a str. Returns the bytes and the number of characters read.
    #[pyo3(signature = (text, errors=None, /), text_signature = "($self, text, errors='strict', /)")]
    fn encode<'py>(
        &self,
        text: &Bound<'py, PyString>,
        errors: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyBytes>, usize)> {
        Ok((encode_to(self.target, text, errors)?, text.len()?))
    }

    /// Decodes bytes. Returns the str and the number of bytes read.
    #[pyo3(signature = (data, errors=None, /), text_signature = "($self, data, errors='strict', /)")]
    fn decode<'py>(
        &self,
        data: &Bound<'py, PyAny>,
        errors: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyString>, usize)> {
        let (py, handling) = (data.py(), BomHandling::Sniff);
        let shortcut = |bytes: &[u8]| {
            let text = copied(py, self.encoding, bytes, handling)?;
            Some(text.map(|text| (text, bytes.len())))
        };
        match Input::unless(data, shortcut)? {
            Ok(input) => {
                let text = decode_from(self.encoding, &input, handling, errors)?;
                Ok((text, input.as_slice().len()))
            }
            Err(copied) => copied,
        }
    }
}

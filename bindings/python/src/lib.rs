//! `mojika._native`: the library for Python.
//!
//! * `names`: look-up of encodings by name.
//! * `errors`: exceptions with offsets.
//! * `text`: conversion between Python's `str` and UTF-16.
//! * `decode`, `encode`: whole input, with Python's error handlers; `quick`: calls with short input.
//! * `codec`, `incremental`: the interface of `codecs`.
//! * `sniff`: detection of encodings; HTML and XML documents.
//! * `repair`: text that was decoded in the wrong encoding.
//! * `reader`, `packed`, `source`: a readable file object that yields UTF-8.
//! * `writer`: conversion of UTF-8 for a file, with a list of unmappable characters.
//! * `arrow`: Arrow columns.
//! * `command`: the command-line program; `edit`: its edits of text files.

mod arrow;
mod codec;
mod command;
mod decode;
mod edit;
mod encode;
mod errors;
mod incremental;
mod names;
mod packed;
mod quick;
mod reader;
mod repair;
mod sniff;
mod source;
mod text;
mod writer;

use pyo3::prelude::*;

#[pymodule(gil_used = true)]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    quick::add_to(module)?;
    module.add_function(wrap_pyfunction!(decode::to_utf8, module)?)?;
    module.add_function(wrap_pyfunction!(names::lookup, module)?)?;
    module.add_function(wrap_pyfunction!(names::encodings, module)?)?;
    module.add_function(wrap_pyfunction!(sniff::detect, module)?)?;
    module.add_function(wrap_pyfunction!(sniff::decode_html, module)?)?;
    module.add_function(wrap_pyfunction!(sniff::decode_xml, module)?)?;
    module.add_function(wrap_pyfunction!(repair::repaired, module)?)?;
    module.add_function(wrap_pyfunction!(repair::find_mojibake, module)?)?;
    module.add_class::<repair::Mojibake>()?;
    module.add_class::<sniff::Detection>()?;
    module.add_class::<sniff::Document>()?;
    module.add_class::<codec::Codec>()?;
    module.add_class::<incremental::IncrementalDecoder>()?;
    module.add_class::<incremental::IncrementalEncoder>()?;
    module.add_class::<reader::Utf8Reader>()?;
    module.add_class::<writer::Utf8Encoder>()?;
    module.add_class::<edit::EditedFile>()?;
    module.add_function(wrap_pyfunction!(names::resolve, module)?)?;
    module.add_function(wrap_pyfunction!(command::run_command, module)?)?;
    arrow::add_to(module)
}

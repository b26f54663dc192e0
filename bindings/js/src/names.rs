//! Encodings by number: the Standard's in their order, followed by the extended ones.

use crate::json;
use crate::memory::{NONE, with};
use mojika::Encoding;
use others::is_left_out;
use std::str::from_utf8;

/// Names of encodings that are not labels of the Standard.
#[cfg(not(mojika_small))]
mod others {
    use mojika::Encoding;
    pub use mojika::extended::{all, find, names, nth};

    pub fn is_left_out(_: &Encoding) -> bool {
        false
    }
}

/// Stand-ins for the small module, which lacks these names and the multi-byte codecs.
#[cfg(mojika_small)]
mod others {
    use mojika::Encoding;
    use std::iter::{Empty, empty};

    pub fn all() -> Empty<&'static Encoding> {
        empty()
    }

    pub fn find(name: &str) -> Option<&'static Encoding> {
        Encoding::for_label(name)
    }

    pub fn names(_: &Encoding) -> Empty<&'static str> {
        empty()
    }

    pub fn nth(_: usize) -> Option<&'static Encoding> {
        None
    }

    pub fn is_left_out(encoding: &Encoding) -> bool {
        encoding.is_left_out()
    }
}

/// The return value for an encoding that the small module lacks.
const LEFT_OUT: i32 = -2;

/// Returns the encoding with this number.
pub fn nth(number: usize) -> Option<&'static Encoding> {
    let standard = Encoding::all();
    match standard.get(number) {
        Some(encoding) => Some(encoding),
        None => others::nth(number - standard.len()),
    }
}

/// Returns the number of an encoding.
pub fn number_of(encoding: &'static Encoding) -> i32 {
    if is_left_out(encoding) {
        return LEFT_OUT;
    }
    let mut all = Encoding::all().iter().copied().chain(others::all());
    (all.position(|other| other == encoding)).map_or(NONE, |number| number as i32)
}

/// Returns the number of the encoding whose Standard label is the first `len` bytes of the input; [`NONE`] if there is
/// no such encoding, [`LEFT_OUT`] if the small module lacks it.
#[unsafe(no_mangle)]
pub extern "C" fn for_label(len: usize) -> i32 {
    with(|memory| Encoding::for_label(&memory.input[..len]).map_or(NONE, number_of))
}

/// Returns the number of the encoding with this name, in the Standard or outside it.
#[unsafe(no_mangle)]
pub extern "C" fn find(len: usize) -> i32 {
    with(|memory| {
        let name = from_utf8(&memory.input[..len]).ok();
        name.and_then(others::find).map_or(NONE, number_of)
    })
}

/// Returns the name by which `find` finds an encoding: its own name, unless that is a label of another encoding.
pub fn id(encoding: &'static Encoding) -> String {
    let name = encoding.name();
    let is_found = others::find(name) == Some(encoding);
    let prefix = if is_found { "" } else { "extended:" };
    prefix.to_owned() + name
}

/// Returns all encodings in the order of their numbers, as JSON: `{"leftOut": bool, "standard": bool, "name": string, "id":
/// string, "encodes": bool, "labels": [string]}`. `find` accepts an `id`.
#[unsafe(no_mangle)]
pub extern "C" fn encodings() -> i32 {
    let mut list = String::from("[");
    for number in 0.. {
        let Some(encoding) = nth(number) else { break };
        let mut object = json::Object::begin(&mut list);
        object.bool("leftOut", is_left_out(encoding));
        object.bool("standard", number < Encoding::all().len());
        object.string("name", encoding.name());
        object.string("id", &id(encoding));
        object.bool("encodes", encoding.new_encoder().is_ok());
        object.strings("labels", encoding.labels().chain(others::names(encoding)));
        object.end();
    }
    list.push(']');
    with(|memory| memory.show_text(list))
}

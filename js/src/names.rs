//! Encodings by number: those of the Standard in its order, and after them those of `extended`.

use crate::json;
use crate::memory::{NONE, with};
use mojika::{Encoding, extended};
use std::str::from_utf8;

/// The encoding of this number.
pub fn nth(number: usize) -> Option<&'static Encoding> {
    let standard = Encoding::all();
    match standard.get(number) {
        Some(encoding) => Some(encoding),
        None => extended::nth(number - standard.len()),
    }
}

fn number_of(encoding: &'static Encoding) -> i32 {
    let mut all = Encoding::all().iter().copied().chain(extended::all());
    (all.position(|other| other == encoding)).map_or(NONE, |number| number as i32)
}

/// The number of the encoding with this label of the Standard, of `len` bytes in the input.
#[unsafe(no_mangle)]
pub extern "C" fn for_label(len: usize) -> i32 {
    with(|memory| Encoding::for_label(&memory.input[..len]).map_or(NONE, number_of))
}

/// The number of the encoding that a user names so, in the Standard or outside it.
#[unsafe(no_mangle)]
pub extern "C" fn find(len: usize) -> i32 {
    with(|memory| {
        let name = from_utf8(&memory.input[..len]).ok();
        name.and_then(extended::find).map_or(NONE, number_of)
    })
}

/// All encodings in the order of their numbers, as JSON: `{"standard": bool, "name": string, "id": string, "labels":
/// [string], "encodes": bool}`, where `find` knows the encoding by its `id`.
#[unsafe(no_mangle)]
pub extern "C" fn encodings() -> i32 {
    let mut list = String::from("[");
    for number in 0.. {
        let Some(encoding) = nth(number) else { break };
        let is_standard = number < Encoding::all().len();
        let name = encoding.name();
        let is_found = extended::find(name) == Some(encoding);
        let prefix = if is_found { "" } else { "extended:" };
        let mut object = json::Object::begin(&mut list);
        object.bool("standard", is_standard);
        object.string("name", name);
        object.string("id", &format!("{prefix}{name}"));
        object.bool("encodes", encoding.new_encoder().is_ok());
        object.strings("labels", encoding.labels().chain(extended::names(encoding)));
        object.end();
    }
    list.push(']');
    with(|memory| memory.show_text(list))
}

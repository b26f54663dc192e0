//! The memory that JavaScript reads and writes, and the numbers of decoders and encoders.

use mojika::web::TextDecoder;
use mojika::{Decoder, Encoder};
use std::cell::RefCell;

/// The result of a function, as 32-bit words for JavaScript: an address, then values that each function documents.
pub type Words = [u32; 6];

/// The return value of a function for an unknown name, a malformed sequence or an unmappable character.
pub const NONE: i32 = -1;

/// A decoder that JavaScript refers to by number.
pub enum Decoding {
    /// The Standard's `TextDecoder`.
    Web(TextDecoder),
    /// A decoder of any encoding. Malformed input is an error if `fatal` is set.
    Plain {
        decoder: Decoder,
        fatal: bool,
        /// The character of each byte, for a single-byte encoding whose malformed input is replaced.
        #[cfg(not(mojika_small))]
        characters: Option<Box<[u16; 256]>>,
    },
}

/// An encoder that JavaScript refers to by number.
pub struct Encoding {
    pub encoder: Encoder,
    pub mode: Mode,
}

/// The handling of unmappable characters.
pub enum Mode {
    Fatal,
    Html,
    /// The code units to encode in place of an unmappable character.
    Replacement(Vec<u16>),
}

#[derive(Default)]
pub struct Memory {
    /// Bytes from JavaScript.
    pub input: Vec<u8>,
    /// Code units from JavaScript.
    pub text: Vec<u16>,
    /// Bytes for JavaScript.
    pub bytes: Vec<u8>,
    /// Code units for JavaScript.
    pub units: Vec<u16>,
    pub words: Words,
    pub decoders: Numbered<Decoding>,
    pub encoders: Numbered<Encoding>,
}

thread_local! {
    static MEMORY: RefCell<Memory> = RefCell::default();
}

/// Calls `f` with the memory.
pub fn with<R>(f: impl FnOnce(&mut Memory) -> R) -> R {
    MEMORY.with_borrow_mut(f)
}

impl Memory {
    /// Writes the address of the bytes to the words and returns their number.
    pub fn show_bytes(&mut self) -> i32 {
        self.words[0] = self.bytes.as_ptr() as u32;
        self.bytes.len() as i32
    }

    /// Stores `text` as UTF-8 in the bytes that JavaScript reads, and returns its length.
    pub fn show_text(&mut self, text: String) -> i32 {
        self.bytes = text.into_bytes();
        self.show_bytes()
    }
}

/// Items by number. Numbers of removed items are reused.
pub struct Numbered<T> {
    /// Items are boxed, because the list moves its elements when it grows.
    items: Vec<Option<Box<T>>>,
    /// The numbers of removed items.
    free: Vec<usize>,
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            free: Vec::new(),
        }
    }
}

impl<T> Numbered<T> {
    pub fn add(&mut self, item: T) -> i32 {
        let place = self.free.pop().unwrap_or_else(|| {
            self.items.push(None);
            self.items.len() - 1
        });
        self.items[place] = Some(Box::new(item));
        place as i32
    }

    pub fn get(&mut self, number: usize) -> Option<&mut T> {
        self.items.get_mut(number)?.as_deref_mut()
    }

    pub fn remove(&mut self, number: usize) {
        if self.items.get_mut(number).and_then(Option::take).is_some() {
            self.free.push(number);
        }
    }
}

/// Returns the address of memory for `len` bytes.
#[unsafe(no_mangle)]
pub extern "C" fn input(len: usize) -> *mut u8 {
    with(|memory| room(&mut memory.input, len))
}

/// Returns the address of memory for `len` code units.
#[unsafe(no_mangle)]
pub extern "C" fn text(len: usize) -> *mut u16 {
    with(|memory| room(&mut memory.text, len))
}

/// Returns the address of the words that functions write.
#[unsafe(no_mangle)]
pub extern "C" fn result() -> *const u32 {
    with(|memory| memory.words.as_ptr())
}

fn room<T: Copy + Default>(items: &mut Vec<T>, len: usize) -> *mut T {
    if items.len() < len {
        // The caller overwrites the old content, so it is not copied.
        *items = vec![T::default(); len];
    }
    items.as_mut_ptr()
}

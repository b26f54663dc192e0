//! Four C functions around mojika, for run.mjs to call. There is one input buffer and one output buffer.

use core::cell::UnsafeCell;
use core::ptr::slice_from_raw_parts_mut;

const CAPACITY: usize = 1 << 16;

struct Buffer(UnsafeCell<[u8; CAPACITY]>);

// SAFETY: a wasm module without threads has one caller at a time.
unsafe impl Sync for Buffer {}

impl Buffer {
    const fn new() -> Self {
        Self(UnsafeCell::new([0; CAPACITY]))
    }

    #[allow(clippy::mut_from_ref, reason = "each export takes each buffer once")]
    fn front(&self, len: usize) -> &mut [u8] {
        assert!(len <= CAPACITY);
        // SAFETY: within the buffer; nothing else holds a reference, since there is one caller at a time.
        unsafe { &mut *slice_from_raw_parts_mut(self.0.get().cast(), len) }
    }
}

static INPUT: Buffer = Buffer::new();
static OUTPUT: Buffer = Buffer::new();

/// Returns the input buffer. It takes a label, immediately followed by the input.
#[unsafe(no_mangle)]
pub extern "C" fn input() -> *mut u8 {
    INPUT.0.get().cast()
}

/// Returns the output buffer.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    OUTPUT.0.get().cast()
}

/// Decodes to UTF-8. Returns the length of the output, or -1 for an unknown label.
#[unsafe(no_mangle)]
pub extern "C" fn decode(label_length: usize, input_length: usize) -> isize {
    let (label, bytes) = INPUT
        .front(label_length + input_length)
        .split_at(label_length);
    let Some(encoding) = core::str::from_utf8(label)
        .ok()
        .and_then(mojika::Encoding::for_label)
    else {
        return -1;
    };
    // Compare the streaming call with the one-shot call.
    let decoded = encoding.decode(bytes);
    let progress = encoding
        .new_decoder()
        .decode(bytes, OUTPUT.front(CAPACITY), true);
    assert_eq!(decoded.text.as_bytes(), &*OUTPUT.front(progress.written));
    progress.written as isize
}

/// Encodes UTF-8 in error mode "html". Returns the length of the output, or -1 for an unknown label or invalid UTF-8.
#[unsafe(no_mangle)]
pub extern "C" fn encode(label_length: usize, input_length: usize) -> isize {
    let (label, text) = INPUT
        .front(label_length + input_length)
        .split_at(label_length);
    let (Ok(label), Ok(text)) = (core::str::from_utf8(label), core::str::from_utf8(text)) else {
        return -1;
    };
    let Some(encoding) = mojika::Encoding::for_label(label) else {
        return -1;
    };
    let Ok(encoded) = encoding.encode_html(text) else {
        return -1;
    };
    OUTPUT
        .front(encoded.bytes.len())
        .copy_from_slice(&encoded.bytes);
    encoded.bytes.len() as isize
}

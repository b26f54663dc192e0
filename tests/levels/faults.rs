//! Fault class 8, vector code that writes outside of the output, on every instruction set.
//!
//! The proof tests reads outside of the input and writes beyond the output's memory, with inaccessible pages on both sides.

use crate::common::{Form, How, Random, Text, at_every_level, case, input, utf_16};
use mojika::{Encoding, simd};

/// The start of a window in a larger buffer: its alignment.
const STARTS: [usize; 8] = [1, 2, 3, 7, 31, 32, 33, 63];

/// Sizes of the window.
const ROOMS: [usize; 20] = [
    0, 1, 2, 3, 4, 5, 7, 9, 15, 16, 17, 31, 33, 63, 64, 65, 66, 127, 128, 129,
];

/// Calls `convert` with windows into larger buffers; it returns its output. All other bytes must stay.
fn check<U: Form>(
    what: &dyn Fn(usize) -> String,
    convert: &mut dyn FnMut(&mut [U]) -> usize,
    capacities: &[usize],
) {
    for &start in &STARTS {
        for &room in capacities {
            let mut memory = vec![U::CANARY; start + room + 200];
            let written = convert(&mut memory[start..start + room]);
            assert!(written <= room, "{written} from {start}: {}", what(room));
            let outside = memory[..start].iter().chain(&memory[start + written..]);
            let kept = outside.copied().all(|unit| unit == U::CANARY);
            assert!(kept, "from {start}: {}", what(room));
        }
    }
}

fn decodes_within<U: Form>(encoding: &'static Encoding, bytes: &[u8]) {
    let what = |room| case(encoding, &[bytes], room);
    let most = U::max_length(&encoding.new_decoder(), bytes.len(), false).unwrap();
    let capacities = [&ROOMS[..], &[most, most + 1]].concat();
    let decoder = encoding.new_decoder();
    let mut convert =
        |dst: &mut [U]| U::call(&mut decoder.clone(), bytes, dst, true, How::LENIENT).written;
    check(&what, &mut convert, &capacities);
}

fn encodes_within<S: Text + ?Sized>(encoding: &'static Encoding, text: &S) {
    let Ok(encoder) = encoding.new_encoder() else {
        return;
    };
    let what = |room| {
        let level = simd::level();
        format!("{encoding} at {level} into {room}: {text:04X?}")
    };
    let most = S::max_length(&encoder, text.units(), false).unwrap();
    let capacities = [&ROOMS[..], &[most, most + 1]].concat();
    let mut convert = |dst: &mut [u8]| encoder.clone().encode_html(text, dst, true).written;
    check(&what, &mut convert, &capacities);
}

#[test]
fn fault_8_nothing_outside_the_output_is_written() {
    at_every_level(|_| {
        let mut random = Random::new(15);
        for encoding in input::representatives() {
            // Words that the encoding can represent, any words, or random text.
            let words: String = "яж漢字한글éüทยαβ、。"
                .chars()
                .filter(|c| encoding.encode(&c.to_string()).is_ok())
                .collect();
            let dense = words.repeat(300 / words.len().max(1));
            let texts = [
                dense,
                random.odd_text(60),
                format!("{}{}", "a".repeat(150), random.odd_text(9)),
            ];
            for text in &texts {
                encodes_within(encoding, text.as_str());
                encodes_within(encoding, &*utf_16(text));
                if let Ok(encoded) = encoding.encode_html(text) {
                    decodes_within::<u8>(encoding, &encoded.bytes);
                    decodes_within::<u16>(encoding, &encoded.bytes);
                }
            }
            for bytes in [
                [vec![b'a'; 300], random.odd_bytes(40)].concat(),
                random.odd_bytes(200),
            ] {
                decodes_within::<u8>(encoding, &bytes);
                decodes_within::<u16>(encoding, &bytes);
            }
        }
    });
}

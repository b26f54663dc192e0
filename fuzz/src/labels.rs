//! Target `labels`: "get an encoding" for any bytes.
//!
//! The first byte decides if the rest is the label itself. Otherwise it selects one of the Standard's labels, the case of
//! its letters and the white space around it, and possibly one byte to replace.

use crate::input::Input;
use mojika_spec::labels::LABELS;

const SPACE: [u8; 8] = *b"\t\n\x0C\r \x0B\0\xA0";

/// Checks one input.
pub fn check(data: &[u8]) {
    let mut input = Input(data);
    let kind = input.byte();
    if kind < 0x80 {
        compare(input.0);
        return;
    }
    let labels = LABELS[usize::from(input.byte()) % LABELS.len()].1;
    let mut label = labels[usize::from(input.byte()) % labels.len()]
        .as_bytes()
        .to_vec();
    for byte in &mut label {
        if input.byte() % 2 == 1 {
            *byte = byte.to_ascii_uppercase();
        }
    }
    if kind & 1 != 0 {
        let at = usize::from(input.byte()) % label.len();
        label[at] = input.byte();
    }
    // Insert white space and similar characters on both sides.
    for side in [0, usize::MAX] {
        for &byte in input.take(4) {
            let at = side.min(label.len());
            label.insert(at, SPACE[usize::from(byte) % SPACE.len()]);
        }
    }
    label.extend_from_slice(input.take(1));
    compare(&label);
}

fn compare(label: &[u8]) {
    let found = mojika::Encoding::for_label(label);
    // Bytes that are not UTF-8 become U+FFFD, which no label contains.
    let spec = mojika_spec::get_an_encoding(&String::from_utf8_lossy(label));
    assert_eq!(
        found.map(|encoding| encoding.name()),
        spec.map(|encoding| encoding.name()),
        "label {label:02X?}"
    );
    if let (Some(found), Some(spec)) = (found, spec) {
        let output = mojika_spec::get_an_output_encoding(spec);
        assert_eq!(found.output_encoding().name(), output.name());
        let listed = LABELS[spec.number()].1;
        assert!(found.labels().eq(listed.iter().copied()));
    }
}

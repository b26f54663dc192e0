//! What double-byte encodings make of a sample.

static PAIRS: &[u8] = include_bytes!("../../../../tables/detect/pairs.bin");

/// Encodings and their languages.
pub const FORMS: [(&str, &str); 5] = [
    ("EUC-JP", "ja"),
    ("Shift_JIS", "ja"),
    ("EUC-KR", "ko"),
    ("Big5", "zh-TW"),
    ("GBK", "zh-CN"),
];

/// Length and cost of the character of these bytes, of which the first is not ASCII.
fn character(form: usize, lead: u8, trail: u8) -> (usize, u32) {
    let in_94 = (0xA1..=0xFE).contains(&lead) && (0xA1..=0xFE).contains(&trail);
    let in_63 = (0x40..=0x7E).contains(&trail);
    let listed = |row: u8, cell: u8| (2, listed(form, usize::from(row), usize::from(cell)));
    match FORMS[form].0 {
        "EUC-JP" if lead == 0x8E && (0xA1..=0xDF).contains(&trail) => (2, 18),
        "EUC-JP" if lead == 0x8F && (0xA1..=0xFE).contains(&trail) => (3, 30),
        "EUC-JP" | "EUC-KR" | "GBK" if in_94 => listed(lead - 0xA1, trail - 0xA1),
        "EUC-KR"
            if (0x81..=0xC6).contains(&lead)
                && (trail.is_ascii_alphabetic() || (0x81..=0xFE).contains(&trail)) =>
        {
            (2, 26)
        }
        "GBK" if (0x81..=0xFE).contains(&lead) && (in_63 || (0x80..=0xFE).contains(&trail)) => {
            (2, 26)
        }
        "GBK" if (0x81..=0xFE).contains(&lead) && trail.is_ascii_digit() => (4, 52),
        "Big5" if (0xA1..=0xF9).contains(&lead) && in_63 => listed(lead - 0xA1, trail - 0x40),
        "Big5" if (0xA1..=0xF9).contains(&lead) && (0xA1..=0xFE).contains(&trail) => {
            listed(lead - 0xA1, trail - 0xA1 + 63)
        }
        "Big5" if (0x87..=0xFE).contains(&lead) && (in_63 || (0xA1..=0xFE).contains(&trail)) => {
            (2, 26)
        }
        "Shift_JIS" if (0xA1..=0xDF).contains(&lead) => (1, 14),
        "Shift_JIS" if !in_63 && !(0x80..=0xFC).contains(&trail) => (1, 60),
        "Shift_JIS" if (0xF0..=0xFC).contains(&lead) => (2, 26),
        "Shift_JIS" if (0x81..=0x9F).contains(&lead) || (0xE0..=0xEF).contains(&lead) => {
            // Section 12.3.1 of the Standard: pointers count 188 cells for each lead.
            let lead_offset = if lead < 0xA0 { 0x81 } else { 0xC1 };
            let offset = if trail < 0x7F { 0x40 } else { 0x41 };
            let pointer = u16::from(lead - lead_offset) * 188 + u16::from(trail - offset);
            listed((pointer / 94) as u8, (pointer % 94) as u8)
        }
        _ => (1, 60),
    }
}

/// The cost of a character in the tables: how common it is, in four steps.
fn listed(form: usize, row: usize, cell: usize) -> u32 {
    let (place, size, cells) = [
        (0, 2209, 94),
        (0, 2209, 94),
        (2213, 2209, 94),
        (4426, 3494, 157),
        (7924, 2209, 94),
    ][form];
    let at = row * cells + cell;
    let step = if at / 4 < size {
        PAIRS[place + 4 + at / 4] >> (2 * (at % 4)) & 3
    } else {
        0
    };
    u32::from(PAIRS[place + usize::from(step)])
}

/// The cost of the sample up to `end` from `start` on, as soon as it is above `bound`, and whether there was a character
/// of four bytes.
pub fn cost(
    form: usize,
    start: usize,
    sample: &[u8],
    english: &[u32],
    end: usize,
    bound: u32,
) -> (u32, bool) {
    let mut cost = 10 * start as u32;
    let (mut at, mut was_ascii, mut has_four_bytes) = (start, true, false);
    while at < end && cost <= bound {
        let is_ascii = sample[at] < 0x80;
        cost += if is_ascii == was_ascii { 0 } else { 2 };
        was_ascii = is_ascii;
        if is_ascii {
            cost += english[at];
            at += 1;
        } else if let Some(&trail) = sample.get(at + 1) {
            let (len, more) = character(form, sample[at], trail);
            has_four_bytes |= len == 4;
            cost += more;
            at += len;
        } else {
            cost += 18;
            at += 1;
        }
    }
    (cost, has_four_bytes)
}

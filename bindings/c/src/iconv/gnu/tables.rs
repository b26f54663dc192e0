//! The differences between libiconv's tables of double-byte encodings and the C library's, as found by
//! `bindings/c/tests/iconv_differential.c`.

use core::ffi::CStr;

/// Private-use characters of Shift_JIS: the first one, their number per lead byte, and the lead bytes.
const PRIVATE: u32 = 0xE000;
const PRIVATE_PER_LEAD: u32 = 188;
const PRIVATE_LEADS: core::ops::RangeInclusive<u8> = 0xF0..=0xF9;

/// The result of decoding the first character.
pub(super) enum First {
    Scalar(u32, usize),
    Malformed,
    Incomplete,
}

/// True if the encoding lacks the control characters U+0080 to U+009F.
fn lacks_controls(native: &CStr) -> bool {
    [c"EUC-JP", c"EUC-KR", c"BIG5"].contains(&native)
}

/// Decodes the first character in a double-byte encoding; `None` if the C library decodes it.
pub(super) fn decode(native: &CStr, src: &[u8]) -> Option<First> {
    let &lead = src.first()?;
    if native == c"SJIS" && PRIVATE_LEADS.contains(&lead) {
        let Some(&trail) = src.get(1) else {
            return Some(First::Incomplete);
        };
        let place = match trail {
            0x40..=0x7E => trail - 0x40,
            0x80..=0xFC => trail - 0x41,
            _ => return Some(First::Malformed),
        };
        let row = u32::from(lead - PRIVATE_LEADS.start());
        return Some(First::Scalar(
            PRIVATE + PRIVATE_PER_LEAD * row + u32::from(place),
            2,
        ));
    }
    let is_lead = native == c"EUC-JP" && matches!(lead, 0x8E | 0x8F);
    (lacks_controls(native) && (0x80..=0x9F).contains(&lead) && !is_lead)
        .then_some(First::Malformed)
}

/// Encodes a character: `Some(None)` if it is unmappable, `None` if the C library encodes it.
pub(super) fn encode(native: &CStr, scalar: u32) -> Option<Option<[u8; 2]>> {
    if native == c"SJIS" {
        // In this encoding the bytes 0x5C and 0x7E are U+00A5 and U+203E.
        if matches!(scalar, 0x5C | 0x7E) {
            return Some(None);
        }
        let place = scalar.wrapping_sub(PRIVATE);
        let (row, cell) = (place / PRIVATE_PER_LEAD, (place % PRIVATE_PER_LEAD) as u8);
        let lead = u8::try_from(row)
            .ok()?
            .checked_add(*PRIVATE_LEADS.start())?;
        let trail = cell + if cell < 0x3F { 0x40 } else { 0x41 };
        return PRIVATE_LEADS.contains(&lead).then_some(Some([lead, trail]));
    }
    (lacks_controls(native) && (0x80..=0x9F).contains(&scalar)).then_some(None)
}

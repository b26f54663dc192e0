//! Insertions in ISO-2022-JP: text in any of the four modes, with the fewest escape sequences.

use alloc::vec::Vec;
use mojika::DecoderMode as Mode;
use mojika::ISO_2022_JP;

/// The modes, in order of preference at equal cost.
const MODES: [Mode; 4] = [Mode::Ascii, Mode::Roman, Mode::LeadByte, Mode::Katakana];

/// The escape sequence that selects each of [`MODES`].
const ESCAPES: [&[u8; 3]; 4] = [b"\x1B(B", b"\x1B(J", b"\x1B$B", b"\x1B(I"];

/// The cost of an impossible path, above the cost of any text.
const NEVER: u32 = u32::MAX / 2;

/// The context of an insertion.
#[derive(Clone, Copy)]
pub(super) struct InsertionContext {
    /// The mode before the insertion.
    pub before: Mode,
    /// The mode of the text after the insertion; `None` if that text starts with an escape sequence.
    pub after: Option<Mode>,
    /// True if the insertion must start with an escape sequence: its first bytes would otherwise combine with the bytes
    /// before it.
    pub escapes_first: bool,
}

/// The bytes of a character in each of [`MODES`]; the length is 0 if the mode lacks it.
type Bytes = [([u8; 2], u8); 4];

/// True if bytes start with a complete escape sequence.
pub(super) fn starts_with_escape(bytes: &[u8]) -> bool {
    ESCAPES.iter().any(|escape| bytes.starts_with(*escape)) || bytes.starts_with(b"\x1B$@")
}

/// True if ISO-2022-JP has bytes that decode to the character.
pub(super) fn has(scalar: char) -> bool {
    bytes_of(scalar).iter().any(|&(_, len)| len > 0)
}

fn bytes_of(scalar: char) -> Bytes {
    let mut all = [([0; 2], 0); 4];
    let code_point = u32::from(scalar);
    match code_point {
        0x0E | 0x0F | 0x1B => {}
        0..0x80 => {
            all[0] = ([code_point as u8, 0], 1);
            if !matches!(scalar, '\\' | '~') {
                all[1] = all[0];
            }
        }
        0xA5 => all[1] = ([0x5C, 0], 1),
        0x203E => all[1] = ([0x7E, 0], 1),
        0xFF61..=0xFF9F => all[3] = ([(code_point - 0xFF61 + 0x21) as u8, 0], 1),
        // The Standard's encoder writes U+FF0D for U+2212.
        0x2212 => {}
        _ => {
            let mut text = [0; 4];
            if let Ok(bytes) = ISO_2022_JP.encode(scalar.encode_utf8(&mut text))
                && let [0x1B, b'$', b'B', lead, trail, ..] = *bytes
            {
                all[2] = ([lead, trail], 2);
            }
        }
    }
    all
}

/// Returns the shortest bytes for a text in a context, or the offset of its first unmappable character.
pub(super) fn encode(text: &str, place: InsertionContext) -> Result<Vec<u8>, usize> {
    let start = MODES.iter().position(|&mode| mode == place.before);
    let start = start.unwrap_or(0);
    let mut costs = [NEVER; 4];
    costs[start] = 0;
    // For each character, its bytes in each mode, and the best mode of the previous character.
    let mut steps: Vec<(Bytes, [u8; 4])> = Vec::new();
    let cost_of = |from: usize, to: usize, is_first: bool| {
        3 * u32::from(from != to || (is_first && place.escapes_first))
    };
    let cheapest = |costs: &[u32; 4], to: usize, is_first: bool| {
        let all = (0..4).map(|from| (costs[from] + cost_of(from, to, is_first), from == to, from));
        all.min().map_or((NEVER, 0), |(cost, _, from)| (cost, from))
    };
    for (offset, scalar) in text.char_indices() {
        let bytes = bytes_of(scalar);
        let (mut next, mut origins) = ([NEVER; 4], [0; 4]);
        for to in 0..4 {
            if bytes[to].1 > 0 {
                let (cost, from) = cheapest(&costs, to, steps.is_empty());
                next[to] = (cost + u32::from(bytes[to].1)).min(NEVER);
                origins[to] = from as u8;
            }
        }
        if next.iter().all(|&cost| cost == NEVER) {
            return Err(offset);
        }
        costs = next;
        steps.push((bytes, origins));
    }
    let after = place
        .after
        .and_then(|after| MODES.iter().position(|&mode| mode == after));
    let is_first = steps.is_empty();
    let last = match after {
        Some(to) => cheapest(&costs, to, is_first).1,
        None => (0..4).min_by_key(|&mode| costs[mode]).unwrap_or(0),
    };
    // The mode of each character is found backwards, from the end.
    let mut mode = last;
    let mut modes: Vec<usize> = steps
        .iter()
        .rev()
        .map(|(_, origins)| {
            let own = mode;
            mode = usize::from(origins[own]);
            own
        })
        .collect();
    modes.reverse();
    let (mut bytes, mut mode) = (Vec::new(), start);
    for (i, (&own, (all, _))) in modes.iter().zip(&steps).enumerate() {
        if cost_of(mode, own, i == 0) > 0 {
            bytes.extend_from_slice(ESCAPES[own]);
        }
        let (pair, len) = all[own];
        bytes.extend_from_slice(&pair[..usize::from(len)]);
        mode = own;
    }
    if let Some(after) = after
        && cost_of(mode, after, is_first) > 0
    {
        bytes.extend_from_slice(ESCAPES[after]);
    }
    Ok(bytes)
}

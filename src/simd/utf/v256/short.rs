//! Validation of UTF-8 of up to a few hundred bytes.

use super::super::super::utf8_encode::cut_leads;
use super::super::super::vector::{Bytes, HALF, Token, V256};
use super::LEAST;
use super::faults::{after_zeros, faults, with_preceding};

/// True if `src` is UTF-8. Has no data-dependent branch, for short input. `false` is inconclusive for fewer than four
/// bytes, and for 33 to [`LEAST`] - 1.
#[cfg_attr(avx2, target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt"))]
pub(in crate::simd) fn is_few_and_valid(v: Token, src: &[u8]) -> bool {
    let n = src.len();
    let first = if n >= LEAST {
        // SAFETY: `n >= LEAST`, tested above, and `LEAST` is at least 32.
        Some(unsafe { v.load(src.as_ptr()) })
    } else {
        then_zeros(v, src)
    };
    let Some(mut last) = first else {
        return false;
    };
    let [bytes, one, two, three] = after_zeros(v, last);
    // The zero after an incomplete character is an error.
    let mut wrong = faults(v, bytes, one, two, three);
    let mut at = 32;
    while at < n {
        // The last block overlaps the one before it.
        let start = at.min(n - 32);
        // SAFETY: `start <= n - 32`, by `min`, and `start >= 3`: `then_zeros` refuses 33 and 34 bytes, so `n >= 35`.
        let [bytes, one, two, three] = unsafe { with_preceding(v, src.as_ptr().add(start)) };
        wrong = v.or(wrong, faults(v, bytes, one, two, three));
        last = bytes;
        at += 32;
    }
    // SAFETY: the array has 32 bytes.
    let least = unsafe { v.load(const { &cut_leads::<32>() }.as_ptr()) };
    // Non-zero for leads whose character the end cuts. Other positions are compared with 0xFF, which is an error
    // anyway.
    let cut = v.at_least(last, least);
    v.is_zero(wrong) && v.is_zero(cut)
}

/// Returns `src`, of 4 to 32 bytes, padded with zeros; `None` for other lengths.
#[inline(always)]
fn then_zeros(v: Token, src: &[u8]) -> Option<Bytes> {
    /// Shuffle indices: all bytes of a half, then zeros. The indices from position `n` on remove the first `n` bytes.
    static FROM: [u8; 2 * HALF] = {
        let mut places = [0x80; 2 * HALF];
        let mut i = 0;
        while i < HALF {
            places[i] = i as u8;
            i += 1;
        }
        places
    };
    let n = src.len();
    Some(match n {
        4..8 => {
            let (first, last) = (src.first_chunk()?, src.last_chunk()?);
            let [first, last] = [first, last].map(|word| u32::from_le_bytes(*word));
            // The two words overlap; a byte in both has the same value.
            let word = u64::from(first) | u64::from(last) << (8 * (n - 4));
            v.first_words(word, 0)
        }
        8..16 => {
            let (first, last) = (src.first_chunk()?, src.last_chunk()?);
            let [first, last] = [first, last].map(|word| u64::from_le_bytes(*word));
            let words = u128::from(first) | u128::from(last) << (8 * (n - 8));
            v.first_words(words as u64, (words >> 64) as u64)
        }
        16..=32 => {
            let halves = v.halves(src.first_chunk()?, src.last_chunk()?);
            let second = FROM[32 - n..].first_chunk()?;
            v.shuffle(halves, [FROM.first_chunk()?, second])
        }
        _ => return None,
    })
}

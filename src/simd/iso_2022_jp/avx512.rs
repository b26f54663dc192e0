//! AVX-512: 64 bytes at a time, without a data-dependent branch.
//!
//! Stripping: escape sequences toggle the mode, so a carry-less product of their positions with all ones gives the
//! halves of pairs. One compress drops the sequences. Inserting: each byte gets a lane of four bytes, which includes an
//! escape sequence where the mode changes. A compress drops the unused bytes.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::super::arrays::{map_array, tail};
use super::super::registers::load_from;
use super::super::token::Avx512;
use super::{Before, MAX_PART, READ_PADDING, Seen, Stripped};

/// The maximum number of bytes that are converted at a time.
pub(super) const PART: usize = MAX_PART;
/// Capacity for a part with an escape sequence before each byte, and for stores of whole registers.
const ESCAPED: usize = 4 * PART + 64;

const _: () = assert!(PART <= MAX_PART && READ_PADDING >= 64);

/// Returns for each bit the parity of the bits up to and including it.
#[inline]
#[target_feature(enable = "pclmulqdq")]
fn parity(bits: u64) -> u64 {
    let product = _mm_clmulepi64_si128::<0>(_mm_set_epi64x(0, bits as i64), _mm_set1_epi8(-1));
    _mm_cvtsi128_si64(product) as u64
}

#[target_feature(
    enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2,pclmulqdq"
)]
pub(super) fn strip(
    _: Avx512,
    to: &mut Stripped,
    src: &[u8],
    in_pairs: bool,
    must_have_output: bool,
) {
    assert!(src.len() <= PART);
    let equal = |bytes, byte: u8| _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(byte as i8));
    let mut before = Before::new(in_pairs, must_have_output);
    for start in (0..src.len()).step_by(64) {
        let [bytes, next, last] = match tail(src, start).first_chunk::<66>() {
            // SAFETY: `block` has 66 bytes, and `i <= 2`, so `i + 64 <= 66`.
            Some(block) => map_array([0, 1, 2], |i| unsafe {
                _mm512_loadu_si512(block.as_ptr().add(i).cast())
            }),
            None => map_array([0, 1, 2], |i| load_from(src, start + i)),
        };
        let escapes = equal(bytes, 0x1B);
        let in_block = _bzhi_u64(u64::MAX, (src.len() - start).min(64) as u32);
        let shifts = equal(_mm512_and_si512(bytes, _mm512_set1_epi8(!1)), 0x0E);
        let to_pairs = escapes & equal(next, b'$') & (equal(last, b'B') | equal(last, b'@'));
        let to_ascii = escapes & equal(next, b'(') & equal(last, b'B');
        let taken = before.take(Seen {
            escapes,
            to_pairs,
            to_ascii,
            behind_odd: parity(escapes),
            stops: shifts | _mm512_movepi8_mask(bytes) | !in_block,
        });
        let high = _mm512_maskz_set1_epi8(taken.pairs, 0x80_u8 as i8);
        let stripped = _mm512_maskz_compress_epi8(taken.kept, _mm512_or_si512(bytes, high));
        // SAFETY: a block adds no more bytes than it reads, so `to.len <= start`. The assertion above ensures
        // `start < PART`; `bytes` has `MAX_PART` bytes, and `READ_PADDING` = 64 more.
        unsafe { _mm512_storeu_si512(to.bytes.as_mut_ptr().add(to.len).cast(), stripped) };
        to.add(&taken);
        if taken.stops {
            break;
        }
    }
}

#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
pub(super) fn insert(
    _: Avx512,
    in_pairs: &mut bool,
    src: &[u8],
    to: &mut MaybeUninit<[u8; ESCAPED]>,
) -> usize {
    assert!(src.len() <= PART);
    let to: *mut u8 = to.as_mut_ptr().cast();
    let seven = _mm512_set1_epi8(0x7F);
    let mut len = 0;
    let mut carry = u64::from(*in_pairs);
    for start in (0..src.len()).step_by(64) {
        let count = (src.len() - start).min(64);
        let bytes = load_from(src, start);
        let pairs = _mm512_movepi8_mask(bytes);
        let changes = (pairs ^ (pairs << 1 | carry)) & _bzhi_u64(u64::MAX, count as u32);
        carry = pairs >> (count - 1) & 1;
        if changes == 0 {
            // SAFETY: as below.
            unsafe { _mm512_storeu_si512(to.add(len).cast(), _mm512_and_si512(bytes, seven)) };
            len += count;
            continue;
        }
        let bytes = _mm512_and_si512(bytes, seven);
        let quarters = [
            _mm512_castsi512_si128(bytes),
            _mm512_extracti32x4_epi32::<1>(bytes),
            _mm512_extracti32x4_epi32::<2>(bytes),
            _mm512_extracti32x4_epi32::<3>(bytes),
        ];
        for (i, quarter) in (0..).zip(quarters) {
            let changes = (changes >> (16 * i)) as u16;
            let pairs = (pairs >> (16 * i)) as u16;
            let here = count.saturating_sub(16 * i).min(16) as u32;
            let bytes = _mm512_slli_epi32::<24>(_mm512_cvtepu8_epi32(quarter));
            let escape = _mm512_mask_mov_epi32(
                _mm512_set1_epi32(i32::from_le_bytes(*b"\x1B(B\0")),
                pairs,
                _mm512_set1_epi32(i32::from_le_bytes(*b"\x1B$B\0")),
            );
            let lanes = _mm512_mask_or_epi32(bytes, changes, bytes, escape);
            // Keeps the last byte of each lane, and all bytes of lanes with an escape sequence.
            let all = _mm512_movepi8_mask(_mm512_movm_epi32(changes));
            let keep = (all | 0x8888_8888_8888_8888) & _bzhi_u64(u64::MAX, 4 * here);
            // SAFETY: a byte becomes at most four, so `len <= 4 * PART = ESCAPED - 64`, and a register fits.
            unsafe {
                let kept = _mm512_maskz_compress_epi8(keep, lanes);
                _mm512_storeu_si512(to.add(len).cast(), kept);
            }
            len += keep.count_ones() as usize;
        }
    }
    *in_pairs = carry != 0;
    len
}

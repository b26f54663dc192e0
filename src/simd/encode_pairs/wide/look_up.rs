//! The second pass: values, bytes, and what the encoder has to be asked for.

#[cfg(target_arch = "x86_64")]
use super::super::super::gathers::Words;
use super::super::super::packed::Packed;
use super::super::super::surrogates::{is_lead, is_surrogate, is_trail, join};
use super::super::super::wide::{Half, Halves, Token};
use super::super::{EncodePairs, FIRST_DUPLICATE_ROW, Ranks, Values};
use super::fours::NO_BYTES;
use super::{Batch, Units};

#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

impl Batch {
    /// Fills `values` with the bytes of `code_points`. Returns the first character that has none.
    ///
    /// # Safety
    /// The batch is of `unpaired`, which is readable, if its surrogates may be without partners.
    #[cfg_attr(
        target_arch = "x86_64",
        target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")
    )]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    pub(super) unsafe fn look_up(
        &mut self,
        v: Token,
        pairs: &EncodePairs,
        unpaired: Option<Units>,
    ) -> Option<usize> {
        let offset = pairs.values.offset();
        #[cfg(target_arch = "x86_64")]
        let gathered = self
            .look_ups
            .words(pairs.ranks.values)
            .map(|words| self.gather_values(&pairs.ranks, words, offset));
        #[cfg(not(target_arch = "x86_64"))]
        let gathered: Option<()> = None;
        match (gathered, pairs.ranks.ideographs()) {
            (Some(()), _) => {}
            (None, 0) => self.load_values::<false>(&pairs.ranks, offset),
            (None, _) => self.load_values::<true>(&pairs.ranks, offset),
        }
        self.ragged = false;
        self.absent_count = 0;
        self.surrogates = false;
        let values: *mut u16 = self.values.as_mut_ptr().cast();
        // The last pass loads eight values from the end of any on.
        // SAFETY: there is room for `BEHIND` more than `UNITS`.
        unsafe {
            let end = values.add(self.count.next_multiple_of(8));
            v.store_half(v.half_of_units(0), end.cast());
        }
        let to_ask = v.half_of_units(pairs.ask);
        let mut end = None;
        for at in (0..self.count).step_by(8) {
            let code_points: *const u16 = self.code_points.as_ptr().cast();
            let values: *mut u16 = self.values.as_mut_ptr().cast();
            // SAFETY: up to the next multiple of eight behind the last character, both arrays are initialised.
            let ask = unsafe {
                let value = v.load_half(values.add(at).cast());
                let (bytes, absent) = finish(v, pairs.values, value);
                let code_points = v.load_half(code_points.add(at).cast());
                let ask = v.or_half(absent, v.equal_half(code_points, to_ask));
                v.store_half(v.and_not_half(ask, bytes), values.add(at).cast());
                v.lanes(ask)
            };
            if ask == 0 {
                continue;
            }
            // Those behind the last character have no bytes either.
            let lanes = match self.count - at {
                len @ 0..8 => ask & ((1 << len) - 1),
                _ => ask,
            };
            // SAFETY: the contract of this function.
            unsafe {
                if lanes == 0 || pairs.pointers.is_some() && self.note_eight(v, at, lanes) {
                    continue;
                }
                end = self.ask(pairs, at, lanes);
            }
            if end.is_some() {
                break;
            }
        }
        if self.absent_count > 0 {
            if let Some(source) = unpaired.filter(|_| self.surrogates) {
                // SAFETY: the contract of this function.
                let first = unsafe { self.unpaired(v, source) };
                end = first.into_iter().chain(end).min();
            }
            self.find_fours(v, pairs);
        }
        end
    }

    /// Looks up all code points by gathers, of `words` the table's values: values, with `offset` added, or 0.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
    fn gather_values(&mut self, table: &Ranks, words: Words<'_>, offset: u16) {
        let offset = _mm_set1_epi16(offset as i16);
        let code_points: *const u16 = self.code_points.as_ptr().cast();
        let values: *mut u16 = self.values.as_mut_ptr().cast();
        for at in (0..self.count).step_by(8) {
            // SAFETY: up to eight elements behind the last character, code points are initialised, and there is room.
            unsafe {
                let code_points = _mm_loadu_si128(code_points.add(at).cast());
                let (value, members) = gather(table, words, code_points);
                let value = _mm_and_si128(_mm_add_epi16(value, offset), members);
                _mm_storeu_si128(values.add(at).cast(), value);
            }
        }
    }

    /// The same by loads, one by one.
    #[cfg_attr(
        target_arch = "x86_64",
        target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")
    )]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    fn load_values<const IDEOGRAPHS: bool>(&mut self, table: &Ranks, offset: u16) {
        let ideographs = &table.values[table.members..];
        let look_up = |code_point: u16| {
            // A branch: in text that needs this table there is hardly anything else.
            let ideograph = usize::from(code_point).wrapping_sub(0x4E00);
            if IDEOGRAPHS && let Some(value) = ideographs.get(ideograph) {
                return value.wrapping_add(offset);
            }
            let (value, member) = table.find(code_point);
            value.wrapping_add(offset) & 0_u16.wrapping_sub(member.into())
        };
        let code_points: *const u16 = self.code_points.as_ptr().cast();
        let values: *mut u16 = self.values.as_mut_ptr().cast();
        for at in (0..self.count).step_by(8) {
            for i in at..at + 8 {
                // SAFETY: up to eight elements behind the last character, code points are initialised, and there is
                // room.
                unsafe { *values.add(i) = look_up(*code_points.add(i)) };
            }
        }
    }

    /// Asks the encoder for some lanes. Returns the first character that has no bytes.
    ///
    /// # Safety
    /// `lanes` are of the batch's characters, from `at` on.
    #[cold]
    #[inline(never)]
    unsafe fn ask(&mut self, pairs: &EncodePairs, at: usize, lanes: u8) -> Option<usize> {
        let code_points: *const u16 = self.code_points.as_ptr().cast();
        let values: *mut u16 = self.values.as_mut_ptr().cast();
        for character in (at..at + 8).filter(|character| lanes >> (character - at) & 1 != 0) {
            // SAFETY: the contract of this function; there are zeros behind the last.
            let (code_point, next) =
                unsafe { (*code_points.add(character), *code_points.add(character + 1)) };
            let is_pair = is_lead(code_point) && is_trail(next);
            let value = match code_point {
                _ if is_trail(code_point) && pairs.four_bytes => {
                    // If it is not that of a lead, `unpaired` finds it.
                    self.note(code_point);
                    NO_BYTES
                }
                _ if is_surrogate(code_point) && !(is_pair && pairs.four_bytes) => {
                    return Some(character);
                }
                _ => {
                    let scalar = match is_pair {
                        true => join(code_point, next),
                        false => code_point.into(),
                    };
                    let packed = (pairs.others)(scalar);
                    match packed.map_or(0, Packed::pair) {
                        0 if pairs.four_bytes && packed.and_then(Packed::four).is_some() => {
                            self.note(code_point);
                            0
                        }
                        pair if pair != 0 && !is_pair => {
                            debug_assert_ne!(pair, NO_BYTES);
                            self.ragged |= pair < 0x100;
                            pair
                        }
                        _ => return Some(character),
                    }
                }
            };
            // SAFETY: within the values.
            unsafe { *values.add(character) = value };
        }
        None
    }
}

/// The values of eight code points by gathers, of `values` those of the table, and which of them have one; others have any.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
fn gather(table: &Ranks, values: Words<'_>, code_points: __m128i) -> (__m128i, __m128i) {
    let set = |value: u32| _mm256_set1_epi32(value as i32);
    let code_points = _mm256_cvtepu16_epi32(code_points);
    // Four pages at once, of which one is meant.
    let pages = _mm256_srli_epi32::<10>(code_points);
    // SAFETY: 16 bits less 10 are places below 64, and the directory has 256 bytes.
    let pages = unsafe { _mm256_i32gather_epi32::<4>(table.pages.as_ptr().cast(), pages) };
    let which = _mm256_and_si256(_mm256_srli_epi32::<5>(code_points), set(0x18));
    let page = _mm256_and_si256(_mm256_srlv_epi32(pages, which), set(0xFF));
    let row = _mm256_and_si256(_mm256_srli_epi32::<4>(code_points), set(15));
    let block = _mm256_or_si256(_mm256_slli_epi32::<4>(page), row);
    let block = _mm256_min_epu32(block, set(table.blocks.len() as u32 - 1));
    // SAFETY: the places are below the number of blocks, by the minimum just taken.
    let descriptor = unsafe { _mm256_i32gather_epi32::<4>(table.blocks.as_ptr().cast(), block) };
    let bit = _mm256_and_si256(code_points, set(15));
    let below = _mm256_andnot_si256(_mm256_sllv_epi32(set(u32::MAX), bit), descriptor);
    let before = _mm256_srli_epi32::<16>(descriptor);
    // Nothing is left in the high half of `below`: the counts of halves are those of lanes.
    let mut place = _mm256_add_epi32(before, count_ones(below));
    // A member's bit becomes the sign.
    let member = _mm256_sllv_epi32(descriptor, _mm256_xor_si256(bit, set(31)));
    let mut members = _mm256_srai_epi32::<31>(member);
    if table.ideographs() != 0 {
        let ideograph = _mm256_sub_epi32(code_points, set(0x4E00));
        let last = set(table.ideographs() as u32 - 1);
        let are = _mm256_cmpeq_epi32(_mm256_min_epu32(ideograph, last), ideograph);
        let of_ideograph = _mm256_add_epi32(ideograph, set(table.members as u32));
        place = _mm256_blendv_epi8(place, of_ideograph, are);
        members = _mm256_or_si256(members, are);
    }
    let values = values.eight(place);
    let low = |lanes| _mm256_castsi256_si128(_mm256_permute4x64_epi64::<0b11_01_10_00>(lanes));
    (
        low(_mm256_packus_epi32(values, values)),
        low(_mm256_packs_epi32(members, members)),
    )
}

/// How many bits each lane of 16 bits has set.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
fn count_ones(lanes: __m256i) -> __m256i {
    let counts = _mm256_broadcastsi128_si256(_mm_setr_epi8(
        0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
    ));
    let nibbles =
        |lanes| _mm256_shuffle_epi8(counts, _mm256_and_si256(lanes, _mm256_set1_epi8(15)));
    let of_bytes = _mm256_add_epi8(nibbles(lanes), nibbles(_mm256_srli_epi16::<4>(lanes)));
    _mm256_maddubs_epi16(of_bytes, _mm256_set1_epi8(1))
}

/// Bytes of values, the first of a character low, and the lanes for which the encoder has to be asked.
#[inline(always)]
fn finish(v: Token, kind: Values, values: Half) -> (Half, Half) {
    if kind != Values::ShiftJis {
        let swapped = v.or_half(v.right_half::<8>(values), v.left_half::<8>(values));
        return (swapped, v.equal_half(values, v.half_of_units(0)));
    }
    let set = |value: u16| v.half_of_units(value);
    // 0xFFFF where a lane is `least` or more. All lanes are below 0x8000, but of characters that
    // are asked for anyway.
    let from = |lanes, least: u16| v.above_half(lanes, set(least - 1));
    let one_more = |lanes, mask, more: u16| v.add_half(lanes, v.and_half(mask, set(more)));
    // Absent ones have row 0 - 0x21, which is above all others when it has eight bits.
    let row = v.right_half::<8>(v.subtract_half(values, set(0x2121)));
    let cell = v.subtract_half(v.and_half(values, set(0xFF)), set(0x21));
    let ask = from(row, FIRST_DUPLICATE_ROW);
    // Two rows of 94 make one lead of 188 trails.
    let lead = v.right_half::<1>(row);
    let lead = one_more(v.add_half(lead, set(0x81)), from(lead, 0x1F), 0x40);
    let odd = v.equal_half(v.and_half(row, set(1)), set(1));
    let trail = one_more(cell, odd, 94);
    let trail = one_more(v.add_half(trail, set(0x40)), from(trail, 0x3F), 1);
    (v.or_half(v.left_half::<8>(trail), lead), ask)
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use core::arch::x86_64::*;

    use super::super::super::super::token::Avx2;
    use super::super::super::tests::check_gathers;
    use super::gather;

    #[test]
    fn gathers_find_what_one_look_up_finds_in_every_table() {
        if Avx2::detect().is_none() {
            return;
        }
        check_gathers(|table, words, code_points: &[u16; 8]| {
            let (mut values, mut members) = ([0_u16; 8], [0_u16; 8]);
            // SAFETY: the processor has AVX2; the arrays are as long as registers.
            unsafe {
                let found = gather(table, words, _mm_loadu_si128(code_points.as_ptr().cast()));
                _mm_storeu_si128(values.as_mut_ptr().cast(), found.0);
                _mm_storeu_si128(members.as_mut_ptr().cast(), found.1);
            }
            core::array::from_fn(|i| (members[i] != 0).then_some(values[i]))
        });
    }
}

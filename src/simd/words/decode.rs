//! Pairs whose leads and trails are those of EUC, decoded: in EUC-KR and EUC-JP most are, and in GBK those of GB 2312.
//! Others end the prefix.

use super::super::arrays::each;
use super::super::ascii::bits;
use super::super::out::Out;
use super::super::pairs::{Layout, Pairs, split};
use super::super::sequence::sequence;
use super::{BLOCK, PIECE, RUN, convert, has_long_run, units};

/// Pairs that are looked up without a branch between them.
const TOGETHER: usize = 4;
/// Pairs of a block at most, and what is looked up along with the last one.
const PAIRS: usize = BLOCK / 2 + TOGETHER;
/// Units that a piece becomes at most, the run behind it, and what a pair writes too much.
const MOST: usize = PIECE / 2 * 3 + RUN + 4;

/// UTF-8 or UTF-16.
pub(in crate::simd) trait Form {
    type Unit: Copy;
    /// What the character of a pair becomes, and how many units more than two that is.
    type Sequence: Copy + Default;
    /// From this code point on [`sequence`](Self::sequence) is right.
    const LEAST: u16;

    /// How many bytes become what there is room for, whatever they are.
    fn fit(room: usize) -> usize;

    fn sequence(code_point: u16) -> Self::Sequence;

    /// The same below [`LEAST`](Self::LEAST), from U+0080 on.
    fn short_sequence(code_point: u16) -> Self::Sequence;

    /// Writes a sequence; returns how many units more than two it has.
    ///
    /// # Safety
    /// Four units are writable at `to`.
    unsafe fn put(sequence: Self::Sequence, to: *mut Self::Unit) -> isize;

    /// Writes [`RUN`] bytes of ASCII.
    ///
    /// # Safety
    /// As many are readable at `from`, and as many units writable at `to`.
    unsafe fn put_run(from: *const u8, to: *mut Self::Unit);
}

/// The first byte lowest, and on top how many there are above two.
pub(in crate::simd) struct Utf8;

impl Form for Utf8 {
    type Unit = u8;
    type Sequence = u32;
    const LEAST: u16 = 0x800;

    #[inline(always)]
    fn fit(room: usize) -> usize {
        (2 * room + 1) / 3
    }

    #[inline(always)]
    fn sequence(code_point: u16) -> u32 {
        let c = u32::from(code_point);
        0x0180_80E0 | c >> 12 | (c << 2 & 0x3F00) | (c & 0x3F) << 16
    }

    fn short_sequence(code_point: u16) -> u32 {
        sequence(code_point).0
    }

    #[inline(always)]
    unsafe fn put(sequence: u32, to: *mut u8) -> isize {
        // SAFETY: the contract of this function.
        unsafe { to.cast::<[u8; 4]>().write(sequence.to_le_bytes()) };
        (sequence >> 24) as isize
    }

    #[inline(always)]
    unsafe fn put_run(from: *const u8, to: *mut u8) {
        // SAFETY: the contract of this function.
        unsafe {
            to.cast::<[u8; RUN]>()
                .write(from.cast::<[u8; RUN]>().read())
        };
    }
}

pub(in crate::simd) struct Utf16;

impl Form for Utf16 {
    type Unit = u16;
    type Sequence = u16;
    // No character is U+0000: what is unmapped.
    const LEAST: u16 = 1;

    #[inline(always)]
    fn fit(room: usize) -> usize {
        room
    }

    #[inline(always)]
    fn sequence(code_point: u16) -> u16 {
        code_point
    }

    fn short_sequence(code_point: u16) -> u16 {
        code_point
    }

    #[inline(always)]
    unsafe fn put(code_point: u16, to: *mut u16) -> isize {
        // SAFETY: the contract of this function.
        unsafe { to.write(code_point) };
        -1
    }

    #[inline(always)]
    unsafe fn put_run(from: *const u8, to: *mut u16) {
        // SAFETY: the contract of this function.
        unsafe {
            let run = from.cast::<[u8; RUN]>().read();
            to.cast::<[u16; RUN]>().write(each(run, u16::from));
        }
    }
}

/// Decodes a prefix of `src`; returns its length.
#[inline(never)]
pub(in crate::simd) fn decode<F: Form>(
    pairs: &Pairs,
    src: &[u8],
    out: &mut Out<'_, F::Unit>,
) -> usize {
    let block = |block: &[u8; BLOCK + RUN], inside: u64, to| {
        let others = bits::not_ascii(units(block));
        let few = 2 * others.count_ones() < inside.count_ones();
        if few || has_long_run(!others & inside) {
            return None;
        }
        let places = Places::of(units(block), others, inside);
        let mut sequences = [[F::Sequence::default(); TOGETHER]; PAIRS / TOGETHER];
        let leads = look_up::<F>(pairs, block, places.leads, &mut sequences);
        let unmapped = places.leads & !leads;
        let end = places.end.min(unmapped.trailing_zeros() as usize);
        // SAFETY: `places` and `look_up` answer for the leads, and `MOST` for the room.
        Some((end, unsafe {
            write::<F>(block, leads, end, sequences.as_flattened(), to)
        }))
    };
    // SAFETY: `write` initialises what it writes, three units at most for two bytes, and some behind.
    unsafe { convert::<_, _, MOST>(src, out, F::fit, 2, block) }
}

/// What is where in a block.
struct Places {
    /// Leads whose trails follow, before `end`.
    leads: u64,
    /// Where something else begins, a lead in the last place, or the end.
    end: usize,
}

impl Places {
    /// In the bytes of a block that are `inside`; `others` are not ASCII.
    #[inline(always)]
    fn of(block: &[u8; BLOCK], others: u64, inside: u64) -> Self {
        // The only ranges of leads and of trails, which are the same.
        let (first, last) = Layout::EUC.leads[0];
        let in_range = block.map(|byte| match byte.wrapping_sub(first) <= last - first {
            true => 0x80,
            false => 0,
        });
        let in_range = bits::not_ascii(&in_range);
        let (leads, _) = split(in_range, &mut 0);
        let leads = leads & in_range >> 1;
        let stops = (others & !(leads | leads << 1)) | !inside;
        Self {
            leads: leads & !stops & stops.wrapping_sub(1),
            end: stops.trailing_zeros() as usize,
        }
    }
}

/// The pointers of all places of a block: any number where there is no pair.
#[inline(always)]
fn pointers(block: &[u8; BLOCK + RUN], layout: &Layout) -> [u16; BLOCK + 1] {
    let offset = layout.offset_of(1, 1);
    let mut pointers = [0; BLOCK + 1];
    for (i, pointer) in pointers[..BLOCK].iter_mut().enumerate() {
        let (lead, trail) = (u16::from(block[i]), u16::from(block[i + 1]));
        *pointer = (lead.wrapping_mul(layout.columns) + trail).wrapping_sub(offset);
    }
    pointers
}

/// Looks up the characters of a block; returns the leads of those before the first that is unmapped.
#[inline(always)]
fn look_up<F: Form>(
    pairs: &Pairs,
    block: &[u8; BLOCK + RUN],
    leads: u64,
    sequences: &mut [[F::Sequence; TOGETHER]; PAIRS / TOGETHER],
) -> u64 {
    let mut pointers = pointers(block, &pairs.layout);
    // Where there is none, the first one again.
    pointers[BLOCK] = pointers[leads.trailing_zeros() as usize % BLOCK];
    let mut rest = leads;
    let mut less = 0;
    for four in sequences.iter_mut() {
        let mut code_points = [0; TOGETHER];
        for code_point in &mut code_points {
            let pointer = pointers[rest.trailing_zeros() as usize];
            *code_point = pairs.code_point_at(pointer);
            less |= u32::from(*code_point).wrapping_sub(F::LEAST.into());
            rest &= rest.wrapping_sub(1);
        }
        *four = each(code_points, F::sequence);
        if rest == 0 {
            break;
        }
    }
    if less >> 31 == 0 {
        return leads;
    }
    mend::<F>(pairs, &pointers, leads, sequences.as_flattened_mut())
}

/// Looks for characters below [`Form::LEAST`]; returns the leads of those before the first that is unmapped.
#[inline(never)]
fn mend<F: Form>(
    pairs: &Pairs,
    pointers: &[u16; BLOCK + 1],
    leads: u64,
    sequences: &mut [F::Sequence],
) -> u64 {
    let mut rest = leads;
    for sequence in sequences {
        let code_point = pairs.code_point_at(pointers[rest.trailing_zeros() as usize]);
        if rest == 0 || code_point == 0 {
            break;
        }
        if code_point < F::LEAST {
            *sequence = F::short_sequence(code_point);
        }
        rest &= rest - 1;
    }
    leads & !rest
}

/// Writes the first `end` places of a block; returns where what follows is to go.
///
/// # Safety
/// Behind each lead there is its trail, before `end`, and no more than [`RUN`] bytes of ASCII, and before the first one no
/// more either; there is nothing else. There are as many sequences. At `to`, `end` units are writable, one more for
/// each lead, and `RUN + 4`.
#[inline(always)]
unsafe fn write<F: Form>(
    block: &[u8; BLOCK + RUN],
    leads: u64,
    end: usize,
    sequences: &[F::Sequence],
    mut to: *mut F::Unit,
) -> *mut F::Unit {
    let from = block.as_ptr();
    // SAFETY: a trail is in the block, so that RUN bytes are readable behind it; the rest is the contract of this function.
    unsafe {
        F::put_run(from, to);
        let mut rest = leads;
        for sequence in sequences {
            if rest == 0 {
                break;
            }
            let i = rest.trailing_zeros() as usize;
            to = to.wrapping_offset(F::put(*sequence, to.wrapping_add(i)));
            F::put_run(from.add(i + 2), to.wrapping_add(i + 2));
            rest &= rest - 1;
        }
    }
    to.wrapping_add(end)
}

#[cfg(test)]
mod tests;

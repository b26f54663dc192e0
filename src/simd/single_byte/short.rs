//! Single-byte kernels for short input on any machine: up to 64 bytes, a bit for each that is not ASCII.
//!
//! In so little text branches cost the most: each run of ASCII that ends somewhere is one that nobody predicts. Here all
//! of it is treated as ASCII first, and one loop goes over the bits that are set: its end is the branch that is left.

use core::hint::select_unpredictable;
use core::mem::MaybeUninit;

use super::super::arrays::each;
use super::super::out::Out;
use super::portable::character;
use super::tabled::push_beside;
use super::{CodePoints, Pages, SHORT, VERY_SHORT};

/// What is written and read at once.
const STEP: usize = 8;
/// Bytes of a run that are copied without a question, and so beyond what is read or written.
const RUN: usize = 32;
/// A bit for each byte.
const MOST: usize = u64::BITS as usize;
const _: () = assert!(SHORT <= MOST);

/// Whether input is for these kernels: little of its first [`STEP`] bytes is not ASCII, `most` bytes at most.
///
/// Where there are more, what goes from character to character is faster.
#[inline(always)]
pub(super) fn takes(src: &[u8], most: u64) -> bool {
    let Some(&bytes) = src.first_chunk::<STEP>() else {
        return false;
    };
    let others = u64::from_ne_bytes(bytes) >> 7 & 0x0101_0101_0101_0101;
    // The top byte gets the sum.
    (VERY_SHORT + 1..=SHORT).contains(&src.len())
        && others.wrapping_mul(0x0101_0101_0101_0101) >> 56 <= most
}

/// Gives `step` every [`STEP`] bytes and their place, the last ones again where the length is no multiple. Collects what
/// it returns: the bits of those that are not ASCII.
#[inline(always)]
fn steps(src: &[u8], mut step: impl FnMut(usize, &[u8; STEP]) -> u64) -> u64 {
    let mut others = 0;
    let mut at = 0;
    while let Some(bytes) = src[at..].first_chunk() {
        others |= step(at, bytes) << at;
        let last = src.len() - STEP;
        if at == last {
            break;
        }
        at = last.min(at + STEP);
    }
    others
}

/// The top bit of each byte, the first byte's lowest.
#[inline(always)]
pub(super) fn top_bits(bytes: [u8; STEP]) -> u64 {
    let bits = u64::from_le_bytes(bytes) & 0x8080_8080_8080_8080;
    // Every bit meets a factor that moves it to its place in the top byte.
    bits.wrapping_mul(0x0002_0408_1020_4081) >> 56
}

/// Decodes up to [`MOST`] bytes, up to an unmapped one; returns how many. Takes none without room for all.
#[inline(never)]
pub(super) fn decode_utf16(code_points: &CodePoints, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let mut beside = [0; MOST];
    let mut others = steps(src, |at, bytes| {
        beside[at..at + STEP].copy_from_slice(&bytes.map(u16::from));
        top_bits(*bytes)
    });
    let mut taken = src.len();
    while others != 0 {
        let at = others.trailing_zeros() as usize;
        let code_point = code_points[usize::from(src[at] & 0x7F)];
        if code_point == 0 {
            taken = at;
            break;
        }
        beside[at] = code_point;
        others &= others - 1;
    }
    if out.push_slice(&beside[..taken]) {
        taken
    } else {
        0
    }
}

/// Copies the bytes; returns the bits of those that are not ASCII.
#[inline(always)]
fn put_beside(src: &[u8], beside: &mut [u8; MOST + RUN]) -> u64 {
    steps(src, |at, bytes| {
        beside[at..at + STEP].copy_from_slice(bytes);
        top_bits(*bytes)
    })
}

/// Copies `len` bytes from `at` on and up to [`RUN`] more.
///
/// # Safety
/// `at + len` is at most `MOST`; [`RUN`] bytes are writable at `to`, and `MOST` if `len` is above that.
#[inline(always)]
unsafe fn copy_run(src: &[u8; MOST + RUN], at: usize, to: *mut u8, len: usize) {
    // SAFETY: `at` is at most MOST, and above RUN bytes of a run it is at most MOST - RUN; the rest is the contract.
    unsafe {
        let from = src.as_ptr().add(at);
        to.cast::<[u8; RUN]>()
            .write(from.cast::<[u8; RUN]>().read());
        if len > RUN {
            let next = from.add(RUN).cast::<[u8; RUN]>().read();
            to.add(RUN).cast::<[u8; RUN]>().write(next);
        }
    }
}

/// The UTF-8 of a code point from U+0080 on, the first byte lowest, and its length.
#[inline(always)]
fn sequence(code_point: u16) -> (u32, usize) {
    let c = u32::from(code_point);
    let last = 0x80 | c & 0x3F;
    let two = last << 8 | 0xC0 | c >> 6;
    let three = last << 16 | (0x80 | c >> 6 & 0x3F) << 8 | 0xE0 | c >> 12;
    (
        select_unpredictable(c < 0x800, two, three),
        2 + usize::from(c >= 0x800),
    )
}

/// Decodes up to [`MOST`] bytes, up to an unmapped one; returns how many. Takes none if what they give has no room.
#[inline(never)]
pub(super) fn decode_utf8(code_points: &CodePoints, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let len = src.len();
    assert!(len <= MOST);
    let mut beside = [0; MOST + RUN];
    let mut others = put_beside(src, &mut beside);
    let mut result = [MaybeUninit::uninit(); 3 * MOST + RUN];
    let to = result.as_mut_ptr().cast::<u8>();
    let (mut at, mut written) = (0, 0);
    loop {
        let run = len.min(others.trailing_zeros() as usize) - at;
        // SAFETY: at + run <= MOST. At most 3 * at bytes are written, and the result has RUN more than 3 * MOST; a run
        // above RUN adds as much to `at`, so that MOST are left.
        unsafe { copy_run(&beside, at, to.add(written), run) };
        at += run;
        written += run;
        if others == 0 {
            break;
        }
        let c = code_points[usize::from(beside[at] & 0x7F)];
        if c < 0x80 {
            break;
        }
        let (bytes, n) = sequence(c);
        // SAFETY: at < MOST, so that the result has 3 + RUN bytes more than the 3 * at written.
        unsafe { to.add(written).cast::<[u8; 4]>().write(bytes.to_le_bytes()) };
        at += 1;
        written += n;
        others &= others - 1;
    }
    // SAFETY: the runs and sequences initialised `written` bytes.
    let fits = unsafe { push_beside(&result, written, out) };
    if fits { at } else { 0 }
}

/// Encodes text of up to [`MOST`] bytes, up to an unmapped character; returns how many bytes. Takes none if what they
/// give has no room.
#[inline(never)]
pub(super) fn encode_utf8(pages: &Pages<'_>, src: &str, out: &mut Out<'_, u8>) -> usize {
    let len = src.len();
    assert!(len <= MOST);
    let mut beside = [0; MOST + RUN];
    let mut others = put_beside(src.as_bytes(), &mut beside);
    let mut result = [MaybeUninit::uninit(); MOST + RUN];
    let to = result.as_mut_ptr().cast::<u8>();
    let (mut at, mut written) = (0, 0);
    loop {
        let run = len.min(others.trailing_zeros() as usize) - at;
        // SAFETY: at + run <= MOST. At most `at` bytes are written, and the result has RUN more than MOST; a run above RUN
        // adds as much to `at`, so that MOST are left.
        unsafe { copy_run(&beside, at, to.add(written), run) };
        at += run;
        written += run;
        if others == 0 {
            break;
        }
        let here = each([0, 1, 2], |i| beside[at + i]);
        let Some((code_point, n)) = character(here) else {
            break;
        };
        let byte = pages.byte(code_point);
        if byte == 0 {
            break;
        }
        // SAFETY: at < MOST, and no more than `at` bytes are written.
        unsafe { to.add(written).write(byte) };
        at += n;
        written += 1;
        // Two bits or three, all of them the lowest.
        others &= others - 1;
        others &= others.wrapping_sub(1);
        others = select_unpredictable(n > 2, others & others.wrapping_sub(1), others);
    }
    // SAFETY: the runs and characters initialised `written` bytes.
    let fits = unsafe { push_beside(&result, written, out) };
    if fits { at } else { 0 }
}

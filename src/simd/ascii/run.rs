//! The algorithm: take a run of ASCII, four registers at a time.
//!
//! One register first, because runs in mixed text are short; then, on long runs, four registers per test. Behind
//! the first four, the stores are aligned, since a store across a cache line costs two; no sooner, so that text
//! decides nothing but the run's length. The end of a run is exact without a scalar tail: the register that
//! *ends* there is loaded and stored again, over data that is equal. Only a run shorter than one register cannot
//! do that: it goes to the register's masks, or to smaller registers.

use crate::simd::tuning;
use core::mem::size_of;

use super::kind::Kind;
use crate::simd::out::Out;
use crate::simd::vector::Vector;

/// Aligning the stores pays from this many registers on.
const ALIGN_FROM: usize = tuning::ALIGN_FROM;

/// Units of the smallest vector: fewer go one by one.
const SMALLEST: usize = 4;

/// Takes the longest prefix of `src` that is ASCII and fits, and moves the cursor over it; returns its length.
#[inline(always)]
pub(super) fn take<V: Vector, K: Kind>(v: V, src: &[K::In], out: &mut Out<'_, K::Out>) -> usize {
    let n = src.len().min(out.room());
    // SAFETY: `n` units are readable because `src` has `n`, and writable because `out` has room for `n`;
    // `out` holds its buffer exclusively, so that they do not overlap. `take_raw` initialises the units it reports.
    unsafe {
        let taken = take_raw::<V, K>(v, src.as_ptr(), out.spare_ptr(), n);
        out.advance(taken);
        taken
    }
}

/// Writes the ASCII prefix of `n` units, exactly that, and returns its length.
///
/// # Safety
/// `n` units at `src` are readable, `n` at `dst` are writable, and the two do not overlap.
#[inline(always)]
pub(super) unsafe fn take_raw<V: Vector, K: Kind>(
    v: V,
    src: *const K::In,
    dst: *mut K::Out,
    n: usize,
) -> usize {
    let len = const { V::LEN };
    // Every offset below is at most `n - len` where a whole register is loaded or stored.
    if n < len {
        // SAFETY: n < LEN; by `# Safety`, `n` units at `src` are readable and `n` at `dst` writable.
        return unsafe { take_partial::<V, K>(v, src, dst, n) };
    }
    // SAFETY: len <= n; prefix < len, and that many units are ASCII; what is stored whole is ASCII.
    unsafe {
        let first = K::load(v, src);
        if !K::is_ascii(v, first) {
            let prefix = K::prefix(v, first);
            put_partial::<V, K>(v, src, dst, prefix);
            return prefix;
        }
        K::store(v, first, dst);
    }
    let mut at = len;
    let mut aligned = n < ALIGN_FROM * len;
    while n - at >= 4 * len {
        // SAFETY: at + 4 * len <= n.
        let (a, b, c, d) = unsafe {
            (
                K::load(v, src.add(at)),
                K::load(v, src.add(at + len)),
                K::load(v, src.add(at + 2 * len)),
                K::load(v, src.add(at + 3 * len)),
            )
        };
        if !K::is_ascii(v, K::or(v, K::or(v, a, b), K::or(v, c, d))) {
            break;
        }
        // Where more is read than written, reading is what takes time.
        if size_of::<K::Out>() >= size_of::<K::In>() {
            let room = (n - at) * size_of::<K::Out>();
            for line in 0..4 * size_of::<K::Out>() {
                v.prefetch_output(dst.wrapping_add(at).cast(), len * line, room);
            }
        }
        // SAFETY: as above, and the test showed that all four are ASCII.
        unsafe {
            K::store(v, a, dst.add(at));
            K::store(v, b, dst.add(at + len));
            K::store(v, c, dst.add(at + 2 * len));
            K::store(v, d, dst.add(at + 3 * len));
        }
        at += 4 * len;
        if !aligned {
            // Steps back by less than a register, over units that are taken already.
            at -= misalignment::<K>(src.wrapping_add(at), dst.wrapping_add(at), len);
            aligned = true;
        }
    }

    // From here on everything before `at` is ASCII and written, and at > 0. The last register starts at n - len,
    // overlapping the one before it.
    while at < n {
        let start = at.min(n - len);
        // SAFETY: start <= n - len; len <= end < n, and everything before `end` is ASCII; what is stored whole is ASCII.
        unsafe {
            let block = K::load(v, src.add(start));
            if !K::is_ascii(v, block) {
                let end = start + K::prefix(v, block);
                // The first register was ASCII, so that a later unit which is not lies at or past `len`.
                debug_assert!(end >= len);
                K::store(v, K::load(v, src.add(end - len)), dst.add(end - len));
                return end;
            }
            K::store(v, block, dst.add(start));
        }
        at = start + len;
    }
    n
}

/// By how many units the output (or the input, when there is no output) is past a multiple of `len` bytes.
#[inline(always)]
fn misalignment<K: Kind>(src: *const K::In, dst: *mut K::Out, len: usize) -> usize {
    if size_of::<K::Out>() == 0 {
        (src.addr() % len) / size_of::<K::In>()
    } else {
        (dst.addr() % len) / size_of::<K::Out>()
    }
}

/// Takes the ASCII prefix of fewer than `LEN` units, writing exactly that; returns its length.
///
/// # Safety
/// `n < LEN`; `n` units at `src` are readable, `n` at `dst` are writable, and the two do not overlap.
#[inline(always)]
unsafe fn take_partial<V: Vector, K: Kind>(
    v: V,
    src: *const K::In,
    dst: *mut K::Out,
    n: usize,
) -> usize {
    // SAFETY: n < LEN, n units are readable and n writable: the contract of this function. With masks: the zeros past `n` are
    // ASCII, so that taken <= n, and the first `taken` units are ASCII.
    unsafe {
        if const { V::MASKED } {
            let block = K::load_first(v, src, n);
            let taken = K::prefix(v, block).min(n);
            K::store_first(v, block, dst, taken);
            return taken;
        }
        if const { V::LEN > SMALLEST } {
            return take_raw::<_, K>(v.half(), src, dst, n);
        }
        for i in 0..n {
            let Some(unit) = K::convert(src.add(i).read()) else {
                return i;
            };
            dst.add(i).write(unit);
        }
        n
    }
}

/// Writes fewer than `LEN` units that are known to be ASCII.
///
/// # Safety
/// `n < LEN`; `n` units at `src` are readable and ASCII, `n` at `dst` are writable, and the two do not overlap.
#[inline(always)]
unsafe fn put_partial<V: Vector, K: Kind>(v: V, src: *const K::In, dst: *mut K::Out, n: usize) {
    // SAFETY: n < LEN, n units are readable and ASCII, and n writable: the contract of this function.
    unsafe {
        if const { V::MASKED } {
            return K::store_first(v, K::load_first(v, src, n), dst, n);
        }
        if const { V::LEN > SMALLEST } {
            return put_halves::<_, K>(v.half(), src, dst, n);
        }
        // One to three units are the first, the middle and the last, some of them the same.
        let put = |i| {
            if let Some(unit) = K::convert(src.add(i).read()) {
                dst.add(i).write(unit);
            }
        };
        if n > 0 {
            put(0);
            put(n / 2);
            put(n - 1);
        }
    }
}

/// [`put_partial`] by halves: two registers of half the length that overlap, or half the length again.
///
/// # Safety
/// `n < 2 * V::LEN`; `n` units at `src` are readable and ASCII, `n` at `dst` are writable, and the two do not
/// overlap.
#[inline(always)]
pub(super) unsafe fn put_halves<V: Vector, K: Kind>(
    v: V,
    src: *const K::In,
    dst: *mut K::Out,
    n: usize,
) {
    let len = const { V::LEN };
    // SAFETY: n units are readable and ASCII, and n writable: the contract of this function; the last register ends there.
    unsafe {
        if n < len {
            return put_partial::<V, K>(v, src, dst, n);
        }
        let last = n - len;
        let (a, b) = (K::load(v, src), K::load(v, src.add(last)));
        K::store(v, a, dst);
        K::store(v, b, dst.add(last));
    }
}

//! UTF-8 validation, and the one place that turns validated bytes into `str`.
//!
//! With vectors, short input is first validated as a whole, without data-dependent branches. With AVX-512 and AVX2,
//! other input is validated by the copying kernels. On other targets it is validated by `simdutf8`, after a scan for
//! ASCII, with which most UTF-8 starts; short input is left to the standard library.

use super::super::arrays::tail;
use super::super::ascii::{ascii_prefix_len, starts_ascii};
#[cfg(target_arch = "x86_64")]
use super::super::level::Avx2;
use super::super::level::{Active, Level, with_avx512, with_v256};
#[cfg(target_arch = "x86_64")]
use super::avx512;
#[cfg(v256)]
use super::v256;
use crate::simd::tuning;

/// Returns the length of the longest prefix of `src` that is valid UTF-8, in whole sequences.
#[inline]
pub(crate) fn utf8_valid_up_to(src: &[u8]) -> usize {
    utf8_valid_up_to_at(Active::now(), src)
}

#[inline(always)]
fn utf8_valid_up_to_at(active: Active, src: &[u8]) -> usize {
    if is_few_and_valid(active, src) {
        return src.len();
    }
    with_avx512!(active, |token| {
        let ascii = if may_be_ascii(src) {
            ascii_prefix_len(src)
        } else {
            0
        };
        if ascii == src.len() {
            return ascii;
        }
        let rest = tail(src, ascii);
        // SAFETY: holding the token proves detection succeeded; without `COPY`, nothing is written.
        return ascii
            + unsafe {
                avx512::utf8_to_utf8::<false>(token, rest, core::ptr::null_mut(), rest.len())
            };
    });
    if src.len() <= tuning::STD_UP_TO {
        return valid_up_to_core(src);
    }
    let ascii = ascii_prefix_len(src);
    let rest = tail(src, ascii);
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = Avx2::at(active) {
        // SAFETY: holding the token proves detection succeeded.
        let valid = ascii + unsafe { v256::utf8_prefix_len(token, rest) };
        // The rest starts in a block with an error, or is too short for one.
        return valid + valid_up_to_core(tail(src, valid));
    }
    ascii
        + if rest.len() <= tuning::STD_UP_TO || active.level() == Level::Portable {
            valid_up_to_core(rest)
        } else {
            simdutf8::compat::from_utf8(rest).map_or_else(|error| error.valid_up_to(), str::len)
        }
}

/// True if the kernel for ASCII should run first; for short input, the first byte decides.
#[inline(always)]
pub(super) fn may_be_ascii(src: &[u8]) -> bool {
    match src {
        [first, ..] if src.len() < 32 => *first < 0x80,
        _ => starts_ascii(src),
    }
}

/// True if `src` is short and found to be UTF-8. `false` is inconclusive.
#[inline(always)]
pub(super) fn is_few_and_valid(active: Active, src: &[u8]) -> bool {
    if src.len() > tuning::VALIDATE_WHOLE_UP_TO {
        return false;
    }
    // SAFETY: holding the token proves detection succeeded.
    with_avx512!(active, |token| return unsafe {
        avx512::is_few_and_valid(token, src)
    });
    let is_valid = with_v256!(active, |token| {
        // SAFETY: holding the token proves detection succeeded.
        unsafe { v256::is_few_and_valid(token, src) }
    });
    is_valid.unwrap_or(false)
}

fn valid_up_to_core(src: &[u8]) -> usize {
    core::str::from_utf8(src).map_or_else(|error| error.valid_up_to(), str::len)
}

/// Splits `src` after its longest prefix of valid UTF-8.
#[inline]
pub(crate) fn split_valid(src: &[u8]) -> (&str, &[u8]) {
    let (valid, rest) = src.split_at(utf8_valid_up_to(src));
    // SAFETY: `utf8_valid_up_to` has established that `valid` is valid UTF-8.
    (unsafe { str_from_valid(valid) }, rest)
}

/// Converts `bytes` to a `str`, without a check in release builds.
///
/// # Safety
/// `bytes` is valid UTF-8: validated, or written by a codec whose output is UTF-8 by construction.
#[inline(always)]
pub(crate) unsafe fn str_from_valid(bytes: &[u8]) -> &str {
    debug_assert!(core::str::from_utf8(bytes).is_ok());
    // SAFETY: `bytes` is valid UTF-8, by `# Safety`; debug builds have checked it.
    unsafe { core::str::from_utf8_unchecked(bytes) }
}

#[cfg(test)]
mod tests {
    use super::super::super::level::available;
    use super::*;
    use mojika_spec::sample::in_turns;

    fn standard(src: &[u8]) -> usize {
        core::str::from_utf8(src).map_or_else(|error| error.valid_up_to(), str::len)
    }

    /// Compares the result with the standard library's at every level that this machine has.
    fn check(src: &[u8]) {
        let expected = standard(src);
        for active in available().map(Active::at_most) {
            let valid = utf8_valid_up_to_at(active, src);
            assert_eq!(valid, expected, "{active:?} {src:X?}");
        }
        let (valid, rest) = split_valid(src);
        assert_eq!((valid.as_bytes(), rest), src.split_at(expected));
    }

    /// Covers short text from every offset, of every length up to a few more than any register. Also covers one wrong
    /// byte at every position, with and without four-byte characters.
    #[test]
    fn the_valid_prefix_of_short_text_is_the_standard_librarys() {
        const TEXT: &str = "aéж文\u{800}\u{FFF}\u{D7FF}한\u{E000}\u{7FF}日本語 да, так Größe xyzzy 하늘 ส 💩\u{FFFF}éé";
        for text in [TEXT.into(), TEXT.replace('💩', "")] {
            let starts = text.len();
            let mut src = text.repeat(5).into_bytes();
            for from in 0..starts {
                for len in (0..=70).chain(126..=130).chain(191..=194).chain(254..=258) {
                    check(&src[from..from + len]);
                }
            }
            for len in [4, 7, 8, 15, 16, 17, 18, 33, 34, 35, 40, 64, 65, 67, 100] {
                for at in starts..2 * starts {
                    let right = src[at];
                    for wrong in [
                        0, 0x80, 0x9F, 0xA0, 0xC0, 0xC1, 0xC2, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xFF,
                    ] {
                        src[at] = wrong;
                        for from in at.saturating_sub(len - 1)..=at {
                            check(&src[from..from + len]);
                        }
                    }
                    src[at] = right;
                }
            }
        }
    }

    /// Covers runs of ASCII that are skipped, characters of all lengths, and one error at every position.
    #[test]
    fn the_valid_prefix_is_the_standard_librarys() {
        let mut text = String::new();
        let characters = ['é', '文', '💩', '\u{D7FF}', '\u{10FFFF}'];
        // The test takes time quadratic in the length.
        let runs = [70, 130, 300, 600, 1100];
        for (i, (c, run)) in characters.into_iter().zip(runs).enumerate() {
            text.push_str(&"x".repeat(run));
            text.extend([c; 40]);
            text.push_str(&"aé文".repeat(9 + i));
        }
        let mut src = text.into_bytes();
        assert_eq!(standard(&src), src.len());
        check(&src);
        for at in 0..src.len() {
            let right = src[at];
            for wrong in in_turns([0x80, 0xC1, 0xE0, 0xED, 0xF5, b'x'], 3, at) {
                src[at] = wrong;
                check(&src);
                // Also check the text before the byte, and text that starts later.
                check(&src[..at]);
                check(&src[at / 3..]);
                // Covers every alignment.
                if (100..190).contains(&at) {
                    for before in 28..40 {
                        check(&src[at - before..]);
                    }
                }
            }
            src[at] = right;
        }
    }
}

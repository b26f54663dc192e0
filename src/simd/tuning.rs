//! Values that only affect speed: no result depends on them.
//!
//! The values were measured with `versus` (plain text, markup and noise in all encodings, at every level), and hold for
//! the processors of `docs/SPEED.md`. Buffer sizes and overshoots are not here, but with the code that relies on them.

// Minimum lengths of input for a kernel.

/// The maximum number of units that are converted without a vector kernel, because its selection takes longer than it saves.
/// If bytes may be unmapped, the same number is first tried without tables. After a lone surrogate, it is converted one by
/// one.
pub(crate) const PORTABLE_UP_TO: usize = 16;
/// The maximum number of units of a call that only runs a loop over the encoding's table.
pub(crate) const STRAIGHT_UP_TO: usize = 32;
/// Minimum length for kernels that take UTF-8 from a `str`, in bytes.
pub(crate) const UTF8_KERNEL_FROM: usize = 32;
/// Up to this many units of a single-byte encoding are converted one by one: with AVX-512, and at other levels.
pub(crate) const DIRECT_UP_TO: [usize; 2] = [8, 32];
/// Up to this many bytes of UTF-8 are converted to UTF-16 one character at a time.
pub(crate) const UTF8_DIRECT_UP_TO: usize = 8;
/// Up to this many units of UTF-16 are converted to UTF-8 one by one: with AVX-512, and at other levels.
pub(crate) const UTF16_DIRECT_UP_TO: [usize; 2] = [4, 15];
/// The minimum length, in units, for which loading tables, or restarting a stopped kernel, pays off.
pub(crate) const TABLES_FROM: usize = 64;
/// Minimum length, in units, that pays for building single-byte tables, which takes as long as some hundred characters.
pub(crate) const TABLES_OF_CALL_FROM: usize = 512;
/// Minimum length, in bytes, for double-byte kernels: with AVX-512, and with AVX2 and NEON, whose passes are longer.
pub(crate) const DOUBLE_BYTE_FROM: [usize; 2] = [48, 128];
/// The maximum number of units of UTF-16 copied without a kernel.
pub(crate) const UTF_UP_TO: usize = 31;

// Malformed or unmapped input that is treated as noise.

/// The numbers of units converted before a kernel restarts: after a profitable start (to skip the character that stopped
/// it), after the first unprofitable one, and the maximum.
pub(crate) const PAUSES: [u16; 3] = [4, 32, 1024];
/// The number of units that are first converted without tables. Input that often stops within them never builds tables.
pub(crate) const PORTABLE_HEAD: usize = 128;
/// The maximum length for which the standard library rejects malformed UTF-8 faster than any kernel but AVX-512's.
pub(crate) const STD_UP_TO: usize = 64;
/// The maximum length, in bytes, for which UTF-8 is validated without data-dependent branches, which would be mispredicted.
pub(crate) const VALIDATE_WHOLE_UP_TO: usize = 256;

// Runs of ASCII in other text.

/// The minimum length of consecutive ASCII, in units, for which switching to another kernel pays off.
///
/// In markup, whether a block of 64 is ASCII is unpredictable: a branch on it cost a third of the speed. So all blocks
/// are treated alike, and only longer runs are copied.
pub(crate) const ASCII_AHEAD: usize = 256;
/// The number of blocks between two probes for long ASCII in the copy of UTF-8: after a probe that found some, and the
/// maximum. A probe that finds none doubles the distance.
pub(crate) const PROBES_IN_UTF8: [u32; 2] = [4, 16];
/// Minimum length of a run, in registers, from which aligned stores pay off.
pub(crate) const ALIGN_FROM: usize = 8;
/// The number of consecutive ASCII blocks in Latin text after which the kernel for ASCII takes over.
pub(crate) const BLOCKS_OF_ASCII: usize = 12;
/// Minimum length of a run of ASCII in ISO-2022-JP, in units. Most markup consists of such runs.
pub(crate) const ISO_2022_JP_RUN: usize = 8;

// Latin text.

/// Minimum number of letters converted in each block that is not ASCII.
pub(crate) const FEW_LETTERS: usize = 3;
/// Minimum number of letters in four blocks of UTF-8 from which letters are not converted one by one.
pub(crate) const MANY_LETTERS: usize = 6;
/// The number of blocks of Latin-1 between two counts of the letters.
pub(crate) const LATIN_1_BLOCKS: usize = 8;

// Pieces, and prefetch distances.

/// The size of a part of single-byte input: large enough for a table, and small enough for the L1 cache.
pub(crate) const SINGLE_BYTE_PART: usize = 2048;
/// Prefetch distance of the output, in bytes. The output is not read first, so hardware prefetching sees too few
/// accesses.
pub(crate) const PREFETCH_TO_WRITE: usize = 1024;
/// Prefetch distance of the input, in bytes: hardware prefetching stops at the end of a page.
pub(crate) const PREFETCH_TO_READ: usize = 4096;
/// Prefetch distance of the first and the last pass of double-byte kernels, in bytes and units. The passes alternate,
/// which hardware prefetching does not follow.
pub(crate) const PREFETCH_BATCH: usize = 2048;

// Memory for the output.

/// The maximum number of bytes for which a `String` reserves the worst case at once.
pub(crate) const WORST_CASE_UP_TO: usize = 256;
/// The maximum length for which an encoder reserves space for a whole batch; with less, it would need two.
pub(crate) const WHOLE_BATCH_UP_TO: usize = 512;
/// The maximum number of bytes of a row that is decoded together with others.
pub(crate) const ROW_IN_BATCH_UP_TO: usize = 96;
/// The number of bytes of rows that are decoded together, so that they fit the L1 cache.
pub(crate) const BATCH_OF_ROWS: usize = 4096;
/// Minimum size, in bytes, of a vector that the allocator usually moves without a copy.
pub(crate) const MOVED_FROM: usize = 128 << 10;
/// The maximum number of bytes for which an append reserves the worst case of well-formed input.
pub(crate) const APPEND_WORST_CASE_UP_TO: usize = 1 << 20;

//! The values that decide speed alone: no result depends on one of them.
//!
//! They were found with `versus` (plain text, markup and noise in all encodings, at every level), and hold for the
//! processors of `docs/SPEED.md`. Sizes of buffers, and how far kernels read or write past a place, are not here: they
//! stand with the code that must keep them.

// When a kernel starts.

/// Up to this many units no kernel of an instruction set starts: to choose one costs more than it saves.
pub(crate) const PORTABLE_UP_TO: usize = 16;
/// The same for kernels that take UTF-8 from a `str`: its characters are longer than a byte.
pub(crate) const UTF8_KERNEL_FROM: usize = 32;
/// Up to how many units of a single-byte encoding go one by one: before the level is looked up, and where the level has no
/// kernel for short input. To look for runs of ASCII costs more than it saves.
pub(crate) const DIRECT_UP_TO: [usize; 2] = [8, 16];
/// Up to this many units of UTF-16 go one by one to UTF-8.
pub(crate) const UTF16_DIRECT_UP_TO: usize = 4;
/// From this many units on, a kernel that loads tables into registers is worth its start, and so is another start after
/// one that stopped.
pub(crate) const TABLES_FROM: usize = 64;
/// From this many units on, single-byte tables are made for the call: that takes the time of some hundred characters.
pub(crate) const TABLES_OF_CALL_FROM: usize = 512;
/// From how many bytes on double-byte kernels start: with AVX-512, and with AVX2 and NEON. Their passes are longer.
pub(crate) const DOUBLE_BYTE_FROM: [usize; 2] = [24, 128];
/// The same for ISO-2022-JP, which is stripped of its escape sequences before.
pub(crate) const ISO_2022_JP_FROM: [usize; 2] = [128, 384];
/// Units between UTF-8 and UTF-16 that are converted without a kernel. AVX-512's takes any length.
pub(crate) const UTF_UP_TO: usize = 31;

// Which malformed or unmapped input is noise.

/// Units that pass before a kernel starts again: after a start that paid (the longest character, which may be what stopped
/// it), after the first one that did not, and at most.
pub(crate) const PAUSES: [u16; 3] = [4, 32, 1024];
/// Where bytes may be unmapped, this many are tried without tables first, as in noise few are taken.
pub(crate) const TRY_PORTABLE: usize = 16;
/// Input that stops again and again within this many units never needs tables.
pub(crate) const PORTABLE_HEAD: usize = 128;
/// With fewer units than this between two lone surrogates, UTF-16 is noise.
pub(crate) const NOISE_WITHIN: usize = 24;
/// Units that are converted one by one where a kernel has met a lone surrogate.
pub(crate) const AFTER_LONE_SURROGATE: usize = 16;
/// Up to this length the standard library rejects malformed UTF-8 faster than every kernel except AVX-512's.
pub(crate) const STD_UP_TO: usize = 64;
/// Up to this length UTF-8 is validated without branches on its content, which would be mispredicted.
pub(crate) const VALIDATE_WHOLE_UP_TO: usize = 256;

// Runs of ASCII in other text.

/// A run of ASCII of this many units is worth another kernel.
///
/// In markup nobody can predict whether a block of 64 is ASCII: a branch there cost a third of the speed. So blocks are
/// treated alike, and longer runs are copied.
pub(crate) const ASCII_AHEAD: usize = 256;
/// The same from UTF-16 to UTF-8 with AVX-512.
pub(crate) const ASCII_AHEAD_IN_UTF16: usize = 128;
/// Rounds between two probes for such a run: after one that found a run, and at most. One that finds none doubles them.
pub(crate) const PROBES_IN_UTF16: [u32; 2] = [2, 8];
/// The same for the copy of UTF-8.
pub(crate) const PROBES_IN_UTF8: [u32; 2] = [4, 16];
/// Aligning the stores of a run pays from this many registers on.
pub(crate) const ALIGN_FROM: usize = 8;
/// Blocks of ASCII in Latin text after which the kernel for ASCII takes over.
pub(crate) const BLOCKS_OF_ASCII: usize = 12;
/// The fewest ASCII units that count as a run in ISO-2022-JP. Most markup is such runs.
pub(crate) const ISO_2022_JP_RUN: usize = 8;
/// Other characters between ASCII in UTF-32 that go one at a time before the kernels for UTF-8 take over.
pub(crate) const OTHERS_IN_ASCII: usize = 8;

// Latin text.

/// Letters that are treated in each block that is not ASCII, at least.
pub(crate) const FEW_LETTERS: usize = 3;
/// From this many letters in four blocks of UTF-8 on, no letter is treated by itself.
pub(crate) const MANY_LETTERS: usize = 6;
/// Blocks of Latin-1 between two counts of the letters.
pub(crate) const LATIN_1_BLOCKS: usize = 8;

// UTF-16 to UTF-8 with AVX-512.

/// A register with this many units from 0x800 on is text of all lengths. A dash among letters of two bytes is not.
pub(crate) const MANY_OF_THREE: u32 = 3;
/// So is one that this many rounds, at most, separate from the last such unit.
pub(crate) const NEAR_OF_THREE: u32 = 2;
/// Rounds without such a unit that end it.
pub(crate) const ROUNDS_APART: u32 = 8;
/// Rounds that go one by one after surrogates.
pub(crate) const AFTER_SURROGATES: u32 = 6;

// Characters of four bytes in gb18030.

/// Text of fewer bytes is not worth the start of two kernels, if it begins with such a character.
pub(crate) const FOUR_BYTE_TEXT: usize = 128;
/// Pairs that may stand between two of them, with ASCII: to decode, and to encode.
pub(crate) const PAIRS_BETWEEN: [usize; 2] = [16, 8];
/// If this many units are not ASCII, the text is not mostly ASCII: of 64 bytes to decode, and of 32 units to encode, of
/// UTF-8 and of UTF-16.
pub(crate) const DENSE: [u32; 3] = [24, 8, 3];
/// The first piece to encode, in units, and the first one where ASCII prevails: what is looked up after a run is lost.
pub(crate) const FIRST_PIECE: [usize; 2] = [64, 256];

// Double bytes to encode, with AVX2 and NEON.

/// Where fewer than one in this many units are not ASCII, ASCII prevails: in UTF-8 and in UTF-16.
pub(crate) const SPARSE: [usize; 2] = [6, 4];

// Pieces, and how far ahead memory is asked for.

/// Bytes of ISO-2022-JP that are converted at a time: with AVX-512, and with AVX2 and NEON, whose start costs more.
pub(crate) const ISO_2022_JP_PART: [usize; 2] = [2048, 8192];
/// Escape sequences that are listed for each block, even if it has fewer: most have no more.
pub(crate) const ESCAPES_LISTED: usize = 8;
/// Bytes of a run in ISO-2022-JP that are copied at once: more than most runs have. Twice as much was no faster.
pub(crate) const ISO_2022_JP_COPY: usize = 32;
/// Bytes of a single-byte encoding that are worth a table of their own and stay in the nearest cache.
pub(crate) const SINGLE_BYTE_PART: usize = 2048;
/// Bytes ahead of what is written: it is not read before, so the processor prefetches too little of it.
pub(crate) const PREFETCH_TO_WRITE: usize = 1024;
/// Bytes ahead of what is read: the processor's own prefetching ends with a page.
pub(crate) const PREFETCH_TO_READ: usize = 4096;
/// Bytes and units ahead of the first and the last pass of double-byte kernels: passes alternate, and the processor's own
/// prefetching does not keep up.
pub(crate) const PREFETCH_BATCH: usize = 2048;

// Memory for the output.

/// Up to this many bytes a String gets the worst case at once.
pub(crate) const WORST_CASE_UP_TO: usize = 256;
/// Up to this length an encoder gets room for a whole batch; with less it would take two.
pub(crate) const WHOLE_BATCH_UP_TO: usize = 512;
/// Up to this many bytes a row is decoded together with others.
pub(crate) const ROW_IN_BATCH_UP_TO: usize = 96;
/// Rows that are decoded together have about this many bytes in all, so that they stay in the nearest cache.
pub(crate) const BATCH_OF_ROWS: usize = 4096;
/// A larger vector is moved by the allocator without a copy, as a rule.
pub(crate) const MOVED_FROM: usize = 128 << 10;
/// Up to this many bytes an append reserves the worst case of well-formed input.
pub(crate) const APPEND_WORST_CASE_UP_TO: usize = 1 << 20;

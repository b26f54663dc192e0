//! Typed access to the generated tables in `tables/`: indexes, ranges, labels.
//!
//! The functions are named in the Standard's terms, such as the *index code point* of a *pointer*, independent of a
//! table's layout. Vector kernels may use the arrays directly. Nothing here depends on another module of the crate,
//! allocates, or panics on any argument.
//!
//! `gen/` writes the tables and describes the schemes; `tables/MANIFEST.txt` lists sizes, 310 KB at most in all.
//!
//! - [`double_byte`]: pointer to code point, and code point to bytes, or to row and cell.
//! - [`gb18030_ranges`]: the four-byte form of gb18030, both directions.
//! - [`single_byte`]: both directions.
//! - [`extended`]: the same for encodings outside the Standard, separate from its tables.
//! - [`cns_11643`]: two planes of that set, in the order of Big5.
//! - [`sets`]: character sets contained in the Standard's indexes, for those other encodings.
//! - [`mod@labels`]: label to encoding number.

pub(crate) mod cns_11643;
pub(crate) mod double_byte;
pub(crate) mod extended;
mod gb18030_ranges;
pub(crate) mod johab;
mod labels;
mod load;
pub(crate) mod pairs;
mod perfect_hash;
pub(crate) mod rank;
pub(crate) mod sets;
pub(crate) mod single_byte;
#[cfg(test)]
mod tests;

pub(crate) use double_byte::*;
pub(crate) use gb18030_ranges::{gb18030_ranges_code_point, gb18030_ranges_pointer};
pub(crate) use labels::encoding_number_for_label;
#[allow(
    unused_imports,
    reason = "the codecs look up; listing serves tests and tools"
)]
pub(crate) use labels::labels;
pub(crate) use single_byte::*;

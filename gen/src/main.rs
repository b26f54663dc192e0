//! The offline generator of mojika's tables.
//!
//! ```text
//! cargo run -p mojika-gen -- <command>
//!   import      re-derive gen/indexes from the published encoding_rs crate
//!   build       write tables/ from gen/indexes, gen/labels.txt and gen/extended
//!   check       fail, naming each file, if tables/ is not what `build` would write
//!   train DIR   write crates/sniff/tables from the texts in DIR (scripts/fetch-training-texts.py)
//! ```
//!
//! The data flow is *encoding_rs* -> `gen/indexes` (text in the Standard's format, reviewable) -> `tables/` (compact, read
//! by `src/tables`). No registry has the Standard's index files, so they are imported. `gen/import-extended.py` asks ICU,
//! glibc, Python, Perl and libiconv for the tables of `mojika::extended`, and compares the import with the Standard's files.
//!
//! # Table schemes
//!
//! The total size, including encode tables and labels, must stay within [`tables::SIZE_LIMITS`].
//!
//! - **flat**: an array by pointer (decode) or by code point (the ideographs of gb18030). One load; it wastes space only
//!   for unmapped pointers. 0 stands for unmapped, as no index maps to U+0000.
//! - **bitmap-and-rank** ([`rank`]): the encode tables of double-byte indexes. An order-preserving minimal perfect hash:
//!   exact membership, 2 bytes per character plus 4 per block of 16 code points. Compared with two-stage tables, it saves
//!   about 100 KB in total and costs a population count.
//! - **hash-and-displace** ([`perfect_hash`]): labels and Big5's plane 2, whose keys are too sparse for bitmaps. Keys are
//!   not stored; the data found confirms the hit.
//! - **shared pages**: the encode tables of single-byte encodings. All encodings share one directory of 64-code-point
//!   blocks, and equal pages.
//! - **arithmetic**: encode tables of the Hangul syllables outside KS X 1001, which EUC-KR's extension area has in Unicode
//!   order, and of the user-defined areas of gb18030. Flat tables for these rare characters would take 22 and 4 KB.
//! - **base and step**: the decode table of the same Hangul syllables. It stores every 32nd syllable, and one byte for each
//!   syllable. A flat table with the gaps of the index would be three times as large.
//!
//! `build` compares each table with its index before it writes anything.

// The modules shared with the detector import from `alloc`, because they also compile without `std`.
extern crate alloc;

mod double_byte;
mod extended;
mod import;
mod index;
mod label_list;
mod pairs;
mod paths;
mod perfect_hash;
mod rank;
mod tables;
mod train;

use std::error::Error;
use std::process::ExitCode;

/// The result of a command: text to print, or the reason of the failure.
type Outcome = Result<String, Box<dyn Error>>;

const USAGE: &str = "usage: gen import | build | check | train DIR";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments[..] {
        ["import"] => import::run(),
        ["build"] => tables::output::build(),
        ["check"] => {
            tables::output::check().and_then(|report| Ok(report + "\n" + &train::check()?))
        }
        ["train", directory] => train::run(directory.as_ref()),
        _ => Err(USAGE.into()),
    };
    match outcome {
        Ok(report) => {
            println!("{report}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("gen: {error}");
            ExitCode::FAILURE
        }
    }
}

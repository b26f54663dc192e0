//! A straightforward transliteration of the WHATWG [Encoding Standard].
//!
//! It is slow and obvious on purpose: `mojika` is tested and fuzzed against this crate. Each algorithm of the Standard
//! is a function here, with the same step numbers (`// Step 3.2.`) and terms. The crate shares no code with the engine.
//! It has its own label table and its own parser of the Standard's index files, which are the only external input.
//! There are no dependencies, no unsafe code, and no optimisations.
//!
//! Some parts are not in the Standard: [`html_prescan`], which is in the HTML Standard; [`fragments`], which returns
//! the offset of each error; the UTF-16 encoders in [`utf_16`]; and [`extended`], encodings outside the Standard.
//! [`random`] and [`odd`] generate the input of tests, proofs, fuzz targets and benches, [`sample`] has the test sizes,
//! and [`snapshot`] compares texts with files. [`changes`] changes one byte, and [`escapes`] reads bytes in texts.
//!
//! [Encoding Standard]: https://encoding.spec.whatwg.org/
#![forbid(unsafe_code)]

pub mod big5;
pub mod big5_hkscs;
pub mod changes;
pub mod cns_11643;
pub mod encoding;
pub mod escapes;
pub mod euc_jp;
pub mod euc_kr;
pub mod extended;
pub mod fragments;
pub mod gb18030;
pub mod gb18030_2005;
pub mod gsm;
pub mod handler;
pub mod hooks;
pub mod html_prescan;
pub mod indexes;
pub mod instances;
pub mod io_queue;
pub mod iso_2022;
pub mod iso_2022_jp;
pub mod labels;
pub mod mixed;
pub mod odd;
pub mod process_queue;
pub mod random;
pub mod replacement;
pub mod sample;
pub mod shift_jis;
pub mod shifted;
pub mod single_byte;
pub mod snapshot;
pub mod text_decoder;
pub mod text_encoder;
pub mod two_bytes;
pub mod utf_16;
pub mod utf_7;
pub mod utf_8;
pub mod x_user_defined;

pub use encoding::Encoding;
pub use extended::Extended;
pub use fragments::{
    DecodeItem, EncodeItem, decode_fragments, decode_fragments_with_starts, encode_fragments,
    reference,
};
pub use handler::{Handler, HandlerResult, Items};
pub use instances::{Decoder, Encoder};
pub use io_queue::{IoQueue, Item};
pub use labels::{get_an_encoding, get_an_output_encoding};
pub use process_queue::{ErrorMode, Processed, process_a_queue, process_an_item};
pub use random::Random;

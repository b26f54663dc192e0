//! Options for line ends, normalization, and byte order marks in the text.

use crate::engine::{Form, InteriorBom, Newline, Shape};
use clap::Args;

/// The changes of text between decoding and encoding.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct ShapeArgs {
    /// Line ends of the output [default: keep]
    ///
    /// LF, CR LF, CR alone and NEL (U+0085, in EBCDIC byte 0x15) are line ends, and each becomes
    /// the named one. A text with several kinds is reported.
    #[arg(long, value_enum, value_name = "ENDS", help_heading = "Text")]
    pub newline: Option<Newline>,

    /// Write the text in a normalization form of Unicode
    ///
    /// NFC and NFD are canonically equivalent to the text. NFKC and NFKD are not: they lose the difference between "ﬁ" and
    /// "fi", between "²" and "2". A run of more than 64 KB of combining marks is normalized in pieces.
    #[cfg_attr(
        feature = "normalize",
        arg(long, value_enum, value_name = "FORM", help_heading = "Text")
    )]
    #[cfg_attr(not(feature = "normalize"), arg(skip))]
    pub normalize: Option<Form>,

    /// Treatment of byte order marks after the start of an input, as in joined files [default: keep]
    ///
    /// Their number is reported. U+FEFF within words, as a zero width no-break space, counts, too.
    /// `mojika check` names the files that have any.
    #[arg(long, value_enum, value_name = "MODE", help_heading = "Text")]
    pub interior_bom: Option<InteriorBom>,
}

impl ShapeArgs {
    /// The same for the engine.
    pub fn shape(self) -> Shape {
        Shape {
            newline: self.newline.unwrap_or_default(),
            form: self.normalize,
            interior_bom: self.interior_bom.unwrap_or_default(),
            counts: self.newline.is_some() || self.interior_bom.is_some(),
        }
    }
}

//! Options for line ends, normalization, and byte order marks in the text.

use clap::Args;
use mojika_convert::engine::{BomMode, Form, InteriorBom, Newline, Shape};

/// The changes of text between decoding and encoding.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct ShapeArgs {
    /// Line ends of the output: LF, CR LF, CR and NEL (U+0085) all become this [default: keep]
    #[arg(long, value_enum, value_name = "ENDS", help_heading = "Text")]
    pub newline: Option<Newline>,

    /// Write the text in a normalization form of Unicode
    #[cfg_attr(
        feature = "normalize",
        arg(long, value_enum, value_name = "FORM", help_heading = "Text")
    )]
    #[cfg_attr(not(feature = "normalize"), arg(skip))]
    pub normalize: Option<Form>,
}

impl ShapeArgs {
    /// Returns the engine's form of these options.
    pub fn shape(self, bom: Option<BomMode>) -> Shape {
        let strips = bom == Some(BomMode::None);
        Shape {
            newline: self.newline.unwrap_or_default(),
            form: self.normalize,
            interior_bom: match strips {
                true => InteriorBom::Strip,
                false => InteriorBom::Keep,
            },
            counts: self.newline.is_some() || strips,
        }
    }
}

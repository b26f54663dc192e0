//! Options for the text between decoding and encoding.

use clap::{Args, ValueEnum};
use mojika_convert::engine::{BomMode, Form, Newline, Shape, Substitutes};

/// The changes of text, and the text for characters that the output encoding lacks, which is tried before `--errors`.
#[derive(Args, Clone, Debug, Default)]
pub struct TextArgs {
    /// Write a substitute for a character that --to lacks, and apply --errors only to the rest [without HOW: ascii]
    #[arg(
        long,
        value_enum,
        value_name = "HOW",
        value_delimiter = ',',
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "ascii",
        help_heading = "Text"
    )]
    pub translit: Vec<Translit>,

    /// Line ends of the output, in place of LF, CR LF, CR and NEL (U+0085) [default: keep]
    #[arg(long, value_enum, value_name = "ENDS", help_heading = "Text")]
    pub newline: Option<Newline>,

    /// Write the text in a normalization form of Unicode
    #[arg(long, value_enum, value_name = "FORM", help_heading = "Text")]
    pub normalize: Option<Form>,
}

/// A way to write a character that the output encoding lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Translit {
    /// Similar ASCII: "é" becomes "e". The lost characters are counted
    Ascii,
    /// A letter followed by a combining mark, as windows-1258 encodes "ế"
    Marks,
    /// 〜 ‖ − — ¢ £ ¬ ¦ as Windows maps them, for Shift_JIS and EUC-JP
    Jis,
}

impl TextArgs {
    /// Returns the engine's form of the changes.
    pub fn shape(&self, bom: Option<BomMode>) -> Shape {
        let strips_marks = bom == Some(BomMode::None);
        Shape {
            newline: self.newline.unwrap_or_default(),
            form: self.normalize,
            strips_marks,
            counts: self.newline.is_some() || strips_marks,
        }
    }

    /// Returns the engine's form of `--translit`.
    pub fn substitutes(&self) -> Substitutes {
        let mut substitutes = Substitutes::default();
        for how in &self.translit {
            match how {
                Translit::Ascii => substitutes.translit = true,
                Translit::Marks => substitutes.decompose = true,
                Translit::Jis => substitutes.jis_variants = true,
            }
        }
        substitutes
    }
}

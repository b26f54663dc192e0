//! Options for characters that the output encoding lacks.

use clap::{Args, ValueEnum};
use mojika_convert::engine::Substitutes;

/// The text for characters that the output encoding lacks, tried before `--errors`.
#[derive(Args, Clone, Debug, Default)]
pub struct SubstituteArgs {
    /// Write something like a character that --to lacks, before --errors is asked [without HOW: ascii]
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
}

/// A way to write a character that the output encoding lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Translit {
    /// ASCII that sounds or looks like it: "é" becomes "e"; a loss, which is counted
    #[cfg(feature = "translit")]
    Ascii,
    /// A letter and its mark apart, as windows-1258 has "ế"
    #[cfg(feature = "normalize")]
    Marks,
    /// 〜 ‖ − — ¢ £ ¬ ¦ as Windows maps them, for Shift_JIS and EUC-JP
    Jis,
}

impl SubstituteArgs {
    /// Returns the engine's form of these options.
    pub fn substitutes(&self) -> Substitutes {
        let mut substitutes = Substitutes::default();
        for how in &self.translit {
            match how {
                #[cfg(feature = "translit")]
                Translit::Ascii => substitutes.translit = true,
                #[cfg(feature = "normalize")]
                Translit::Marks => substitutes.decompose = true,
                Translit::Jis => substitutes.jis_variants = true,
            }
        }
        substitutes
    }
}

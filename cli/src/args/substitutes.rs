//! Options for characters that the output encoding lacks.

use crate::engine::Substitutes;
use clap::Args;

/// The text for characters that the output encoding lacks, tried before `--errors`.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct SubstituteArgs {
    /// Write 〜 ‖ − — ¢ £ ¬ ¦ as Windows maps them, where the output encoding lacks them
    ///
    /// Japanese text from macOS, glibc and Java has U+301C, U+2016 and U+2212, where Windows and the Standard's Shift_JIS
    /// and EUC-JP have U+FF5E, U+2225 and U+FF0D. They look alike and are written as the same bytes; reading those bytes
    /// gives Windows' characters.
    #[arg(long, help_heading = "Characters that --to lacks")]
    pub jis_variants: bool,

    /// Write a letter and its mark apart, where the output encoding has these and not the two in one
    ///
    /// For windows-1258, which writes "ế" as "ê" and an acute accent. The text stays canonically equivalent.
    #[cfg_attr(
        feature = "normalize",
        arg(long, help_heading = "Characters that --to lacks")
    )]
    #[cfg_attr(not(feature = "normalize"), arg(skip))]
    pub decompose: bool,

    /// Write ASCII that sounds or looks like it, as iconv's //TRANSLIT does: "é" becomes "e", "“" becomes a plain quote
    ///
    /// The data is that of the crate any_ascii, and not the locale's: "ä" becomes "a" in any
    /// language, and Chinese becomes pinyin without tones. It is a loss, and it is counted.
    /// Characters without such a form are left to --errors.
    #[cfg_attr(
        feature = "translit",
        arg(long, help_heading = "Characters that --to lacks")
    )]
    #[cfg_attr(not(feature = "translit"), arg(skip))]
    pub translit: bool,
}

impl SubstituteArgs {
    /// The same for the engine.
    pub fn substitutes(self) -> Substitutes {
        Substitutes {
            jis_variants: self.jis_variants,
            decompose: self.decompose,
            translit: self.translit,
        }
    }
}

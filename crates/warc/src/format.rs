//! Output formats.

use clap::ValueEnum;

/// An output format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// One line of JSON for each document
    #[default]
    Jsonl,
    /// Rows of Parquet with the keys of the JSON objects, compressed by Zstandard
    Parquet,
    /// A WARC archive of conversion records, like Common Crawl's WET files
    Wet,
    /// The same WARC archive, with documents converted to UTF-8 and labelled as UTF-8
    WarcUtf8,
}

impl Format {
    /// Returns the extension of outputs, with its dot.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Jsonl => ".jsonl",
            Self::Parquet => ".parquet",
            Self::Wet => ".warc.wet",
            Self::WarcUtf8 => ".warc",
        }
    }

    /// True if the output is an archive: its first record describes it, and each record is compressed separately, as in the
    /// input.
    pub fn is_archive(self) -> bool {
        matches!(self, Self::Wet | Self::WarcUtf8)
    }
}

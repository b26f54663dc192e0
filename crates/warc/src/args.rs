//! Options of `mojika warc`.

#![allow(
    missing_docs,
    reason = "documentation of a flattened field would be help"
)]

use super::document::Shown;
use super::format::Format;
use clap::Args;
use mojika_convert::args::hints::GuessArgs;
use mojika_convert::args::run::{OutputArgs, RunArgs};
use mojika_convert::engine::Compress;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  mojika warc crawl.warc.gz -o crawl.jsonl
          a line of JSON for each page, with its text, its encoding and the reason
  mojika warc crawl.warc.gz --text plain | jq -r .text
          the pages without their markup
  mojika warc crawls -o pages.jsonl --mime text/html --url 'https://*.jp/*' --dedup digest
          pages of Japan that were answered with status 2xx, each content once
  mojika warc crawls -o texts/ --format wet --text plain -j 8
          all archives of a folder to WET archives, eight at a time
  mojika warc crawls -o utf-8/ --format warc-utf8
          the same archives, with every page in UTF-8 and labelled as UTF-8";

pub(crate) const EXIT_STATUSES: &str = "\
Exit status:
  0    done
  1    an archive is damaged, or reading or writing failed; all readable records are written
  2    wrong usage
  129, 130, 143  ended by SIGHUP, SIGINT, SIGTERM
  141  the reader of standard output closed it";

/// Options of documents, whether they are records of archives or files.
#[derive(Args, Clone, Debug)]
pub struct DocumentArgs {
    /// Output format [default: jsonl, or parquet if OUT ends with .parquet]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<Format>,

    /// Text to write: the whole document, or the visible text of a page
    #[arg(long, value_enum, value_name = "TEXT", default_value_t)]
    pub text: Shown,

    /// Write to this file, or for archives to this folder (which exists, or whose name ends with "/") [default: standard output]
    ///
    /// A folder gets one output per archive, and several archives are processed at once. A file gets the documents of
    /// all inputs, in order. Outputs appear only when they are complete.
    #[arg(short, long, value_name = "OUT", help_heading = "Output")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub shards: super::shards::ShardArgs,

    /// Compression of the output [default: by the name of a file; in a folder, none for JSON lines,
    /// for archives as before]
    #[arg(long, value_enum, value_name = "HOW", help_heading = "Output")]
    pub compress: Option<Compress>,

    /// The probability, from 0 to 1, below which the text of a document is doubtful
    ///
    /// It is still written, decoded by the best guess. JSON lines have "doubtful", and the summary counts it. Binary
    /// data labelled as text is doubtful, too.
    #[arg(long, value_name = "P", default_value_t = 0.9, value_parser = mojika_convert::args::hints::probability, allow_negative_numbers = true, help_heading = "Hints")]
    pub confidence: f32,

    /// Maximum length of a document in bytes, in the archive and after decompression; longer documents are skipped
    #[arg(long, value_name = "BYTES", default_value_t = 64 << 20, value_parser = mojika_convert::args::values::whole::<u64>, allow_negative_numbers = true, help_heading = "Run")]
    pub max_body: u64,

    #[command(flatten)]
    pub choose: super::choose::ChooseArgs,

    /// Follow symbolic links inside of folders
    #[arg(long, help_heading = "Run")]
    pub follow_links: bool,

    /// Print no summary on standard error
    #[arg(short, long, help_heading = "Messages")]
    pub quiet: bool,

    #[command(flatten)]
    pub hints: GuessArgs,

    #[command(flatten)]
    pub run: RunArgs,
}

/// Convert web archives (WARC) to UTF-8 text, with the source of each page's encoding
///
/// Reads .warc, .warc.gz and .warc.zst. Decodes the response and resource records that are text, including transfer and
/// content codings. The encoding is decided as in browsers: byte order mark, Content-Type, declaration in the document,
/// or else detection. Damage is reported with its offset; the rest of the archive is read.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXIT_STATUSES, after_long_help = format!("{EXAMPLES}\n\n{EXIT_STATUSES}"))]
pub struct WarcArgs {
    /// Archives, and folders of *.warc, *.warc.gz and *.warc.zst; "-" is standard input
    #[arg(value_name = "IN", required = true)]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub document: DocumentArgs,

    /// Read only the records at the offsets in these CDX lines, from the archives named here or found in folders
    ///
    /// The lines are CDXJ, or CDX with a first line that names the fields; "-" is standard input.
    #[arg(long, value_name = "LIST", help_heading = "Which documents")]
    pub cdx: Option<PathBuf>,

    #[command(flatten)]
    pub place: OutputArgs,
}

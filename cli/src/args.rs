//! The command line.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

const EXIT_STATUSES: &str = "\
Exit status:
  0    done
  1    malformed input, an unmappable character, or reading or writing failed
  2    unknown label, no encoder, wrong usage, or input of unknown encoding without --from
  141  the reader of standard output went away";

const CONVERT_EXAMPLES: &str = "\
Examples:
  mojika convert --from shift_jis page.html -o page.html
          convert a file onto itself; it is replaced once the conversion is complete
  mojika convert --from gbk --errors replace dump.csv | wc -m
          U+FFFD for what is malformed, and a line on standard error that counts it
  mojika convert --from utf-8 --to euc-kr --errors html page.html > page.kr.html
          &#…; for what EUC-KR lacks
  mojika convert --to utf-8 notes.txt
          notes.txt begins with a byte order mark, or is UTF-8
  mojika convert --from koi8-r --to utf-16le --bom *.txt -o all.txt
          several files, each decoded on its own, one after another";

/// Convert text between all encodings of the WHATWG Encoding Standard
///
/// Labels mean what they mean to Web browsers: "latin1" is windows-1252, "gb2312" is GBK, "shift_jis" has Windows'
/// extensions.
#[derive(Parser)]
#[command(name = "mojika", version, after_help = EXIT_STATUSES)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    Convert(ConvertArgs),
    Detect(crate::detect::DetectArgs),
    Encodings(EncodingsArgs),
}

/// Convert files, or standard input, from one encoding to another
///
/// Input is read and written in pieces, so files may be of any size. With several files, the output is one stream:
/// their texts in order.
#[derive(Args)]
#[command(after_help = EXIT_STATUSES, after_long_help = format!("{CONVERT_EXAMPLES}\n\n{EXIT_STATUSES}"))]
pub struct ConvertArgs {
    /// Encoding of the input [default: what its byte order mark says, else UTF-8]
    ///
    /// A byte order mark of UTF-8, UTF-16BE or UTF-16LE at the start of a file overrides this, as the Standard wants,
    /// and is not part of the output. Without a byte order mark and without this option, the input must be valid
    /// UTF-8, whatever --errors says.
    #[arg(short, long, value_name = "LABEL")]
    pub from: Option<String>,

    /// Encoding of the output
    #[arg(short, long, value_name = "LABEL", default_value = "utf-8")]
    pub to: String,

    /// What to do with malformed input and with characters that the output encoding lacks
    #[arg(short, long, value_enum, value_name = "MODE", default_value_t = ErrorMode::Fail)]
    pub errors: ErrorMode,

    /// Begin the output with a byte order mark: UTF-8, UTF-16LE and UTF-16BE only
    #[arg(long)]
    pub bom: bool,

    /// Write to this file instead of standard output
    ///
    /// The file is replaced, in one step, once the conversion is complete; until then, and after a failure, it stays
    /// as it was. So it may be one of the inputs. It keeps its permissions. What is not a regular file, such as a
    /// named pipe, is written to directly.
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,

    /// Do not count on standard error what --errors has replaced or dropped
    #[arg(short, long)]
    pub quiet: bool,

    /// Files to convert; "-" is standard input [default: standard input]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

impl ConvertArgs {
    /// The files to read, in order.
    pub fn inputs(&self) -> Vec<PathBuf> {
        if self.files.is_empty() {
            vec![PathBuf::from("-")]
        } else {
            self.files.clone()
        }
    }
}

/// What becomes of malformed sequences and of unmappable characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ErrorMode {
    /// Stop with an error; no output file is written
    Fail,
    /// Malformed input becomes U+FFFD, a character that the output encoding lacks (so may be U+FFFD) becomes "?"
    Replace,
    /// Malformed input becomes U+FFFD, a character that the output encoding lacks becomes &#…; with its number
    Html,
    /// Both are left out
    Skip,
}

/// List the encodings with their labels, or name the one that a label means
#[derive(Args)]
pub struct EncodingsArgs {
    /// List the names only
    #[arg(long, conflicts_with = "label")]
    pub names: bool,

    /// Print the name of the encoding that this label means
    #[arg(value_name = "LABEL")]
    pub label: Option<String>,
}

//! Options of `mojika convert`.

use super::EXIT_STATUSES;
#[cfg(unix)]
use super::files::{PlaceArgs, SelectArgs};
use super::hints::{ConfidenceArgs, HintArgs};
use super::shape::ShapeArgs;
use crate::decide::{FileContext, Question};
use crate::engine::{BomMode, Compress, ErrorMode, Shape};
use crate::report::Failure;
use clap::Args;
use mojika::Encoding;
use std::path::PathBuf;

const CONVERT_EXAMPLES: &str = "\
Examples:
  mojika convert --from shift_jis page.html -o page.html
          convert a file onto itself; it is replaced once the conversion is complete
  mojika convert --from gbk --errors replacement dump.csv | wc -m
          U+FFFD for what is malformed, and a line on standard error that counts it
  mojika convert --from utf-8 --to euc-kr --errors html page.html > page.kr.html
          &#…; for what EUC-KR lacks
  mojika convert --to utf-8 notes.txt
          notes.txt begins with a byte order mark, or is UTF-8
  mojika convert --from koi8-r --to utf-16le --bom=add *.txt -o all.txt
          several files, each decoded on its own, one after another
  mojika convert --from auto --transport 'text/html; charset=euc-jp' page.html
          the page decides: byte order mark, transport, meta, or else a guess
  mojika convert --from auto texts -o converted/
          all files of a folder, to a new folder, with a summary of what each kind was
  mojika convert --from windows-1251 --in-place --backup .orig texts
          every file replaced by its conversion, the old ones kept as *.orig";

/// Convert files, or standard input, from one encoding to another
///
/// Input is read and written in pieces, so files may be of any size. With several files, the output is one stream:
/// their texts in order. With a folder as source, with -o DIR (a folder that exists, or a name that ends with "/"), or
/// with --in-place, each file is converted on its own: docs/BULK.md says how.
#[derive(Args)]
#[command(after_help = EXIT_STATUSES, after_long_help = format!("{CONVERT_EXAMPLES}\n\n{EXIT_STATUSES}"))]
pub struct ConvertArgs {
    /// Encoding of the input [default: what its byte order mark says, else UTF-8]
    ///
    /// A byte order mark of UTF-8, UTF-16BE or UTF-16LE at the start of a file overrides this, as the Standard wants,
    /// and is not part of the output. Without a byte order mark and without this option, the input must be valid
    /// UTF-8, whatever --errors says.
    ///
    /// "auto" decides as `mojika detect` does: byte order mark, --transport, the file's declaration, detection. Files
    /// that are converted one by one, in folders or in place, are decided so without this option, too.
    #[arg(short, long, alias = "from-code", value_name = "LABEL")]
    pub from: Option<String>,

    /// Kind of the input
    ///
    /// Or the id of any context in docs/SNIFFING.md: event-stream, classic-script, xhr-document, …
    #[arg(
        long,
        value_parser = FileContext::parser(),
        default_value = "auto",
        help_heading = "Hints for detection"
    )]
    pub context: FileContext,

    #[command(flatten)]
    pub confidence: ConfidenceArgs,

    /// Encoding of the output
    ///
    /// A suffix is taken as in iconv: "LABEL//TRANSLIT" means --translit, "LABEL//IGNORE" means --errors skip.
    #[arg(
        short,
        long,
        alias = "to-code",
        value_name = "LABEL",
        default_value = "utf-8"
    )]
    pub to: String,

    /// Read "UTF-16", "UTF-16BE" and "UTF-16LE" in --from and --to as RFC 2781 does, not as the Standard
    ///
    /// UTF-16 is read by its signature (FE FF or FF FE), else as big-endian, and is written big-endian with a
    /// signature. In UTF-16BE and UTF-16LE U+FEFF at the start is text, the signature of the other order is malformed,
    /// and none is written. No other byte order mark counts.
    #[arg(long)]
    pub rfc2781: bool,

    /// Treatment of malformed input and of characters that the output encoding lacks
    #[arg(short, long, value_enum, value_name = "MODE", default_value_t = ErrorMode::Fatal)]
    pub errors: ErrorMode,

    /// Leave out malformed input and unmappable characters, as iconv's -c does: the same as
    /// --errors skip
    #[arg(short = 'c', conflicts_with = "errors")]
    pub omit: bool,

    #[command(flatten)]
    pub substitutes: super::substitutes::SubstituteArgs,

    /// Byte order mark at the start of the output [default: strip, but add for --to utf-16]
    ///
    /// Without a value: add. Only UTF-8, UTF-16LE and UTF-16BE have one.
    #[arg(long, value_enum, value_name = "MODE", num_args = 0..=1, default_missing_value = "add")]
    pub bom: Option<BomMode>,

    #[command(flatten)]
    pub text: ShapeArgs,

    /// Write to this file instead of standard output, which is "-"
    ///
    /// The file is replaced, in one step, once the conversion is complete; until then, and after a
    /// failure, it stays as it was. So it may be one of the inputs. It keeps its permissions. A
    /// named pipe or a device is written to directly.
    ///
    /// A folder, or a name that ends with "/", takes one output file for each input file.
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,

    /// Compression of the output [default: by the name of the output file; each file of a folder as its input]
    ///
    /// Compressed input is recognised by its first bytes. In an output folder, names follow: "a.txt.gz" becomes
    /// "a.txt" with none, "a.txt.zst" with zst.
    #[arg(long, value_enum, value_name = "HOW")]
    pub compress: Option<Compress>,

    /// Convert line by line: UTF-8 if a line is valid, else from --from, or from the detected
    /// encoding of the other lines
    ///
    /// For logs, mailboxes and files that were joined from several encodings. Each change of the encoding is in the
    /// report, with offset and line. Without this option, such a text is doubtful.
    #[arg(long, conflicts_with = "rfc2781")]
    pub mixed: bool,

    /// Convert messages and mailboxes part by part: the text of each from its charset to UTF-8, its header made true
    ///
    /// Text in quoted-printable and base64 becomes text of 8 bits if no line can be mistaken. Signed or encrypted
    /// parts, binary parts, parts that do not decode, and all other bytes stay as they are. A part without a charset is
    /// in --from, or in its detected encoding. Without this option, mail is left out.
    #[cfg_attr(feature = "mail", arg(long, conflicts_with = "rfc2781"))]
    #[cfg_attr(not(feature = "mail"), arg(skip))]
    pub mail: bool,

    /// With --mail, convert fields of headers, too: encoded words, parameters that say their charset, and bytes beyond ASCII
    #[cfg_attr(feature = "mail", arg(long, requires = "mail"))]
    #[cfg_attr(not(feature = "mail"), arg(skip))]
    pub headers: bool,

    /// Undo lines of UTF-8 that were encoded twice: UTF-8 that was read in another encoding and written as UTF-8 again
    ///
    /// A line stays as it is where that is not sure, and so does all text that is in another encoding than UTF-8. Offsets
    /// of errors are those in the undone text. `mojika check` says which files have such lines.
    #[arg(long, conflicts_with_all = ["mixed", "rfc2781"])]
    pub repair: bool,

    /// Change the encoding that a file declares to --to, and nothing else in it
    ///
    /// Meta and XML declarations, @charset, headers of gettext, coding cookies of Python and Ruby, variables of Emacs,
    /// modelines of Vim, LaTeX's inputenc. Desktop entries, code pages of resource files and installers, and the first
    /// line of exported registries, too. Those in the first megabyte of a file count, and in its last lines.
    #[arg(long)]
    pub update_declared: bool,

    /// Keep the text that precedes damage in compressed input; the file counts as failed all the same
    #[arg(long)]
    pub salvage: bool,

    /// Do not count on standard error what --errors has replaced or dropped
    #[arg(short, long, short_alias = 's', alias = "silent")]
    pub quiet: bool,

    /// Files and folders to convert; "-" is standard input [default: standard input]
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub hints: HintArgs,

    #[cfg(unix)]
    #[command(flatten)]
    pub place: PlaceArgs,

    #[cfg(unix)]
    #[command(flatten)]
    pub select: SelectArgs,
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

    /// Returns the changes of the text.
    pub fn shape(&self) -> Shape {
        self.text.shape()
    }

    /// Refuses options that do not go with --mail.
    ///
    /// # Errors
    ///
    /// Fails if the output is not UTF-8.
    pub fn check_mail(&self, to: &'static Encoding) -> Result<(), Failure> {
        if self.mail && to != mojika::UTF_8 {
            return Err(Failure::usage("--mail writes UTF-8: leave --to out"));
        }
        Ok(())
    }

    /// True if the encoding of each input is decided as `mojika detect` does.
    pub fn is_auto(&self) -> bool {
        self.from.as_deref() == Some("auto")
    }

    /// Returns the question for the encoding of an input; `is_auto` is true if it is asked without
    /// --from.
    ///
    /// # Errors
    ///
    /// Fails if a label is unknown, and refuses hints that nothing would use.
    pub fn question(&self, is_auto: bool) -> Result<Question, Failure> {
        #[cfg(unix)]
        let is_text = self.select.text;
        #[cfg(not(unix))]
        let is_text = false;
        // For a given encoding, --context chooses the declarations to update, and is no hint.
        let context = match !is_auto && self.update_declared {
            true => FileContext::Auto,
            false => self.context,
        };
        let question = self
            .confidence
            .question(&self.hints, context, is_text, is_auto)?;
        Ok(Question {
            context: self.context,
            ..question
        })
    }
}

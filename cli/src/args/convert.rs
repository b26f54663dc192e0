//! Options of `mojika convert`.

use super::EXIT_STATUSES;
use super::files::{PlaceArgs, SelectArgs};
use super::hints::DecisionArgs;
use super::text::TextArgs;
use clap::Args;
use mojika::Encoding;
use mojika_convert::decide::{FileContext, Question};
use mojika_convert::engine::{BomMode, Compress, ErrorMode, Shape};
use mojika_convert::repair::Treatment;
use mojika_convert::report::Failure;
use std::path::PathBuf;

const CONVERT_EXAMPLES: &str = "\
Examples:
  mojika convert --from shift_jis page.html -o page.html
          a file replaced by its conversion
  mojika convert --from gbk --errors replacement dump.csv | wc -m
          U+FFFD for malformed input, which is counted
  mojika convert --from utf-8 --to latin1 --translit=ascii --errors html a.txt > b.txt
          characters that latin1 lacks become ASCII or &#…;
  mojika convert --from koi8-r --to utf-16le --bom=add --newline crlf *.txt -o all.txt
          several files, one after another
  mojika convert --from auto --extended --doubtful list texts -o converted/
          all files of a folder; the doubtful ones are listed
  mojika convert --files-from list --base texts --from cp850 -o converted/
          the listed files, in a known encoding
  mojika convert --from windows-1251 --in-place --backup .orig --include '*.csv' texts
          files replaced; the old ones are kept
  mojika convert --from latin1 --bom ignore a.txt
          a file with a wrong byte order mark
  mojika convert --mixed app.log -o app.utf-8.log
          lines and parts in several encodings";

/// Convert files, or standard input, from one encoding to another
///
/// Several files become one stream. In folders (as source, or as -o DIR/) and with --in-place, each file is converted on
/// its own (docs/BULK.md).
#[derive(Args)]
#[command(mut_arg("force", |force| force.help("Replace existing files in the output folder; in place, start again after an unfinished run")))]
#[command(after_help = EXIT_STATUSES, after_long_help = format!("{CONVERT_EXAMPLES}\n\n{EXIT_STATUSES}"))]
pub struct ConvertArgs {
    /// Encoding of the input [default: its byte order mark, else UTF-8; in folders and in place: auto]
    ///
    /// A byte order mark of UTF-8 or UTF-16 overrides this, unless --bom is "ignore". "auto" decides as `mojika detect` does.
    #[arg(short, long, alias = "from-code", value_name = "LABEL")]
    pub from: Option<String>,

    /// Encoding of the output; the suffixes //TRANSLIT and //IGNORE work as in iconv
    #[arg(
        short,
        long,
        alias = "to-code",
        value_name = "LABEL",
        default_value = "utf-8"
    )]
    pub to: String,

    /// Read "UTF-16", "UTF-16BE" and "UTF-16LE" by RFC 2781: only "UTF-16" has signatures; its default is big-endian
    #[arg(long)]
    pub rfc2781: bool,

    /// Treatment of malformed input and of characters that the output encoding lacks
    #[arg(short, long, value_enum, value_name = "MODE", default_value_t = ErrorMode::Fatal)]
    pub errors: ErrorMode,

    /// Leave out malformed input and unmappable characters, as iconv's -c does: the same as
    /// --errors skip
    #[arg(short = 'c', conflicts_with = "errors", hide = true)]
    pub omit: bool,

    /// Byte order marks [default: strip, but add for --to utf-16; without a value: add]
    #[arg(long, value_enum, value_name = "MODE", num_args = 0..=1, default_missing_value = "add")]
    pub bom: Option<BomMode>,

    #[command(flatten)]
    pub text: TextArgs,

    /// Write to this file instead of standard output, or to a folder: a name that ends with "/"
    ///
    /// The file is replaced once the conversion is complete, so it may be one of the inputs.
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,

    /// Compression of the output [default: by its name; in folders, that of the input]
    #[arg(long, value_enum, value_name = "HOW")]
    pub compress: Option<Compress>,

    /// Convert parts in UTF-16 and lines in UTF-8 as such, and other lines from --from or the detected encoding
    ///
    /// For logs and joined files. The report lists each change of the encoding with its position.
    #[arg(long, conflicts_with = "rfc2781")]
    pub mixed: bool,

    /// Convert messages and mailboxes part by part, each from its charset to UTF-8 [without a value: text]
    ///
    /// Signed, encrypted and binary parts stay as they are.
    #[cfg_attr(
        feature = "mail",
        arg(
            long,
            value_enum,
            value_name = "WHAT",
            num_args = 0..=1,
            require_equals = true,
            default_missing_value = "text",
            conflicts_with = "rfc2781"
        )
    )]
    #[cfg_attr(not(feature = "mail"), arg(skip))]
    pub mail: Option<MailPart>,

    /// Repair lines that were encoded twice, such as "Ã©" for "é"; uncertain lines stay unchanged
    #[arg(long, conflicts_with_all = ["mixed", "rfc2781"])]
    pub repair: bool,

    /// Make a file declare the encoding of --to: meta, XML, @charset, gettext, cookies, modelines, \inputenc and others
    #[arg(long)]
    pub update_declared: bool,

    /// Keep the text before damage in compressed input; the file counts as failed
    #[arg(long)]
    pub salvage: bool,

    /// Do not report the replaced and dropped characters on standard error
    #[arg(short, long, short_alias = 's', alias = "silent")]
    pub quiet: bool,

    /// Files and folders to convert; "-" is standard input [default: standard input]
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub decision: DecisionArgs,

    #[command(flatten)]
    pub place: PlaceArgs,

    #[command(flatten)]
    pub select: SelectArgs,
}

/// The part of mail that is converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum MailPart {
    /// The text
    Text,
    /// Headers, too: encoded words, parameters, and bytes beyond ASCII
    Headers,
}

impl ConvertArgs {
    /// Returns the treatment of lines that were encoded twice.
    pub fn treatment(&self) -> Treatment {
        match self.repair {
            true => Treatment::Undo,
            false => Treatment::Look,
        }
    }

    /// Returns the files to read, in order.
    pub fn inputs(&self) -> Vec<PathBuf> {
        if self.files.is_empty() {
            vec![PathBuf::from("-")]
        } else {
            self.files.clone()
        }
    }

    /// Returns the changes of the text.
    pub fn shape(&self) -> Shape {
        self.text.shape(self.bom)
    }

    /// Refuses options that conflict with --mail.
    ///
    /// # Errors
    ///
    /// Fails if the output is not UTF-8.
    pub fn check_mail(&self, to: &'static Encoding) -> Result<(), Failure> {
        if self.mail.is_some() && to != mojika::UTF_8 {
            return Err(Failure::usage("--mail writes UTF-8: leave --to out"));
        }
        Ok(())
    }

    /// True if the encoding of each input is detected.
    pub fn is_auto(&self) -> bool {
        self.from.as_deref() == Some("auto")
    }

    /// Returns the options for deciding the encoding of an input; `is_auto` is true if it is detected without --from.
    ///
    /// # Errors
    ///
    /// Fails if a label is unknown, or if a hint would have no effect.
    pub fn question(&self, is_auto: bool) -> Result<Question, Failure> {
        // With a given encoding, --context selects the declarations to update, and is not a hint.
        let context = match !is_auto && self.update_declared {
            true => FileContext::Auto,
            false => self.decision.context,
        };
        self.decision.question(context, is_auto)
    }
}

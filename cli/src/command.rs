//! The command line: the subcommands, each with its arguments.

#[cfg(feature = "completions")]
use crate::args::CompletionsArgs;
use crate::args::convert::ConvertArgs;
use crate::args::{EXIT_STATUSES, EncodingsArgs};
use crate::detect::DetectArgs;
use clap::{Parser, Subcommand};

const EXAMPLES: &str = "\
Examples:
  mojika detect letters
          the encoding of each file of a folder, and the reason
  mojika convert --from auto letters -o converted/
          all of them in UTF-8, in a new folder; doubtful files are listed instead
  mojika -f shift_jis -t utf-8 page.html > page.utf-8.html
          without a subcommand, options are those of `mojika convert`, as with iconv

Garbled text (mojibake):
  Ã© or РџСЂ in place of é or Пр: the text was encoded twice; mojika check finds it, mojika convert --repair undoes it
  � or wrong letters in some lines, UTF-8 and others in one file: mojika convert --mixed
  ? or � in every line of a file: the characters are lost; convert the original again, with the right --from
  wrong letters in all of a file: mojika detect --compare A,B FILE shows two readings side by side
  garbled names of files, in folders and ZIP archives: mojika names";

/// Convert text between all encodings of the WHATWG Encoding Standard, and others
///
/// Labels have their meaning in Web browsers: "latin1" is windows-1252, "gb2312" is GBK,
/// "shift_jis" has Windows' extensions.
#[derive(Parser)]
#[command(name = "mojika", version, after_help = EXIT_STATUSES, after_long_help = format!("{EXAMPLES}\n\n{EXIT_STATUSES}"))]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    Convert(ConvertArgs),
    Detect(DetectArgs),
    Show(crate::args::show::ShowArgs),
    /// Check that files are valid text, without writing anything
    Check(crate::args::check::CheckArgs),
    #[cfg(feature = "completions")]
    Completions(CompletionsArgs),
    Names(mojika_names::args::NamesArgs),
    Undo(mojika_names::undo::args::UndoArgs),
    #[cfg(feature = "edit")]
    Get(mojika_edit::files::args::GetArgs),
    #[cfg(feature = "edit")]
    Put(mojika_edit::files::args::PutArgs),
    #[cfg(feature = "edit")]
    Edit(mojika_edit::files::args::EditArgs),
    Encodings(EncodingsArgs),
    #[cfg(feature = "warc")]
    Warc(mojika_warc::args::WarcArgs),
    #[cfg(feature = "warc")]
    Pages(mojika_warc::pages::PagesArgs),
}

impl Command {
    /// Treats `-o -` as standard output, and `--json` as a report on standard output.
    pub fn name_standard_output(&mut self) {
        let output = match self {
            Self::Check(args) if args.json => {
                args.select.run.report = Some("-".into());
                return;
            }
            Self::Convert(args) => &mut args.output,
            #[cfg(feature = "warc")]
            Self::Warc(args) => &mut args.document.output,
            #[cfg(feature = "warc")]
            Self::Pages(args) => &mut args.document.output,
            _ => return,
        };
        output.take_if(|output| output.as_os_str() == "-");
    }
}

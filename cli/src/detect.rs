//! `mojika detect`: the encoding of each file, with the reason.
//!
//! Files are examined as by `mojika convert --from auto`, with [`mojika_convert::decide`].

mod compare;
mod show;

use crate::args::hints::HintArgs;
use crate::source::{self, HEAD};
use clap::Args;
use mojika::Encoding;
use mojika_convert::decide::{Decided, Doubt, FileContext, Outcome, Question};
use mojika_convert::engine::{self, Format};
use mojika_convert::job::tree;
use mojika_convert::labels;
use mojika_convert::output::Output;
use mojika_convert::repair;
use mojika_convert::report::{self, Failure};
use mojika_sniff::detect::Content;
use mojika_sniff::judge::{self, Judgement};
use mojika_sniff::{Confidence, Source, xml};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

const EXIT_STATUSES: &str = "\
Exit status:
  0    done
  1    a file cannot be read, or an XML file contradicts itself; the others are listed anyway
  2    nothing was detected: wrong usage, an unknown label
  141  the reader of standard output closed it";

const EXAMPLES: &str = "\
Examples:
  mojika detect letters
          a line for each file of a folder
  curl -s https://example.org/ | mojika detect -b
          the name alone, for scripts
  mojika detect --json --tld pl notes.txt
          an object with the probability, for scripts; with a hint
  mojika detect --compare koi8-r,windows-1251 letter.txt
          the lines that differ between the two encodings";

/// Detect the encodings of files, with the reasons
///
/// Sources, in this order: byte order mark, --transport, the document's declaration, --environment, detection,
/// --locale, UTF-8. Files that are not text are "binary", and text in an unknown encoding is "unknown".
#[derive(Args)]
#[command(after_help = EXIT_STATUSES, after_long_help = format!("{EXAMPLES}\n\n{EXIT_STATUSES}"))]
pub struct DetectArgs {
    /// Print a JSON object per file and line instead of a table
    #[arg(long)]
    json: bool,

    /// Print only the encoding of each file
    #[arg(short, long, conflicts_with_all = ["json", "verbose"])]
    brief: bool,

    /// Kind of the files
    ///
    /// Or the id of any context in docs/SNIFFING.md: event-stream, classic-script, xhr-document, …
    #[arg(long, value_parser = FileContext::parser(), default_value = "auto")]
    context: FileContext,

    /// Encoding of the document that refers to the files
    #[arg(long, value_name = "LABEL")]
    environment: Option<String>,

    /// Show the three best guesses of detection for each file, and the text behind them
    ///
    /// The guesses are shown even if another source decided.
    #[arg(short, long)]
    verbose: bool,

    /// Show the lines that two encodings decode differently, side by side
    #[arg(long, value_name = "A,B", value_delimiter = ',', conflicts_with_all = ["json", "brief", "verbose"])]
    compare: Vec<String>,

    /// Files and folders; "-" is standard input [default: standard input]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    hints: HintArgs,

    #[command(flatten)]
    list: crate::args::run::ListArgs,
}

/// The result for one file.
#[derive(Default)]
struct Finding {
    encoding: Option<&'static Encoding>,
    source: Option<Source>,
    confidence: Option<Confidence>,
    bom_length: usize,
    error: Option<String>,
    /// The compression of the file.
    format: Option<Format>,
    /// The kind of a binary file.
    binary: Option<&'static str>,
    judgement: Option<Judgement>,
    /// The reason why the user has to choose.
    doubt: Option<String>,
    /// True if the probability belongs to a guess.
    is_unsure: bool,
    /// The lines that were encoded twice, in words.
    twice: Option<String>,
}

impl Finding {
    fn of(decided: &Decided) -> Self {
        let judgement = decided.judgement;
        let decision = judgement.map(|judgement| judgement.decision);
        let (mut binary, mut doubt) = (None, None);
        match &decided.outcome {
            Outcome::Contradiction(error, doubt) => {
                return Self::of_error(error, doubt);
            }
            Outcome::Binary(what) => binary = Some(*what),
            Outcome::Doubtful(one) => doubt = Some(one),
            Outcome::Sure => {}
        }
        let place = doubt.and_then(|doubt| doubt.place);
        let is_guess = decision.is_none_or(|decision| decision.source == Source::Detection);
        // If no encoding fits, the default encoding is not reported unless a standard names it.
        let is_unknown = judgement.is_some_and(|judgement| {
            judgement.probability == Some(0.0)
                && judgement.decision.confidence == Confidence::Tentative
        });
        let decision = decision.filter(|_| binary.is_none() && !is_unknown);
        Self {
            encoding: decision.map(|decision| decision.encoding),
            source: decision.map(|decision| decision.source),
            confidence: decision.map(|decision| decision.confidence),
            bom_length: decision.map_or(0, |decision| decision.bom_length),
            binary,
            judgement,
            doubt: doubt.map(ToString::to_string),
            is_unsure: place.is_none() && is_guess,
            ..Self::default()
        }
    }

    fn of_error(error: &xml::XmlError, doubt: &Doubt) -> Self {
        let guess = doubt.candidates.first().map(|one| one.encoding);
        Self {
            encoding: guess.or(error.fallback),
            source: Some(match guess {
                _ if error.bom_length > 0 => Source::Bom,
                Some(_) => Source::Detection,
                None => Source::XmlFamily,
            }),
            bom_length: error.bom_length,
            error: Some(doubt.to_string()),
            doubt: Some(doubt.to_string()),
            ..Self::default()
        }
    }

    /// Returns the word for the certainty of a decision.
    fn certainty(&self) -> Option<&'static str> {
        match self.doubt {
            Some(_) => Some("doubtful"),
            None => self.confidence.map(Confidence::as_str),
        }
    }

    /// Returns the encoding's name, or the word for a file without an encoding.
    fn name(&self) -> &'static str {
        match (self.encoding, self.binary) {
            (Some(encoding), _) => encoding.name(),
            (None, Some(_)) => "binary",
            (None, None) if self.error.is_some() => "?",
            (None, None) => match self.judgement.map(|judgement| judgement.ranking.content()) {
                Some(Content::Binary) if self.doubt.is_none() => "binary",
                Some(Content::Unsupported(name)) => name,
                _ => "unknown",
            },
        }
    }
}

/// Runs `mojika detect`. Returns true if all files were decided.
///
/// # Errors
///
/// Fails if the options conflict, or the output cannot be written.
pub fn detect(args: &DetectArgs) -> Result<bool, Failure> {
    let environment = args.environment.as_deref().map(labels::find).transpose()?;
    let compared = compare::encodings(&args.compare)?;
    let question = Question {
        context: args.context,
        environment,
        confidence: judge::CONFIDENCE,
        ..args.hints.question()?
    };
    let files = files(args)?;
    let mut output = BufWriter::new(Output::open(None)?);
    let mut all = true;
    let write = |output: &mut BufWriter<Output>| -> io::Result<()> {
        if !args.json && !args.brief && compared.is_none() {
            writeln!(output, "{}", show::HEAD)?;
        }
        for file in files {
            let (path, opened) = file;
            let name = mojika_convert::quote::quote(&path);
            if let Some(compared) = compared {
                let lines = opened.and_then(|()| compare::lines(&path, compared));
                match lines {
                    Ok(lines) => writeln!(output, "{name}\n{lines}")?,
                    Err(error) => {
                        all = false;
                        report::say(&format!("{name}: cannot read: {error}"));
                    }
                }
                continue;
            }
            let finding = opened
                .and_then(|()| examine(&path, &question, args.verbose))
                .unwrap_or_else(|error| Finding {
                    error: Some(format!("cannot read: {error}")),
                    ..Finding::default()
                });
            all &= finding.error.is_none();
            if args.json {
                writeln!(output, "{}", show::json(&path, &finding, args.verbose))?;
                continue;
            }
            if args.brief {
                writeln!(output, "{}", finding.name())?;
            } else {
                writeln!(output, "{}", show::row(&name, &finding))?;
            }
            if args.verbose
                && let Some(judgement) = &finding.judgement
            {
                for line in show::guesses(judgement) {
                    writeln!(output, "  {line}")?;
                }
                if let Some(twice) = &finding.twice {
                    writeln!(output, "  {twice}")?;
                }
            }
            if let Some(doubt) = finding.doubt.as_ref().filter(|_| !finding.is_unsure) {
                report::say(&format!("{name}: doubtful: {doubt}"));
            } else if let Some(error) = &finding.error {
                report::say(&format!("{name}: {error}"));
            }
        }
        output.flush()
    };
    let written = write(&mut output);
    written.map_err(|error| Failure::write(output.get_ref().name(), error))?;
    Ok(all)
}

/// A path, or the reason why it cannot be read.
type Item = (PathBuf, io::Result<()>);

/// Returns the files that the user named, and those in the folders that the user named.
fn files(args: &DetectArgs) -> Result<impl Iterator<Item = Item>, Failure> {
    let named = match args.list.files_from {
        None if args.files.is_empty() => vec![PathBuf::from("-")],
        _ => args.files.clone(),
    };
    let is_input = |path: &PathBuf| path.as_os_str() == "-";
    if args.list.files_from.as_ref().is_some_and(is_input) && named.iter().any(is_input) {
        return Err(Failure::usage(
            "standard input is the list of names, so it cannot be a file, too; leave out one -",
        ));
    }
    let names = named.into_iter().chain(args.list.names()?);
    Ok(tree::files(names, false).map(|found| match found {
        Ok(file) => (file.path, Ok(())),
        Err(error) => (error.path, Err(error.error)),
    }))
}

/// Decides on a file. The lines that were encoded twice are counted if `counts` is true.
fn examine(path: &Path, question: &Question, counts: bool) -> io::Result<Finding> {
    /// The maximum number of bytes that are searched for other encodings.
    const MAX_SEARCHED: u64 = 16 << 20;
    let (format, mut reader) = source::open(path)?;
    let text_path = engine::renamed(path.to_owned(), format, None);
    let mut head = Vec::new();
    (&mut reader).take(HEAD as u64).read_to_end(&mut head)?;
    let is_long = head.len() == HEAD && path.is_file();
    let mut decided = question.of_reader(Some(&text_path), &head, &mut reader)?;
    if is_long {
        let text = source::open(path)?.1.take(MAX_SEARCHED);
        let doubt = match decided.decision() {
            // A conversion finds parts in UTF-16 while it reads the text; here, they are searched for.
            Some(decision) if decision.encoding == mojika::UTF_8 => question.doubt_parts(text)?,
            _ => question.doubt_lines(&decided, text)?,
        };
        if let Some(doubt) = doubt {
            decided.outcome = Outcome::Doubtful(Box::new(doubt));
        }
    }
    let mut twice = None;
    let decision = decided.decision();
    if counts && decision.is_some_and(|decision| decision.encoding == mojika::UTF_8) {
        // Standard input cannot be read again.
        let text: Box<dyn Read + Send> = match is_long {
            true => Box::new(source::open(path)?.1.take(MAX_SEARCHED)),
            false => Box::new(&*head),
        };
        let found = repair::count(text)?;
        twice = report::repaired(&found, false);
    }
    Ok(Finding {
        format,
        twice,
        ..Finding::of(&decided)
    })
}

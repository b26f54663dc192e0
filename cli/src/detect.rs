//! `mojika detect`: which encoding each file is in, and why.
//!
//! Of each file no more is read than the standards name: 4 KB, or a sample of 64 KB where the encoding has to be
//! guessed.

use crate::labels;
use crate::output::Output;
use crate::report::{self, Failure};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use mojika::sniff::detect::{self, Content, DetectHints, Detector, Ranking};
use mojika::sniff::{Confidence, Context, Decision, Hints, Source, contexts, sniff, xml};
use mojika::{Encoding, sniff};
use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

const EXIT_STATUSES: &str = "\
Exit status:
  0    done
  1    a file cannot be read, or an XML file contradicts itself; the others are listed all the same
  2    nothing was detected: wrong usage, an unknown --environment
  141  the reader of standard output went away";

/// Say which encoding files are in, and why
///
/// In this order: byte order mark, --transport, what the document says, --environment, detection, --locale, UTF-8.
#[derive(Args)]
#[command(after_help = EXIT_STATUSES)]
pub struct DetectArgs {
    /// Print a JSON object per file and line instead of a table
    #[arg(long)]
    json: bool,

    /// What the files are
    ///
    /// Or the id of any context in docs/SNIFFING.md: event-stream, classic-script, xhr-document, …
    #[arg(long, value_parser = FileContext::parser_of_all(), default_value = "auto")]
    context: FileContext,

    /// A label or a Content-Type with which the files came; unknown labels are ignored
    #[arg(long, value_name = "LABEL-OR-CONTENT-TYPE")]
    transport: Option<String>,

    /// Encoding of the document that refers to the files
    #[arg(long, value_name = "LABEL")]
    environment: Option<String>,

    /// Top-level domain from which the files came
    #[arg(long)]
    tld: Option<String>,

    /// Locale of the reader
    #[arg(long, value_name = "BCP47")]
    locale: Option<String>,

    /// Show the three best guesses of detection for each file, and what they rest on
    ///
    /// Also where something else decided: detection then has read the bytes that the decision took.
    #[arg(short, long)]
    verbose: bool,

    /// Files; "-" is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

/// What files are read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileContext {
    /// By the file's extension, else by an XML declaration.
    Auto,
    /// This.
    Of(Context),
}

/// The contexts of files, by the words of `--context`.
const FILE_CONTEXTS: [(&str, FileContext, &str); 5] = [
    (
        "auto",
        FileContext::Auto,
        "By the file's extension, else by an XML declaration",
    ),
    ("html", FileContext::Of(Context::HtmlParser), "Pages"),
    (
        "xml",
        FileContext::Of(Context::XmlParser),
        "XML documents: conflicts are errors",
    ),
    (
        "css",
        FileContext::Of(Context::CssFromDocument),
        "Style sheets",
    ),
    ("text", FileContext::Of(Context::PlainText), "Text"),
];

impl FileContext {
    /// Parses the words of `--context`.
    pub fn parser() -> impl TypedValueParser<Value = FileContext> {
        let values = FILE_CONTEXTS.map(|(word, _, help)| PossibleValue::new(word).help(help));
        PossibleValuesParser::new(values).map(|word| Self::of_word(&word))
    }

    /// The same, with the other contexts of the library's table by their ids.
    fn parser_of_all() -> impl TypedValueParser<Value = FileContext> {
        let values = FILE_CONTEXTS.map(|(word, _, help)| PossibleValue::new(word).help(help));
        let others = contexts::TABLE
            .iter()
            .map(|row| PossibleValue::new(row.id).hide(true));
        PossibleValuesParser::new(values.into_iter().chain(others)).map(|word| Self::of_word(&word))
    }

    fn of_word(word: &str) -> Self {
        let named = FILE_CONTEXTS.iter().find(|(name, ..)| *name == word);
        named.map_or_else(
            || Context::for_id(word).map_or(FileContext::Auto, FileContext::Of),
            |&(_, context, _)| context,
        )
    }

    /// The library's context for a file that starts with `head`.
    pub fn resolve(self, path: &Path, head: &[u8]) -> Context {
        match self {
            FileContext::Auto => by_extension(path).unwrap_or(if xml::has_declaration(head) {
                Context::XmlParser
            } else {
                Context::PlainText
            }),
            FileContext::Of(context) => context,
        }
    }
}

fn by_extension(path: &Path) -> Option<Context> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    Some(match &*extension {
        "html" | "htm" | "shtml" | "php" | "asp" | "aspx" | "jsp" => Context::HtmlParser,
        "xml" | "xhtml" | "xht" | "svg" | "rss" | "atom" | "rdf" | "xsl" | "xslt" | "xsd"
        | "opml" | "kml" | "gpx" | "wsdl" | "ent" | "dtd" => Context::XmlParser,
        "css" => Context::CssFromDocument,
        "txt" | "text" | "csv" | "tsv" | "log" | "md" => Context::PlainText,
        _ => return None,
    })
}

/// What is known of one file.
struct Finding {
    encoding: Option<&'static Encoding>,
    source: Option<Source>,
    confidence: Option<Confidence>,
    bom_length: usize,
    error: Option<String>,
    /// What detection makes of the bytes, if that is to be shown.
    ranking: Option<Ranking>,
}

impl From<Decision> for Finding {
    fn from(decision: Decision) -> Self {
        Self {
            encoding: Some(decision.encoding),
            source: Some(decision.source),
            confidence: Some(decision.confidence),
            bom_length: decision.bom_length,
            error: None,
            ranking: None,
        }
    }
}

/// `mojika detect`. True if all files were decided.
pub fn detect(args: &DetectArgs) -> Result<bool, Failure> {
    let environment = args.environment.as_deref().map(labels::find).transpose()?;
    let mut output = BufWriter::new(Output::open(None)?);
    let write_error =
        |output: &BufWriter<Output>, error| Failure::write(output.get_ref().name(), error);
    if !args.json {
        writeln!(
            output,
            "{:<14} {:<15} {:<10} file",
            "encoding", "source", "confidence"
        )
        .map_err(|error| write_error(&output, error))?;
    }
    let mut all = true;
    for path in &args.files {
        let finding = examine(path, args, environment);
        all &= finding.error.is_none();
        let name = crate::quote(path);
        let line = if args.json {
            json(&path.to_string_lossy(), &finding)
        } else {
            table_row(&name, &finding)
        };
        writeln!(output, "{line}").map_err(|error| write_error(&output, error))?;
        if !args.json
            && let Some(ranking) = &finding.ranking
        {
            for line in guesses(ranking) {
                writeln!(output, "  {line}").map_err(|error| write_error(&output, error))?;
            }
        }
        if !args.json
            && let Some(error) = &finding.error
        {
            report::say(&format!("{name}: {error}"));
        }
    }
    output
        .flush()
        .map_err(|error| write_error(&output, error))?;
    Ok(all)
}

fn examine(path: &Path, args: &DetectArgs, environment: Option<&'static Encoding>) -> Finding {
    let read = if path.as_os_str() == "-" {
        decide(&mut io::stdin().lock(), path, args, environment)
    } else {
        File::open(path).and_then(|mut file| decide(&mut file, path, args, environment))
    };
    read.unwrap_or_else(|error| Finding {
        encoding: None,
        source: None,
        confidence: None,
        bom_length: 0,
        error: Some(format!("cannot read: {error}")),
        ranking: None,
    })
}

fn decide(
    reader: &mut dyn Read,
    path: &Path,
    args: &DetectArgs,
    environment: Option<&'static Encoding>,
) -> io::Result<Finding> {
    let hints = Hints {
        transport: args.transport.as_deref().map(str::as_bytes),
        implied_environment: environment,
        locale: args.locale.as_deref(),
        tld: args.tld.as_deref(),
        ..Hints::default()
    };
    let mut head = Vec::new();
    let decision = decide_from_head(reader, &mut head, path, args.context, hints)?;
    let mut finding = match decision {
        Ok(decision) => decision.into(),
        Err(error) => of_error(&error),
    };
    let is_undecided = matches!(finding.source, Some(Source::Locale | Source::Default));
    let detect_hints = DetectHints {
        tld: hints.tld,
        locale: hints.locale,
        ..DetectHints::default()
    };
    // A head with NUL is no ASCII text, and a file of any size may be nothing else.
    if is_undecided && head.len() == detect::SAMPLE_LENGTH && !head.contains(&0) {
        // Nothing in the head tells: what does may stand far behind it.
        let ranking = detect_whole(&mut head.as_slice().chain(reader), &detect_hints)?;
        if let Some(guess) = ranking.first() {
            finding.encoding = Some(guess.encoding);
            finding.source = Some(Source::Detection);
        }
        finding.ranking = args.verbose.then_some(ranking);
    } else if args.verbose {
        finding.ranking = Some(detect::detect(&head, &detect_hints));
    }
    Ok(finding)
}

/// Detects the encoding of a stream, and reads only until the answer is decided.
pub fn detect_whole(reader: &mut dyn Read, hints: &DetectHints<'_>) -> io::Result<Ranking> {
    /// ASCII is read at the speed at which it is copied from the system's cache: larger pieces, which have pages of their
    /// own, took a fifth longer.
    const PIECE: usize = 64 << 10;
    let mut detector = Detector::new();
    let mut piece = vec![0; PIECE];
    while !detector.is_decided() {
        match reader.read(&mut piece) {
            Ok(0) => break,
            Ok(length) => detector.feed(&piece[..length]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(detector.finish(hints))
}

/// Reads into `head` as much as the decision needs: a declaration first, and a sample only if nothing is declared.
///
/// The context of `hints` is that of the file.
pub fn decide_from_head(
    reader: &mut dyn Read,
    head: &mut Vec<u8>,
    path: &Path,
    context: FileContext,
    hints: Hints<'_>,
) -> io::Result<Result<Decision, xml::XmlError>> {
    read_up_to(reader, head, xml::HEAD_LENGTH)?;
    let mut hints = Hints {
        context: context.resolve(path, head),
        detect: false,
        ..hints
    };
    let mut decision = sniff(head, &hints);
    if let Ok(Decision {
        source: Source::Locale | Source::Default,
        ..
    }) = decision
    {
        // Only a guess is left.
        hints.detect = true;
        read_up_to(reader, head, hints.head_length())?;
        decision = sniff(head, &hints);
    }
    Ok(decision)
}

fn of_error(error: &sniff::xml::XmlError) -> Finding {
    Finding {
        encoding: error.fallback,
        source: Some(if error.bom_length > 0 {
            Source::Bom
        } else {
            Source::XmlFamily
        }),
        confidence: Some(Confidence::Certain),
        bom_length: error.bom_length,
        error: Some(error.to_string()),
        ranking: None,
    }
}

fn read_up_to(reader: &mut dyn Read, head: &mut Vec<u8>, length: usize) -> io::Result<()> {
    let missing = length.saturating_sub(head.len());
    reader.take(missing as u64).read_to_end(head).map(drop)
}

fn json(name: &str, finding: &Finding) -> String {
    let string = |value: Option<&str>| serde_json::Value::from(value).to_string();
    let guesses = finding
        .ranking
        .as_ref()
        .map_or_else(String::new, |ranking| {
            let guesses: Vec<_> = ranking
                .iter()
                .take(SHOWN)
                .map(|guess| {
                    serde_json::json!({
                        "encoding": guess.encoding.name(),
                        "probability": guess.probability,
                        "language": guess.language,
                        "script": guess.script(),
                    })
                })
                .collect();
            format!(
                ",\"content\":{},\"bytes_read\":{},\"guesses\":{}",
                string(Some(content(ranking))),
                ranking.bytes_read(),
                serde_json::Value::from(guesses)
            )
        });
    format!(
        "{{\"path\":{},\"encoding\":{},\"source\":{},\"confidence\":{},\"bom_length\":{},\"error\":{}{guesses}}}",
        string(Some(name)),
        string(finding.encoding.map(Encoding::name)),
        string(finding.source.map(Source::as_str)),
        string(finding.confidence.map(Confidence::as_str)),
        finding.bom_length,
        string(finding.error.as_deref()),
    )
}

/// How many guesses are shown.
const SHOWN: usize = 3;

fn content(ranking: &Ranking) -> &'static str {
    match ranking.content() {
        Content::Ascii => "ascii",
        Content::Text => "text",
        Content::Unsupported(_) => "unsupported",
        _ => "binary",
    }
}

/// The best guesses, and what they rest on.
fn guesses(ranking: &Ranking) -> Vec<String> {
    let read = ranking.bytes_read();
    let mut lines: Vec<String> = ranking
        .iter()
        .take(SHOWN)
        .enumerate()
        .map(|(at, guess)| {
            let name = guess.encoding.name();
            let why = match (guess.language, guess.script()) {
                (Some("ja"), _) if name == "ISO-2022-JP" => "its escape sequences".to_owned(),
                (Some(language), Some(script)) => {
                    format!("its letters would be {language} ({script})")
                }
                _ if name == "UTF-8" => "well-formed".to_owned(),
                _ => "its code units would be text".to_owned(),
            };
            format!("{}. {name:<14} {:.4}  {why}", at + 1, guess.probability)
        })
        .collect();
    lines.push(match ranking.content() {
        Content::Ascii => format!("{read} bytes read: ASCII, in which nothing is to be guessed"),
        Content::Text => format!("{read} bytes read"),
        Content::Unsupported(name) => format!("{read} bytes read: {name}, which cannot be decoded"),
        _ => format!("{read} bytes read: zero bytes or many controls, so this is no text"),
    });
    lines
}

fn table_row(name: &str, finding: &Finding) -> String {
    format!(
        "{:<14} {:<15} {:<10} {name}",
        finding.encoding.map_or("?", Encoding::name),
        finding.source.map_or("?", Source::as_str),
        finding.confidence.map_or("?", Confidence::as_str),
    )
}

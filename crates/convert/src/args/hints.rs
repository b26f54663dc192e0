//! Options about the encoding of files and their declarations.

#![allow(
    missing_docs,
    reason = "documentation of a flattened field would be help"
)]

use crate::decide::{FileContext, Question};
use crate::labels;
use crate::report::Failure;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use mojika::Encoding;
use mojika_sniff::{Context, contexts};

/// The heading of these options in the help. It is set for each option, because a heading for the whole group would
/// also apply to the options after the group.
const HINTS: &str = "Hints for detection";

/// The facts about files besides their bytes.
#[derive(Args, Clone, Debug, Default)]
pub struct HintArgs {
    /// Label or Content-Type that came with the input, as from a web server; unknown labels are ignored
    #[arg(long, value_name = "LABEL-OR-CONTENT-TYPE", help_heading = HINTS)]
    pub transport: Option<String>,

    #[command(flatten)]
    pub guess: GuessArgs,
}

/// The hints for a guess.
#[derive(Args, Clone, Debug, Default)]
pub struct GuessArgs {
    /// Top-level domain or host from which the input came, such as "jp"
    #[arg(long, value_name = "DOMAIN", value_parser = domain, help_heading = HINTS)]
    pub tld: Option<String>,

    /// Locale of the writers or readers, such as "pl" or "zh-TW"
    #[arg(long, value_name = "BCP47", value_parser = locale, help_heading = HINTS)]
    pub locale: Option<String>,

    /// Guess only these encodings, separated by commas; "^LABEL" excludes an encoding instead
    #[arg(long, value_name = "LABELS", value_delimiter = ',', help_heading = HINTS)]
    pub allow: Vec<String>,

    /// Also guess encodings outside the Standard: DOS code pages (CP437, 850, 852, …) and EBCDIC
    #[arg(long, help_heading = HINTS)]
    pub extended: bool,

    /// If a declaration contradicts the bytes, ignore the declaration
    ///
    /// Without this option, such a file is doubtful.
    #[arg(long, help_heading = HINTS)]
    pub distrust_declared: bool,
}

/// The doubt that is accepted.
#[derive(Args, Clone, Debug)]
pub struct ConfidenceArgs {
    /// With --from auto: the probability, from 0 to 1, below which the encoding of a file is doubtful
    ///
    /// A doubtful file stays unchanged. Its possible encodings are listed, and the exit status is 1. With 0, the best
    /// guess is used.
    #[arg(long, value_name = "P", default_value_t = 0.9, value_parser = probability, allow_negative_numbers = true)]
    pub confidence: f32,
}

impl Default for ConfidenceArgs {
    fn default() -> Self {
        Self { confidence: 0.9 }
    }
}

/// The options by which the encoding of files is decided.
#[derive(Args, Clone, Debug)]
pub struct DecisionArgs {
    /// Kind of the files, or the id of any context in docs/SNIFFING.md
    #[arg(long, value_parser = FileContext::parser(), default_value = "auto", help_heading = HINTS)]
    pub context: FileContext,

    #[command(flatten)]
    pub confidence: ConfidenceArgs,

    /// Treat every file as text, even binary files
    #[arg(short = 'a', long, help_heading = HINTS)]
    pub text: bool,

    #[command(flatten)]
    pub hints: HintArgs,
}

impl DecisionArgs {
    /// Returns the question for the encoding of a file. `is_auto` is true if encodings are detected; a given `context`
    /// is then only a hint.
    ///
    /// # Errors
    ///
    /// Fails if a label is unknown, or if a hint would have no effect.
    pub fn question(&self, context: FileContext, is_auto: bool) -> Result<Question, Failure> {
        if !is_auto {
            let given = (context != FileContext::Auto).then_some("--context");
            refuse_hint(given.or_else(|| self.hints.first_given()))?;
        }
        Ok(Question {
            context: self.context,
            confidence: self.confidence.confidence,
            is_text: self.text,
            ..self.hints.question()?
        })
    }
}

/// Refuses a hint that is given although the encoding is not detected.
///
/// # Errors
///
/// Fails if there is one.
pub fn refuse_hint(option: Option<&str>) -> Result<(), Failure> {
    option.map_or(Ok(()), |option| {
        Err(Failure::Usage(format!(
            "{option} is a hint for --from auto: use --from auto, or leave out {option}"
        )))
    })
}

/// The encoding of the files: given by the user, or decided for each file.
#[derive(Args, Clone, Debug)]
pub struct EncodingArgs {
    /// Encoding of the files; "auto" finds it. A byte order mark overrides it
    #[arg(short, long, value_name = "LABEL", default_value = "auto")]
    pub from: String,

    #[command(flatten)]
    pub decision: DecisionArgs,
}

impl EncodingArgs {
    /// Returns the given encoding, and the question that decides if none is given.
    ///
    /// # Errors
    ///
    /// Fails if a label is unknown, or if a hint would have no effect.
    pub fn question(&self) -> Result<(Option<&'static Encoding>, Question), Failure> {
        let given = labels::given(&self.from)?;
        let context = self.decision.context;
        let question = self.decision.question(context, given.is_none())?;
        Ok((given, question))
    }
}

/// Parses a probability.
///
/// # Errors
///
/// Fails if the text is not a number from 0 to 1.
pub fn probability(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(value) if (0.0..=1.0).contains(&value) => Ok(value),
        _ => Err("give a number from 0 to 1, such as 0.9".to_owned()),
    }
}

/// Parses a domain or host. Refuses a URL, which detection would ignore.
fn domain(text: &str) -> Result<String, String> {
    let is_none = |c: char| c.is_whitespace() || "/:@?#\\,".contains(c);
    match text.contains(is_none) {
        true => Err("give a domain or a host, such as jp or www.example.jp".to_owned()),
        false => Ok(text.to_owned()),
    }
}

/// Parses a tag of BCP 47 or the name of a POSIX locale.
fn locale(text: &str) -> Result<String, String> {
    let is_none = |c: char| !c.is_ascii_alphanumeric() && !"-_.@".contains(c);
    match text.contains(is_none) {
        true => Err("give a locale, such as pl, zh-TW or ja_JP.UTF-8".to_owned()),
        false => Ok(text.to_owned()),
    }
}

impl GuessArgs {
    /// Returns these options as a [`Question`].
    ///
    /// # Errors
    ///
    /// Fails if a label is unknown, or if no encoding remains.
    pub fn question(&self) -> Result<Question, Failure> {
        let (mut allowed, mut denied) = (Vec::new(), Vec::new());
        for label in &self.allow {
            match label.strip_prefix('^') {
                Some(label) => denied.push(labels::find(label)?),
                None => allowed.push(labels::find(label)?),
            }
        }
        if !allowed.is_empty() && allowed.iter().all(|one| denied.contains(one)) {
            return Err(Failure::usage(
                "--allow leaves no encoding to guess: name at least one without \"^\"",
            ));
        }
        let is_named = allowed
            .iter()
            .any(|one| !mojika::Encoding::all().contains(one));
        Ok(Question {
            locale: self.locale.clone(),
            tld: self.tld.clone(),
            allowed: (!allowed.is_empty()).then_some(allowed),
            denied,
            // DOS code pages and EBCDIC in the list of allowed encodings may be guessed.
            extended: self.extended || is_named,
            distrust_declared: self.distrust_declared,
            ..Question::default()
        })
    }

    /// Returns the name of the first option that is given.
    pub fn first_given(&self) -> Option<&'static str> {
        let options = [
            ("--tld", self.tld.is_some()),
            ("--locale", self.locale.is_some()),
            ("--allow", !self.allow.is_empty()),
            ("--extended", self.extended),
            ("--distrust-declared", self.distrust_declared),
        ];
        options
            .iter()
            .find(|option| option.1)
            .map(|option| option.0)
    }
}

impl HintArgs {
    /// Returns these options as a [`Question`].
    ///
    /// # Errors
    ///
    /// Fails if a label is unknown.
    pub fn question(&self) -> Result<Question, Failure> {
        Ok(Question {
            transport: self.transport.clone(),
            ..self.guess.question()?
        })
    }

    /// Returns the name of the first option that is given.
    pub fn first_given(&self) -> Option<&'static str> {
        let transport = self.transport.as_ref().map(|_| "--transport");
        transport.or_else(|| self.guess.first_given())
    }
}

/// The contexts of files, by the words of `--context`.
const FILE_CONTEXTS: [(&str, FileContext, &str); 5] = [
    (
        "auto",
        FileContext::Auto,
        "By the file's extension, else by its first bytes",
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
    /// Parses the words of `--context`: words for kinds of files, and the ids of the library's other contexts.
    pub fn parser() -> impl TypedValueParser<Value = FileContext> {
        let values = FILE_CONTEXTS.map(|(word, _, help)| PossibleValue::new(word).help(help));
        let others = contexts::TABLE
            .iter()
            .map(|row| PossibleValue::new(row.id).hide(true));
        PossibleValuesParser::new(values.into_iter().chain(others)).map(|word| Self::of_word(&word))
    }

    fn of_word(word: &str) -> Self {
        let named = FILE_CONTEXTS.iter().find(|(name, ..)| *name == word);
        named.map_or_else(
            || Context::for_id(word).map_or(FileContext::Auto, FileContext::Web),
            |&(_, context, _)| context,
        )
    }
}

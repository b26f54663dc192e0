//! Detection and sniffing of bytes that JavaScript provides in pieces.

use crate::json::Object;
use crate::memory::with;
use crate::names::id;
use mojika::{Encoding, extended};
use mojika_sniff::detect::{Content, DetectHints, Detector, Ranking, detect as detect_whole};
use mojika_sniff::judge::Policy;
use mojika_sniff::{Context, Hints, Judge, Judgement};

unsafe extern "C" {
    /// Makes JavaScript write the next bytes to the input. Returns their number; 0 at the end.
    safe fn next_piece() -> usize;
}

/// The options from JavaScript, one `name=value` per line.
struct Options {
    lines: String,
}

impl Options {
    /// Parses the first `len` bytes of the input.
    fn read(len: usize) -> Self {
        let lines = with(|memory| String::from_utf8_lossy(&memory.input[..len]).into_owned());
        Self { lines }
    }

    fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let pairs = self.lines.lines().filter_map(|line| line.split_once('='));
        pairs
            .filter(move |&(other, _)| other == name)
            .map(|(_, value)| value)
    }

    fn get<'a>(&'a self, name: &'a str) -> Option<&'a str> {
        self.all(name).next()
    }

    fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    fn encoding(&self, name: &str) -> Option<&'static Encoding> {
        self.get(name).and_then(extended::find)
    }

    fn encodings(&self, name: &str) -> Vec<&'static Encoding> {
        self.all(name).filter_map(extended::find).collect()
    }
}

/// Guesses the encoding of the bytes in all pieces. Returns the length of a JSON object. The options are the first `len`
/// bytes of the input.
#[unsafe(no_mangle)]
pub extern "C" fn detect(len: usize) -> i32 {
    let options = Options::read(len);
    let (allowed, denied) = (options.encodings("allowed"), options.encodings("denied"));
    let hints = DetectHints {
        tld: options.get("tld"),
        locale: options.get("locale"),
        allowed: options.has("allowed").then_some(&*allowed),
        denied: &denied,
        extended: options.has("extended"),
        strip_markup: options.has("stripMarkup"),
    };
    let mut first = Vec::new();
    let mut detector = None;
    each_piece(|piece| {
        if first.is_empty() {
            first.extend_from_slice(piece);
            return true;
        }
        let detector = detector.get_or_insert_with(|| {
            let mut detector = Detector::new();
            detector.feed(&first);
            detector
        });
        detector.feed(piece);
        !detector.is_decided()
    });
    // A detector of whole input stops earlier than one that gets pieces.
    let ranking = match detector {
        Some(detector) => detector.finish(&hints),
        None => detect_whole(&first, &hints),
    };
    let mut json = String::new();
    let mut object = Object::begin(&mut json);
    say_ranking(&mut object, &ranking);
    object.end();
    with(|memory| memory.show_text(json))
}

/// Decides the encoding of a document from all its pieces. Returns the length of a JSON object. The options are the first
/// `len` bytes of the input.
#[unsafe(no_mangle)]
pub extern "C" fn sniff(len: usize) -> i32 {
    let options = Options::read(len);
    let (allowed, denied) = (options.encodings("allowed"), options.encodings("denied"));
    let mut first = Vec::new();
    each_piece(|piece| {
        first.extend_from_slice(piece);
        false
    });
    let context = match options.get("context").unwrap_or("auto") {
        "auto" => Some(Context::of_content(&first)),
        "text" => Some(Context::PlainText),
        "html" => Some(Context::HtmlParser),
        "xml" => Some(Context::XmlParser),
        "css" => Some(Context::CssFromDocument),
        id => Context::for_id(id),
    };
    let mut json = String::new();
    let mut object = Object::begin(&mut json);
    let Some(context) = context else {
        let id = options.get("context").unwrap_or_default();
        object.string("error", &format!("no context has the id {id}"));
        object.end();
        return with(|memory| memory.show_text(json));
    };
    let hints = Hints {
        user_override: options.encoding("override"),
        transport: options.get("contentType").map(str::as_bytes),
        explicit_environment: options.encoding("explicitEnvironment"),
        implied_environment: options.encoding("environment"),
        history: options.encoding("history"),
        locale: options.get("locale"),
        tld: options.get("tld"),
        detect: !options.has("noDetection"),
        ..Hints::new(context)
    };
    let mut policy = Policy::default();
    policy.distrust_declared = options.has("distrustDeclared");
    policy.like_browsers = options.has("likeBrowsers");
    policy.by_table = options.has("byTable");
    policy.is_text = options.has("isText");
    policy.extended = options.has("extended");
    policy.allowed = options.has("allowed").then_some(&*allowed);
    policy.denied = &denied;

    let mut judge = Judge::new(hints, policy);
    judge.feed(&first);
    drop(first);
    if !judge.is_decided() {
        each_piece(|piece| {
            judge.feed(piece);
            !judge.is_decided()
        });
    }
    match judge.finish() {
        Ok(judgement) => say_judgement(&mut object, &judgement),
        Err(error) => {
            object.string("error", &error.to_string());
            object.number("offset", error.offset);
        }
    }
    object.end();
    with(|memory| memory.show_text(json))
}

/// Repairs the UTF-8 text in all pieces. Returns the length of a JSON object.
#[unsafe(no_mangle)]
pub extern "C" fn repair(_len: usize) -> i32 {
    let mut bytes = Vec::new();
    each_piece(|piece| {
        bytes.extend_from_slice(piece);
        true
    });
    let text = String::from_utf8_lossy(&bytes);
    let repaired = mojika_convert::repair::repair(&text);
    let mut json = String::new();
    let mut object = Object::begin(&mut json);
    object.string("text", &repaired.text);
    object.objects("findings", repaired.findings.iter(), |object, finding| {
        object.number("line", finding.line);
        object.string("before", &finding.before);
        object.optional("after", finding.after.as_deref());
        let steps = finding.misreadings.iter();
        let steps =
            steps.flat_map(|one| ["encode", one.read_as.name(), "decode", one.encoding.name()]);
        object.strings("steps", steps);
        object.string("confidence", finding.confidence().as_str());
    });
    object.end();
    with(|memory| memory.show_text(json))
}

/// Passes each piece to `each`, until there are no more pieces or `each` returns false.
fn each_piece(mut each: impl FnMut(&[u8]) -> bool) {
    loop {
        // JavaScript writes to the input, so nothing may borrow it here.
        let len = next_piece();
        if len == 0 || !with(|memory| each(&memory.input[..len])) {
            return;
        }
    }
}

fn say_ranking(object: &mut Object<'_>, ranking: &Ranking) {
    let (content, unsupported) = match ranking.content() {
        Content::Ascii => ("ascii", None),
        Content::Binary => ("binary", None),
        Content::Unsupported(name) => ("unsupported", Some(name)),
        _ => ("text", None),
    };
    object.string("content", content);
    object.optional("unsupported", unsupported);
    object.optional("format", ranking.format());
    object.number("bytesRead", ranking.bytes_read());
    object.objects("candidates", ranking.iter(), |object, guess| {
        object.string("encoding", &id(guess.encoding));
        object.probability("probability", Some(guess.probability));
        object.optional("language", guess.language);
        object.optional("script", guess.script());
        object.number("malformed", guess.malformed);
    });
}

fn say_judgement(object: &mut Object<'_>, judgement: &Judgement) {
    let decision = &judgement.decision;
    object.string("encoding", &id(decision.encoding));
    object.string("source", decision.source.as_str());
    object.string("confidence", decision.confidence.as_str());
    object.number("bomLength", decision.bom_length as u64);
    object.probability("probability", judgement.probability);
    object.bool("doubtful", judgement.is_doubtful(0.9));
    match &judgement.declared {
        Some(declared) => {
            let mut inner = object.object("declared");
            inner.string("encoding", &id(declared.encoding));
            inner.string("source", declared.source.as_str());
            inner.end();
        }
        None => object.null("declared"),
    }
    object.optional("contradiction", judgement.contradiction.map(id).as_deref());
    match judgement.malformed {
        Some(offset) => object.number("malformed", offset),
        None => object.null("malformed"),
    }
    say_ranking(object, &judgement.ranking);
}

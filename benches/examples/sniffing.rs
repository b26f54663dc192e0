//! Times sniffing compared with decoding: `sniffing [FOLDER]`.
//!
//! FOLDER has pages and texts, `LANGUAGE.html` and `LANGUAGE.txt`, in UTF-8; missing pages are generated. Each is
//! encoded in its language's legacy encodings, with a declaration. The output has the nanoseconds per decision for each
//! kind of document. First, each document is sniffed repeatedly (median, quartiles over the documents, slowest). Then
//! all documents are sniffed in turn, which is compared with decoding. The exit status is 1 if the median decision
//! takes 2 µs or more, or longer than decoding.

use mojika::Encoding;
use mojika_benches::machine::Machine;
use mojika_benches::texts::{Kind, Texts};
use mojika_benches::timing::{Plan, median, quantile, race};
use mojika_sniff::{Context, Hints, Source, sniff};
use std::hint::black_box;
use std::path::PathBuf;
use std::process::ExitCode;

/// The limit of the median decision, in nanoseconds.
const MOST: f64 = 2000.0;

const PLAN: Plan = Plan {
    rounds: 9,
    slice_nanos: 1_000_000,
};

/// Languages with their encodings.
const LANGUAGES: [(&str, &[&str]); 12] = [
    ("ar", &["windows-1256", "utf-8"]),
    ("de", &["windows-1252", "utf-8"]),
    ("el", &["windows-1253", "iso-8859-7"]),
    ("en", &["windows-1252", "utf-8"]),
    ("fr", &["windows-1252", "utf-8"]),
    ("ja", &["shift_jis", "euc-jp", "iso-2022-jp", "utf-8"]),
    ("ko", &["euc-kr", "utf-8"]),
    ("ru", &["windows-1251", "koi8-r", "utf-8"]),
    ("th", &["windows-874"]),
    ("vi", &["utf-8"]),
    ("zh_cn", &["gbk", "gb18030", "utf-8"]),
    ("zh_tw", &["big5"]),
];

/// A kind of document: its context, and the bytes before the page.
struct Case {
    name: &'static str,
    context: Context,
    source: Source,
    start: fn(&str) -> String,
}

const CASES: [Case; 6] = [
    Case {
        name: "HTML, meta at once",
        context: Context::HtmlParser,
        source: Source::Meta,
        start: |label| format!("<!doctype html><html><head><meta charset={label}>"),
    },
    Case {
        name: "HTML, pragma behind 600 bytes of head",
        context: Context::HtmlParser,
        source: Source::Meta,
        start: |label| {
            let link =
                "<link rel=\"stylesheet\" type=\"text/css\" href=\"/styles/main-2024.css\">\n";
            format!(
                "<!doctype html>\n<html lang=\"x\">\n<head>\n{}<meta http-equiv=\"Content-Type\" \
                 content=\"text/html; charset={label}\">\n",
                link.repeat(8)
            )
        },
    },
    Case {
        name: "HTML, nothing declared, no detection",
        context: Context::XhrDocument,
        source: Source::Default,
        start: |_| {
            let link =
                "<link rel=\"stylesheet\" type=\"text/css\" href=\"/styles/main-2024.css\">\n";
            format!(
                "<!doctype html>\n<html lang=\"x\">\n<head>\n{}",
                link.repeat(16)
            )
        },
    },
    Case {
        name: "XML, declaration",
        context: Context::XmlParser,
        source: Source::XmlDeclaration,
        start: |label| format!("<?xml version=\"1.0\" encoding=\"{label}\"?>\n<html>"),
    },
    Case {
        name: "XML, nothing declared",
        context: Context::XmlParser,
        source: Source::Default,
        start: |_| "<?xml version=\"1.0\"?>\n<html>".to_owned(),
    },
    Case {
        name: "CSS, @charset",
        context: Context::CssFromDocument,
        source: Source::CssCharset,
        start: |label| format!("@charset \"{label}\";\n"),
    },
];

/// Returns the documents of a case, with their encodings.
fn documents(case: &Case, texts: &mut Texts) -> Vec<(Vec<u8>, &'static Encoding)> {
    let mut documents = Vec::new();
    for (language, labels) in LANGUAGES {
        let page = texts.get(language, Kind::Mix);
        // The page's declaration names UTF-8.
        let body = page.replace("<meta", "<m").replace("<?xml", "<xml");
        for label in labels {
            let encoding = Encoding::for_label(label).expect("a label of the Standard");
            let text = (case.start)(label) + &body;
            let encoded = encoding
                .encode_html(&text)
                .expect("an encoder")
                .bytes
                .into_owned();
            documents.push((encoded, encoding));
        }
    }
    documents
}

fn measure(case: &Case, texts: &mut Texts) -> bool {
    let documents = documents(case, texts);
    let hints = Hints::new(case.context);
    let (mut decisions, mut decodings, mut shares) = (Vec::new(), Vec::new(), Vec::new());
    for (bytes, encoding) in &documents {
        let decision = sniff(bytes, &hints).expect("the document agrees with itself");
        assert_eq!(decision.source, case.source, "{} in {encoding}", case.name);
        if case.source != Source::Default {
            assert_eq!(decision.encoding, *encoding, "{}", case.name);
        }
        let mut sniffing = || {
            let _ = black_box(sniff(black_box(bytes), &hints));
        };
        let mut decoding = || {
            black_box(encoding.decode(black_box(bytes)));
        };
        let nanos = race(&mut [&mut sniffing, &mut decoding], PLAN);
        let [one, other] = [median(&nanos[0]), median(&nanos[1])];
        decisions.push(one);
        decodings.push(other);
        shares.push(one / other);
    }
    let mut next = 0;
    let mut in_turn = || {
        let (bytes, _) = &documents[next];
        next = (next + 7) % documents.len();
        let _ = black_box(sniff(black_box(bytes), &hints));
    };
    let turns = &race(&mut [&mut in_turn], PLAN)[0];
    let largest = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
    println!(
        "| {} | {} | {:.0} ({:.0}-{:.0}) | {:.0} | {:.0} | {:.1} | {:.4} |",
        case.name,
        documents.len(),
        median(&decisions),
        quantile(&decisions, 0.25),
        quantile(&decisions, 0.75),
        largest(&decisions),
        median(turns),
        median(&decodings) / 1000.0,
        largest(&shares),
    );
    median(&decisions) < MOST && median(turns) < MOST && largest(&shares) < 1.0
}

fn main() -> ExitCode {
    let folder = std::env::args().nth(1).map(PathBuf::from);
    let mut texts = Texts::new(folder);
    println!("{}\n", Machine::new().line());
    println!(
        "| document | count | a decision, ns (quartiles) | slowest | in turn | decoding, µs | largest share of decoding |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|");
    let all: Vec<bool> = CASES.iter().map(|case| measure(case, &mut texts)).collect();
    if all.contains(&false) {
        println!("\nmissed: 2 µs, or less than decoding");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

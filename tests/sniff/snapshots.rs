//! Judgements on many documents in all kinds of contexts, whole: each snapshot is a file in `tests/sniff/snapshots`,
//! reviewed by hand.
//!
//! `MOJIKA_UPDATE_SNAPSHOTS=1 cargo test -p mojika --all-features --test sniff` writes them anew.

mod declarations;
mod documents;
mod rankings;
mod structure;

use documents::{Named, RUSSIAN, declaring, plain};
use mojika::sniff::contexts::{Row, Sniffing, TABLE};
use mojika::sniff::detect::{Content, Ranking};
use mojika::sniff::judge::{Judge, Judgement, Policy, judge};
use mojika::sniff::xml::XmlError;
use mojika::sniff::{Context, Decision, Hints, sniff};
use mojika::{
    BIG5, EUC_JP, EUC_KR, Encoding, IBM866, ISO_8859_2, KOI8_R, SHIFT_JIS, UTF_8, UTF_16BE,
    UTF_16LE, WINDOWS_1251, WINDOWS_1252,
};
use std::fmt::Write;

#[track_caller]
fn snapshot(name: &str, text: &str) {
    let path = format!(
        "{}/tests/sniff/snapshots/{name}",
        env!("CARGO_MANIFEST_DIR")
    );
    mojika_spec::snapshot::compare(&path, text);
}

/// A way to judge: its name, the hints, the policy.
type Way = (String, Hints<'static>, Policy<'static>);

const DENIED: [&Encoding; 3] = [WINDOWS_1251, SHIFT_JIS, UTF_8];
const ALLOWED: [&Encoding; 5] = [UTF_8, KOI8_R, WINDOWS_1252, EUC_JP, BIG5];

/// Returns a context of each kind: the first with the same rules.
fn contexts() -> Vec<Way> {
    let kind = |row: &Row| {
        let Row {
            legacy,
            bom,
            user_override,
            transport,
            sniffing,
            fallback,
            may_change,
            ..
        } = *row;
        (
            legacy,
            bom,
            user_override,
            transport,
            sniffing,
            fallback,
            may_change,
        )
    };
    let firsts = TABLE
        .iter()
        .enumerate()
        .filter(|(at, row)| TABLE[..*at].iter().all(|other| kind(other) != kind(row)));
    firsts
        .map(|(_, row)| {
            (
                row.id.to_owned(),
                Hints::new(row.context),
                Policy::default(),
            )
        })
        .collect()
}

/// The contexts that people convert files in.
const OF_FILES: [Context; 4] = [
    Context::PlainText,
    Context::HtmlParser,
    Context::XmlParser,
    Context::CssFromDocument,
];

/// A hint or policy, and its name.
type Change = (&'static str, fn(&mut Hints<'static>, &mut Policy<'static>));

/// Each change by itself, in these contexts.
fn of_files(changes: &[Change]) -> Vec<Way> {
    let of_context = |context: Context| {
        changes.iter().map(move |(name, change)| {
            let (mut hints, mut policy) = (Hints::new(context), Policy::default());
            change(&mut hints, &mut policy);
            (format!("{} {name}", context.row().id), hints, policy)
        })
    };
    OF_FILES.into_iter().flat_map(of_context).collect()
}

/// Each hint.
fn hints() -> Vec<Way> {
    of_files(&[
        ("transport=windows-1252", |hints, _| {
            hints.transport = Some(b"windows-1252")
        }),
        ("transport=utf-8", |hints, _| {
            hints.transport = Some(b"text/html; charset=utf-8")
        }),
        ("transport=utf-16", |hints, _| {
            hints.transport = Some(b"utf-16")
        }),
        ("type=xml", |hints, _| {
            hints.transport = Some(b"application/xml")
        }),
        ("override=koi8-r", |hints, _| {
            hints.user_override = Some(KOI8_R)
        }),
        ("override=utf-16le", |hints, _| {
            hints.user_override = Some(UTF_16LE)
        }),
        ("environment=euc-kr", |hints, _| {
            hints.explicit_environment = Some(EUC_KR)
        }),
        ("implied=ibm866", |hints, _| {
            hints.implied_environment = Some(IBM866)
        }),
        ("implied=utf-16be", |hints, _| {
            hints.implied_environment = Some(UTF_16BE)
        }),
        ("history=iso-8859-2", |hints, _| {
            hints.history = Some(ISO_8859_2)
        }),
        ("locale=ru", |hints, _| hints.locale = Some("ru")),
        ("host=gr", |hints, _| hints.tld = Some("example.gr")),
        ("undetected", |hints, _| hints.detect = false),
        ("undetected locale=ja", |hints, _| {
            (hints.detect, hints.locale) = (false, Some("ja"))
        }),
    ])
}

/// Each rule of the policy.
fn policies() -> Vec<Way> {
    of_files(&[
        ("confidence=0.5", |_, policy| policy.confidence = 0.5),
        ("confidence=0.999", |_, policy| policy.confidence = 0.999),
        ("distrust", |_, policy| policy.distrust_declared = true),
        ("is-text", |_, policy| policy.is_text = true),
        ("like-browsers", |_, policy| policy.like_browsers = true),
        ("by-table", |_, policy| policy.by_table = true),
        ("allowed", |_, policy| policy.allowed = Some(&ALLOWED)),
        ("denied", |_, policy| policy.denied = &DENIED),
        ("extended", |_, policy| policy.extended = true),
    ])
}

fn decided(decision: &Decision) -> String {
    let Decision {
        encoding,
        source,
        confidence,
        bom_length,
        ..
    } = decision;
    let mark = match bom_length {
        0 => String::new(),
        length => format!(", mark of {length}"),
    };
    format!("{} by {source}, {confidence}{mark}", encoding.name())
}

fn judged(judgement: &Result<Judgement, XmlError>) -> String {
    let judgement = match judgement {
        Ok(judgement) => judgement,
        Err(error) => return format!("error: {error}, offset {}", error.offset),
    };
    let mut text = decided(&judgement.decision);
    if let Some(probability) = judgement.probability {
        write!(text, ", p {probability:.3}").unwrap();
    }
    if let Some(declared) = judgement.declared
        && (declared.encoding, declared.source)
            != (judgement.decision.encoding, judgement.decision.source)
    {
        write!(
            text,
            ", declared {} by {}",
            declared.encoding.name(),
            declared.source
        )
        .unwrap();
    }
    if let Some(shown) = judgement.contradiction {
        write!(text, ", shown {}", shown.name()).unwrap();
    }
    if let Some(offset) = judgement.malformed {
        write!(text, ", malformed at {offset}").unwrap();
    }
    if let Some(other) = judgement.runner_up() {
        write!(text, ", then {}", other.encoding.name()).unwrap();
    }
    text
}

fn ranked(ranking: &Ranking) -> String {
    let mut text = match ranking.content() {
        Content::Text => String::new(),
        content => format!("{content:?} {}", ranking.format().unwrap_or_default())
            .trim_end()
            .to_owned(),
    };
    for guess in ranking.iter() {
        let language = guess.language.unwrap_or("-");
        write!(
            text,
            " {} {language} {:.3}",
            guess.encoding.name(),
            guess.probability
        )
        .unwrap();
        if guess.malformed > 0 {
            write!(text, " malformed {}", guess.malformed).unwrap();
        }
        text.push(';');
    }
    text.trim().to_owned()
}

/// The answers in the order in which they come first, each with the ways that lead to it; of the commonest, only their number.
fn grouped<'w>(answers: impl Iterator<Item = (&'w str, String)>) -> String {
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for (way, answer) in answers {
        match groups.iter_mut().find(|(other, _)| *other == answer) {
            Some((_, ways)) => ways.push(way),
            None => groups.push((answer, vec![way])),
        }
    }
    let most = groups.iter().map(|(_, ways)| ways.len()).max().unwrap_or(0);
    groups.sort_by_key(|(_, ways)| ways.len() < most);
    let mut text = String::new();
    for (at, (answer, ways)) in groups.iter().enumerate() {
        let shown = match at {
            0 => format!("{} ways", ways.len()),
            _ => ways.join(", "),
        };
        writeln!(text, "{answer}  [{shown}]").unwrap();
    }
    text
}

/// Returns the judgement on each document in each way, which is the same in one piece and in
/// several.
fn judgements(documents: &[Named], ways: &[Way], has_rankings: bool) -> String {
    let mut text = String::new();
    for (name, document) in documents {
        let judgements: Vec<_> = ways
            .iter()
            .map(|(way, hints, policy)| {
                let whole = judge(document, hints, policy);
                for size in [997, 4096] {
                    let mut in_pieces = Judge::new(*hints, *policy);
                    for piece in document.chunks(size) {
                        // One way needs no more.
                        if size == 4096 && in_pieces.is_decided() {
                            break;
                        }
                        in_pieces.feed(piece);
                    }
                    let in_pieces = in_pieces.finish();
                    assert_eq!(
                        judged(&in_pieces),
                        judged(&whole),
                        "{name}, {way}, pieces of {size}"
                    );
                }
                (way.as_str(), whole)
            })
            .collect();
        writeln!(text, "# {name}").unwrap();
        text += &grouped(judgements.iter().map(|(way, whole)| (*way, judged(whole))));
        if has_rankings {
            let rankings = judgements
                .iter()
                .filter_map(|(way, whole)| Some((*way, ranked(&whole.as_ref().ok()?.ranking))));
            text += &grouped(rankings);
        }
    }
    text
}

#[test]
fn judgements_on_text_that_declares_nothing_are_those_reviewed() {
    let mut ways = contexts();
    ways.retain(|(_, hints, _)| hints.context.row().legacy);
    ways.extend(
        policies()
            .into_iter()
            .filter(|(_, hints, _)| hints.context == Context::PlainText),
    );
    ways.extend(
        hints()
            .into_iter()
            .filter(|(_, hints, _)| hints.tld.is_some()),
    );
    snapshot("plain.txt", &judgements(&plain(), &ways, true));
}

#[test]
fn judgements_on_text_that_declares_something_are_those_reviewed() {
    let mut ways = contexts();
    // In the others, nothing of a document is read.
    ways.retain(|(_, hints, _)| {
        !matches!(
            hints.context.row().sniffing,
            Sniffing::None | Sniffing::ByType
        )
    });
    ways.extend(policies().into_iter().filter(|(_, _, policy)| {
        policy.distrust_declared || policy.by_table || policy.confidence != 0.9
    }));
    snapshot("declaring.txt", &judgements(&declaring(), &ways, false));
}

/// Each context, hint and rule on a few documents.
#[test]
fn decisions_with_all_that_may_be_known_are_those_reviewed() {
    let mut documents = declaring();
    let names = [
        "windows-1251, meta windows-1252",
        "windows-1251, XML utf-16",
        "UTF-8, CSS windows-1251",
        "IBM1047, XML IBM037",
        "EBCDIC, XML IBM1025",
        "UTF-16BE, meta utf-8",
        "the mark of UTF-8, XML koi8-r",
        "the mark of UTF-8, meta koi8-r",
    ];
    documents.retain(|(name, _)| names.contains(&name.as_str()));
    documents.extend(
        plain()
            .into_iter()
            .filter(|(name, _)| name.ends_with(RUSSIAN) || name.starts_with("ASCII")),
    );
    let ways = [contexts(), hints(), policies()].concat();
    let mut text = judgements(&documents, &ways, false);
    // The policy is of judgements alone.
    let ways = [contexts(), hints()].concat();
    for (name, document) in documents {
        writeln!(text, "# {name}, sniffed").unwrap();
        text += &grouped(ways.iter().map(|(way, hints, _)| {
            let answer = match sniff(&document, hints) {
                Ok(decision) => decided(&decision),
                Err(error) => format!("error: {error}"),
            };
            (way.as_str(), answer)
        }));
    }
    snapshot("ways.txt", &text);
}

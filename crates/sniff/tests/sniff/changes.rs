//! The effect of one byte that is changed, left out, added or cut off: in declarations, escape sequences, and contexts.

use crate::encoded;
use crate::pieces::same_in_pieces;
use crate::with;
use mojika::{
    EUC_JP, EUC_KR, Encoding, IBM866, KOI8_R, SHIFT_JIS, UTF_8, UTF_16LE, WINDOWS_1251,
    WINDOWS_1252, extended,
};
use mojika_sniff::contexts::TABLE;
use mojika_sniff::detect::{DetectHints, detect};
use mojika_sniff::judge::{Judgement, Policy};
use mojika_sniff::xml::XmlError;
use mojika_sniff::{Confidence, Context, Decision, Hints, Source, sniff};
use mojika_spec::changes::{ALL, END_BEFORE, LETTER};
use mojika_spec::escapes::unescaped;

use Context::{CssFromDocument, HtmlParser, PlainText, XhrTextXml, XmlParser};

/// Returns declarations in common spellings: context, text, and the label in it.
fn declarations() -> impl Iterator<Item = (Context, String, &'static str)> {
    include_str!("declarations.txt").lines().map(|row| {
        let mut fields = row.splitn(3, ' ');
        let [context, label, text] = [(); 3].map(|()| fields.next().unwrap());
        let all = [
            PlainText,
            HtmlParser,
            XmlParser,
            XhrTextXml,
            CssFromDocument,
        ];
        let context = all.into_iter().find(|one| format!("{one:?}") == context);
        let text = unescaped(text, |part| part.into());
        (context.expect(row), String::from_utf8(text).unwrap(), label)
    })
}

fn decided(text: &[u8], context: Context) -> Result<Decision, XmlError> {
    let hints = with(context, |known| known.detect = false);
    sniff(text, &hints)
}

/// True if a part of the text, read as a label, a name or the number of a code page, means the encoding.
fn is_named_in(text: &[u8], encoding: &'static Encoding) -> bool {
    let text = String::from_utf8_lossy(text);
    let places: Vec<usize> = (0..=text.len())
        .filter(|at| text.is_char_boundary(*at))
        .collect();
    let mut parts = places.iter().enumerate().flat_map(|(number, start)| {
        let ends = places[number..].iter().skip(1).take(16);
        ends.map(move |end| (*start, *end))
    });
    parts.any(|(start, end)| {
        let part = &text[start..end];
        let meant = [
            // Emacs' name.
            (part == "latin").then_some(WINDOWS_1252),
            Encoding::for_label(part),
            extended::find(part),
            part.parse().ok().and_then(Encoding::for_windows_code_page),
        ];
        meant.contains(&Some(encoding))
    })
}

/// A changed declaration may name another encoding, but the result is never an encoding that it does not name.
#[test]
fn a_changed_declaration_says_the_same_or_what_it_names_or_nothing() {
    for (context, text, _) in declarations() {
        let original = decided(text.as_bytes(), context).unwrap();
        let nothing = decided(b"", context).unwrap();
        for (change, changed) in ALL {
            for at in 0..text.len() {
                let changed = changed(text.as_bytes(), at);
                match decided(&changed, context) {
                    Ok(decision) => assert!(
                        decision.encoding == original.encoding
                            || decision.source == nothing.source
                            || is_named_in(&changed, decision.encoding),
                        "{}, {change} at {at}: {decision:?}",
                        changed.escape_ascii()
                    ),
                    Err(error) => assert!(
                        context == XmlParser && error.offset <= changed.len() as u64,
                        "{}, {change} at {at}: {error:?}",
                        changed.escape_ascii()
                    ),
                }
            }
        }
    }
}

/// Each byte of a label counts: with another letter, or truncated, it is another label or unknown.
#[test]
fn each_byte_of_a_label_decides() {
    for (context, text, label) in declarations() {
        let start = text.find(label).expect(&text);
        let original = decided(text.as_bytes(), context).unwrap();
        for at in start..start + label.len() {
            for (change, changed) in [LETTER, END_BEFORE] {
                let changed = changed(text.as_bytes(), at);
                let is_same = decided(&changed, context).is_ok_and(|decision| {
                    (decision.encoding, decision.source) == (original.encoding, original.source)
                });
                assert!(
                    !is_same || is_named_in(&changed, original.encoding),
                    "{}, {change}",
                    changed.escape_ascii()
                );
            }
        }
    }
}

/// Damaged escape sequences of ISO 2022, sections of HZ and Base64 sequences of UTF-7 are not passed to statistics.
#[test]
fn a_changed_byte_among_escapes_makes_no_other_legacy_encoding() {
    let texts: [&[u8]; 11] = [
        b"a \x1B$B3$l\x1B(B b",
        b"a \x1B$@3$\x1B(J b",
        b"a \x1B$(D3$\x1B(B b",
        b"\x1B$A3$\x1B.A\x1BNa\x1B(B",
        b"\x1B$(O3$\x1B(B",
        b"\x1B$)C\x0E3$\x0F b",
        b"\x1B$)A\x0E3$\x0F\x1B$*H\x1BN3$",
        b"a ~{VPND~} b ~~ c",
        b"~{<:Ky2;QAw!#~}\n",
        b"+BBIENQQ1BDU- +BEAEPgQ8- +BD0EMA-.",
        b"Hi +ZeVnLIqe- +- 1",
    ];
    let hints = DetectHints {
        extended: true,
        ..DetectHints::default()
    };
    for text in texts {
        for (change, changed) in ALL {
            for at in 0..text.len() {
                let changed = changed(text, at);
                let ranking = detect(&changed, &hints);
                let Some(first) = ranking.first() else {
                    continue;
                };
                let name = first.encoding.name();
                assert!(
                    name.starts_with("ISO-2022")
                        || ["HZ", "UTF-7", "UTF-8"].contains(&name)
                        || first.encoding.code_unit_len() > 1,
                    "{}, {change} at {at}: {name}",
                    changed.escape_ascii()
                );
            }
        }
    }
}

type Ask = (&'static str, fn(&mut Hints<'static>, &mut Policy<'static>));

const ALLOWED: [&Encoding; 3] = [UTF_8, KOI8_R, EUC_JP];
const DENIED: [&Encoding; 3] = [WINDOWS_1251, SHIFT_JIS, UTF_8];

/// All hints and options, each set alone.
const ASKED: [Ask; 20] = [
    ("nothing", |_, _| ()),
    ("transport=windows-1251", |hints, _| {
        hints.transport = Some(b"windows-1251");
    }),
    ("transport=utf-16", |hints, _| {
        hints.transport = Some(b"utf-16");
    }),
    ("type=xml", |hints, _| {
        hints.transport = Some(b"application/xml");
    }),
    ("override=koi8-r", |hints, _| {
        hints.user_override = Some(KOI8_R);
    }),
    ("override=utf-16le", |hints, _| {
        hints.user_override = Some(UTF_16LE);
    }),
    ("environment=euc-kr", |hints, _| {
        hints.explicit_environment = Some(EUC_KR);
    }),
    ("implied=ibm866", |hints, _| {
        hints.implied_environment = Some(IBM866);
    }),
    ("history=shift_jis", |hints, _| {
        hints.history = Some(SHIFT_JIS);
    }),
    ("locale=ru", |hints, _| hints.locale = Some("ru")),
    ("host=gr", |hints, _| hints.tld = Some("example.gr")),
    ("undetected", |hints, _| hints.detect = false),
    ("confidence=0.999", |_, policy| policy.confidence = 0.999),
    ("distrust", |_, policy| policy.distrust_declared = true),
    ("is-text", |_, policy| policy.is_text = true),
    ("like-browsers", |_, policy| policy.like_browsers = true),
    ("by-table", |_, policy| policy.by_table = true),
    ("allowed", |_, policy| {
        policy.allowed = Some(&ALLOWED);
    }),
    ("denied", |_, policy| {
        policy.denied = &DENIED;
    }),
    ("extended", |_, policy| policy.extended = true),
];

/// Documents with declarations that contradict the bytes, and some without.
fn documents() -> Vec<Vec<u8>> {
    let russian = "Вечером на веранде пили чай и говорили о лете.";
    let legacy = encoded(WINDOWS_1251, russian);
    let after = |start: &[u8]| [start, &legacy].concat();
    vec![
        Vec::new(),
        legacy.clone(),
        after(b"<meta charset=windows-1252>"),
        after(b"<?xml version='1.0' encoding='utf-16'?>"),
        after(b"@charset \"koi8-r\";"),
        after(b"# coding: latin1\n"),
        after(b"\xEF\xBB\xBF"),
        russian.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        [&b"Plain words. ".repeat(700), &b"<meta charset=gbk>"[..]].concat(),
        b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10\x08\x06\0\0\0\x1F\xF3".to_vec(),
    ]
}

/// Checks the rules that every judgement must satisfy, in any context.
fn check(judgement: &Judgement, hints: &Hints, policy: &Policy, case: &str) {
    let decision = judgement.decision;
    assert!(
        judgement.contradiction != Some(decision.encoding) || policy.distrust_declared,
        "{case}: nothing contradicts itself"
    );
    match decision.source {
        Source::Override => assert_eq!(Some(decision.encoding), hints.user_override, "{case}"),
        Source::Bom => assert_eq!(decision.confidence, Confidence::Certain, "{case}"),
        Source::Detection => {
            let allowed = policy
                .allowed
                .is_none_or(|all| all.contains(&decision.encoding));
            let denied = policy.denied.contains(&decision.encoding);
            assert!(hints.detect && allowed && !denied, "{case}");
            let of_standard = Encoding::all().contains(&decision.encoding);
            let is_wide = decision.encoding.code_unit_len() > 1;
            assert!(policy.extended || of_standard || is_wide, "{case}");
        }
        _ => (),
    }
    if let Some(probability) = judgement.probability {
        assert!((0.0..=1.0).contains(&probability), "{case}");
    }
}

/// In every context, with each hint and option, chunks lead to the same judgement as the whole document.
#[test]
fn each_context_judges_pieces_as_the_whole_and_keeps_to_what_is_asked() {
    for row in &TABLE {
        // The other contexts differ only in their rows of the table.
        let is_of_files =
            [HtmlParser, XmlParser, PlainText, CssFromDocument].contains(&row.context);
        for (name, ask) in &ASKED[..if is_of_files { ASKED.len() } else { 1 }] {
            let (mut hints, mut policy) = (Hints::new(row.context), Policy::default());
            ask(&mut hints, &mut policy);
            for (number, document) in documents().iter().enumerate() {
                let case = format!("{} {name}, document {number}", row.id);
                let judgement = same_in_pieces(document, &hints, &policy, &[997, 4096], &case);
                match judgement {
                    Ok(judgement) => check(&judgement, &hints, &policy, &case),
                    Err(_) => assert_eq!(row.context, XmlParser, "{case}"),
                }
            }
        }
    }
}

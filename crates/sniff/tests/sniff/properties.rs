//! The properties of every decision and of every document, which the fuzz target `sniff` checks, too.

use mojika::BomHandling;
use mojika_sniff::contexts::{BomRule, ErrorRule};
use mojika_sniff::xml::XmlError;
use mojika_sniff::{
    Confidence, Context, Decision, Document, DocumentError, Hints, Source, decode_document, sniff,
    sniff_leniently,
};
use mojika_spec::html_prescan;

/// Returns the first `length` bytes, in a separate allocation, so that AddressSanitizer detects reads beyond it.
pub fn head(bytes: &[u8], length: usize) -> Vec<u8> {
    bytes[..bytes.len().min(length)].to_vec()
}

/// Checks the properties of every decision and of every document, for any bytes. Returns the decision, if there is one.
pub fn check(bytes: &[u8], hints: &Hints) -> Option<Decision> {
    let decided = sniff(bytes, hints);
    let first = head(bytes, hints.head_length());
    assert_eq!(decided, sniff(&first, hints), "{hints:?}");
    let lenient = sniff_leniently(bytes, hints);
    match &decided {
        &Ok(decision) => {
            if hints.context != Context::XmlParser {
                assert_eq!(decision, lenient);
            }
            consistent(bytes, hints, decision);
        }
        Err(_) => assert_eq!(hints.context, Context::XmlParser),
    }
    consistent(bytes, hints, lenient);
    // Without detection, the shorter head for declarations must give the same decision.
    let undetected = Hints {
        detect: false,
        ..*hints
    };
    let first = head(bytes, hints.declaration_length());
    assert_eq!(sniff(bytes, &undetected), sniff(&first, &undetected));
    document(bytes, hints, &decided);
    decided.ok()
}

fn consistent(bytes: &[u8], hints: &Hints, decision: Decision) {
    let row = hints.context.row();
    let length = decision.bom_length;
    assert!(matches!(length, 0 | 2 | 3 | 4), "{decision:?}");
    assert!(length <= bytes.len(), "{decision:?}");
    if length > 0 {
        assert_ne!(row.bom, BomRule::Keep);
        // The mark must belong to the decided encoding: its bytes decode to U+FEFF alone.
        let options = decision.encoding.with(BomHandling::Keep);
        let text = options.decode(&bytes[..length]);
        assert_eq!(text.text, "\u{FEFF}", "{decision:?}");
    }
    if decision.source == Source::Bom {
        assert!(length > 0 && decision.confidence == Confidence::Certain);
    }
    let is_allowed = match decision.source {
        Source::Override => row.user_override && hints.user_override == Some(decision.encoding),
        Source::Transport => row.transport && hints.transport.is_some(),
        Source::Environment => {
            hints.explicit_environment == Some(decision.encoding)
                || hints.implied_environment == Some(decision.encoding)
                || hints.history == Some(decision.encoding)
        }
        Source::Detection => hints.detect,
        Source::Locale => hints.locale.is_some(),
        _ => true,
    };
    assert!(is_allowed, "{decision:?} {hints:?}");
    if !row.legacy && decision.source != Source::Bom {
        assert!(matches!(decision.encoding.name(), "UTF-8" | "ISO-8859-1"));
    }
}

fn document(bytes: &[u8], hints: &Hints, decided: &Result<Decision, XmlError>) {
    let row = hints.context.row();
    let document = decode_document(bytes, hints);
    let mut decision = match (decided, &document) {
        (Err(error), Err(DocumentError::Xml(other))) => {
            assert_eq!(error, other);
            return;
        }
        (Ok(decision), _) => *decision,
        other => panic!("{other:?}"),
    };
    if let Ok(Document {
        late_meta: Some(late),
        ..
    }) = &document
    {
        assert!(row.may_change && decision.confidence == Confidence::Tentative);
        assert_ne!(*late, decision.encoding);
        let expected = html_prescan::prescan(bytes).map(|encoding| encoding.name());
        assert_eq!(Some(late.name()), expected);
        decision.encoding = late;
        decision.source = Source::Meta;
        decision.confidence = Confidence::Certain;
    }
    let rest = &bytes[decision.bom_length..];
    let expected = decision.encoding.with(BomHandling::Keep).decode(rest);
    match document {
        Ok(document) => {
            assert_eq!(document.decision, decision);
            assert_eq!(document.text, expected.text, "{decision:?} {bytes:02X?}");
            assert_eq!(!document.errors.is_empty(), expected.had_errors);
            assert!(document.errors.is_empty() || row.errors != ErrorRule::Fatal);
            let mut least = decision.bom_length as u64;
            for error in &document.errors {
                assert!(error.offset >= least, "{error:?} {bytes:02X?}");
                least = error.offset + u64::from(error.len);
                assert!(least <= bytes.len() as u64, "{error:?} {bytes:02X?}");
            }
        }
        Err(DocumentError::Malformed(error)) => {
            assert_eq!(row.errors, ErrorRule::Fatal);
            let options = decision.encoding.with(BomHandling::Keep);
            let fatal = options.decode_fatal(rest).expect_err("malformed");
            let base = decision.bom_length as u64;
            assert_eq!(error.sequence.offset, fatal.sequence.offset + base);
            assert_eq!(error.sequence.len, fatal.sequence.len);
        }
        Err(other) => panic!("{other:?}"),
    }
}

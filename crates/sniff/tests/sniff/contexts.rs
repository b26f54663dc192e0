//! The table of contexts: the effect of each column, in every context.

use mojika::{GBK, UTF_16LE};
use mojika_sniff::contexts::{BomRule, Fallback, Row, Sniffing, TABLE};
use mojika_sniff::{Hints, sniff};

/// The encoding, the source, the confidence and the length of the byte order mark.
type Expected = (&'static str, &'static str, &'static str, usize);

/// Compares the decision on a document with `expected` in every context.
fn in_every_context(bytes: &[u8], known: Hints, expected: impl Fn(&Row) -> Expected) {
    for row in &TABLE {
        let hints = Hints {
            context: row.context,
            ..known
        };
        let decision = sniff(bytes, &hints).unwrap();
        let found = (
            decision.encoding.name(),
            decision.source.as_str(),
            decision.confidence.as_str(),
            decision.bom_length,
        );
        assert_eq!(found, expected(row), "{}", row.name);
    }
}

fn nothing() -> Hints<'static> {
    Hints::new(TABLE[0].context)
}

/// Returns the expected decision without any hint.
fn default(row: &Row) -> Expected {
    let encoding = match row.fallback {
        Fallback::Isomorphic => "ISO-8859-1",
        _ => "UTF-8",
    };
    (encoding, "default", guessed(row), 0)
}

/// Returns [`default`], with plain text for a context that depends on the type.
fn default_of_text(row: &Row, transport: &str) -> Expected {
    let (encoding, source, confidence, bom_length) = default(row);
    let is_by_type = row.sniffing == Sniffing::ByType && transport.contains('/');
    let confidence = if is_by_type { "tentative" } else { confidence };
    (encoding, source, confidence, bom_length)
}

fn guessed(row: &Row) -> &'static str {
    match row.sniffing {
        Sniffing::Html | Sniffing::Text => "tentative",
        _ => "certain",
    }
}

#[test]
fn default_of_every_context() {
    in_every_context(b"a", nothing(), default);
    in_every_context(b"", nothing(), default);
}

#[test]
fn bom_of_every_context() {
    in_every_context(b"\xEF\xBB\xBFa", nothing(), |row| match row.bom {
        BomRule::Sniff | BomRule::SniffUcs4 => ("UTF-8", "bom", "certain", 3),
        BomRule::Remove | BomRule::NotStated => {
            let (encoding, source, confidence, _) = default(row);
            (encoding, source, confidence, 3)
        }
        BomRule::Keep => default(row),
    });
    in_every_context(
        b"\xFE\xFF\0a",
        Hints {
            transport: Some(b"gbk"),
            ..nothing()
        },
        |row| match row.bom {
            BomRule::Sniff | BomRule::SniffUcs4 => ("UTF-16BE", "bom", "certain", 2),
            _ => default(row),
        },
    );
    // UTF-32 is recognised in XML and in text files.
    in_every_context(b"\xFF\xFE\0\0a\0\0\0", nothing(), |row| match row.bom {
        BomRule::Sniff if row.id == "xml-parser" => ("UTF-32LE", "bom", "certain", 4),
        BomRule::SniffUcs4 => ("UTF-32LE", "bom", "certain", 4),
        BomRule::Sniff => ("UTF-16LE", "bom", "certain", 2),
        _ => default(row),
    });
}

#[test]
fn transport_of_every_context() {
    for transport in ["koi8-r", "text/plain;charset=KOI8-R"] {
        in_every_context(
            b"a",
            Hints {
                transport: Some(transport.as_bytes()),
                ..nothing()
            },
            |row| {
                if row.transport {
                    ("KOI8-R", "transport", "certain", 0)
                } else {
                    default_of_text(row, transport)
                }
            },
        );
    }
    let transport = "text/plain;charset=klingon";
    in_every_context(
        b"a",
        Hints {
            transport: Some(transport.as_bytes()),
            ..nothing()
        },
        |row| default_of_text(row, transport),
    );
}

#[test]
fn declarations_of_every_context() {
    for (bytes, encoding, source) in [
        (&b"<meta charset=gbk>"[..], "GBK", "meta"),
        (b"@charset \"big5\";", "Big5", "css-charset"),
        (
            b"<?xml version='1.0' encoding='euc-jp'?>",
            "EUC-JP",
            "xml-declaration",
        ),
    ] {
        in_every_context(bytes, nothing(), |row| {
            let is_read = match row.sniffing {
                Sniffing::Html | Sniffing::XhrHtml => source != "css-charset",
                Sniffing::Xml => source == "xml-declaration",
                Sniffing::Css => source == "css-charset",
                Sniffing::Text | Sniffing::ByType | Sniffing::None => false,
            };
            if is_read {
                (encoding, source, guessed(row), 0)
            } else {
                default(row)
            }
        });
    }
}

#[test]
fn environment_of_every_context() {
    in_every_context(
        b"a",
        Hints {
            implied_environment: Some(GBK),
            ..nothing()
        },
        |row| {
            if row.fallback == Fallback::Environment {
                ("GBK", "environment", guessed(row), 0)
            } else {
                default(row)
            }
        },
    );
    // A page does not inherit UTF-16 from its parent document.
    in_every_context(
        b"a",
        Hints {
            implied_environment: Some(UTF_16LE),
            ..nothing()
        },
        |row| {
            if row.fallback == Fallback::Environment && row.sniffing != Sniffing::Html {
                ("UTF-16LE", "environment", guessed(row), 0)
            } else {
                default(row)
            }
        },
    );
}

#[test]
fn guesses_of_every_context() {
    let text = "Съешь же ещё этих мягких французских булок, да выпей чаю. ".repeat(4);
    let bytes = mojika::WINDOWS_1251.encode(&text).unwrap();
    in_every_context(&bytes, nothing(), |row| match row.sniffing {
        Sniffing::Html | Sniffing::Text => ("windows-1251", "detection", "tentative", 0),
        _ => default(row),
    });
    in_every_context(
        b"a",
        Hints {
            locale: Some("ja"),
            ..nothing()
        },
        |row| match row.sniffing {
            Sniffing::Html | Sniffing::Text => ("Shift_JIS", "locale", "tentative", 0),
            _ => default(row),
        },
    );
}

//! Tests of the number of bytes of a document that decide, in each kind of context.

use mojika_sniff::{Context, Hints};

#[test]
fn declarations_are_within_the_bytes_that_the_standards_name() {
    // HTML, section 13.2.3.2: 1024 bytes. XML 1.0, appendix F: the declaration, in code units of 4 bytes at most, after a
    // byte order mark. CSS Syntax, section 3.2: 1024 bytes. Text: the lines that its conventions allow.
    let expected = [
        (Context::HtmlParser, 1024),
        (Context::XmlParser, 4 + 4 * 1024),
        (Context::CssFromDocument, 1024),
        (Context::PlainText, 4096),
        (Context::XhrDocument, 1024),
    ];
    for (context, length) in expected {
        let hints = Hints::new(context);
        assert_eq!(hints.declaration_length(), length, "{context:?}");
        // Detection may only increase the number of bytes that are read.
        assert!(hints.head_length() >= length, "{context:?}");
        let undetected = Hints {
            detect: false,
            ..hints
        };
        assert_eq!(undetected.head_length(), length, "{context:?}");
    }
    assert_eq!(
        Hints::new(Context::PlainText).head_length(),
        mojika_sniff::detect::SAMPLE_LENGTH
    );
}

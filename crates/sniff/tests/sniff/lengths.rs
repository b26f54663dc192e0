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

#[test]
fn other_parameters_may_follow_a_charset() {
    use mojika_sniff::transport::encoding_for_content_type as of;
    for header in [
        "text/html; charset=windows-1251; x=y",
        "text/html; charset=\"windows-1251\"; x=y",
        "text/html; x=y; charset=windows-1251;z",
        "text/html;charset=windows-1251 ;x=\"y;z\"",
        "text/html; x=\"charset=gbk; \"; charset=windows-1251",
    ] {
        assert_eq!(
            of(header.as_bytes()),
            Some(mojika::WINDOWS_1251),
            "{header}"
        );
    }
    // A number alone names no page, unless it is a label of the Standard.
    let numbers = [
        &b"x/x; charset=1047"[..],
        b"x/x; charset=437",
        b"x/x; charset=\" 37 \"",
    ];
    assert_eq!(numbers.map(of), [None; 3]);
    assert_eq!(of(b"x/x; charset=866"), Some(mojika::IBM866));
    assert_eq!(of(b"x/x; charset=ibm-1047"), mojika::extended::ibm(1047));
}

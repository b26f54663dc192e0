//! Tests of the order of the sources, and of the rules of HTML, CSS, transport and detection.

use mojika::*;
use mojika_sniff::{Context, Decision, Hints, Response, Source, css, html, sniff};
use mojika_spec::Random;

fn decide(bytes: &[u8], hints: &Hints) -> Decision {
    sniff(bytes, hints).unwrap_or_else(|error| panic!("{bytes:X?}: {error}"))
}

const FULL: Hints = Hints {
    context: Context::HtmlParser,
    user_override: Some(BIG5),
    transport: Some(b"text/html;charset=koi8-r"),
    explicit_environment: Some(GBK),
    implied_environment: Some(EUC_KR),
    history: Some(SHIFT_JIS),
    locale: Some("pl"),
    tld: None,
    detect: false,
};

#[test]
fn each_source_yields_to_the_one_before_it() {
    let page = b"\xEF\xBB\xBF<meta charset=euc-jp>";
    let mut hints = FULL;
    let mut seen = Vec::new();
    let mut note = |page: &[u8], hints: &Hints| {
        let Decision {
            encoding,
            source,
            confidence,
            ..
        } = decide(page, hints);
        seen.push((encoding.name(), source.as_str(), confidence.as_str()));
    };
    note(page, &hints);
    note(&page[3..], &hints);
    hints.user_override = None;
    note(&page[3..], &hints);
    hints.transport = None;
    note(&page[3..], &hints);
    note(b"<p>", &hints);
    hints.explicit_environment = None;
    note(b"<p>", &hints);
    hints.implied_environment = None;
    note(b"<p>", &hints);
    hints.history = None;
    note(b"<p>", &hints);
    hints.locale = None;
    note(b"<p>", &hints);
    assert_eq!(
        seen,
        [
            ("UTF-8", "bom", "certain"),
            ("Big5", "override", "certain"),
            ("KOI8-R", "transport", "certain"),
            ("EUC-JP", "meta", "tentative"),
            ("GBK", "environment", "tentative"),
            ("EUC-KR", "environment", "tentative"),
            ("Shift_JIS", "environment", "tentative"),
            ("ISO-8859-2", "locale", "tentative"),
            ("UTF-8", "default", "tentative"),
        ]
    );
}

/// Pages with the results of the prescan. The source is stated unless it is a `meta`; empty means no declaration.
const PRESCAN: &[(&[u8], &str)] = &[
    (b"<meta charset=gbk>", "GBK"),
    (b"<META/CHARSET='gbk'>", "GBK"),
    (b"<meta charset = \"gbk\" x>", "GBK"),
    (b"<meta\x0Ccharset=\tgbk\n>", "GBK"),
    (b"<metacharset=gbk>", ""),
    (b"<meta charset=gbk", ""),
    (b"<meta charset=\"gbk>", ""),
    (b"<meta charset=gbk/>", ""),
    (b"<meta charset=gbk />", "GBK"),
    (b"<meta charset=bogus><meta charset=gbk>", "GBK"),
    (b"<meta charset=bogus charset=gbk>", ""),
    (b"<meta charset=gbk charset=bogus>", "GBK"),
    (b"<meta charset=utf-16>", "UTF-8"),
    (b"<meta charset=utf-16be>", "UTF-8"),
    (b"<meta charset=x-user-defined>", "windows-1252"),
    (b"<!-- <meta charset=gbk> -->", ""),
    (b"<!--><meta charset=gbk>", "GBK"),
    (b"<!---><meta charset=gbk>", "GBK"),
    (b"<!-- a -- > <meta charset=gbk>", ""),
    (b"<!x <meta charset=gbk>", ""),
    (b"<!x > <meta charset=gbk>", "GBK"),
    (b"<?x <meta charset=gbk><meta charset=big5>", "Big5"),
    (b"</p <meta charset=gbk><meta charset=big5>", "Big5"),
    (b"</ <meta charset=gbk><meta charset=big5>", "Big5"),
    (b"<p title='<meta charset=gbk>'><meta charset=big5>", "Big5"),
    (b"<p title=\"> <meta charset=gbk>", ""),
    (b"<1><meta charset=gbk>", "GBK"),
    (b"<<meta charset=gbk>", "GBK"),
    (b"<script><meta charset=gbk></script>", "GBK"),
    (b"<meta content='text/html; charset=gbk'>", ""),
    (
        b"<meta http-equiv=refresh content='text/html; charset=gbk'>",
        "",
    ),
    (
        b"<meta http-equiv=Content-Type content='text/html; charset=gbk'>",
        "GBK",
    ),
    (
        b"<meta content='text/html; charset=gbk' http-equiv=content-type>",
        "GBK",
    ),
    (
        b"<meta http-equiv=content-type content='charset; charset = \"gbk\"'>",
        "GBK",
    ),
    (
        b"<meta http-equiv=content-type content='charset=\"gbk'>",
        "",
    ),
    (
        b"<meta http-equiv=content-type content='charset=gbk' charset=big5>",
        "Big5",
    ),
    (
        b"<meta http-equiv=content-type content='charset=gbk' charset=bogus>",
        "",
    ),
    (
        b"<meta http-equiv=content-type content='a' content='charset=gbk'>",
        "",
    ),
    (b"<meta content='charset=gbk' charset=big5>", "Big5"),
    (b"<\0?\0x\0", "UTF-16LE xml-family"),
    (b"\0<\0?\0x", "UTF-16BE xml-family"),
    (b"<\0?\0y\0", ""),
    (b"<?xml encoding='gbk'>", "GBK xml-declaration"),
    (b"<?xml encoding = \"gbk\" ?>", "GBK xml-declaration"),
    (b"<?xml encoding='utf-16'?>", "UTF-8 xml-declaration"),
    (b"<?xml encoding=' gbk'?>", ""),
    (b"<?xml ?> encoding='gbk'>", ""),
    (b" <?xml encoding='gbk'?>", ""),
    (b"<?xml encoding='gbk'?><meta charset=big5>", "Big5"),
    (b"<?XML encoding='gbk'?>", ""),
];

#[test]
fn html_prescan() {
    for &(page, expected) in PRESCAN {
        let found = html::prescan(page).map(|found| match found.source {
            Source::Meta => found.encoding.name().to_owned(),
            source => format!("{} {}", found.encoding.name(), source.as_str()),
        });
        assert_eq!(
            found.unwrap_or_default(),
            expected,
            "{}",
            page.escape_ascii()
        );
    }
}

/// The parts of generated pages for comparing the prescan with a literal implementation of the Standard.
#[rustfmt::skip]
const PIECES: [&[u8]; 40] = [
    b"<meta ", b"<META/", b"<meta", b"charset", b"=", b" = ", b"gbk", b"'gbk'", b"\"big5\"", b"bogus", b"utf-16be",
    b"x-user-defined", b" ", b"\x0C", b"/", b">", b"'", b"\"", b"<", b"<!", b"<!--", b"--", b"-->", b"->", b"<?",
    b"</", b"</p", b"<p ", b"http-equiv", b"=content-type", b"='Content-Type' ", b"content", b"='charset=euc-jp'",
    b"=\"text/html; charset='sjis'\"", b";", b"<?xml ", b"encoding", b"<\0?\0x\0", b"\0", b"\xE9",
];

#[test]
fn html_prescan_is_its_transliteration() {
    let random = &mut Random::new(27);
    let mut found = 0;
    for _ in 0..200_000 {
        let mut page = Vec::new();
        for _ in 0..2 + random.below(14) {
            page.extend_from_slice(random.pick::<&[u8]>(&PIECES));
        }
        let expected = mojika_spec::html_prescan::prescan(&page).map(|encoding| encoding.name());
        let encoding = html::prescan(&page).map(|found| found.encoding.name());
        assert_eq!(encoding, expected, "{}", page.escape_ascii());
        found += usize::from(encoding.is_some());
    }
    assert!(found > 1000, "{found}");
}

#[test]
fn html_prescan_ends_behind_1024_bytes() {
    for (padding, found) in [(1024 - 18, true), (1024 - 17, false)] {
        let mut page = vec![b' '; padding];
        page.extend_from_slice(b"<meta charset=gbk><p>");
        assert_eq!(html::prescan(&page).is_some(), found, "{padding}");
    }
}

#[test]
fn css_charset_is_exact() {
    for (sheet, expected) in [
        (&b"@charset \"gbk\";"[..], Some(GBK)),
        (b"@charset \" gbk \";", Some(GBK)),
        (b"@charset \"utf-16\";", Some(UTF_8)),
        (b"@charset \"utf-16be\";", Some(UTF_8)),
        (b"@CHARSET \"gbk\";", None),
        (b"@charset  \"gbk\";", None),
        (b"@charset 'gbk';", None),
        (b"@charset \"gbk\" ;", None),
        (b" @charset \"gbk\";", None),
        (b"@charset \"gbk", None),
        (b"@charset \"bogus\";", None),
    ] {
        assert_eq!(css::charset(sheet), expected, "{}", sheet.escape_ascii());
    }
}

#[test]
fn transport_charset_by_mime_sniffing() {
    for (header, expected) in [
        (&b"text/html;charset=gbk"[..], Some(GBK)),
        (b" text/html ; CHARSET=gbk ", Some(GBK)),
        (b"text/html;charset=\"gbk\"x;a=b", Some(GBK)),
        (b"text/html;charset=\"g\\bk\"", Some(GBK)),
        (b"text/html;charset=\"gbk", Some(GBK)),
        (b"text/html;charset =gbk", None),
        (b"text/html;charset= gbk", Some(GBK)),
        (b"text/html;charset='gbk'", None),
        (b"text/html;charset=;charset=gbk", Some(GBK)),
        (b"text/html;charset;charset=gbk", Some(GBK)),
        (b"text/html;charset=\"\x01\";charset=gbk", Some(GBK)),
        (b"text/html;charset=bogus;charset=gbk", None),
        (b"text/html;a=\";charset=big5\";charset=gbk", Some(GBK)),
        (b"text/html;;charset=gbk", Some(GBK)),
        (b"text/html; x=y; charset=gbk ;z=\"y;z\"", Some(GBK)),
        (b"text;charset=gbk", None),
        (b"/html;charset=gbk", None),
        (b"te xt/html;charset=gbk", None),
        (b"", None),
        // A number alone names no page, unless it is a label of the Standard.
        (b"x/x; charset=1047", None),
        (b"x/x; charset=437", None),
        (b"x/x; charset=\" 37 \"", None),
        (b"x/x; charset=866", Some(IBM866)),
        (b"x/x; charset=ibm-1047", extended::ibm(1047)),
    ] {
        let found = Response::new("", [("Content-Type", header)]).charset();
        assert_eq!(found, expected, "{}", header.escape_ascii());
    }
}

#[test]
fn utf_16_is_detected_from_256_bytes_on() {
    for text in [
        "Grüße aus München, heute mit Sonne. ",
        "Привет, мир! Как дела? ",
        "日本語の文章です。漢字とかな。",
        "中文网页的内容，没有声明编码。",
        "한국어 문장입니다. ",
        "ภาษาไทยไม่มีช่องว่าง ",
    ] {
        for encoding in [UTF_16BE, UTF_16LE] {
            let text = text.repeat(20);
            let bytes = &encoding.encode(&text).unwrap()[..256];
            let decision = decide(bytes, &Hints::new(Context::PlainText));
            assert_eq!(
                (decision.encoding, decision.source),
                (encoding, Source::Detection),
                "{text}"
            );
        }
    }
}

#[test]
fn rows_of_the_table_stand_at_their_context() {
    for (number, row) in mojika_sniff::contexts::TABLE.iter().enumerate() {
        assert_eq!(row.context as usize, number, "{}", row.name);
    }
}

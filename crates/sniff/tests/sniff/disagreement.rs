//! Declarations that the bytes contradict. The judgement uses the declared encoding, but is doubtful.

use crate::with;
use mojika::{
    EUC_KR, Encoding, ISO_2022_JP, MACINTOSH, SHIFT_JIS, UTF_8, WINDOWS_1250, WINDOWS_1251,
    WINDOWS_1252, WINDOWS_1253,
};
use mojika_sniff::judge::{Judgement, Policy, judge};
use mojika_sniff::{Context, Hints, Source};

/// Returns the judgement on a page, after checking that it uses the encoding of the `meta`.
fn of_page(declared: &'static Encoding, text: &[u8]) -> Judgement {
    let meta = format!("<meta charset={}><p>", declared.name());
    let page = [meta.as_bytes(), text].concat();
    let hints = Hints::new(Context::HtmlParser);
    let judgement = judge(&page, &hints, &Policy::default()).unwrap();
    assert_eq!(judgement.decision.encoding, declared, "{text:X?}");
    let is_contradicted = judgement.contradiction.is_some();
    assert_eq!(judgement.is_doubtful(0.9), is_contradicted, "{text:X?}");
    assert!(!judgement.is_doubtful(0.0), "{text:X?}");
    judgement
}

/// In this page, only the title has a tag next to a non-ASCII letter.
#[test]
fn the_text_after_the_title_contradicts_a_declaration() {
    let text =
        "Til middag spiser vi røget ål med brød og smør, og så går vi en lang tur på stranden.";
    let page = format!(
        "</p><title>\u{c5}r</title><body>\n{}\n{text}\n",
        "- ".repeat(20)
    );
    let bytes = mojika::MACINTOSH.encode(&page).unwrap();
    assert_eq!(
        of_page(WINDOWS_1252, &bytes).contradiction,
        Some(mojika::MACINTOSH)
    );
    let bytes = WINDOWS_1252.encode(&page).unwrap();
    assert_eq!(of_page(WINDOWS_1252, &bytes).contradiction, None);
}

/// One letter of another script, or one sign, within a word of Latin letters suffices for a contradiction.
#[test]
fn words_that_the_declared_encoding_breaks_contradict_it() {
    for (written, declared, text) in [
        (
            WINDOWS_1252,
            WINDOWS_1251,
            "Dat is intuïtief, en zo kopieën wij het.",
        ),
        (WINDOWS_1250, WINDOWS_1251, "džumadelu"),
        (
            WINDOWS_1252,
            WINDOWS_1253,
            "Das wird es zerstören, wie es war.",
        ),
        (
            WINDOWS_1252,
            EUC_KR,
            "De gebruiker is geïnteresseerd in dit programma.",
        ),
        (
            MACINTOSH,
            WINDOWS_1252,
            "Sistema Iniciável, programa Iniciável",
        ),
        (MACINTOSH, WINDOWS_1252, "Pátio, câmara e variável"),
        (
            MACINTOSH,
            WINDOWS_1251,
            "De oriëntatie van de seriële poort.",
        ),
        (
            MACINTOSH,
            WINDOWS_1252,
            "Tiedosto, jäsennys ja nimellä: väliaika",
        ),
    ] {
        let bytes = written.encode(text).unwrap();
        let shown = of_page(declared, &bytes).contradiction.expect(text);
        assert_eq!(shown.decode(&bytes).text, text, "{}", shown.name());
    }
}

/// Correctly declared text may have letters of other scripts next to ASCII letters, and signs between words.
#[test]
fn letters_beside_ascii_words_are_as_declared() {
    for (declared, text) in [
        (WINDOWS_1251, "printf(\"\\nПривет\\n\");"),
        (WINDOWS_1251, "Windowsом пользуются"),
        (WINDOWS_1251, "файл readme.txt или readmeв"),
        (WINDOWS_1252, "it’s word—word and so on…then"),
        (WINDOWS_1252, "the news»sport page"),
        (WINDOWS_1252, "a red•green switch"),
        (WINDOWS_1252, "a flow in m³h, or so"),
        (WINDOWS_1252, "a±b"),
        (WINDOWS_1252, "He said “this” and ‘that’ • and more"),
        (WINDOWS_1252, "col·lecció"),
        (SHIFT_JIS, "pythonのlist"),
        (SHIFT_JIS, "WindowsのDLL"),
        (EUC_KR, "pdf로export"),
    ] {
        let bytes = declared.encode(text).unwrap();
        let judgement = of_page(declared, &bytes);
        assert_eq!(judgement.contradiction, None, "{text}");
    }
}

#[test]
fn escapes_of_iso_2022_jp_contradict_a_declaration_of_utf_8() {
    let text = ISO_2022_JP.encode("文字コードの変換").unwrap();
    assert_eq!(of_page(UTF_8, &text).contradiction, Some(ISO_2022_JP));
    assert_eq!(of_page(SHIFT_JIS, &text).contradiction, Some(ISO_2022_JP));
    assert_eq!(of_page(UTF_8, b"nothing but ASCII").contradiction, None);
}

/// Declarations in markup, style sheets, comments and by servers are compared with the bytes. A reader's own choice is
/// not, because it is not a declaration.
#[test]
fn whoever_declares_what_the_bytes_contradict_is_doubted() {
    let russian = WINDOWS_1251
        .encode("Вечером на веранде пили чай с вареньем и говорили о лете.")
        .unwrap();
    let xml = "<?xml version='1.0' encoding='windows-1252'?><a>";
    for (context, start, transport, source) in [
        (
            Context::HtmlParser,
            "<meta charset=latin1>",
            None,
            Source::Meta,
        ),
        (Context::XmlParser, xml, None, Source::XmlDeclaration),
        (
            Context::CssFromLink,
            "@charset \"latin1\";",
            None,
            Source::CssCharset,
        ),
        (
            Context::PlainText,
            "# coding: latin1\n",
            None,
            Source::Declaration,
        ),
        (
            Context::HtmlParser,
            "<p>",
            Some(&b"text/html; charset=latin1"[..]),
            Source::Transport,
        ),
    ] {
        let text = [start.as_bytes(), &russian].concat();
        let hints = with(context, |known| known.transport = transport);
        let judgement = judge(&text, &hints, &Policy::default()).unwrap();
        let decision = judgement.decision;
        assert_eq!((decision.encoding, decision.source), (WINDOWS_1252, source));
        assert_eq!(judgement.contradiction, Some(WINDOWS_1251), "{source:?}");
        assert!(
            judgement.is_doubtful(0.9) && !judgement.is_doubtful(0.0),
            "{source:?}"
        );
        if context == Context::CssFromLink {
            // The reader cannot choose an encoding in this context.
            continue;
        }
        let hints = Hints {
            user_override: Some(WINDOWS_1252),
            ..hints
        };
        let judgement = judge(&text, &hints, &Policy::default()).unwrap();
        assert_eq!(
            (judgement.decision.source, judgement.declared),
            (Source::Override, None)
        );
        assert_eq!(judgement.contradiction, None,);
        assert!(!judgement.is_doubtful(0.9), "{source:?}");
    }
}

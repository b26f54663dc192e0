//! All answers on short texts: in pages outside the Standard, and with hints about their language.

use super::documents::by_name;
use super::{grouped, ranked, snapshot};
use crate::encoded;
use mojika::sniff::detect::{DetectHints, detect};
use mojika::{BIG5, EUC_KR, Encoding, GB18030, GBK, UTF_8, WINDOWS_1251, WINDOWS_1252};
use std::fmt::Write;

/// Texts in pages of EBCDIC, with the letters and signs in which these differ.
const EBCDIC: [(&str, &str); 19] = [
    (
        "IBM037",
        "Enter the price in cents, 5\u{A2} or 10\u{A2}, and press any key!",
    ),
    (
        "IBM037",
        "Ap\u{F3}s o jantar, a av\u{F3} contou hist\u{F3}rias at\u{E9} \u{E0} noite.\u{85}",
    ),
    ("IBM037", "Call us.\u{85}"),
    (
        "IBM037",
        "Prices are in \u{A2} and not in $, and 5 \u{A2} is the least.",
    ),
    (
        "IBM500",
        "Le gar\u{E7}on \u{E9}tait d\u{E9}j\u{E0} l\u{E0} [\u{E0} l'heure], n'est-ce pas!",
    ),
    ("IBM1047", "if (a[1] == b[2]) { return !c | d; }\u{85}"),
    (
        "IBM1047",
        "The list [of all things] remains here, and more of it",
    ),
    (
        "IBM1140",
        "The price is 5 \u{20AC}, or 10 \u{20AC} with a box.",
    ),
    (
        "IBM273",
        "Die Br\u{FC}cke \u{FC}ber den Flu\u{DF} wurde im M\u{E4}rz ge\u{F6}ffnet.",
    ),
    (
        "IBM273",
        "GR\u{D6}\u{DC}E UND \u{DC}BUNG, \u{C4}NDERUNG F\u{DC}R M\u{DC}LLER",
    ),
    (
        "IBM1141",
        "Die \u{DC}bung kostet f\u{FC}r Sch\u{FC}ler 5 \u{20AC}, sp\u{E4}ter 10 \u{20AC}.",
    ),
    (
        "IBM277",
        "Bageren p\u{E5} hj\u{F8}rnet \u{E5}bner f\u{F8}rst klokken otte om s\u{F8}ndagen.",
    ),
    (
        "IBM278",
        "P\u{E5} \u{F6}n v\u{E4}xer det bara n\u{E5}gra f\u{E5} tr\u{E4}d, men m\u{E5}nga f\u{E5}glar.",
    ),
    (
        "IBM280",
        "La citt\u{E0} \u{E8} pi\u{F9} bella di sera, perch\u{E9} c'\u{E8} silenzio.",
    ),
    (
        "IBM284",
        "La ni\u{F1}a perdi\u{F3} el paraguas, y ma\u{F1}ana volver\u{E1}n todos.",
    ),
    (
        "IBM285",
        "The ticket is \u{A3}5, and a cup of tea is \u{A3}2.",
    ),
    (
        "IBM297",
        "Le gar\u{E7}on pr\u{E8}s de la fen\u{EA}tre \u{E9}tait d\u{E9}j\u{E0} l\u{E0}.",
    ),
    (
        "IBM871",
        "\u{DE}a\u{F0} var kalt \u{ED} ve\u{F0}ri og b\u{F6}rnin f\u{F3}ru heim a\u{F0} bor\u{F0}a.",
    ),
    (
        "IBM1047",
        "\u{E9} \u{E8} \u{E0} \u{FC} \u{F6} \u{E4} \u{F1} \u{E7} \u{DF} \u{E5} \u{F8} \u{E6} \u{ED}",
    ),
];

/// Texts in code pages of DOS.
const DOS: [(&str, &str); 25] = [
    (
        "IBM437",
        "Die Brücke über den Fluß wurde geöffnet, später als üblich.",
    ),
    ("IBM437", "Temperature: 20°C ± 2, α = 5 µm, Ω = ½"),
    ("IBM437", "Für α = 5 ist Γ größer als π, später kleiner"),
    ("IBM437", "MÜLLER, GRÖßE 5: ÄNDERUNG"),
    ("IBM437", "┌───┐\n│ é │\n└───┘"),
    (
        "IBM850",
        "A estação fica longe do centro, mas os ônibus não param à noite.",
    ),
    ("IBM850", "╔═══╗\n║ Ações ║\n╚═══╝ são três"),
    (
        "IBM852",
        "Příliš žluťoučký kůň úpěl ďábelské ódy, a pak šel domů.",
    ),
    (
        "IBM852",
        "Wczoraj późnym wieczorem spadł śnieg i przykrył całą łąkę.",
    ),
    ("IBM855", "Вечером на веранде пили чай и говорили о лете."),
    ("IBM855", "През лятото къщата до морето беше пълна с гости."),
    ("IBM858", "Der Preis für die Übung ist 5 €, später 10 €."),
    (
        "IBM865",
        "Bageren på hjørnet åbner først klokken otte om søndagen.",
    ),
    (
        "IBM860",
        "A estação fica longe do centro, mas os ônibus não param à noite.",
    ),
    (
        "IBM861",
        "Það var kalt í veðri og börnin fóru heim að borða.",
    ),
    ("IBM863", "Le garçon près de la fenêtre était déjà là."),
    ("IBM737", "Το πλοίο έφυγε από το λιμάνι πριν ξημερώσει."),
    ("IBM737", "├─┤ Το πλοίο ├─┤ έφυγε από το λιμάνι █▓▒░"),
    ("IBM869", "Το πλοίο έφυγε από το λιμάνι πριν ξημερώσει."),
    (
        "IBM857",
        "Küçük dükkânın önünde her sabah aynı kedi oturuyordu.",
    ),
    ("IBM862", "בבוקר יצאנו לשוק הישן כדי לקנות לחם ופירות."),
    ("IBM862", "───── בבוקר יצאנו לשוק ───── á ñ"),
    (
        "IBM775",
        "Kai ežeras užšąla, žvejai eina ant ledo ir gręžia skyles.",
    ),
    ("IBM866", "╔═════╗\n║ Цена ║ 5\n╚═════╝"),
    (
        "windows-1252",
        "Le garçon près de la fenêtre était déjà là.",
    ),
];

/// Few letters, which several encodings and languages have.
const SHORT: [(&str, &str); 13] = [
    ("windows-1252", "há"),
    ("windows-1252", "Müller"),
    ("windows-1252", "œuf"),
    ("windows-1252", "(© 1994)"),
    ("windows-1250", "žluť"),
    ("windows-1254", "şöyle"),
    ("windows-1251", "і ще"),
    ("windows-1251", "вот"),
    ("windows-1253", "και"),
    ("GBK", "中国人"),
    ("Big5", "中文"),
    ("Shift_JIS", "日本"),
    ("EUC-KR", "한국"),
];

/// A hint about a text, and its name.
type Known = (&'static str, DetectHints<'static>);

const NOTHING: DetectHints = DetectHints {
    tld: None,
    locale: None,
    allowed: None,
    denied: &[],
    extended: false,
    strip_markup: false,
};

const FEW: [&Encoding; 5] = [UTF_8, WINDOWS_1252, GB18030, BIG5, EUC_KR];

const fn domain(tld: &'static str) -> DetectHints<'static> {
    DetectHints {
        tld: Some(tld),
        ..NOTHING
    }
}

const fn locale(locale: &'static str) -> DetectHints<'static> {
    DetectHints {
        locale: Some(locale),
        ..NOTHING
    }
}

const KNOWN: [Known; 22] = [
    ("nothing", NOTHING),
    ("com", domain("com")),
    ("pt", domain("pt")),
    ("hu", domain("www.example.HU.")),
    ("ch", domain("ch")),
    ("cz", domain("cz")),
    ("tr", domain("tr")),
    ("ua", domain("ua")),
    ("gr", domain("gr")),
    ("cn", domain("cn")),
    ("tw", domain("tw")),
    ("jp", domain("jp")),
    ("locale pt-BR", locale("pt-BR")),
    ("locale nb", locale("nb")),
    ("locale zh", locale("zh")),
    ("locale zh-Hant", locale("zh-Hant")),
    ("locale ja", locale("ja")),
    ("locale x", locale("x")),
    (
        "ru, locale ru",
        DetectHints {
            locale: Some("ru"),
            ..domain("ru")
        },
    ),
    (
        "cz, locale fr",
        DetectHints {
            locale: Some("fr"),
            ..domain("cz")
        },
    ),
    (
        "few allowed",
        DetectHints {
            allowed: Some(&FEW),
            ..NOTHING
        },
    ),
    (
        "some denied",
        DetectHints {
            denied: &[WINDOWS_1251, GBK],
            ..NOTHING
        },
    ),
];

fn rankings(texts: &[(&str, &str)], known: &[Known]) -> String {
    let mut text = String::new();
    for (name, one) in texts {
        writeln!(text, "# {name}: {}", one.escape_debug()).unwrap();
        let bytes = encoded(by_name(name), one);
        text += &grouped(
            known
                .iter()
                .map(|(way, hints)| (*way, ranked(&detect(&bytes, hints)))),
        );
    }
    text
}

#[test]
fn rankings_of_pages_outside_the_standard_are_those_reviewed() {
    let known: [Known; 2] = [
        (
            "extended",
            DetectHints {
                extended: true,
                ..NOTHING
            },
        ),
        ("standard", NOTHING),
    ];
    let text = rankings(&EBCDIC, &known[..1]) + &rankings(&DOS, &known);
    snapshot("pages.txt", &text);
}

#[test]
fn rankings_by_what_is_known_of_the_language_are_those_reviewed() {
    snapshot("known.txt", &rankings(&SHORT, &KNOWN));
}

//! Languages of texts whose first words are of other languages too.

use super::{encoded, plain};

/// Encodings, language, the first words of a text, and what follows. The words are names and loans, which cost less in
/// another language.
const TEXTS: [(&[&str], &str, &str, &str); 10] = [
    (
        &["windows-1251", "ISO-8859-5", "x-mac-cyrillic"],
        "bg",
        "Концерт на Марина и Драган. Јазз бар Роза, Скопие. ",
        "Вечерта продължи с класически песни, а публиката остана до полунощ и поиска още. Който желае да си купи билет за \
         следващата седмица, трябва да побърза, защото залата не е голяма и местата свършват бързо.",
    ),
    (
        &["windows-1251", "KOI8-R", "ISO-8859-5"],
        "ru",
        "Роман Петрович, Сава Романов. Програма \"Драма\". ",
        "Вечером в большом зале библиотеки состоится встреча с читателями. Вход свободный, но мы просим вас приходить заранее, \
         потому что свободных мест обычно не бывает.",
    ),
    (
        &["windows-1251", "ISO-8859-5"],
        "sr",
        "Марина Иванова, Петар Данев. Театър, София. ",
        "Гледаоци су дуго чекали испред позоришта, јер представа није почела на време. Ипак су сви били веома задовољни, нарочито \
         они који долазе сваке недеље и добро познају глумце.",
    ),
    (
        &["windows-1251", "KOI8-U"],
        "uk",
        "Роман Петров, Марина Романова. Программа. ",
        "Увечері у великій залі бібліотеки відбудеться зустріч із читачами. Вхід вільний, але просимо приходити заздалегідь, бо \
         вільних місць зазвичай не буває.",
    ),
    (
        &["windows-1250", "ISO-8859-2"],
        "sl",
        "Številka 3: Veliki koncert v dvorani Tivoli. Ćopić, Đurić. ",
        "Po koncertu je večina poslušalcev še dolgo ostala v dvorani in se pogovarjala z glasbeniki. Kdor želi kupiti vstopnico za prihodnji \
         teden, naj pohiti, saj je ostalo samo še nekaj sedežev v zadnji vrsti.",
    ),
    (
        &["windows-1250", "ISO-8859-2"],
        "hr",
        "Šola, Žena, Čaj. Koncert v Ljubljani, še vedno. ",
        "Nakon koncerta publika je još dugo ostala u dvorani i razgovarala s glazbenicima. Tko želi kupiti ulaznicu za sljedeći \
         tjedan, neka požuri, jer je ostalo samo još nekoliko sjedala u zadnjem redu, što se vrlo često događa.",
    ),
    (
        &["windows-1250", "ISO-8859-2"],
        "cs",
        "Lúčky, Ďumbier, Kráľ. Náš dom č. 5. ",
        "Po koncertě zůstali posluchači ještě dlouho v sále a povídali si s hudebníky. Kdo si chce koupit vstupenku na příští týden, \
         měl by si pospíšit, protože zbývá už jen několik míst v poslední řadě.",
    ),
    (
        &["windows-1252"],
        "pt",
        "María García, José Fernández: concierto, café. ",
        "Depois do concerto, os ouvintes ficaram ainda muito tempo na sala e conversaram com os músicos. Quem quiser comprar um \
         bilhete para a próxima semana tem de se apressar, porque já não há muitos lugares e as sessões são poucas.",
    ),
    (
        &["windows-1252"],
        "es",
        "João, São Paulo. ",
        "Después del concierto, los oyentes se quedaron mucho tiempo en la sala y hablaron con los músicos. Quien quiera comprar una \
         entrada para la próxima semana tendrá que darse prisa, porque ya no quedan muchos sitios y mañana habrá menos.",
    ),
    (
        &["windows-1252"],
        "sv",
        "Søren Kjær, Århus, Ærø, København. ",
        "Efter konserten stannade åhörarna länge kvar i salen och pratade med musikerna. Den som vill köpa en biljett till nästa \
         vecka måste skynda sig, för det finns bara några få platser kvar på sista raden.",
    ),
];

/// Texts are named by all that was read of them, up to 256 bytes, and not by what decides the encoding.
#[test]
fn the_first_words_do_not_decide_the_language() {
    let mut wrong = Vec::new();
    for (encodings, language, beginning, rest) in TEXTS {
        let text = format!("{beginning}{rest}");
        for name in encodings {
            // Letters of other languages that the encoding lacks are left out.
            let text: String = text
                .chars()
                .filter(|&letter| super::encoding(name).encode(&letter.to_string()).is_ok())
                .collect();
            let ranking = plain(&encoded(name, &text));
            if ranking[0].language != Some(language) {
                wrong.push(format!("{name} {language}: {ranking:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

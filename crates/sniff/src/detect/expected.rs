//! The prior probabilities of encodings and languages from hints.

use super::super::html;
use super::DetectHints;
use super::statistics::{self, Expected};
use mojika::Encoding;

/// The cost, in sixteenths of a bit, of a language that is neither spoken in the domain's countries nor the reader's.
const DOMAIN: i32 = 6 * 16;
const LOCALE: i32 = 5 * 16;

/// The prior costs for a document.
pub(super) struct Prior<'a> {
    hints: &'a DetectHints<'a>,
    domain: &'static [&'static str],
    locale: Option<&'static str>,
}

impl<'a> Prior<'a> {
    pub fn new(hints: &'a DetectHints<'a>) -> Self {
        Self {
            hints,
            domain: hints.tld.map_or(&[], languages_of_domain),
            locale: hints.locale.and_then(language_of_locale),
        }
    }
}

impl Expected for Prior<'_> {
    fn allows(&self, encoding: &'static Encoding) -> bool {
        self.hints.allows(encoding)
    }

    fn cost_of(&self, tag: &str) -> i32 {
        let mut cost = 0;
        if !self.domain.is_empty() && !self.domain.contains(&tag) {
            cost += DOMAIN;
        }
        if self.locale.is_some_and(|locale| locale != tag) {
            cost += LOCALE;
        }
        cost
    }

    fn is_extended(&self) -> bool {
        self.hints.extended
    }

    fn is_certain(&self) -> bool {
        self.hints.allowed.is_some()
    }
}

/// Top-level domains, and their languages. Other domains, such as "com", do not suggest a language.
const DOMAINS: &[(&str, &[&str])] = &[
    ("ae eg iq jo kw ly om ps qa sa sd sy ye", &["ar"]),
    ("dz lb ma tn", &["ar", "fr"]),
    ("by", &["be", "ru"]),
    ("bg", &["bg"]),
    ("cat", &["ca"]),
    ("ad", &["ca", "es"]),
    ("cz", &["cs"]),
    ("cymru wales", &["cy"]),
    ("dk no", &["da"]),
    ("at de li", &["de"]),
    ("ch", &["de", "fr", "it"]),
    ("cy gr", &["el"]),
    ("ie uk", &["en"]),
    ("ar cl mx pe uy ve", &["es"]),
    ("es", &["es", "ca"]),
    ("co", &["es", "en"]),
    ("ee", &["et", "ru"]),
    ("af ir", &["fa"]),
    ("fi", &["fi", "sv"]),
    ("fr", &["fr"]),
    ("lu", &["fr", "de"]),
    ("il", &["he"]),
    ("hr", &["hr"]),
    ("ba", &["hr", "sr"]),
    ("hu", &["hu"]),
    ("is", &["is"]),
    ("it", &["it"]),
    ("jp", &["ja"]),
    ("kp kr", &["ko"]),
    ("lt", &["lt"]),
    ("lv", &["lv", "ru"]),
    ("mk", &["mk"]),
    ("nl", &["nl"]),
    ("be", &["nl", "fr", "de"]),
    ("pl", &["pl"]),
    ("br pt", &["pt"]),
    ("ro", &["ro"]),
    ("md", &["ro", "ru"]),
    ("ru su", &["ru"]),
    ("sk", &["sk"]),
    ("si", &["sl"]),
    ("rs", &["sr"]),
    ("me", &["sr", "hr"]),
    ("se", &["sv"]),
    ("th", &["th"]),
    ("tr", &["tr"]),
    ("ua", &["uk", "ru"]),
    ("vn", &["vi"]),
    ("cn", &["zh-CN"]),
    ("sg", &["zh-CN", "en"]),
    ("tw", &["zh-TW"]),
    ("mo", &["zh-TW", "pt"]),
    ("hk", &["zh-TW", "zh-CN"]),
];

fn languages_of_domain(domain: &str) -> &'static [&'static str] {
    let domain = domain.trim_end_matches('.').rsplit('.').next();
    html::find_word(DOMAINS, domain.unwrap_or_default()).unwrap_or_default()
}

/// Returns the tag of a locale's language in the table.
fn language_of_locale(locale: &str) -> Option<&'static str> {
    let mut subtags = locale.split(['-', '_', '.']);
    let language = subtags.next().unwrap_or_default();
    match html::find_word(&[("zh", "zh"), ("no nb nn", "da"), ("bs", "hr")], language) {
        Some("zh") if html::is_traditional(subtags) => Some("zh-TW"),
        Some("zh") => Some("zh-CN"),
        None => statistics::languages().find(|tag| tag.eq_ignore_ascii_case(language)),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_of_a_domain_is_known() {
        let known = |tag: &str| statistics::languages().any(|language| language == tag);
        for (domains, languages) in DOMAINS {
            assert!(languages.iter().all(|&tag| known(tag)), "{domains}");
        }
    }
}

//! Adds markup to plain text, and removes it.

use crate::rng::Rng;

/// Returns the text of an HTML page: no tags, no scripts, no style sheets, one line per text between tags.
pub fn strip(html: &str) -> String {
    let mut text = String::new();
    let mut rest = html;
    while let Some(tag) = rest.find('<') {
        push_line(&mut text, &rest[..tag]);
        rest = &rest[tag..];
        let until = ["script", "style"]
            .into_iter()
            .find(|name| rest[1..].starts_with(name))
            .and_then(|name| rest.find(&format!("</{name}")))
            .unwrap_or(0);
        rest = &rest[until..];
        let Some(end) = rest.find('>') else {
            return text;
        };
        rest = &rest[end + 1..];
    }
    push_line(&mut text, rest);
    text
}

fn push_line(text: &mut String, run: &str) {
    let run = run.trim();
    // Footnote numbers and single letters of navigation are not prose.
    if run.chars().nth(3).is_some() {
        text.push_str(run);
        text.push('\n');
    }
}

/// Returns a page of the text, with tags as frequent as in real pages.
///
/// In encyclopedia articles in Arabic, Russian, Japanese and Chinese, tags are 79 to 87 % of the characters. The text
/// between two tags has 13 to 31 characters. A tag has 34 to 41, and 3 to 7 % of these are not ASCII (titles of links).
/// Of the page, 82 to 93 % is ASCII. Here the text between tags has 14 characters on average, and tags are 82 to 86 %.
pub fn wrap(text: &str) -> String {
    const WORDS: [&str; 12] = [
        "wiki", "index", "item", "nav", "main", "toc", "ref", "note", "image", "link", "list",
        "text",
    ];
    let mut rng = Rng::new(text.len() as u64);
    let mut page = String::with_capacity(4 * text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let length = rng.between(4, 24);
        let cut = rest.char_indices().nth(length).map_or(rest.len(), |c| c.0);
        let (run, left) = rest.split_at(cut);
        let (class, page_name) = (rng.pick(&WORDS), rng.pick(&WORDS));
        let number = rng.below(10_000);
        page.push_str(&match rng.below(4) {
            0 => {
                let title: String = run.chars().take(12).filter(|c| *c != '\n').collect();
                format!(
                    "<li id=\"{class}-{number}\" class=\"{class} nav-item\"><a href=\"/{page_name}/%{number:X}%D0%BC%{number:X}_{class}\" title=\"{title}\">{run}</a></li>\n"
                )
            }
            1 => format!(
                "<p id=\"{class}-{number}\" class=\"{page_name} body-text\">{run}</p>\n<div style=\"width:{number}px\"><b class=\"{class}\"></b></div>"
            ),
            2 => format!(
                "<span class=\"{class} {page_name}\" data-id=\"{number}\" style=\"color:#{number}\">{run}</span><sup id=\"cite_{number}\"></sup>"
            ),
            _ => format!("<b>{run}</b><br />\n<span class=\"{class}\"></span>"),
        });
        rest = left;
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages;

    #[test]
    fn stripping_keeps_prose_alone() {
        let html = "<html><script>var a = '<b>';</script><p class=x>Добрый <b>день</b>!</p><style>p{}</style>text";
        assert_eq!(strip(html), "Добрый\nдень\ntext\n");
        assert_eq!(strip("<p>unfinished <"), "unfinished\n");
    }

    /// Compares the share of ASCII with that of real pages, which is documented at [`wrap`].
    #[test]
    fn made_pages_have_as_much_ascii_as_real_pages() {
        for tag in ["ar", "ru", "ja", "zh_cn"] {
            let page = wrap(&languages::synthesise(tag, 100_000));
            let ascii = page.chars().filter(char::is_ascii).count() as f64;
            let share = ascii / page.chars().count() as f64;
            println!("{tag}: {share:.3}");
            assert!((0.82..0.93).contains(&share), "{tag}: {share}");
        }
    }
}

//! Markup around plain text, and plain text out of markup.

use crate::rng::Rng;

/// The text of an HTML page: no tags, no scripts, no style sheets, one line per run of text.
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
    // Numbers of footnotes and single letters of navigation are no prose.
    if run.chars().nth(3).is_some() {
        text.push_str(run);
        text.push('\n');
    }
}

/// A page of the text: list items, links and attributes in ASCII, about two bytes of markup to one of text.
pub fn wrap(text: &str) -> String {
    const WORDS: [&str; 12] = [
        "wiki", "index", "item", "nav", "main", "toc", "ref", "note", "image", "link", "list",
        "text",
    ];
    let mut rng = Rng::new(text.len() as u64);
    let mut page = String::with_capacity(4 * text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let length = rng.between(4, 28);
        let cut = rest.char_indices().nth(length).map_or(rest.len(), |c| c.0);
        let (run, left) = rest.split_at(cut);
        let (class, page_name) = (rng.pick(&WORDS), rng.pick(&WORDS));
        let number = rng.below(10_000);
        page.push_str(&match rng.below(4) {
            0 => format!(
                "<li id=\"{class}-{number}\" class=\"{class} nav-item\"><a href=\"/{page_name}/{number}\">{run}</a></li>\n"
            ),
            1 => format!("<p id=\"{class}-{number}\" class=\"{page_name} body-text\">{run}</p>\n"),
            2 => format!(
                "<span class=\"{class} {page_name}\" data-id=\"{number}\" style=\"color:#{number}\">{run}</span>"
            ),
            _ => format!("<b>{run}</b>"),
        });
        rest = left;
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stripping_keeps_prose_alone() {
        let html = "<html><script>var a = '<b>';</script><p class=x>Добрый <b>день</b>!</p><style>p{}</style>text";
        assert_eq!(strip(html), "Добрый\nдень\ntext\n");
        assert_eq!(strip("<p>unfinished <"), "unfinished\n");
    }

    #[test]
    fn wrapping_adds_ascii_alone() {
        let text = "день за днём ".repeat(200);
        let page = wrap(&text);
        let cyrillic = |s: &str| s.chars().filter(|c| !c.is_ascii()).collect::<String>();
        assert_eq!(cyrillic(&page), cyrillic(&text));
        assert!(page.len() > 2 * text.len());
    }
}

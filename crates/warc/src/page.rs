//! `--report-html`: the summary as a page without scripts, for light and dark themes.

use super::chart::{self, Bar, Cell, Matrix};
use super::summary::{Summary, Voice};
use mojika_convert::job::own::PAGE;
use mojika_convert::job::summary::bytes;
use mojika_convert::quote::{printable, quote};
use plotters::style::RGBColor;
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;
use std::time::Duration;

/// The maximum number of bars and names in a chart; the tables have all.
const MOST_BARS: usize = 40;
const MOST_NAMES: usize = 10;

/// The sources of a decision, and the colours of their bars.
const SOURCES: [(&str, RGBColor); 8] = [
    ("bom", RGBColor(140, 109, 49)),
    ("transport", RGBColor(31, 119, 180)),
    ("meta", RGBColor(23, 155, 140)),
    ("xml-declaration", RGBColor(44, 160, 44)),
    ("css-charset", RGBColor(188, 140, 34)),
    ("detection", RGBColor(214, 110, 30)),
    ("locale", RGBColor(200, 70, 70)),
    ("default", RGBColor(127, 127, 127)),
];
const OTHER_SOURCE: RGBColor = RGBColor(148, 103, 189);

const STYLE: &str = "\
:root { color-scheme: light dark; --ink: #1f2328; --page: #ffffff; --line: #d1d9e0; --soft: #59636e }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6edf3; --page: #0d1117; --line: #3d444d; --soft: #9198a1 }
  [fill='#BED7F0'] { fill: #1f4b75 } [fill='#FFDDA0'] { fill: #6b4d12 } [fill='#FAB38C'] { fill: #8a3a1c }
}
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page); margin: 2rem auto; max-width: 62rem; padding: 0 1rem }
svg { max-width: 100%; height: auto } [fill='#1F2328'] { fill: var(--ink) } [stroke='#1F2328'] { stroke: var(--ink) }
[stroke='#D1D9E0'] { stroke: var(--line) }
table { border-collapse: collapse; margin: 1rem 0 } th, td { padding: .2rem .8rem; text-align: left; border-bottom: 1px solid var(--line) }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums } .soft { color: var(--soft) }
.key { display: inline-block; width: .9em; height: .9em; margin: 0 .3em 0 1em; vertical-align: -.1em }
";

/// Returns the page for a summary.
///
/// # Errors
///
/// Fails if a chart cannot be drawn.
pub fn page(summary: &Summary, time: Duration) -> Result<String, Box<dyn Error>> {
    let mut page = format!(
        "{PAGE}\n\
         <meta name=\"viewport\" content=\"width=device-width\"><style>\n{STYLE}</style></head><body>\n\
         <h1>Encodings of web archives</h1>\n"
    );
    let _ = writeln!(
        page,
        "<p>Archives: {} ({}). Documents: {} ({}). Time: {:.1} s. mojika {}.</p>",
        summary.archives,
        bytes(summary.bytes_in as f64),
        summary.documents,
        bytes(summary.body_bytes as f64),
        time.as_secs_f64(),
        env!("CARGO_PKG_VERSION"),
    );
    encodings(&mut page, summary)?;
    disagreements(&mut page, summary)?;
    replaced(&mut page, summary)?;
    failures(&mut page, summary);
    others(&mut page, summary);
    page.push_str("</body></html>\n");
    Ok(page)
}

fn encodings(page: &mut String, summary: &Summary) -> Result<(), Box<dyn Error>> {
    page.push_str("<h2>Documents by encoding and reason</h2>\n");
    let mut rows: Vec<_> = summary.encodings.iter().collect();
    rows.sort_by_key(|(_, row)| std::cmp::Reverse(row.documents));
    if rows.is_empty() {
        page.push_str("<p>There are no documents.</p>\n");
        return Ok(());
    }
    page.push_str("<p>Colours:");
    for (source, colour) in sources(&rows) {
        let RGBColor(red, green, blue) = colour;
        let _ = write!(
            page,
            "<span class=\"key\" style=\"background:rgb({red},{green},{blue})\"></span>{source}"
        );
    }
    page.push_str("</p>\n");
    let bars = rows
        .iter()
        .take(MOST_BARS)
        .map(|((name, source), row)| Bar {
            name: (*name).to_owned(),
            value: row.documents,
            colour: colour(source),
        });
    page.push_str(&chart::bars(&bars.collect::<Vec<_>>(), "documents")?);
    table(
        page,
        &["encoding", "decided by"],
        &["documents", "bytes", "replaced", "disagreeing"],
        rows.into_iter().map(|((name, source), row)| {
            let numbers = [
                row.documents.to_string(),
                bytes(row.bytes as f64),
                row.replaced.to_string(),
                row.disagreeing.to_string(),
            ];
            (
                vec![(*name).to_owned(), (*source).to_owned()],
                numbers.to_vec(),
            )
        }),
    );
    Ok(())
}

/// Returns the sources that occur, with their colours.
fn sources<T>(rows: &[(&(&'static str, &'static str), T)]) -> Vec<(&'static str, RGBColor)> {
    let mut found: Vec<_> = rows.iter().map(|((_, source), _)| *source).collect();
    found.sort_unstable();
    found.dedup();
    found
        .into_iter()
        .map(|source| (source, colour(source)))
        .collect()
}

fn colour(source: &str) -> RGBColor {
    let found = SOURCES.into_iter().find(|(name, _)| *name == source);
    found.map_or(OTHER_SOURCE, |(_, colour)| colour)
}

fn disagreements(page: &mut String, summary: &Summary) -> Result<(), Box<dyn Error>> {
    page.push_str("<h2>Header, document and bytes</h2>\n");
    let pairs = &summary.disagreements;
    let _ = writeln!(
        page,
        "<p>Documents with a disagreement: {} of {}. Header against document: {}. Header against bytes: {}. Document against \
         bytes: {}.</p>",
        pairs.any,
        summary.documents,
        pairs.header_document,
        pairs.header_bytes,
        pairs.document_bytes
    );
    if summary.matrix.is_empty() {
        return Ok(());
    }
    let _ = writeln!(
        page,
        "<p>In the pictures, “-” is a voice that names no known encoding.{}{}{}</p>",
        key(chart::CALM, "agreement"),
        key(chart::MIXED, "some disagree"),
        key(chart::LOUD, "half or more disagree"),
    );
    type Of = fn(&Voice) -> &'static str;
    let header: Of = |voice| voice.header;
    let document: Of = |voice| voice.document;
    let content: Of = |voice| voice.bytes;
    let flags: [fn(&Voice) -> bool; 3] = [
        |voice| voice.disagreements.header_bytes,
        |voice| voice.disagreements.document_bytes,
        |voice| voice.disagreements.header_document,
    ];
    for (down, rows, across, columns, flag) in [
        ("header", header, "bytes", content, flags[0]),
        ("document", document, "bytes", content, flags[1]),
        ("header", header, "document", document, flags[2]),
    ] {
        let matrix = matrix(summary, rows, columns, flag);
        let _ = writeln!(page, "<h3>{down} against {across}</h3>");
        page.push_str(&chart::matrix(&matrix, down, across)?);
    }
    if pairs.any > 0 {
        page.push_str("<h3>Disagreements</h3>\n");
        let rows = summary.disagreeing().into_iter().map(|(voice, count)| {
            let words = [voice.header, voice.document, voice.bytes].map(str::to_owned);
            (words.to_vec(), vec![count.to_string()])
        });
        table(page, &["header", "document", "bytes"], &["documents"], rows);
    }
    Ok(())
}

fn key(colour: RGBColor, text: &str) -> String {
    let RGBColor(red, green, blue) = colour;
    format!(
        "<svg class=\"key\" viewBox=\"0 0 1 1\"><rect width=\"1\" height=\"1\" fill=\"#{red:02X}{green:02X}{blue:02X}\"/></svg>{text}"
    )
}

/// Counts documents by two sources; names beyond the most frequent ones become "others".
fn matrix(
    summary: &Summary,
    row: fn(&Voice) -> &'static str,
    column: fn(&Voice) -> &'static str,
    flag: fn(&Voice) -> bool,
) -> Matrix {
    let names = |of: fn(&Voice) -> &'static str| {
        let mut counts = BTreeMap::<_, u64>::new();
        for (voice, count) in &summary.matrix {
            *counts.entry(of(voice)).or_default() += count;
        }
        let mut names: Vec<_> = counts.into_iter().collect();
        names.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let mut names: Vec<_> = names.into_iter().map(|(name, _)| name).collect();
        if names.len() > MOST_NAMES {
            names.truncate(MOST_NAMES - 1);
            names.push("others");
        }
        names
    };
    let (rows, columns) = (names(row), names(column));
    let mut cells = vec![vec![Cell::default(); columns.len()]; rows.len()];
    let place = |names: &[&'static str], name| {
        let found = names.iter().position(|one| *one == name);
        found.unwrap_or(names.len() - 1)
    };
    for (voice, count) in &summary.matrix {
        let cell = &mut cells[place(&rows, row(voice))][place(&columns, column(voice))];
        cell.documents += count;
        cell.disagreeing += if flag(voice) { *count } else { 0 };
    }
    Matrix {
        rows,
        columns,
        cells,
    }
}

fn replaced(page: &mut String, summary: &Summary) -> Result<(), Box<dyn Error>> {
    page.push_str("<h2>Replaced</h2>\n");
    let _ = writeln!(
        page,
        "<p>Malformed sequences that became U+FFFD: {}, in {} documents.</p>",
        summary.replaced, summary.with_replacements
    );
    let mut counts = BTreeMap::<_, u64>::new();
    for ((encoding, _), row) in &summary.encodings {
        if row.replaced > 0 {
            *counts.entry(*encoding).or_default() += row.replaced;
        }
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    if !counts.is_empty() {
        let bars = counts.into_iter().take(MOST_BARS).map(|(name, value)| Bar {
            name: name.to_owned(),
            value,
            colour: OTHER_SOURCE,
        });
        page.push_str(&chart::bars(&bars.collect::<Vec<_>>(), "replaced")?);
    }
    Ok(())
}

fn failures(page: &mut String, summary: &Summary) {
    page.push_str("<h2>Failures</h2>\n");
    let rows = [
        ("archives that failed", summary.failed.len() as u64),
        ("damaged places", summary.damaged),
        ("documents of which a part is missing", summary.cut_bodies),
        ("records longer than --max-body", summary.too_long),
    ];
    let rows = rows.map(|(what, count)| (vec![what.to_owned()], vec![count.to_string()]));
    table(page, &["what"], &["count"], rows.into_iter());
    let failed = summary.failed.iter().map(|(path, why)| (path, why.clone()));
    let damages = summary
        .damages
        .iter()
        .map(|(path, damage)| (path, damage.to_string()));
    let places: Vec<_> = failed.chain(damages).collect();
    if !places.is_empty() {
        let rows = places
            .into_iter()
            .map(|(path, what)| (vec![quote(path), what], Vec::new()));
        table(page, &["archive", "what is wrong"], &[], rows);
    }
    let more = summary.damaged - summary.damages.len() as u64;
    if more > 0 {
        let _ = writeln!(
            page,
            "<p class=\"soft\">And {more} more damaged places.</p>"
        );
    }
}

fn others(page: &mut String, summary: &Summary) {
    let types = summary.other_types.iter();
    let kinds = types.map(|(kind, count)| (format!("records of type {kind}"), *count));
    let binaries = summary.binaries.iter();
    let kinds = kinds.chain(binaries.map(|(kind, count)| (format!("no text: {kind}"), *count)));
    let mut kinds: Vec<_> = kinds.collect();
    if kinds.is_empty() {
        return;
    }
    kinds.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    page.push_str("<h2>Records that are no documents</h2>\n");
    let rows = kinds
        .into_iter()
        .map(|(kind, count)| (vec![kind], vec![count.to_string()]));
    table(page, &["what"], &["records"], rows);
}

/// Writes a table of words and numbers.
fn table(
    page: &mut String,
    words: &[&str],
    numbers: &[&str],
    rows: impl Iterator<Item = (Vec<String>, Vec<String>)>,
) {
    page.push_str("<table><tr>");
    for word in words {
        let _ = write!(page, "<th>{word}</th>");
    }
    for number in numbers {
        let _ = write!(page, "<th class=\"n\">{number}</th>");
    }
    page.push_str("</tr>\n");
    for (words, numbers) in rows {
        page.push_str("<tr>");
        for word in words {
            let _ = write!(page, "<td>{}</td>", escaped(&word));
        }
        for number in numbers {
            let _ = write!(page, "<td class=\"n\">{number}</td>");
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</table>\n");
}

/// Escapes text, because archives may contain any names and content types.
fn escaped(text: &str) -> String {
    printable(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decide::Disagreements;
    use crate::summary::{Pairs, Row};

    fn summary(names: &[&'static str]) -> Summary {
        let mut summary = Summary {
            disagreements: Pairs {
                any: 1,
                ..Pairs::default()
            },
            replaced: 3,
            failed: vec![("<a>".into(), "a & b".to_owned())],
            ..Summary::default()
        };
        for (count, &name) in (1..).zip(names) {
            let row = Row {
                documents: count,
                replaced: 3,
                ..Row::default()
            };
            summary.encodings.insert((name, "meta"), row);
            let disagreements = Disagreements {
                header_bytes: count == 1,
                ..Disagreements::default()
            };
            let voice = Voice {
                header: "-",
                document: name,
                bytes: name,
                disagreements,
            };
            summary.matrix.insert(voice, count);
        }
        summary
    }

    fn shown(names: &[&'static str]) -> String {
        let page = page(&summary(names), Duration::from_secs(1)).unwrap();
        assert!(
            !page.contains("height=\"-") && !page.contains("width=\"-"),
            "{page}"
        );
        page
    }

    #[test]
    fn every_part_has_its_picture() {
        let page = shown(&["GBK", "Big5"]);
        // Bars, three matrices, replacements.
        assert_eq!(page.matches("<svg width").count(), 5);
        assert!(page.contains("<td>Big5</td><td>meta</td>"), "{page}");
        assert!(
            page.contains("<td>'&lt;a&gt;'</td><td>a &amp; b</td>"),
            "{page}"
        );
        // The style sheet replaces these colours in the dark theme.
        for colour in ["#BED7F0", "#FAB38C", "#1F2328"] {
            assert!(page.contains(&format!("fill=\"{colour}\"")), "{colour}");
            assert!(page.contains(&format!("[fill='{colour}']")), "{colour}");
        }
    }

    #[test]
    fn few_and_many_encodings_are_drawn() {
        assert!(shown(&[]).contains("There are no documents."));
        assert_eq!(shown(&["GBK"]).matches("<svg width").count(), 5);
        let names: Vec<_> = mojika::Encoding::all()
            .iter()
            .map(|one| one.name())
            .collect();
        assert!(shown(&names).contains("others"));
    }

    /// At most ten names, the most frequent ones first. The last one stands for all others, and every document is counted.
    #[test]
    fn a_matrix_has_the_ten_most_frequent_names() {
        let names: Vec<_> = mojika::Encoding::all()
            .iter()
            .map(|one| one.name())
            .collect();
        let bytes = |voice: &Voice| voice.bytes;
        for count in [1, 9, 10, 11, 12, names.len()] {
            let summary = summary(&names[..count]);
            let shown = matrix(&summary, bytes, bytes, |voice| voice.disagreements.any());
            let mut expected: Vec<_> = names[..count].iter().rev().copied().collect();
            if count > 10 {
                expected.truncate(9);
                expected.push("others");
            }
            assert_eq!(shown.rows, expected, "{count}");
            assert_eq!(shown.columns, expected, "{count}");
            for (row, cells) in shown.cells.iter().enumerate() {
                for (column, cell) in cells.iter().enumerate() {
                    let of_row = match row {
                        _ if row != column => 0,
                        9 if count > 10 => (1..=count - 9).sum(),
                        _ => count - row,
                    };
                    assert_eq!(cell.documents, of_row as u64, "{count}: {row}, {column}");
                    let is_last = row == column && row == shown.rows.len() - 1;
                    assert_eq!(cell.disagreeing, u64::from(is_last), "{count}: {row}");
                }
            }
        }
    }

    #[test]
    fn a_page_lists_disagreements_if_there_are_some() {
        let mut summary = summary(&["GBK"]);
        for (any, count) in [(0, 0), (1, 1), (2, 1)] {
            summary.disagreements.any = any;
            let page = page(&summary, Duration::from_secs(1)).unwrap();
            let headings = page.matches("<h3>Disagreements</h3>").count();
            assert_eq!(headings, count, "{any}");
        }
    }
}

//! Conventions that are a few words before a label. They are one table, with one search for the words that rows share.

use super::super::mime::starts_with;
use super::Kind::{self, CodePage, Data, Page, Words};
use super::conventions::{Search, label_length, skip_blank, unmarked};
use File::{Any, Card, Package, Schema, Tagged};
use core::cell::OnceCell;

/// The kind of files to which a row applies.
#[derive(Clone, Copy, PartialEq, Eq)]
enum File {
    Any,
    /// Text that begins with a tag, as pages and style sheets of XSLT do.
    Tagged,
    /// A card or a calendar.
    Card,
    /// A file with a field `Package`.
    Package,
    /// Statements that make or change tables.
    Schema,
}

/// The text before the anchor and after it, up to the label. Letters match any case, and these characters match more:
///
/// * `^` for the start of a line,
/// * a blank for any number of blanks, and a tab for at least one, or for line ends before the anchor,
/// * `"` for a quotation mark, which may be missing,
/// * `*` for anything,
/// * `$`, at the end, for a label after which the line ends.
type Row = (Kind, File, &'static str, &'static str);

/// The rows, grouped by the anchor that they share. An anchor matches only exactly as it is spelled.
const TABLE: &[(&[&[u8]], &[Row])] = &[
    (
        &[b"ncoding", b"NCODING"],
        &[
            (Words("tex-comment"), Any, "^% !tex e", " = "),
            (Words("bibtex-encoding"), Any, "^% e", " : $"),
            (Words("texinfo"), Any, "^ @documente", "\t$"),
            (Words("pod-encoding"), Any, "^=e", "\t$"),
            (Words("ultrastar-encoding"), Any, "^#e", " : $"),
            (Words("sql-names"), Any, "^ set\tclient_e", " = \""),
            (Words("sql-names"), Any, "^ set\tclient_e", "\tto\t\""),
            (Words("sql-names"), Any, "^\\e", "\t\"$"),
            (Words("r-encoding"), Package, "^e", " : $"),
            (Words("r-encoding"), Any, "^\\e", "{ "),
            (Words("r-encoding"), Any, "^ % \\vignettee", "{ "),
            (Page("php-header"), Tagged, "declare ( e", " = \""),
            (Data("xsl-output"), Tagged, "<xsl:output*\te", " = \""),
        ],
    ),
    (
        &[b"harset", b"HARSET"],
        &[
            (Words("vcard-charset"), Card, ";c", " = \""),
            (
                Page("php-header"),
                Tagged,
                "header (*content-type*c",
                " = \"",
            ),
            (
                Page("php-header"),
                Tagged,
                "ini_set ( \"default_c",
                "\" , \"",
            ),
            (Page("asp-page"), Tagged, "response.c", " = \""),
            (Data("sql-charset"), Schema, "\tc", " = \""),
            (Data("sql-charset"), Schema, "\tc", "\t\""),
        ],
    ),
    (
        &[b"NAMES", b"names"],
        &[
            (Words("sql-names"), Any, "^ set\t", "\t\""),
            (Words("sql-names"), Any, "/*!*\tset\t", "\t\""),
            (Words("sql-names"), Tagged, "\" set\t", "\t\""),
        ],
    ),
    (
        &[b"CTER SET", b"cter set"],
        &[
            (Words("sql-names"), Any, "^ set\tchara", "\t\""),
            (Data("sql-charset"), Schema, "\tchara", "\t\""),
            (Data("sql-charset"), Schema, "\tchara", " = \""),
        ],
    ),
    (&[b"SET"], &[(Words("hunspell-set"), Any, "^", "\t$")]),
    (&[b"ode_page"], &[(CodePage, Any, "^ # pragma\tc", " ( ")]),
    (
        &[b"odepage", b"odePage", b"ODEPAGE"],
        &[
            (Page("asp-page"), Tagged, "<%@*c", " = \""),
            (Page("asp-page"), Tagged, "response.c", " = \""),
            (Page("asp-page"), Tagged, "session.c", " = \""),
        ],
    ),
];

/// The statements of a schema.
const STATEMENTS: &str = "CREATE TABLE|create table|ALTER TABLE|alter table|CREATE DATABASE|create database|ALTER DATABASE";

/// The number of lines in which TeX editors look for their comments.
const TEX_LINES: usize = 20;

/// The maximum length of the text at the start of a line that the words of a row match, in bytes.
const LONGEST_START: usize = 48;

/// The maximum number of bytes that `*` matches, and of a property's parameters before and after a charset.
const LONGEST_GAP: usize = 200;

impl Search<'_, '_> {
    /// Finds the labels of the table, which may be anywhere in a text.
    pub fn table(&mut self) {
        let text = self.text;
        if !may_have_labels(text) {
            return;
        }
        let kinds = Files::new(text);
        for (anchors, rows) in TABLE {
            for anchor in *anchors {
                for at in memchr::memmem::find_iter(text, anchor) {
                    for &(kind, file, before, after) in *rows {
                        if stands_before(&text[..at], before.as_bytes())
                            && let Some(start) = label_after(text, at + anchor.len(), after)
                            && kinds.has(file)
                            && !is_other(kind, text, at)
                        {
                            self.label(kind, start, text.len());
                        }
                    }
                }
            }
        }
    }
}

/// The properties of a text on which rows depend, each computed when it is first needed.
struct Files<'t> {
    text: &'t [u8],
    has_package: OnceCell<bool>,
    has_tables: OnceCell<bool>,
}

impl<'t> Files<'t> {
    fn new(text: &'t [u8]) -> Self {
        Self {
            text,
            has_package: OnceCell::new(),
            has_tables: OnceCell::new(),
        }
    }

    fn has(&self, file: File) -> bool {
        match file {
            File::Any => true,
            File::Tagged => begins(self.text, b"<"),
            File::Card => begins(self.text, b"begin:v"),
            File::Package => *self.has_package.get_or_init(|| {
                let mut names = memchr::memmem::find_iter(self.text, b"Package:");
                names.any(|at| is_line_start(&self.text[..at]))
            }),
            File::Schema => *self.has_tables.get_or_init(|| {
                let mut statements = STATEMENTS.split('|');
                statements.any(|words| memchr::memmem::find(self.text, words.as_bytes()).is_some())
            }),
        }
    }
}

/// True if the label after an anchor is not a declaration of the text's encoding.
fn is_other(kind: Kind, text: &[u8], at: usize) -> bool {
    match kind {
        Kind::Words("tex-comment") => memchr::memchr_iter(b'\n', &text[..at])
            .nth(TEX_LINES - 1)
            .is_some(),
        Kind::Words("vcard-charset") => is_coded(text, at),
        _ => false,
    }
}

/// False if no row can match. Looking at the start of each line once is faster than searching for each anchor.
fn may_have_labels(text: &[u8]) -> bool {
    if begins(text, b"<") || begins(text, b"begin:v") {
        return true;
    }
    let mut at = 0;
    while let Some(rest) = text.get(at..) {
        let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        at += length + 1;
        let line = &rest[..length];
        let line = unmarked(line).trim_ascii_start();
        let line = &line[..line.len().min(LONGEST_START)];
        let has = |word: &[u8]| {
            line.windows(word.len())
                .any(|part| part.eq_ignore_ascii_case(word))
        };
        let fits = match line.first() {
            Some(b'%' | b'@' | b'=' | b'#' | b'\\') => has(b"ncoding") || has(b"code_page"),
            Some(b'e' | b'E') => begins(line, b"encoding"),
            Some(b's' | b'S') => {
                line.get(3).is_some_and(|byte| is_blank(*byte)) && begins(line, b"set")
            }
            Some(b'/') => begins(line, b"/*!"),
            Some(b'c' | b'C') => begins(line, b"create"),
            Some(b'a' | b'A') => begins(line, b"alter"),
            _ => false,
        };
        if fits {
            return true;
        }
    }
    false
}

/// True if `text` begins with this word in any case, after a byte order mark and white space.
pub(super) fn begins(text: &[u8], word: &[u8]) -> bool {
    starts_with(unmarked(text).trim_ascii_start(), word)
}

/// True if the text after `before` is at the start of a line.
fn is_line_start(before: &[u8]) -> bool {
    matches!(
        before.strip_suffix(b"\xEF\xBB\xBF").unwrap_or(before),
        [] | [.., b'\n' | b'\r']
    )
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\x0C')
}

/// True if `before` ends with a match of `pattern`.
fn stands_before(mut before: &[u8], mut pattern: &[u8]) -> bool {
    while let [rest @ .., sign] = pattern {
        pattern = rest;
        match (sign, before) {
            (b'^', _) => return is_line_start(before),
            (b'*', _) => {
                let window = &before[before.len().saturating_sub(LONGEST_GAP)..];
                return (0..=window.len()).any(|end| stands_before(&window[..end], pattern));
            }
            (b' ' | b'\t', _) => {
                let is_space =
                    |byte: &&u8| is_blank(**byte) || (*sign == b'\t' && b"\r\n".contains(byte));
                let length = before.iter().rev().take_while(is_space).count();
                if *sign == b'\t' && length == 0 {
                    return false;
                }
                before = &before[..before.len() - length];
            }
            (b'"', [rest @ .., b'"' | b'\'']) => before = rest,
            (b'"', _) => {}
            (sign, [rest @ .., byte]) if byte.eq_ignore_ascii_case(sign) => before = rest,
            _ => return false,
        }
    }
    true
}

/// Returns the start of the label if `pattern` describes the text before it.
fn label_after(text: &[u8], mut at: usize, pattern: &str) -> Option<usize> {
    for sign in pattern.bytes() {
        let byte = text.get(at).copied().unwrap_or_default();
        match sign {
            b'\t' if !is_blank(byte) => return None,
            b' ' | b'\t' => at = skip_blank(text, at.min(text.len())),
            b'"' => at += usize::from(matches!(byte, b'"' | b'\'')),
            b'$' => {
                let end = text.len().min(at + LONGEST_GAP);
                let rest = text.get(at..end)?;
                let line = memchr::memchr2(b'\r', b'\n', rest).map_or(rest, |end| &rest[..end]);
                let after = &line[label_length(line)..];
                let is_end = |byte: &u8| is_blank(*byte) || b"\"';".contains(byte);
                return after.iter().all(is_end).then_some(at);
            }
            sign if byte.eq_ignore_ascii_case(&sign) => at += 1,
            _ => return None,
        }
    }
    (at < text.len()).then_some(at)
}

/// True if the value of a property, whose parameters contain `at`, is written as ASCII. The charset then applies to the
/// encoded bytes, which a conversion of the text does not change.
fn is_coded(text: &[u8], at: usize) -> bool {
    let before = &text[at.saturating_sub(LONGEST_GAP)..at];
    let before = &before[memchr::memrchr2(b'\n', b':', before).map_or(0, |end| end + 1)..];
    let after = &text[at..text.len().min(at + LONGEST_GAP)];
    let after = &after[..memchr::memchr2(b':', b'\n', after).unwrap_or(after.len())];
    let mut parameters = [before, after]
        .into_iter()
        .flat_map(|part| part.split(|&byte| byte == b';'));
    parameters.any(|parameter| {
        let value = match parameter.iter().position(|&byte| byte == b'=') {
            Some(equals) => &parameter[equals + 1..],
            None => parameter,
        };
        let codes: [&[u8]; 3] = [b"quoted-printable", b"base64", b"b"];
        codes.iter().any(|code| value.eq_ignore_ascii_case(code))
    })
}

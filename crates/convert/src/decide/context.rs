//! The context of a file: by its extension, its first bytes, or the user's option.

use mojika_sniff::Context;
use mojika_sniff::declared;
use std::path::Path;

/// The context in which files are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FileContext {
    /// By the file's extension, otherwise by its first bytes.
    #[default]
    Auto,
    /// The given kind of file.
    Of(Context),
    /// The given context of the Web, which is a row of the library's table.
    Web(Context),
}

impl FileContext {
    /// Returns the library's context for a file that starts with `head`. `path` lacks an extension for compression.
    pub fn resolve(self, path: Option<&Path>, head: &[u8]) -> Context {
        match self {
            FileContext::Auto => match path.and_then(by_extension) {
                Some(_) if path.is_some_and(|path| is_declaring_page(path, head)) => {
                    Context::PlainText
                }
                Some(context) => context,
                None => Context::of_content(head),
            },
            FileContext::Of(context) | FileContext::Web(context) => context,
        }
    }
}

/// True if a file is the source of a generated page and declares its own encoding. The page may have another encoding.
fn is_declaring_page(path: &Path, head: &[u8]) -> bool {
    let extension = path.extension().unwrap_or_default();
    let is_page = |name: &&str| extension.eq_ignore_ascii_case(name);
    let mut is_declaring = false;
    if ["jsp", "php", "asp", "aspx"].iter().any(is_page) {
        let head = &head[..head.len().min(declared::HEAD_LENGTH)];
        declared::places(head, false, &mut |place| {
            let label = &head[place.start..place.end];
            is_declaring |= place.kind.is_of_page() && place.kind.encoding(label).is_some();
        });
    }
    is_declaring
}

/// Returns the context for an extension; `None` for extensions of text files, which HTML and XML files have, too.
fn by_extension(path: &Path) -> Option<Context> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    Some(match &*extension {
        "html" | "htm" | "shtml" | "php" | "asp" | "aspx" | "jsp" => Context::HtmlParser,
        "xml" | "xhtml" | "xht" | "svg" | "rss" | "atom" | "rdf" | "xsl" | "xslt" | "xsd"
        | "opml" | "kml" | "gpx" | "wsdl" | "ent" | "dtd" => Context::XmlParser,
        "css" => Context::CssFromDocument,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Extensions of HTML, XML and style sheets determine the context; others do not.
    #[test]
    fn extensions_say_what_a_file_is_read_as() {
        const ROWS: [(&str, Option<Context>); 4] = [
            (
                "html htm shtml php asp aspx jsp HTM",
                Some(Context::HtmlParser),
            ),
            (
                "xml xhtml xht svg rss atom rdf xsl xslt xsd opml kml gpx wsdl ent dtd Svg",
                Some(Context::XmlParser),
            ),
            ("css CSS", Some(Context::CssFromDocument)),
            ("txt js json md csv log po tex xmlx", None),
        ];
        for (extensions, context) in ROWS {
            for extension in extensions.split(' ') {
                let path = format!("a.{extension}");
                assert_eq!(by_extension(Path::new(&path)), context, "{path}");
            }
        }
        assert_eq!(by_extension(Path::new("html")), None);
    }
}

//! `mojika pages`: converts files of a folder, as `mojika warc` does with documents of archives.
//!
//! Each file becomes a record of an archive: a resource whose address is its path.

#![allow(
    missing_docs,
    reason = "documentation of a flattened field would be help"
)]

use super::args::DocumentArgs;
use super::format::Format;
use super::{find, single};
use clap::Args;
use mojika_convert::output::is_folder;
use mojika_convert::report::{self, Failure};
use std::path::{Path, PathBuf};
use std::time::Instant;

const EXAMPLES: &str = "\
Examples:
  mojika pages site -o pages.jsonl
          a line of JSON for each page below the folder, with its text, its encoding and the reason
  mojika pages site --base https://example.com/ --mime text/html --text plain -o pages.parquet
          the pages without their markup, with their addresses";

/// Convert saved pages and other text files to UTF-8 text, with the source of each file's encoding
///
/// Files are documents like those of archives for `mojika warc`, with the same decision, choice and
/// formats: byte order mark, declaration in the document, or else detection. Binary files, by name
/// or first bytes, are left out and counted.
#[derive(Args, Clone, Debug)]
#[command(after_help = super::args::EXIT_STATUSES, after_long_help = format!("{EXAMPLES}\n\n{}", super::args::EXIT_STATUSES))]
pub struct PagesArgs {
    /// The address that the folder has, which precedes each path
    #[arg(
        long,
        value_name = "URL",
        default_value = "",
        hide_default_value = true
    )]
    pub base: String,

    /// Folders of pages, and files
    #[arg(value_name = "IN", required = true)]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub document: DocumentArgs,

    /// Replace a file that exists
    #[arg(long, help_heading = "Output")]
    pub force: bool,
}

/// Runs `mojika pages` and returns the exit status.
pub fn run(args: &PagesArgs) -> Result<u8, Failure> {
    let start = Instant::now();
    if args.document.format == Some(Format::WarcUtf8) {
        return Err(Failure::usage(
            "--format warc-utf8 is for archives: use it with `mojika warc`",
        ));
    }
    if args.document.output.as_deref().is_some_and(is_folder) {
        return Err(Failure::usage(
            "all pages go to one output: name a file, such as -o pages.jsonl",
        ));
    }
    let document = &args.document;
    document.check_output(args.force)?;
    let mut pages = find(&args.files, document.follow_links, &|_| true)?;
    document.check_own_files(&pages, None)?;
    for page in &mut pages {
        page.url = Some(address(&args.base, &page.relative));
    }
    let summary = single::run(document, document.output.as_deref(), &pages)?;
    if !document.quiet {
        report::say(summary.text(start.elapsed(), "file").trim_end());
    }
    Ok(summary.status())
}

/// Returns the address of a path, escaped so that it contains no line end.
fn address(base: &str, relative: &Path) -> String {
    let mut address = base.to_owned();
    for byte in relative.as_os_str().as_encoded_bytes() {
        match byte {
            // RFC 3986: characters that need no escape in a path. "%" is always escaped.
            b'/' | b'-' | b'.' | b'_' | b'~' | b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*'
            | b'+' | b',' | b';' | b'=' | b':' | b'@' => address.push(char::from(*byte)),
            byte if byte.is_ascii_alphanumeric() => address.push(char::from(*byte)),
            byte => address += &format!("%{byte:02X}"),
        }
    }
    address.replace(['\r', '\n'], "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_the_path_as_a_part_of_a_url() {
        let path = Path::new("a b/ü%.html");
        assert_eq!(address("", path), "a%20b/%C3%BC%25.html");
        assert_eq!(
            address("https://a.example/", path),
            "https://a.example/a%20b/%C3%BC%25.html"
        );
    }
}

//! The filter for documents: by status, type and address, and only one document for each content.

use super::document::{Content, lossy};
use super::reader::fields::Head;
use globset::{GlobBuilder, GlobSet};
use mojika_convert::args::pattern;
use mojika_convert::engine::lock;
use mojika_convert::report::Failure;
use sha1_smol::Sha1;
use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex};

/// The options for the choice of `mojika warc`.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Which documents")]
pub struct ChooseArgs {
    /// Include responses with these statuses, separated by commas: 200, 2xx, 200-299, or any [default: 2xx]
    ///
    /// Resources have no status and are always taken. With --format warc-utf8, all records are kept.
    #[arg(long, value_name = "STATUS", value_parser = Statuses::parse)]
    pub status: Option<Statuses>,

    /// Include only documents of these types, such as text/html or text/*
    ///
    /// The header's type, the type of the bytes or WARC-Identified-Payload-Type must match.
    #[arg(long, value_name = "GLOB", value_delimiter = ',')]
    pub mime: Vec<String>,

    /// Include only documents with these addresses, such as 'https://example.com/*'; "*" also matches "/"
    #[arg(long, value_name = "GLOB")]
    pub url: Vec<String>,

    /// Include only one of the documents with the same payload
    #[arg(long, value_enum, value_name = "BY")]
    pub dedup: Option<Dedup>,

    /// Also include documents with an empty body
    #[arg(long)]
    pub keep_empty: bool,
}

/// The property by which two documents count as the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Dedup {
    /// WARC-Payload-Digest or, without one, SHA-1 of the body
    Digest,
}

/// HTTP statuses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statuses(Vec<RangeInclusive<u16>>);

impl Statuses {
    /// Reads a list of numbers, ranges and classes.
    ///
    /// # Errors
    ///
    /// Fails with a message for an unknown value.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text == "any" {
            return Ok(Self(vec![0..=u16::MAX]));
        }
        let range = |part: &str| {
            let number = |digits: &str| digits.parse::<u16>().ok().filter(|&one| one <= 999);
            if let Some(class) = part.strip_suffix("xx").and_then(number)
                && class <= 9
            {
                return Some(class * 100..=class * 100 + 99);
            }
            match part.split_once('-') {
                Some((first, last)) => Some(number(first)?..=number(last)?),
                None => number(part).map(|one| one..=one),
            }
        };
        let ranges = text.split(',').map(|part| {
            range(part.trim())
                .ok_or_else(|| format!("'{part}' is not a status: give 200, 2xx, 200-299 or any"))
        });
        ranges.collect::<Result<_, _>>().map(Self)
    }

    fn has(&self, status: u16) -> bool {
        self.0.iter().any(|range| range.contains(&status))
    }
}

/// The rules of the filter.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// The accepted statuses; `None` means any.
    statuses: Option<Statuses>,
    mimes: Option<GlobSet>,
    urls: Option<GlobSet>,
    keep_empty: bool,
    /// The payloads of accepted documents, over all archives.
    seen: Option<Arc<Mutex<HashSet<[u8; 20]>>>>,
}

impl ChooseArgs {
    /// Returns the rules of the filter.
    ///
    /// # Errors
    ///
    /// Fails if a pattern is invalid, or if `keeps_all` records contradicts a filter.
    pub fn choice(&self, keeps_all: bool) -> Result<Choice, Failure> {
        let is_asked = self.status.is_some()
            || self.dedup.is_some()
            || !(self.mime.is_empty() && self.url.is_empty());
        if keeps_all {
            if is_asked {
                return Err(Failure::usage(
                    "--format warc-utf8 keeps all records: leave out --status, --mime, --url and --dedup, or use another format",
                ));
            }
            return Ok(Choice {
                keep_empty: true,
                ..Choice::default()
            });
        }
        let success = || Statuses(vec![200..=299]);
        Ok(Choice {
            statuses: Some(self.status.clone().unwrap_or_else(success)),
            mimes: globs("--mime", &self.mime)?,
            urls: globs("--url", &self.url)?,
            keep_empty: self.keep_empty,
            seen: self.dedup.map(|Dedup::Digest| Arc::default()),
        })
    }
}

/// Compiles the patterns of an option.
fn globs(option: &str, given: &[String]) -> Result<Option<GlobSet>, Failure> {
    if given.is_empty() {
        return Ok(None);
    }
    let glob = |pattern| GlobBuilder::new(pattern).case_insensitive(true).build();
    pattern::set(option, given, glob).map(Some)
}

/// The reason why a document is skipped.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LeftOut {
    Status(u16),
    Url,
    Mime,
    Empty,
    Same,
}

impl LeftOut {
    /// Returns the words for the reason in the summary.
    pub fn words(&self) -> String {
        match self {
            Self::Status(status) => format!("status {status}; --status any takes them"),
            Self::Url => "another address than --url".to_owned(),
            Self::Mime => "another type than --mime".to_owned(),
            Self::Empty => "an empty body; --keep-empty takes them".to_owned(),
            Self::Same => "the payload of another document".to_owned(),
        }
    }
}

impl Choice {
    /// Returns the reason to skip the document in a record, if the record's header alone gives a reason.
    pub fn by_head(&self, head: &Head<'_>) -> Option<LeftOut> {
        let url = lossy(head.url());
        if self.urls.as_ref().is_some_and(|urls| !urls.is_match(&*url)) {
            return Some(LeftOut::Url);
        }
        None
    }

    /// Returns the reason to skip a document, by its header and content.
    pub fn by_content(&self, head: &Head<'_>, content: &Content<'_>) -> Option<LeftOut> {
        let status = content.http.as_ref().and_then(|http| http.status);
        if let (Some(statuses), Some(status)) = (&self.statuses, status)
            && !statuses.has(status)
        {
            return Some(LeftOut::Status(status));
        }
        let is_empty = || content.body.iter().all(u8::is_ascii_whitespace);
        if !self.keep_empty && is_empty() {
            return Some(LeftOut::Empty);
        }
        if let Some(mimes) = &self.mimes
            && !is_of(mimes, head, content)
        {
            return Some(LeftOut::Mime);
        }
        None
    }

    /// True if a document with the same payload was accepted before; otherwise records the payload.
    pub fn is_same(&self, head: &Head<'_>, content: &Content<'_>) -> bool {
        let Some(seen) = &self.seen else {
            return false;
        };
        let stated = head.get("WARC-Payload-Digest");
        let stated = stated.filter(|digest| !digest.is_empty());
        let key = match stated {
            Some(digest) => Sha1::from(digest.to_ascii_lowercase()),
            None => Sha1::from(&content.body),
        };
        !lock(seen).insert(key.digest().bytes())
    }
}

/// True if one of the document's types matches `mimes`.
fn is_of(mimes: &GlobSet, head: &Head<'_>, content: &Content<'_>) -> bool {
    let essence = |value: &[u8]| {
        let end = value.iter().position(|&byte| byte == b';');
        let value = lossy(&value[..end.unwrap_or(value.len())]);
        value.trim().to_ascii_lowercase()
    };
    let stated = content.content_type;
    let noted = head.get("WARC-Identified-Payload-Type");
    let mut stated = stated.into_iter().chain(noted).map(essence);
    // The type is determined from the bytes only if the header does not match.
    let shown = || {
        use mojika_sniff::Context;
        let context = content.response.context(&content.body)?;
        Some(match context {
            Context::HtmlParser => "text/html",
            Context::XmlParser => "application/xml",
            Context::CssFromDocument => "text/css",
            Context::FetchJson => "application/json",
            Context::ClassicScript => "text/javascript",
            _ => "text/plain",
        })
    };
    stated.any(|one| mimes.is_match(one)) || shown().is_some_and(|one| mimes.is_match(one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_are_numbers_ranges_and_classes() {
        let statuses = Statuses::parse("200, 301-303,5xx").unwrap();
        let taken: Vec<u16> = (0..700).filter(|&one| statuses.has(one)).collect();
        let mut expected = vec![200, 301, 302, 303];
        expected.extend(500..600);
        assert_eq!(taken, expected);
        assert!(Statuses::parse("any").unwrap().has(999));
        for wrong in ["", "abc", "2x", "20-", "2000", "xx", "200,,300"] {
            assert!(Statuses::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn documents_are_chosen_by_what_they_state_or_show() {
        let block = |kind: &str, body: &str| format!("HTTP/1.1 200 OK\r\n{kind}\r\n{body}");
        let xml = "<?xml version='1.0'?><a/>";
        for (kind, body, essence) in [
            ("", "<!doctype html><p>", "text/html"),
            ("", xml, "application/xml"),
            ("", "plain words", "text/plain"),
            ("Content-Type: text/css\r\n", "a {}", "text/css"),
            (
                "Content-Type: application/json\r\n",
                "{}",
                "application/json",
            ),
            ("Content-Type: text/javascript\r\n", "1", "text/javascript"),
        ] {
            let head = b"WARC/1.0\r\nContent-Type: application/http\r\n\r\n";
            let (head, block) = (Head::new(head), block(kind, body));
            let content = super::super::document::content(&head, block.as_bytes(), 1000);
            for wanted in [
                "text/html",
                "application/xml",
                "text/plain",
                "text/css",
                "application/json",
                "text/javascript",
            ] {
                let mimes = globs("--mime", &[wanted.to_owned()]).unwrap().unwrap();
                assert_eq!(
                    is_of(&mimes, &head, &content),
                    wanted == essence,
                    "{body} {wanted}"
                );
            }
        }
    }
}

//! The encodings of `--from` and `--to`, with `--rfc2781`.

use super::convert::ConvertArgs;
use mojika::extended::rfc2781::Charset;
use mojika::{Encoding, UTF_16BE, UTF_16LE, extended};
use mojika_convert::engine::{BomMode, From, Options};
use mojika_convert::labels;
use mojika_convert::report::Failure;

/// The encodings to convert from and to.
pub struct Named {
    /// The input encoding; `None` to detect it.
    pub from: Option<&'static Encoding>,
    /// The charset of RFC 2781 that labels the input.
    pub charset: Option<Charset>,
    pub to: &'static Encoding,
    pub bom: BomMode,
}

impl ConvertArgs {
    /// Returns the encodings that the options name.
    pub fn named(&self) -> Result<Named, Failure> {
        let from = self.from.as_deref().filter(|label| *label != "auto");
        if self.rfc2781 {
            return self.named_by_rfc2781(from);
        }
        if self.bom == Some(BomMode::Ignore) && from.is_none() {
            return Err(Failure::usage(
                "--bom ignore needs --from LABEL, because the mark is ignored",
            ));
        }
        let leaves_order_open = extended::standard_label(&self.to).eq_ignore_ascii_case("utf-16");
        Ok(Named {
            from: from.map(labels::find).transpose()?,
            charset: None,
            to: labels::find_target(&self.to)?,
            bom: self.bom.unwrap_or(match leaves_order_open {
                true => BomMode::Add,
                false => BomMode::Strip,
            }),
        })
    }

    /// Returns the options of a conversion between these encodings, by one thread.
    pub fn options(&self, named: &Named, from: From) -> Options {
        Options {
            rfc2781: named.charset,
            errors: self.errors,
            bom: named.bom,
            shape: self.shape(),
            substitutes: self.text.substitutes(),
            repair: self.treatment(),
            ..Options::new(from, named.to)
        }
    }

    fn named_by_rfc2781(&self, from: Option<&str>) -> Result<Named, Failure> {
        let charset = from.and_then(charset);
        let to = self::charset(&self.to);
        if charset.is_none() && to.is_none() {
            return Err(Failure::usage(
                "--rfc2781 is about UTF-16, UTF-16BE and UTF-16LE: name one of them with --from or --to",
            ));
        }
        let bom = match (to, self.bom) {
            (
                Some(to @ (Charset::Utf16Be | Charset::Utf16Le)),
                Some(BomMode::Add | BomMode::Keep),
            ) => {
                return Err(Failure::Usage(format!(
                    "RFC 2781 (section 3.3) forbids a byte order mark in {to}; use --to utf-16 or --bom strip"
                )));
            }
            (_, Some(mode)) => mode,
            (Some(Charset::Utf16), None) => BomMode::Add,
            (_, None) => BomMode::Strip,
        };
        let find = |charset, label| match charset {
            // Without a signature, UTF-16 is big-endian (section 4.3), also in the output.
            Some(Charset::Utf16 | Charset::Utf16Be) => Ok(UTF_16BE),
            Some(Charset::Utf16Le) => Ok(UTF_16LE),
            None => labels::find(label),
        };
        Ok(Named {
            from: from.map(|label| find(charset, label)).transpose()?,
            charset,
            to: find(to, &self.to)?,
            bom,
        })
    }
}

/// Returns the charset of RFC 2781 with this label.
fn charset(label: &str) -> Option<Charset> {
    Charset::for_name(extended::standard_label(label))
}

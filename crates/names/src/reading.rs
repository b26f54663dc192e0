//! Computes the new name from the bytes of a name.

use mojika::{BomHandling, Encoding, UTF_8};
use mojika_convert::engine::{Form, hex};
use mojika_convert::repair::{self, History, Undone};
use std::borrow::Cow;

/// The rules for reading and writing names.
#[derive(Clone, Copy)]
pub struct Reading {
    /// The encoding of names that are not UTF-8; `None` if all names are UTF-8.
    pub from: Option<&'static Encoding>,
    pub to: &'static Encoding,
    pub form: Option<Form>,
    /// True if names that were decoded in the wrong encoding are repaired.
    pub repair: bool,
}

impl Reading {
    /// True if a name stays unchanged, whatever its encoding is.
    pub fn is_settled(&self, name: &[u8]) -> bool {
        let is_named_in_ascii = self.from.is_some_and(|from| is_in(from, name));
        name.is_ascii() && !is_named_in_ascii
    }

    /// True if a name is in the encoding to be decided.
    pub fn is_open(&self, name: &[u8]) -> bool {
        self.from.is_none() && self.to == UTF_8 && std::str::from_utf8(name).is_err()
    }

    /// Returns the new name; `None` if the name stays.
    ///
    /// # Errors
    ///
    /// Returns the reason if the name cannot be changed.
    pub fn new_name(&self, name: &[u8]) -> Result<Option<Vec<u8>>, String> {
        let text = match std::str::from_utf8(name) {
            Ok(text) if !self.from.is_some_and(|from| is_in(from, name)) => Cow::Borrowed(text),
            // The name was already changed by an earlier run.
            _ if self.to != UTF_8 && decode(self.to, name).is_ok() => return Ok(None),
            _ => decode(self.from.unwrap_or(UTF_8), name)?,
        };
        let text = self.in_form(&text);
        if self.repair
            && let Undone::Ambiguous(read_as) = repair::undo(&text, &mut History::default())
        {
            let encodings: Vec<_> = read_as.iter().map(|one| one.read_as.name()).collect();
            let encodings = encodings.join(", ");
            return Err(format!(
                "encoded twice, in one of several encodings ({encodings})"
            ));
        }
        let new = match self.to == UTF_8 {
            true => text.as_bytes().to_vec(),
            false => encode(self.to, &text)?,
        };
        check(&new)?;
        Ok((new != name).then_some(new))
    }

    /// Returns the text of a name, repaired and normalized if wanted.
    pub fn in_form<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let text = match self
            .repair
            .then(|| repair::undo(text, &mut History::default()))
        {
            Some(Undone::Text(repaired, _)) => Cow::Owned(repaired),
            _ => Cow::Borrowed(text),
        };
        match self.form {
            Some(form) => Cow::Owned(form.normalized(&text).into_owned()),
            None => text,
        }
    }
}

/// True if an ASCII name contains escape sequences of `encoding`.
fn is_in(encoding: &Encoding, name: &[u8]) -> bool {
    encoding.is_stateful() && name.contains(&0x1B)
}

/// Returns the text of a name.
///
/// # Errors
///
/// Returns a message with the first malformed bytes if the name is malformed.
pub fn decode<'n>(encoding: &'static Encoding, name: &'n [u8]) -> Result<Cow<'n, str>, String> {
    let decoded = encoding.with(BomHandling::Keep).decode_fatal(name);
    decoded.map(|decoded| decoded.text).map_err(|error| {
        let sequence = error.sequence;
        let start = usize::try_from(sequence.offset).unwrap_or(name.len());
        let bytes = name.get(start..start + usize::from(sequence.len));
        format!(
            "malformed in {encoding}: {} at byte offset {start} of the name; --from LABEL names another encoding",
            hex(bytes.unwrap_or_default())
        )
    })
}

/// Encodes a name, if the result decodes to the same text.
fn encode(encoding: &'static Encoding, text: &str) -> Result<Vec<u8>, String> {
    let bytes = encoding
        .encode(text)
        .map_err(|error| error.to_string())?
        .into_owned();
    if decode(encoding, &bytes).ok().as_deref() != Some(text) {
        return Err(format!(
            "written in {encoding}, the name would read back as another one; rename it by hand"
        ));
    }
    if !bytes.is_ascii() && std::str::from_utf8(&bytes).is_ok() {
        return Err(format!(
            "its bytes in {encoding} would be another name in UTF-8; rename it by hand"
        ));
    }
    Ok(bytes)
}

/// # Errors
///
/// Returns the reason if `name` cannot be the name of a file.
fn check(name: &[u8]) -> Result<(), String> {
    match name {
        b"" => Err("the new name would be empty; --from LABEL names another encoding".to_owned()),
        b"." | b".." => Err("the new name would be \".\" or \"..\", which are folders; --from LABEL names another encoding".to_owned()),
        _ if name.contains(&b'/') => Err("the new name would have a slash; --from LABEL names another encoding".to_owned()),
        _ if name.contains(&0) => Err("the new name would have a zero byte; --from LABEL names another encoding".to_owned()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mojika::{EUC_KR, ISO_2022_JP, KOI8_R, SHIFT_JIS, WINDOWS_1252};

    fn new_name(
        from: Option<&'static Encoding>,
        to: &'static Encoding,
        name: &[u8],
    ) -> Result<Option<Vec<u8>>, String> {
        let (form, repair) = (None, false);
        Reading {
            from,
            to,
            form,
            repair,
        }
        .new_name(name)
    }

    #[test]
    fn names_in_utf_8_stay_whatever_the_others_are_in() {
        for name in ["a", "文字", "Ã©", "e\u{301}"] {
            assert_eq!(
                new_name(Some(KOI8_R), UTF_8, name.as_bytes()),
                Ok(None),
                "{name}"
            );
        }
        let name = KOI8_R.encode("имя").unwrap();
        let new = new_name(Some(KOI8_R), UTF_8, &name);
        assert_eq!(new, Ok(Some("имя".into())));
        // Names in ISO-2022-JP are ASCII, so the user's option decides.
        let name = ISO_2022_JP.encode("文字").unwrap();
        assert_eq!(new_name(None, UTF_8, &name), Ok(None));
        assert_eq!(
            new_name(Some(ISO_2022_JP), UTF_8, &name),
            Ok(Some("文字".into()))
        );
    }

    #[test]
    fn what_is_malformed_or_no_name_is_refused() {
        let refused = new_name(Some(EUC_KR), UTF_8, b"a\xFF").unwrap_err();
        assert_eq!(
            refused,
            "malformed in EUC-KR: FF at byte offset 1 of the name; --from LABEL names another encoding"
        );
        let utf_16 = mojika::UTF_16LE;
        for (name, word) in [
            (&b"/\0\xC3\xD8"[..], "malformed"),
            (b"/\0a\0\xE9\0", "slash"),
            (b"\xE9\0\0\0", "zero"),
        ] {
            let refused = new_name(Some(utf_16), UTF_8, name).unwrap_err();
            assert!(refused.contains(word), "{name:?}: {refused}");
        }
    }

    /// A second run changes nothing, in either direction.
    #[test]
    fn new_names_stay() {
        let name = "文字".as_bytes();
        let new = new_name(None, SHIFT_JIS, name).unwrap().unwrap();
        assert_eq!(new, *SHIFT_JIS.encode("文字").unwrap());
        assert_eq!(new_name(None, SHIFT_JIS, &new), Ok(None));
        // Names that a second run would decode as UTF-8, and names that it would decode differently.
        assert!(new_name(None, WINDOWS_1252, "Ã©".as_bytes()).is_err());
        assert!(new_name(None, SHIFT_JIS, "5¥".as_bytes()).is_err());
        assert!(new_name(None, KOI8_R, "文字".as_bytes()).is_err());
    }

    #[test]
    fn a_name_that_was_encoded_twice_is_repaired() {
        let repaired = |name: &str| {
            let (from, to, form, repair) = (None, UTF_8, None, true);
            let reading = Reading {
                from,
                to,
                form,
                repair,
            };
            reading.new_name(name.as_bytes())
        };
        assert_eq!(
            repaired("CafÃ© – Привет.txt"),
            Ok(Some("Café – Привет.txt".into()))
        );
        assert_eq!(repaired("РџСЂРёРІРµС‚.doc"), Ok(Some("Привет.doc".into())));
        assert_eq!(repaired("Café.txt"), Ok(None));
        assert!(repaired("Ã€hnlich").unwrap_err().contains("ISO-8859-15"));
    }

    #[test]
    fn names_are_normalized_in_both_forms() {
        let normalized = |form, name: &str| {
            let reading = Reading {
                from: None,
                to: UTF_8,
                form: Some(form),
                repair: false,
            };
            reading.new_name(name.as_bytes())
        };
        assert_eq!(normalized(Form::Nfc, "e\u{301}"), Ok(Some("é".into())));
        assert_eq!(normalized(Form::Nfc, "é"), Ok(None));
        assert_eq!(normalized(Form::Nfd, "é"), Ok(Some("e\u{301}".into())));
        assert_eq!(
            normalized(Form::Nfd, "가"),
            Ok(Some("\u{1100}\u{1161}".into()))
        );
        // Characters that only look alike stay.
        assert_eq!(normalized(Form::Nfc, "ﬁ²Å"), Ok(None));
    }
}

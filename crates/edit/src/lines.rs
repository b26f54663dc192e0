//! Line ends of a document, and of insertions that follow them.

use alloc::borrow::Cow;
use alloc::string::String;
use mojika::Encoding;

/// The line ends of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LineEnds {
    /// There are no line ends.
    None,
    /// U+000A alone.
    Lf,
    /// U+000D and U+000A.
    CrLf,
    /// U+000D alone.
    Cr,
    /// U+0085 alone, as in text from z/OS UNIX. U+0085 ends lines only in EBCDIC.
    Nel,
    /// More than one kind.
    Mixed,
}

impl LineEnds {
    /// Returns the line ends of a text that was decoded from an encoding.
    pub(super) fn of(text: &str, encoding: &Encoding) -> Self {
        let bytes = text.as_bytes();
        let mut found = Self::None;
        let mut add = |kind: Self| {
            if found == Self::None {
                found = kind;
            }
            found == kind
        };
        for at in memchr::memchr2_iter(b'\n', b'\r', bytes) {
            let after = bytes.get(at + 1);
            let is_same = match bytes[at] {
                b'\r' if after == Some(&b'\n') => add(Self::CrLf),
                b'\r' => add(Self::Cr),
                _ if at > 0 && bytes[at - 1] == b'\r' => true,
                _ => add(Self::Lf),
            };
            if !is_same {
                return Self::Mixed;
            }
        }
        if Self::has_nel(encoding) && text.contains('\u{85}') && !add(Self::Nel) {
            return Self::Mixed;
        }
        found
    }

    /// True if U+0085 ends lines in this encoding, which holds for EBCDIC.
    fn has_nel(encoding: &Encoding) -> bool {
        encoding.is_single_byte() && !encoding.is_ascii_compatible()
    }

    /// Returns the line end, unless there is none or more than one kind.
    pub(super) fn text(self) -> Option<&'static str> {
        match self {
            Self::Lf => Some("\n"),
            Self::CrLf => Some("\r\n"),
            Self::Cr => Some("\r"),
            Self::Nel => Some("\u{85}"),
            Self::None | Self::Mixed => None,
        }
    }

    /// Returns `insertion` with its line ends changed to `self`. It is inserted between `before` and `after`.
    ///
    /// Line ends of the insertion are U+000D U+000A and U+000A. U+000D alone is one if the document has U+000D alone or
    /// U+0085. Half of a line end stays if the other half is in the document.
    pub(super) fn followed_by<'a>(
        self,
        insertion: &'a str,
        before: &str,
        after: &str,
    ) -> Cow<'a, str> {
        let Some(own) = self.text() else {
            return Cow::Borrowed(insertion);
        };
        let bytes = insertion.as_bytes();
        if memchr::memchr2(b'\n', b'\r', bytes).is_none() {
            return Cow::Borrowed(insertion);
        }
        let (mut text, mut copied, mut at) = (String::new(), 0, 0);
        while let Some(found) = memchr::memchr2(b'\n', b'\r', &bytes[at..]) {
            let start = at + found;
            let is_pair = bytes[start..].starts_with(b"\r\n");
            let end = start + 1 + usize::from(is_pair);
            at = end;
            let completes = start == 0 && bytes[0] == b'\n' && before.ends_with('\r');
            let is_completed = end == bytes.len() && !is_pair && after.starts_with('\n');
            let is_half = completes || (is_completed && bytes[start] == b'\r');
            let is_lone = bytes[start] == b'\r' && !is_pair;
            if is_half || (is_lone && matches!(self, Self::Lf | Self::CrLf)) {
                continue;
            }
            text.push_str(&insertion[copied..start]);
            text.push_str(own);
            copied = end;
        }
        text.push_str(&insertion[copied..]);
        Cow::Owned(text)
    }
}

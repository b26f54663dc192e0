//! Normalization of text that arrives in pieces.
//!
//! Two texts can be normalized separately if the second begins with a boundary. That is a character that neither combines
//! with earlier text nor is reordered with it. Text from the last boundary on is held back.

use super::{Form, Origin, Sink};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::iter;
use std::sync::OnceLock;
use unicode_normalization::char::{
    canonical_combining_class, decompose_canonical, decompose_compatible,
};
use unicode_normalization::{
    IsNormalized, UnicodeNormalization, is_nfc_quick, is_nfd_quick, is_nfkc_quick, is_nfkd_quick,
};

/// The maximum length of the text that is held back, in bytes. Longer text is normalized without waiting for a
/// boundary. A piece of text must be shorter.
const MAX_HELD_LENGTH: usize = 64 << 10;

impl Form {
    /// Returns a whole text in this form.
    pub fn normalized(self, text: &str) -> Cow<'_, str> {
        if self.normal_prefix_len(text) == text.len() {
            return Cow::Borrowed(text);
        }
        Cow::Owned(match self {
            Self::Nfc => text.nfc().collect(),
            Self::Nfkc => text.nfkc().collect(),
            Self::Nfd => text.nfd().collect(),
            Self::Nfkd => text.nfkd().collect(),
        })
    }

    /// Returns the length of a prefix in this form. It ends before the first character that may change or be reordered.
    fn normal_prefix_len(self, text: &str) -> usize {
        let mut last_class = 0;
        let mut at = 0;
        loop {
            let ascii = mojika::mem::ascii_prefix_len(&text.as_bytes()[at..]);
            if ascii > 0 {
                (at, last_class) = (at + ascii, 0);
            }
            let Some(character) = text[at..].chars().next() else {
                return at;
            };
            let class = canonical_combining_class(character);
            if class != 0 && class < last_class || !self.keeps(character) {
                return at;
            }
            (at, last_class) = (at + character.len_utf8(), class);
        }
    }

    /// True if a character never changes, whatever its neighbours are. It may be reordered.
    fn keeps(self, character: char) -> bool {
        let one = iter::once(character);
        let answer = match self {
            Self::Nfc => is_nfc_quick(one),
            Self::Nfkc => is_nfkc_quick(one),
            Self::Nfd => is_nfd_quick(one),
            Self::Nfkd => is_nfkd_quick(one),
        };
        answer == IsNormalized::Yes
    }
}

/// Normalizes text in pieces, and holds back the end that the next piece may change.
pub struct Normalizer {
    form: Form,
    held: String,
    changed: u64,
}

impl Normalizer {
    pub fn new(form: Form) -> Self {
        Self {
            form,
            held: String::new(),
            changed: 0,
        }
    }

    /// Returns the number of changes since the last call.
    pub fn changed(&mut self) -> u64 {
        std::mem::take(&mut self.changed)
    }

    pub fn take(&mut self, text: &str, origin: Origin, sink: &mut dyn Sink) -> bool {
        let mut start = 0;
        if !self.held.is_empty() {
            start = self.first_boundary(text).unwrap_or(text.len());
            self.hold(&text[..start], origin, sink);
            while self.held.len() > MAX_HELD_LENGTH {
                let mut end = MAX_HELD_LENGTH;
                while !self.held.is_char_boundary(end) {
                    end -= 1;
                }
                let rest = self.held.split_off(end);
                if !self.finish(sink) {
                    return false;
                }
                self.held = rest;
            }
            if start == text.len() {
                return true;
            }
            if !self.finish(sink) {
                return false;
            }
        }
        let end = start + self.last_boundary(&text[start..]);
        if !self.give(&text[start..end], origin.after(start), sink) {
            return false;
        }
        self.hold(&text[end..], origin.after(end), sink);
        true
    }

    fn hold(&mut self, text: &str, origin: Origin, sink: &mut dyn Sink) {
        self.held.push_str(text);
        sink.hold(text, origin);
    }

    /// Passes on the held text.
    pub fn finish(&mut self, sink: &mut dyn Sink) -> bool {
        let held = std::mem::take(&mut self.held);
        if held.is_empty() {
            return true;
        }
        let normal = self.form.normalized(&held);
        let is_same = *normal == *held;
        self.changed += u64::from(!is_same);
        let count = held.chars().count();
        sink.take(&normal, Origin::Held { count, is_same })
    }

    /// Normalizes text between two boundaries, and passes it on. Text between boundaries changes as a whole.
    fn give(&mut self, mut text: &str, mut origin: Origin, sink: &mut dyn Sink) -> bool {
        while !text.is_empty() {
            let (head, tail) = self.split_normalized(text);
            let Some(first) = tail.chars().next() else {
                return sink.take(text, origin);
            };
            let is_boundary = head.ends_with(char::is_control) || self.begins(first);
            let start = match is_boundary {
                true => head.len(),
                false => self.last_boundary(head),
            };
            let after = head.len() + first.len_utf8();
            let end = self.first_boundary(&text[after..]);
            let end = end.map_or(text.len(), |end| after + end);
            let end = if first.is_control() { after } else { end };
            if start > 0 && !sink.take(&text[..start], origin) {
                return false;
            }
            let normal = self.form.normalized(&text[start..end]);
            let is_same = *normal == text[start..end];
            self.changed += u64::from(!is_same);
            let from = match is_same {
                true => origin.after(start),
                false => origin.of_other(start),
            };
            if !sink.take(&normal, from) {
                return false;
            }
            origin = origin.after(end);
            text = &text[end..];
        }
        true
    }

    fn split_normalized<'t>(&self, text: &'t str) -> (&'t str, &'t str) {
        text.split_at(self.form.normal_prefix_len(text))
    }

    /// Returns the offset of the first boundary in `text`.
    fn first_boundary(&self, text: &str) -> Option<usize> {
        let mut after_control = false;
        text.char_indices()
            .find(|&(_, character)| {
                let is_boundary = after_control || self.begins(character);
                after_control = character.is_control();
                is_boundary
            })
            .map(|(at, _)| at)
    }

    /// Returns the offset of the last boundary in `text`.
    fn last_boundary(&self, text: &str) -> usize {
        for (at, character) in text.char_indices().rev() {
            if character.is_control() {
                return at + character.len_utf8();
            }
            if self.begins(character) {
                return at;
            }
        }
        0
    }

    /// True if a boundary precedes the character, so that it changes no earlier text.
    fn begins(&self, character: char) -> bool {
        if character.is_ascii() {
            return true;
        }
        let first = first_of(character, matches!(self.form, Form::Nfkc | Form::Nfkd));
        canonical_combining_class(first) == 0
            && !matches!(first, '\u{1161}'..='\u{1175}' | '\u{11A8}'..='\u{11C2}')
            && !second_starters().contains(&first)
    }
}

/// Returns the first character of a decomposition.
fn first_of(character: char, is_compatible: bool) -> char {
    let mut first = None;
    let take = |one| {
        first.get_or_insert(one);
    };
    match is_compatible {
        true => decompose_compatible(character, take),
        false => decompose_canonical(character, take),
    }
    first.unwrap_or(character)
}

/// Returns the characters of combining class 0, except jamo, that end a canonical decomposition of several characters.
fn second_starters() -> &'static BTreeSet<char> {
    static SET: OnceLock<BTreeSet<char>> = OnceLock::new();
    SET.get_or_init(|| {
        // Above the Supplementary Multilingual Plane, decompositions are single ideographs.
        let characters = ('\u{80}'..'\u{20000}').filter(|c| !('\u{AC00}'..='\u{D7A3}').contains(c));
        let last = characters.filter_map(|character| {
            let (mut count, mut last) = (0, character);
            decompose_canonical(character, |one| (count, last) = (count + 1, one));
            (count > 1).then_some(last)
        });
        last.filter(|last| canonical_combining_class(*last) == 0)
            .collect()
    })
}

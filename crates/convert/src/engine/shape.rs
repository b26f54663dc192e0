//! Changes of decoded text before the encoder: byte order marks within it, normalization, line ends.
//!
//! A [`Shaper`] takes text piece by piece; its output does not depend on the split into pieces.

mod line_ends;
mod normalize;

use line_ends::Ends;
pub use line_ends::LineEnds;
use normalize::Normalizer;
use std::ops::AddAssign;

/// The treatment of line ends: U+000A, U+000D U+000A, U+000D alone, and U+0085.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Newline {
    /// Leave line ends unchanged.
    #[default]
    Keep,
    /// Each becomes U+000A.
    Lf,
    /// Each becomes U+000D U+000A.
    Crlf,
    /// Each becomes U+000D.
    Cr,
    /// Each becomes U+0085.
    Nel,
}

#[cfg(test)]
impl Newline {
    /// All values, in the order of the help.
    pub const ALL: [Self; 5] = [Self::Keep, Self::Lf, Self::Crlf, Self::Cr, Self::Nel];
}

impl Newline {
    fn text(self) -> &'static str {
        match self {
            Self::Keep => "",
            Self::Lf => "\n",
            Self::Crlf => "\r\n",
            Self::Cr => "\r",
            Self::Nel => "\u{85}",
        }
    }
}

/// A normalization form of Unicode (UAX #15).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Composed.
    Nfc,
    /// Decomposed.
    Nfd,
    /// Composed, with compatibility mappings.
    Nfkc,
    /// Decomposed, with compatibility mappings.
    Nfkd,
}

/// The changes of decoded text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// The line ends.
    pub newline: Newline,
    /// The normalization form.
    pub form: Option<Form>,
    /// True if byte order marks after the start of the input are removed.
    pub strips_marks: bool,
    /// True if line ends and byte order marks are counted even if they are not changed.
    pub counts: bool,
}

impl Shape {
    /// True if text may be changed.
    pub fn changes(self) -> bool {
        self.newline != Newline::Keep || self.form.is_some() || self.strips_marks
    }

    /// True if text is neither changed nor counted.
    pub fn is_idle(self) -> bool {
        !self.counts && !self.changes()
    }
}

/// The numbers of line ends and marks in shaped text, and of changes by normalization.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// The line ends.
    pub line_ends: LineEnds,
    /// The number of U+FEFF after the start of the input.
    pub marks: u64,
    /// The number of pieces of text that normalization has changed.
    pub normalized: u64,
}

impl Seen {
    /// True if `shape` changes the text that has these counts.
    pub fn is_changed(self, shape: Shape) -> bool {
        let stripped = shape.strips_marks && self.marks > 0;
        stripped || self.normalized > 0 || self.line_ends.others(shape.newline) > 0
    }
}

impl AddAssign for Seen {
    fn add_assign(&mut self, other: Self) {
        let (ends, more) = (&mut self.line_ends, other.line_ends);
        ends.lf += more.lf;
        ends.crlf += more.crlf;
        // A CR at the end of a block that belongs to a CR LF is subtracted in the next block.
        ends.cr = ends.cr.wrapping_add(more.cr);
        ends.nel += more.nel;
        self.marks += other.marks;
        self.normalized += other.normalized;
    }
}

/// The relation of a piece of shaped text to the decoded text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Unchanged text, which begins at this byte.
    Same(usize),
    /// A replacement for text that begins at this byte.
    From(usize),
    /// The shaped form of the first `count` held characters; `is_same` is true if they are unchanged.
    Held { count: usize, is_same: bool },
}

impl Origin {
    /// Returns the origin of the remaining piece after `length` bytes.
    fn after(self, length: usize) -> Self {
        match self {
            Self::Same(start) => Self::Same(start + length),
            other => other,
        }
    }

    /// Returns the origin of a replacement that begins `length` bytes after the start of this text.
    fn of_other(self, length: usize) -> Self {
        match self {
            Self::Same(start) => Self::From(start + length),
            other => other,
        }
    }
}

/// The destination of shaped text.
pub trait Sink {
    /// Takes a piece; returns false to stop.
    fn take(&mut self, text: &str, origin: Origin) -> bool;

    /// Receives text that the shaper holds back; it becomes output later. `origin` is the text's start.
    fn hold(&mut self, text: &str, origin: Origin);
}

/// A sink that discards text, so that it is only counted.
pub struct Nothing;

impl Sink for Nothing {
    fn take(&mut self, _text: &str, _origin: Origin) -> bool {
        true
    }

    fn hold(&mut self, _text: &str, _origin: Origin) {}
}

/// The state between pieces of text.
#[derive(Default)]
pub struct Shaper {
    shape: Shape,
    normalizer: Option<Normalizer>,
    ends: Ends,
    /// True at the start of the input, where U+FEFF is not an interior mark.
    is_at_start: bool,
    marks: u64,
}

impl Shaper {
    /// Returns a shaper of text; `is_at_start` is true at the beginning of the input.
    pub fn new(shape: Shape, is_at_start: bool) -> Self {
        Self {
            shape,
            normalizer: shape.form.map(Normalizer::new),
            ends: Ends::new(shape.newline, shape.counts),
            is_at_start,
            marks: 0,
        }
    }

    /// Shapes a piece of text. Holds back an end that the next piece may change.
    pub fn take(&mut self, text: &str, sink: &mut dyn Sink) -> bool {
        if text.is_empty() {
            return true;
        }
        let mut start = 0;
        if self.shape.counts || self.shape.strips_marks {
            for at in memchr::memmem::find_iter(text.as_bytes(), "\u{FEFF}") {
                if at == 0 && self.is_at_start {
                    continue;
                }
                self.marks += 1;
                if self.shape.strips_marks {
                    if !self.normalize(&text[start..at], Origin::Same(start), sink) {
                        return false;
                    }
                    start = at + '\u{FEFF}'.len_utf8();
                }
            }
        }
        self.is_at_start = false;
        self.normalize(&text[start..], Origin::Same(start), sink)
    }

    fn normalize(&mut self, text: &str, origin: Origin, sink: &mut dyn Sink) -> bool {
        let ends = &mut self.ends;
        match &mut self.normalizer {
            None => ends.take(text, origin, sink),
            Some(normalizer) => normalizer.take(text, origin, &mut WithEnds { ends, sink }),
        }
    }

    /// Passes on the held text.
    pub fn finish(&mut self, sink: &mut dyn Sink) -> bool {
        let ends = &mut self.ends;
        let mut sink = WithEnds { ends, sink };
        let normalizer = self.normalizer.as_mut();
        normalizer.is_none_or(|normalizer| normalizer.finish(&mut sink))
    }

    /// Returns the counts since the last call.
    pub fn seen(&mut self) -> Seen {
        Seen {
            line_ends: self.ends.seen(),
            marks: std::mem::take(&mut self.marks),
            normalized: self.normalizer.as_mut().map_or(0, Normalizer::changed),
        }
    }
}

/// A sink that changes line ends.
struct WithEnds<'s> {
    ends: &'s mut Ends,
    sink: &'s mut dyn Sink,
}

impl Sink for WithEnds<'_> {
    fn take(&mut self, text: &str, origin: Origin) -> bool {
        self.ends.take(text, origin, self.sink)
    }

    fn hold(&mut self, text: &str, origin: Origin) {
        self.sink.hold(text, origin);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sink that compares each piece with the text at its origin.
    #[derive(Default)]
    struct Checked<'t> {
        piece: &'t str,
        output: String,
        held: String,
    }

    impl Sink for Checked<'_> {
        fn take(&mut self, text: &str, origin: Origin) -> bool {
            match origin {
                Origin::Same(start) => assert!(self.piece[start..].starts_with(text)),
                Origin::From(start) => assert!(self.piece.is_char_boundary(start)),
                Origin::Held { count, is_same } => {
                    let end = self.held.char_indices().nth(count);
                    let end = end.map_or(self.held.len(), |(at, _)| at);
                    let held: String = self.held.drain(..end).collect();
                    assert_eq!(held == text, is_same);
                }
            }
            self.output.push_str(text);
            true
        }

        fn hold(&mut self, text: &str, origin: Origin) {
            if let Origin::Same(start) = origin {
                assert!(self.piece[start..].starts_with(text));
            }
            self.held.push_str(text);
        }
    }

    /// Returns the shaped form of a text that arrives in pieces of about `length` bytes.
    fn shaped(shape: Shape, text: &str, length: usize) -> (String, Seen) {
        let mut shaper = Shaper::new(shape, true);
        let mut sink = Checked::default();
        let mut seen = Seen::default();
        let mut rest = text;
        while !rest.is_empty() {
            let mut end = length.min(rest.len());
            while !rest.is_char_boundary(end) {
                end += 1;
            }
            let (piece, after) = rest.split_at(end);
            sink.piece = piece;
            assert!(shaper.take(piece, &mut sink));
            seen += shaper.seen();
            rest = after;
        }
        shaper.finish(&mut sink);
        seen += shaper.seen();
        assert_eq!(sink.held, "");
        (sink.output, seen)
    }

    #[test]
    fn each_kind_of_line_end_becomes_the_one_that_is_asked_for() {
        let text = "a\nb\r\nc\rd\u{85}e\r\r\n\n\r\u{A3}\r";
        let ends = LineEnds {
            lf: 2,
            crlf: 2,
            cr: 4,
            nel: 1,
        };
        for newline in Newline::ALL {
            let shape = Shape {
                newline,
                counts: true,
                ..Shape::default()
            };
            let expected = match newline {
                Newline::Keep => text.to_owned(),
                _ => "a\nb\nc\nd\ne\n\n\n\n\u{A3}\n".replace('\n', newline.text()),
            };
            for length in 1..text.len() {
                let (output, seen) = shaped(shape, text, length);
                assert_eq!(output, expected, "{newline:?} in pieces of {length}");
                assert_eq!(seen.line_ends, ends);
                assert_eq!(seen.is_changed(shape), newline != Newline::Keep);
                assert!(!shaped(shape, &output, length).1.is_changed(shape));
            }
        }
    }

    #[test]
    fn marks_after_the_start_are_counted_and_left_out() {
        let text = "\u{FEFF}a\u{FEFF}\u{FEFF}b\u{FEFF}";
        for (strips_marks, expected) in [(false, text), (true, "\u{FEFF}ab")] {
            let shape = Shape {
                strips_marks,
                counts: true,
                ..Shape::default()
            };
            for length in 1..text.len() {
                let (output, seen) = shaped(shape, text, length);
                assert_eq!((&*output, seen.marks), (expected, 3));
            }
        }
    }

    #[test]
    fn forms_are_the_same_for_every_split() {
        use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};
        use mojika_spec::Random;
        let characters: Vec<char> = "aeAE<=\n\r \u{301}\u{308}\u{323}\u{338}\u{345}\u{344}éÅÅﬁ①ｱﾞｶﾞがか\u{3099}각각ᄀ\u{1161}가\u{9BE}\u{9C7}ো\u{E33}กำ\u{1100}文字豈\u{FFFD}\u{FEFF}ế\u{DCF}\u{DD9}𝅗𝅥\u{1D165}\u{11131}\u{11127}ự\u{F43}\u{FB7}"
            .chars()
            .collect();
        let random = &mut Random::new(1);
        for round in 0..300 {
            let text: String = (0..1 + random.below(40))
                .map(|_| characters[random.below(characters.len())])
                .collect();
            for form in [Form::Nfc, Form::Nfd, Form::Nfkc, Form::Nfkd] {
                let expected = match form {
                    Form::Nfc => ComposingNormalizerBorrowed::new_nfc().normalize(&text),
                    Form::Nfkc => ComposingNormalizerBorrowed::new_nfkc().normalize(&text),
                    Form::Nfd => DecomposingNormalizerBorrowed::new_nfd().normalize(&text),
                    Form::Nfkd => DecomposingNormalizerBorrowed::new_nfkd().normalize(&text),
                };
                let shape = Shape {
                    form: Some(form),
                    ..Shape::default()
                };
                for length in [1, 2, 3, 5, 8, 13, 200] {
                    let (output, seen) = shaped(shape, &text, length);
                    assert_eq!(output, expected, "{round} {form:?} {length} {text:?}");
                    assert_eq!(seen.normalized > 0, output != text);
                }
            }
        }
    }

    /// An endless sequence of combining marks is normalized in pieces whose length does not depend on the input pieces.
    #[test]
    fn endless_marks_are_cut_at_the_same_place() {
        let marks = "e".to_owned() + &"\u{301}\u{323}".repeat(50_000) + "e\u{301}";
        let shape = Shape {
            form: Some(Form::Nfc),
            ..Shape::default()
        };
        let (output, _) = shaped(shape, &marks, 1000);
        assert!(output.ends_with('é'));
        for length in [999, 4096, 40_000] {
            assert!(shaped(shape, &marks, length).0 == output);
        }
    }
}

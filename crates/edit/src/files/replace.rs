//! Replaces an exact text in a file, part by part.

use super::boundary::Boundary;
use super::changed::{Changed, encoded, explained, lines_in, refused, with_line_ends};
use super::file::Opened;
use super::find::Finder;
use super::how::HowArgs;
use super::needle::Needle;
use super::patches::Patches;
use super::source::SEARCH_LENGTH;
use crate::{Document, LineEnds, common};
use mojika::{BomHandling, Decoder, Encoding};
use mojika_convert::engine::Position;
use mojika_convert::report::Failure;
use std::ops::Range;

/// More bytes than a character with its shift sequence has in any stateful encoding.
const LONGEST_SEQUENCE: u64 = 64;

/// The number of matches before the end of a piece that are tried as split points.
const CUTS: usize = 64;

/// Replaces an exact text, once or everywhere.
///
/// # Errors
///
/// Fails if the text is absent, repeated without `--all`, or cannot be replaced in this encoding.
pub fn replace(
    opened: &Opened,
    old: &str,
    new: &str,
    all: bool,
    how: &HowArgs,
) -> Result<Changed, Failure> {
    replace_found(opened, opened.finder()?, (old, new, all), how)
}

/// Replaces an exact text in the parts that the finder gives.
fn replace_found(
    opened: &Opened,
    finder: Finder<'_>,
    (old, new, all): (&str, &str, bool),
    how: &HowArgs,
) -> Result<Changed, Failure> {
    opened.refuse_sparse()?;
    let unreadable = |error| opened.unreadable(error);
    // Insertions get the line ends of the whole text, which is read only if the old or the new text has line ends.
    let follows = !how.keep_line_ends && (old.contains(['\r', '\n']) || new.contains(['\r', '\n']));
    let ends = match follows {
        true => Some(finder.line_ends().map_err(unreadable)?),
        false => None,
    };
    let old = match ends {
        Some(ends) => with_line_ends(old, ends),
        None => old.to_owned(),
    };
    let mut search = Search {
        opened,
        old: memchr::memmem::Finder::new(&old),
        new,
        all,
        ends,
        how,
        encoding: finder.encoding,
        found: Matches::default(),
        patches: Patches::default(),
        is_designated: false,
        failure: None,
    };
    match Needle::of(finder.encoding, finder.boundary, &old) {
        Some(needle) => {
            let mut parts = finder.parts(&needle).map_err(unreadable)?;
            while let Some(part) = parts.next().map_err(unreadable)? {
                search.through(&finder, part)?;
            }
        }
        None => search.through(&finder, 0..finder.source.length())?,
    }
    search.finish()
}

/// The maximum number of separate matches in a part that cannot be split: each takes some 200 bytes.
const MOST_PLACES: usize = 1_000_000;

/// The state of searching the parts of a file for an exact text and replacing it.
struct Search<'a> {
    opened: &'a Opened,
    old: memchr::memmem::Finder<'a>,
    new: &'a str,
    all: bool,
    /// The line ends of the whole text; `None` if insertions do not contain line ends.
    ends: Option<LineEnds>,
    how: &'a HowArgs,
    encoding: &'static Encoding,
    found: Matches,
    patches: Patches,
    /// True if a part before this one has the designation of ISO-2022-KR.
    is_designated: bool,
    /// The failure to replace the only match, without `--all`.
    failure: Option<Failure>,
}

/// The matches of the text.
#[derive(Default)]
struct Matches {
    count: usize,
    /// For each of the first two matches: the offset of its part in the file, and the line ends before it in the part.
    first: Vec<(usize, usize)>,
}

impl Search<'_> {
    /// Replaces the text in a part of the file. A long part is split if possible.
    fn through(&mut self, finder: &Finder<'_>, part: Range<u64>) -> Result<(), Failure> {
        let (mut at, mut length) = (part.start, finder.piece);
        while at < part.end {
            let unreadable = |error| self.opened.unreadable(error);
            let mut end = part.end;
            if end - at > length {
                end = end.min(finder.boundary_after(at + length).map_err(unreadable)?);
            }
            if end - at > self.opened.max_size() {
                let reason = format!(
                    "it has more than {} bytes from offset {at} on that cannot be searched piece by piece, which \
                     --max-size allows",
                    self.opened.max_size()
                );
                return Err(refused(self.opened, reason));
            }
            let mut document = finder.open(&(at..end)).map_err(unreadable)?;
            let mut places = self.places(document.text());
            let next = match end == part.end {
                true => Some((places.len(), end)),
                false => self.cut(finder, &document, &places, at),
            };
            let Some((count, next)) = next else {
                length *= 2;
                continue;
            };
            places.truncate(count);
            if finder.boundary == Boundary::Initial && next < end {
                // The edit then verifies that the decoder is in its initial state at the end of the part, too.
                document = finder.open(&(at..next)).map_err(unreadable)?;
                document.continues = true;
            }
            document.is_designated = self.is_designated;
            self.is_designated |= document.has_designation();
            self.within(document, places, at as usize)?;
            (at, length) = (next, finder.piece);
        }
        Ok(())
    }

    /// Returns the offset in the file at which the next part can begin, and the number of matches before that offset.
    fn cut(
        &self,
        finder: &Finder<'_>,
        document: &Document<'_>,
        places: &[usize],
        start: u64,
    ) -> Option<(usize, u64)> {
        let (text, source, offsets) = (document.text(), document.source(), document.offsets());
        let old = self.old.needle().len();
        let whole = match finder.boundary {
            // The last character of the document may be incomplete.
            Boundary::Initial => {
                offsets.text_offset((source.len() as u64).checked_sub(LONGEST_SEQUENCE)?)? as usize
            }
            _ => text.len(),
        };
        // A match that begins beyond this offset may be incomplete in the document.
        let most = whole.checked_sub(old)?;
        let most = (0..=most).rev().find(|&at| text.is_char_boundary(at))?;
        let before = places.partition_point(|&at| at < most);
        // A boundary fits between two distant matches, or near the end of the document.
        (before.saturating_sub(CUTS)..=before)
            .rev()
            .find_map(|count| {
                let from = count.checked_sub(1).map_or(0, |last| places[last] + old);
                let to = places.get(count).copied().unwrap_or(most).min(most);
                if finder.boundary == Boundary::Initial {
                    return Some((count, start + document.initial_within(from..to)? as u64));
                }
                let from = offsets.source_offset(from as u64)? as usize;
                let to = offsets.source_offset(to as u64)? as usize;
                // A match that extends beyond the document is not a split point.
                source.get(from..to)?;
                // No match may include the unit before the boundary, so the text after the boundary stays the same.
                let cut = finder.boundary.first_after(source.get(..to)?, from)?;
                let cut = finder
                    .boundary
                    .last(source, to)
                    .filter(|&last| last > cut)
                    .unwrap_or(cut);
                (cut > 0).then_some((count, start + cut as u64))
            })
    }

    /// Returns the offsets of the text in a part, in order.
    fn places(&self, text: &str) -> Vec<usize> {
        match self.all {
            true => self.old.find_iter(text.as_bytes()).collect(),
            false => self.overlapping(text),
        }
    }

    /// Replaces the text at `places`, the offsets in a part. `document` is the part, which starts at `start` in the file.
    fn within(
        &mut self,
        mut document: Document<'_>,
        places: Vec<usize>,
        start: usize,
    ) -> Result<(), Failure> {
        let text = document.text();
        let missing = 2 - self.found.first.len();
        let first = places.iter().take(missing);
        let first = first.map(|&at| (start, lines_in(&text[..at])));
        self.found.first.extend(first);
        self.found.count += places.len();
        // Without `--all`, a second match is an error, so further matches are only counted.
        if places.is_empty() || (!self.all && self.found.count > 1) {
            return Ok(());
        }
        document.follow_line_ends(!self.how.keep_line_ends);
        if let Some(ends) = self.ends {
            document.set_line_ends(ends);
        }
        let old = self.old.needle();
        // Adjacent matches are one edit, unless a part of each stays, or line ends depend on their neighbours.
        let is_joined = std::str::from_utf8(old).is_ok_and(|old| common(old, self.new) == (0, 0))
            && (self.ends.is_none() || !self.new.contains(['\r', '\n']));
        let (mut places, mut edits) = (places.into_iter().peekable(), 0);
        while let Some(at) = places.next() {
            let mut end = at + old.len();
            while is_joined && places.next_if_eq(&end).is_some() {
                end += old.len();
            }
            edits += 1;
            if edits > MOST_PLACES {
                let reason = format!(
                    "it has more than {MOST_PLACES} places from offset {start} on between which it cannot be split; \
                     convert it to UTF-8 first"
                );
                return Err(refused(self.opened, reason));
            }
            let new = self.new.repeat((end - at) / old.len());
            let replaced = document.replace(at..end, &new);
            replaced.map_err(|error| refused(self.opened, error.to_string()))?;
        }
        self.encoding = document.encoding();
        let patches = match encoded(&document, self.how) {
            Ok(patches) => patches,
            Err(error) => {
                let old = self.place_of(start, &Patches::default())?;
                let edited = self.place_of(start, &self.patches)?;
                let start = (start, old, edited);
                let failure = refused(self.opened, explained(&document, &error, start));
                // With several matches, a failure to replace a match is not reported.
                return match self.all {
                    true => Err(failure),
                    false => {
                        self.failure = Some(failure);
                        Ok(())
                    }
                };
            }
        };
        let kept = self.patches.extend(&patches, start as u64);
        kept.map_err(|error| self.opened.not_kept(error))
    }

    /// Returns the offsets of the text. They include overlapping matches, because the user may mean any match.
    fn overlapping(&self, text: &str) -> Vec<usize> {
        let (mut places, mut from) = (Vec::new(), 0);
        while let Some(found) = self.old.find(&text.as_bytes()[from..]) {
            places.push(from + found);
            from += found + 1;
        }
        places
    }

    /// Returns the line and column of an offset of the file, after `patches` have been applied.
    fn place_of(&self, offset: usize, patches: &Patches) -> Result<Position, Failure> {
        let mut place = Position::default();
        let mut decoder = Decoder::new(self.opened.encoding(), BomHandling::Sniff);
        let mut take = |bytes: &[u8]| {
            let mut text = String::new();
            decoder.decode_append(bytes, &mut text, false);
            place.advance(text.as_bytes());
        };
        let mut at = 0;
        let mut go_on = |range: Range<u64>, bytes: &[u8]| {
            while at < range.start {
                let next = range.start.min(at + SEARCH_LENGTH as u64);
                take(&self.opened.source().range(at, next)?);
                at = next;
            }
            take(bytes);
            at = range.end;
            Ok(())
        };
        let offset = offset as u64;
        let gone = patches.each(&mut go_on);
        let gone = gone.and_then(|()| go_on(offset..offset, &[]));
        gone.map_err(|error| self.opened.unreadable(error))?;
        Ok(place)
    }

    fn finish(self) -> Result<Changed, Failure> {
        let old = String::from_utf8_lossy(self.old.needle());
        if self.found.count == 0 {
            return Err(refused(
                self.opened,
                format!("{old:?} is not in its text; `mojika get -q` prints the text to copy from"),
            ));
        }
        if self.found.count > 1 && !self.all {
            let mut lines = Vec::new();
            for &(start, before) in &self.found.first {
                let lines_before = self.place_of(start, &Patches::default())?.lines;
                lines.push(lines_before + before as u64 + 1);
            }
            return Err(refused(
                self.opened,
                format!(
                    "{old:?} occurs {} times, in lines {} and {} first; \
                     give more of the text around it, or --all",
                    self.found.count, lines[0], lines[1]
                ),
            ));
        }
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        let is_mixed = self.new.contains(['\r', '\n']) && self.ends == Some(LineEnds::Mixed);
        Ok(Changed {
            patches: self.patches,
            encoding: self.encoding,
            is_mixed,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::file::Choice;
    use mojika_spec::Random;
    use mojika_spec::sample::in_turns;

    /// Returns random bytes that are mostly separated by plain text.
    fn any_file(random: &mut Random) -> Vec<u8> {
        let mut bytes = Vec::new();
        let parts = random.below(6);
        for _ in 0..=parts {
            let length = random.below(40);
            bytes.extend(random.odd_bytes(length));
            let filler: &[u8] =
                random.pick::<&[u8]>(&[b"ab ", b"\x81\x40", b"x\r\n", b"\0a", b"zz"]);
            let length = *random.pick(&[0, 1, 40, 600, 5000]);
            bytes.extend(filler.iter().cycle().take(length));
        }
        bytes
    }

    #[test]
    fn a_file_that_changes_before_it_is_written_stays_as_it_is_then() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for other in ["other text", "te", ""] {
            std::fs::write(&path, "text").unwrap();
            let opened = Opened::open(&path, &Choice::Named(mojika::UTF_8), 64 << 20);
            let opened = opened.unwrap_or_else(|_| panic!("it can be read"));
            std::fs::write(&path, other).unwrap();
            let how = HowArgs::default();
            let changed = replace(&opened, "ex", "X", false, &how);
            // Writing fails if the length differs, because the file has changed since it was opened.
            let written = changed.and_then(|changed| opened.write(&changed.patches, false));
            let message = written.err().and_then(|failure| failure.message());
            assert!(message.is_some(), "{other:?}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), other);
            assert_eq!(folder.path().read_dir().unwrap().count(), 1);
        }
    }

    #[test]
    fn a_text_is_found_in_parts_as_in_all_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let standard = mojika::Encoding::all().iter().copied();
        let all = standard.chain(mojika::extended::all());
        // The encoding `REPLACEMENT` allows no edits.
        let all: Vec<_> = all.filter(|one| *one != mojika::REPLACEMENT).collect();
        let (mut written, mut failed, mut in_parts) = (0, 0, 0);
        for case in in_turns(0..250, 3, 1) {
            let mut random = Random::from_seeds(&[0x46, case]);
            let encoding = *random.pick(&all);
            let bytes = any_file(&mut random);
            std::fs::write(&path, &bytes).unwrap();
            let opened = Opened::open(&path, &Choice::Named(encoding), 64 << 20);
            let opened = opened.unwrap_or_else(|_| panic!("it can be read"));
            let finder = opened.finder().unwrap_or_else(|_| panic!("it can be read"));
            let document = opened
                .document()
                .unwrap_or_else(|_| panic!("it can be read"));
            let scalars: Vec<char> = document.text().chars().collect();
            if scalars.is_empty() {
                continue;
            }
            let start = random.below(scalars.len());
            let length = 1 + random.below(4);
            let old: String = scalars[start..].iter().take(length).collect();
            let new = *random.pick(&["", "a", "\n", "é", "字", "\u{FFFD}", "0", "q\r\nq"]);
            let is_all = random.below(2) == 0;
            let how = HowArgs {
                keep_line_ends: random.below(2) == 0,
                ..HowArgs::default()
            };
            let result = |finder: Finder<'_>| {
                let changed = replace_found(&opened, finder, (&old, new, is_all), &how);
                changed
                    .map(|changed| {
                        let mut patches = Vec::new();
                        let each = |range, bytes: &[u8]| {
                            patches.push((range, bytes.to_vec()));
                            Ok(())
                        };
                        changed.patches.each(each).unwrap();
                        (patches, changed.is_mixed)
                    })
                    .map_err(|failure| failure.message().unwrap_or_default())
            };
            let piece = u64::MAX / 2;
            let boundary = Boundary::Initial;
            let (parts, whole) = (
                result(finder),
                result(Finder {
                    piece,
                    boundary,
                    ..finder
                }),
            );
            for piece in [40, 300] {
                let pieces = result(Finder { piece, ..finder });
                assert_eq!(
                    pieces, whole,
                    "case {case}, {encoding}: {old:?} by {new:?}, {piece}"
                );
            }
            assert_eq!(
                parts,
                whole,
                "case {case}, {encoding}: {old:?} by {new:?}, {} bytes",
                bytes.len()
            );
            let needle = Needle::of(finder.encoding, finder.boundary, &old);
            in_parts += usize::from(needle.is_some());
            match whole {
                Ok(_) => written += 1,
                Err(_) => failed += 1,
            }
        }
        assert!(written > 10 && failed > 10, "{written} {failed}");
        assert!(in_parts > 10, "{in_parts}");
    }
}

//! The text of a language, in four kinds.
//!
//! A benchmark that loops over one page measures how well the branch predictor knows that page: encoding_rs looks twice as
//! fast on 20 KB as on text that does not repeat. So each page also has a resampled form: several megabytes of pieces in
//! random order.

use crate::rng::Rng;
use crate::{languages, markup};
use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::rc::Rc;

/// The length of a resampled text, in UTF-8 bytes.
pub const RESAMPLED_LENGTH: usize = 4 << 20;
/// The length of a generated page, in UTF-8 bytes.
const PAGE_LENGTH: usize = 256 << 10;

/// The "language" of x-user-defined: bytes that are not text.
pub const BINARY: &str = "binary";

/// The kind of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A page of plain text.
    Dense,
    /// A page with its markup.
    Mix,
    /// Megabytes of plain text, too varied for the branch predictor.
    ShuffledDense,
    /// Megabytes of text and markup, too varied for the branch predictor.
    ShuffledMix,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 4] = [
        Self::Dense,
        Self::Mix,
        Self::ShuffledDense,
        Self::ShuffledMix,
    ];

    /// Returns the name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dense => "dense",
            Self::Mix => "markup",
            Self::ShuffledDense => "shuffled-dense",
            Self::ShuffledMix => "shuffled-markup",
        }
    }
}

/// Texts by language and kind: from a folder with `LANG.txt` (plain) and `LANG.html`, or generated.
#[derive(Default)]
pub struct Texts {
    folder: Option<PathBuf>,
    cache: HashMap<(String, Kind), Rc<str>>,
}

impl Texts {
    /// Creates texts that are read from this folder, if it has them, or else generated.
    pub fn new(folder: Option<PathBuf>) -> Self {
        Self {
            folder,
            cache: HashMap::new(),
        }
    }

    /// Returns the text of a language.
    pub fn get(&mut self, language: &str, kind: Kind) -> Rc<str> {
        let key = (language.to_string(), kind);
        if let Some(text) = self.cache.get(&key) {
            return text.clone();
        }
        let text: Rc<str> = match kind {
            Kind::Dense if language == BINARY => self.binary(),
            Kind::Dense => self
                .read(language, "txt")
                .or_else(|| self.read(language, "html").map(|html| markup::strip(&html)))
                .unwrap_or_else(|| languages::synthesise(language, PAGE_LENGTH)),
            Kind::Mix => self
                .read(language, "html")
                .unwrap_or_else(|| markup::wrap(&self.get(language, Kind::Dense))),
            Kind::ShuffledDense => resample(&self.get(language, Kind::Dense), RESAMPLED_LENGTH),
            Kind::ShuffledMix => resample(&self.get(language, Kind::Mix), RESAMPLED_LENGTH),
        }
        .into();
        self.cache.insert(key, text.clone());
        text
    }

    /// Returns a binary file, or random bytes, decoded as x-user-defined.
    fn binary(&self) -> String {
        let file = self.folder.as_ref().map(|folder| folder.join("binary.jpg"));
        let bytes = file.and_then(|file| fs::read(file).ok());
        let bytes = bytes.unwrap_or_else(|| {
            let mut rng = Rng::named(BINARY);
            (0..PAGE_LENGTH / 2).map(|_| rng.next() as u8).collect()
        });
        let (text, _) = encoding_rs::X_USER_DEFINED.decode_without_bom_handling(&bytes);
        text.into_owned()
    }

    fn read(&self, language: &str, extension: &str) -> Option<String> {
        let file = self
            .folder
            .as_ref()?
            .join(format!("{language}.{extension}"));
        fs::read_to_string(file)
            .ok()
            .filter(|text| !text.is_empty())
    }
}

/// Returns at least `length` bytes of pieces of 20 to 60 characters, each from a random position of `text`.
///
/// Not only the order but also the start positions are random, so that a short page yields many different pieces.
pub fn resample(text: &str, length: usize) -> String {
    let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let mut resampled = String::with_capacity(length + 256);
    if starts.is_empty() {
        return resampled;
    }
    let mut rng = Rng::new(starts.len() as u64);
    while resampled.len() < length {
        let first = rng.below(starts.len());
        let end = starts.get(first + rng.between(20, 60));
        resampled.push_str(&text[starts[first]..end.copied().unwrap_or(text.len())]);
    }
    resampled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resampled_text_is_long_enough_and_does_not_repeat() {
        let page = languages::synthesise("ru", 30_000);
        let text = resample(&page, 300_000);
        assert!((300_000..301_000).contains(&text.len()));
        // If the page were repeated instead of resampled, its first 10,000 characters would occur ten times.
        let places: Vec<_> = page.char_indices().map(|(at, _)| at).collect();
        let repeated = (0..100)
            .map(|i| &page[places[i * 100]..places[i * 100 + 100]])
            .filter(|piece| text.contains(piece))
            .count();
        assert_eq!(repeated, 0);
    }

    #[test]
    fn resampling_is_repeatable_and_survives_nothing() {
        assert_eq!(resample("", 100), "");
        assert_eq!(resample("да", 100), resample("да", 100));
    }

    #[test]
    fn a_file_of_the_folder_comes_before_made_text() {
        let folder = std::env::temp_dir().join(format!("mojika-texts-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("ru.html"), "<p>Марс — планета</p>").unwrap();
        let mut texts = Texts::new(Some(folder.clone()));
        assert_eq!(&*texts.get("ru", Kind::Mix), "<p>Марс — планета</p>");
        assert_eq!(&*texts.get("ru", Kind::Dense), "Марс — планета\n");
        assert!(texts.get("ko", Kind::Dense).len() >= PAGE_LENGTH);
        assert!(texts.get("ru", Kind::ShuffledMix).len() >= RESAMPLED_LENGTH);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn mixed_text_has_more_ascii_than_dense_text() {
        let mut texts = Texts::default();
        let ascii = |text: &str| text.bytes().filter(u8::is_ascii).count() * 100 / text.len();
        let dense = ascii(&texts.get("ja", Kind::Dense));
        let mix = ascii(&texts.get("ja", Kind::Mix));
        assert!(dense < 10 && mix > 40, "{dense} {mix}");
    }
}

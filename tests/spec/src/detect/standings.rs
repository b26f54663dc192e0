//! From costs to probabilities: how far each encoding is behind the best, and which of them are one answer.

use super::evidence::{Evidence, is_same_text};
use super::{CANDIDATES, Rank, UNDETERMINED};

/// How many encodings are listed at most, and how many are answers.
const MOST: usize = 12;
const ANSWERS: usize = 4;

/// How far behind the best an encoding may be after the beginning of a document, and after the further stretches.
const FORGIVEN: [u32; 2] = [48, 72];

/// An encoding that was in the race.
#[derive(Clone, Copy)]
pub struct Place {
    pub encoding: &'static str,
    pub language: &'static str,
    pub behind: u32,
}

/// How well the best encoding fits what is beyond ASCII.
#[derive(Clone, Copy)]
pub struct Fit {
    pub cost: u32,
    /// How many bytes that are.
    pub bytes: u32,
    /// What a byte costs in an encoding or a language that nobody knows.
    pub unknown: u32,
    /// Whether it is in a language in Latin script that has a model, and not in macintosh.
    pub is_known: bool,
}

impl Fit {
    /// What it costs, less than the best encoding, that the text is in an encoding or a language without a model.
    pub fn unknown(self) -> i32 {
        let bytes = self.bytes.max(1) as i32;
        let more = self.unknown as i32 * bytes - self.cost as i32;
        let known = if self.is_known {
            (24 / bytes).min(8)
        } else {
            0
        };
        // Twelve bytes tell enough.
        12 + known + more * bytes.min(12) / bytes
    }

    /// Returns the fit of what was read after `before`.
    pub fn after(self, before: Self) -> Self {
        Self {
            cost: self.cost.saturating_sub(before.cost),
            bytes: self.bytes.saturating_sub(before.bytes),
            ..self
        }
    }

    /// Returns the sum of the fits of two parts. What is not summed is that of `self`.
    fn and(self, other: Self) -> Self {
        Self {
            cost: self.cost + other.cost,
            bytes: self.bytes + other.bytes,
            ..self
        }
    }
}

/// How far each encoding is behind the best, best first.
#[derive(Default)]
pub struct Standings {
    pub places: Vec<Place>,
    pub fit: Option<Fit>,
    /// Whether a list of letters is likelier than text.
    pub is_list: bool,
    /// Whether an encoding fits the beginning of the part, and none fits all of it.
    fits_beginning: bool,
}

impl Standings {
    /// Adds an encoding, or moves it up if it is listed farther behind.
    pub fn note(&mut self, encoding: &'static str, language: &'static str, behind: u32) {
        if let Some(at) = self.places.iter().position(|one| one.encoding == encoding) {
            if behind >= self.places[at].behind {
                return;
            }
            self.places.remove(at);
        }
        self.places.push(Place {
            encoding,
            language,
            behind,
        });
        self.places.sort_by_key(|place| place.behind);
        self.places.truncate(MOST);
    }

    /// The place of an encoding.
    pub fn of(&self, encoding: &str) -> Option<&Place> {
        self.places.iter().find(|place| place.encoding == encoding)
    }

    fn first(&self) -> Option<&'static str> {
        self.places.first().map(|place| place.encoding)
    }

    /// Those of the beginning of a document and of the further stretches: what comes first may be odd, and so may a
    /// later place.
    pub fn joined(beginning: &Self, further: &Self) -> Self {
        let mut joined = Self::default();
        // A part that no encoding fits tells half as much, and a list of letters a quarter.
        let part_of = |part: &Self| match part.fits_nothing() {
            _ if part.fits_beginning => 1,
            _ if part.is_list => 4,
            fits_nothing => 1 + u32::from(fits_nothing),
        };
        let forgiven = [
            FORGIVEN[0] / part_of(beginning),
            FORGIVEN[1] / part_of(further),
        ];
        let new = |place: &&Place| beginning.of(place.encoding).is_none();
        for place in beginning
            .places
            .iter()
            .chain(further.places.iter().filter(new))
        {
            let parts = [beginning, further].map(|part| part.of(place.encoding));
            let behind = parts.into_iter().zip(forgiven).map(|(place, most)| {
                let behind = place.map_or(most, |place| place.behind);
                behind.min(most)
            });
            joined.note(place.encoding, place.language, behind.sum());
        }
        let least = joined.places.first().map_or(0, |place| place.behind);
        for place in &mut joined.places {
            place.behind -= least;
        }
        let fits_of = |part: &Self| part.fit.filter(|_| part.first() == joined.first());
        let (text, list) = match (beginning.is_list, further.is_list) {
            (false, true) => (beginning, further),
            (true, false) => (further, beginning),
            (are_lists, _) => {
                joined.fit = match (fits_of(beginning), fits_of(further)) {
                    (Some(one), Some(other)) => Some(one.and(other)),
                    (None, Some(other)) => Some(other),
                    _ => beginning.fit,
                };
                joined.is_list = are_lists;
                return joined;
            }
        };
        // Only the part that is text has a fit. It counts if it has more bytes beyond ASCII, and the first encoding fits it.
        let bytes = |part: &Self| part.fit.map_or(0, |fit| fit.bytes);
        joined.is_list =
            fits_of(text).is_none() || text.fits_nothing() || bytes(text) < bytes(list);
        joined.fit = text.fit;
        joined
    }

    /// Those of a part that no encoding fits, and of its beginning.
    pub fn with_beginning(self, beginning: &Self) -> Self {
        if beginning.fits_nothing() {
            return self;
        }
        Self {
            fit: self.fit,
            fits_beginning: true,
            ..Self::joined(beginning, &self)
        }
    }

    /// Returns the standings of further stretches that need no race: the best encoding and those that decode the document to the
    /// same text.
    ///
    /// The result is `None` if another encoding is in question, or if the best one does not fit each stretch.
    pub fn of_further(&self, fits: &[Fit], evidence: &Evidence) -> Option<Self> {
        let first = self.places.first()?.encoding;
        let near = self
            .places
            .iter()
            .filter(|place| place.behind < FORGIVEN[0]);
        let places: Vec<Place> = near.copied().collect();
        let is_decided = !self.is_list
            && !self.fits_nothing()
            && places
                .iter()
                .all(|place| is_same_text(first, place.encoding, evidence.bytes));
        let fits_each = fits.iter().all(|fit| fit.unknown() >= 12);
        (is_decided && fits_each).then(|| Self {
            places,
            fit: fits.iter().copied().reduce(Fit::and),
            ..Self::default()
        })
    }

    /// Whether not even the best encoding fits.
    pub fn fits_nothing(&self) -> bool {
        self.fit.is_some_and(|fit| fit.unknown() < 0)
    }

    /// The answers: encodings that read the text alike are one, by the name of the most common of them.
    pub fn rank(mut self, evidence: &Evidence) -> Vec<Rank> {
        let mut malformed = Vec::new();
        for place in self.places.iter_mut().filter(|place| place.behind < 40) {
            let found = evidence.malformed(place.encoding);
            malformed.push((place.encoding, found.sequences));
            let count = found.counted();
            if count > 0 {
                let cost = (4000 * count / evidence.high()).max(6);
                place.behind += cost as u32;
            }
        }
        self.places.sort_by_key(|place| place.behind);
        let least = self.places.first().map_or(0, |place| place.behind);
        let weight = |behind: u32| likelihood((behind - least) as i32);
        let unknown = if self.is_list {
            1.0
        } else {
            self.fit.map_or(0.0, |fit| likelihood(fit.unknown()))
        };
        let all: f32 = self.places.iter().map(|place| weight(place.behind)).sum();
        let mut ranks: Vec<Rank> = Vec::new();
        let mut left = self.places;
        while let Some(&first) = left.first() {
            let (same, others): (Vec<Place>, Vec<Place>) = left
                .into_iter()
                .partition(|place| is_same_text(first.encoding, place.encoding, evidence.bytes));
            left = others;
            let common = same.iter().min_by_key(|place| rarity(place.encoding));
            let weights: f32 = same.iter().map(|place| weight(place.behind)).sum();
            let found = malformed.iter().find(|one| one.0 == first.encoding);
            ranks.push(Rank {
                encoding: common.unwrap_or(&first).encoding,
                language: Some(first.language).filter(|&tag| tag != UNDETERMINED),
                probability: weights / (all + unknown),
                malformed: found.map_or(0, |one| one.1),
            });
        }
        ranks.sort_by(|one, next| next.probability.total_cmp(&one.probability));
        // Of likely answers, the one with the fewest malformed sequences in a hundred bytes beyond ASCII is the first.
        let high = evidence.high().max(1);
        let in_a_hundred = |rank: &Rank| 100 * rank.malformed / high;
        while let Some(better) = (1..ranks.len()).find(|&at| {
            2.0 * ranks[at].probability >= ranks[0].probability
                && in_a_hundred(&ranks[at]) < in_a_hundred(&ranks[0])
        }) {
            let (first, second) = (ranks[0].probability, ranks[better].probability);
            ranks.swap(0, better);
            (ranks[0].probability, ranks[better].probability) = (first, second);
        }
        ranks.truncate(ANSWERS);
        ranks
    }
}

/// How likely a reading of this cost is: each four of cost halve it.
fn likelihood(cost: i32) -> f32 {
    0.5_f32.powf(cost.clamp(-120, 240) as f32 / 4.0)
}

/// How rare an encoding is, of those that read a text alike.
fn rarity(encoding: &str) -> u8 {
    let candidate = CANDIDATES.iter().find(|one| one.encoding == encoding);
    match candidate {
        Some(candidate) => candidate.prior + u8::from(encoding != "windows-1252"),
        None if encoding == "gb18030" => 2,
        None => 1,
    }
}

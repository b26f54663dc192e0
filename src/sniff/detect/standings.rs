//! From costs to probabilities: how far each encoding is behind the best, and which of them are one answer.

use super::evidence::Inventory;
use super::{Ranking, text};
use crate::Encoding;

/// What malformed sequences cost if there is one for each byte beyond ASCII; a share of them costs its part.
const MALFORMED: u64 = 4000;

/// The least that a malformed sequence costs.
const MALFORMED_LEAST: u64 = 6;

/// How far behind the best an encoding may be that decodes all that was read.
const LEADING: u32 = 40;

/// How far behind the best an encoding may be after the first stretch of a document, and after the further ones.
const FORGIVEN: [u32; 2] = [48, 72];

/// An encoding, as far as the race went.
#[derive(Clone, Copy)]
struct Place {
    encoding: &'static Encoding,
    language: &'static str,
    behind: u32,
    malformed: u64,
}

/// How much more a place costs than the first one. An empty place comes last.
fn order(place: &Option<Place>) -> u32 {
    place.as_ref().map_or(u32::MAX, |place| place.behind)
}

/// How well an encoding fits what is beyond ASCII.
#[derive(Clone, Copy, Default)]
pub(super) struct Fit {
    pub cost: u32,
    /// How many bytes that are.
    pub bytes: u32,
    /// What a byte costs in an encoding or a language that nobody knows.
    pub unknown: u32,
    /// Whether it is in a language in Latin script that has a model, in an encoding of the Standard other than macintosh.
    pub is_known: bool,
}

impl Fit {
    /// How much more likely it is that the text is in an encoding or a language without a model, as a cost.
    ///
    /// Text in the right encoding costs 6 a byte in the median where the script is another than the Latin one, and 11 in
    /// Latin script, where a letter beyond ASCII is rare; in a wrong one it costs 10 to 20.
    pub fn unknown(self) -> i32 {
        let most = UNKNOWN_BYTES as i32;
        let bytes = self.bytes.max(1) as i32;
        let margin = self.unknown as i32 * bytes - self.cost as i32;
        let known = if self.is_known {
            KNOWN_MOST.min(KNOWN / bytes)
        } else {
            0
        };
        UNKNOWN + known + margin * bytes.min(most) / bytes
    }

    /// Returns the sum of the fits of two parts. What is not summed is that of `self`.
    pub fn and(self, other: Self) -> Self {
        Self {
            cost: self.cost + other.cost,
            bytes: self.bytes + other.bytes,
            ..self
        }
    }

    /// Returns the fit of what was read after `before`.
    pub fn after(self, before: Self) -> Self {
        Self {
            cost: self.cost.saturating_sub(before.cost),
            bytes: self.bytes.saturating_sub(before.bytes),
            ..self
        }
    }

    /// Whether the bytes cost no more than text in an encoding or a language without a model.
    pub fn is_better_than_unknown(&self) -> bool {
        self.unknown() >= UNKNOWN
    }
}

/// What it costs that a text is in an encoding or a language that nobody knows, and how many bytes tell about it.
const UNKNOWN: i32 = 12;
const UNKNOWN_BYTES: u32 = 12;

/// What it costs more for all bytes beyond ASCII where they are few and fit a known language in Latin script: those of an
/// encoding that nobody knows are letters, and would hardly be signs and letters at their places.
const KNOWN: i32 = 24;
const KNOWN_MOST: i32 = 8;

/// How far each encoding is behind the best.
pub(super) struct Standings {
    list: [Option<Place>; Self::MOST],
    /// How well the first one fits what is beyond ASCII.
    pub fit: Option<Fit>,
    /// The length that was read of the part, if the first encoding fits these bytes and not those after them.
    pub odd_up_to: Option<usize>,
    /// Whether a list of letters is likelier than text in the first encoding.
    pub is_list: bool,
    /// Whether an encoding fits the beginning of the part, and none fits all of it.
    fits_beginning: bool,
}

impl Standings {
    const MOST: usize = 12;

    pub fn new() -> Self {
        Self {
            list: [None; Self::MOST],
            fit: None,
            odd_up_to: None,
            is_list: false,
            fits_beginning: false,
        }
    }

    /// Adds an encoding, or lowers its cost if it is listed with a higher one.
    pub fn note(&mut self, encoding: &'static Encoding, language: &'static str, behind: u32) {
        let last = Self::MOST - 1;
        if self.list[last].is_some_and(|place| behind >= place.behind) {
            return;
        }
        let is_its = |place: &Option<Place>| {
            place
                .as_ref()
                .is_none_or(|place| place.encoding == encoding)
        };
        let at = self.list.iter().position(is_its).unwrap_or(last);
        if behind >= order(&self.list[at]) {
            return;
        }
        // Places that cost no more stay before it.
        let mut to = at;
        while to > 0 && behind < order(&self.list[to - 1]) {
            self.list[to] = self.list[to - 1];
            to -= 1;
        }
        self.list[to] = Some(Place {
            encoding,
            language,
            behind,
            malformed: 0,
        });
    }

    /// Adds encodings with how much more they cost than the best one. If one comes several times in a row, the first of its
    /// lowest costs counts.
    pub fn note_all(
        &mut self,
        places: impl Iterator<Item = (&'static Encoding, &'static str, u32)>,
    ) {
        let mut last: Option<(&'static Encoding, &'static str, u32)> = None;
        for (encoding, language, behind) in places {
            match &mut last {
                Some(last) if last.0 == encoding => {
                    if behind < last.2 {
                        (last.1, last.2) = (language, behind);
                    }
                }
                _ => {
                    if let Some((encoding, language, behind)) = last {
                        self.note(encoding, language, behind);
                    }
                    last = Some((encoding, language, behind));
                }
            }
        }
        if let Some((encoding, language, behind)) = last {
            self.note(encoding, language, behind);
        }
    }

    /// Sorts the list; places that are equally far behind keep their order.
    fn sort(&mut self) {
        for end in 1..Self::MOST {
            for at in (1..=end).rev() {
                if order(&self.list[at]) >= order(&self.list[at - 1]) {
                    break;
                }
                self.list.swap(at, at - 1);
            }
        }
    }

    /// Adds those of another part of the document.
    pub fn join(&mut self, other: &Self) {
        let (of_first, of_second) = (self.first(), other.first());
        let of_fits = [self.fit, other.fit];
        let are_lists = [self.is_list, other.is_list];
        let forgiven = [self.forgiven(FORGIVEN[0]), other.forgiven(FORGIVEN[1])];
        let of_self = self.list;
        (self.list, self.fits_beginning) = ([None; Self::MOST], false);
        for place in of_self.iter().flatten() {
            let behind = other.behind(place.encoding).map_or(u32::MAX, |one| one.1);
            let behind = place.behind.min(forgiven[0]) + behind.min(forgiven[1]);
            self.note(place.encoding, place.language, behind);
        }
        for place in other.list.iter().flatten() {
            let is_its = |one: &&Place| one.encoding == place.encoding;
            if of_self.iter().flatten().find(is_its).is_none() {
                self.note(
                    place.encoding,
                    place.language,
                    forgiven[0] + place.behind.min(forgiven[1]),
                );
            }
        }
        let least = self.list[0].map_or(0, |place| place.behind);
        for place in self.list.iter_mut().flatten() {
            place.behind -= least;
        }
        let is_first = [of_first, of_second]
            .map(|first| first.map(|one| one.0) == self.first().map(|one| one.0));
        if are_lists[0] != are_lists[1] {
            // Only the part that is text has a fit. It counts if it has more bytes beyond ASCII, and the first encoding fits it.
            let text = usize::from(are_lists[0]);
            let bytes = of_fits.map(|fit| fit.map_or(0, |fit| fit.bytes));
            self.fit = of_fits[text];
            self.is_list = !is_first[text] || self.fits_nothing() || bytes[text] < bytes[1 - text];
            return;
        }
        self.fit = match (is_first, of_fits) {
            ([true, true], [Some(one), Some(other)]) => Some(one.and(other)),
            ([false, true], [_, other]) => other,
            (_, [one, _]) => one,
        };
    }

    /// Adds those of the beginning of this part, which no encoding fits as a whole.
    pub fn begin_with(&mut self, mut of_beginning: Self) {
        if !of_beginning.fits_nothing() {
            of_beginning.join(self);
            of_beginning.fit = self.fit;
            of_beginning.fits_beginning = true;
            *self = of_beginning;
        }
    }

    /// Returns the greatest distance from the best encoding that counts in this part.
    ///
    /// This is `most`, half of it if no encoding fits the part, and a quarter of it if the part is a list of letters.
    fn forgiven(&self, most: u32) -> u32 {
        match self.fits_nothing() {
            _ if self.fits_beginning => most,
            _ if self.is_list => most / 4,
            true => most / 2,
            false => most,
        }
    }

    /// Whether even the best one does not fit.
    pub fn fits_nothing(&self) -> bool {
        self.fit.is_some_and(|fit| fit.unknown() < 0)
    }

    /// Returns the best encoding and those that decode the document to the same text, if it fits the part and no other encoding
    /// is in question.
    pub fn decided(&self, read: &Inventory) -> Option<Self> {
        let first = self.list[0]?;
        if self.is_list || self.odd_up_to.is_some() || self.fits_nothing() {
            return None;
        }
        let mut decided = Self::new();
        let in_question = self.list.iter().flatten();
        for place in in_question.take_while(|place| place.behind < FORGIVEN[0]) {
            let bytes = read.bytes().iter().copied();
            if !text::is_same(first.encoding, place.encoding, bytes) {
                return None;
            }
            decided.note(place.encoding, place.language, place.behind);
        }
        Some(decided)
    }

    /// The best one.
    pub fn first(&self) -> Option<(&'static Encoding, &'static str)> {
        self.list[0].map(|place| (place.encoding, place.language))
    }

    /// Adds `more` to the cost of every encoding in the list.
    pub fn fall_behind(&mut self, more: u32) {
        for place in self.list.iter_mut().flatten() {
            place.behind += more;
        }
    }

    /// Gives the best one another language of its encoding.
    pub fn name_first(&mut self, language: &'static str) {
        if let Some(place) = &mut self.list[0] {
            place.language = language;
        }
    }

    pub fn behind(&self, encoding: &'static Encoding) -> Option<(&'static str, u32)> {
        let mut places = self.list.iter().flatten();
        let place = places.find(|place| place.encoding == encoding)?;
        Some((place.language, place.behind))
    }

    /// Ranks the answers: encodings that read the text alike are one, by the name of the most common of them.
    pub fn rank(&mut self, read: Option<&Inventory>, ranking: &mut Ranking) {
        if let Some(read) = read {
            let high = read.high.max(1);
            let mut of_gb = None;
            for place in self
                .list
                .iter_mut()
                .flatten()
                .filter(|place| place.behind < LEADING)
            {
                let malformed = if text::is_gb(place.encoding) {
                    *of_gb.get_or_insert_with(|| read.malformed(place.encoding))
                } else {
                    read.malformed(place.encoding)
                };
                place.malformed = malformed.sequences;
                let count = malformed.counted();
                if count > 0 {
                    let cost = (MALFORMED * count / high).max(MALFORMED_LEAST);
                    place.behind = place
                        .behind
                        .saturating_add(u32::try_from(cost).unwrap_or(u32::MAX));
                }
            }
            self.sort();
        }
        let least = self.list[0].map_or(0, |place| place.behind);
        let weight =
            |behind: u32| likelihood(behind.saturating_sub(least).min(MOST_WEIGHED) as i32);
        let mut weights = [0.0_f32; Self::MOST];
        let mut answer = [0; Self::MOST];
        // In a list of letters, another encoding with another alphabet is as likely as the best one.
        let mut sum = if self.is_list {
            1.0
        } else {
            self.fit.map_or(0.0, |fit| {
                let most = MOST_WEIGHED as i32;
                likelihood(fit.unknown().clamp(-most / 2, most))
            })
        };
        for (at, place) in self.list.iter().enumerate() {
            let Some(place) = place else { break };
            let is_its = |first: &Option<Place>| {
                first.as_ref().is_some_and(|first| match read {
                    Some(read) => {
                        let bytes = read.bytes().iter().copied();
                        text::is_same(first.encoding, place.encoding, bytes)
                    }
                    None => first.encoding == place.encoding,
                })
            };
            answer[at] = self.list[..at].iter().position(is_its).unwrap_or(at);
            let weight = weight(place.behind);
            sum += weight;
            weights[answer[at]] += weight;
        }
        // Several encodings may make a text likelier than the best one makes its own.
        let mut order: [usize; Self::MOST] = core::array::from_fn(|at| at);
        order.sort_unstable_by(|&one, &other| {
            let by_weight = weights[other].total_cmp(&weights[one]);
            by_weight.then(one.cmp(&other))
        });
        if let Some(read) = read {
            self.prefer_well_formed(read.high, &mut order, &mut weights);
        }
        for at in order {
            let Some(place) = self.list[at].as_ref().filter(|_| answer[at] == at) else {
                continue;
            };
            if ranking.len() == Ranking::MOST {
                break;
            }
            let mut common = place.encoding;
            for (other, same) in self.list.iter().enumerate().skip(at + 1) {
                if let Some(same) = same
                    && answer[other] == at
                    && super::prior::rarity(same.encoding) < super::prior::rarity(common)
                {
                    common = same.encoding;
                }
            }
            ranking.push(
                common,
                weights[at] / sum,
                Some(place.language).filter(|&tag| tag != super::tables::UNDETERMINED),
                place.malformed,
            );
        }
    }
}

impl Standings {
    /// Puts an answer first that is at least half as likely as the first one and has fewer malformed sequences in a hundred
    /// bytes beyond ASCII. Those are counted in all that was read, and decide where the sample leaves a choice.
    fn prefer_well_formed(
        &self,
        high: u64,
        order: &mut [usize; Self::MOST],
        weights: &mut [f32; Self::MOST],
    ) {
        let in_a_hundred =
            |at: usize| self.list[at].map_or(0, |place| 100 * place.malformed / high.max(1));
        while let Some(better) = (1..Self::MOST).find(|&better| {
            2.0 * weights[order[better]] >= weights[order[0]]
                && in_a_hundred(order[better]) < in_a_hundred(order[0])
        }) {
            weights.swap(order[0], order[better]);
            order.swap(0, better);
        }
    }
}

/// The cost from which on nothing is less likely.
const MOST_WEIGHED: u32 = 240;

/// How likely a reading of this cost is.
///
/// Each four of cost halve it: letters of a text depend on one another more than the model knows.
fn likelihood(cost: i32) -> f32 {
    /// Powers of a half with the exponents 0, 1/4, 1/2 and 3/4.
    const QUARTERS: [f32; 4] = [1.0, 0.840_896_4, 0.707_106_77, 0.594_603_54];
    let halvings = cost.div_euclid(4);
    let power = (1_u64 << halvings.unsigned_abs()) as f32;
    let quarter = QUARTERS[cost.rem_euclid(4) as usize];
    if halvings < 0 {
        quarter * power
    } else {
        quarter / power
    }
}

#[cfg(test)]
mod tests {
    use super::Standings;
    use crate::{ISO_8859_7, KOI8_R, WINDOWS_1253};

    /// Of answers that are at least half as likely as the first, one with fewer malformed sequences in a hundred bytes.
    #[test]
    fn what_is_better_formed_comes_first_if_it_is_half_as_likely() {
        // Malformed sequences of the first two answers, bytes beyond ASCII, how likely the second is, and whether it wins.
        for (first, second, high, likely, wins) in [
            (1, 0, 100, 0.5, true),
            (1, 0, 101, 0.5, false),
            (1, 0, 200, 0.9, false),
            (2, 1, 150, 0.9, true),
            (3, 3, 100, 0.9, false),
            (1, 0, 100, 0.499, false),
            (0, 1, 100, 0.9, false),
            (1, 0, 0, 0.9, true),
        ] {
            let mut standings = Standings::new();
            let answers = [(WINDOWS_1253, first), (ISO_8859_7, second), (KOI8_R, 99)];
            for (behind, (encoding, malformed)) in answers.into_iter().enumerate() {
                standings.note(encoding, "el", behind as u32);
                standings.list[behind].as_mut().unwrap().malformed = malformed;
            }
            let mut order = core::array::from_fn(|at| at);
            let mut weights = [0.0; Standings::MOST];
            weights[..3].copy_from_slice(&[1.0, likely, 0.9]);
            standings.prefer_well_formed(high, &mut order, &mut weights);
            assert_eq!(order[0] == 1, wins, "{first} {second} {high} {likely}");
            let expected = if wins { [likely, 1.0] } else { [1.0, likely] };
            assert_eq!(weights[..2], expected, "{first} {second} {high} {likely}");
        }
    }
}

//! How well the encoding that the beginning of a document has decided on fits the further stretches.

use super::double_byte::{self, FORMS};
use super::sample::Part;
use super::standings::{Fit, Standings};
use super::{CANDIDATES, counts, single_byte, tag};

/// Returns the fit of each stretch in the best encoding.
///
/// The result is `None` if the runs of bytes beyond ASCII in a stretch are longer or shorter than words in the script make them.
pub fn fits(beginning: &Standings, further: &Part) -> Option<Vec<Fit>> {
    let first = beginning.places.first()?;
    let candidate = CANDIDATES
        .iter()
        .position(|one| one.encoding == first.encoding);
    let Some(candidate) = candidate else {
        return Some(of_double_byte(first.encoding, further));
    };
    let script = CANDIDATES[candidate].script;
    let language = (0..).find(|&language| tag(language) == first.language)?;
    let of_stretch = |stretch: &Vec<u8>| {
        counts::is_possible(script, stretch).then(|| single_byte::fit(candidate, language, stretch))
    };
    further.stretches.iter().map(of_stretch).collect()
}

/// Returns the fit of each stretch in a double-byte encoding. Of the readings up to the end of a stretch, the one with the lowest
/// cost counts.
fn of_double_byte(encoding: &str, further: &Part) -> Vec<Fit> {
    let main = further.main();
    let english = single_byte::english(&main);
    let encoding = if encoding == "gb18030" {
        "GBK"
    } else {
        encoding
    };
    let form = FORMS.iter().position(|one| one.0 == encoding);
    let form = form.expect("all other encodings have single bytes");
    let starts = 0..=usize::from(main.first().is_some_and(|&byte| byte >= 0x80));
    let up_to = |end| {
        let readings = starts.clone().map(|start| {
            double_byte::read(form, start, &further.stretches, &english, end, u32::MAX)
        });
        readings
            .min_by_key(|one| one.cost)
            .expect("one starts at 0")
            .fit
    };
    let mut end = 0;
    let mut before = up_to(0);
    let mut fits = Vec::new();
    for stretch in &further.stretches {
        end += stretch.len();
        let all = up_to(end);
        fits.push(all.after(before));
        before = all;
    }
    fits
}

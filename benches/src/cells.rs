//! The cells of the report, and their measurement.

use crate::contestants::{self, Contestant, MEMCPY, OF_OTHER_STANDARDS, Operation, Output};
use crate::extended;
use crate::inputs::{Input, Trouble, troubled};
use crate::options::Options;
use crate::small::{self, SIZES, Snippets};
use crate::subjects::Subject;
use crate::texts::{Kind, Texts};
use crate::timing::{Plan, Ratio, median, race};
use crate::verify::compare;
use serde::Serialize;

/// The measurement of one operation on one input, for mojika and for its peers.
#[derive(Clone, Debug, Serialize)]
pub struct Cell {
    /// Operation, encoding, language and kind, with slashes between.
    pub name: String,
    /// The measured operation.
    pub operation: Operation,
    /// Name of the encoding.
    pub encoding: &'static str,
    /// Tag of the language.
    pub language: &'static str,
    /// The kind of input.
    pub kind: String,
    /// The number of bytes that a pass reads.
    pub input_length: usize,
    /// mojika's gigabytes of input per second.
    pub gb_per_s: f64,
    /// The peers.
    pub peers: Vec<Peer>,
    /// Peers that are not timed because their output differs: they use other tables than the Standard's.
    pub differing: Vec<&'static str>,
}

/// The result of a peer.
#[derive(Clone, Debug, Serialize)]
pub struct Peer {
    /// The library.
    pub name: &'static str,
    /// The peer's gigabytes of input per second.
    pub gb_per_s: f64,
    /// mojika's speed divided by the peer's.
    pub ratio: Ratio,
}

impl Cell {
    /// Returns the peer of this name.
    pub fn peer(&self, name: &str) -> Option<&Peer> {
        self.peers.iter().find(|peer| peer.name == name)
    }

    /// Returns the least ratio to a peer that converts.
    pub fn least_ratio(&self) -> f64 {
        self.peers
            .iter()
            .filter(|peer| peer.name != MEMCPY)
            .map(|peer| peer.ratio.median)
            .fold(f64::INFINITY, f64::min)
    }
}

/// Measures the selected cells, and passes each to `done`.
///
/// # Errors
///
/// Returns the name of the first cell in which mojika's output differs from a peer's, and the offset.
pub fn measure(options: &Options, done: impl FnMut(Cell)) -> Result<(), String> {
    let mut bench = Bench {
        options,
        plan: options.plan(),
        texts: Texts::new(options.corpus.clone()),
        done,
    };
    if !options.compat {
        bench.clean()?;
        bench.broken()?;
        bench.extended()?;
    }
    bench.small()
}

struct Bench<'a, F> {
    options: &'a Options,
    plan: Plan,
    texts: Texts,
    done: F,
}

/// The operation, the subject and the kind of a cell that is not measured yet.
struct Place {
    operation: Operation,
    subject: Subject,
    kind: String,
}

impl Place {
    fn name(&self) -> String {
        format!(
            "{}/{}/{}/{}",
            self.operation.name(),
            self.subject.encoding.name().to_ascii_lowercase(),
            self.subject.language,
            self.kind
        )
    }
}

impl<F: FnMut(Cell)> Bench<'_, F> {
    /// Returns the selected operations of a subject and kind.
    fn wanted(&self, operations: &[Operation], subject: Subject, kind: &str) -> Vec<Place> {
        operations
            .iter()
            .map(|&operation| Place {
                operation,
                subject,
                kind: kind.to_string(),
            })
            .filter(|place| self.options.wants(&place.name()))
            .collect()
    }

    /// Measures the cells with well-formed text of every kind.
    fn clean(&mut self) -> Result<(), String> {
        for subject in Subject::all() {
            let mut operations = Operation::STREAMING.to_vec();
            if subject.encoding == mojika::UTF_8 {
                operations.push(Operation::BorrowUtf8);
            }
            for kind in Kind::ALL {
                if self.options.quick && matches!(kind, Kind::Dense | Kind::Mix) {
                    continue;
                }
                let wanted = self.wanted(&operations, subject, kind.name());
                if wanted.is_empty() {
                    continue;
                }
                let input = Input::new(subject, &self.texts.get(subject.language, kind));
                for place in wanted {
                    self.large(place, &input)?;
                }
            }
        }
        Ok(())
    }

    /// Measures the cells with each [`Trouble`]: ASCII, and input that is broken or otherwise unusual.
    fn broken(&mut self) -> Result<(), String> {
        for subject in Subject::one_per_encoding() {
            for trouble in Trouble::ALL {
                let wanted = self.wanted(&Operation::STREAMING, subject, trouble.name());
                if wanted.is_empty() {
                    continue;
                }
                let dense = self.texts.get(subject.language, Kind::ShuffledDense);
                let input = troubled(subject, trouble, &dense);
                for place in wanted {
                    self.large(place, &input)?;
                }
            }
        }
        Ok(())
    }

    /// Measures the cells of encodings that are not in the Standard.
    fn extended(&mut self) -> Result<(), String> {
        for (name, languages) in extended::SUBJECTS {
            for language in languages {
                let subject = extended::subject(name, language);
                let kinds: &[_] = match subject.encoding.is_stateful() {
                    true => &[Kind::ShuffledDense, Kind::ShuffledMix],
                    false if self.options.quick => &[Kind::ShuffledDense],
                    false => &[Kind::Dense, Kind::ShuffledDense],
                };
                for &kind in kinds {
                    let wanted = self.wanted(&Operation::STREAMING, subject, kind.name());
                    if wanted.is_empty() {
                        continue;
                    }
                    let text = self.texts.get(language, kind);
                    let inputs = extended::Inputs::new(subject, &text, &self.texts.get("ru", kind));
                    for place in wanted {
                        let length = place.operation.input_length(&inputs.own);
                        let ours = contestants::mojika(place.operation, subject, &inputs.own);
                        let peers = inputs.peers(place.operation, subject);
                        self.run(place, length, ours, peers, Output::for_input(length))?;
                    }
                }
            }
        }
        Ok(())
    }

    fn small(&mut self) -> Result<(), String> {
        const SUBJECTS: [(&str, &str); 9] = [
            ("windows-1252", "de"),
            ("windows-1251", "ru"),
            ("gbk", "zh_cn"),
            ("big5", "zh_tw"),
            ("shift_jis", "ja"),
            ("iso-2022-jp", "ja"),
            ("euc-kr", "ko"),
            ("utf-8", "ru"),
            ("utf-16le", "ru"),
        ];
        for (label, language) in SUBJECTS {
            let subject = Subject::new(label, language);
            // Short ASCII input stands for headers. Three encodings suffice to show its cost.
            let with_ascii = ["windows-1252", "gbk", "utf-8"].contains(&label);
            for (kind, source) in [("dense", language), ("ascii", "en")] {
                if kind == "ascii" && !with_ascii {
                    continue;
                }
                for size in SIZES {
                    if self.options.quick && ![16, 64, 256].contains(&size) {
                        continue;
                    }
                    let kind = format!("{kind}-{size}B");
                    let wanted = self.wanted(&Operation::SMALL, subject, &kind);
                    if wanted.is_empty() {
                        continue;
                    }
                    let text = self.texts.get(source, Kind::Dense);
                    let text: String = match source {
                        "en" => text.chars().filter(char::is_ascii).collect(),
                        _ => text.to_string(),
                    };
                    let snippets = Snippets::new(subject, &text, size);
                    for place in wanted {
                        let theirs = small::encoding_rs(place.operation, subject, &snippets);
                        let ours = if self.options.compat {
                            small::compat(place.operation, subject, &snippets)
                        } else {
                            Some(small::mojika(place.operation, subject, &snippets))
                        };
                        let Some(ours) = ours else { continue };
                        let length = snippets.input_length(place.operation);
                        let peers = theirs.into_iter().collect();
                        self.run(place, length, ours, peers, small::output())?;
                    }
                }
            }
        }
        Ok(())
    }

    fn large(&mut self, place: Place, input: &Input) -> Result<(), String> {
        let length = place.operation.input_length(input);
        if length == 0 {
            return Ok(());
        }
        let ours = contestants::mojika(place.operation, place.subject, input);
        let peers = contestants::peers(place.operation, place.subject, input);
        let output = Output::for_input(length);
        self.run(place, length, ours, peers, output)
    }

    /// Compares the outputs, then times the contestants.
    fn run<'a>(
        &mut self,
        place: Place,
        input_length: usize,
        mut ours: Contestant<'a>,
        peers: Vec<Contestant<'a>>,
        mut output: Output,
    ) -> Result<(), String> {
        let (mut peers, differing) = agreeing(&place, &mut ours, peers, &mut output)?;
        if peers.is_empty() {
            return Ok(());
        }
        let shared = std::cell::RefCell::new(output);
        let mut passes: Vec<_> = [&mut ours]
            .into_iter()
            .chain(&mut peers)
            .map(|contestant| {
                let (pass, shared) = (&mut contestant.pass, &shared);
                move || {
                    std::hint::black_box(pass(&mut shared.borrow_mut()));
                }
            })
            .collect();
        let mut racers: Vec<&mut dyn FnMut()> = passes
            .iter_mut()
            .map(|pass| pass as &mut dyn FnMut())
            .collect();
        let nanos = race(&mut racers, self.plan);
        // Bytes per nanosecond are gigabytes per second.
        let speed = |nanos: &[f64]| input_length as f64 / median(nanos);
        let measured = peers
            .iter()
            .zip(&nanos[1..])
            .map(|(peer, theirs)| Peer {
                name: peer.name,
                gb_per_s: speed(theirs),
                ratio: Ratio::new(&nanos[0], theirs),
            })
            .collect();
        (self.done)(Cell {
            name: place.name(),
            operation: place.operation,
            encoding: place.subject.encoding.name(),
            language: place.subject.language,
            kind: place.kind,
            input_length,
            gb_per_s: speed(&nanos[0]),
            peers: measured,
            differing,
        });
        Ok(())
    }
}

/// Returns the peers whose output equals mojika's, and the names of the others.
///
/// A different output is an error, except for peers whose tables follow other standards.
fn agreeing<'a>(
    place: &Place,
    ours: &mut Contestant<'_>,
    peers: Vec<Contestant<'a>>,
    output: &mut Output,
) -> Result<(Vec<Contestant<'a>>, Vec<&'static str>), String> {
    let mut write = |contestant: &mut Contestant<'_>| {
        let pass = contestant.check.as_mut().unwrap_or(&mut contestant.pass);
        let written = pass(output);
        if place.operation.writes_units() {
            (Vec::new(), output.units[..written].to_vec())
        } else {
            (output.bytes[..written].to_vec(), Vec::new())
        }
    };
    let (our_bytes, our_units) = write(ours);
    let (mut agreeing, mut differing) = (Vec::new(), Vec::new());
    for mut peer in peers {
        if ![MEMCPY, extended::WINDOWS_1251].contains(&peer.name) {
            let (bytes, units) = write(&mut peer);
            let compared = compare(&our_bytes, &bytes).and(compare(&our_units, &units));
            match compared {
                Err(_) if OF_OTHER_STANDARDS.contains(&peer.name) => {
                    differing.push(peer.name);
                    continue;
                }
                Err(mismatch) => {
                    return Err(format!(
                        "{} against {}: {mismatch}",
                        place.name(),
                        peer.name
                    ));
                }
                Ok(()) => {}
            }
        }
        agreeing.push(peer);
    }
    Ok((agreeing, differing))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contestants::{ICONV, ICU, SIMDUTF};
    use crate::icu;

    fn of(only: &str, compat: bool) -> Options {
        Options {
            quick: true,
            only: Some(regex::Regex::new(only).unwrap()),
            compat,
            ..Options::default()
        }
    }

    #[test]
    fn the_client_of_encoding_rs_has_the_small_cells_that_both_have() {
        let mut names = Vec::new();
        let options = of("utf-16le/ru/.*-16B$|koi8-r/ru/shuffled-dense$", true);
        measure(&options, |cell| names.push(cell.name)).unwrap();
        let expected = ["", "-to-utf8", "-to-utf16"]
            .map(|to| format!("small-decode{to}/utf-16le/ru/dense-16B"));
        assert_eq!(names, expected);
    }

    fn cells(only: &str) -> Vec<Cell> {
        let options = of(only, false);
        let mut cells = Vec::new();
        let mut bench = Bench {
            options: &options,
            plan: Plan {
                rounds: 1,
                slice_nanos: 1,
            },
            texts: Texts::default(),
            done: |cell| cells.push(cell),
        };
        bench.clean().unwrap();
        bench.broken().unwrap();
        bench.small().unwrap();
        cells
    }

    #[test]
    fn a_cell_has_its_peers() {
        let cells =
            cells("^decode-to-utf16/utf-8/ru/shuffled-dense$|^decode-to-utf8/koi8-r/ru/ascii$");
        let peers = |cell: &Cell| {
            let names = cell.peers.iter().map(|peer| peer.name);
            names.filter(|&name| name != ICU).collect::<Vec<_>>()
        };
        assert_eq!(peers(&cells[0]), ["encoding_rs", SIMDUTF]);
        assert_eq!(peers(&cells[1]), ["encoding_rs", "iconv", "memcpy"]);
        for cell in &cells {
            assert_eq!(cell.peer(ICU).is_some(), icu::installed().is_some());
        }
        assert!(cells[0].gb_per_s > 0.0 && cells[0].input_length >= 4 << 20);
    }

    #[test]
    fn a_mismatch_is_found_and_named() {
        let place = Place {
            operation: Operation::DecodeToUtf8,
            subject: Subject::new("gbk", "zh_cn"),
            kind: "dense".into(),
        };
        let writer = |name, byte| {
            Contestant::new(name, move |out: &mut Output| {
                out.bytes[..3].copy_from_slice(&[b'a', byte, b'c']);
                3
            })
        };
        let mut output = Output::for_input(3);
        let mut agree =
            |peer| agreeing(&place, &mut writer("mojika", b'b'), vec![peer], &mut output);
        assert_eq!(agree(writer("encoding_rs", b'b')).unwrap().0.len(), 1);
        assert_eq!(agree(writer(ICONV, b'x')).unwrap().1, [ICONV]);
        assert_eq!(agree(writer(ICU, b'x')).unwrap().1, [ICU]);
        let error = agree(writer("encoding_rs", b'x')).err().unwrap();
        assert!(error.starts_with(
            "decode-to-utf8/gbk/zh_cn/dense against encoding_rs: outputs differ at 1"
        ));
    }
}

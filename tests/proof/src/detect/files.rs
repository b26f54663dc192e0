//! Accuracy on documents: `mojika-proof detect DIR [SET]`, `detect --files MANIFEST...`, and `detect --kinds DIR [SET]`.

use super::accuracy::Accuracy;
use super::document::{self, Document};
use super::kinds;
use super::pieces;
use super::verdict::Said;
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use mojika::Encoding;
use mojika_sniff::detect::{Content, DetectHints, detect};
use std::collections::HashMap;
use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

/// The maximum number of pieces of each length from a document.
const PIECES: usize = 4;

/// The documents to measure.
#[derive(Default, PartialEq)]
pub enum Subject {
    /// Pieces of running text: see [`pieces::each`].
    #[default]
    Pieces,
    /// Labelled files: see [`document::each`].
    Files,
    /// Documents of other kinds: see [`kinds::each`].
    Kinds,
}

/// The options of a measurement.
#[derive(Default)]
pub struct Options {
    /// The paths of manifests; or a folder of texts and, optionally, the name of a set.
    pub places: Vec<PathBuf>,
    /// The documents to measure.
    pub subject: Subject,
    /// The lengths of pieces to measure in place of whole documents: see [`document::pieces`].
    pub lengths: Vec<usize>,
    /// The folder to which the documents and their manifest are written.
    pub write: Option<PathBuf>,
    /// The file with the answers of other detectors, by `scripts/compare-detectors.py`. Its lines have fields with tabs
    /// between them: path, detector, name, probability (may be empty) and microseconds.
    pub peers: Option<PathBuf>,
    /// True if detectors may answer with encodings outside the Standard.
    pub extended: bool,
    /// True to leave out chardetng, which takes most of the time.
    pub alone: bool,
    /// True to list the wrong answers.
    pub verbose: bool,
}

impl Options {
    /// Parses the arguments of the command.
    pub fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut options = Self::default();
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            match argument.as_str() {
                "--files" => options.subject = Subject::Files,
                "--kinds" => options.subject = Subject::Kinds,
                "--extended" => options.extended = true,
                "--alone" => options.alone = true,
                "-v" => options.verbose = true,
                "--peers" => {
                    let file = rest.next().ok_or("--peers needs a file")?;
                    options.peers = Some(file.into());
                }
                "--pieces" => {
                    let list = rest.next().ok_or("--pieces needs lengths, such as 16,32")?;
                    let lengths: Result<_, _> = list.split(',').map(str::parse).collect();
                    options.lengths = lengths.map_err(|error| format!("{list}: {error}"))?;
                }
                "--write" => {
                    let folder = rest.next().ok_or("--write needs a folder")?;
                    options.write = Some(folder.into());
                }
                option if option.starts_with('-') => {
                    return Err(format!("unknown option {option}"));
                }
                place => options.places.push(place.into()),
            }
        }
        Ok(options)
    }
}

/// Prints the tables.
pub fn measure(options: &Options) -> Result<(), Box<dyn Error>> {
    let peers = match &options.peers {
        Some(file) => Peers::read(&std::fs::read_to_string(file)?)?,
        None => Peers::default(),
    };
    let names: &[&str] = match options.alone {
        true => &["mojika"],
        false => &["mojika", "chardetng"],
    };
    let names = names.iter().map(|&name| name.to_owned());
    let mut accuracy = Accuracy::new(names.chain(peers.names.iter().cloned()), options.extended);
    let hints = DetectHints {
        extended: options.extended,
        ..DetectHints::default()
    };
    let mut number = 0;
    let mut manifest = String::new();
    let mut measure = |document: Document| -> Result<(), Box<dyn Error>> {
        let mut answers = vec![Some(own(&document, &hints))];
        if !options.alone {
            answers.push(Some(chardetng(&document)));
        }
        answers.extend(peers.of(&document));
        accuracy.add(&document, &answers);
        if let Some(folder) = &options.write {
            std::fs::create_dir_all(folder)?;
            std::fs::write(folder.join(number.to_string()), &document.bytes)?;
            let Document {
                label,
                language,
                kind,
                ..
            } = document;
            manifest += &format!("{label}\t{language}\t{number}\t{kind}\n");
            number += 1;
        }
        Ok(())
    };
    if options.subject == Subject::Files {
        for manifest in &options.places {
            document::each(manifest, |document| {
                if options.lengths.is_empty() {
                    return measure(document);
                }
                let lengths = options.lengths.iter();
                lengths
                    .flat_map(|&length| document::pieces(&document, length, PIECES))
                    .try_for_each(&mut measure)
            })?;
        }
    } else {
        let (folder, set) = match &options.places[..] {
            [folder] => (folder, "held-out".into()),
            [folder, set] => (folder, set.to_string_lossy()),
            _ => return Err("a folder is needed and, perhaps, the name of a set".into()),
        };
        match options.subject {
            Subject::Kinds => kinds::each(folder, &set, measure)?,
            _ => pieces::each(&folder.join(&*set), measure)?,
        }
    }
    if let Some(folder) = &options.write {
        std::fs::write(folder.join("list.tsv"), manifest)?;
    }
    accuracy.print(options.verbose);
    Ok(())
}

/// Answers of other detectors.
#[derive(Default)]
struct Peers {
    names: Vec<String>,
    answers: HashMap<String, Vec<(usize, Said)>>,
}

impl Peers {
    fn read(list: &str) -> Result<Self, String> {
        let mut peers = Self::default();
        for line in list.lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            let [path, detector, name, probability, time] = fields[..] else {
                return Err(format!("not an answer: {line}"));
            };
            let known = peers.names.iter().position(|known| known == detector);
            let at = known.unwrap_or_else(|| {
                peers.names.push(detector.to_owned());
                peers.names.len() - 1
            });
            let said = Said {
                probability: probability.parse().unwrap_or(0.0),
                time: time.parse().unwrap_or(0.0) / 1e6,
                ..Said::of_name(name)
            };
            peers
                .answers
                .entry(path.to_owned())
                .or_default()
                .push((at, said));
        }
        Ok(peers)
    }

    fn of(&self, document: &Document) -> Vec<Option<Said>> {
        let mut answers = vec![None; self.names.len()];
        for (at, said) in self.answers.get(&document.name).into_iter().flatten() {
            answers[*at] = Some(said.clone());
        }
        answers
    }
}

/// Returns the encoding of a byte order mark, which decides before detection, as in `sniff`. By the Standard,
/// UTF-32LE's mark is one of UTF-16LE; here, detection decides.
fn by_mark(bytes: &[u8]) -> Option<Said> {
    if bytes.starts_with(b"\xFF\xFE\0\0") {
        return None;
    }
    let (encoding, _) = Encoding::for_bom(bytes)?;
    Some(Said::of_name(encoding.name()))
}

/// Returns mojika's answer.
pub(super) fn own(document: &Document, hints: &DetectHints) -> Said {
    let clock = Instant::now();
    if let Some(said) = by_mark(&document.bytes) {
        return said;
    }
    let ranking = detect(&document.bytes, hints);
    let time = clock.elapsed().as_secs_f64();
    let said = match (ranking.first(), ranking.content()) {
        (Some(guess), _) => Said {
            probability: guess.probability,
            language: guess.language.unwrap_or("").to_owned(),
            ..Said::of_name(guess.encoding.name())
        },
        (None, Content::Ascii) => Said::of_name("ASCII"),
        (None, Content::Binary) => Said::of_name("binary"),
        (None, Content::Unsupported(name)) => Said::of_name(name),
        // No allowed encoding fits.
        (None, _) => Said::of_name("none"),
    };
    Said { time, ..said }
}

/// Returns chardetng's answer.
fn chardetng(document: &Document) -> Said {
    if let Some(said) = by_mark(&document.bytes) {
        return said;
    }
    let clock = Instant::now();
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    // `false`, because the document may end within a character.
    detector.feed(&document.bytes, false);
    let said = detector.guess(None, Utf8Detection::Allow);
    Said {
        time: clock.elapsed().as_secs_f64(),
        ..Said::of_name(said.name())
    }
}

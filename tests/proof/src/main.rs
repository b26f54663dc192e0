//! Runs the sweeps: `cargo run --release -p mojika-proof -- full [--only A..G] [--encoding X] [--level L] [--jobs N]`.

use mojika::simd::{Level, available};
use mojika_proof::report::Tally;
use mojika_proof::run::Profile;
use mojika_proof::sections::{self, SECTIONS};
use mojika_proof::subject::Subject;
use std::process::ExitCode;
use std::time::Instant;

const USAGE: &str = "\
usage: mojika-proof full|quick|sample [options]
       mojika-proof detect DIR [SET] [--write FOLDER] [--alone] [-v]
       mojika-proof detect --files MANIFEST... [--pieces 16,32] [--peers FILE] [--extended] [--alone] [-v]
       mojika-proof detect --kinds DIR [SET] [--write FOLDER] [--extended] [--alone] [-v]
       mojika-proof detect --fit DIR [MANIFEST...]
       mojika-proof units [FOLDER...]

  detect         accuracy and speed of detection on pieces of the texts in DIR/held-out (or DIR/SET), beside chardetng
  detect --files accuracy and speed on labelled files, beside chardetng; MANIFEST has lines of label, language, path and,
                 perhaps, kind (A to J of docs/DETECTION.md), FILE the answers of scripts/compare-detectors.py; -v lists
                 what is wrong, --pieces takes pieces of running text of these lengths in bytes instead of whole files,
                 --alone leaves chardetng out, which takes most of the time
  detect --kinds the same on documents of these kinds, made from DIR/SET and DIR/kinds/SET; --write keeps them, with a
                 manifest (list.tsv)
  detect --fit   the constants of the calibration, fitted on DIR/tune and labelled files
  units          accuracy of detection of UTF-16 and UTF-32 without a byte order mark, on text in UTF-8 (default: the samples)

  full           every case; an hour and a half of one core, about
  quick          the sample that `.ci/full` runs
  sample         what `cargo test` runs of it: one in two to four of the cases, each on one instruction set

  --only LIST    sections, such as A, ACF or A..D (default: A..G)
  --encoding X   one encoding, by its name (default: all)
  --level L      one instruction set, such as avx2 (default: all that there are)
  --jobs N       threads (default: 2)
";

struct Options {
    profile: Profile,
    sections: Vec<char>,
    /// True in the child process that runs section E.
    child: bool,
}

fn parse(arguments: &[String]) -> Result<Options, String> {
    let mut arguments = arguments.iter().map(String::as_str);
    let profile = match arguments.next() {
        Some("full") => Profile::new(true),
        Some("quick") => Profile::new(false),
        Some("sample") => Profile::sample(),
        other => return Err(format!("unknown profile {:?}", other.unwrap_or(""))),
    };
    let mut options = Options {
        profile,
        sections: SECTIONS.to_vec(),
        child: false,
    };
    while let Some(option) = arguments.next() {
        if option == "--child" {
            options.child = true;
            continue;
        }
        let value = arguments
            .next()
            .ok_or_else(|| format!("{option} needs a value"))?;
        match option {
            "--only" => options.sections = sections_of(value)?,
            "--encoding" => {
                let subject = Subject::named(value);
                options.profile.encoding =
                    Some(subject.ok_or_else(|| format!("no encoding is named {value}"))?);
            }
            "--level" => {
                let level: Level = value
                    .parse()
                    .map_err(|_| format!("no instruction set is named {value}"))?;
                if !available().any(|have| have == level) {
                    return Err(format!("this machine does not have {value}"));
                }
                options.profile.levels = vec![level];
            }
            "--jobs" => {
                options.profile.jobs = value
                    .parse()
                    .map_err(|_| format!("{value} is no number of threads"))?;
            }
            _ => return Err(format!("unknown option {option}")),
        }
    }
    Ok(options)
}

/// Parses a list of sections: `A`, `ACF` or `A..D`.
fn sections_of(list: &str) -> Result<Vec<char>, String> {
    let list = list.to_ascii_uppercase();
    let letters: Vec<char> = match list.split_once("..") {
        Some((first, last)) => {
            let (first, last) = (first.chars().next(), last.chars().next());
            SECTIONS
                .into_iter()
                .filter(|&letter| Some(letter) >= first && Some(letter) <= last)
                .collect()
        }
        None => list.chars().collect(),
    };
    match letters.iter().find(|letter| !SECTIONS.contains(letter)) {
        Some(letter) => Err(format!("there is no section {letter}")),
        None if letters.is_empty() => Err(format!("no section in {list}")),
        None => Ok(letters),
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        Some((command, rest)) if command == "detect" => return mojika_proof::detect::run(rest),
        Some((command, rest)) if command == "units" => {
            return mojika_proof::detect::units::run(rest);
        }
        _ => {}
    }
    let options = match parse(&arguments) {
        Ok(options) => options,
        Err(message) => {
            eprintln!("{message}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    if options.child {
        return guarded_child(&options);
    }
    let names: Vec<&str> = options
        .profile
        .levels
        .iter()
        .map(|level| level.name())
        .collect();
    println!("instruction sets: {}", names.join(", "));
    let (mut cases, mut differences) = (0, 0);
    for &section in &options.sections {
        let start = Instant::now();
        let (mut compared, mut differing) = (0, 0);
        for part in parts(section, &options) {
            let counts = run(section, &part).unwrap_or_else(|error| {
                eprintln!("section {section}: {error}");
                (0, 1)
            });
            compared += counts.0;
            differing += counts.1;
            if let (true, Some(subject)) = (options.profile.full, part.encoding) {
                eprintln!(
                    "   {section} {subject}: {} cases, {} differences",
                    counts.0,
                    counts.1,
                    subject = subject.name()
                );
            }
        }
        println!(
            "{section}: {compared} cases, {differing} differences, {:.0} s",
            start.elapsed().as_secs_f64()
        );
        cases += compared;
        differences += differing;
    }
    println!("{cases} cases, {differences} differences");
    ExitCode::from(u8::from(differences > 0))
}

/// Returns one profile per encoding, so that the full profile shows progress; otherwise a single one for all.
fn parts(section: char, options: &Options) -> Vec<Profile> {
    if section == 'F' || !options.profile.full {
        return vec![options.profile.clone()];
    }
    let subjects = options.profile.subjects();
    subjects
        .map(|subject| Profile {
            encoding: Some(subject),
            ..options.profile.clone()
        })
        .collect()
}

/// Runs a section, E in a separate process. Returns the numbers of cases and differences.
fn run(section: char, profile: &Profile) -> std::io::Result<(u64, u64)> {
    #[cfg(target_os = "linux")]
    if section == 'E' {
        let name = if profile.in_turns {
            "sample"
        } else {
            profile.of("full", "quick")
        };
        let mut arguments = vec![name.to_string(), "--child".into()];
        if let Some(subject) = profile.encoding {
            arguments.extend(["--encoding".into(), subject.name().into()]);
        }
        if let [level] = profile.levels[..] {
            arguments.extend(["--level".into(), level.name().into()]);
        }
        return sections::guard::supervise(&std::env::current_exe()?, &arguments);
    }
    Ok(here(section, profile))
}

/// Runs a section in this process.
fn here(section: char, profile: &Profile) -> (u64, u64) {
    let tally = Tally::default();
    sections::run(section, profile, &tally);
    (tally.cases(), tally.differences())
}

/// Runs section E as the child process, which may crash.
fn guarded_child(options: &Options) -> ExitCode {
    let (cases, differences) = here('E', &options.profile);
    println!("guarded {cases} {differences}");
    ExitCode::SUCCESS
}

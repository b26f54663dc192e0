//! The command line of `versus`.

use crate::timing::Plan;
use regex::Regex;
use std::env;
use std::path::PathBuf;

/// The output of `--help`.
pub const HELP: &str = "\
cargo bench -p mojika-benches --bench versus -- [OPTIONS]

  --corpus DIR       texts LANG.txt (plain) and LANG.html (with markup); what is missing is made up
  --quick            shuffled texts, three sizes of snippets, and fewer, shorter slices
  --only REGEX       cells whose name matches: operation/encoding/language/kind
  --level LEVEL      cap mojika's instruction sets: portable, sse2, avx2, avx512, neon
                     (simdutf obeys the environment variable SIMDUTF_FORCE_IMPLEMENTATION=haswell|westmere|fallback)
  --compat           small cells alone, by mojika in the place of encoding_rs (bindings/encoding_rs)
  --out DIR          where report.json and report.svg go; target/versus if absent
  --assert-min X     exit with 1 if mojika is less than X times as fast as a peer (memcpy, the limit, apart)
";

/// The selection of cells and the settings of a run.
#[derive(Debug, Default)]
pub struct Options {
    /// Folder of texts.
    pub corpus: Option<PathBuf>,
    /// Fewer rounds and shorter slices.
    pub quick: bool,
    /// A pattern for the names of cells.
    pub only: Option<Regex>,
    /// Cap on mojika's instruction sets.
    pub level: Option<mojika::simd::Level>,
    /// Time the crate in `bindings/encoding_rs` instead of the library.
    pub compat: bool,
    /// Folder for the report.
    pub out: Option<PathBuf>,
    /// The least ratio that passes.
    pub assert_min: Option<f64>,
    /// Print the help and do nothing.
    pub help: bool,
}

impl Options {
    /// Parses the arguments after the program's name.
    ///
    /// # Errors
    ///
    /// A message for the user.
    pub fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Self, String> {
        let mut options = Self::default();
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            let mut value = || {
                arguments
                    .next()
                    .ok_or_else(|| format!("{argument} needs a value"))
            };
            match &*argument {
                "--corpus" => {
                    let folder = from_callers_folder(value()?);
                    if !folder.is_dir() {
                        return Err(format!("--corpus: no folder {}", folder.display()));
                    }
                    options.corpus = Some(folder);
                }
                "--quick" => options.quick = true,
                "--compat" => options.compat = true,
                "--only" => {
                    options.only = Some(Regex::new(&value()?).map_err(|e| e.to_string())?);
                }
                "--level" => {
                    options.level = Some(value()?.parse().map_err(|_| "no such level")?);
                }
                "--out" => options.out = Some(from_callers_folder(value()?)),
                "--assert-min" => {
                    let least = value()?
                        .parse()
                        .map_err(|_| "--assert-min needs a number")?;
                    options.assert_min = Some(least);
                }
                "--help" | "-h" => options.help = true,
                // `cargo bench` passes this to every bench.
                "--bench" => {}
                _ => return Err(format!("unknown option {argument}")),
            }
        }
        Ok(options)
    }

    /// True if the cell of this name is selected.
    pub fn wants(&self, name: &str) -> bool {
        self.only.as_ref().is_none_or(|only| only.is_match(name))
    }

    /// Returns the numbers of rounds and slices.
    pub fn plan(&self) -> Plan {
        if self.quick {
            Plan {
                rounds: 7,
                slice_nanos: 2_000_000,
            }
        } else {
            Plan {
                rounds: 15,
                slice_nanos: 5_000_000,
            }
        }
    }

    /// Returns the folder for the report: the requested one, or `versus` next to the build's folders.
    pub fn out_folder(&self) -> PathBuf {
        self.out.clone().unwrap_or_else(|| {
            env::current_exe()
                .ok()
                // target/release/deps/versus-…
                .and_then(|exe| Some(exe.ancestors().nth(3)?.join("versus")))
                .unwrap_or_else(|| "target/versus".into())
        })
    }
}

/// Resolves a relative path in the user's folder, because cargo runs a bench in its package's folder.
fn from_callers_folder(path: String) -> PathBuf {
    env::var_os("PWD")
        .map_or_else(PathBuf::new, PathBuf::from)
        .join(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Options, String> {
        Options::parse(line.split_whitespace().map(String::from))
    }

    #[test]
    fn options_are_read() {
        let options =
            parse("--bench --quick --compat --only gbk|big5 --level AVX2 --assert-min 1.5")
                .unwrap();
        assert!(options.quick && options.compat && options.wants("decode-to-utf8/gbk/zh_cn/dense"));
        assert!(!options.wants("decode-to-utf8/utf-8/ru/dense"));
        assert_eq!(options.level, Some(mojika::simd::Level::Avx2));
        assert_eq!(options.assert_min, Some(1.5));
    }

    #[test]
    fn nonsense_is_refused() {
        for line in [
            "--quik",
            "--corpus",
            "--corpus no/such/folder",
            "--level mmx",
            "--only (",
            "--assert-min x",
        ] {
            assert!(parse(line).is_err(), "{line}");
        }
    }
}

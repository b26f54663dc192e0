//! The command line of `versus`.

use crate::timing::Plan;
use clap::Parser;
use mojika::simd::Level;
use regex::Regex;
use std::env;
use std::path::PathBuf;

/// Runs mojika and its peers in turn, and reports ratios
#[derive(Debug, Default, Parser)]
#[command(bin_name = "cargo bench -p mojika-benches --bench versus --")]
pub struct Options {
    /// Texts LANG.txt (plain) and LANG.html (with markup); missing ones are made up
    #[arg(long, value_name = "DIR", value_parser = existing_folder)]
    pub corpus: Option<PathBuf>,
    /// Shuffled texts, three sizes of snippets, and fewer, shorter slices
    #[arg(long)]
    pub quick: bool,
    /// Cells whose name matches: operation/encoding/language/kind
    #[arg(long, value_name = "REGEX")]
    pub only: Option<Regex>,
    /// Cap mojika's instruction sets: portable, sse2, avx2, avx512, neon (simdutf obeys the environment variable
    /// SIMDUTF_FORCE_IMPLEMENTATION=haswell|westmere|fallback)
    #[arg(long, value_parser = |name: &str| name.parse::<Level>().map_err(|_| "no such level"))]
    pub level: Option<Level>,
    /// Small cells alone, by mojika in the place of encoding_rs (bindings/encoding_rs)
    #[arg(long)]
    pub compat: bool,
    /// The folder of report.json; target/versus if absent
    #[arg(long, value_name = "DIR", value_parser = |path: &str| Ok::<_, String>(from_callers_folder(path)))]
    pub out: Option<PathBuf>,
    /// Exit with 1 if mojika is less than X times as fast as a peer (memcpy, the limit, apart)
    #[arg(long, value_name = "X")]
    pub assert_min: Option<f64>,
    /// Ignored: `cargo bench` passes it to every bench
    #[arg(long, hide = true)]
    pub bench: bool,
}

impl Options {
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
fn from_callers_folder(path: &str) -> PathBuf {
    env::var_os("PWD")
        .map_or_else(PathBuf::new, PathBuf::from)
        .join(path)
}

fn existing_folder(path: &str) -> Result<PathBuf, String> {
    let folder = from_callers_folder(path);
    match folder.is_dir() {
        true => Ok(folder),
        false => Err(format!("no folder {}", folder.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Options, clap::Error> {
        Options::try_parse_from(format!("versus {line}").split_whitespace())
    }

    #[test]
    fn options_are_read() {
        let options =
            parse("--bench --quick --compat --only gbk|big5 --level AVX2 --assert-min 1.5")
                .unwrap();
        assert!(options.quick && options.compat && options.wants("decode-to-utf8/gbk/zh_cn/dense"));
        assert!(!options.wants("decode-to-utf8/utf-8/ru/dense"));
        assert_eq!(options.level, Some(Level::Avx2));
        for wrong in ["--corpus no/such/folder", "--level mmx", "--only ("] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}

//! The machine and the software versions of a report.

use crate::icu;
use mojika_convert::date::rfc_3339;
use serde::Serialize;
use std::ffi::CStr;
use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

/// The features of encoding_rs in the manifest.
const ENCODING_RS_FEATURES: &[&str] = if cfg!(nightly_peers) {
    &["fast-legacy-encode", "simd-accel", "std"]
} else {
    &["fast-legacy-encode"]
};

/// Machine, versions and date.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    /// Model name of the processor, as the system reports it.
    pub cpu: String,
    /// The instruction-set level that mojika used.
    pub level: &'static str,
    /// The highest level of this machine.
    pub detected_level: &'static str,
    /// `rustc --version`.
    pub rustc: &'static str,
    /// mojika's version.
    pub mojika: &'static str,
    /// encoding_rs' version.
    pub encoding_rs: &'static str,
    /// Features of encoding_rs besides the default ones.
    pub encoding_rs_features: &'static [&'static str],
    /// Version of the simdutf crate.
    pub simdutf: &'static str,
    /// The implementation that `SIMDUTF_FORCE_IMPLEMENTATION` selects.
    pub simdutf_implementation: Option<String>,
    /// Version of glibc, which has iconv.
    pub glibc: String,
    /// Version of ICU, if it is installed.
    pub icu: Option<String>,
    /// Time of the run, UTC.
    pub date: String,
}

impl Machine {
    /// Returns the description of this machine.
    pub fn new() -> Self {
        Self {
            cpu: cpu_model(&fs::read_to_string("/proc/cpuinfo").unwrap_or_default()),
            level: mojika::simd::level().name(),
            detected_level: mojika::simd::detected().name(),
            rustc: env!("BENCH_RUSTC_VERSION"),
            mojika: env!("CARGO_PKG_VERSION"),
            encoding_rs: env!("BENCH_ENCODING_RS_VERSION"),
            encoding_rs_features: ENCODING_RS_FEATURES,
            simdutf: env!("BENCH_SIMDUTF_VERSION"),
            simdutf_implementation: std::env::var("SIMDUTF_FORCE_IMPLEMENTATION").ok(),
            glibc: glibc_version(),
            icu: icu::installed().map(|icu| icu.version()),
            date: SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or_else(|_| String::new(), |time| rfc_3339(time.as_secs())),
        }
    }

    /// Returns all fields in one line.
    pub fn line(&self) -> String {
        format!(
            "{} | mojika {} at {} (machine: {}) | encoding_rs {} ({}) | simdutf {}{} | glibc {}{} | {} | {}",
            self.cpu,
            self.mojika,
            self.level,
            self.detected_level,
            self.encoding_rs,
            self.encoding_rs_features.join(", "),
            self.simdutf,
            self.simdutf_implementation
                .as_ref()
                .map_or_else(String::new, |name| format!(" ({name})")),
            self.glibc,
            self.icu
                .as_ref()
                .map_or_else(String::new, |version| format!(" | ICU {version}")),
            self.rustc,
            self.date,
        )
    }
}

impl Default for Machine {
    fn default() -> Self {
        Self::new()
    }
}

#[allow(unsafe_code, reason = "asks glibc for its version")]
fn glibc_version() -> String {
    // SAFETY: the function has no preconditions and returns a NUL-terminated string that lives as long as the process.
    let version = unsafe { CStr::from_ptr(libc::gnu_get_libc_version()) };
    version.to_string_lossy().into_owned()
}

fn cpu_model(cpuinfo: &str) -> String {
    let field = |name: &str| {
        let line = cpuinfo.lines().find(|line| line.starts_with(name))?;
        Some(line.split_once(':')?.1.trim().to_string())
    };
    let Some(name) = field("model name") else {
        return format!("unknown {} processor", std::env::consts::ARCH);
    };
    // Virtual machines omit the number in the name.
    match (field("cpu family"), field("model\t")) {
        (Some(family), Some(model)) => format!("{name} (family {family}, model {model})"),
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_names_what_the_peers_are() {
        let mut machine = Machine::new();
        machine.icu = Some("72.1".into());
        assert!(
            machine.line().contains(" | ICU 72.1 | rustc "),
            "{}",
            machine.line()
        );
        machine.icu = None;
        assert!(!machine.line().contains("ICU"), "{}", machine.line());
        let accelerated = machine
            .line()
            .contains("(fast-legacy-encode, simd-accel, std)");
        assert_eq!(accelerated, cfg!(nightly_peers));
    }

    #[test]
    fn cpu_model_is_the_first_processors() {
        let info =
            "cpu family\t: 6\nmodel\t\t: 143\nmodel name\t: Some CPU\n\nmodel name\t: Other\n";
        assert_eq!(cpu_model(info), "Some CPU (family 6, model 143)");
        assert!(cpu_model("").starts_with("unknown"));
    }
}

//! Shared parts of the benches: texts, peers, timing, the report.
//!
//! The bench `versus` runs mojika and its peers in turn in one process and reports ratios:
//!
//! ```text
//! cargo bench -p mojika-benches --bench versus -- [--corpus DIR] [--quick] [--only REGEX] [--level avx2] [--out DIR]
//! ```
//!
//! The peers are encoding_rs, simdutf, glibc's iconv and, if its library is installed (such as Debian's `libicu72`),
//! ICU; the report names their versions. iconv and ICU have no figures for encodings in which their tables differ from
//! the Standard's.
//!
//! encoding_rs' feature `simd-accel` has SIMD code that compiles only with nightly Rust. This command compares with that
//! code, with `std`, so that it detects the processor's features:
//!
//! ```text
//! RUSTFLAGS='--cfg nightly_peers' cargo +nightly bench -p mojika-benches --bench versus -- [OPTIONS]
//! ```
//!
//! `nightly_peers` is a `cfg`, not a feature of this crate, so that `--all-features` still compiles with stable Rust.
//!
//! The modules, in the order of their use for a cell of the report:
//!
//! - [`texts`] has the text of a language, from a corpus folder or else from [`languages`]; [`markup`] adds or removes
//!   markup, [`vietnamese`] decomposes it for windows-1258;
//! - [`subjects`] lists encodings with their languages, [`inputs`] prepares text for one and breaks it on request;
//! - [`contestants`] wraps a conversion by mojika and by each peer ([`iconv`] and [`icu`] among them) as one closure each;
//! - [`extended`] has the encodings that are not in the Standard, with peers of their own;
//! - [`verify`] compares their outputs, [`timing`] lets them run in alternating slices;
//! - [`cells`] and [`small`] combine these, [`report`] shows the results, and [`machine`] describes the computer.
#![deny(unsafe_code)]

pub mod cells;
pub mod contestants;
pub mod extended;
#[allow(unsafe_code, reason = "calls glibc's iconv")]
pub mod iconv;
#[allow(unsafe_code, reason = "loads ICU's library and calls its functions")]
pub mod icu;
pub mod inputs;
pub mod languages;
mod letters;
pub mod machine;
pub mod markup;
pub mod options;
pub mod report;
pub mod rng;
#[allow(unsafe_code, reason = "calls simdutf, whose functions take pointers")]
pub mod simdutf_peer;
pub mod small;
pub mod subjects;
pub mod texts;
#[allow(unsafe_code, reason = "asks libc for the thread's CPU clock")]
pub mod timing;
pub mod verify;
pub mod vietnamese;

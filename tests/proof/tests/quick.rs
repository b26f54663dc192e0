//! Runs a sample of every section: some cases of the quick profile, at levels that change from job to job. `.ci/full`
//! runs the whole quick profile at each level, in an optimised build.

use mojika_proof::report::Tally;
use mojika_proof::run::{Profile, SHARE};
use mojika_proof::sections;

/// Runs a section. The quick profile must have at least `at_least` cases, and a sample its share.
fn sweep(section: char, at_least: u64) {
    let tally = Tally::default();
    let profile = Profile::sample();
    sections::run(section, &profile, &tally);
    assert_eq!(tally.differences(), 0, "differences in section {section}");
    eprintln!("section {section}: {} cases", tally.cases());
    assert_cases(tally.cases(), at_least / sampled(&profile));
}

/// Returns the step between sampled cases.
fn sampled(profile: &Profile) -> u64 {
    (SHARE * profile.levels.len()) as u64
}

/// Fails if too few cases were compared, because such a sweep cannot find faults.
fn assert_cases(cases: u64, at_least: u64) {
    assert!(cases >= at_least, "only {cases} cases");
}

#[test]
fn a_short_inputs_decode_as_the_standard_says() {
    sweep('A', 10_000_000);
}

#[test]
fn b_pairs_decode_alike_at_every_offset() {
    sweep('B', 5_000_000);
}

#[test]
fn c_scalar_values_encode_as_the_standard_says() {
    sweep('C', 10_000_000);
}

#[test]
fn d_splits_sizes_and_alignments_do_not_matter() {
    sweep('D', 500_000);
}

/// Section E runs in a child process, which ends at an access beyond the buffers.
#[cfg(target_os = "linux")]
#[test]
fn e_nothing_beyond_the_buffers_is_touched() {
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_mojika-proof"));
    let arguments = ["sample", "--child"].map(String::from);
    let (cases, differences) = sections::guard::supervise(program, &arguments).expect("a child");
    assert_eq!(differences, 0, "differences in section E");
    assert_cases(cases, 100_000 / sampled(&Profile::sample()));
}

#[test]
fn f_properties_hold() {
    sweep('F', 10_000);
}

/// In pieces of 256 bytes and more, at least 95 % of the answers are right.
#[test]
fn utf_16_and_utf_32_are_detected_without_a_byte_order_mark() {
    let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/utf-8");
    let (files, scores) = mojika_proof::detect::units::measure(vec![samples.into()]).unwrap();
    assert!(files >= 12, "{files}");
    let pieces: u32 = scores.values().map(|score| score.all).sum();
    assert!(pieces > 5000, "{pieces}");
    let missed: Vec<_> = mojika_proof::detect::units::missed(&scores).collect();
    assert!(missed.is_empty(), "{missed:?}");
}

#[test]
fn g_edits_change_their_own_bytes_alone() {
    sweep('G', 15_000);
}

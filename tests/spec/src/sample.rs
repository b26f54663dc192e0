//! The number of cases in sweeps: all if `MOJIKA_ALL_CASES` is set, as in `.ci/full`, otherwise a rotating sample.

/// True if sweeps run all their cases.
pub fn all_cases() -> bool {
    std::env::var_os("MOJIKA_ALL_CASES").is_some()
}

/// Returns the step between cases: `share`, or 1 if sweeps run [`all_cases`].
pub fn one_in(share: usize) -> usize {
    if all_cases() { 1 } else { share }
}

/// Returns one in `share` of the cases, others for each `turn`. Returns all if sweeps run [`all_cases`].
pub fn in_turns<T>(
    cases: impl IntoIterator<Item = T>,
    share: usize,
    turn: usize,
) -> impl Iterator<Item = T> {
    let step = one_in(share);
    cases.into_iter().skip(turn % step).step_by(step)
}

//! The result of one step of a conversion.

/// The end of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// All input is read.
    Done,
    /// The next character does not fit.
    Full,
    /// The input ends within a character, in the C library as well.
    Incomplete,
    /// The C library is to convert, or to refuse, the next character.
    Other,
}

/// The result of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub read: usize,
    pub written: usize,
    pub stop: Stop,
}

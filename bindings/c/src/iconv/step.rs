//! What a step of a conversion did, and why it ended.

/// Why a step ended.
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

/// What a step did.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub read: usize,
    pub written: usize,
    pub stop: Stop,
}

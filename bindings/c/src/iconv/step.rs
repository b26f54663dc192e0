//! The result of one conversion step.

/// The reason why a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// All input has been read.
    Done,
    /// The next character does not fit.
    Full,
    /// The input ends within a character. The C library also reports it as incomplete.
    Incomplete,
    /// The C library must convert or refuse the next character.
    Other,
}

/// The result of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub read: usize,
    pub written: usize,
    pub stop: Stop,
}

impl Step {
    /// The step of input that the tables do not convert.
    pub(super) const NONE: Self = Self::new(0, 0, Stop::Other);

    pub(super) const fn new(read: usize, written: usize, stop: Stop) -> Self {
        Self {
            read,
            written,
            stop,
        }
    }
}

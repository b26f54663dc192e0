//! Outputs that detect writes beyond the reported length.

use crate::Broken;
use std::fmt::{Debug, UpperHex};

/// A unit of output: `u8` or `u16`.
pub trait Unit: Copy + PartialEq + Debug + UpperHex + 'static {
    /// The initial value of all units, which no decoder writes.
    const CANARY: Self;
}

impl Unit for u8 {
    // This byte does not occur in UTF-8.
    const CANARY: u8 = 0xF7;
}

impl Unit for u16 {
    // This is a lone surrogate.
    const CANARY: u16 = 0xDEAD;
}

/// The output of a stream.
pub trait Output<U> {
    /// Returns the memory for the next call, filled with canaries.
    ///
    /// # Errors
    ///
    /// Returns an error if no memory is left.
    fn room(&mut self) -> Result<&mut [U], Broken>;

    /// Accepts the first `written` units of the memory as output.
    ///
    /// # Errors
    ///
    /// Returns an error if any other unit has changed, or if `written` is too large. An output with one memory for all
    /// calls may report changed units at the end of the stream.
    fn take(&mut self, written: usize) -> Result<(), Broken>;
}

/// Asserts that all units of `rest` are still canaries.
///
/// # Errors
///
/// Returns an error if a unit has changed.
pub fn untouched<U: Unit>(rest: &[U]) -> Result<(), Broken> {
    match rest.iter().position(|&unit| unit != U::CANARY) {
        None => Ok(()),
        Some(at) => Err(format!(
            "unit {at} of those that should stay as they were is {:02X?}",
            rest[at]
        )),
    }
}

/// The number of canaries on each side of an output that is not a separate allocation.
const MARGIN: usize = 80;

/// The memory of each call: a separate allocation, whose ends a sanitizer guards, or memory between canaries.
pub struct Buffer<U> {
    /// The units taken so far.
    pub units: Vec<U>,
    memory: Vec<U>,
    start: usize,
    room: usize,
}

impl<U: Unit> Buffer<U> {
    /// Creates outputs of `room` units. With `shift`, which selects their alignment, they are surrounded by canaries.
    pub fn new(room: usize, shift: Option<u8>) -> Self {
        let mut buffer = Buffer {
            units: Vec::new(),
            memory: Vec::new(),
            start: 0,
            room,
        };
        buffer.renew(room, shift);
        buffer
    }

    /// Changes the size of later outputs.
    pub fn renew(&mut self, room: usize, shift: Option<u8>) {
        let (start, total) = match shift {
            None => (0, room),
            Some(shift) => (MARGIN + usize::from(shift % 64), room + 2 * MARGIN + 64),
        };
        (self.start, self.room) = (start, room);
        // `take` has filled the written units with canaries again, so an allocation of the same size can be reused.
        if self.memory.len() != total {
            self.memory = vec![U::CANARY; total];
        }
    }
}

impl<U: Unit> Output<U> for Buffer<U> {
    fn room(&mut self) -> Result<&mut [U], Broken> {
        Ok(&mut self.memory[self.start..self.start + self.room])
    }

    fn take(&mut self, written: usize) -> Result<(), Broken> {
        let (before, rest) = self.memory.split_at_mut(self.start);
        let (taken, behind) = rest.split_at_mut(written);
        self.units.extend_from_slice(taken);
        taken.fill(U::CANARY);
        untouched(before).map_err(|broken| format!("before the output: {broken}"))?;
        untouched(behind).map_err(|broken| format!("behind {written} written: {broken}"))
    }
}

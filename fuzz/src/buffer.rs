//! Output buffers that notice writes beyond what a call reports.

use crate::expect::Unit;
use std::mem::MaybeUninit;

/// Units on each side of the room, where it is not an allocation of its own.
const MARGIN: usize = 80;

/// Room for one call, canaries in it and around it.
pub struct Buffer<T> {
    store: Vec<T>,
    start: usize,
    len: usize,
}

impl<T: Unit> Buffer<T> {
    /// Room of `len` units: an allocation of its own, whose ends an address sanitizer guards, or, at an alignment
    /// that `shift` chooses, within canaries.
    pub fn new(len: usize, shift: Option<u8>) -> Self {
        let (start, total) = match shift {
            None => (0, len),
            Some(shift) => (MARGIN + usize::from(shift % 64), len + 2 * MARGIN + 64),
        };
        Self {
            store: vec![T::CANARY; total],
            start,
            len,
        }
    }

    /// The room.
    pub fn room(&mut self) -> &mut [T] {
        &mut self.store[self.start..self.start + self.len]
    }

    /// The room as memory that may be uninitialised.
    pub fn room_uninit(&mut self) -> &mut [MaybeUninit<T>] {
        let room = self.room();
        // SAFETY: `MaybeUninit<T>` has the layout of `T`, and the functions of mojika that this is handed to are safe
        // code's to call: they only ever write units to it. It was initialised before, so it is afterwards.
        unsafe { &mut *(std::ptr::from_mut(room) as *mut [MaybeUninit<T>]) }
    }

    /// The first `written` units; panics if any other unit has changed.
    pub fn written(&self, written: usize) -> &[T] {
        assert!(
            written <= self.len,
            "{written} written to room for {}",
            self.len
        );
        let (before, rest) = self.store.split_at(self.start);
        let (result, after) = rest.split_at(written);
        for (name, part) in [("before", before), ("behind", after)] {
            if let Some(at) = part.iter().position(|&unit| unit != T::CANARY) {
                panic!(
                    "{name} the output, at {at}: changed to {:X?}; {written} of {} written",
                    part[at], self.len
                );
            }
        }
        result
    }
}

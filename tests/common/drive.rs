//! Drivers: feed a coder chunk by chunk into buffers of one size, and hold every call to the contract of all calls.
//!
//! The contract: what lies beyond `written` stays as it was; "output full" comes only after something was written into
//! a buffer of the least size; "input empty" only after all was read; the number of calls is bounded thereby.

mod decode;
mod encode;

pub use decode::*;
pub use encode::*;

use mojika::Status;
use std::mem::MaybeUninit;

/// What ended a call, whatever the mode.
#[derive(PartialEq, Eq, Debug)]
enum Ended {
    InputEmpty,
    OutputFull,
    Error,
}

fn ended(status: Status) -> Ended {
    match status {
        Status::InputEmpty => Ended::InputEmpty,
        Status::OutputFull => Ended::OutputFull,
    }
}

/// Copies out what a call has initialised.
fn initialised<U: Copy>(memory: &[MaybeUninit<U>], dst: &mut [U]) {
    for (to, from) in dst.iter_mut().zip(memory) {
        // SAFETY: the method promises that what it reports as written is initialised; Miri checks it.
        *to = unsafe { from.assume_init() };
    }
}

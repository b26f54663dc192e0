//! Passes input to decoders and encoders chunk by chunk, with outputs of any size, and checks every call against the
//! contract of all calls. Tests, proofs and fuzz targets use it, and compare the output themselves.
//!
//! The contract:
//!
//! * A call reads and writes only within its input and output; memory beyond the reported output stays unchanged.
//! * "Input empty" is returned only after all input was read. "Output full" is returned only after a write, if the buffer
//!   has the minimum size.
//! * An error is returned only in mode "fatal", directly after its sequence, and each error consumes at least one unit.
//! * Positions and offsets count from the start of the stream.
//! * The output is no longer than predicted for the rest of the chunk, and a buffer of that size is never full.
//! * At the end nothing is pending, so the number of calls is bounded.
//!
//! [`Stream::call`] makes one call, [`Stream::feed`] all calls for a chunk, and [`run`] all calls for a stream. Each
//! calls a [`Coder`], which writes to an [`Output`] in a kind of [`Memory`].

mod coder;
#[cfg(feature = "alloc")]
pub mod edits;
mod memory;
mod output;
mod spent;
#[cfg(test)]
mod tests;

pub use coder::{Call, Coder, Form, How, Source, Stop, Text, replaced};
pub use memory::Memory;
pub use output::{Buffer, Output, Unit, untouched};
pub use spent::spent;

use std::marker::PhantomData;

/// The description of a promise that a call has broken.
pub type Broken = String;

/// A decoder or an encoder in the middle of a stream.
pub struct Stream<'a, C, S: ?Sized, U> {
    /// The driven coder.
    pub coder: &'a mut C,
    /// Units read so far.
    pub read: usize,
    /// Units written so far.
    pub written: usize,
    /// True if a call has replaced an error, or reported one.
    pub had_errors: bool,
    errors: usize,
    forms: PhantomData<(Box<S>, U)>,
}

impl<'a, C: Coder<S, U>, S: Source + ?Sized, U: Unit> Stream<'a, C, S, U> {
    /// Starts a stream with a decoder or an encoder that is at the start of a stream.
    pub fn new(coder: &'a mut C) -> Self {
        Stream {
            coder,
            read: 0,
            written: 0,
            had_errors: false,
            errors: 0,
            forms: PhantomData,
        }
    }

    /// Makes a call and checks it.
    ///
    /// # Errors
    ///
    /// If the contract is broken.
    pub fn call(
        &mut self,
        src: &S,
        out: &mut impl Output<U>,
        last: bool,
        how: How,
    ) -> Result<Call<C::Error>, Broken> {
        let dst = out.room()?;
        let room = dst.len();
        let most = self.coder.max_length(src.units(), how.fatal);
        let call = self.coder.call(src, dst, last, how);
        if call.written > room {
            return Err(format!("{} written of {room}", call.written));
        }
        out.take(call.written)?;
        if matches!(call.stop, Stop::OutputFull) && call.written == 0 && room >= C::LEAST {
            return Err(format!("nothing written, full with room for {room}"));
        }
        let is_full = matches!(call.stop, Stop::OutputFull) && room >= C::LEAST;
        if most.is_some_and(|most| call.written > most || is_full && room >= most) {
            let written = call.written;
            return Err(format!(
                "{written} written, full: {is_full}, but {most:?} predicted"
            ));
        }
        self.note(call, src.units(), last, how.fatal)
    }

    /// Makes one call of the function that appends.
    ///
    /// # Errors
    ///
    /// Returns an error if the contract is broken, or the output is full.
    #[cfg(feature = "alloc")]
    pub fn append(
        &mut self,
        src: &S,
        out: &mut Vec<U>,
        last: bool,
        fatal: bool,
    ) -> Result<Call<C::Error>, Broken> {
        let before = out.len();
        let most = self.coder.max_length(src.units(), fatal);
        let call = self.coder.append(src, out, last, fatal);
        if out.len() != before + call.written {
            let appended = out.len() - before;
            return Err(format!("{appended} appended, not {}", call.written));
        }
        if matches!(call.stop, Stop::OutputFull) {
            return Err("an output that grows is full".into());
        }
        if most.is_some_and(|most| call.written > most) {
            return Err(format!("{} appended, but {most:?} predicted", call.written));
        }
        self.note(call, src.units(), last, fatal)
    }

    /// Records a call, and makes all checks that need no access to the output.
    fn note(
        &mut self,
        call: Call<C::Error>,
        left: usize,
        last: bool,
        fatal: bool,
    ) -> Result<Call<C::Error>, Broken> {
        if call.read > left {
            return Err(format!("{} read of {left}", call.read));
        }
        self.read += call.read;
        self.written += call.written;
        self.had_errors |= call.had_errors;
        if self.written > C::longest(self.read) {
            return Err(format!("{} written for {}", self.written, self.read));
        }
        match &call.stop {
            Stop::InputEmpty if call.read < left => {
                return Err(format!("input empty at {} of {left}", call.read));
            }
            Stop::Error(error) => {
                self.had_errors = true;
                self.errors += 1;
                if !fatal || self.errors > self.read || !C::is_behind(error, self.read) {
                    let (errors, read) = (self.errors, self.read);
                    return Err(format!("error {errors} behind {read}: {error:?}"));
                }
            }
            _ => {}
        }
        let ended = last && matches!(call.stop, Stop::InputEmpty);
        self.coder.check_state(self.read, ended)?;
        Ok(call)
    }

    /// Makes all calls for a chunk. `on_error` is called for every error, and gets the output before it.
    ///
    /// # Errors
    ///
    /// Returns an error if the contract is broken, `on_error` fails, or the output stays full.
    pub fn feed<O: Output<U>>(
        &mut self,
        mut src: &S,
        out: &mut O,
        last: bool,
        how: How,
        mut on_error: impl FnMut(&mut O, usize, C::Error) -> Result<(), Broken>,
    ) -> Result<(), Broken> {
        loop {
            let call = self.call(src, out, last, how)?;
            src = src.part(call.read, src.units());
            match call.stop {
                Stop::InputEmpty => return Ok(()),
                Stop::OutputFull if call.read + call.written == 0 => {
                    return Err("stalled: full, nothing read or written".into());
                }
                Stop::OutputFull => {}
                Stop::Error(error) => on_error(out, self.written, error)?,
            }
        }
    }
}

/// Runs a whole stream, and returns true if there were errors. The last chunk ends the stream.
///
/// # Errors
///
/// As [`Stream::feed`].
pub fn run<'s, C: Coder<S, U>, S: Source + ?Sized + 's, U: Unit, O: Output<U>>(
    coder: &mut C,
    chunks: impl IntoIterator<Item = &'s S>,
    out: &mut O,
    how: How,
    mut on_error: impl FnMut(&mut O, usize, C::Error) -> Result<(), Broken>,
) -> Result<bool, Broken> {
    let mut stream = Stream::new(coder);
    let mut chunks = chunks.into_iter().peekable();
    while let Some(chunk) = chunks.next() {
        let last = chunks.peek().is_none();
        stream.feed(chunk, out, last, how, &mut on_error)?;
    }
    Ok(stream.had_errors)
}

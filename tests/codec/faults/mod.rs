//! One test per class of faults that have occurred in widely used codecs, by its number in the project's list.
//!
//! Three classes are tested in the form that they could have in this library. Class 11 is undefined behaviour in
//! functions that write to part of a `str`, class 12 counters beyond 4 GiB, and class 13 smuggled markup. Class 8,
//! vector code that writes outside of the output, is in `tests/levels/faults.rs`. Class 15, a file converted onto
//! itself, is in the command's tests. Class 17, results that depend on the processor, is in `tests/levels/cap.rs`.

mod input;
mod output;
mod state;

//! One test per class of fault that has occurred in a widely used codec, by its number in the project's list.
//!
//! Three classes are here in the form in which this library could have them: class 11, undefined behaviour in functions
//! over part of a `str`; class 12, counters beyond 4 GiB; and class 13, smuggled markup. Class 8, vector code that
//! writes outside the output, is `tests/levels/faults.rs`. Class 15, a file converted onto itself, is the command's.
//! Class 17, results that depend on the processor, is `tests/levels/cap.rs`.

mod input;
mod output;
mod state;

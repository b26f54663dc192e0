//! One test per class of faults that have occurred in widely used codecs, by its number in the project's list.
//!
//! Three classes are tested in the form that they could have in this library. Class 11 is undefined behaviour in
//! functions that write to part of a `str`, class 12 counters beyond 4 GiB, and class 13 smuggled markup. The other
//! classes are in the table of `tests/README.md`.

mod input;
mod output;
mod state;

//! Tests that run on every instruction set of the machine.
//!
//! The cap applies to the whole process, so these tests share a binary and take turns: [`common::at_every_level`].

#[path = "../common/mod.rs"]
mod common;

mod cap;
mod extended;
mod extended_utf_32;
mod faults;
mod references;

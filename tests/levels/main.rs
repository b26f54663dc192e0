//! Tests that run on every instruction set of the machine.
//!
//! The level is capped for the whole process, so these tests share a binary that has no others,
//! and take turns: [`common::at_every_level`].

#[path = "../common/mod.rs"]
mod common;

mod cap;
mod faults;

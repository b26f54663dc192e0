//! `mojika detect`, and the order in which declarations count.

#[path = "../common/mod.rs"]
mod common;

mod agreement;
mod detect;
mod sniff_contexts;

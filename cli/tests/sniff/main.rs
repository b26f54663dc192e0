//! `mojika detect`, and the precedence of declarations.

#[path = "../common/mod.rs"]
mod common;

mod agreement;
mod detect;
mod sniff_contexts;

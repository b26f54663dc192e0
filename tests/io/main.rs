//! The adapters of `mojika::io`, over inner readers and writers that are interrupted and would block.
#![cfg(feature = "std")]

#[path = "../common/mod.rs"]
mod common;

mod codec;
mod inner;
mod mixed;
mod on_malformed;
mod read;
mod tokio;
mod write;

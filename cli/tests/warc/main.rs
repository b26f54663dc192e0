//! `mojika warc`: web archives to text.
#![cfg(all(unix, feature = "warc"))]

#[path = "../common/mod.rs"]
mod common;

mod choose;
mod codings;
mod convert;
mod labelled;
mod names;
mod second_order;
mod shards;
mod warc_cut_members;
mod warc_runs;

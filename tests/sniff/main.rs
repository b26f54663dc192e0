//! The encoding of a document: labels, declarations, structure, and the order among them.

#[path = "../common/mod.rs"]
mod common;

mod audit;
#[cfg(feature = "detect")]
mod changes;
mod conventions;
#[cfg(feature = "detect")]
mod disagreement;
mod docs;
mod documents;
mod elements;
#[cfg(feature = "detect")]
mod guesses;
mod http_response;
mod index_pages;
mod judgements;
mod lengths;
mod pieces;
mod types;
mod xml;

use mojika::Encoding;

fn encoded(encoding: &'static Encoding, text: &str) -> Vec<u8> {
    encoding.encode(text).unwrap().into_owned()
}

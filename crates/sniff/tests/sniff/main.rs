//! The encoding of a document: labels, declarations, structure, and their precedence.

mod audit;
mod changes;
#[cfg(feature = "detect")]
mod contexts;
mod conventions;
mod disagreement;
mod docs;
mod documents;
mod elements;
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

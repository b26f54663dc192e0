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
mod properties;
mod types;
mod xml;

use mojika::Encoding;
use mojika_sniff::{Context, Hints};

fn encoded(encoding: &'static Encoding, text: &str) -> Vec<u8> {
    encoding.encode(text).unwrap().into_owned()
}

/// Returns hints for a context, to which `set` adds one fact.
fn with<'h>(context: Context, set: impl FnOnce(&mut Hints<'h>)) -> Hints<'h> {
    let mut hints = Hints::new(context);
    set(&mut hints);
    hints
}

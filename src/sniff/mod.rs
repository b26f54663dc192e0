//! From bytes to an encoding when nobody says it, as software on the Web decides.
//!
//! One file per standard. This room uses encodings, the byte order marks, `extended` and `Decoder`; it does no I/O,
//! and without the feature `alloc` it works on borrowed bytes alone.

pub mod detect;

use crate::Encoding;

/// The encoding outside the Standard of this name.
fn extended(_name: &[u8]) -> Option<&'static Encoding> {
    None
}

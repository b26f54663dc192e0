//! The transliteration against known facts, each test named after its rule, and against another implementation.

mod api;
mod decode;
mod differential;
mod encode;
mod extended;
mod labels;
mod random;
mod utf_7;

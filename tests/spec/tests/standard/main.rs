//! The transliteration: known facts, each test named after the rule it states, and another implementation beside it.

mod api;
mod decode;
mod differential;
mod encode;
mod extended;
mod labels;
mod random;
mod utf_7;

//! Known facts, each test named after the rule it states.

mod api;
mod decode;
mod encode;
mod labels;

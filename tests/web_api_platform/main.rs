//! The Web platform's cases for `TextDecoder`, as `tests/web_platform` has them, on the objects of `mojika::web`.
//!
//! The tables of cases are that directory's own files, included a second time, over another module
//! `text_decoder`. Files that are not about decoders are left out, except `query`, which some need.

#[path = "../web_platform/byte_order_marks.rs"]
mod byte_order_marks;
#[path = "../web_platform/chinese.rs"]
mod chinese;
#[path = "../web_platform/japanese.rs"]
mod japanese;
#[path = "../web_platform/korean.rs"]
mod korean;
#[path = "../web_platform/labels.rs"]
mod labels;
#[path = "../web_platform/mistakes.rs"]
mod mistakes;
#[path = "../web_platform/query.rs"]
mod query;
#[path = "../web_platform/single_byte.rs"]
mod single_byte;
mod text_decoder;
#[path = "../web_platform/utf_16.rs"]
mod utf_16;
#[path = "../web_platform/utf_8.rs"]
mod utf_8;

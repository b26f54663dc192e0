//! The rules of every encoding in the Standard, case by case.

#[path = "../common/mod.rs"]
mod common;

mod chinese;
mod chinese_sets;
mod cns_11643;
mod ebcdic;
mod gsm;
mod iso_2022;
mod iso_2022_jp;
mod japanese_korean;
mod pure_pairs;
mod shifted;
mod single_byte;
mod two_bytes;
mod unicode;
mod utf_7;

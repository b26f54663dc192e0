//! The rules of every encoding in the Standard, case by case.

#[path = "../common/mod.rs"]
mod common;

mod chinese_sets;
mod cns_11643;
mod ebcdic;
mod gsm;
mod iso_2022;
mod pure_pairs;
mod shifted;
mod single_byte;
mod standard;
mod two_bytes;
mod utf_32;
mod utf_7;

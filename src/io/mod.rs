//! Adapters over `std::io`: decode while reading, encode while writing.

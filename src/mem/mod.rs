//! Checks and conversions between text in memory: ASCII, Latin-1, UTF-8 and UTF-16.

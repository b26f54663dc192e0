//! From places in decoded text back to bytes of the source, and forth.

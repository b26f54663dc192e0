//! The Standard's API objects: `TextDecoder`, `TextEncoder` and their streams.

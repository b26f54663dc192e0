//! The API of encoding_rs on the engine of mojika.

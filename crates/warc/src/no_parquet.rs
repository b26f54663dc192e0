//! Replaces `parquet` without the feature `parquet`.

use super::document::Document;
use super::reader::Extent;
use std::convert::Infallible;
use std::io::{self, Write};
use std::marker::PhantomData;

/// Returns 0.
pub fn threads() -> usize {
    0
}

/// A stub that cannot be created.
pub struct Rows<W: Write + Send> {
    pub bytes: u64,
    never: Infallible,
    writer: PhantomData<W>,
}

impl<W: Write + Send> Rows<W> {
    /// Fails with the name of the missing feature.
    ///
    /// # Errors
    ///
    /// Always fails, because this build lacks the feature.
    pub fn new(_: W, _: usize, _: usize) -> io::Result<Self> {
        Err(io::Error::other(
            "this mojika was built without its feature parquet",
        ))
    }

    pub fn push(&mut self, _: &Document<'_>, _: &str, _: Extent) -> io::Result<()> {
        match self.never {}
    }

    pub fn finish(self) -> io::Result<W> {
        match self.never {}
    }
}

//! A `bytes` object that is filled in place.

use pyo3::exceptions::PyMemoryError;
use pyo3::ffi::compat as ffi;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::mem::MaybeUninit;

/// A `bytes` object with spare capacity that no other code refers to yet.
pub struct Building {
    /// The writer, to which no other code refers.
    writer: *mut ffi::PyBytesWriter,
    /// The writer's memory: `capacity` bytes, valid until the next resize.
    data: *mut MaybeUninit<u8>,
    capacity: usize,
    filled: usize,
}

// SAFETY: it owns its writer, which no other thread can reach. Methods that need the interpreter's lock take a token.
unsafe impl Send for Building {}

impl Building {
    pub fn new(py: Python<'_>, capacity: usize) -> PyResult<Self> {
        let size = isize::try_from(capacity).map_err(|_| too_long())?;
        // SAFETY: the lock is held, and the size is not negative. The new bytes are not initialised.
        let writer = unsafe { ffi::PyBytesWriter_Create(size) };
        if writer.is_null() {
            return Err(PyErr::fetch(py));
        }
        Ok(Self {
            writer,
            // SAFETY: the writer is a new one, and the lock is held.
            data: unsafe { ffi::PyBytesWriter_GetData(writer) }.cast(),
            capacity,
            filled: 0,
        })
    }

    /// Returns the unfilled bytes.
    pub fn spare(&mut self) -> &mut [MaybeUninit<u8>] {
        // SAFETY: the writer has `capacity` bytes at `data`, and `self` owns it exclusively.
        unsafe {
            std::slice::from_raw_parts_mut(self.data.add(self.filled), self.capacity - self.filled)
        }
    }

    /// Marks `count` spare bytes as filled.
    pub fn add(&mut self, count: usize) {
        assert!(count <= self.capacity - self.filled);
        self.filled += count;
    }

    pub fn filled(&self) -> usize {
        self.filled
    }

    pub fn is_full(&self) -> bool {
        self.filled == self.capacity
    }

    /// Enlarges the memory to `capacity` bytes, which must not be less than before.
    pub fn grow(&mut self, py: Python<'_>, capacity: usize) -> PyResult<()> {
        assert!(capacity >= self.capacity);
        let size = isize::try_from(capacity).map_err(|_| too_long())?;
        // SAFETY: `self` owns the writer, and the lock is held. A failed call leaves the writer unchanged.
        if unsafe { ffi::PyBytesWriter_Resize(self.writer, size) } != 0 {
            return Err(PyErr::fetch(py));
        }
        // SAFETY: `self` owns the writer, and the lock is held. The bytes may have moved, so the pointer is read again.
        self.data = unsafe { ffi::PyBytesWriter_GetData(self.writer) }.cast();
        self.capacity = capacity;
        Ok(())
    }

    /// Returns the object, truncated to the filled part.
    pub fn finish(mut self, py: Python<'_>) -> PyResult<Bound<'_, PyBytes>> {
        let writer = std::mem::replace(&mut self.writer, std::ptr::null_mut());
        // SAFETY: `self` owned the writer, which this call consumes, and `filled` bytes are initialised. The result is
        // a new reference to a `bytes` object, or null with an exception set.
        unsafe {
            let bytes = ffi::PyBytesWriter_FinishWithSize(writer, self.filled as isize);
            Ok(Bound::from_owned_ptr_or_err(py, bytes)?.cast_into_unchecked())
        }
    }
}

impl Drop for Building {
    fn drop(&mut self) {
        if !self.writer.is_null() {
            // SAFETY: the writer has not been consumed; the lock is taken.
            Python::attach(|_| unsafe { ffi::PyBytesWriter_Discard(self.writer) });
        }
    }
}

fn too_long() -> PyErr {
    PyMemoryError::new_err("too long for bytes")
}

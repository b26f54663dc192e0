//! Replaces `bar` without the feature `progress`: progress is shown in lines.

/// A bar that is always hidden.
pub struct Bar;

impl Bar {
    pub fn new(_shown: bool) -> Self {
        Self
    }

    pub fn is_hidden(&self) -> bool {
        true
    }

    pub fn begin(&self, _files: u64, _bytes: u64) {}

    pub fn advance(&self, _bytes: u64) {}

    pub fn set_files(&self, _files: u64) {}

    pub fn suspend(&self, write: impl FnOnce()) {
        write();
    }

    pub fn clear(&self) {}
}

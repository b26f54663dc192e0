//! Replaces `ignores` without the feature `gitignore`.

use super::folder::Folder;
use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// No ignore files.
pub struct Ignores;

impl Ignores {
    pub(crate) fn of_folders_above(_path: &Path) -> io::Result<Arc<Self>> {
        Ok(Arc::new(Self))
    }

    pub fn with(self: Arc<Self>, _folder: &Folder, _name: Option<&OsStr>) -> io::Result<Arc<Self>> {
        Ok(self)
    }

    pub fn is_ignored(&self, _name: &OsStr, _is_folder: bool) -> bool {
        false
    }
}

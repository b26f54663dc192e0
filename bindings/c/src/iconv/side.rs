//! One of the two encodings of a conversion, with the state of its byte order mark.

use super::page::{Named, Page};
use core::ffi::CStr;

/// The place of the page in the host's byte order.
pub(super) const HOST: usize = cfg!(target_endian = "big") as usize;

/// One of the two encodings.
#[derive(Clone, Copy)]
pub(super) struct Side {
    pub named: Named,
    /// The current page. For an encoding with a mark it is in the host's byte order, until a mark states the order.
    pub page: &'static Page,
    /// True if a mark is still to be read or written.
    pub expects_mark: bool,
}

impl Side {
    pub(super) fn new(named: Named) -> Self {
        let (page, expects_mark) = match named {
            Named::Page(page) => (page, false),
            Named::Marked(pages) => (&pages[HOST], true),
        };
        Self {
            named,
            page,
            expects_mark,
        }
    }

    /// The name of the C library's converter that does all, with marks.
    pub(super) fn marked(&self) -> &'static CStr {
        match self.named {
            Named::Marked(pages) => pages[HOST].marked(),
            Named::Page(page) => page.native,
        }
    }

    /// True if a mark, or the start of text without one, has been read and is still in force.
    pub(super) fn has_read_mark(&self) -> bool {
        matches!(self.named, Named::Marked(pages) if !self.expects_mark || !core::ptr::eq(self.page, &pages[HOST]))
    }

    /// The length of the mark that was written since `before`.
    pub(super) fn mark_length(&self, before: Self) -> usize {
        if before.expects_mark && !self.expects_mark {
            self.mark().len()
        } else {
            0
        }
    }

    /// The side at the start of another stream. The byte order that is not the host's, which a mark has stated, stays in force
    /// in glibc.
    pub(super) fn reset(&mut self) {
        self.expects_mark = matches!(self.named, Named::Marked(_));
    }

    /// Reads a mark at the start of the stream; returns its length, or `None` if more input is needed to decide.
    pub(super) fn read_mark(&mut self, src: &[u8]) -> Option<usize> {
        let Named::Marked(pages) = self.named else {
            return Some(0);
        };
        let unit = self.page.encoding.code_unit_len();
        let start = src.get(..unit)?;
        self.expects_mark = false;
        let other = &pages[1 - HOST];
        if other.encoding.bom() == Some(start) {
            self.page = other;
        } else if pages[HOST].encoding.bom() != Some(start) {
            return Some(0);
        }
        Some(unit)
    }

    /// The mark of the page.
    pub(super) fn mark(&self) -> &'static [u8] {
        self.page.encoding.bom().unwrap_or_default()
    }
}

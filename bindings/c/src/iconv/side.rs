//! One of the two encodings of a conversion, with its byte order mark state.

use super::page::{Named, Page};
use core::ffi::CStr;

/// The index of the page in the host's byte order.
pub(super) const HOST: usize = cfg!(target_endian = "big") as usize;

/// The input or the output encoding of a conversion.
#[derive(Clone, Copy)]
pub(super) struct Side {
    pub named: Named,
    /// The current page. For an encoding with a mark, it has the host's byte order until a mark states another.
    pub page: &'static Page,
    /// True if a byte order mark must still be read or written.
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

    /// Returns the name of the C library's converter that also handles byte order marks.
    pub(super) fn marked(&self) -> &'static CStr {
        match self.named {
            Named::Marked(pages) => pages[HOST].marked(),
            Named::Page(page) => page.native,
        }
    }

    /// True if the stream's byte order is known: from a byte order mark, or from the start of text without a mark.
    pub(super) fn has_read_mark(&self) -> bool {
        matches!(self.named, Named::Marked(pages) if !self.expects_mark || !core::ptr::eq(self.page, &pages[HOST]))
    }

    /// Returns the length of the byte order mark that was written since the state `before`; 0 if none was.
    pub(super) fn mark_length(&self, before: Self) -> usize {
        if before.expects_mark && !self.expects_mark {
            self.mark().len()
        } else {
            0
        }
    }

    /// Resets the side to the start of a stream. As in glibc, a byte order that a byte order mark has stated stays in
    /// force if it is not the host's.
    pub(super) fn reset(&mut self) {
        self.expects_mark = matches!(self.named, Named::Marked(_));
    }

    /// Reads a mark at the start of the stream. Returns its length, or `None` if more input is needed to decide.
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

    /// Returns the byte order mark of the page.
    pub(super) fn mark(&self) -> &'static [u8] {
        self.page.encoding.bom().unwrap_or_default()
    }
}

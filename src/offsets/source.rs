//! The source bytes of one call, preceded by the tail of earlier calls.

/// The tail, then more source.
pub(super) struct Joined<'a> {
    pub tail: &'a [u8],
    pub rest: &'a [u8],
}

impl<'a> Joined<'a> {
    pub fn len(&self) -> usize {
        self.tail.len() + self.rest.len()
    }

    /// Returns a byte, or 0 after the end.
    #[inline]
    pub fn byte(&self, at: usize) -> u8 {
        let byte = match at.checked_sub(self.tail.len()) {
            None => self.tail.get(at),
            Some(at) => self.rest.get(at),
        };
        byte.copied().unwrap_or(0)
    }

    /// Returns the bytes from `at` on, if `at` is not in the tail.
    pub fn behind_tail(&self, at: usize) -> &'a [u8] {
        let at = at.checked_sub(self.tail.len());
        at.and_then(|at| self.rest.get(at..)).unwrap_or_default()
    }
}

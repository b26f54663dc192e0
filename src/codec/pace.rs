//! When a vector kernel is started, and when it is not worth it.

/// A kernel that takes less units is not worth its start, or not much.
pub(super) const FEW: usize = 32;

/// The size of the portable kernel's next part between starts of a vector kernel.
///
/// The portable kernel goes first, for a few characters, so that text which is malformed or unmappable again and again
/// does not start the vector kernel in vain; it also takes whatever the vector kernel does not know, and more of it the
/// more often the vector kernel stops early. Encoders keep it over what is unmappable.
#[derive(Clone, Copy)]
pub(crate) struct Window(u16);

impl Default for Window {
    fn default() -> Self {
        Self::new()
    }
}

impl Window {
    const FIRST: u16 = 16;
    const LAST: u16 = 1024;
    /// Below this length a vector kernel is not worth its start.
    pub(super) const VECTOR: usize = 64;
    /// And below this one where nothing speaks against it.
    pub(super) const SHORT_VECTOR: usize = 32;

    pub(super) fn new() -> Self {
        Self(Self::FIRST)
    }

    /// One that starts with another size than most do.
    pub(super) fn of(first: usize) -> Self {
        Self(u16::try_from(first).unwrap_or(Self::LAST))
    }

    /// In bytes, or units.
    #[inline(always)]
    pub(super) fn len(self) -> usize {
        self.0.into()
    }

    /// Whether it is as small as it gets.
    pub(super) fn is_first(self) -> bool {
        self.0 == Self::FIRST
    }

    /// Lets the next part have so many bytes at least.
    pub(super) fn widen(&mut self, bytes: u16) {
        self.0 = self.0.max(bytes);
    }

    /// Takes note of text that came to its end without the vector kernel, and without trouble.
    #[inline(always)]
    pub(super) fn narrow(&mut self) {
        self.0 = (self.0 / 2).max(Self::FIRST);
    }

    /// Takes note of how many bytes the vector kernel took.
    pub(super) fn adapt(&mut self, taken: usize) {
        self.0 = if taken < 2 * Self::VECTOR {
            (self.0 * 2).min(Self::LAST)
        } else {
            Self::FIRST
        };
    }
}

/// What an encoder keeps of the unmappable characters that it has met.
#[derive(Clone, Copy, Default)]
pub(crate) struct Pace {
    /// Whether a single-byte kernel, when it was last started, found one near.
    pub(super) near: bool,
    /// Where they are, for other kernels.
    pub(super) troubles: Troubles,
}

/// How far apart things are that a vector kernel stops at, such as unmappable characters.
///
/// Where they are near, it is not worth its start behind each of them.
#[derive(Clone, Copy)]
pub(crate) struct Troubles {
    /// Bytes of UTF-8 since the last one, about.
    since: u16,
    /// Bytes from one to the next, about, where the last ones count more.
    usual: u16,
    seen: bool,
}

impl Default for Troubles {
    fn default() -> Self {
        Self {
            since: 0,
            usual: 2 * Self::FAR,
            seen: false,
        }
    }
}

impl Troubles {
    /// So many bytes of UTF-8 take as long without the kernel as it takes to start.
    const FAR: u16 = 128;

    /// Whether there has been any.
    #[inline(always)]
    pub(super) fn any(self) -> bool {
        self.seen
    }

    /// Takes note that there is going to be one.
    #[inline(always)]
    pub(super) fn expect(&mut self) {
        self.seen = true;
    }

    /// Takes note of so many bytes without trouble, or before it.
    #[inline(always)]
    pub(super) fn pass(&mut self, bytes: usize) {
        self.since = self
            .since
            .saturating_add(u16::try_from(bytes).unwrap_or(u16::MAX));
    }

    /// Takes note of one. Whether they are near, where a kernel is so many times as dear to start as most are.
    pub(super) fn meet(&mut self, dearness: usize) -> bool {
        self.usual = (self.usual + self.since.min(4 * Self::FAR)) / 2;
        self.since = 0;
        self.seen = true;
        usize::from(self.usual) < usize::from(Self::FAR) * dearness
    }
}

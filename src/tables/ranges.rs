//! A map by arithmetic within ranges, as in gb18030 between code points and four-byte pointers.

// Only AVX2 kernels look values up here.
#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]

/// Maximum number of ranges that begin within 256 values, not counting one that continues from before.
pub(crate) const IN_BUCKET: usize = 23;

/// A map of 16-bit values by ranges: the image of a range's first value, and ascending images after it.
pub(crate) struct Ranges {
    /// The values of the map are below this.
    below: u32,
    /// Excluded values below the limit: the first and the last of each row.
    except: &'static [(u16, u16)],
    /// By `value >> 8`: the range that contains the first such value.
    buckets: &'static [u8],
    /// The first values, followed by [`IN_BUCKET`] elements of padding.
    firsts: &'static [u16],
    /// The images of the first values, followed by [`IN_BUCKET`] elements of padding.
    images: &'static [u16],
}

impl Ranges {
    /// Returns the length of the slices for `len` ranges. Values of the map never reach the padding in `firsts`.
    pub(crate) const fn padded(len: usize) -> usize {
        len + IN_BUCKET
    }

    /// Creates the map, and checks the bounds that kernels rely on, at compile time.
    pub(crate) const fn new(
        below: u32,
        except: &'static [(u16, u16)],
        buckets: &'static [u8],
        firsts: &'static [u16],
        images: &'static [u16],
    ) -> Self {
        assert!(below < 1 << 16 && below as usize <= buckets.len() << 8);
        assert!(firsts.len() == images.len());
        let mut i = 0;
        while i << 8 < below as usize {
            let first = buckets[i] as usize;
            assert!(first + IN_BUCKET < firsts.len());
            // So at most `IN_BUCKET` ranges, the number examined, begin in the bucket.
            assert!(firsts[first + IN_BUCKET] as usize >> 8 > i);
            i += 1;
        }
        Self {
            below,
            except,
            buckets,
            firsts,
            images,
        }
    }

    /// Returns the first values of ranges. At least [`IN_BUCKET`] more follow the index that
    /// [`bucket`](Self::bucket) returns, as [`new`](Self::new) asserts.
    #[inline(always)]
    pub(crate) fn firsts(&self) -> &'static [u16] {
        self.firsts
    }

    /// Returns the limit that the values of this map are below.
    #[inline(always)]
    pub(crate) fn below(&self) -> u32 {
        self.below
    }

    /// Returns the excluded values below the limit: the first and the last of each row.
    #[inline(always)]
    pub(crate) fn except(&self) -> &'static [(u16, u16)] {
        self.except
    }

    /// Returns a value of this map, and the first range of its bucket.
    #[inline(always)]
    pub(crate) fn bucket(&self, value: u32) -> Option<(u16, usize)> {
        let excepts = |&(first, last): &(u16, u16)| (first..=last).contains(&(value as u16));
        if value >= self.below || self.except.iter().any(excepts) {
            return None;
        }
        let value = value as u16;
        let bucket = *self.buckets.get(usize::from(value >> 8))?;
        Some((value, bucket.into()))
    }

    /// Returns the image of a value in this range.
    #[inline(always)]
    pub(crate) fn image(&self, value: u16, range: usize) -> Option<u16> {
        let (first, becomes) = (self.firsts.get(range)?, self.images.get(range)?);
        Some(value.wrapping_sub(*first).wrapping_add(*becomes))
    }
}

//! A map by arithmetic within ranges, as gb18030 has between code points and the pointers of its four bytes.

// AVX2's kernels alone look values up here.
#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]

/// Ranges that begin within 256 values, beside the one that goes on from before, at most.
pub(crate) const IN_BUCKET: usize = 23;

/// A map of 16-bit values by ranges: what a range's first value becomes, and from there on one by one.
pub(crate) struct Ranges {
    /// The values that this map is for, which are below this.
    below: u32,
    /// Others that it is not for, by the first and the last of each row of them.
    except: &'static [(u16, u16)],
    /// By `value >> 8`: the range that the first such value is in.
    buckets: &'static [u8],
    /// First values, and [`IN_BUCKET`] more elements.
    firsts: &'static [u16],
    /// What they become, and [`IN_BUCKET`] more elements.
    images: &'static [u16],
}

impl Ranges {
    /// How long the slices are for `len` ranges; what is after them in `firsts`, values of the map never reach.
    pub(crate) const fn padded(len: usize) -> usize {
        len + IN_BUCKET
    }

    /// The map; what kernels rely on for their bounds is checked here, when the crate is compiled.
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
            // So no more ranges begin in the bucket than are looked at.
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

    /// The first values of ranges. After the place that [`bucket`](Self::bucket) gives there are [`IN_BUCKET`] or more, as
    /// [`new`](Self::new) asserts.
    #[inline(always)]
    pub(crate) fn firsts(&self) -> &'static [u16] {
        self.firsts
    }

    /// The values that this map is for are below this.
    #[inline(always)]
    pub(crate) fn below(&self) -> u32 {
        self.below
    }

    /// The values that this map is not for, although they are below, by the first and the last of each row of them.
    #[inline(always)]
    pub(crate) fn except(&self) -> &'static [(u16, u16)] {
        self.except
    }

    /// A value that this map is for, and the first range of its bucket.
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

    /// What a value in this range becomes.
    #[inline(always)]
    pub(crate) fn image(&self, value: u16, range: usize) -> Option<u16> {
        let (first, becomes) = (self.firsts.get(range)?, self.images.get(range)?);
        Some(value.wrapping_sub(*first).wrapping_add(*becomes))
    }
}

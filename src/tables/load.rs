//! Tables on disk are little-endian bytes; here they become statics of integers, at compile time.
//!
//! A whole file is cast at once, as a loop over its elements is interpreted by the compiler: over all tables that took a
//! tenth of the build. The bytes themselves do not reach the compiled program.

macro_rules! loader {
    ($function:ident, $integer:ident) => {
        /// The integers in `bytes`, which are as long.
        pub(super) const fn $function<const BYTES: usize, const N: usize>(
            bytes: &[u8; BYTES],
        ) -> [$integer; N] {
            let mut items: [$integer; N] = bytemuck::must_cast(*bytes);
            if cfg!(target_endian = "big") {
                let mut position = 0;
                while position < N {
                    items[position] = $integer::from_le(items[position]);
                    position += 1;
                }
            }
            items
        }
    };
}

loader!(u8s, u8);
loader!(u16s, u16);
loader!(u32s, u32);

//! Conversion of little-endian table files to statics of integers, at compile time.
//!
//! A whole file is cast at once, because the compiler interprets a loop over its elements: such loops took a tenth of
//! the build. The bytes themselves do not reach the compiled program.

macro_rules! loader {
    ($function:ident, $integer:ident) => {
        /// Returns the integers in `bytes`.
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

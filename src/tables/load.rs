//! Tables on disk are little-endian bytes; here they become statics of integers, at compile time.
//!
//! Reading each element with `from_le_bytes` in a `const fn` is right on every target and needs neither `unsafe` nor
//! alignment. The bytes themselves do not reach the compiled program.

macro_rules! loader {
    ($function:ident, $integer:ident) => {
        /// The integers in `bytes`, whose length has to fit.
        pub(super) const fn $function<const N: usize>(bytes: &[u8]) -> [$integer; N] {
            let (chunks, rest) = bytes.as_chunks::<{ size_of::<$integer>() }>();
            assert!(chunks.len() == N && rest.is_empty());
            let mut items = [0; N];
            let mut position = 0;
            while position < N {
                items[position] = $integer::from_le_bytes(chunks[position]);
                position += 1;
            }
            items
        }
    };
}
/// The integers of two files, one after the other.
pub(super) const fn u16s_of<const N: usize>(first: &[u8], second: &[u8]) -> [u16; N] {
    let (first, second) = (first.as_chunks().0, second.as_chunks().0);
    assert!(first.len() + second.len() == N);
    let mut items = [0; N];
    let mut position = 0;
    while position < N {
        items[position] = u16::from_le_bytes(if position < first.len() {
            first[position]
        } else {
            second[position - first.len()]
        });
        position += 1;
    }
    items
}

loader!(u8s, u8);
loader!(u16s, u16);
loader!(u32s, u32);
loader!(u64s, u64);

/// `NAME: [integer; as many as there are] = loader("file in tables/")`, as a static.
macro_rules! tables {
    ($($(#[$attribute:meta])* $name:ident: $integer:ident = $loader:ident($file:literal);)*) => {$(
        $(#[$attribute])*
        pub(crate) static $name:
            [$integer; include_bytes!(concat!("../../tables/", $file)).len() / size_of::<$integer>()] =
            $crate::tables::load::$loader(include_bytes!(concat!("../../tables/", $file)));
    )*};
}
pub(super) use tables;

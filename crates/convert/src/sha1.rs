//! SHA-1 (FIPS 180-4), for the digests of web archives and for fingerprints of files.

/// The state of a digest.
#[derive(Clone, Debug)]
pub struct Sha1 {
    state: [u32; 5],
    /// The incomplete block; its first `length % 64` bytes are filled.
    block: [u8; 64],
    length: u64,
}

impl Sha1 {
    /// Returns the digest of bytes.
    pub fn digest(bytes: impl AsRef<[u8]>) -> [u8; 20] {
        let mut hash = Self::new();
        hash.update(bytes);
        hash.finalize()
    }

    /// Returns the state before any bytes.
    #[expect(
        clippy::new_without_default,
        reason = "nobody asks for a default digest"
    )]
    pub fn new() -> Self {
        Self {
            state: [
                0x6745_2301,
                0xEFCD_AB89,
                0x98BA_DCFE,
                0x1032_5476,
                0xC3D2_E1F0,
            ],
            block: [0; 64],
            length: 0,
        }
    }

    /// Adds bytes.
    pub fn update(&mut self, bytes: impl AsRef<[u8]>) {
        let mut bytes = bytes.as_ref();
        let held = (self.length % 64) as usize;
        self.length += bytes.len() as u64;
        if held > 0 {
            let (first, rest) = bytes.split_at(bytes.len().min(64 - held));
            self.block[held..held + first.len()].copy_from_slice(first);
            bytes = rest;
            if held + first.len() < 64 {
                return;
            }
            compress(&mut self.state, &self.block);
        }
        let (blocks, rest) = bytes.as_chunks::<64>();
        for block in blocks {
            compress(&mut self.state, block);
        }
        self.block[..rest.len()].copy_from_slice(rest);
    }

    /// Returns the digest.
    pub fn finalize(mut self) -> [u8; 20] {
        let bits = self.length.wrapping_mul(8);
        self.update([0x80]);
        while self.length % 64 != 56 {
            self.update([0]);
        }
        self.update(bits.to_be_bytes());
        let mut digest = [0; 20];
        for (bytes, word) in digest.as_chunks_mut::<4>().0.iter_mut().zip(self.state) {
            *bytes = word.to_be_bytes();
        }
        digest
    }
}

fn compress(state: &mut [u32; 5], block: &[u8; 64]) {
    let mut words = [0; 80];
    for (word, bytes) in words.iter_mut().zip(block.as_chunks::<4>().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    for at in 16..80 {
        let mixed = words[at - 3] ^ words[at - 8] ^ words[at - 14] ^ words[at - 16];
        words[at] = mixed.rotate_left(1);
    }
    let [mut a, mut b, mut c, mut d, mut e] = *state;
    for (round, word) in words.into_iter().enumerate() {
        let (mixed, constant) = match round {
            0..20 => (b & c | !b & d, 0x5A82_7999),
            20..40 => (b ^ c ^ d, 0x6ED9_EBA1),
            40..60 => (b & c | b & d | c & d, 0x8F1B_BCDC_u32),
            _ => (b ^ c ^ d, 0xCA62_C1D6),
        };
        let sum = a.rotate_left(5).wrapping_add(mixed).wrapping_add(e);
        let next = sum.wrapping_add(constant).wrapping_add(word);
        (a, b, c, d, e) = (next, a, b.rotate_left(30), c, d);
    }
    for (word, change) in state.iter_mut().zip([a, b, c, d, e]) {
        *word = word.wrapping_add(change);
    }
}

#[cfg(test)]
mod tests {
    use super::Sha1;

    fn hex(digest: [u8; 20]) -> String {
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The examples of FIPS 180-2, appendix A.
    #[test]
    fn the_examples_have_their_digests() {
        let millions = "a".repeat(1_000_000);
        for (text, digest) in [
            ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
            ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "84983e441c3bd26ebaae4aa1f95129e5e54670f1",
            ),
            (&millions, "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
        ] {
            assert_eq!(hex(Sha1::digest(text)), digest);
        }
    }

    #[test]
    fn a_digest_is_the_same_for_every_split() {
        let bytes: Vec<u8> = (0..=255).collect();
        for length in 0..=bytes.len() {
            let whole = Sha1::digest(&bytes[..length]);
            for first in [0, 1, 55, 56, 63, 64, 65, 128] {
                let (start, end) = bytes[..length].split_at(first.min(length));
                let mut hash = Sha1::new();
                hash.update(start);
                hash.update(end);
                assert_eq!(hash.finalize(), whole, "{length}, {first}");
            }
        }
    }
}

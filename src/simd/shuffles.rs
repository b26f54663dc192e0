//! Shuffles that do what a compress would: several kernels use these tables.

/// No place: what a shuffle makes zero.
const NOWHERE: u8 = 0x80;

/// Moves to the front those of eight bytes whose bit is set.
pub(super) static BYTES: [[u8; 8]; 256] = {
    let mut all = [[NOWHERE; 8]; 256];
    let mut bits = 0;
    while bits < 256 {
        let (mut i, mut to) = (0, 0);
        while i < 8 {
            if bits >> i & 1 == 1 {
                all[bits][to] = i as u8;
                to += 1;
            }
            i += 1;
        }
        bits += 1;
    }
    all
};

/// Moves to the front those of eight words whose bit is set.
pub(super) static WORDS: [[u8; 16]; 256] = {
    let mut all = [[NOWHERE; 16]; 256];
    let mut bits = 0;
    while bits < 256 {
        let mut i = 0;
        while i < 8 && BYTES[bits][i] != NOWHERE {
            all[bits][2 * i] = 2 * BYTES[bits][i];
            all[bits][2 * i + 1] = 2 * BYTES[bits][i] + 1;
            i += 1;
        }
        bits += 1;
    }
    all
};

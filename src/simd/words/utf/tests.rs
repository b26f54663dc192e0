//! The kernel against the standard library.

use super::super::super::out::Out;
use super::super::tests::dice;
use super::{BLOCK, MIXED, utf8_to_utf16};

/// How much the kernel may take: what is well-formed, and has no four bytes.
fn most(src: &[u8]) -> usize {
    let valid = core::str::from_utf8(src).map_or_else(|error| error.valid_up_to(), str::len);
    let long = src[..valid].iter().position(|&byte| byte >= 0xF0);
    long.unwrap_or(valid)
}

fn check(src: &[u8], room: usize) {
    let mut units = vec![0xABCD_u16; room];
    let mut out = Out::from_init(&mut units);
    let read = utf8_to_utf16(src, &mut out);
    let written = out.written();
    let most = most(src);
    assert!(read <= most, "{read} of {most}: {src:02X?}");
    let text = core::str::from_utf8(&src[..read]).expect("it ends behind a character");
    let expected: Vec<u16> = text.encode_utf16().collect();
    assert_eq!(units[..written], expected, "{src:02X?}");
    assert!(
        units[written..].iter().all(|&unit| unit == 0xABCD),
        "{src:02X?}"
    );
    if room >= src.len() + BLOCK && read < most {
        let block = &src[read..src.len().min(read + BLOCK)];
        let changes = block
            .windows(2)
            .filter(|pair| pair[0].is_ascii() != pair[1].is_ascii());
        let changes = changes.count() + usize::from(!block[0].is_ascii());
        assert!(changes < MIXED as usize, "{read} of {most}: {src:02X?}");
    }
}

#[test]
fn the_kernel_is_the_standard_library_on_every_mix() {
    let mut random = dice();
    for round in 0..20_000 {
        let len = random(if round % 8 == 0 { 1500 } else { 150 }) as usize;
        // Per mille: ASCII, then characters, then anything.
        let ascii = [200, 500, 700, 900][random(4) as usize];
        let wild = [0, 0, 1, 10][random(4) as usize];
        // Runs of characters of one kind, of so many on average.
        let (run, mut kind) = ([1, 6, 30][random(3) as usize], 0);
        let mut text = Vec::new();
        while text.len() < len {
            if random(run) == 0 {
                kind = random(1000);
            }
            let dice = kind;
            let scalar = if random(1000) < wild {
                // One byte of many, or a character of four bytes.
                let byte = random(300);
                if byte < 256 {
                    text.push(byte as u8);
                    continue;
                }
                0x1_0000 + random(0x10_0000)
            } else if dice < ascii {
                random(0x80)
            } else {
                match kind % 4 {
                    0 => 0x800 + random(0xD000),
                    1 => 0xE000 + random(0x2000),
                    _ => 0x80 + random(0x780),
                }
            };
            let c = char::from_u32(scalar as u32).unwrap();
            text.extend(c.encode_utf8(&mut [0; 4]).bytes());
        }
        let room = match random(3) {
            0 => random(400) as usize,
            _ => text.len() + BLOCK,
        };
        check(&text, room);
    }
}

/// Every lead with every second byte, and what follows them, in a block that the kernel takes.
#[test]
fn every_two_bytes_are_what_the_standard_library_says() {
    for lead in 0x80..=0xFF {
        for second in 0..=0xFF {
            for third in [b'a', 0xBF, 0xC2] {
                for before in [0, 61, 62] {
                    let mut src = "aé".repeat(50).into_bytes();
                    let at = before / 3 * 3 + usize::from(before % 3 != 0);
                    src.splice(at..at, [lead, second, third]);
                    check(&src, 400);
                }
            }
        }
    }
}

//! Every target accepts its seeds, and truncated seeds.

#[test]
fn seeds_pass() {
    for (target, check) in mojika_fuzz::TARGETS {
        let seeds = mojika_fuzz::seeds::of(target);
        assert!(seeds.len() >= 80, "{target}: {}", seeds.len());
        for (name, bytes) in seeds {
            assert!(bytes.len() < 300, "{target} {name}: {}", bytes.len());
            check(&bytes);
        }
    }
}

#[test]
fn short_inputs_pass() {
    for (_, check) in mojika_fuzz::TARGETS {
        for len in 0..24 {
            for byte in [0, 1, 0x21, 0x80, 0xA5, 0xFF] {
                check(&vec![byte; len]);
            }
        }
    }
}

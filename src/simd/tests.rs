//! Tests of detection, the output cursor and UTF-8 validation.

extern crate std;

use core::mem::MaybeUninit;
use mojika_spec::Random;
use std::{string::ToString, vec, vec::Vec};

use super::level::Active;
use super::*;

#[test]
fn available_levels_climb_from_portable_to_the_detected_one() {
    let levels: Vec<Level> = available().collect();
    assert_eq!(levels.first(), Some(&Level::Portable));
    assert_eq!(levels.last(), Some(&detected()));
    assert!(levels.is_sorted());
    for &level in &levels {
        assert_eq!(Active::at_most(level).level(), level);
    }
}

#[test]
fn level_has_the_features_of_those_below_it() {
    macro_rules! features {
        ($(
            $(#[$doc:meta])*
            $name:ident = $number:literal, $text:literal on $on:meta with $($feature:tt),+;
        )+) => {
            [$(#[cfg($on)] [$($feature),+].as_slice(),)+ &[]]
        };
    }
    let levels = level::levels!(features);
    for pair in levels.windows(2) {
        let [upper, lower] = [pair[0], pair[1]];
        assert!(
            lower.iter().all(|feature| upper.contains(feature)),
            "{upper:?} of {lower:?}"
        );
    }
}

#[test]
fn level_of_another_architecture_is_no_cap() {
    let foreign = if cfg!(target_arch = "aarch64") {
        Level::Avx2
    } else {
        Level::Neon
    };
    assert_eq!(Active::at_most(foreign).level(), detected());
}

/// This is the only test that changes the cap of the process. Concurrent tests are not affected, because results do not
/// depend on it.
#[test]
fn cap_lowers_the_level_and_none_lifts_it() {
    cap(None);
    let start = level();
    assert!(start <= detected());
    for allowed in available() {
        cap(Some(allowed));
        assert_eq!(level(), allowed);
        #[cfg(target_arch = "x86_64")]
        {
            assert_eq!(
                level::Avx2::at(Active::now()).is_some(),
                allowed >= Level::Avx2
            );
            assert_eq!(
                level::Avx512::at(Active::now()).is_some(),
                allowed >= Level::Avx512
            );
        }
    }
    cap(None);
    assert_eq!(level(), start);
}

#[test]
fn level_names_parse_back() {
    for level in available() {
        assert_eq!(level.to_string().parse(), Ok(level));
        assert_eq!(level.name().to_ascii_uppercase().parse(), Ok(level));
    }
    assert_eq!("avx".parse::<Level>(), Err(UnknownLevel));
    assert_eq!("".parse::<Level>(), Err(UnknownLevel));
}

#[test]
fn full_output_takes_all_or_nothing() {
    let mut buffer = [0xC9_u8; 5];
    let mut out = Out::from_init(&mut buffer);
    assert!(out.push(1));
    assert!(!out.push_array([2, 3, 4, 5, 6]));
    assert!(out.push_array([2, 3]));
    assert!(!out.push_slice(&[4, 5, 6]));
    assert_eq!((out.written(), out.room()), (3, 2));
    assert!(out.push_slice(&[4]));
    assert!(!out.push_array([5, 6]));
    assert!(out.push(5));
    assert!(!out.push(6));
    assert!(out.push_array([]) && out.push_slice(&[]));
    assert_eq!(out.written_slice(), [1, 2, 3, 4, 5]);
    out.truncate(9);
    assert_eq!(out.written(), 5);
    out.truncate(2);
    assert_eq!(out.written_slice(), [1, 2]);
    assert!(out.push(7));
    assert_eq!(buffer, [1, 2, 7, 4, 5]);
}

#[test]
fn packed_bytes_touch_nothing_past_the_last() {
    let packed = u32::from_le_bytes([1, 2, 3, 4]);
    for room in 0..8 {
        for len in 0..=4 {
            let mut buffer = [0xC9_u8; 8];
            let mut out = Out::from_init(&mut buffer[..room]);
            let fits = out.push_packed(packed, len);
            assert_eq!(fits, len <= room, "length {len}, room {room}");
            let written = out.written();
            assert_eq!(written, if fits { len } else { 0 });
            assert_eq!(buffer[..written], [1, 2, 3, 4][..written]);
            assert!(
                buffer[written..].iter().all(|&byte| byte == 0xC9),
                "length {len}, room {room}"
            );
        }
    }
}

#[test]
fn uninitialised_output_reads_back_what_was_written() {
    let mut buffer = [MaybeUninit::<u16>::uninit(); 4];
    let mut out = Out::from_uninit(&mut buffer);
    assert!(out.push(0xD83D) && out.push_array([0xDE00, 0x41]));
    assert_eq!(out.written_slice(), [0xD83D, 0xDE00, 0x41]);
}

#[cfg(feature = "alloc")]
#[test]
fn append_keeps_what_the_vector_holds() {
    let mut vec = vec![1_u8, 2];
    vec.reserve_exact(3);
    let room = vec.capacity() - 2;
    assert_eq!(
        append(&mut vec, |out| (out.push_slice(&[3, 4]), out.room())),
        (true, room - 2)
    );
    assert_eq!(vec, [1, 2, 3, 4]);
    append(&mut vec, |_| ());
    assert_eq!(vec, [1, 2, 3, 4]);
}

#[cfg(feature = "alloc")]
#[test]
#[should_panic(expected = "the cursor was replaced")]
fn append_refuses_another_cursor() {
    append(&mut Vec::<u8>::with_capacity(4), |out| {
        *out = Out::from_init(&mut [])
    });
}

/// Returns a generator of random numbers below a bound.
pub(super) fn dice() -> impl FnMut(u64) -> u64 {
    let mut numbers = Random::new(0);
    move |below| numbers.below(below as usize) as u64
}

/// Returns an index of two-byte and three-byte characters, and holes.
pub(super) const fn index<const N: usize>() -> [u16; N] {
    let mut index = [0; N];
    let mut i = 0;
    while i < N {
        index[i] = match i % 97 {
            0 => 0,
            1..=9 => 0xA0 + (i % 1800) as u16,
            _ => 0x3000 + (i % 0x9000) as u16,
        };
        i += 1;
    }
    index
}

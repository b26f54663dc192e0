//! Tests each check with a [`Coder`] that violates it.

use crate::{Broken, Buffer, Call, Coder, How, Stop, run};

/// Changes the memory of a call, or its reported result, so that it breaks a promise.
type Lie = fn(&mut [u8], &mut Call<usize>);

/// Copies bytes, then lies. `unfinished` claims that output is pending at the end; `predicted` is the predicted length.
struct Copier {
    lie: Lie,
    predicted: usize,
    unfinished: bool,
}

impl Coder<[u8], u8> for Copier {
    type Error = usize;
    const LEAST: usize = 2;

    fn call(&mut self, src: &[u8], dst: &mut [u8], _: bool, _: How) -> Call<usize> {
        let length = src.len().min(dst.len());
        dst[..length].copy_from_slice(&src[..length]);
        let mut call = Call {
            stop: if length == src.len() {
                Stop::InputEmpty
            } else {
                Stop::OutputFull
            },
            read: length,
            written: length,
            had_errors: false,
        };
        (self.lie)(dst, &mut call);
        call
    }
    #[cfg(feature = "alloc")]
    fn append(&mut self, _: &[u8], _: &mut Vec<u8>, _: bool, _: bool) -> Call<usize> {
        unreachable!()
    }
    fn reset(&mut self) {}
    fn max_length(&self, _: usize, _: bool) -> Option<usize> {
        Some(self.predicted)
    }
    fn longest(read: usize) -> usize {
        read
    }
    fn is_behind(&error: &usize, read: usize) -> bool {
        error == read
    }
    fn check_state(&self, _: usize, ended: bool) -> Result<(), Broken> {
        match ended && self.unfinished {
            true => Err("unfinished".into()),
            false => Ok(()),
        }
    }
}

/// Returns the output of a stream of two chunks.
fn copied(room: usize, fatal: bool, shift: Option<u8>, lie: Lie) -> Result<Vec<u8>, Broken> {
    let mut out = Buffer::new(room, shift);
    let chunks: [&[u8]; 2] = [b"abcdefg", b"hijk"];
    let how = if fatal { How::FATAL } else { How::LENIENT };
    let coder = &mut Copier {
        lie,
        predicted: 99,
        unfinished: false,
    };
    run(coder, chunks, &mut out, how, |_, _, _| Ok(()))?;
    Ok(out.units)
}

/// A call that did nothing.
fn idle(dst: &mut [u8], call: &mut Call<usize>) {
    dst.fill(<u8 as crate::Unit>::CANARY);
    (call.stop, call.read, call.written) = (Stop::OutputFull, 0, 0);
}

#[test]
fn faults_are_found() {
    let lies: [(usize, Lie, &str); 9] = [
        (3, |_, call| call.written += 9, "12 written of 3"),
        (3, |_, call| call.read += 9, "12 read of 7"),
        (3, |_, call| call.written -= 1, "behind 2 written"),
        (3, |_, call| call.read -= 1, "3 written for 2"),
        (
            3,
            |_, call| call.stop = Stop::InputEmpty,
            "input empty at 3",
        ),
        (
            3,
            |_, call| call.stop = Stop::Error(9),
            "error 1 behind 3: 9",
        ),
        (2, idle, "nothing written"),
        (1, idle, "stalled"),
        (
            3,
            |_, call| call.stop = Stop::Error(call.read),
            "error 2 behind 6: 3",
        ),
    ];
    for shift in [None, Some(7)] {
        let copy = copied(3, true, shift, |_, _| ()).expect("no lie");
        assert_eq!(copy, b"abcdefghijk");
        for (room, lie, found) in lies {
            let broken = copied(room, true, shift, lie).expect_err(found);
            assert!(broken.contains(found), "{found}: {broken}");
        }
    }
}

#[test]
fn errors_are_for_error_mode_fatal_and_take_a_unit_each() {
    let once: Lie = |_, call| {
        if call.read == 3 {
            call.stop = Stop::Error(3);
        }
    };
    let broken = copied(3, false, None, once).expect_err("error mode");
    assert!(broken.contains("error 1 behind 3"), "{broken}");
    let always: Lie = |dst, call| {
        idle(dst, call);
        call.stop = Stop::Error(0);
    };
    let broken = copied(3, true, None, always).expect_err("an error without a unit");
    assert!(broken.contains("error 1 behind 0"), "{broken}");
}

#[test]
fn nothing_is_pending_at_the_end() {
    let coder = &mut Copier {
        lie: |_, _| (),
        predicted: 99,
        unfinished: true,
    };
    let mut out = Buffer::new(9, None);
    let chunks: [&[u8]; 2] = [b"ab", b"c"];
    let broken = run(coder, chunks, &mut out, How::FATAL, |_, _, _| Ok(())).expect_err("pending");
    assert_eq!((&*broken, &out.units[..]), ("unfinished", &b"abc"[..]));
}

#[test]
fn predictions_hold() {
    let full: Lie = |_, call| call.stop = Stop::OutputFull;
    for (predicted, lie) in [(2, (|_, _| ()) as Lie), (3, full)] {
        let coder = &mut Copier {
            lie,
            predicted,
            unfinished: false,
        };
        let mut out = Buffer::new(9, None);
        let chunks: [&[u8]; 1] = [b"abc"];
        let broken = run(coder, chunks, &mut out, How::FATAL, |_, _, _| Ok(())).expect_err("a lie");
        assert!(broken.contains("predicted"), "{broken}");
    }
}

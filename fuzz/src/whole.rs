//! Whole input at once, in either direction.

use mojika_drive::{Buffer, Coder, How, Source, Stop, Stream, Unit};
use std::fmt::Debug;

/// Converts in one call, into a buffer of the size that `max_length` promises, and compares the output.
pub fn whole_buffer<C: Coder<S, U>, S: Source + ?Sized, U: Unit>(
    coder: &mut C,
    src: &S,
    want: &[U],
    context: &dyn Fn() -> String,
) {
    let room = coder.max_length(src.units(), false).expect("short input");
    let mut out = Buffer::new(room, None);
    let call = Stream::new(coder).call(src, &mut out, true, How::LENIENT);
    let call = call.unwrap_or_else(|broken| panic!("{broken}: {}", context()));
    assert!(matches!(call.stop, Stop::InputEmpty), "{}", context());
    assert_eq!(out.units, want, "{}", context());
}

/// Converts in mode "fatal", call by call, into a growing output, and compares output and errors. `found` appends the
/// replacement of an error, given the length of input read, and returns the error in the form of `want_errors`.
pub fn fatal<C: Coder<S, U>, S: Source + ?Sized, U: Unit, E: PartialEq + Debug>(
    coder: &mut C,
    src: &S,
    (want, want_errors): (&[U], &[E]),
    found: impl Fn(&mut Vec<U>, C::Error, usize) -> E,
    context: &dyn Fn() -> String,
) {
    let mut stream = Stream::new(coder);
    let (mut units, mut errors) = (Vec::new(), Vec::new());
    loop {
        let rest = src.part(stream.read, src.units());
        let call = stream.append(rest, &mut units, true, true);
        let call = call.unwrap_or_else(|broken| panic!("{broken}: {}", context()));
        let Stop::Error(error) = call.stop else {
            break;
        };
        errors.push(found(&mut units, error, stream.read));
        assert!(errors.len() <= want_errors.len(), "{}", context());
    }
    assert_eq!(units, want, "{}", context());
    assert_eq!(errors, want_errors, "{}", context());
}

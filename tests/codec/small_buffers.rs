//! Long input with small outputs: a call must not search input whose text cannot fit into the output.

use crate::common::{in_turns, input};
use mojika::extended::find;
use mojika::{BomHandling, DecodeTarget, Decoder, EncodeSource, Encoder, Encoding, Status};
use mojika_drive::spent;
use std::time::Duration;

/// The size of the output of each call, in units.
const ROOM: usize = 16;

/// The shorter of the compared lengths, in characters.
const SHORT: usize = 1 << 15;
const LONG: usize = 1 << 18;

/// The tolerance for delays by other programs.
const SLACK: Duration = Duration::from_millis(20);

fn decode<U: Copy + Default>(encoding: &'static Encoding, mut source: &[u8])
where
    [U]: DecodeTarget,
{
    let mut decoder = Decoder::new(encoding, BomHandling::Keep);
    let mut room = [U::default(); ROOM];
    loop {
        let progress = decoder.decode(source, &mut room[..], true);
        source = &source[progress.read..];
        if progress.status == Status::InputEmpty {
            return;
        }
    }
}

fn encode<'s, S: EncodeSource + ?Sized>(
    encoding: &'static Encoding,
    mut source: &'s S,
    after: impl Fn(&'s S, usize) -> &'s S,
) {
    let mut encoder = Encoder::new(encoding).expect("an encoder");
    let mut room = [0; ROOM];
    loop {
        let progress = encoder.encode(source, &mut room, true);
        source = after(source, progress.read);
        if progress.status == Status::InputEmpty {
            return;
        }
    }
}

/// Asserts that input of eight times the length takes far less than 64 times as long.
fn check(case: &str, run: impl Fn(usize)) {
    let took = |length| {
        let start = spent();
        run(length);
        spent() - start
    };
    // Other programs use the caches too. So the slowest of the short runs is compared with the fastest of the long
    // ones.
    let (mut short, mut long) = (Duration::ZERO, Duration::MAX);
    for _ in 0..4 {
        short = short.max(took(SHORT));
        long = long.min(took(LONG));
        if long <= 20 * short + SLACK {
            return;
        }
    }
    panic!("{case}: {SHORT} characters take {short:?}, {LONG} take {long:?}");
}

#[test]
fn long_input_through_small_buffers_takes_linear_time() {
    let beside = "UTF-7 UTF-7-IMAP extended:ISO-2022-KR extended:ISO-2022-CN extended:HZ ISO-2022-JP-2 \
        ISO-2022-JP-2004 EUC-JIS-2004 Shift_JIS-2004 EUC-TW Johab Big5-HKSCS GB18030-2005 GSM-03.38 CESU-8 \
        UTF-32LE IBM930 IBM933 IBM300 IBM037 VISCII";
    let mut encodings = input::representatives();
    encodings.extend(
        beside
            .split_whitespace()
            .map(|name| find(name).expect(name)),
    );
    encodings.retain(|encoding| encoding.new_encoder().is_ok());
    for encoding in in_turns(encodings, 2, 0) {
        let has = |c: &char| encoding.encode(&c.to_string()).is_ok();
        let own = "éя文한אاกαあ".chars().find(has);
        for c in ['a'].into_iter().filter(has).chain(own) {
            let text = c.to_string().repeat(LONG);
            let units: Vec<u16> = text.encode_utf16().collect();
            let bytes = encoding.encode(&text).expect("characters of the encoding");
            let part = |length: usize| bytes.len() / LONG * length;
            check(&format!("{encoding} of {c} to UTF-8"), |length| {
                decode::<u8>(encoding, &bytes[..part(length)]);
            });
            check(&format!("{encoding} of {c} to UTF-16"), |length| {
                decode::<u16>(encoding, &bytes[..part(length)]);
            });
            check(&format!("{encoding} of {c} from UTF-8"), |length| {
                let text = &text[..length * c.len_utf8()];
                encode(encoding, text, |text: &str, at| &text[at..]);
            });
            check(&format!("{encoding} of {c} from UTF-16"), |length| {
                encode(encoding, &units[..length], |units: &[u16], at| &units[at..]);
            });
        }
    }
}

//! **Extension of mojika**, not in the Standard: UTF-7 (RFC 2152) and its variant in IMAP (RFC 3501, section 5.1.3).
//!
//! RFC 2152 does not say how to decode three cases, which are errors here. The malformed bytes are:
//!
//! * Base64 digits without a whole unit.
//! * The digits that complete a surrogate without its partner, and those before it.
//! * The byte after nonzero bits that follow the last unit.
//!
//! In IMAP's form, three more are errors: "&" within Base64, Base64 without "-" at its end, Base64 of printable ASCII.

use crate::handler::{Handler, HandlerResult};
use crate::io_queue::{IoQueue, Item};

/// The form of UTF-7.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// RFC 2152.
    Mail,
    /// RFC 3501.
    Imap,
}

impl Form {
    fn shift(self) -> u8 {
        match self {
            Form::Mail => b'+',
            Form::Imap => b'&',
        }
    }

    fn value(self, byte: u8) -> Option<u8> {
        Some(match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' if self == Form::Mail => 63,
            b',' if self == Form::Imap => 63,
            _ => return None,
        })
    }

    fn digit(self, value: usize) -> u8 {
        (0..=0xFF)
            .find(|&byte| self.value(byte).map(usize::from) == Some(value))
            .expect("a digit for each value")
    }

    /// True for RFC 2152's set D, set O and rule 3, or RFC 3501's "printable US-ASCII characters, except for "&"".
    fn is_direct(self, byte: u8) -> bool {
        match self {
            Form::Imap => (0x20..=0x7E).contains(&byte) && byte != b'&',
            Form::Mail => {
                byte.is_ascii_alphanumeric()
                    || b"'(),-./:?".contains(&byte)
                    || b"!\"#$%&*;<=>@[]^_`{|}".contains(&byte)
                    || b" \t\r\n".contains(&byte)
            }
        }
    }
}

/// The decoder.
#[derive(Clone, Debug)]
pub struct Utf7Decoder {
    form: Form,
    in_base64: bool,
    /// The Base64 bits after the last character.
    left_over: Vec<bool>,
    /// The bytes read of the next character.
    bytes: Vec<u8>,
}

/// The code units that some Base64 digits encode.
struct Units {
    /// For each code unit: its value, the number of digits up to its last bit, and the bits after it in its last digit.
    complete: Vec<(u32, usize, Vec<bool>)>,
}

impl Utf7Decoder {
    /// Creates a decoder.
    pub fn new(form: Form) -> Self {
        Self {
            form,
            in_base64: false,
            left_over: Vec::new(),
            bytes: Vec::new(),
        }
    }

    fn has_shift(&self) -> bool {
        !self.in_base64 && self.bytes.first() == Some(&self.form.shift())
    }

    fn units(&self, digits: &[u8]) -> Units {
        let mut bits = self.left_over.clone();
        let mut complete = Vec::new();
        for (at, &digit) in digits.iter().enumerate() {
            let value = self.form.value(digit).expect("a digit");
            bits.extend((0..6).rev().map(|place| value >> place & 1 == 1));
            if bits.len() >= 16 {
                let rest = bits.split_off(16);
                let unit = bits.iter().fold(0, |unit, &bit| unit << 1 | u32::from(bit));
                complete.push((unit, at + 1, rest.clone()));
                bits = rest;
            }
        }
        Units { complete }
    }

    /// Reports the first `len` bytes as malformed, and restores the others. Base64 continues with `left_over`.
    fn malformed(
        &mut self,
        io_queue: &mut IoQueue<u8>,
        len: usize,
        left_over: Vec<bool>,
    ) -> HandlerResult<char> {
        io_queue.restore_all(&self.bytes[len..]);
        self.bytes.clear();
        self.in_base64 = true;
        self.left_over = left_over;
        HandlerResult::error()
    }

    fn direct(&mut self) -> HandlerResult<char> {
        let byte = self.bytes[0];
        self.in_base64 = false;
        self.left_over.clear();
        if byte == self.form.shift() {
            return HandlerResult::Continue;
        }
        self.bytes.clear();
        if self.form.is_direct(byte) {
            HandlerResult::code_point(byte.into())
        } else {
            HandlerResult::error()
        }
    }

    /// Handles Base64 digits, which may follow a shift byte. If `ended`, the last byte is the one that ends them.
    fn base64(&mut self, io_queue: &mut IoQueue<u8>, ended: bool) -> HandlerResult<char> {
        let first = usize::from(self.has_shift());
        let digits = &self.bytes[first..self.bytes.len() - usize::from(ended)];
        let count = digits.len();
        let complete = self.units(digits).complete;
        match complete[..] {
            [] if ended && first + count > 0 => self.malformed(io_queue, first + count, Vec::new()),
            [] if ended => {
                let is_padded = !self.left_over.contains(&true);
                let byte = self.bytes[0];
                if is_padded && self.form == Form::Mail && byte != b'-' {
                    return self.direct();
                }
                self.bytes.clear();
                self.in_base64 = false;
                self.left_over.clear();
                if is_padded && byte == b'-' {
                    HandlerResult::Continue
                } else {
                    HandlerResult::error()
                }
            }
            [] => HandlerResult::Continue,
            [(0xD800..=0xDBFF, _, _)] if !ended => HandlerResult::Continue,
            [
                (lead @ 0xD800..=0xDBFF, _, _),
                (trail @ 0xDC00..=0xDFFF, _, ref rest),
            ] => {
                let value = 0x1_0000 + ((lead - 0xD800) << 10) + (trail - 0xDC00);
                self.complete(value, rest.clone())
            }
            [(0xD800..=0xDBFF, after, ref rest), ..] => {
                self.malformed(io_queue, first + after, rest.clone())
            }
            [(0xDC00..=0xDFFF, after, ref rest), ..] => {
                self.malformed(io_queue, first + after, rest.clone())
            }
            [(0x20..=0x7E, after, ref rest), ..] if self.form == Form::Imap => {
                self.malformed(io_queue, first + after, rest.clone())
            }
            [(unit, _, ref rest), ..] => self.complete(unit, rest.clone()),
        }
    }

    fn complete(&mut self, value: u32, left_over: Vec<bool>) -> HandlerResult<char> {
        self.bytes.clear();
        self.in_base64 = true;
        self.left_over = left_over;
        HandlerResult::code_point(value)
    }
}

impl Handler for Utf7Decoder {
    type Input = u8;
    type Output = char;

    fn is_between(&self) -> bool {
        self.bytes.is_empty()
    }

    fn handler(&mut self, io_queue: &mut IoQueue<u8>, byte: Item<u8>) -> HandlerResult<char> {
        let Item::Value(byte) = byte else {
            let first = usize::from(self.has_shift());
            return match self.bytes.len() {
                0 => HandlerResult::Finished,
                len => {
                    let digits = self.bytes[first..].to_vec();
                    match self.units(&digits).complete[..] {
                        // At the end, a lone surrogate is one error; the digits after it are decoded again.
                        [(_, after, ref rest)] => {
                            self.malformed(io_queue, first + after, rest.clone())
                        }
                        _ => self.malformed(io_queue, len, Vec::new()),
                    }
                }
            };
        };
        self.bytes.push(byte);
        let is_digit = self.form.value(byte).is_some();
        match self.bytes[..] {
            _ if self.in_base64 => self.base64(io_queue, !is_digit),
            [_] => self.direct(),
            [shift, b'-'] => {
                self.bytes.clear();
                HandlerResult::code_point(shift.into())
            }
            [_, _] if !is_digit => {
                // After a shift byte, this byte is neither a digit nor "-": the shift byte is malformed.
                io_queue.restore(byte);
                self.bytes.clear();
                HandlerResult::error()
            }
            _ => self.base64(io_queue, !is_digit),
        }
    }
}

/// The encoder.
#[derive(Clone, Debug)]
pub struct Utf7Encoder {
    form: Form,
    in_base64: bool,
    left_over: Vec<bool>,
    /// The trail surrogate that has not been written yet.
    trail: Option<u16>,
}

impl Utf7Encoder {
    /// Creates an encoder.
    pub fn new(form: Form) -> Self {
        Self {
            form,
            in_base64: false,
            left_over: Vec::new(),
            trail: None,
        }
    }

    /// Removes all complete groups of six bits from `left_over`, and returns their digits.
    fn digits(&mut self) -> Vec<u8> {
        let mut digits = Vec::new();
        while self.left_over.len() >= 6 {
            let rest = self.left_over.split_off(6);
            let group = core::mem::replace(&mut self.left_over, rest);
            let value = group
                .iter()
                .fold(0, |value, &bit| value << 1 | usize::from(bit));
            digits.push(self.form.digit(value));
        }
        digits
    }

    fn unit(&mut self, unit: u16) -> HandlerResult<u8> {
        self.left_over
            .extend((0..16).rev().map(|place| unit >> place & 1 == 1));
        let digits = self.digits();
        HandlerResult::items(&digits)
    }

    /// Ends Base64. Returns its last digit, if bits are left, and "-" if `marked`.
    fn closing(&mut self, marked: bool) -> Vec<u8> {
        self.in_base64 = false;
        if !self.left_over.is_empty() {
            self.left_over.resize(6, false);
        }
        let mut closing = self.digits();
        if marked {
            closing.push(b'-');
        }
        closing
    }
}

impl Handler for Utf7Encoder {
    type Input = char;
    type Output = u8;

    fn handler(
        &mut self,
        io_queue: &mut IoQueue<char>,
        code_point: Item<char>,
    ) -> HandlerResult<u8> {
        let Item::Value(code_point) = code_point else {
            if self.in_base64 {
                return HandlerResult::items(&self.closing(true));
            }
            return HandlerResult::Finished;
        };
        let byte = u8::try_from(u32::from(code_point)).unwrap_or(0xFF);
        let is_shift = byte == self.form.shift();
        let stands_alone = is_shift && (self.form == Form::Imap || !self.in_base64);
        if self.form.is_direct(byte) || stands_alone {
            if self.in_base64 {
                let needs_mark = byte == b'-' || self.form.value(byte).is_some();
                let closing = self.closing(needs_mark || self.form == Form::Imap);
                if !closing.is_empty() {
                    io_queue.restore(code_point);
                    return HandlerResult::items(&closing);
                }
            }
            return match is_shift {
                true => HandlerResult::items(&[byte, b'-']),
                false => HandlerResult::byte(byte.into()),
            };
        }
        if !self.in_base64 {
            self.in_base64 = true;
            io_queue.restore(code_point);
            return HandlerResult::byte(self.form.shift().into());
        }
        if let Some(trail) = self.trail.take() {
            return self.unit(trail);
        }
        let mut units = [0; 2];
        match *code_point.encode_utf16(&mut units) {
            [lead, trail] => {
                self.trail = Some(trail);
                io_queue.restore(code_point);
                self.unit(lead)
            }
            [unit, ..] => self.unit(unit),
            [] => HandlerResult::error_with(code_point),
        }
    }
}

//! What the lines of a text are: UTF-8, or something else.

use crate::engine::Place;
use mojika::mem;
use std::io::{self, BufRead, BufReader, Read};

/// Bytes of lines that are not UTF-8 that are looked at.
const SAMPLE: usize = 64 << 10;

/// A line that is longer is looked at in pieces.
const LONGEST_LINE: u64 = 1 << 20;

/// What the lines of a text are.
#[derive(Debug, Default)]
pub struct Survey {
    /// Lines that are not UTF-8, as many as are looked at.
    pub sample: Vec<u8>,
    /// Lines of UTF-8 and other lines, both without those of ASCII.
    lines: [u64; 2],
    /// Characters of UTF-8 in the lines of UTF-8.
    characters: u64,
    /// In the other lines, what is well-formed UTF-8 and what is not.
    others: [u64; 2],
    /// The first line that is not UTF-8.
    pub first: Option<Place>,
    read: u64,
    number: u64,
}

impl Survey {
    /// Reads a whole text.
    ///
    /// # Errors
    ///
    /// Fails if the reader does.
    pub fn of(reader: impl Read) -> io::Result<Self> {
        let mut reader = BufReader::with_capacity(SAMPLE, reader);
        let mut survey = Self::default();
        let mut line = Vec::new();
        loop {
            line.clear();
            let mut piece = (&mut reader).take(LONGEST_LINE);
            if piece.read_until(b'\n', &mut line)? == 0 {
                return Ok(survey);
            }
            survey.add(&line);
            survey.read += line.len() as u64;
            survey.number += u64::from(line.ends_with(b"\n"));
        }
    }

    fn add(&mut self, line: &[u8]) {
        if mem::ascii_prefix_len(line) == line.len() {
            return;
        }
        if mem::utf8_prefix_len(line) == line.len() {
            self.lines[0] += 1;
            self.characters += leads(line);
            return;
        }
        self.lines[1] += 1;
        self.first.get_or_insert(Place {
            offset: self.read,
            line: Some((self.number + 1, 1)),
        });
        for chunk in line.utf8_chunks() {
            self.others[0] += leads(chunk.valid().as_bytes());
            self.others[1] += u64::from(!chunk.invalid().is_empty());
        }
        if self.sample.len() < SAMPLE {
            self.sample.extend_from_slice(line);
        }
    }

    /// How many lines beyond ASCII are UTF-8, and how many are not.
    pub fn lines(&self) -> [u64; 2] {
        self.lines
    }

    /// Whether lines are in UTF-8, and others are not: text in another encoding may be well-formed UTF-8 by chance, in
    /// lines of few characters.
    pub fn is_mixed(&self) -> bool {
        let [utf_8, others] = self.lines.map(|count| count as f64);
        if utf_8 == 0.0 || others == 0.0 {
            return false;
        }
        let [valid, invalid] = self.others.map(|count| count as f64);
        // A few bytes, or a few among many characters of UTF-8, are damage.
        if invalid < 4.0 || 2.0 * invalid < valid {
            return false;
        }
        // How often what is no ASCII is well-formed by chance; how unlikely all lines of UTF-8 are then, in any place.
        let rate = (valid + 1.0) / (valid + invalid + 2.0);
        let unlikely = -(self.characters as f64) * rate.ln();
        let places = utf_8 * ((utf_8 + others) / utf_8).ln() + utf_8;
        unlikely - places > 8.0
    }
}

/// Characters beyond ASCII of UTF-8.
fn leads(text: &[u8]) -> u64 {
    text.iter().filter(|byte| **byte >= 0xC0).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use mojika::{GBK, SHIFT_JIS, WINDOWS_1251, WINDOWS_1252};

    fn is_mixed(bytes: &[u8]) -> bool {
        Survey::of(bytes).unwrap().is_mixed()
    }

    #[test]
    fn lines_of_utf_8_among_others_are_found() {
        let line = "Привет, мир: строка журнала\n";
        let other = WINDOWS_1251.encode(line).unwrap();
        assert!(is_mixed(&[line.as_bytes(), &other].concat()));
        assert!(is_mixed(&[&other[..], &other, line.as_bytes()].concat()));
        let line = "naïve café\n";
        let other = WINDOWS_1252.encode(line).unwrap();
        assert!(is_mixed(
            &[&line.as_bytes().repeat(20)[..], &other.repeat(20)].concat()
        ));
        assert!(!is_mixed(&other.repeat(20)));
        assert!(!is_mixed(line.as_bytes()));
        assert!(!is_mixed(b"ascii\n"));
        let damaged = [line.repeat(50).as_bytes(), b"caf\xC3\xA9 \xFF\n\xC3\n"].concat();
        assert!(!is_mixed(&damaged));
    }

    /// Words of Chinese and Japanese whose bytes are well-formed UTF-8 by chance.
    #[test]
    fn lines_that_are_utf_8_by_chance_do_not_make_a_text_mixed() {
        let words = "联通\n移动通信集团公司的服务热线\n联通\n网络与信息安全中心\n";
        assert!(!is_mixed(&GBK.encode(&words.repeat(3)).unwrap()));
        let text = "文字コードの変換を行うためのプログラム\nﾃｽﾄ\n";
        assert!(!is_mixed(&SHIFT_JIS.encode(&text.repeat(10)).unwrap()));
    }
}

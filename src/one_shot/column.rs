//! Many short texts at once: columns of values, terms of an index, names.
//!
//! A call costs as much as decoding twenty bytes. Short rows are therefore joined and decoded together, separated by a
//! control character that no row contains. In an ASCII-compatible encoding, no sequence contains a control character.
//! So a sequence that is incomplete at the end of a row is malformed there, as if the row were decoded by itself.

use super::Options;
use crate::codec::Scheme;
use crate::decoder::Decoder;
use crate::simd::tuning;
use crate::{DecodeError, Status};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// The rows of text that [`Options::decode_column`] decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DecodedColumn<O> {
    /// The text of all rows, one after the other, with U+FFFD for each malformed sequence.
    pub text: String,
    /// The byte offset of each row's start in `text`, followed by the end of the last row: one more than there are
    /// rows.
    pub offsets: Vec<O>,
    /// The number of each row with a malformed sequence, in order, with its first malformed sequence.
    pub errors: Vec<(usize, DecodeError)>,
}

/// The reason why a column cannot be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ColumnError {
    /// The row with the given index is not within the bytes: its offsets are not ascending, or exceed the length.
    Offsets(usize),
    /// From the row with the given index on, text offsets do not fit their type.
    TooLong(usize),
}

impl fmt::Display for ColumnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Offsets(row) => {
                write!(f, "the offsets of row {row} are not a range of the bytes")
            }
            Self::TooLong(row) => write!(
                f,
                "the text of row {row} ends beyond what its offsets can say"
            ),
        }
    }
}

impl core::error::Error for ColumnError {}

impl Options {
    /// Decodes a column of values: row `i` is `bytes[offsets[i]..offsets[i + 1]]`. Malformed sequences become U+FFFD,
    /// and their rows are listed.
    ///
    /// Each row is decoded independently, with the result of [`decode`](Self::decode), and several times as fast if
    /// rows are short. Offsets may be any integer type, such as `i32` and `i64` in Apache Arrow. Without
    /// offsets there are no rows.
    ///
    /// # Errors
    ///
    /// [`ColumnError::Offsets`] if a row does not lie in the bytes; [`ColumnError::TooLong`] if an offset in the text
    /// does not fit the type.
    ///
    /// ```
    /// use mojika::{BomHandling, SHIFT_JIS};
    ///
    /// let column = SHIFT_JIS.with(BomHandling::Sniff).decode_column(b"\x95\xB6\x8E\x9Aa\x82", &[0_i32, 2, 4, 4, 6])?;
    /// assert_eq!(column.text, "文字a\u{FFFD}");
    /// assert_eq!(column.offsets, [0, 3, 6, 6, 10]);
    /// let (row, error) = &column.errors[0];
    /// assert_eq!((column.errors.len(), *row, error.sequence.offset), (1, 3, 1));
    /// # Ok::<(), mojika::ColumnError>(())
    /// ```
    pub fn decode_column<O>(
        self,
        bytes: &[u8],
        offsets: &[O],
    ) -> Result<DecodedColumn<O>, ColumnError>
    where
        O: Copy + TryFrom<usize> + TryInto<usize>,
    {
        let range = |row: usize| {
            let (start, end) = (
                offsets[row].try_into().ok()?,
                offsets[row + 1].try_into().ok()?,
            );
            bytes.get(start..end)
        };
        let rows = offsets.len().saturating_sub(1);
        if let Some(row) = (0..rows).find(|&row| range(row).is_none()) {
            return Err(ColumnError::Offsets(row));
        }
        let mut column = DecodedColumn {
            text: String::with_capacity(bytes.len() + bytes.len() / 2),
            offsets: Vec::with_capacity(offsets.len()),
            errors: Vec::new(),
        };
        let mut too_long = None;
        column
            .offsets
            .extend(O::try_from(0).ok().filter(|_| !offsets.is_empty()));
        let values = (0..rows).map(|row| range(row).unwrap_or_default());
        let mut row = 0;
        self.decode_each(values, |text, error| {
            column.text.push_str(text);
            column.errors.extend(error.map(|error| (row, error)));
            match O::try_from(column.text.len()) {
                Ok(end) => column.offsets.push(end),
                Err(_) => too_long = too_long.or(Some(row)),
            }
            row += 1;
        });
        too_long.map_or(Ok(column), |row| Err(ColumnError::TooLong(row)))
    }

    /// Decodes many values: calls `each` with the text of each of `rows`, in order, and with the row's first malformed
    /// sequence if it has one. Malformed sequences become U+FFFD.
    ///
    /// Each row is decoded independently, with the result of [`decode`](Self::decode), and several times as fast if
    /// rows are short.
    ///
    /// ```
    /// use mojika::{BomHandling, KOI8_R};
    ///
    /// let mut words = Vec::new();
    /// KOI8_R.with(BomHandling::Keep).decode_each([&b"\xC4\xC1"[..], b"\xCE\xC5\xD4"], |text, _| words.push(text.to_owned()));
    /// assert_eq!(words, ["да", "нет"]);
    /// ```
    pub fn decode_each<'a>(
        self,
        rows: impl IntoIterator<Item = &'a [u8]>,
        mut each: impl FnMut(&str, Option<DecodeError>),
    ) {
        let mut batch = Batch {
            options: self,
            decoder: Decoder::new(self.encoding, self.bom),
            rows: Vec::new(),
            length: 0,
            bytes: Vec::new(),
            text: String::new(),
        };
        for row in rows {
            if batch.takes(row) {
                batch.length += row.len() + 1;
                batch.rows.push(row);
                if batch.length < tuning::BATCH_OF_ROWS {
                    continue;
                }
                batch.flush(&mut each);
            } else {
                batch.flush(&mut each);
                batch.decode_row(row, &mut each);
            }
        }
        batch.flush(&mut each);
    }
}

/// Rows to decode together.
struct Batch<'a> {
    options: Options,
    /// Decodes single rows. Between rows, this decoder is at the start of a stream.
    decoder: Decoder,
    rows: Vec<&'a [u8]>,
    /// Bytes of the rows, with a separator after each.
    length: usize,
    /// The rows with separators, as input.
    bytes: Vec<u8>,
    text: String,
}

impl<'a> Batch<'a> {
    /// True if a row may be decoded with others: it is short, and does not start with a byte order mark.
    fn takes(&self, row: &[u8]) -> bool {
        // UTF-8 is excluded, because its text is borrowed.
        row.len() <= tuning::ROW_IN_BATCH_UP_TO
            && self.options.encoding.kind.is_ascii_compatible()
            && !matches!(self.options.encoding.kind, Scheme::Utf8)
            && self.options.find(row).1 == 0
    }

    /// Decodes the rows and removes them.
    fn flush(&mut self, each: &mut impl FnMut(&str, Option<DecodeError>)) {
        let rows = core::mem::take(&mut self.rows);
        let mut rest = &rows[..];
        while !rest.is_empty() {
            let done = self.decode_rows(rest, each);
            rest = &rest[done..];
            // The next row cannot be joined: it has a malformed sequence, or every separator occurs in the rows.
            if let Some((row, after)) = rest.split_first() {
                self.decode_row(row, each);
                rest = after;
            }
        }
        self.rows = rows;
        self.rows.clear();
        self.length = 0;
    }

    /// Decodes rows together, up to one with a malformed sequence; returns their number.
    fn decode_rows(
        &mut self,
        rows: &[&[u8]],
        each: &mut impl FnMut(&str, Option<DecodeError>),
    ) -> usize {
        let Some(separator) = self.join(rows) else {
            return 0;
        };
        self.text.clear();
        let mut decoder = Decoder::starting_at(self.options.encoding, 0);
        let progress = decoder.decode_append_fatal(&self.bytes, &mut self.text, true);
        debug_assert!(progress.status == Status::InputEmpty || progress.written == self.text.len());
        let (mut done, mut start) = (0, 0);
        for end in memchr::memchr_iter(separator, self.text.as_bytes()).take(rows.len()) {
            each(&self.text[start..end], None);
            (done, start) = (done + 1, end + 1);
        }
        done
    }

    /// Joins the rows, each followed by a separator that occurs in none; `None` if every separator occurs.
    fn join(&mut self, rows: &[&[u8]]) -> Option<u8> {
        // Values may be padded with zeros, so NUL is the last choice.
        [0x1F, 0x0B, 0x00].into_iter().find(|&separator| {
            self.bytes.clear();
            for row in rows {
                self.bytes.extend_from_slice(row);
                self.bytes.push(separator);
            }
            memchr::memchr_iter(separator, &self.bytes).count() == rows.len()
        })
    }

    /// Decodes a row by itself.
    #[inline(never)]
    fn decode_row(&mut self, row: &[u8], each: &mut impl FnMut(&str, Option<DecodeError>)) {
        self.text.clear();
        let text = &mut self.text;
        if let Scheme::Utf8 = self.options.encoding.kind
            && let Ok(decoded) = self.options.decode_fatal(row)
        {
            each(&decoded.text, None);
            return;
        }
        let mut error = None;
        let progress = self.decoder.decode_append_fatal(row, text, true);
        if let Status::Malformed(sequence) = progress.status {
            let encoding = self.decoder.encoding();
            error = Some(DecodeError { encoding, sequence });
            self.decoder.reset();
            text.clear();
            self.decoder.decode_append(row, text, true);
        }
        each(text, error);
    }
}

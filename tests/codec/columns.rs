//! Decoding of columns: each row decodes as it would alone.

use crate::common::{Random, everything, hex, in_turns};
use mojika::{BomHandling, ColumnError, Encoding, Fallback, GB18030, SHIFT_JIS, UTF_8, UTF_16LE};

/// Compares `decode_column` and `decode_each` with one call per row.
fn compare(encoding: &'static Encoding, rows: &[Vec<u8>], bom: BomHandling) {
    let bytes = rows.concat();
    let mut offsets = vec![0_i32];
    for row in rows {
        offsets.push(offsets[offsets.len() - 1] + row.len() as i32);
    }
    let options = encoding.with(bom);
    let column = options.decode_column(&bytes, &offsets).unwrap();
    assert_eq!(column.offsets.len(), offsets.len());
    let mut errors = column.errors.iter();
    let mut each = Vec::new();
    options.decode_each(rows.iter().map(Vec::as_slice), |text, error| {
        each.push((text.to_owned(), error));
    });
    assert_eq!(each.len(), rows.len());
    for (place, (row, (text, error))) in rows.iter().zip(each).enumerate() {
        let shown = || format!("{encoding}, row {place}: {}", hex(row));
        let expected = options.decode(row);
        let fatal = options.decode_fatal(row).err();
        assert_eq!(text, expected.text, "{}", shown());
        assert_eq!(error, fatal, "{}", shown());
        let range = column.offsets[place] as usize..column.offsets[place + 1] as usize;
        assert_eq!(column.text[range], *expected.text, "{}", shown());
        if let Some(error) = fatal {
            assert_eq!(errors.next(), Some(&(place, error)), "{}", shown());
        }
    }
    assert_eq!(errors.next(), None);
}

/// Returns a row of `length` characters, or of `length` odd bytes.
fn row(encoding: &'static Encoding, random: &mut Random, length: usize) -> Vec<u8> {
    const LETTERS: [char; 12] = [
        'a', ' ', '\u{1F}', 'é', 'ß', 'ж', 'λ', 'ข', '文', '字', '한', 'カ',
    ];
    if random.below(12) == 0 {
        return random.odd_bytes(length);
    }
    let text: String = (0..length).map(|_| *random.pick(&LETTERS)).collect();
    let encoded = encoding.encode_or_else(&text, |_| Fallback::Omit);
    encoded.map_or_else(
        |_| text.clone().into_bytes(),
        |encoded| encoded.bytes.into_owned(),
    )
}

#[test]
fn rows_of_a_column_are_decoded_each_by_itself() {
    let mut random = Random::new(47);
    for (number, encoding) in everything().enumerate() {
        let handlings = [BomHandling::Sniff, BomHandling::Remove, BomHandling::Keep];
        for bom in in_turns(handlings, 3, number) {
            // Few rows, and several batches, sometimes with lengths near that of a batch's longest row.
            for count in [1, 7, 400] {
                let rows: Vec<Vec<u8>> = (0..count)
                    .map(|_| {
                        let length = if random.below(40) == 0 {
                            20 + random.below(100)
                        } else {
                            random.below(24)
                        };
                        row(encoding, &mut random, length)
                    })
                    .collect();
                compare(encoding, &rows, bom);
            }
        }
    }
}

#[test]
fn what_is_incomplete_at_the_end_of_a_row_does_not_reach_the_next() {
    let rows = [
        &b"a\x82"[..],
        b"\xA0b",
        b"",
        b"\x81",
        b"\x30\x81\x30",
        b"\xEF\xBB\xBF\x82",
        b"ok",
    ];
    let rows = rows.map(<[u8]>::to_vec);
    for encoding in [SHIFT_JIS, GB18030, UTF_8, UTF_16LE] {
        compare(encoding, &rows, BomHandling::Sniff);
    }
}

#[test]
fn rows_may_hold_the_control_characters_that_part_them() {
    let all = [0x1F, 0x0B, 0x00];
    for held in [&all[..1], &all[..2], &all[1..], &all[..]] {
        let rows: Vec<Vec<u8>> = (0..100)
            .map(|n| [&held[n % held.len()..], b"\x95\xB6"].concat())
            .collect();
        compare(SHIFT_JIS, &rows, BomHandling::Sniff);
    }
}

#[test]
fn offsets_that_are_no_column_are_refused() {
    let shift_jis = SHIFT_JIS.with(BomHandling::Keep);
    let decode = |offsets: &[i64]| {
        let column = shift_jis.decode_column(b"abc", offsets);
        column.map(|column| column.offsets)
    };
    assert_eq!(decode(&[]), Ok(vec![]));
    assert_eq!(decode(&[1]), Ok(vec![0]));
    assert_eq!(decode(&[1, 3]), Ok(vec![0, 2]));
    assert_eq!(decode(&[0, 4]), Err(ColumnError::Offsets(0)));
    assert_eq!(decode(&[0, 2, 1]), Err(ColumnError::Offsets(1)));
    assert_eq!(decode(&[-1, 2]), Err(ColumnError::Offsets(0)));
    let long = vec![b'a'; 200];
    let short = shift_jis.decode_column(&long, &[0_i8, 100, 120]);
    assert_eq!(short.unwrap().offsets, [0, 100, 120]);
    // A half-width katakana has one byte, and three bytes in UTF-8.
    let wide = vec![0xB1; 90];
    let column = shift_jis.decode_column(&wide, &[0_i8, 40, 90]);
    assert_eq!(column, Err(ColumnError::TooLong(1)));
}

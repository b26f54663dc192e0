//! Indexes (section 5): the parser of index files, and the algorithms that look up pointers and code points.

use std::collections::HashMap;
use std::sync::OnceLock;

/// The text of an index file of the Standard.
macro_rules! index_file {
    ($name:literal) => {
        include_str!(concat!("../../../gen/indexes/index-", $name, ".txt"))
    };
}
pub(crate) use index_file;

/// An index: an ordered list of entries, each of a pointer and a code point. Pointers are unique, code points not.
#[derive(Clone, Debug)]
pub struct Index {
    entries: Vec<(usize, char)>,
    code_points: Vec<Option<char>>,
    pointers: HashMap<char, usize>,
}

impl Index {
    /// Finds the pointers and their corresponding code points in the text of an index file.
    pub fn parse(text: &str) -> Self {
        Index::from_entries(
            parse_lines(text)
                .map(|(pointer, code_point)| {
                    (
                        pointer,
                        char::from_u32(code_point).expect("indexes hold scalar values"),
                    )
                })
                .collect(),
        )
    }

    fn from_entries(entries: Vec<(usize, char)>) -> Self {
        let size = entries
            .iter()
            .map(|&(pointer, _)| pointer + 1)
            .max()
            .unwrap_or(0);
        let mut code_points = vec![None; size];
        let mut pointers = HashMap::new();
        for &(pointer, code_point) in &entries {
            assert_eq!(code_points[pointer], None, "pointers are unique");
            code_points[pointer] = Some(code_point);
            // Each code point keeps its *first* pointer.
            pointers.entry(code_point).or_insert(pointer);
        }
        Index {
            entries,
            code_points,
            pointers,
        }
    }

    /// All entries, in order.
    pub fn entries(&self) -> &[(usize, char)] {
        &self.entries
    }

    /// The index excluding all entries for whose pointer `excluded` returns true.
    fn excluding(&self, excluded: impl Fn(usize) -> bool) -> Index {
        Index::from_entries(
            self.entries
                .iter()
                .copied()
                .filter(|&(pointer, _)| !excluded(pointer))
                .collect(),
        )
    }

    /// The index code point for `pointer`: the code point corresponding to it, or null.
    pub fn code_point(&self, pointer: usize) -> Option<char> {
        self.code_points.get(pointer).copied().flatten()
    }

    /// The index pointer for `code_point`: the first pointer corresponding to it, or null.
    pub fn pointer(&self, code_point: char) -> Option<usize> {
        self.pointers.get(&code_point).copied()
    }

    /// The last pointer corresponding to `code_point`, or null.
    fn last_pointer(&self, code_point: char) -> Option<usize> {
        self.entries
            .iter()
            .rev()
            .find(|entry| entry.1 == code_point)
            .map(|entry| entry.0)
    }
}

/// Splits the text into lines on LF, without empty ones and those starting with `#`. Each line is split on TAB: the
/// pointer in decimal, the code point in hexadecimal, and parts that are ignored.
fn parse_lines(text: &str) -> impl Iterator<Item = (usize, u32)> {
    text.split('\n')
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| {
            let mut subitems = line.split('\t');
            let pointer = subitems.next().expect("a pointer").trim_start_matches(' ');
            let code_point = subitems.next().expect("a code point");
            (
                pointer.parse().expect("a decimal number"),
                u32::from_str_radix(code_point.strip_prefix("0x").expect("0x"), 16)
                    .expect("a hexadecimal number"),
            )
        })
}

/// Defines functions that return an index, which is parsed at the first call.
macro_rules! indexes {
    ($($(#[$doc:meta])* $name:ident = $file:literal;)*) => {
        $(
            $(#[$doc])*
            pub fn $name() -> &'static Index {
                static INDEX: OnceLock<Index> = OnceLock::new();
                INDEX.get_or_init(|| Index::parse(index_file!($file)))
            }
        )*
    };
}

indexes! {
    /// Index Big5.
    index_big5 = "big5";
    /// Index EUC-KR.
    index_euc_kr = "euc-kr";
    /// Index gb18030.
    index_gb18030 = "gb18030";
    /// Index jis0208.
    index_jis0208 = "jis0208";
    /// Index jis0212.
    index_jis0212 = "jis0212";
    /// Index ISO-2022-JP katakana.
    index_iso_2022_jp_katakana = "iso-2022-jp-katakana";
}

/// Index gb18030 ranges: first pointer and first code point of each range.
pub fn index_gb18030_ranges() -> &'static [(usize, u32)] {
    static INDEX: OnceLock<Vec<(usize, u32)>> = OnceLock::new();
    INDEX.get_or_init(|| parse_lines(index_file!("gb18030-ranges")).collect())
}

/// The index gb18030 ranges code point for `pointer`.
pub fn index_gb18030_ranges_code_point(pointer: usize) -> Option<char> {
    // Step 1.
    if (pointer > 39419 && pointer < 189000) || pointer > 1237575 {
        return None;
    }
    // Step 2.
    if pointer == 7457 {
        return Some('\u{E7C7}');
    }
    // Step 3. The last pointer in index gb18030 ranges that is less than or equal to pointer.
    let &(offset, code_point_offset) = index_gb18030_ranges()
        .iter()
        .rev()
        .find(|entry| entry.0 <= pointer)
        .expect("the first pointer is 0");
    // Step 4.
    let code_point = code_point_offset + u32::try_from(pointer - offset).expect("below 0x110000");
    Some(char::from_u32(code_point).expect("the ranges leave surrogates out"))
}

/// The index gb18030 ranges pointer for `code_point`, which is neither ASCII nor in index gb18030.
pub fn index_gb18030_ranges_pointer(code_point: char) -> usize {
    // Step 1.
    if code_point == '\u{E7C7}' {
        return 7457;
    }
    // Step 2. The last code point in index gb18030 ranges that is less than or equal to codePoint.
    let value = u32::from(code_point);
    let &(pointer_offset, offset) = index_gb18030_ranges()
        .iter()
        .rev()
        .find(|entry| entry.1 <= value)
        .expect("not an ASCII code point");
    // Step 3.
    pointer_offset + (value - offset) as usize
}

/// The index Shift_JIS pointer for `code_point`.
pub fn index_shift_jis_pointer(code_point: char) -> Option<usize> {
    // Step 1. Let index be index jis0208 excluding all entries whose pointer is in the range 8272 to 8835, inclusive.
    // (Index jis0208 contains duplicate code points, so the exclusion makes a later pointer first.)
    static INDEX: OnceLock<Index> = OnceLock::new();
    let index =
        INDEX.get_or_init(|| index_jis0208().excluding(|pointer| (8272..=8835).contains(&pointer)));
    // Step 2.
    index.pointer(code_point)
}

/// The index Big5 pointer for `code_point`.
pub fn index_big5_pointer(code_point: char) -> Option<usize> {
    // Step 1. Let index be index Big5 excluding all entries whose pointer is less than (0xA1 - 0x81) x 157.
    // (This avoids returning Hong Kong Supplementary Character Set extensions literally.)
    static INDEX: OnceLock<Index> = OnceLock::new();
    let index =
        INDEX.get_or_init(|| index_big5().excluding(|pointer| pointer < (0xA1 - 0x81) * 157));
    // Step 2. Return the *last* pointer. (For other duplicate code points the first is used.)
    if [
        '\u{2550}', '\u{255E}', '\u{2561}', '\u{256A}', '\u{5341}', '\u{5345}',
    ]
    .contains(&code_point)
    {
        return index.last_pointer(code_point);
    }
    // Step 3.
    index.pointer(code_point)
}

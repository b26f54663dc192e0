//! Byte pairs in tables of 16-bit entries. Most pairs stand for a BMP code point, some for a code point above the BMP, and
//! some for two code points.

use std::collections::BTreeMap;

use super::Table;
use crate::pairs::Pairs;

/// Pairs, and the lists of entries that need more than 16 bits.
pub struct Divided {
    /// The pairs with one BMP code point.
    pub single: BTreeMap<u16, u16>,
    /// All pairs. Values from 0xD800 on are indexes into the list of code points above the BMP; values from 0xDC00 on are
    /// indexes into the list of two code points.
    pub units: BTreeMap<u16, u16>,
    /// Code points above the BMP with their pairs, in order.
    above: Vec<(u32, u16)>,
    joined: Vec<[u16; 2]>,
}

impl Divided {
    pub fn of(pairs: &Pairs) -> Result<Self, String> {
        let (mut above, mut joined) = (Vec::new(), Vec::new());
        let (mut single, mut units) = (BTreeMap::new(), BTreeMap::new());
        for (&pair, to) in pairs {
            match to[..] {
                [to] if to > 0xFFFF => above.push((to, pair)),
                [to] => {
                    single.insert(pair, to as u16);
                }
                [first, second] => {
                    units.insert(pair, 0xDC00 + joined.len() as u16);
                    joined.push([first as u16, second as u16]);
                }
                _ => return Err(format!("{pair:04X}: {to:X?}")),
            }
        }
        above.sort_unstable();
        for (place, &(_, pair)) in above.iter().enumerate() {
            units.insert(pair, 0xD800 + place as u16);
        }
        units.extend(&single);
        Ok(Self {
            single,
            units,
            above,
            joined,
        })
    }

    /// Returns three lists as tables: code points above the BMP, their byte pairs, and sequences of two code points.
    pub fn lists(&self, name: &str) -> [Table; 3] {
        let (code_points, pairs): (Vec<u32>, Vec<u16>) = self.above.iter().copied().unzip();
        let count = code_points.len();
        [
            Table::array(
                &format!("decode_{name}_above"),
                name,
                "above the BMP, in order",
                count,
                &code_points,
            ),
            Table::array(
                &format!("encode_{name}_above_pairs"),
                name,
                "their pairs",
                count,
                &pairs,
            ),
            Table::array(
                &format!("decode_{name}_joined"),
                name,
                "two code points of one pair each",
                self.joined.len(),
                self.joined.as_flattened(),
            ),
        ]
    }
}

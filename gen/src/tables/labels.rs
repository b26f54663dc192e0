//! Labels: a perfect hash whose hits are confirmed by comparison with the stored label.
//!
//! The labels form one string, in the order of the Standard's table; slots hold indexes of labels. A slice of `(&str, u8)`
//! would add 24 bytes per label.

use super::{RustItem, Table};
use crate::label_list::Labelled;
use crate::perfect_hash::{PerfectHash, hash_label};

const BUCKETS: usize = 64;
/// Labels in a line of the generated source.
const LINE: usize = 6;

pub fn table(list: &[Labelled]) -> Table {
    let labels: Vec<&str> = list
        .iter()
        .flat_map(|encoding| encoding.labels.iter().map(String::as_str))
        .collect();
    let numbers: Vec<u8> = list
        .iter()
        .zip(0_u8..)
        .flat_map(|(encoding, number)| encoding.labels.iter().map(move |_| number))
        .collect();
    let starts: Vec<u16> = labels
        .iter()
        .scan(0, |end, label| {
            let start = *end;
            *end += label.len() as u16;
            Some(start)
        })
        .chain([labels.iter().map(|label| label.len() as u16).sum()])
        .collect();

    let hashes: Vec<u32> = labels
        .iter()
        .map(|label| hash_label(label.as_bytes()))
        .collect();
    let hash = PerfectHash::new(&hashes, BUCKETS);
    for (key, &hashed) in hashes.iter().enumerate() {
        assert_eq!(hash.get(hashed), Some(key));
    }
    // An empty slot holds an arbitrary label: the comparison rejects it.
    let slots: Vec<u8> = hash
        .slots
        .iter()
        .map(|key| u8::try_from(key.unwrap_or(0)).expect("at most 256 labels"))
        .collect();

    Table::source(
        "labels",
        "labels.txt",
        "perfect hash to the label's place; text, encoding number",
        labels.len(),
        &[
            text(&labels),
            RustItem::array(
                "The start of each label in `LABEL_TEXT`, then the end of the last one.",
                "LABEL_STARTS",
                &starts,
            ),
            RustItem::array("Encoding number by label.", "LABEL_ENCODINGS", &numbers),
            RustItem::array(
                "Displacement by bucket.",
                "LABEL_DISPLACEMENTS",
                &hash.displacements,
            ),
            RustItem::array("Label by slot.", "LABEL_SLOTS", &slots),
        ],
    )
}

fn text(labels: &[&str]) -> RustItem {
    let mut text =
        String::from("/// All labels end to end.\npub(crate) static LABEL_TEXT: &str = concat!(\n");
    for line in labels.chunks(LINE) {
        let line: Vec<String> = line.iter().map(|label| format!("{label:?}")).collect();
        text.push_str(&format!("    {},\n", line.join(", ")));
    }
    text.push_str(");\n");
    RustItem {
        text,
        bytes: labels.iter().map(|label| label.len()).sum::<usize>() + 16,
    }
}

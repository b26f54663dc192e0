//! Labels: a perfect hash whose hits are confirmed by comparison with the stored label.
//!
//! The labels form one string, in the order of the Standard's table. A slot of the hash holds the index of a label. A
//! slice of `(&str, u8)` would take 24 bytes per label besides the string.

use super::{RustItem, Table, take_statics};
use crate::label_list::Labelled;
use crate::perfect_hash::{PerfectHash, hash_label};

const BUCKETS: usize = 64;
const SOURCE: &str = "labels.txt";

pub fn tables(list: &[Labelled]) -> Vec<Table> {
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

    let text = labels.concat();
    let text = Table {
        file: "label_text.txt".to_owned(),
        bytes: text.len(),
        content: text.into_bytes(),
        statics: vec![RustItem {
            text: "pub(crate) static LABEL_TEXT: &str = include_str!(\"label_text.txt\");\n"
                .to_owned(),
            // The size of the reference.
            bytes: 16,
        }],
        ..Table::array::<u8>("decode_label_text", SOURCE, "text", labels.len(), &[])
    };
    let array = |name, scheme, items: &[u8]| Table::array(name, SOURCE, scheme, items.len(), items);
    let mut tables = vec![
        text,
        Table::array(
            "decode_label_starts",
            SOURCE,
            "start of each label in the text, then the end of the last one",
            labels.len(),
            &starts,
        ),
        array(
            "decode_label_encodings",
            "encoding number by label",
            &numbers,
        ),
        array(
            "encode_label_displacements",
            "perfect hash: displacement by bucket",
            &hash.displacements,
        ),
        array("encode_label_slots", "perfect hash: label by slot", &slots),
    ];
    let statics = take_statics(&mut tables);
    tables.push(Table::source(
        "labels",
        SOURCE,
        "arrays",
        labels.len(),
        &statics,
    ));
    tables
}

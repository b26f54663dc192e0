//! The serialized form of both maps, which is checked when it is read.
//!
//! A stored map may come from anywhere. It is checked here, so that look-ups cannot panic: offsets ascend, sums do not
//! overflow, and the encoding can yield each run.

use super::dense::{DenseOffsetMap, pack, unpack};
use super::map::{OffsetMap, OffsetMapOptions};
use crate::codec::Mode;
use crate::{BomHandling, Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, bom};
use alloc::vec::Vec;
use core::fmt;
use serde::de::{self, Deserialize, Deserializer, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

/// The stored form of a [`DenseOffsetMap`].
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "DenseOffsetMap", deny_unknown_fields)]
struct StoredRuns {
    encoding: &'static Encoding,
    bom_length: u64,
    source_length: u64,
    /// All runs, as [`pack`] writes them.
    runs: Bytes,
}

/// The stored form of an [`OffsetMap`], with slices to write and vectors to read.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "OffsetMap", deny_unknown_fields)]
struct StoredCheckpoints<Numbers, Modes> {
    asked: &'static Encoding,
    encoding: &'static Encoding,
    bom: BomHandling,
    sources: Numbers,
    utf8: Numbers,
    utf16: Numbers,
    modes: Modes,
    source_length: u64,
    utf8_length: u64,
    utf16_length: u64,
    finished: bool,
}

/// Bytes, serialized as a byte string by formats that have this type.
struct Bytes(Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct BytesVisitor;
        impl<'de> Visitor<'de> for BytesVisitor {
            type Value = Bytes;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("bytes")
            }

            fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Bytes, E> {
                Ok(Bytes(bytes.into()))
            }

            fn visit_byte_buf<E: de::Error>(self, bytes: Vec<u8>) -> Result<Bytes, E> {
                Ok(Bytes(bytes))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Bytes, A::Error> {
                let mut bytes = Vec::new();
                while let Some(byte) = seq.next_element()? {
                    bytes.push(byte);
                }
                Ok(Bytes(bytes))
            }
        }
        deserializer.deserialize_byte_buf(BytesVisitor)
    }
}

impl Serialize for DenseOffsetMap {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut runs = self.packed.clone();
        if self.open.count > 0 {
            pack(&mut runs, self.open);
        }
        let stored = StoredRuns {
            encoding: self.encoding,
            bom_length: self.bom_length,
            source_length: self.source_length,
            runs: Bytes(runs),
        };
        stored.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for DenseOffsetMap {
    /// # Errors
    ///
    /// Returns an error for a map that no source in its encoding can have.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        StoredRuns::deserialize(deserializer)?
            .into_map()
            .map_err(de::Error::custom)
    }
}

impl StoredRuns {
    fn into_map(self) -> Result<DenseOffsetMap, &'static str> {
        if self.bom_length > bom::MAX_BOM_LENGTH as u64 {
            return Err("no byte order mark is so long");
        }
        let mut map = DenseOffsetMap::new(self.encoding);
        map.start(self.bom_length);
        map.source_length = self.source_length;
        let mut packed = &self.runs.0[..];
        let mut source_rest = self.source_length.checked_sub(self.bom_length);
        let mut text_rest = Some(u64::MAX);
        while !packed.is_empty() {
            let run = unpack(&mut packed).ok_or("the last run is incomplete")?;
            if !run.is_possible(self.encoding) {
                return Err("the encoding has no such run");
            }
            let less = |rest: Option<u64>, len: u8| {
                rest.and_then(|rest| rest.checked_sub(run.count.checked_mul(len.into())?))
            };
            source_rest = less(source_rest, run.source_len);
            text_rest = less(text_rest, run.utf8_len);
            if source_rest.and(text_rest).is_none() {
                break;
            }
            map.push(run);
        }
        if source_rest.and(text_rest).is_none() {
            return Err("the runs are longer than the source");
        }
        Ok(map)
    }
}

impl Serialize for OffsetMap {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let stored = StoredCheckpoints {
            asked: self.asked,
            encoding: self.encoding,
            bom: self.bom,
            sources: &self.sources[..],
            utf8: &self.utf8[..],
            utf16: &self.utf16[..],
            modes: (self.modes.iter())
                .map(|&packed| Mode::unpack(packed, self.encoding.kind))
                .collect::<Vec<_>>(),
            source_length: self.source_length,
            utf8_length: self.utf8_length,
            utf16_length: self.utf16_length,
            finished: self.finished,
        };
        stored.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for OffsetMap {
    /// # Errors
    ///
    /// Returns an error for a map that no source in its encoding can have. It is not checked that the map belongs to a
    /// particular source.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        StoredCheckpoints::deserialize(deserializer)?
            .into_map()
            .map_err(de::Error::custom)
    }
}

impl StoredCheckpoints<Vec<u64>, Vec<Mode>> {
    fn into_map(self) -> Result<OffsetMap, &'static str> {
        let is_named_by_bom =
            self.bom == BomHandling::Sniff && [UTF_8, UTF_16BE, UTF_16LE].contains(&self.encoding);
        if self.encoding != self.asked && !is_named_by_bom {
            return Err("no byte order mark names this encoding");
        }
        let least = OffsetMapOptions::LEAST_INTERVAL as u64;
        let is_spaced = |pair: &[u64]| pair[1].checked_sub(pair[0]).is_some_and(|len| len >= least);
        if self.sources.first() != Some(&0)
            || !self.sources.windows(2).all(is_spaced)
            || self.sources.last() > Some(&self.source_length)
        {
            return Err("the checkpoints do not ascend to the length of the source");
        }
        // A byte yields three bytes of UTF-8 at most, and one UTF-16 code unit.
        self.check_text(&self.utf8, self.utf8_length, 3)?;
        self.check_text(&self.utf16, self.utf16_length, 1)?;
        let behind_first = self.sources.len() - 1;
        let modes = match self.encoding.is_stateful() {
            true => behind_first,
            false => 0,
        };
        let is_of = |mode: &Mode| mode.is_of(self.encoding.kind);
        if self.modes.len() != modes || !self.modes.iter().all(is_of) {
            return Err(
                "not every checkpoint of a stateful encoding has its mode, or another encoding has modes",
            );
        }
        if self.encoding == REPLACEMENT && behind_first > 0 {
            return Err("the encoding replacement has a single character");
        }
        Ok(OffsetMap {
            asked: self.asked,
            encoding: self.encoding,
            bom: self.bom,
            sources: self.sources,
            utf8: self.utf8,
            utf16: self.utf16,
            modes: self.modes.into_iter().map(Mode::pack).collect(),
            source_length: self.source_length,
            utf8_length: self.utf8_length,
            utf16_length: self.utf16_length,
            finished: self.finished,
        })
    }

    /// Checks the offsets of checkpoints in a text of this length. A byte of source yields at most `most` units.
    fn check_text(&self, offsets: &[u64], length: u64, most: u64) -> Result<(), &'static str> {
        let is_counted = !offsets.is_empty();
        let as_many = offsets.len() == self.sources.len() && offsets[0] == 0;
        if (is_counted && !as_many) || (!is_counted && length > 0) {
            return Err("the checkpoints have no or too many offsets in the text");
        }
        let text = offsets.iter().chain([&length]);
        let sources = self.sources.iter().chain([&self.source_length]);
        let places: Vec<_> = sources.zip(text).collect();
        let is_step = |step: &[(&u64, &u64)]| {
            let (from, to) = (step[0], step[1]);
            to.1.checked_sub(*from.1)
                .is_some_and(|text| text.div_ceil(most) <= to.0 - from.0)
        };
        if is_counted && !places.windows(2).all(is_step) {
            return Err("a stretch of source cannot yield the text that it is said to have");
        }
        Ok(())
    }
}

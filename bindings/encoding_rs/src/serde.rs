//! Feature `serde`: serialises an encoding as its name, and deserialises it from any label.

use crate::Encoding;
use core::fmt;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

impl Serialize for Encoding {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.engine.name())
    }
}

struct LabelVisitor;

impl Visitor<'_> for LabelVisitor {
    type Value = &'static Encoding;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a valid encoding label")
    }

    fn visit_str<E: Error>(self, label: &str) -> Result<Self::Value, E> {
        Encoding::for_label(label.as_bytes())
            .ok_or_else(|| E::custom(format_args!("invalid encoding label: {label}")))
    }
}

impl<'de> Deserialize<'de> for &'static Encoding {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(LabelVisitor)
    }
}

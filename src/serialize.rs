//! `Encoding` by its name, for serde.

use crate::{Encoding, extended};
use core::fmt;
use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};
use serde::ser::{Serialize, Serializer};

impl Serialize for Encoding {
    /// Serializes the [name](Encoding::name) as a string.
    ///
    /// ```
    /// assert_eq!(serde_json::to_string(mojika::SHIFT_JIS)?, r#""Shift_JIS""#);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for &'static Encoding {
    /// Deserializes from the exact [name](Encoding::name), of the Standard or of [`extended`]. Labels are not accepted:
    /// for those, read a `String` and call [`Encoding::for_label`].
    ///
    /// # Errors
    ///
    /// An error of the deserializer if the string is not a name.
    ///
    /// ```
    /// use mojika::{Encoding, extended};
    ///
    /// let encoding: &Encoding = serde_json::from_str(r#""Shift_JIS""#)?;
    /// assert_eq!(encoding, mojika::SHIFT_JIS);
    /// let encoding: &Encoding = serde_json::from_str(r#""IBM437""#)?;
    /// assert_eq!(Some(encoding), extended::ibm(437));
    /// assert!(serde_json::from_str::<&Encoding>(r#""sjis""#).is_err());
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name;
        impl Visitor<'_> for Name {
            type Value = &'static Encoding;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of an encoding, such as \"Shift_JIS\"")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<&'static Encoding, E> {
                let mut all = Encoding::all().iter().copied().chain(extended::all());
                all.find(|encoding| encoding.name() == name)
                    .ok_or_else(|| E::invalid_value(Unexpected::Str(name), &self))
            }
        }
        deserializer.deserialize_str(Name)
    }
}

//! Arbitrary input that shrinks: bytes for a decoder, text for an encoder.

use crate::inputs::{noise, text};
use crate::subject::Subject;
use mojika_spec::Random;
use quickcheck::{Arbitrary, Gen};

/// Bytes for a decoder.
#[derive(Clone, Debug)]
pub struct Bytes {
    /// The encoding.
    pub subject: Subject,
    /// Anything.
    pub bytes: Vec<u8>,
}

impl Arbitrary for Bytes {
    fn arbitrary(g: &mut Gen) -> Self {
        let random = &mut Random::new(u64::arbitrary(g));
        let all: Vec<Subject> = Subject::all().collect();
        let subject = *random.pick(&all);
        let length = random.below(4 * g.size());
        let mut bytes = noise(subject, random, length);
        if random.below(4) == 0 {
            let boms: [&[u8]; 6] = [
                b"\xEF\xBB\xBF",
                b"\xFE\xFF",
                b"\xFF\xFE",
                b"\xEF\xBB",
                b"\xEF",
                b"\xFF",
            ];
            bytes.splice(0..0, random.pick(&boms).iter().copied());
        }
        if random.below(6) == 0 {
            bytes.retain(u8::is_ascii);
        }
        Bytes { subject, bytes }
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let subject = self.subject;
        let shrunk = self.bytes.shrink();
        Box::new(shrunk.map(move |bytes| Bytes { subject, bytes }))
    }
}

/// Text for an encoder.
#[derive(Clone, Debug)]
pub struct Scalars {
    /// The encoding.
    pub subject: Subject,
    /// Anything.
    pub scalars: Vec<char>,
}

impl Arbitrary for Scalars {
    fn arbitrary(g: &mut Gen) -> Self {
        let random = &mut Random::new(u64::arbitrary(g));
        let all: Vec<Subject> = Subject::all().filter(|subject| subject.encodes()).collect();
        let subject = *random.pick(&all);
        let length = random.below(2 * g.size());
        let mut scalars = text(subject, random, length);
        if random.below(6) == 0 {
            scalars.retain(char::is_ascii);
        }
        Scalars { subject, scalars }
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let subject = self.subject;
        let shrunk = self.scalars.shrink();
        Box::new(shrunk.map(move |scalars| Scalars { subject, scalars }))
    }
}

//! Replaces `normalize` without that feature; no option chooses a form.

use super::{Form, Origin, Sink};
use std::borrow::Cow;

impl Form {
    /// Returns the text unchanged.
    pub fn normalized(self, text: &str) -> Cow<'_, str> {
        Cow::Borrowed(text)
    }
}

pub struct Normalizer;

impl Normalizer {
    pub fn new(_form: Form) -> Self {
        Self
    }

    pub fn changed(&mut self) -> u64 {
        0
    }

    pub fn take(&mut self, text: &str, origin: Origin, sink: &mut dyn Sink) -> bool {
        sink.take(text, origin)
    }

    pub fn finish(&mut self, _sink: &mut dyn Sink) -> bool {
        true
    }
}

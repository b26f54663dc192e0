//! Writes JSON for results with several values. All numbers are integers: others would enlarge the module by a tenth.

use std::fmt::Write;

/// A JSON object that is being written.
pub struct Object<'a> {
    json: &'a mut String,
}

impl<'a> Object<'a> {
    /// Begins an object as the next item at the end of `json`.
    pub fn begin(json: &'a mut String) -> Self {
        separate(json);
        json.push('{');
        Self { json }
    }

    pub fn end(self) {
        self.json.push('}');
    }

    fn key(&mut self, key: &str) {
        separate(self.json);
        quote(self.json, key);
        self.json.push(':');
    }

    pub fn string(&mut self, key: &str, value: &str) {
        self.key(key);
        quote(self.json, value);
    }

    pub fn optional(&mut self, key: &str, value: Option<&str>) {
        self.key(key);
        match value {
            Some(value) => quote(self.json, value),
            None => self.json.push_str("null"),
        }
    }

    pub fn number(&mut self, key: &str, value: u64) {
        self.key(key);
        let _ = write!(self.json, "{value}");
    }

    /// Adds a probability in millionths, or `null`.
    pub fn probability(&mut self, key: &str, value: Option<f32>) {
        match value {
            Some(value) => self.number(key, (f64::from(value) * 1e6 + 0.5) as u64),
            None => self.null(key),
        }
    }

    pub fn bool(&mut self, key: &str, value: bool) {
        self.key(key);
        self.json.push_str(if value { "true" } else { "false" });
    }

    pub fn null(&mut self, key: &str) {
        self.key(key);
        self.json.push_str("null");
    }

    pub fn object(&mut self, key: &str) -> Object<'_> {
        self.key(key);
        Object::begin(self.json)
    }

    pub fn strings<'s>(&mut self, key: &str, values: impl Iterator<Item = &'s str>) {
        self.key(key);
        self.json.push('[');
        for value in values {
            separate(self.json);
            quote(self.json, value);
        }
        self.json.push(']');
    }

    pub fn objects<T>(
        &mut self,
        key: &str,
        items: impl Iterator<Item = T>,
        mut each: impl FnMut(&mut Object<'_>, T),
    ) {
        self.key(key);
        self.json.push('[');
        for item in items {
            let mut object = Object::begin(self.json);
            each(&mut object, item);
            object.end();
        }
        self.json.push(']');
    }
}

/// Writes a comma before the next item, unless it is the first one.
fn separate(json: &mut String) {
    if !matches!(json.as_bytes().last(), None | Some(b'[' | b'{' | b':')) {
        json.push(',');
    }
}

fn quote(json: &mut String, text: &str) {
    json.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => json.extend(['\\', c]),
            '\0'..' ' => {
                json.push_str(if c < '\x10' { "\\u000" } else { "\\u001" });
                json.extend(char::from_digit(u32::from(c) & 15, 16));
            }
            _ => json.push(c),
        }
    }
    json.push('"');
}

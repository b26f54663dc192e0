//! Header fields: the ranges of their parameters (RFC 2045, section 5.1).

use std::ops::Range;

/// A parameter in the value of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The parameter's name, in lower case.
    pub name: String,
    /// The range of the whole parameter, from its name to the end of its value.
    pub all: Range<usize>,
    /// The range of the parameter's value, without the quotation marks.
    pub value: Range<usize>,
}

/// Returns the parameters in the value of a field.
pub fn parameters(value: &[u8]) -> Vec<Parameter> {
    let mut found = Vec::new();
    let mut at = end_of(value, 0, b";");
    while at < value.len() {
        at += 1;
        let start = skip_white(value, at);
        let end = end_of(value, start, b";");
        let equals = end_of(&value[..end], start, b"=");
        // A name is ASCII (RFC 2045, section 5.1), so its length as text is that in the field.
        let name = std::str::from_utf8(&value[start..equals]);
        let name = name.ok().filter(|name| equals < end && name.is_ascii());
        if let Some(name) = name {
            let name = name.trim_ascii_end().to_ascii_lowercase();
            let first = skip_white(value, equals + 1);
            let place = if value.get(first) == Some(&b'"') {
                let quoted = end_of_quoted(value, first);
                // A value without its second quotation mark ends with the field.
                let is_closed = quoted > first + 1 && value[quoted - 1] == b'"';
                first + 1..quoted - usize::from(is_closed)
            } else {
                let token = value[first..end]
                    .iter()
                    .position(|byte| byte.is_ascii_whitespace() || *byte == b'(');
                first..token.map_or(end, |length| first + length)
            };
            let all_end = match value.get(place.end) {
                Some(b'"') if value.get(first) == Some(&b'"') => place.end + 1,
                _ => place.end,
            };
            found.push(Parameter {
                name,
                all: start..all_end,
                value: place,
            });
        }
        at = end;
    }
    found
}

fn skip_white(value: &[u8], start: usize) -> usize {
    let rest = value.get(start..).unwrap_or_default();
    let white = rest.iter().take_while(|byte| byte.is_ascii_whitespace());
    start + white.count()
}

/// Returns the index of the first byte of `ends` from `at` on outside of quoted strings and comments, or the length of the
/// value.
fn end_of(value: &[u8], mut at: usize, ends: &[u8]) -> usize {
    let mut depth = 0_usize;
    while at < value.len() {
        match value[at] {
            b'"' if depth == 0 => {
                at = end_of_quoted(value, at);
                continue;
            }
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b'\\' => at += 1,
            byte if depth == 0 && ends.contains(&byte) => return at,
            _ => {}
        }
        at += 1;
    }
    value.len()
}

/// Returns the index after a quoted string that begins at `at`.
fn end_of_quoted(value: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    while end < value.len() {
        match value[end] {
            b'"' => return end + 1,
            b'\\' => end += 2,
            _ => end += 1,
        }
    }
    value.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_found_where_they_are() {
        let all = |value: &str| -> Vec<(String, String, String)> {
            let found = parameters(value.as_bytes()).into_iter();
            let of = |range: Range<usize>| value[range].to_owned();
            found
                .map(|one| (one.name, of(one.value), of(one.all)))
                .collect()
        };
        let one = |name: &str, value: &str, all: &str| {
            (name.to_owned(), value.to_owned(), all.to_owned())
        };
        assert_eq!(
            all("text/plain; charset=koi8-r"),
            [one("charset", "koi8-r", "charset=koi8-r")]
        );
        assert_eq!(
            all("text/plain;\r\n\tformat=flowed; Charset = \"a;b\\\"c\" ;x=y (z)"),
            [
                one("format", "flowed", "format=flowed"),
                one("charset", "a;b\\\"c", "Charset = \"a;b\\\"c\""),
                one("x", "y", "x=y"),
            ]
        );
        assert_eq!(
            all("text/plain (charset=no; x); charset*0*=utf-8''%20;"),
            [one("charset*0*", "utf-8''%20", "charset*0*=utf-8''%20")]
        );
        assert_eq!(
            all("text/plain; charset=\"open"),
            [one("charset", "open", "charset=\"open")]
        );
        for odd in ["", ";", ";;=", "a;\"", "a;b=\"\\", "a;b=", "(((", "a;=x"] {
            all(odd);
        }
    }

    #[test]
    fn comments_and_quoted_strings_end_nothing() {
        let all = |value: &str| -> Vec<(String, String)> {
            let found = parameters(value.as_bytes()).into_iter();
            found
                .map(|one| (one.name, value[one.value].to_owned()))
                .collect()
        };
        for (value, expected) in [
            ("a(b(;c=d)e);f=g", vec![("f", "g")]),
            ("a(b\\);c=d);f=g", vec![("f", "g")]),
            ("a);f=g", vec![("f", "g")]),
            ("a\\;b;f=g", vec![("f", "g")]),
            ("\";c=d\";f=g", vec![("f", "g")]),
            ("a(\");f=g", vec![("f", "g")]),
            ("a;b=\"\";c=\"x\\\"\"", vec![("b", ""), ("c", "x\\\"")]),
            ("a;b=\"", vec![("b", "")]),
            ("a;b=c(d);e=f g", vec![("b", "c"), ("e", "f")]),
            ("a;b;c=d", vec![("c", "d")]),
            ("a; =d", vec![("", "d")]),
        ] {
            let found = all(value);
            let found: Vec<_> = found.iter().map(|(one, two)| (&**one, &**two)).collect();
            assert_eq!(found, expected, "{value}");
        }
    }
}

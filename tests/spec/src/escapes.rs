//! Bytes in texts: the escapes of tables of cases.

/// Returns the bytes of a text in which `\xNN` is a byte, `\u{NNNN}` a character, and `\n`, `\r`, `\t`, `\0` and `\\` are as in
/// Rust. `encode` returns the bytes of the parts between.
///
/// # Panics
///
/// If the text has another escape.
pub fn unescaped(text: &str, encode: impl Fn(&str) -> Vec<u8>) -> Vec<u8> {
    let (mut bytes, mut rest) = (Vec::new(), text);
    while let Some(at) = rest.find('\\') {
        bytes.extend(encode(&rest[..at]));
        let (kind, after) = rest[at + 1..].split_at(1);
        let length = match kind {
            "x" => {
                bytes.push(u8::from_str_radix(&after[..2], 16).expect(text));
                2
            }
            "u" => {
                let length = after.find('}').expect(text);
                let value = u32::from_str_radix(&after[1..length], 16).expect(text);
                bytes.extend(encode(&String::from(char::from_u32(value).expect(text))));
                length + 1
            }
            _ => {
                let all = ["n\n", "r\r", "t\t", "0\0", "\\\\"];
                let one = all.iter().find(|one| one.starts_with(kind));
                bytes.extend(encode(&one.expect(text)[1..]));
                0
            }
        };
        rest = &after[length..];
    }
    bytes.extend(encode(rest));
    bytes
}

//! File names in JSON: exact, for any bytes.

use serde_json::{Value, json};
use std::ffi::OsString;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// Writes the start of a file's line, without the closing brace.
pub(crate) fn write_name(lines: &mut Vec<u8>, path: &Path) -> io::Result<()> {
    let Some(text) = path.to_str() else {
        let object = name_of(path).to_string();
        lines.extend_from_slice(object.trim_end_matches('}').as_bytes());
        return Ok(());
    };
    lines.extend_from_slice(b"{\"path\":");
    Ok(serde_json::to_writer(lines, text)?)
}

/// Returns a JSON object with the exact name: a string if it is UTF-8, otherwise hexadecimal.
pub fn name_of(path: &Path) -> Value {
    match path.to_str() {
        Some(text) => json!({ "path": text }),
        None => {
            let bytes = hex(path.as_os_str().as_bytes());
            json!({ "path": path.to_string_lossy(), "path_bytes": bytes })
        }
    }
}

/// Adds a name to a line of JSON, under `key`. Its exact bytes follow under another key if it is not UTF-8.
pub fn put_name(line: &mut Value, key: &str, path: &Path) {
    let mut name = name_of(path);
    line[key] = name["path"].take();
    if !name["path_bytes"].is_null() {
        line[format!("{key}_bytes")] = name["path_bytes"].take();
    }
}

/// Formats the bytes of a name as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

/// Returns the name that [`name_of`] has written.
pub(crate) fn path_of(line: &Value) -> Option<PathBuf> {
    let Some(hex) = line["path_bytes"].as_str() else {
        return line["path"].as_str().map(PathBuf::from);
    };
    let digits = hex.as_bytes().chunks(2);
    let bytes: Option<Vec<u8>> = digits
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
        .collect();
    Some(PathBuf::from(OsString::from_vec(bytes?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;

    #[test]
    fn a_name_of_any_bytes_comes_back() {
        for (bytes, object) in [
            (&b"a/b"[..], r#"{"path":"a/b"}"#),
            ("é\"\n".as_bytes(), r#"{"path":"é\"\n"}"#),
            (
                b"\x0A\xFF}",
                r#"{"path":"\n\ufffd}","path_bytes":"0AFF7D"}"#,
            ),
        ] {
            let path = Path::new(OsStr::from_bytes(bytes));
            let object: Value = serde_json::from_str(object).unwrap();
            assert_eq!(name_of(path), object);
            assert_eq!(path_of(&object).as_deref(), Some(path));
            // The rest of the line is appended to the result.
            let mut line = Vec::new();
            write_name(&mut line, path).unwrap();
            let line = [&line[..], b",\"x\":1}"].concat();
            let line: Value = serde_json::from_slice(&line).unwrap();
            assert_eq!(line["x"], 1);
            assert_eq!(path_of(&line).as_deref(), Some(path));
        }
        for damaged in [r#"{"path":"a","path_bytes":"0G"}"#, r#"{"path":1}"#, "{}"] {
            assert_eq!(path_of(&serde_json::from_str(damaged).unwrap()), None);
        }
    }
}

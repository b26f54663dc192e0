//! The example `index_pages` finds the right pages, with reasons.
#![cfg(feature = "detect")]

#[path = "../../examples/index_pages.rs"]
mod example;

use crate::encoded;
use example::Index;
use mojika::extended;
use mojika_sniff::Source;
use std::fs;
use std::path::PathBuf;

/// A folder that is removed on drop.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("mojika-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const PHRASE: &str = "文字化け";

/// Pages of one site, each with the phrase twice: name, header, bytes, and the expected encoding and source.
fn pages() -> Vec<(&'static str, &'static str, Vec<u8>, &'static str, Source)> {
    let body = "<p>文字化けの話。</p>\n<p>本を読むと、文字化けが分かります。</p>\n";
    let with = |start: &str| format!("{start}{body}");
    let utf_16 = encoded(mojika::UTF_16LE, &with(""));
    vec![
        (
            "a.html",
            "",
            encoded(mojika::SHIFT_JIS, &with("<meta charset=shift_jis>")),
            "Shift_JIS",
            Source::Meta,
        ),
        (
            "b.html",
            "Content-Type: text/html; charset=EUC-JP\n",
            encoded(mojika::EUC_JP, &with("<meta charset=shift_jis>")),
            "EUC-JP",
            Source::Transport,
        ),
        (
            "c.html",
            "Content-Type: text/html\n",
            [b"\xFF\xFE", &utf_16[..]].concat(),
            "UTF-16LE",
            Source::Bom,
        ),
        (
            "d.xml",
            "Content-Type: application/xhtml+xml\n",
            encoded(
                mojika::ISO_2022_JP,
                &with("<?xml version='1.0' encoding='iso-2022-jp'?><html>"),
            ),
            "ISO-2022-JP",
            Source::XmlDeclaration,
        ),
        (
            "e.xml",
            "Content-Type: text/xml\n",
            [
                &b"\xFF\xFE\0\0"[..],
                &encoded(extended::UTF_32LE, &with("<a>")),
            ]
            .concat(),
            "UTF-32LE",
            Source::Bom,
        ),
        (
            "f.html",
            "Content-Type: text/html\n",
            encoded(mojika::EUC_JP, &with("<title>辞書</title>")),
            "EUC-JP",
            Source::Detection,
        ),
    ]
}

#[test]
fn every_page_says_where_and_why() {
    let folder = Folder::new("index-pages");
    for (name, header, bytes, ..) in pages() {
        folder.write(&format!("example.jp/{name}"), &bytes);
        if !header.is_empty() {
            folder.write(&format!("example.jp/{name}.headers"), header.as_bytes());
        }
    }
    folder.write("example.jp/other.html", b"<p>nothing of that");
    folder.write("example.jp/picture", b"\x89PNG\r\n\x1A\n\0\0");
    folder.write(
        "example.jp/broken.xml",
        b"<?xml version='1.0' encoding='UTF-16'?><a/>",
    );
    let index = Index::of_folder(&folder.0).unwrap();
    assert_eq!(index.page_count(), pages().len() + 1);
    let left_out: Vec<_> = index
        .left_out
        .iter()
        .map(|(path, reason)| (path.file_name().unwrap().to_str().unwrap(), &reason[..]))
        .collect();
    assert_eq!(left_out.len(), 2, "{left_out:?}");
    assert_eq!(left_out[0].0, "broken.xml");
    assert!(
        left_out[0].1.contains("\"UTF-16\" declared"),
        "{left_out:?}"
    );
    assert_eq!(left_out[1], ("picture", "no text"));

    let found = index.find(PHRASE).unwrap();
    assert_eq!(found.len(), 2 * pages().len());
    for (pair, (name, _, bytes, encoding, source)) in found.chunks(2).zip(pages()) {
        for found in pair {
            assert!(found.path.ends_with(name), "{found:?}");
            assert_eq!(found.decision.encoding.name(), encoding, "{name}");
            assert_eq!(found.decision.source, source, "{name}");
            let range = found.bytes.start as usize..found.bytes.end as usize;
            let mut phrase = bytes[range].to_vec();
            if encoding == "ISO-2022-JP" && phrase[0] != 0x1B {
                // Within a line, an escape sequence precedes the phrase.
                phrase.splice(0..0, *b"\x1B$B");
            }
            let decoded = found.decision.encoding.decode(&phrase).text;
            assert_eq!(decoded, PHRASE, "{name}");
        }
        assert_eq!(pair[0].around[1], "の話。</p> <p", "{name}");
        assert!(pair[0].around[0].ends_with("<p>"), "{name}");
        assert!(pair[0].bytes.end < pair[1].bytes.start, "{name}");
    }
    assert!(index.find("文字化けない").unwrap().is_empty());
    assert_eq!(index.find("話").unwrap().len(), pages().len());
}

#[test]
fn a_page_that_changed_is_an_error() {
    let folder = Folder::new("index-pages-changed");
    folder.write("a.txt", "文字化け".as_bytes());
    let index = Index::of_folder(&folder.0).unwrap();
    folder.write("a.txt", b"short");
    assert!(index.find(PHRASE).is_err());
}

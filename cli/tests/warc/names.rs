//! Types of saved files by their names.

use super::common::tree::folder;
use crate::common::run_at;
use serde_json::Value;

/// The first bytes suggest another type than the name, and the name decides.
#[test]
fn the_name_of_a_saved_file_says_its_type() {
    let types = [
        ("text/html", "html htm shtml php asp aspx jsp HTML"),
        ("application/xhtml+xml", "xhtml xht XHT"),
        ("application/xml", "xml rss atom rdf"),
        ("image/svg+xml", "svg"),
        ("text/css", "css"),
        ("text/javascript", "js mjs"),
        ("application/json", "json"),
        ("text/plain", "txt text csv tsv"),
    ];
    for (kind, endings) in types {
        for ending in endings.split(' ') {
            let name = format!("site/a.{ending}");
            let folder = folder(&[(&*name, b"a, b and c")]);
            let line = run_at(folder.path(), "pages site", b"").ends(0).stdout;
            let object: Value = serde_json::from_slice(&line).unwrap();
            assert_eq!(object["content_type"], kind, "{name}");
        }
    }
    let folder = folder(&[("site/a.other", b"<!doctype html><p>one")]);
    let line = run_at(folder.path(), "pages site", b"").ends(0).stdout;
    let object: Value = serde_json::from_slice(&line).unwrap();
    assert_eq!(object["content_type"], "application/octet-stream");
}

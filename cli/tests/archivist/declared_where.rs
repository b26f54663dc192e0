//! The type of a file without a telling name or first bytes, and labels that are not its declaration.

use super::common::run_in;
use super::common::tree::{folder, read, status};
use mojika::KOI8_R;

fn koi8_r(text: &str) -> Vec<u8> {
    KOI8_R.encode(text).unwrap().into_owned()
}

/// A page that begins with text, as one that a program makes does.
const PAGE: &str = "да<p><meta charset={}>да\n";

#[test]
fn the_context_that_is_given_says_what_is_declared() {
    let page = koi8_r(&PAGE.replace("{}", "koi8-r"));
    let tree = folder(&[("src/a.cgi", &page)]);
    let expected = PAGE.replace("{}", "utf-8").into_bytes();
    for from in ["auto", "koi8-r"] {
        let args = [
            "convert",
            "--from",
            from,
            "--context",
            "html",
            "--update-declared",
        ];
        let piped = run_in(tree.path(), &args, &page);
        assert_eq!(piped.ok(), expected, "{from}");
        let line = format!("convert --from {from} --context html src -o {from} --update-declared");
        status(&tree, &line, 0);
        assert_eq!(read(&tree, &format!("{from}/a.cgi")), expected);
    }
    // As a text, it declares nothing.
    status(
        &tree,
        "convert --from koi8-r --context text src -o text --update-declared",
        0,
    );
    let text = read(&tree, "text/a.cgi");
    assert_eq!(text, PAGE.replace("{}", "koi8-r").as_bytes());
    // Without a use for it, it is refused.
    status(&tree, "convert --from koi8-r --context html src -o none", 2);
}

#[test]
fn a_page_in_utf_8_is_known_by_its_name() {
    let page = PAGE.replace("{}", "koi8-r");
    let tree = folder(&[("src/a.html", page.as_bytes())]);
    let line = "convert --from utf-8 src --in-place --update-declared";
    let said = status(&tree, line, 0);
    assert!(said.contains("1 declaration updated in 1 file"), "{said}");
    assert_eq!(
        read(&tree, "src/a.html"),
        PAGE.replace("{}", "utf-8").as_bytes()
    );
    let said = status(&tree, line, 0);
    assert!(said.contains("1 in the output encoding already"), "{said}");
}

/// Markup in the value of an attribute is text.
#[test]
fn what_a_value_says_of_encodings_stays() {
    let page = "<html><p title='<meta charset=koi8-r>'><meta charset={}>да\n";
    let tree = folder(&[("src/a.html", &koi8_r(&page.replace("{}", "koi8-r")))]);
    status(&tree, "convert --from auto src -o out --update-declared", 0);
    assert_eq!(
        read(&tree, "out/a.html"),
        page.replace("{}", "utf-8").as_bytes()
    );
}

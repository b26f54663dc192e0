//! The example `http_response` decides as browsers do.

#[path = "../../examples/http_response.rs"]
mod example;

use example::{page, samples};

#[test]
fn the_samples_are_decided() {
    let expected = [
        Some((200, "Shift_JIS", "transport", 0, "<p>文字</p>")),
        Some((
            404,
            "windows-1251",
            "meta",
            0,
            "<meta charset=windows-1251><p>Нет такой страницы</p>",
        )),
        Some((200, "UTF-8", "transport", 1, "caf\u{FFFD}")),
        None,
    ];
    assert_eq!(samples().len(), expected.len());
    for ((url, head, body), expected) in samples().into_iter().zip(expected) {
        let page = page(url, head, body).unwrap();
        let found = page.as_ref().map(|page| {
            let text = &*page.text;
            (page.status, page.encoding, page.source, page.replaced, text)
        });
        assert_eq!(found, expected, "{url}");
    }
}

#[test]
fn what_is_no_response_is_an_error() {
    assert!(page("http://a.example/", "", b"").is_err());
    assert!(page("http://a.example/", "HTTP/1.1 OK", b"").is_err());
    let xml = b"\xFE\xFF\0<\0?\0x\0m\0l\0 \0v\0e\0r\0s\0i\0o\0n\0=\0'\x001\0.\x000\0'\0 \0e\0n\0c\0o\0d\0i\0n\0g\0=\0'\0g\0b\0k\0'\0?\0>";
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/xml";
    assert!(page("http://a.example/", head, xml).is_err());
}

//! The peer of the differential tests is the published encoding_rs, not this workspace's `bindings/encoding_rs`.

use std::panic;
use std::sync::{Arc, Mutex};
use std::thread;

#[test]
fn the_peer_is_the_published_crate() {
    let file = Arc::new(Mutex::new(String::new()));
    let seen = Arc::clone(&file);
    let this = thread::current().id();
    let others = panic::take_hook();
    // The hook is the process's: panics of other tests go to the hook that was there.
    panic::set_hook(Box::new(move |info| match info.location() {
        Some(location) if thread::current().id() == this => {
            *seen.lock().unwrap() = location.file().replace('\\', "/");
        }
        _ => others(info),
    }));
    // encoding_rs asserts that the output is longer than the input, in a file of its own.
    let result = panic::catch_unwind(|| encoding_rs::mem::convert_utf8_to_utf16(b"ab", &mut []));
    drop(panic::take_hook());
    assert!(result.is_err());
    let file = file.lock().unwrap();
    assert!(file.contains("encoding_rs-0.8.44/src/"), "{file}");
}

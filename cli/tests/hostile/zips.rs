//! Malicious zip archives that write elsewhere, or exceed the available space.

use crate::common::tree::{folder, run, status};
use crate::common::zips::{Entry, archive, file};
use crate::common::{has, holds};
use std::fs;
use std::os::unix::fs::symlink;

/// Each entry that would be written elsewhere is refused; all others are extracted.
#[test]
fn entries_that_lead_elsewhere_or_are_no_files_are_refused() {
    let with_mode = |name: &[u8], mode| Entry {
        mode,
        ..file(name, b"/etc/passwd")
    };
    let entries = [
        file(b"../up", b"x"),
        file(b"a/../../up", b"x"),
        file(b"/abs", b"x"),
        file(b"..\\up", b"x"),
        file(b"a\0b", b"x"),
        with_mode(b"link", 0o120_777),
        Entry {
            dos: Some(0),
            ..with_mode(b"link of DOS", 0o120_777)
        },
        Entry {
            dos: Some(4),
            ..with_mode(b"junction", 0)
        },
        with_mode(b"fifo", 0o010_644),
        with_mode(b"device", 0o060_644),
        file(b"twice", b"1"),
        file(b"./twice", b"2"),
        file(b"node", b"x"),
        file(b"node/below", b"x"),
        Entry {
            flags: 1,
            ..file(b"secret", b"x")
        },
        file("x".repeat(300).as_bytes(), b"x"),
        file("d/".repeat(150).as_bytes(), b""),
        file(b"good", b"text"),
    ];
    let folder = folder(&[("in/a.zip", &archive(&entries)), ("in/here", b"")]);
    for line in ["names --zip in/a.zip", "names --zip in/a.zip -o in/out"] {
        let said = status(&folder, line, 1);
        assert_eq!(said.matches(": refused: ").count(), 16, "{said}");
        for reason in [
            "\"..\", which would leave the output folder",
            "an absolute name",
            "zero byte",
            "a symbolic link, which is not extracted",
            "neither a file nor a folder",
            "another entry has the same name",
            "it lies below node, which is a file in this archive",
            "it is encrypted",
            "has 300 bytes",
            "more than 100 folders",
        ] {
            assert!(said.contains(reason), "{reason}: {said}");
        }
    }
    assert_eq!(crate::common::list(folder.path()), ["in"]);
    assert_eq!(
        crate::common::list(&folder.path().join("in")),
        ["a.zip", "here", "out"]
    );
    assert_eq!(
        crate::common::list(&folder.path().join("in/out")),
        ["good", "node"]
    );
}

#[test]
fn links_in_the_output_folder_are_not_followed() {
    let bytes = archive(&[file(b"a/b", b"new"), file(b"c", b"new")]);
    let folder = folder(&[("a.zip", &bytes), ("elsewhere/b", b"old"), ("old", b"old")]);
    fs::create_dir(folder.path().join("out")).unwrap();
    symlink("../elsewhere", folder.path().join("out/a")).unwrap();
    symlink("../old", folder.path().join("out/c")).unwrap();
    status(&folder, "names --zip a.zip -o out", 1);
    holds(&folder, "elsewhere/b", b"old");
    holds(&folder, "old", b"old");
    assert_eq!(crate::common::list(&folder.path().join("elsewhere")), ["b"]);
}

/// Small archives with large content: one long stream, many names for one stream, and a false size.
#[test]
fn archives_that_hold_more_than_they_should_are_bounded() {
    let zeros = vec![0; 2_000_000];
    let folder = folder(&[(
        "long.zip",
        &archive(&[file(b"a", b"1"), file(b"zeros", &zeros), file(b"b", b"2")]),
    )]);
    let said = status(&folder, "names --zip long.zip -o out --max-size 1000000", 1);
    has(
        &said,
        "more than 1000000 bytes would be written; --max-size allows more",
    );
    assert_eq!(crate::common::list(&folder.path().join("out")), ["a", "b"]);

    let shared = |name: String| Entry {
        same_data: Some(0),
        ..file(name.as_bytes(), &zeros[..10_000])
    };
    let first = file(b"first", &zeros[..10_000]);
    let others = (0..50).map(|number| shared(format!("n{number}")));
    let bomb: Vec<_> = std::iter::once(first).chain(others).collect();
    fs::write(folder.path().join("bomb.zip"), archive(&bomb)).unwrap();
    let said = status(&folder, "names --zip bomb.zip -o bomb", 1);
    assert_eq!(
        said.matches("it shares its data with another entry")
            .count(),
        50,
        "{said}"
    );
    assert_eq!(crate::common::list(&folder.path().join("bomb")), ["first"]);

    let false_size = |size| Entry {
        size: Some(size),
        ..file(format!("says {size}").as_bytes(), &zeros[..200_000])
    };
    let both = archive(&[
        false_size(10),
        false_size(2_000_000),
        file(b"good", b"text"),
    ]);
    fs::write(folder.path().join("false.zip"), both).unwrap();
    let said = status(&folder, "names --zip false.zip -o false", 1);
    assert_eq!(said.matches("its data is damaged").count(), 2, "{said}");
    assert_eq!(crate::common::list(&folder.path().join("false")), ["good"]);

    let many: Vec<_> = (0..300)
        .map(|number| file(format!("{number}").as_bytes(), b""))
        .collect();
    fs::write(folder.path().join("many.zip"), archive(&many)).unwrap();
    let said = status(&folder, "names --zip many.zip --max-entries 299", 1);
    assert!(said.contains("more than 299 entries"), "{said}");
    status(&folder, "names --zip many.zip --max-entries 300 -q", 0);

    // Files and the folders in their paths count towards the limit, each once.
    let deep: Vec<_> = (0..20)
        .map(|number| format!("{number}/{}{}", "d/".repeat(8), ["f", "d/"][number % 2]))
        .map(|path| file(path.as_bytes(), b""))
        .collect();
    fs::write(folder.path().join("deep.zip"), archive(&deep)).unwrap();
    let said = status(&folder, "names --zip deep.zip -o deep --max-entries 199", 1);
    assert!(said.contains("more than 199"), "{said}");
    assert!(!folder.path().join("deep").exists());
    status(
        &folder,
        "names --zip deep.zip -o deep --max-entries 200 -q",
        0,
    );

    let long = "n".repeat(65_500);
    let mut names = vec![file(b"first", b"")];
    names.extend((0..1_025).map(|_| Entry {
        same_data: Some(0),
        ..file(long.as_bytes(), b"")
    }));
    fs::write(folder.path().join("names.zip"), archive(&names)).unwrap();
    let said = status(&folder, "names --zip names.zip", 1);
    assert_eq!(
        said,
        "cannot read names.zip: the names of its entries are longer than 64 MiB in all\n"
    );
}

/// A truncated or changed archive is an error, or its readable entries are extracted. Nothing panics.
#[test]
fn damaged_archives_are_errors() {
    let good = archive(&[file(b"a/b", b"some text"), file(b"\x81", &[7; 3000])]);
    let folder = folder(&[("a.txt", b"no archive"), ("empty", b"")]);
    for name in ["a.txt", "empty", ".", "none", "/dev/null"] {
        let said = status(&folder, &format!("names --zip {name}"), 1);
        assert!(said.starts_with("cannot read"), "{name}: {said}");
    }
    let step = (good.len() / 16).max(1);
    for at in (0..good.len()).step_by(step) {
        let mut changed = good.clone();
        changed[at] ^= 0xFF;
        for (bytes, what) in [(&good[..at], "cut"), (&changed[..], "changed")] {
            fs::write(folder.path().join("x.zip"), bytes).unwrap();
            let _ = fs::remove_dir_all(folder.path().join("out"));
            let said = run(&folder, "names --zip x.zip --from cp437 -o out");
            assert!(
                [0, 1].contains(&said.status),
                "{what} at {at}: {} {}",
                said.status,
                said.stderr
            );
            let out = folder.path().join("out");
            let drafts = out.is_dir()
                && crate::common::list(&out)
                    .iter()
                    .any(|name| name.starts_with(".mojika"));
            assert!(!drafts, "{what} at {at}");
        }
    }
}

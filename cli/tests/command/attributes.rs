//! The attributes of converted files and of folders: owner, extended attributes, times, links.

#![cfg(target_os = "linux")]

use crate::common::has;
use crate::common::tree::{folder, folder_on_disk, read, run, status};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::time::{Duration, SystemTime};

const OLD: &[u8] = b"\xE4\xE0";
const NEW: &str = "да";

#[test]
fn owner_mode_times_and_extended_attributes_are_kept() {
    let folder = folder_on_disk(&[("src/a", OLD), ("src/b", OLD)]);
    let path = folder.path().join("src/a");
    let name = "user.mojika.test";
    let flags = rustix::fs::XattrFlags::empty();
    let has_attributes = rustix::fs::setxattr(&path, name, b"value", flags).is_ok();
    if !has_attributes {
        eprintln!("left out: this file system has no extended attributes");
    }
    // A capability was granted for other content, so the conversion drops it.
    let capability = b"\x01\0\0\x02\0\x04\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
    let privileged = folder.path().join("src/b");
    let has_capability =
        rustix::fs::setxattr(&privileged, "security.capability", capability, flags).is_ok();
    if !has_capability {
        eprintln!("left out: only the superuser gives files capabilities");
    }
    let owner = chown(&path, Some(12345), Some(54321)).is_ok();
    if !owner {
        eprintln!("left out: only the superuser gives files away");
    }
    fs::set_permissions(&path, fs::Permissions::from_mode(0o4750)).unwrap();
    let long_ago = SystemTime::UNIX_EPOCH + Duration::new(1_000_000_000, 123_456_789);
    let file = fs::File::options().write(true).open(&path).unwrap();
    file.set_times(fs::FileTimes::new().set_modified(long_ago))
        .unwrap();
    let before = fs::metadata(&path).unwrap();
    let keeps = |name: &str| {
        let path = folder.path().join(name);
        let after = fs::metadata(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), NEW.as_bytes(), "{name}");
        assert_eq!(after.modified().unwrap(), long_ago, "{name}");
        assert_eq!(after.mode(), before.mode(), "{name}");
        assert_eq!(
            (after.uid(), after.gid()),
            (before.uid(), before.gid()),
            "{name}"
        );
        if has_attributes {
            let mut value = [0; 16];
            let len = rustix::fs::getxattr(&path, "user.mojika.test", &mut value).unwrap();
            assert_eq!(&value[..len], b"value", "{name}");
        }
    };
    status(&folder, "convert -f windows-1251 src -o out", 0);
    keeps("out/a");
    let converted = folder.path().join("out/b");
    let capability = rustix::fs::getxattr(&converted, "security.capability", &mut [0; 64]);
    assert!(capability.is_err());
    status(&folder, "convert -f windows-1251 -i src --backup ~", 0);
    keeps("src/a");
    assert_eq!(read(&folder, "src/a~"), OLD);
}

#[test]
fn folders_keep_mode_and_times() {
    let folder = folder(&[("src/sub/deep/a", OLD)]);
    let deep = folder.path().join("src/sub/deep");
    let sub = folder.path().join("src/sub");
    fs::set_permissions(&deep, fs::Permissions::from_mode(0o500)).unwrap();
    fs::set_permissions(&sub, fs::Permissions::from_mode(0o711)).unwrap();
    let src = folder.path().join("src");
    fs::set_permissions(&src, fs::Permissions::from_mode(0o1750)).unwrap();
    status(&folder, "convert -f windows-1251 src -o out", 0);
    assert_eq!(read(&folder, "out/sub/deep/a"), NEW.as_bytes());
    for name in ["", "sub", "sub/deep"] {
        let before = fs::metadata(folder.path().join("src").join(name)).unwrap();
        let after = fs::metadata(folder.path().join("out").join(name)).unwrap();
        assert_eq!(after.mode(), before.mode(), "{name}");
        assert_eq!(
            after.modified().unwrap(),
            before.modified().unwrap(),
            "{name}"
        );
    }
    fs::set_permissions(&deep, fs::Permissions::from_mode(0o700)).unwrap();
    let made = folder.path().join("out/sub/deep");
    fs::set_permissions(made, fs::Permissions::from_mode(0o700)).unwrap();
}

/// The output is another name of the converted file.
#[test]
fn onto_itself_through_links_nothing_is_lost() {
    let folder = folder(&[("a", OLD)]);
    symlink("a", folder.path().join("symbolic")).unwrap();
    run(&folder, "convert -f windows-1251 a -o symbolic").ok();
    assert_eq!(read(&folder, "a"), NEW.as_bytes());
    assert!(folder.path().join("symbolic").is_symlink());
    fs::write(folder.path().join("a"), OLD).unwrap();
    run(&folder, "convert -f windows-1251 symbolic -o a").ok();
    assert_eq!(read(&folder, "a"), NEW.as_bytes());

    // The other hard link keeps the old text.
    fs::write(folder.path().join("b"), OLD).unwrap();
    fs::hard_link(folder.path().join("b"), folder.path().join("hard")).unwrap();
    run(&folder, "convert -f windows-1251 b -o hard").ok();
    assert_eq!(read(&folder, "hard"), NEW.as_bytes());
    assert_eq!(read(&folder, "b"), OLD);
}

/// In place, hard links outside of the sources keep the old text, and the summary reports them.
#[test]
fn hard_links_are_kept_within_the_sources() {
    let folder = folder(&[("src/a", OLD)]);
    let path = |name: &str| folder.path().join(name);
    fs::hard_link(path("src/a"), path("src/b")).unwrap();
    fs::hard_link(path("src/a"), path("outside")).unwrap();
    let summary = status(&folder, "convert -f windows-1251 -i src", 0);
    has(
        &summary,
        "1 more hard link outside of the sources keeps the old text",
    );
    for (name, others, said) in [
        ("within", &["in/b", "in/c"][..], ""),
        (
            "beyond",
            &["in/d", "one", "two"],
            "in/beyond: 2 more hard links outside of the sources keep the old text",
        ),
    ] {
        fs::create_dir_all(path("in")).unwrap();
        let name = format!("in/{name}");
        fs::write(path(&name), OLD).unwrap();
        for other in others {
            fs::hard_link(path(&name), path(other)).unwrap();
        }
        let summary = status(&folder, "convert -f windows-1251 -i in", 0);
        assert_eq!(summary.contains("hard link"), !said.is_empty(), "{summary}");
        assert!(summary.contains(said), "{summary}");
        fs::remove_dir_all(path("in")).unwrap();
    }
    let [a, b] = ["src/a", "src/b"].map(|name| fs::metadata(path(name)).unwrap());
    assert_eq!(a.ino(), b.ino());
    assert_eq!(read(&folder, "src/b"), NEW.as_bytes());
    assert_eq!(read(&folder, "outside"), OLD);
}

/// Each worker may be the first to create a folder.
#[test]
fn links_are_copied_by_many_workers_at_once() {
    let tree = folder(&[]);
    for number in 0..40 {
        let inner = tree.path().join(format!("src/{number}/deep/er"));
        fs::create_dir_all(&inner).unwrap();
        std::os::unix::fs::symlink("../text", inner.join("link")).unwrap();
    }
    for round in 0..4 {
        let line = format!("convert -f latin1 src -o out{round} --links copy -j 8");
        let said = status(&tree, &line, 0);
        assert!(said.contains("40 copied"), "{said}");
        for number in 0..40 {
            let link = format!("out{round}/{number}/deep/er/link");
            let link = fs::read_link(tree.path().join(&link))
                .unwrap_or_else(|error| panic!("{link}: {error}"));
            assert_eq!(link.to_str(), Some("../text"));
        }
    }
}

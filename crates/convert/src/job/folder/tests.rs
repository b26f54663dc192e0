//! Tests of look-ups, reads and renames in an open folder.

use super::*;
use std::fs;
use std::os::unix::fs::symlink;

#[test]
fn no_link_is_followed_below_a_folder() {
    let temporary = tempfile::tempdir().unwrap();
    let path = temporary.path();
    fs::create_dir_all(path.join("root/a/b")).unwrap();
    fs::write(path.join("secret"), "secret").unwrap();
    fs::write(path.join("root/a/b/file"), "text").unwrap();
    symlink("..", path.join("root/a/up")).unwrap();
    symlink("../secret", path.join("root/link")).unwrap();
    symlink("a", path.join("root/folder")).unwrap();
    symlink("root", path.join("named")).unwrap();
    // Links in the user's path are followed.
    let root = Folder::open(&path.join("named")).unwrap();
    let flags = LOOK_UP;
    for (relative, is_right) in [
        ("", true),
        ("a/b", true),
        ("a/./b", true),
        ("./a/b", true),
        ("a/up", false),
        ("folder", false),
        ("folder/b", false),
        ("..", false),
        ("a/../..", false),
        ("missing", false),
        ("a/b/file", false),
    ] {
        let relative = Path::new(relative);
        assert_eq!(root.within(relative).is_ok(), is_right, "{relative:?}");
        let steps = root.open_step_by_step(relative, flags);
        assert_eq!(steps.is_ok(), is_right, "{relative:?}, step by step");
    }
    assert!(root.read(OsStr::new("link")).is_err());
    let inner = root.within(Path::new("a/b")).unwrap();
    assert!(inner.read(OsStr::new("file")).is_ok());
    // An open folder stays the same folder if its path changes.
    fs::rename(path.join("root/a"), path.join("root/c")).unwrap();
    symlink("..", path.join("root/a")).unwrap();
    assert!(inner.read(OsStr::new("file")).is_ok());
}

#[test]
fn small_files_are_regular_and_bounded() {
    let temporary = tempfile::tempdir().unwrap();
    fs::write(temporary.path().join("a"), "12345").unwrap();
    let folder = Folder::open(temporary.path()).unwrap();
    let read = |name: &str, most| folder.read_small(OsStr::new(name), most);
    assert_eq!(read("a", 5).unwrap(), Some(b"12345".to_vec()));
    assert!(read("a", 4).is_err());
    assert_eq!(read("none", 4).unwrap(), None);
    symlink("a", temporary.path().join("link")).unwrap();
    assert!(read("link", 5).is_err());
    let devices = Folder::open(Path::new("/dev")).unwrap();
    assert_eq!(devices.read_small(OsStr::new("zero"), 4).unwrap(), None);
}

/// A folder stays open until a position in another folder is opened.
#[test]
fn spots_are_looked_up_in_their_own_folders() {
    let temporary = tempfile::tempdir().unwrap();
    for name in ["one/in/a", "one/on/a", "other/in/a"] {
        let path = temporary.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, name).unwrap();
    }
    let roots = ["one", "other"].map(|name| Arc::from(temporary.path().join(name)));
    let mut opener = Opener::default();
    for (root, within, text) in [
        (0, "in/a", "one/in/a"),
        (0, "in/a", "one/in/a"),
        (0, "on/a", "one/on/a"),
        (0, "in/a", "one/in/a"),
        (1, "in/a", "other/in/a"),
        (0, "in/a", "one/in/a"),
    ] {
        let spot = Spot {
            root: Arc::clone(&roots[root]),
            within: within.into(),
        };
        let file = opener.read(&spot).unwrap();
        assert_eq!(io::read_to_string(file).unwrap(), text);
    }
}

/// Files and folders can be renamed atomically or in several steps.
#[test]
fn a_new_name_is_one_that_nothing_has() {
    type Rename = fn(&Folder, &OsStr, &OsStr) -> io::Result<()>;
    let ways: [Rename; 2] = [Folder::rename_new, Folder::rename_new_in_steps];
    for rename in ways {
        let temporary = tempfile::tempdir().unwrap();
        let path = temporary.path();
        fs::write(path.join("file"), "text").unwrap();
        fs::write(path.join("other"), "other").unwrap();
        fs::create_dir_all(path.join("folder/inner")).unwrap();
        fs::create_dir(path.join("empty")).unwrap();
        symlink("nowhere", path.join("link")).unwrap();
        let folder = Folder::open(path).unwrap();
        let renamed = |from: &str, to: &str| rename(&folder, OsStr::new(from), OsStr::new(to));
        for from in ["file", "folder", "link"] {
            for to in ["other", "empty", "folder", "link"] {
                if from != to {
                    let error = renamed(from, to).unwrap_err();
                    assert_eq!(error.kind(), io::ErrorKind::AlreadyExists, "{from} to {to}");
                }
            }
        }
        for (from, to) in [("file", "f"), ("folder", "d"), ("link", "l")] {
            renamed(from, to).unwrap();
        }
        let names: Vec<_> = folder.names().unwrap().into_iter().collect();
        let names: Vec<_> = names
            .iter()
            .map(|(name, _)| name.to_str().unwrap())
            .collect();
        assert_eq!(names, ["d", "empty", "f", "l", "other"]);
        assert_eq!(fs::read(path.join("f")).unwrap(), b"text");
        assert_eq!(fs::read(path.join("other")).unwrap(), b"other");
        assert!(path.join("d/inner").is_dir());
        assert_eq!(fs::read_link(path.join("l")).unwrap(), Path::new("nowhere"));
        // A failed rename of a folder leaves no new folder.
        assert!(renamed("d", "d/inner/d").is_err());
        assert_eq!(path.join("d/inner").read_dir().unwrap().count(), 0);
    }
}

#[test]
fn names_come_in_the_order_of_their_bytes_with_what_they_are() {
    let temporary = tempfile::tempdir().unwrap();
    let path = temporary.path();
    for number in 0..40 {
        fs::write(path.join(format!("{:02}", number * 7 % 40)), "").unwrap();
    }
    fs::create_dir(path.join("Z")).unwrap();
    symlink("Z", path.join("a")).unwrap();
    fs::write(path.join(OsStr::from_bytes(b"\xFF")), "").unwrap();
    let names = Folder::open(path).unwrap().names().unwrap();
    let numbers = (0..40).map(|number| {
        (
            OsString::from(format!("{number:02}")),
            FileType::RegularFile,
        )
    });
    let expected: Vec<_> = numbers
        .chain([
            ("Z".into(), FileType::Directory),
            ("a".into(), FileType::Symlink),
            (OsStr::from_bytes(b"\xFF").to_owned(), FileType::RegularFile),
        ])
        .collect();
    assert_eq!(names, expected);
}

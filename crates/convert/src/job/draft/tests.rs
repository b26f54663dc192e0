//! Tests of the names, locks and modes of drafts.

use super::*;

#[test]
fn names_of_users_are_no_drafts() {
    assert!(is_draft(OsStr::new(".mojika-123-1f2e-0.tmp")));
    for name in [
        ".mojika-journal",
        ".mojika-notes.tmp",
        ".mojika-1-2-.tmp",
        ".mojika-1-2.tmp",
        "mojika-1-2-3.tmp",
    ] {
        assert!(!is_draft(OsStr::new(name)), "{name}");
    }
}

fn named_draft(folder: &Arc<Folder>) -> io::Result<Draft> {
    Draft::create_named(folder, OsStr::new("target"), true, Access::Private)
}

/// Drafts avoid existing names, and other failures are not retried.
#[test]
fn a_draft_takes_no_name_that_is_there_and_says_why_there_is_none() {
    let place = tempfile::tempdir().unwrap();
    let folder = Arc::new(Folder::open(place.path()).unwrap());
    drop(named_draft(&folder).unwrap());
    // These names are the next ones for drafts of this test and of tests that run at the same time.
    let count = COUNT.load(Ordering::Relaxed);
    for count in count..count + 100 {
        let name = format!("{PREFIX}{}-{count:x}{SUFFIX}", *RUN);
        fs::write(place.path().join(name), "another").unwrap();
    }
    drop(named_draft(&folder).unwrap());
    let names = folder.names().unwrap();
    assert_eq!(names.len(), 100);
    for (name, _) in &names {
        assert_eq!(fs::read(place.path().join(name)).unwrap(), b"another");
    }
    fs::remove_dir_all(place.path()).unwrap();
    let error = named_draft(&folder).err().unwrap();
    assert_eq!(error.kind(), io::ErrorKind::NotFound);
}

#[test]
fn drafts_without_a_lock_are_swept() {
    let place = tempfile::tempdir().unwrap();
    let folder = Arc::new(Folder::open(place.path()).unwrap());
    let live = named_draft(&folder).unwrap();
    for name in [".mojika-1-2-3.tmp", ".mojika-1-2-4.tmp", "a.tmp"] {
        fs::write(place.path().join(name), "").unwrap();
    }
    fs::create_dir(place.path().join(".mojika-1-2-5.tmp")).unwrap();
    std::os::unix::fs::symlink("a.tmp", place.path().join(".mojika-1-2-6.tmp")).unwrap();
    assert_eq!(sweep(&folder), 2);
    let DraftLocation::Named(own) = &live.place else {
        panic!("it has a name")
    };
    let names = folder.names().unwrap();
    let names: Vec<_> = names
        .iter()
        .filter(|(name, _)| name != own)
        .map(|(name, _)| name.to_str().unwrap())
        .collect();
    assert_eq!(names, [".mojika-1-2-5.tmp", ".mojika-1-2-6.tmp", "a.tmp"]);
    assert!(folder.has(own));
}

/// A file descriptor opened with `O_PATH` cannot change the owner, not even for the superuser.
#[cfg(target_os = "linux")]
#[test]
fn bits_for_the_user_id_are_kept_with_the_owner_alone() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("a");
    fs::write(&path, "").unwrap();
    let flags = OFlags::PATH | OFlags::CLOEXEC;
    let opened = rustix::fs::open(&path, flags, Mode::empty()).unwrap();
    let [own, closed] = [File::open(&path).unwrap(), File::from(opened)];
    for (mode, without) in [
        (0o6755, 0o755),
        (0o4711, 0o711),
        (0o1640, 0o640),
        (0o600, 0o600),
        (0o000, 0o000),
    ] {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        let metadata = fs::metadata(&path).unwrap();
        assert_eq!(keep_owner(&own, &metadata), mode, "{mode:o}");
        assert_eq!(keep_owner(&closed, &metadata), without, "{mode:o}");
    }
}

use super::*;
use std::fs;
use std::os::unix::fs::MetadataExt;

fn ask(file: &Path, resume: bool) -> Ask<'_> {
    Ask {
        options: "options".to_owned(),
        in_place: vec![PathBuf::from("/somewhere")],
        file: Some(file),
        resume,
        restart: !resume,
    }
}

fn open(folder: &Path, resume: bool) -> Journal {
    let path = folder.join("journal");
    match Journal::open(&ask(&path, resume)) {
        Ok(journal) => journal,
        Err(error) => panic!("{:?}", error.failure()),
    }
}

/// The run was interrupted after the file got its final name, but before "done" was recorded.
#[test]
fn an_intended_file_that_has_appeared_is_finished() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(OsStr::from_bytes(b"a\n\xFF"));
    let missing = folder.path().join("missing");
    let file = File::create(&path).unwrap().metadata().unwrap();
    let identity = (file.dev(), file.ino());
    let journal = open(folder.path(), false);
    journal
        .intend([(&*path, identity), (&*missing, identity)].into_iter())
        .unwrap();
    drop(journal);
    let journal = open(folder.path(), true);
    assert_eq!(journal.finished(&path), Some(Before::Appeared));
    assert_eq!(journal.finished(&missing), None);
    drop(journal);
    // Another file with the target's name is not the draft.
    let other = folder.path().join("other");
    fs::write(&other, "").unwrap();
    fs::rename(&other, &path).unwrap();
    assert_eq!(open(folder.path(), true).finished(&path), None);
}

#[test]
fn a_line_that_was_cut_off_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(folder.path(), false);
    journal
        .done([Path::new("a"), Path::new("b")].into_iter())
        .unwrap();
    drop(journal);
    let path = folder.path().join("journal");
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 3]).unwrap();
    let journal = open(folder.path(), true);
    assert_eq!(journal.finished(Path::new("a")), Some(Before::Reported));
    assert_eq!(journal.finished(Path::new("b")), None);
    journal.done([Path::new("b")].into_iter()).unwrap();
    drop(journal);
    assert!(open(folder.path(), true).finished(Path::new("b")).is_some());
}

#[test]
fn a_journal_in_use_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let first = open(folder.path(), false);
    for resume in [false, true] {
        let second = Journal::open(&ask(&path, resume));
        assert!(matches!(second, Err(JournalError::Locked(_))));
    }
    first.done([Path::new("a")].into_iter()).unwrap();
    drop(first);
    assert!(open(folder.path(), true).finished(Path::new("a")).is_some());
}

#[test]
fn a_journal_goes_when_nothing_is_left_to_resume() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    // No work was done.
    open(folder.path(), false).end().unwrap();
    assert!(!path.exists());
    // Without a journal, resuming starts a new run.
    let journal = open(folder.path(), true);
    assert!(!journal.is_resumed());
    journal.done([Path::new("a")].into_iter()).unwrap();
    journal.end().unwrap();
    let unfinished = Journal::open(&Ask {
        restart: false,
        ..ask(&path, false)
    });
    assert!(matches!(unfinished, Err(JournalError::Unfinished(_, None))));
    let others = Journal::open(&Ask {
        options: "others".to_owned(),
        ..ask(&path, true)
    });
    assert!(matches!(others, Err(JournalError::OtherOptions(_))));
    // The run is interrupted after its last line, before the journal is removed.
    let journal = open(folder.path(), true);
    assert!(journal.is_resumed());
    journal.complete().unwrap();
    drop(journal);
    let journal = open(folder.path(), true);
    assert!(journal.is_resumed() && journal.finished(Path::new("a")).is_some());
    journal.end().unwrap();
    assert!(!path.exists());
}

#[test]
fn what_earlier_runs_have_made_is_known_to_the_run_that_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let name = Path::new(OsStr::from_bytes(b"in/\xFF"));
    let like = Spot {
        root: Path::new("src").into(),
        within: name.to_owned(),
    };
    let journal = open(folder.path(), false);
    journal.make(Path::new(""), &like).unwrap();
    journal.make(name, &like).unwrap();
    // `made` does not include folders of the same run.
    assert_eq!(journal.made().len(), 0);
    drop(journal);
    let journal = open(folder.path(), true);
    let made: Vec<_> = journal
        .made()
        .iter()
        .map(|(folder, like)| (&**folder, &*like.root, &*like.within))
        .collect();
    let src = Path::new("src");
    assert_eq!(made, [(Path::new(""), src, name), (name, src, name)]);
    // A run that has only created folders can be continued.
    journal.end().unwrap();
    assert!(folder.path().join("journal").exists());
}

#[test]
fn files_or_folders_that_were_made_are_work_and_files_alone_are_in_the_way() {
    let file = || PathBuf::from("a");
    let spot = || Spot {
        root: Path::new("src").into(),
        within: PathBuf::new(),
    };
    for (done, intended, made, expected) in [
        (false, false, false, (false, false)),
        (true, false, false, (true, true)),
        (false, true, false, (true, true)),
        (false, false, true, (true, false)),
        (true, true, false, (true, true)),
        (true, true, true, (true, true)),
    ] {
        let mut finished = Finished::default();
        finished.done.extend(done.then(file));
        finished.intended.extend(intended.then(|| (file(), (1, 1))));
        finished.made.extend(made.then(|| (file(), spot())));
        let what = format!("{done} {intended} {made}");
        let found = (finished.has_work(), finished.is_under_way());
        assert_eq!(found, expected, "{what}");
        finished.complete = true;
        let found = (finished.has_work(), finished.is_under_way());
        assert_eq!(found, (expected.0, false), "{what}, complete");
    }
}

/// Only the journal of an incomplete run in place is kept, because another run would convert its files twice.
#[test]
fn the_journal_of_another_run_is_taken_where_that_was_to_a_new_folder() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    for in_place in [vec![], vec![PathBuf::from("/somewhere")]] {
        let first = Ask {
            in_place: in_place.clone(),
            ..ask(&path, false)
        };
        let journal = Journal::open(&first).ok().unwrap();
        journal.done([Path::new("a")].into_iter()).unwrap();
        journal.end().unwrap();
        let other = |restart| Ask {
            options: "others".to_owned(),
            restart,
            ..ask(&path, false)
        };
        let opened = Journal::open(&other(false));
        match in_place.is_empty() {
            true => assert!(opened.is_ok_and(|journal| !journal.is_resumed())),
            false => {
                let is_said = matches!(opened, Err(JournalError::Unfinished(_, Some(_))));
                assert!(is_said);
                assert!(Journal::open(&other(true)).is_ok());
            }
        }
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn what_is_no_journal_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let secret = folder.path().join("secret");
    fs::write(&secret, "{\"a\":1}\n").unwrap();
    let refused = |what: &str| {
        for resume in [false, true] {
            assert!(Journal::open(&ask(&path, resume)).is_err(), "{what}");
        }
        fs::remove_file(&path).unwrap();
        assert_eq!(fs::read(&secret).unwrap(), b"{\"a\":1}\n", "{what}");
    };
    std::os::unix::fs::symlink("secret", &path).unwrap();
    refused("a symbolic link");
    std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
    refused("a link to a device");
    fs::hard_link(&secret, &path).unwrap();
    refused("a hard link");
    rustix::fs::mkfifoat(rustix::fs::CWD, &path, rustix::fs::Mode::RUSR).unwrap();
    refused("a named pipe");
    for text in [
        "text\n",
        "{\"options\":\"options\"}\n",
        "{\"mojika_journal\":1}\n",
        "\0\0",
    ] {
        fs::write(&path, text).unwrap();
        let opened = Journal::open(&ask(&path, false));
        assert!(matches!(opened, Err(JournalError::Foreign(_))), "{text}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
}

//! One worker: takes entries, converts them to drafts, and lets the drafts appear batch by batch.

use super::args::{Links, Sync};
use super::classify::{self, Choice};
use super::draft::{Draft, folder_of, sweep};
use super::record::{Fate, Record};
use super::transcode::{Stop, transcode};
use super::walk::{Entry, Kind};
use super::{Place, Run, Source, signals};
use crate::args::ErrorMode;
use crate::engine::{self, BomMode, Newline, Outcome};
use mojika::sniff::{Context, Hints, sniff_leniently};
use rustix::fs::{Mode, OFlags};
use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Most files of a batch, and the bytes that end it.
const BATCH_FILES: usize = 100;
const BATCH_BYTES: u64 = 16 << 20;

/// Bytes of the start of a file that are looked at before it is converted.
const HEAD: usize = 16 << 10;

/// A conversion that is complete but has not appeared.
struct Ready {
    draft: Draft,
    record: Record,
    /// In place: the file that is replaced, as it was when it was opened.
    source: Option<Metadata>,
    /// In place: further names of the file.
    links: Vec<PathBuf>,
}

pub struct Worker<'a> {
    run: &'a Run,
    batch: Vec<Ready>,
    bytes: u64,
    head: Vec<u8>,
}

/// What to tell of a file that was not converted.
struct Problem {
    fate: Fate,
    reason: String,
}

fn failed(reason: impl Into<String>) -> Problem {
    let reason = reason.into();
    Problem {
        fate: Fate::Failed,
        reason,
    }
}

fn skipped(reason: impl Into<String>) -> Problem {
    let reason = reason.into();
    Problem {
        fate: Fate::Skipped,
        reason,
    }
}

fn cannot(action: &str) -> impl Fn(io::Error) -> Problem + '_ {
    move |error| failed(format!("cannot {action}: {error}"))
}

impl<'a> Worker<'a> {
    pub fn new(run: &'a Run) -> Self {
        Self {
            run,
            batch: Vec::new(),
            bytes: 0,
            head: vec![0; HEAD],
        }
    }

    /// Works on one entry.
    pub fn work(&mut self, entry: Entry) {
        let start = Instant::now();
        let mut record = Record::new(entry.path.clone(), Fate::Converted);
        let result = self.entry(&entry, &mut record);
        record.time = start.elapsed();
        match result {
            // The entry is a folder, or waits for its hard links.
            Ok(None) => {}
            Ok(Some(Step::Done(fate))) => {
                record.fate = fate;
                self.run.reporter.add(record);
            }
            Ok(Some(Step::Draft(both))) => {
                let (draft, source) = *both;
                self.bytes += record.bytes_out;
                self.batch.push(Ready {
                    draft,
                    record,
                    source,
                    links: Vec::new(),
                });
                let most = if self.run.sync == Sync::File {
                    1
                } else {
                    BATCH_FILES
                };
                if self.batch.len() >= most || self.bytes >= BATCH_BYTES {
                    self.commit();
                }
            }
            Err(problem) => {
                record.fate = problem.fate;
                record.reason = Some(problem.reason);
                self.run.reporter.add(record);
            }
        }
    }

    /// Converts a file that has several names in the tree, and gives them all to the new one.
    pub fn work_linked(&mut self, mut entries: Vec<Entry>) {
        let first = entries.remove(0);
        let mut record = Record::new(first.path.clone(), Fate::Converted);
        let start = Instant::now();
        let result = self.file(&first, &mut record, true);
        record.time = start.elapsed();
        match result {
            Ok(Some(Step::Draft(both))) => {
                let (draft, source) = *both;
                if let Some(source) = &source
                    && source.nlink() > entries.len() as u64 + 1
                {
                    let beyond = source.nlink() - entries.len() as u64 - 1;
                    record.reason = Some(format!(
                        "{beyond} more hard links outside of the sources keep the old text"
                    ));
                }
                let links = entries.into_iter().map(|entry| entry.path).collect();
                self.batch.push(Ready {
                    draft,
                    record,
                    source,
                    links,
                });
                self.commit();
            }
            Ok(Some(Step::Done(fate))) => {
                record.fate = fate;
                self.run.reporter.add(record);
            }
            Ok(None) => {}
            Err(problem) => {
                record.fate = problem.fate;
                record.reason = Some(problem.reason);
                self.run.reporter.add(record);
            }
        }
    }

    fn entry(&mut self, entry: &Entry, record: &mut Record) -> Result<Option<Step>, Problem> {
        match entry.kind {
            Kind::File => self.file(entry, record, false),
            Kind::Folder => {
                if let Place::Folder(folder) = &self.run.place
                    && !self.run.dry_run
                {
                    let folder = folder.join(&entry.relative);
                    if folder.is_dir() {
                        sweep(&folder);
                    }
                    fs::create_dir_all(&folder).map_err(cannot("create the folder"))?;
                }
                Ok(None)
            }
            Kind::Link => match (&self.run.place, self.run.links) {
                (Place::Folder(folder), Links::Copy) => {
                    let target = folder.join(&entry.relative);
                    if !self.run.dry_run {
                        copy_link(&entry.path, &target).map_err(cannot("copy the link"))?;
                    }
                    record.output = Some(target);
                    Ok(Some(Step::Done(Fate::Copied)))
                }
                _ => Err(skipped("a symbolic link")),
            },
            Kind::Other => Err(skipped("not a regular file")),
        }
    }

    fn file(
        &mut self,
        entry: &Entry,
        record: &mut Record,
        linked: bool,
    ) -> Result<Option<Step>, Problem> {
        let in_place = matches!(self.run.place, Place::Sources { .. });
        let target = match &self.run.place {
            Place::Folder(folder) => Some(folder.join(&entry.relative)),
            // The file is replaced, not a link to it.
            Place::Sources { .. } if entry.path.is_symlink() => {
                Some(fs::canonicalize(&entry.path).map_err(cannot("open"))?)
            }
            Place::Sources { .. } => Some(entry.path.clone()),
            Place::Nowhere => None,
        };
        if let (Some(target), Some(journal)) = (&target, &self.run.journal)
            && journal.is_finished(target)
        {
            return Ok(Some(Step::Done(Fate::Finished)));
        }
        record.output.clone_from(&target);

        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let file = rustix::fs::open(&entry.path, flags, Mode::empty())
            .map_err(|error| cannot("open")(error.into()))?;
        let mut file = File::from(file);
        let metadata = file.metadata().map_err(cannot("read"))?;
        if !metadata.is_file() {
            return Err(skipped("not a regular file"));
        }
        record.bytes_in = metadata.len();
        if in_place && !linked {
            if metadata.nlink() > 1 {
                self.run.defer((metadata.dev(), metadata.ino()), entry);
                return Ok(None);
            }
            if !self.run.touch(&metadata) {
                return Err(skipped("this run has converted it under another name"));
            }
            // Fails for what may not be written to: a file may be read-only although its folder is not.
            let path = target.as_deref().unwrap_or(&entry.path);
            rustix::fs::access(path, rustix::fs::Access::WRITE_OK)
                .map_err(|error| cannot("write to it")(error.into()))?;
        }
        let exists = |target: &PathBuf| fs::symlink_metadata(target).is_ok();
        if !in_place && !self.run.force && target.as_ref().is_some_and(exists) {
            return Err(failed("the output exists; --force replaces it"));
        }
        let len = read_full(&mut file, &mut self.head).map_err(cannot("read"))?;
        let head = &self.head[..len];

        let given = match self.run.from {
            Source::Given(encoding) => Some(encoding),
            Source::Auto => None,
        };
        if !self.run.text
            && let Some(what) = classify::binary(head, given)
        {
            return match target {
                Some(target) if !in_place && self.run.copy_other => {
                    self.copy(&mut file, &metadata, &target, record, Fate::Copied)
                }
                _ => Err(skipped(what)),
            };
        }

        let choice = choose(head, &mut file, given, &entry.path)?;
        record.encoding = Some(choice.encoding);
        record.why = Some(choice.why);
        let has_bom = engine::byte_order_mark(head, given).is_some();
        let same_bom = match self.run.rules.bom {
            BomMode::Add => has_bom,
            BomMode::Strip => !has_bom,
            BomMode::Keep => true,
        };
        if self.is_already(&mut file, metadata.len(), choice, same_bom)? {
            return match target {
                Some(target) if !in_place => {
                    self.copy(&mut file, &metadata, &target, record, Fate::Already)
                }
                _ => Ok(Some(Step::Done(Fate::Already))),
            };
        }
        if !self.run.force
            && self.run.rules.to == mojika::UTF_8
            && choice.why == "given"
            && self.run.rules.newline == Newline::Keep
            && self.run.rules.bom != BomMode::Add
            && choice.encoding != mojika::UTF_8
        {
            rewind(&mut file)?;
            if classify::utf_8(&mut file).map_err(cannot("read"))? == Some(true) {
                record.reason = Some("already UTF-8; --force converts it all the same".to_owned());
                record.encoding = Some(mojika::UTF_8);
                record.why = Some("detected");
                return match target {
                    Some(target) if !in_place => {
                        self.copy(&mut file, &metadata, &target, record, Fate::Already)
                    }
                    _ => Ok(Some(Step::Done(Fate::Already))),
                };
            }
        }

        rewind(&mut file)?;
        let Some(target) = target.filter(|_| !self.run.dry_run) else {
            let outcome = self.convert(&mut file, &metadata, io::sink(), choice, record)?;
            record.bytes_out = outcome.bytes_out;
            return Ok(Some(Step::Done(Fate::Converted)));
        };
        if metadata.len() > BATCH_BYTES {
            // What is ready need not wait for a long conversion.
            self.commit();
        }
        let draft = self.draft(&target, in_place)?;
        let outcome = self.convert(&mut file, &metadata, draft.file(), choice, record)?;
        record.bytes_out = outcome.bytes_out;
        unchanged(&file, &metadata, outcome.bytes_in)?;
        draft
            .keep_attributes(&file, &metadata)
            .map_err(cannot("keep mode and times"))?;
        if in_place && let Ok(own) = draft.file().metadata() {
            self.run.touch(&own);
        }
        Ok(Some(Step::Draft(Box::new((
            draft,
            in_place.then_some(metadata),
        )))))
    }

    /// Whether the conversion would change nothing.
    fn is_already(
        &self,
        file: &mut File,
        size: u64,
        choice: Choice,
        same_bom: bool,
    ) -> Result<bool, Problem> {
        let mut rules = self.run.rules;
        if choice.encoding != rules.to || !same_bom || rules.newline != Newline::Keep {
            return Ok(false);
        }
        rewind(file)?;
        if choice.encoding == mojika::UTF_8 {
            return Ok(classify::utf_8(file).map_err(cannot("read"))?.is_some());
        }
        rules.errors = ErrorMode::Fail;
        let (_, _, result) = transcode(file, size, io::sink(), choice.encoding, rules);
        Ok(result.is_ok())
    }

    fn convert(
        &self,
        file: &mut File,
        metadata: &Metadata,
        writer: impl io::Write + Send,
        choice: Choice,
        record: &mut Record,
    ) -> Result<Outcome, Problem> {
        let rules = self.run.rules;
        let (outcome, troubles, result) =
            transcode(file, metadata.len(), writer, choice.encoding, rules);
        record.malformed = outcome.malformed;
        record.unmappable = outcome.unmappable;
        record.faults = troubles;
        match result {
            Ok(()) => Ok(outcome),
            Err(Stop::Trouble(trouble)) => {
                let reason = super::summary::trouble(&trouble, choice.encoding, rules.to);
                if record.faults.is_empty() {
                    record.faults.push(trouble);
                }
                Err(failed(reason))
            }
            Err(Stop::Interrupted) => Err(failed("interrupted")),
            Err(Stop::Other(reason)) => Err(failed(reason)),
        }
    }

    fn draft(&mut self, target: &Path, in_place: bool) -> Result<Draft, Problem> {
        let replace = in_place || (self.run.force && fs::symlink_metadata(target).is_ok());
        let created = Draft::create(target, replace).or_else(|error| match error.kind() {
            io::ErrorKind::NotFound if !in_place => {
                fs::create_dir_all(folder_of(target))?;
                Draft::create(target, replace)
            }
            io::ErrorKind::StorageFull => {
                // What waits to replace a file takes room twice.
                self.commit();
                Draft::create(target, replace)
            }
            _ => Err(error),
        });
        created.map_err(cannot("create a file"))
    }

    /// Copies the file as it is.
    fn copy(
        &mut self,
        file: &mut File,
        metadata: &Metadata,
        target: &Path,
        record: &mut Record,
        fate: Fate,
    ) -> Result<Option<Step>, Problem> {
        record.fate = fate;
        record.bytes_out = metadata.len();
        if self.run.dry_run {
            return Ok(Some(Step::Done(fate)));
        }
        rewind(file)?;
        let draft = self.draft(target, false)?;
        // Between two files this is `copy_file_range`.
        let copied = io::copy(&mut &*file, &mut draft.file()).map_err(cannot("copy"))?;
        unchanged(file, metadata, copied)?;
        draft
            .keep_attributes(file, metadata)
            .map_err(cannot("keep mode and times"))?;
        Ok(Some(Step::Draft(Box::new((draft, None)))))
    }

    /// Lets the batch appear.
    pub fn commit(&mut self) {
        self.bytes = 0;
        if self.batch.is_empty() {
            return;
        }
        let batch = std::mem::take(&mut self.batch);
        let ready = match self.secure(&batch) {
            Ok(()) => batch,
            Err(error) => {
                for mut one in batch {
                    one.record.fate = Fate::Failed;
                    one.record.reason = Some(format!("cannot write to the disk: {error}"));
                    self.run.reporter.add(one.record);
                }
                return;
            }
        };
        let mut appeared = Vec::with_capacity(ready.len());
        for one in ready {
            let (target, links) = (one.draft.target().to_owned(), one.links.clone());
            let mut record = one.record;
            match appear(self.run, one.draft, one.source.as_ref()) {
                Ok(()) => {
                    for link in &links {
                        if let Err(error) = relink(&target, link) {
                            record.fate = Fate::Failed;
                            record.reason =
                                Some(format!("cannot link {}: {error}", super::quote(link)));
                        }
                    }
                    appeared.push(target);
                    appeared.extend(links);
                }
                Err(problem) => {
                    record.fate = problem.fate;
                    record.reason = Some(problem.reason);
                }
            }
            self.run.reporter.add(record);
        }
        if let Some(journal) = &self.run.journal
            && let Err(error) = journal.done(appeared.iter().map(PathBuf::as_path))
        {
            self.run
                .reporter
                .warn(&format!("cannot write to the journal: {error}"));
        }
    }

    /// Writes the batch to the disk, and to the journal what is to appear.
    fn secure(&self, batch: &[Ready]) -> io::Result<()> {
        if let Some(journal) = &self.run.journal {
            journal.intend(batch.iter().flat_map(|one| {
                // The further names of a file become names of the draft.
                let links = one.links.iter().map(PathBuf::as_path);
                let targets = std::iter::once(one.draft.target()).chain(links);
                targets.map(|target| (target, one.draft.file()))
            }))?;
        }
        match self.run.sync {
            Sync::None => {}
            #[cfg(target_os = "linux")]
            Sync::Batch => {
                let mut devices = Vec::new();
                for one in batch {
                    let device = one.draft.file().metadata()?.dev();
                    if !devices.contains(&device) {
                        devices.push(device);
                        rustix::fs::syncfs(one.draft.file())?;
                    }
                }
            }
            _ => {
                for one in batch {
                    one.draft.file().sync_all()?;
                }
            }
        }
        Ok(())
    }
}

enum Step {
    Done(Fate),
    /// With the file that is replaced, in place.
    Draft(Box<(Draft, Option<Metadata>)>),
}

/// Lets one file appear; in place, only if what it replaces is still what was read.
fn appear(run: &Run, draft: Draft, source: Option<&Metadata>) -> Result<(), Problem> {
    let target = draft.target().to_owned();
    if let Some(source) = source {
        let now = fs::symlink_metadata(&target).map_err(cannot("replace"))?;
        let identity = |one: &Metadata| {
            (
                one.dev(),
                one.ino(),
                one.len(),
                one.mtime(),
                one.mtime_nsec(),
            )
        };
        if identity(&now) != identity(source) {
            return Err(failed("another program has changed it; it stays as it is"));
        }
        if let Place::Sources {
            backup: Some(suffix),
        } = &run.place
        {
            let mut name = target.clone().into_os_string();
            name.push(suffix);
            if let Err(error) = fs::hard_link(&target, &name) {
                // A run that was killed here has made the backup.
                let backup = fs::symlink_metadata(&name);
                if !backup.is_ok_and(|backup| identity(&backup) == identity(source)) {
                    return Err(cannot("keep a backup")(error));
                }
            }
        }
    }
    draft.commit().map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => failed("the output exists; --force replaces it"),
        _ => cannot("replace")(error),
    })
}

/// Makes `link` a name of the file at `target`, in one step.
fn relink(target: &Path, link: &Path) -> io::Result<()> {
    let temporary = Draft::create(link, true)?;
    temporary.link_instead(target)
}

fn copy_link(from: &Path, to: &Path) -> io::Result<()> {
    let target = fs::read_link(from)?;
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    std::os::unix::fs::symlink(target, to)
}

fn rewind(file: &mut File) -> Result<(), Problem> {
    file.seek(SeekFrom::Start(0)).map_err(cannot("read"))?;
    Ok(())
}

fn unchanged(file: &File, before: &Metadata, read: u64) -> Result<(), Problem> {
    let after = file.metadata().map_err(cannot("read"))?;
    let same = (after.len(), after.mtime(), after.mtime_nsec())
        == (before.len(), before.mtime(), before.mtime_nsec());
    if same && read == before.len() {
        Ok(())
    } else {
        Err(failed("it changed while it was read"))
    }
}

fn read_full(file: &mut File, buffer: &mut [u8]) -> io::Result<usize> {
    let mut len = 0;
    while len < buffer.len() {
        match file.read(&mut buffer[len..]) {
            Ok(0) => break,
            Ok(more) => len += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(len)
}

/// The encoding of the file at `path`, which begins with `head`.
///
/// A byte order mark, the encoding that the user gives, what an HTML, XML or CSS file declares, UTF-8 if all of the
/// file is valid, and detection, in this order.
fn choose(
    head: &[u8],
    file: &mut File,
    given: Option<&'static mojika::Encoding>,
    path: &Path,
) -> Result<Choice, Problem> {
    if let Some((encoding, _)) = engine::byte_order_mark(head, given) {
        let why = "bom";
        return Ok(Choice { encoding, why });
    }
    if let Some(encoding) = given {
        let why = "given";
        return Ok(Choice { encoding, why });
    }
    let extension = path.extension().and_then(|extension| extension.to_str());
    let context = match extension.map(str::to_ascii_lowercase).as_deref() {
        Some("html" | "htm") => Context::HtmlParser,
        Some("xml" | "xhtml" | "svg" | "rss") => Context::XmlParser,
        Some("css") => Context::CssFromDocument,
        _ => Context::PlainText,
    };
    let decision = sniff_leniently(head, &Hints::new(context));
    let choice = Choice {
        encoding: decision.encoding,
        why: decision.source.as_str(),
    };
    if !["detection", "locale", "default"].contains(&choice.why) {
        return Ok(choice);
    }
    rewind(file)?;
    if classify::utf_8(file).map_err(cannot("read"))?.is_some() {
        let encoding = mojika::UTF_8;
        let why = "utf-8";
        return Ok(Choice { encoding, why });
    }
    if choice.why == "detection" {
        return Ok(choice);
    }
    let hints = Hints::new(Context::PlainText);
    let decision = sniff_leniently(head, &hints);
    match decision.source {
        mojika::sniff::Source::Detection => Ok(Choice {
            encoding: decision.encoding,
            why: decision.source.as_str(),
        }),
        _ => Err(failed(
            "nothing says which encoding this is; name it with --from LABEL",
        )),
    }
}

/// Whether the run goes on.
pub fn goes_on() -> bool {
    !signals::stopped()
}

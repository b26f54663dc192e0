//! Folders of files to convert.

#![allow(dead_code, reason = "not every test file needs every helper")]

use super::{Run, list, mojika, run_in, state};
use mojika_spec::Random;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Creates a temporary folder with these files, in memory as [`fast_folder`] does.
pub fn folder(files: &[(&str, &[u8])]) -> TempDir {
    filled(fast_folder(), files)
}

/// Creates the same folder on disk, because file systems in memory lack extended attributes on older Linux.
pub fn folder_on_disk(files: &[(&str, &[u8])]) -> TempDir {
    filled(tempfile::tempdir().unwrap(), files)
}

fn filled(folder: TempDir, files: &[(&str, &[u8])]) -> TempDir {
    for (name, bytes) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    folder
}

/// Creates an empty temporary folder: in memory, if such a file system has enough space and `TMPDIR` is not set.
pub fn fast_folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    if has_room(memory) && std::env::var_os("TMPDIR").is_none() {
        tempfile::tempdir_in(memory).unwrap()
    } else {
        tempfile::tempdir().unwrap()
    }
}

/// True if the folder's file system has a GiB of free space. Containers may have only 64 MiB of memory for files.
fn has_room(folder: &Path) -> bool {
    rustix::fs::statvfs(folder).is_ok_and(|there| there.f_bavail * there.f_frsize >= 1 << 30)
}

/// Runs the command line, split at spaces, in a folder.
pub fn run(folder: &TempDir, line: &str) -> Run {
    let args: Vec<_> = line.split_whitespace().collect();
    run_in(folder.path(), &args, b"")
}

/// Runs the command as [`run`] does, asserts the exit status, and returns standard error.
#[track_caller]
pub fn status(folder: &TempDir, line: &str, status: i32) -> String {
    let run = run(folder, line);
    assert_eq!(run.status, status, "{line}\n{}", run.stderr);
    run.stderr
}

/// Runs a bash script, in which `mojika` is the command, in a folder.
pub fn bash(folder: &Path, script: &str) -> Run {
    let binary = mojika().get_program().to_owned();
    let binary = format!("{} ", Path::new(&binary).display());
    let mut bash = Command::new("bash");
    bash.args(["-c", &script.replace("mojika ", &binary)])
        .env("XDG_STATE_HOME", state())
        .current_dir(folder);
    bash.output().unwrap().into()
}

/// Starts the command line, split at spaces, in a folder, and waits until its output has appeared there. Its input
/// begins with `input`, and ends when the returned pipe is dropped.
pub fn begun(folder: &TempDir, line: &str, input: &[u8]) -> (Child, ChildStdin) {
    let before = list(folder.path()).len();
    let mut child = mojika()
        .args(line.split(' '))
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input).unwrap();
    let begin = Instant::now();
    while list(folder.path()).len() <= before {
        assert!(
            begin.elapsed() < Duration::from_secs(60),
            "no output begins"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
    (child, stdin)
}

/// Starts the command line, split at spaces, in a folder.
pub fn start(folder: &TempDir, line: &str) -> Child {
    mojika()
        .args(line.split(' '))
        .current_dir(folder.path())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Sends a signal by its name, such as "INT".
pub fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-s", name, &id]).status();
    assert!(sent.unwrap().success());
}

/// Chooses the moments at which runs are killed. Every other moment is at any time of the run; the others are while
/// files are written, because a run's time depends on other load on the machine.
struct Moments {
    random: Random,
    time: Duration,
    /// The range of the moments while files are written, in seconds after the first visible work.
    window: [f64; 2],
    last: f64,
    is_anywhere: bool,
}

/// The moment at which a run is killed.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    pub after: Duration,
    /// True if `after` counts from the first visible work, instead of the start of the process.
    is_of_work: bool,
}

impl Moment {
    /// Waits until this moment; `has_begun` returns true once the work is visible.
    pub fn wait(self, has_begun: impl Fn() -> bool) {
        let start = Instant::now();
        while self.is_of_work && !has_begun() && start.elapsed() < Duration::from_secs(5) {
            std::thread::sleep(Duration::from_micros(100));
        }
        std::thread::sleep(self.after);
    }
}

/// The stage of a run at which it was killed.
#[derive(Clone, Copy)]
pub enum Met {
    Nothing,
    Middle,
    End,
}

impl Moments {
    /// Creates the choice for runs that take about `time`.
    fn new(time: Duration) -> Self {
        Self {
            random: Random::new(28),
            time,
            window: [0.0, time.as_secs_f64()],
            last: 0.0,
            is_anywhere: false,
        }
    }

    fn pick(&mut self) -> Moment {
        self.is_anywhere = !self.is_anywhere;
        let [from, to] = match self.is_anywhere {
            true => [0.0, self.time.as_secs_f64()],
            false => self.window,
        };
        self.last = from + (to - from) * self.random.fraction();
        Moment {
            after: Duration::from_secs_f64(self.last),
            is_of_work: !self.is_anywhere,
        }
    }

    /// Adjusts the window by the result of the last kill.
    fn met(&mut self, met: Met) {
        if self.is_anywhere {
            return;
        }
        let [from, to] = &mut self.window;
        match met {
            Met::Nothing => *from += (self.last - *from).max(0.0) / 2.0,
            Met::End => *to -= (*to - self.last).max(0.0) / 2.0,
            Met::Middle => {}
        }
        // Keep the window wide enough for the variation between runs.
        let least = *to / 8.0;
        let middle = (*from + *to) / 2.0;
        *from = from.min(middle - least).max(0.0);
        *to = to.max(middle + least);
    }
}

/// True if a run with `--resume=journal` has begun its work.
pub fn has_journal(folder: &TempDir) -> bool {
    let journal = folder.path().join("journal");
    journal.metadata().is_ok_and(|journal| journal.len() > 0)
}

/// Returns the number in an environment variable, such as the number of runs to kill.
pub fn number(name: &str, default: usize) -> usize {
    std::env::var(name).map_or(default, |value| value.parse().unwrap())
}

/// Kills `rounds` runs of about `time` each. `round` starts a run, kills it at the given moment, and returns its stage.
/// Its other argument is the run's name for messages. One in `share` runs must be killed while it works.
#[track_caller]
pub fn kill_runs(
    rounds: usize,
    share: usize,
    time: Duration,
    mut round: impl FnMut(Moment, &str) -> Met,
) {
    let mut stopped = 0;
    let mut moments = Moments::new(time);
    // Short runs are seldom killed while they work, so further runs follow.
    let enough = |stopped: usize| stopped * share > rounds;
    for number in 0..4 * rounds {
        if number >= rounds && enough(stopped) {
            break;
        }
        let moment = moments.pick();
        let met = round(moment, &format!("round {number}, killed at {moment:?}"));
        moments.met(met);
        stopped += usize::from(matches!(met, Met::Middle));
    }
    assert!(
        enough(stopped),
        "{stopped} of {rounds} runs were killed in the middle"
    );
}

/// Returns the bytes of a file in the folder.
#[track_caller]
pub fn read(folder: &TempDir, name: &str) -> Vec<u8> {
    let path = folder.path().join(name);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the number of these files that are `new`. All others must be `old`, or missing.
#[track_caller]
pub fn converted(
    folder: &TempDir,
    names: impl Iterator<Item = String>,
    old: &[u8],
    new: &[u8],
) -> usize {
    let is_new = |name: &String| {
        let Ok(bytes) = fs::read(folder.path().join(name)) else {
            return false;
        };
        assert!(bytes == old || bytes == new, "{name} is not whole");
        bytes == new
    };
    names.filter(is_new).count()
}

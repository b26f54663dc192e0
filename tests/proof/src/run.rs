//! Runs jobs in rounds on a few threads. The oracle runs once per job, the engine once per job and level.

use crate::report::Tally;
use mojika::simd::{Level, available, cap};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A function that runs the engine at the current level, and compares and counts the results.
pub type Check = Box<dyn Fn(&Tally) + Send + Sync>;

/// A function that creates input, runs the oracle, and returns the check of the engine.
pub type Job = Box<dyn FnOnce() -> Check + Send>;

/// A sample runs one job in this many of most sections.
pub const SHARE: usize = 16;

/// The extent of a run.
#[derive(Clone, Debug)]
pub struct Profile {
    /// True for all cases of the full profile, false for the quick one.
    pub full: bool,
    /// The number of threads.
    pub jobs: usize,
    /// The instruction sets, lowest first.
    pub levels: Vec<Level>,
    /// True to run some of the jobs, each at one level, which rotates. False to run all jobs at all levels.
    pub in_turns: bool,
    /// The only encoding to run; `None` for all.
    pub encoding: Option<crate::subject::Subject>,
}

impl Profile {
    /// Creates a profile over every available level and every encoding.
    pub fn new(full: bool) -> Self {
        Profile {
            full,
            jobs: 2,
            levels: available().collect(),
            in_turns: false,
            encoding: None,
        }
    }

    /// Returns the sample of `cargo test`: some of the jobs of the quick profile, at rotating levels.
    pub fn sample() -> Self {
        Profile {
            in_turns: true,
            ..Self::new(false)
        }
    }

    /// Returns the encodings to run.
    pub fn subjects(&self) -> impl Iterator<Item = crate::subject::Subject> + use<> {
        let only = self.encoding;
        crate::subject::Subject::all().filter(move |&subject| only.is_none_or(|one| one == subject))
    }

    /// Returns all jobs of an encoding or, if the profile is a sample, one in `share` jobs. The first job depends on
    /// the encoding, so that neighbouring encodings run jobs of different kinds.
    pub fn share(
        &self,
        share: usize,
        subject: crate::subject::Subject,
        jobs: impl Iterator<Item = Job>,
    ) -> impl Iterator<Item = Job> {
        let share = if self.in_turns { share } else { 1 };
        let start = subject.number();
        jobs.enumerate()
            .filter(move |(i, _)| (start + i + i / share).is_multiple_of(share))
            .map(|(_, job)| job)
    }

    /// Returns the number for the full profile, or the number for the quick one.
    pub fn of<T>(&self, full: T, quick: T) -> T {
        if self.full { full } else { quick }
    }
}

/// The level is a setting of the process, so only one section may run at a time.
static LEVEL: Mutex<()> = Mutex::new(());

/// The number of jobs per round. The results of a round are in memory together.
const ROUND: usize = 24;

/// Runs `jobs` at every level of `profile`.
pub fn run(profile: &Profile, jobs: impl Iterator<Item = Job>, tally: &Tally) {
    let _level = LEVEL
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    let mut jobs = jobs.peekable();
    let mut first = 0;
    while jobs.peek().is_some() {
        let round: Vec<Mutex<Option<Job>>> = jobs
            .by_ref()
            .take(ROUND)
            .map(|job| Mutex::new(Some(job)))
            .collect();
        let checks: Vec<Mutex<Option<Check>>> = round.iter().map(|_| Mutex::new(None)).collect();
        on_threads(profile.jobs, round.len(), |i| {
            if let Some(job) = round[i].lock().expect("no panic").take() {
                *checks[i].lock().expect("no panic") = Some(job());
            }
        });
        let checks: Vec<Check> = checks
            .into_iter()
            .filter_map(|check| check.into_inner().expect("no panic"))
            .collect();
        let levels = profile.levels.len();
        // Shift the levels by one after each cycle. Jobs of one kind are evenly spaced, and thus run at all levels.
        let turn = |job: usize| (job + job / levels) % levels;
        for (at, &level) in profile.levels.iter().enumerate() {
            cap(Some(level));
            assert_eq!(mojika::simd::level(), level, "the level asked for");
            on_threads(profile.jobs, checks.len(), |i| {
                if !profile.in_turns || turn(first + i) == at {
                    checks[i](tally);
                }
            });
        }
        first += checks.len();
    }
    cap(None);
}

/// Calls `work` for `0..count` on `threads` threads.
fn on_threads(threads: usize, count: usize, work: impl Fn(usize) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1).min(count) {
            scope.spawn(|| {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    if i >= count {
                        return;
                    }
                    work(i);
                }
            });
        }
    });
}

//! Measures time in tests that limit it.

use std::time::Duration;

/// Returns this thread's processor time, which does not include other programs.
#[cfg(unix)]
pub fn spent() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).expect("a time since the start")
}

/// Returns the time since the first call of this function, which is an upper bound of the processor time.
#[cfg(not(unix))]
pub fn spent() -> Duration {
    use std::{sync::LazyLock, time::Instant};
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

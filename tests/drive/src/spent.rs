//! The measure of tests that limit a cost.

use std::time::Duration;

/// The time that this thread has had on a processor. Other programs run at the same time.
#[cfg(unix)]
pub fn spent() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).expect("a time since the start")
}

/// The time since the first call, which is an upper bound.
#[cfg(not(unix))]
pub fn spent() -> Duration {
    use std::{sync::LazyLock, time::Instant};
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

//! A pool of worker threads.

use mojika_convert::engine::lock;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

/// The maximum number of queued tasks per thread.
const WAITING: usize = 2;

type Work = Box<dyn FnOnce() + Send>;

/// A pool of worker threads. An empty pool runs its tasks on the calling thread.
pub struct Pool {
    work: Option<SyncSender<Work>>,
    threads: Vec<JoinHandle<()>>,
}

/// The result of a task that may be unfinished.
pub struct Pending<T>(Receiver<io::Result<T>>);

impl Pool {
    /// Starts `count` threads. If the system refuses one, the pool has only the earlier ones.
    pub fn new(count: usize) -> Self {
        let (sender, receiver) = sync_channel::<Work>(WAITING * count);
        let receiver = Arc::new(Mutex::new(receiver));
        let start = |_| {
            let receiver = receiver.clone();
            let next = move || lock(&receiver).recv();
            thread::Builder::new()
                .spawn(move || {
                    while let Ok(work) = next() {
                        work();
                    }
                })
                .ok()
        };
        let threads: Vec<_> = (0..count).map_while(start).collect();
        Self {
            work: (!threads.is_empty()).then_some(sender),
            threads,
        }
    }

    /// Runs `work` on a thread of the pool, or on the calling thread if the queue is full.
    pub fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> io::Result<T> + Send + 'static,
    ) -> Pending<T> {
        let (sender, receiver) = sync_channel(1);
        let work: Work = Box::new(move || {
            let done = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(panicked()));
            // If the receiver is gone, the output was abandoned.
            let _ = sender.send(done);
        });
        match &self.work {
            None => work(),
            Some(threads) => {
                if let Err(TrySendError::Full(work) | TrySendError::Disconnected(work)) =
                    threads.try_send(work)
                {
                    work();
                }
            }
        }
        Pending(receiver)
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.work = None;
        for thread in self.threads.drain(..) {
            // `run` turns a panic into an error of the task.
            let _ = thread.join();
        }
    }
}

impl<T> Pending<T> {
    /// Waits for the result.
    ///
    /// # Errors
    ///
    /// Fails if the task failed or panicked.
    pub fn wait(self) -> io::Result<T> {
        self.0.recv().unwrap_or_else(|_| Err(panicked()))
    }
}

fn panicked() -> io::Error {
    io::Error::other("an internal error: encoding Parquet panicked")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;

    #[test]
    fn work_is_done_here_if_enough_waits_for_the_threads() {
        let here = thread::current().id();
        let pool = Pool::new(0);
        let done = pool.run(|| Ok(thread::current().id()));
        assert_eq!(done.wait().unwrap(), here);

        let pool = Pool::new(1);
        let hold = Arc::new(Barrier::new(2));
        let held = hold.clone();
        let first = pool.run(move || {
            held.wait();
            held.wait();
            Ok(thread::current().id())
        });
        // The thread has taken the first task from the queue.
        hold.wait();
        let waiting: Vec<_> = (0..WAITING)
            .map(|_| pool.run(|| Ok(thread::current().id())))
            .collect();
        let beyond = pool.run(|| Ok(thread::current().id()));
        assert_eq!(beyond.wait().unwrap(), here);
        hold.wait();
        let there = first.wait().unwrap();
        assert_ne!(there, here);
        for done in waiting {
            assert_eq!(done.wait().unwrap(), there);
        }
    }

    #[test]
    fn work_that_panics_is_an_error_and_the_thread_goes_on() {
        for count in [0, 1] {
            let pool = Pool::new(count);
            let error = pool.run::<()>(|| panic!("a fault, for the test")).wait();
            assert!(error.unwrap_err().to_string().contains("internal error"));
            assert_eq!(pool.run(|| Ok(1)).wait().unwrap(), 1);
        }
    }
}

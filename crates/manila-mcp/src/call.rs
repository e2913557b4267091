//! Calls under way: started through `manila-run` in threads of their own, counted, and ended with the server.

use crate::program::Program;
use manila_run::{Cancel, Outcome, Policy, Running, run_async};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::Signal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How many programs run at a time; further calls wait.
const AT_ONCE: usize = 16;
/// How often a client gets progress for a running call.
pub(crate) const PROGRESS: Duration = Duration::from_secs(3);

/// The calls under way.
#[derive(Debug)]
pub(crate) struct Calls {
    places: Arc<Semaphore>,
    end: Arc<End>,
    /// The number of owners is the number of threads that run programs, plus one.
    threads: Arc<()>,
}

/// Why everything has to end.
#[derive(Debug, Default)]
pub(crate) struct End {
    /// The server stops.
    is_over: AtomicBool,
    /// The client sends nothing more. It may still wait for answers.
    is_silent: AtomicBool,
}

impl End {
    pub(crate) fn silence(&self) {
        self.is_silent.store(true, Ordering::Relaxed);
    }

    /// Whether no client waits for answers any more.
    fn has_come(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
            || (self.is_silent.load(Ordering::Relaxed) && is_stdout_closed())
    }
}

/// Whether the reader of our stdout is gone.
fn is_stdout_closed() -> bool {
    let stdout = rustix::stdio::stdout();
    let mut watched = [PollFd::new(&stdout, PollFlags::empty())];
    let polled = poll(&mut watched, Some(&Timespec::default()));
    polled.is_ok() && watched[0].revents().intersects(PollFlags::ERR | PollFlags::NVAL)
}

impl Calls {
    pub(crate) fn new() -> Calls {
        Calls {
            places: Arc::new(Semaphore::new(AT_ONCE)),
            end: Arc::default(),
            threads: Arc::new(()),
        }
    }

    pub(crate) fn end(&self) -> Arc<End> {
        Arc::clone(&self.end)
    }

    /// Ends a thread of the server when the server ends. The server waits as long as the thread keeps it.
    pub(crate) fn cancel(&self) -> Cancel {
        let (end, thread) = (Arc::clone(&self.end), Arc::clone(&self.threads));
        Cancel::when(move || {
            // The thread counts for as long as this closure holds its token.
            let _ = &thread;
            end.has_come().then_some(Signal::TERM.as_raw())
        })
    }

    /// Starts a call as soon as a slot is free. Dropping the job ends its process group.
    pub(crate) async fn start(&self, program: &Program, args: &[String], policy: Policy) -> Job {
        let place = Arc::clone(&self.places).acquire_owned().await.ok();
        let policy = Policy { cancel: self.cancel(), ..policy };
        let running = run_async(program.invocation(args), policy);
        Job { running, since: Instant::now(), name: program.name.clone(), _place: place }
    }

    /// Tells every program to end.
    pub(crate) fn stop(&self) {
        self.end.is_over.store(true, Ordering::Relaxed);
    }

    /// Whether a program still runs.
    pub(crate) fn are_running(&self) -> bool {
        Arc::strong_count(&self.threads) > 1
    }
}

/// A call under way.
#[derive(Debug)]
pub(crate) struct Job {
    running: Running,
    since: Instant,
    name: String,
    _place: Option<OwnedSemaphorePermit>,
}

impl Job {
    /// Waits for the outcome and reports progress every few seconds.
    pub(crate) async fn outcome<F: Future<Output = ()>>(
        &mut self,
        mut say: impl FnMut(f64, String) -> F,
    ) -> Outcome {
        loop {
            if let Ok(outcome) = tokio::time::timeout(PROGRESS, &mut self.running).await {
                return outcome;
            } else {
                let seconds = self.since.elapsed().as_secs_f64();
                say(seconds, format!("{} has been running for {seconds:.0} s", self.name)).await;
            }
        }
    }

    /// Waits for the outcome up to a limit.
    pub(crate) async fn outcome_within(&mut self, limit: Duration) -> Option<Outcome> {
        tokio::time::timeout(limit, &mut self.running).await.ok()
    }
}

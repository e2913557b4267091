//! Progress of a long scan: a line of progress on a terminal, and the signal that ends it.

use crate::humanize;
use crate::progress;
use manila_clap::Call;
use manila_log::Progress;
use manila_log::source::{Meter, Sources};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often it looks.
const LOOK: Duration = Duration::from_millis(100);
/// How long nothing is shown: what is over by then needs no line.
const PATIENCE: Duration = Duration::from_millis(400);

/// A scan with a progress line.
pub(crate) struct Watch<'p> {
    progress: &'p Progress,
    /// How many bytes of files there are, if that is known.
    total: Option<u64>,
    meter: Arc<Meter>,
    begin: Instant,
    is_seen: bool,
    /// Whether a line is on the terminal.
    line: Mutex<bool>,
}

impl<'p> Watch<'p> {
    /// Watches the scan of these sources from now on.
    pub(crate) fn new(call: &Call, sources: &Sources, progress: &'p Progress) -> Watch<'p> {
        Watch {
            progress,
            total: sources.bytes(),
            meter: sources.meter(),
            begin: Instant::now(),
            is_seen: call.shows_progress(),
            line: Mutex::new(false),
        }
    }

    /// Does the work. A signal stops it, and what it came to until then is its result.
    pub(crate) fn over<T>(&self, call: &Call, work: impl FnOnce() -> T) -> T {
        let cancelled = call.cancellation();
        let is_done = AtomicBool::new(false);
        let result = thread::scope(|scope| {
            let watching = scope.spawn(|| {
                while !is_done.load(Ordering::Acquire) {
                    thread::park_timeout(LOOK);
                    if cancelled().is_some() {
                        self.progress.stop();
                    } else if self.is_seen && self.begin.elapsed() > PATIENCE {
                        self.show();
                    }
                }
            });
            // Also if the work panics: nothing may wait for a thread that waits.
            let _end = End { is_done: &is_done, watching: watching.thread() };
            work()
        });
        self.apart(|| result)
    }

    /// Does something to the terminal where no line of progress may stand.
    pub(crate) fn apart<T>(&self, work: impl FnOnce() -> T) -> T {
        let mut line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::take(&mut *line) {
            progress::show("");
        }
        work()
    }

    /// How long it has taken.
    pub(crate) fn elapsed(&self) -> Duration {
        self.begin.elapsed()
    }

    fn show(&self) {
        let mut line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        let judged = self.progress.bytes();
        let text = words(judged, self.meter.on_disk(judged), self.total, self.begin.elapsed());
        progress::show(text);
        *line = true;
    }
}

/// Ends the progress line.
struct End<'a> {
    is_done: &'a AtomicBool,
    watching: &'a thread::Thread,
}

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.is_done.store(true, Ordering::Release);
        self.watching.unpark();
    }
}

/// How far it is, how fast, and how long it will take.
fn words(judged: u64, on_disk: u64, total: Option<u64>, elapsed: Duration) -> String {
    let rate = humanize::size(humanize::rate(judged, elapsed));
    match total.filter(|total| *total > 0) {
        None => format!("{}  {rate}/s", humanize::size(judged)),
        Some(total) => {
            let done = on_disk.min(total);
            let speed = humanize::rate(done, elapsed).max(1);
            let share = u128::from(done) * 100 / u128::from(total);
            // Tenths of an estimate are not credible.
            let left = match (total - done).div_ceil(speed).max(1) {
                seconds @ ..60 => format!("{seconds} s"),
                seconds => humanize::time(Duration::from_secs(seconds)),
            };
            format!("{share} % of {}  {rate}/s  {left} left", humanize::size(total))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_reported_only_where_the_end_is_known() {
        let second = Duration::from_secs(1);
        assert_eq!(words(5_000_000, 5_000_000, None, second), "5.0 MB  5.0 MB/s");
        let known = words(25_000_000, 25_000_000, Some(100_000_000), second);
        assert_eq!(known, "25 % of 100 MB  25.0 MB/s  3 s left");
        // Compressed: what is judged is more than what is read.
        let packed = words(80_000_000, 10_000_000, Some(100_000_000), second);
        assert_eq!(packed, "10 % of 100 MB  80.0 MB/s  9 s left");
        // A file that has grown since.
        assert!(words(200, 200, Some(100), second).starts_with("100 % "));
    }
}

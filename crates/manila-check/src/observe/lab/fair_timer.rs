//! A limit of time that is fair on a busy machine: it is extended while the processes of a run wait for
//! a processor.

use std::time::{Duration, Instant};

/// How often, and how long apart, the processes are looked at before a limit counts as reached.
const SAMPLES: u32 = 9;
const SAMPLE_INTERVAL: Duration = Duration::from_millis(5);
/// By how much a limit is extended at most.
const MOST_EXTENDED: Duration = Duration::from_secs(60);

/// What the processes of a run are doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Activity {
    /// Whether one of them has work and waits for a processor or a disk, or has it.
    pub(super) is_runnable: bool,
    /// The time that they had a processor, those that have ended included.
    pub(super) used: Duration,
}

impl Activity {
    /// Of a run whose processes do not exist yet.
    pub(super) const BEGINNING: Activity = Activity { is_runnable: true, used: Duration::ZERO };
}

/// Whether a limit is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expiry {
    /// Not yet.
    Pending,
    /// It had its time and did not use it.
    Expired,
    /// It never had its time: nothing can be said about it.
    Starved,
}

/// A limit of time for a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct FairTimer {
    begin: Instant,
    since: Instant,
    limit: Duration,
    /// What had been used at `since`, if that is known.
    used: Option<Duration>,
    samples: u32,
    runnable: u32,
}

impl FairTimer {
    /// Begins now, for processes that may have run for some time.
    pub(super) fn new(begin: Instant, limit: Duration) -> FairTimer {
        FairTimer { begin, since: begin, limit, used: None, samples: 0, runnable: 0 }
    }

    /// The same for processes that begin now too.
    pub(super) fn from_start(begin: Instant, limit: Duration) -> FairTimer {
        FairTimer { used: Some(Duration::ZERO), ..FairTimer::new(begin, limit) }
    }

    /// Whether the limit is reached. The processes are looked at only when it may be; what they do is
    /// unknown on some systems, and then only the clock counts.
    pub(super) fn check(
        &mut self,
        now: Instant,
        activity: impl FnOnce() -> Option<Activity>,
    ) -> Expiry {
        if now < self.next_look(self.since) {
            return Expiry::Pending;
        }
        let Some(activity) = activity() else { return Expiry::Expired };
        self.samples += 1;
        self.runnable += u32::from(activity.is_runnable);
        if self.samples < SAMPLES {
            return Expiry::Pending;
        }
        // Half of the time on a processor is enough for whatever is done in the whole.
        let used = self.used.map(|before| activity.used.saturating_sub(before));
        let had_its_time = used.is_some_and(|used| used >= self.limit / 2);
        if self.runnable * 2 <= self.samples || had_its_time {
            return Expiry::Expired;
        }
        if now >= self.begin + self.limit + MOST_EXTENDED {
            return Expiry::Starved;
        }
        let used = Some(activity.used);
        *self = FairTimer { since: now, used, samples: 0, runnable: 0, ..*self };
        Expiry::Pending
    }

    /// When to check next.
    pub(super) fn next_look(&self, now: Instant) -> Instant {
        if self.samples > 0 { now + SAMPLE_INTERVAL } else { self.since + self.limit }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// What a limit of a second comes to, and when, for processes that use this share of a processor,
    /// in per cent, and have work at this share of the samples.
    fn outcome(used: u32, runnable: u32) -> (Expiry, Duration) {
        let begin = Instant::now();
        let mut timer = FairTimer::from_start(begin, SECOND);
        let (mut now, mut samples) = (begin, 0);
        loop {
            now = timer.next_look(now);
            let activity = || {
                samples += 1;
                let is_runnable = (samples * runnable) % 100 < runnable;
                Some(Activity { is_runnable, used: (now - begin) * used / 100 })
            };
            let expiry = timer.check(now, activity);
            if expiry != Expiry::Pending {
                return (expiry, now - begin);
            }
        }
    }

    #[test]
    fn a_run_that_waits_or_is_busy_is_out_of_time() {
        for (used, runnable) in [(0, 0), (10, 30), (100, 100), (60, 100)] {
            let (expiry, after) = outcome(used, runnable);
            assert_eq!(expiry, Expiry::Expired, "{used} {runnable}");
            assert!(after < SECOND + SAMPLE_INTERVAL * SAMPLES, "{used} {runnable}: {after:?}");
        }
    }

    #[test]
    fn a_run_without_a_processor_gets_more_time_and_is_then_undecided() {
        for (used, runnable) in [(10, 100), (0, 100), (40, 90)] {
            let (expiry, after) = outcome(used, runnable);
            assert_eq!(expiry, Expiry::Starved, "{used} {runnable}");
            assert!(after >= SECOND + MOST_EXTENDED, "{used} {runnable}: {after:?}");
        }
    }

    #[test]
    fn what_was_used_before_is_no_use_of_the_time() {
        let begin = Instant::now();
        let used = Duration::from_secs(100);
        let mut timer = FairTimer::new(begin, SECOND);
        let mut checks = |mut now: Instant, used| {
            let busy = Some(Activity { is_runnable: true, used });
            let all = std::iter::repeat_with(|| {
                now += SAMPLE_INTERVAL;
                timer.check(now, || busy)
            });
            all.take(SAMPLES as usize).last()
        };
        assert_eq!(checks(begin + SECOND, used), Some(Expiry::Pending));
        assert_eq!(checks(begin + SECOND * 3, used + SECOND), Some(Expiry::Expired));
    }

    #[test]
    fn where_nothing_is_known_the_clock_counts() {
        let begin = Instant::now();
        let mut timer = FairTimer::new(begin, SECOND);
        assert_eq!(timer.check(begin + SECOND / 2, || None), Expiry::Pending);
        assert_eq!(timer.check(begin + SECOND, || None), Expiry::Expired);
    }
}

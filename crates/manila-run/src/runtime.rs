//! The runtime of real calls: processes, the clock, and chance.

use crate::attempt::{Execution, HEARTBEAT, Limits, after, attempt};
use crate::cancel::Cancel;
use crate::invocation::Invocation;
use crate::policy::Policy;
use crate::settle::Runtime;
use crate::spawn_error::SpawnError;
use std::hash::{BuildHasher, RandomState};
use std::ops::ControlFlow;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

pub(crate) struct Real<'p> {
    begin: Instant,
    began: SystemTime,
    cancel: &'p Cancel,
}

impl<'p> Real<'p> {
    pub(crate) fn new(policy: &'p Policy) -> Real<'p> {
        Real { begin: Instant::now(), began: SystemTime::now(), cancel: &policy.cancel }
    }
}

impl Runtime for Real<'_> {
    fn attempt(&mut self, call: &Invocation, limits: &Limits<'_>) -> Result<Execution, SpawnError> {
        attempt(call, limits, self.cancel)
    }

    fn wait(&mut self, time: Duration) -> ControlFlow<()> {
        let until = after(Instant::now(), time);
        loop {
            if self.is_cancelled() {
                return ControlFlow::Break(());
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return ControlFlow::Continue(());
            }
            thread::sleep(if self.cancel.is_possible() { left.min(HEARTBEAT) } else { left });
        }
    }

    fn elapsed(&self) -> Duration {
        self.begin.elapsed()
    }

    fn began(&self) -> SystemTime {
        self.began
    }

    #[expect(clippy::cast_precision_loss, reason = "half of the digits are enough")]
    fn jitter(&mut self) -> f64 {
        let number = RandomState::new().hash_one(self.begin.elapsed());
        number as f64 / u64::MAX as f64
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.signal().is_some()
    }
}

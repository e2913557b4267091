//! Under which conditions a lab runs programs.

use manila_run::Cancel;
use std::fmt;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Under which conditions programs are run.
#[derive(Clone)]
pub struct Conditions {
    /// When the whole check ends, whatever the program does.
    pub deadline: Instant,
    /// How long a run may take.
    pub limit: Duration,
    /// How many runs there are at a time.
    pub jobs: NonZeroUsize,
    /// Whether the program may use the network.
    pub network: Network,
    /// How much of what a run writes is kept. Of one that writes more only the beginning is, and the rest is read
    /// to see whether it ends; all runs together keep at most eight times as much.
    pub max_output: u64,
    /// How much a run may write before its output is taken for endless.
    pub endless_output: u64,
    /// A directory in which each run is left as a recorded run.
    pub record: Option<PathBuf>,
    /// Hears how many runs are made, and of how many.
    pub progress: Option<Arc<dyn Fn(usize, usize) + Send + Sync>>,
    /// Whether the check should end, from outside.
    pub cancel: Cancel,
    /// What is run where the system cannot confine the program.
    pub unconfined: Unconfined,
}

impl Conditions {
    /// The usual ones.
    pub fn until(deadline: Instant) -> Conditions {
        Conditions {
            deadline,
            limit: Duration::from_secs(5),
            jobs: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            network: Network::Cut,
            max_output: 64 << 20,
            endless_output: 1 << 30,
            record: None,
            progress: None,
            cancel: Cancel::never(),
            unconfined: Unconfined::Help,
        }
    }
}

impl fmt::Debug for Conditions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Conditions")
            .field("limit", &self.limit)
            .field("jobs", &self.jobs)
            .field("network", &self.network)
            .field("max_output", &self.max_output)
            .field("endless_output", &self.endless_output)
            .field("unconfined", &self.unconfined)
            .finish_non_exhaustive()
    }
}

/// Whether a program may use the network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Network {
    /// Nothing but itself can be reached, where the system can do that.
    #[default]
    Cut,
    /// All that we can reach.
    Host,
}

/// What is run where the system cannot confine the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unconfined {
    /// `--help` and `--version` alone.
    #[default]
    Help,
    /// Everything, as if it were confined.
    All,
}

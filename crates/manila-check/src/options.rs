//! How a program is checked: limits, confinement, and which rules are asked.

use crate::observe::lab::{Network, Unconfined};
use crate::profile::Profile;
use crate::severity::Threshold;
use jiff::civil::Date;
use manila_pack::Packs;
use manila_run::Cancel;
use std::fmt;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Which rules are asked, and on which day.
#[derive(Clone, Debug, Default)]
pub struct RuleSelection {
    /// Rules and families; all if there are none.
    pub select: Vec<String>,
    /// Rules and families that are left out.
    pub ignore: Vec<String>,
    /// What the program is judged as; what its answers show if there is none.
    pub profile: Option<Profile>,
    /// The day on which waivers are looked at; without one, none is ever over.
    pub today: Option<Date>,
    /// Which verdicts keep the program from conforming.
    pub threshold: Threshold,
}

/// A callback that gets the number of runs made, and of all runs.
pub type Progress = Arc<dyn Fn(usize, usize) + Send + Sync>;

/// How a program is checked.
///
/// ```
/// use manila_check::{Options, RuleSelection};
/// use std::time::Duration;
///
/// let rules = RuleSelection { ignore: vec!["process".to_owned()], ..RuleSelection::default() };
/// let options = Options { deadline: Duration::from_secs(30), rules, ..Options::default() };
/// ```
#[derive(Clone)]
pub struct Options {
    /// How long the whole check may take.
    pub deadline: Duration,
    /// How long it may take with a program that starts slowly, if that is longer.
    pub slow_deadline: Option<Duration>,
    /// How long a run may take.
    pub limit: Duration,
    /// How many runs are made at a time; the number of processors by default.
    pub jobs: Option<NonZeroUsize>,
    /// Whether the program may use the network.
    pub network: Network,
    /// A directory in which each run is left as a recorded run.
    pub record: Option<PathBuf>,
    /// The progress callback.
    pub progress: Option<Progress>,
    /// Who may end the check.
    pub cancel: Cancel,
    /// What is run where the system cannot confine the program.
    pub unconfined: Unconfined,
    /// What is known about the effects of programs.
    pub packs: Packs,
    /// Which rules are asked.
    pub rules: RuleSelection,
    /// The one command that is checked; all of them if there is none.
    pub command: Option<Vec<String>>,
    /// Whether only the most telling rules are asked, of a few commands.
    pub is_quick: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            deadline: Duration::from_secs(60),
            slow_deadline: None,
            limit: Duration::from_secs(5),
            jobs: None,
            network: Network::Cut,
            record: None,
            progress: None,
            cancel: Cancel::never(),
            unconfined: Unconfined::Help,
            packs: Packs::default(),
            rules: RuleSelection::default(),
            command: None,
            is_quick: false,
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("deadline", &self.deadline)
            .field("slow_deadline", &self.slow_deadline)
            .field("limit", &self.limit)
            .field("jobs", &self.jobs)
            .field("network", &self.network)
            .field("unconfined", &self.unconfined)
            .field("rules", &self.rules)
            .finish_non_exhaustive()
    }
}

//! What earlier runs teach about later ones: how long a call takes, and which would not end.

use super::watch::Watched;
use crate::observe::probe::{Probe, Purpose, Stdin, Stdout};
use crate::observe::run::Ended;
use std::collections::HashMap;
use std::ffi::OsString;
use std::time::Duration;

/// A run with a silent input is given so many times as long as the same without, and this at least.
const SILENT_TIMES: u32 = 10;
const SILENT_LEAST: Duration = Duration::from_secs(1);
/// A run is given so many times as long as the longest page of help takes, and this at most.
const START_TIMES: u32 = 10;
const MOST_SCALED: Duration = Duration::from_secs(30);
/// A program is under way after so many times as long as a call takes, and this at least.
const UNDER_WAY_TIMES: u32 = 3;
const UNDER_WAY_LEAST: Duration = Duration::from_millis(150);
/// A call that has hung, or written without end, so often will do so again.
const OFTEN: u32 = 2;
/// After so many runs that hung, the rest is given less time.
const TOO_OFTEN: u32 = 6;
const HASTY_TIMES: u32 = 20;
const HASTY_LEAST: Duration = Duration::from_secs(1);

/// How long what a program started may take to end after it, and how long once it is known to leave processes.
const SETTLE: Duration = Duration::from_millis(500);
const SETTLE_OF_LEAVER: Duration = Duration::from_millis(100);

/// What is known from the runs that were made.
#[derive(Debug, Default)]
pub(super) struct Timings {
    /// How long calls took that ended by themselves, by their arguments.
    times: HashMap<Vec<OsString>, Duration>,
    /// The longest of them, and the longest of those that ask for help.
    longest: Duration,
    help: Duration,
    /// How often a call of this kind hung, and how often it wrote too much.
    hung: HashMap<Kind, u32>,
    flooded: HashMap<Kind, u32>,
    hangs: u32,
    /// How many runs left processes.
    leavers: u32,
}

/// What makes a call endless: the command and what is asked of it, and the descriptors it waits for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Kind {
    command: Vec<String>,
    purpose: Purpose,
    around: Around,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Around {
    /// Nothing that could make it wait: a call that hangs here hangs everywhere.
    Nothing,
    Silence,
    Terminal,
}

fn kind(probe: &Probe) -> Kind {
    let around = match (probe.setting.stdout, probe.setting.stdin) {
        (Stdout::Terminal { .. }, _) => Around::Terminal,
        (_, Stdin::Silent) => Around::Silence,
        _ => Around::Nothing,
    };
    Kind { command: probe.command.clone(), purpose: probe.purpose, around }
}

impl Timings {
    /// Whether runs of this kind have hung, or written without end, often enough.
    pub(super) fn would_not_end(&self, probe: &Probe) -> bool {
        let has = |counts: &HashMap<Kind, u32>, kind: &Kind| {
            counts.get(kind).is_some_and(|count| *count >= OFTEN)
        };
        // What writes without end must end where nothing reads it.
        let is_read = !matches!(probe.setting.stdout, Stdout::ClosedPipe { .. });
        let is_endless =
            |kind: &Kind| has(&self.hung, kind) || (is_read && has(&self.flooded, kind));
        // One that is interrupted is meant to take long.
        let kind = kind(probe);
        probe.setting.signal.is_none()
            && (is_endless(&kind) || is_endless(&Kind { around: Around::Nothing, ..kind }))
    }

    /// How long what a program started may take to end after it.
    pub(super) fn settle(&self) -> Duration {
        if self.leavers >= OFTEN { SETTLE_OF_LEAVER } else { SETTLE }
    }

    pub(super) fn learn(&mut self, probe: &Probe, watched: &Watched) {
        self.leavers += u32::from(watched.left > 0);
        match watched.ended {
            Ended::ByItself if probe.setting.signal.is_none() => {
                let time = self.times.entry(probe.args.clone()).or_default();
                *time = watched.duration.max(*time);
                self.longest = self.longest.max(watched.duration);
                if probe.purpose == Purpose::Help {
                    self.help = self.help.max(watched.duration);
                }
            }
            Ended::AtLimit(_) => {
                *self.hung.entry(kind(probe)).or_default() += 1;
                self.hangs += 1;
            }
            Ended::Flooding => *self.flooded.entry(kind(probe)).or_default() += 1,
            _ => {}
        }
    }

    /// How long a run may take.
    pub(super) fn limit(&self, probe: &Probe, most: Duration) -> Duration {
        // One that takes long to start takes longer for everything.
        let mut limit = most.max((self.help * START_TIMES).min(MOST_SCALED));
        if self.hangs >= TOO_OFTEN {
            limit = limit.min((self.longest * HASTY_TIMES).max(HASTY_LEAST));
        }
        if probe.setting.stdin == Stdin::Silent
            && let Some(time) = self.times.get(&probe.args)
        {
            limit = limit.min((*time * SILENT_TIMES).max(SILENT_LEAST));
        }
        limit
    }

    /// After which time a program has surely prepared for signals.
    pub(super) fn under_way(&self, probe: &Probe, limit: Duration) -> Duration {
        let time = self.times.get(&probe.args).copied().unwrap_or_default().min(limit / 10);
        (time.max(self.help) * UNDER_WAY_TIMES).clamp(UNDER_WAY_LEAST, limit.max(UNDER_WAY_LEAST))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::probe::Signal;
    use crate::observe::run::Waiting;
    use crate::surface::model::{Command, Json};
    use manila::Status;

    fn probe(purpose: Purpose) -> Probe {
        Probe::new(
            &Command::default(),
            purpose,
            crate::observe::probe::Form::Text,
            ["x"],
            &Json::Unknown,
        )
    }

    fn watched(ended: Ended, duration: Duration) -> Watched {
        Watched {
            status: Status::Exited(0),
            ended,
            left: 0,
            is_terminal_changed: false,
            duration,
            streams: [Vec::new(), Vec::new()],
            written: [0; 2],
        }
    }

    #[test]
    fn a_call_that_hung_on_a_terminal_may_not_hang_on_a_pipe() {
        let mut memory = Timings::default();
        let terminal = probe(Purpose::Sample).with_stdout(Stdout::Terminal { columns: 80 });
        let hung = watched(Ended::AtLimit(Waiting::ForTerminal), Duration::from_secs(5));
        memory.learn(&terminal, &hung);
        assert!(!memory.would_not_end(&terminal));
        memory.learn(&terminal, &hung);
        assert!(memory.would_not_end(&terminal));
        assert!(!memory.would_not_end(&probe(Purpose::Sample)));
        memory.learn(&probe(Purpose::Help), &hung);
        memory.learn(&probe(Purpose::Help), &hung);
        assert!(memory.would_not_end(&probe(Purpose::Help).with_stdin(Stdin::Silent)));
    }

    #[test]
    fn a_call_that_writes_without_end_is_made_twice_unless_something_must_end_it() {
        let mut memory = Timings::default();
        let sample = probe(Purpose::Sample);
        let flood = watched(Ended::Flooding, Duration::from_secs(1));
        memory.learn(&sample, &flood);
        assert!(!memory.would_not_end(&sample));
        memory.learn(&sample, &flood);
        let terminal = sample.clone().with_stdout(Stdout::Terminal { columns: 80 });
        assert!(memory.would_not_end(&terminal));
        assert!(
            !memory.would_not_end(&sample.clone().with_stdout(Stdout::ClosedPipe { after: 1 }))
        );
        assert!(!memory.would_not_end(&sample.with_signal(Signal::Interrupt)));
        assert!(!memory.would_not_end(&probe(Purpose::UnknownFlag)));
        assert_eq!(memory.hangs, 0, "the rest is not given less time for it");
    }

    #[test]
    fn what_leaves_processes_is_not_waited_for_each_time() {
        let mut memory = Timings::default();
        let left = Watched { left: 1, ..watched(Ended::ByItself, Duration::ZERO) };
        memory.learn(&probe(Purpose::Sample), &left);
        assert_eq!(memory.settle(), SETTLE);
        memory.learn(&probe(Purpose::Sample), &left);
        assert_eq!(memory.settle(), SETTLE_OF_LEAVER);
    }

    #[test]
    fn a_silent_input_is_given_less_time_once_a_call_is_known() {
        let mut memory = Timings::default();
        let (silent, most) =
            (probe(Purpose::Sample).with_stdin(Stdin::Silent), Duration::from_secs(5));
        assert_eq!(memory.limit(&silent, most), most);
        memory
            .learn(&probe(Purpose::Sample), &watched(Ended::ByItself, Duration::from_millis(200)));
        assert_eq!(memory.limit(&silent, most), Duration::from_secs(2));
        assert_eq!(memory.limit(&probe(Purpose::Sample), most), most);
    }

    #[test]
    fn when_much_hangs_the_rest_is_given_less_time() {
        let mut memory = Timings::default();
        for _ in 0..TOO_OFTEN {
            let hung = watched(Ended::AtLimit(Waiting::ForSomething), Duration::from_secs(5));
            memory.learn(&probe(Purpose::Sample), &hung);
        }
        let most = Duration::from_secs(5);
        assert_eq!(memory.limit(&probe(Purpose::Help), most), HASTY_LEAST);
    }
}

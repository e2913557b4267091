//! Judges all runs by the rules, in several threads, until each rule has a verdict or the deadline passes.

use crate::observe::probe::Purpose;
use crate::observe::reading::Reading;
use crate::observe::run::Run;
use crate::profile::Profile;
use crate::rule::definition::Rule;
use crate::rule::evidence::Evidence;
use crate::rule::profile;
use crate::rule::verdict::Verdict;
use crate::subject::Subject;
use crate::surface::model::Surface;
use crate::worker::{HEARTBEAT, STACK};
use manila::Exit;
use manila_run::Cancel;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

/// What the rules are asked about.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) subject: Subject,
    pub(crate) surface: Surface,
    pub(crate) runs: Vec<Run>,
}

/// What judging a case came to.
#[derive(Debug)]
pub(crate) struct Judgement {
    /// The verdicts of the rules in their order; nothing for one without a verdict at the deadline or after a
    /// cancellation.
    pub(crate) verdicts: Vec<Option<Verdict>>,
    /// How many runs were left out because what they wrote could not be read in time.
    pub(crate) unread: usize,
    /// What the answers show about the promises of the program, if there are any and they were read in time.
    pub(crate) profile: Option<Profile>,
    /// The commands whose complete calls all failed for want of something that the lab does not have, by its class.
    pub(crate) lacking: BTreeMap<Exit, Vec<Vec<String>>>,
}

/// Judges a case by these rules.
///
/// Reading takes as long as the output of the program makes it. Threads that still work at the deadline are
/// abandoned, and stop at the next run or rule.
pub(crate) fn judge_all(
    case: Case,
    rules: &[&'static Rule],
    deadline: Instant,
    cancel: &Cancel,
) -> Judgement {
    let mut verdicts: Vec<Option<Verdict>> = rules.iter().map(|_| None).collect();
    let (mut profile, mut lacking, mut unread) = (None, BTreeMap::new(), 0);
    let is_over = Arc::new(AtomicBool::new(false));
    let (sender, receiver) = mpsc::channel();
    let reading_ends = Instant::now() + deadline.saturating_duration_since(Instant::now()) / 2;
    let all =
        All { case, rules: rules.to_vec(), is_over: Arc::clone(&is_over), reading_ends, sender };
    let all = Arc::new(all);
    let judges = {
        let all = Arc::clone(&all);
        thread::Builder::new().stack_size(STACK).spawn(move || all.ask())
    };
    if judges.is_err() {
        // Without a thread this cannot be abandoned.
        all.ask();
    }
    drop(all);
    while verdicts.iter().any(Option::is_none) {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() || cancel.signal().is_some() {
            break;
        }
        match receiver.recv_timeout(left.min(HEARTBEAT)) {
            Ok(Message::Profile(detected)) => profile = detected,
            Ok(Message::Lacking(commands)) => lacking = commands,
            Ok(Message::Unread(count)) => unread = count,
            Ok(Message::Verdict(at, verdict)) => verdicts[at] = Some(verdict),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                if let Ok(Err(panic)) = judges.map(thread::JoinHandle::join) {
                    resume_unwind(panic);
                }
                break;
            }
        }
    }
    is_over.store(true, Ordering::Relaxed);
    Judgement { verdicts, unread, profile, lacking }
}

enum Message {
    Profile(Option<Profile>),
    Lacking(BTreeMap<Exit, Vec<Vec<String>>>),
    Unread(usize),
    Verdict(usize, Verdict),
}

/// The commands of which no complete call got as far as its work.
fn lacking(evidence: &Evidence<'_>) -> BTreeMap<Exit, Vec<Vec<String>>> {
    let mut found: BTreeMap<&[String], Option<Exit>> = BTreeMap::new();
    for seen in evidence.plain().filter(|seen| seen.run.probe.purpose == Purpose::Sample) {
        let class = seen.failed_precondition();
        let known = found.entry(&seen.run.probe.command).or_insert(class);
        *known = known.and(class);
    }
    let mut classes: BTreeMap<Exit, Vec<Vec<String>>> = BTreeMap::new();
    for (command, class) in found {
        if let Some(class) = class {
            classes.entry(class).or_default().push(command.to_vec());
        }
    }
    classes
}

/// How many bytes are surely read in a second, by a build without optimisations too.
const READ_PER_SECOND: usize = 10 << 20;

fn size(run: &Run) -> usize {
    run.transcript.stdout.len() + run.transcript.stderr.len()
}

struct All {
    case: Case,
    rules: Vec<&'static Rule>,
    is_over: Arc<AtomicBool>,
    /// After this moment no reading begins: the rest of the time is for the rules.
    reading_ends: Instant,
    sender: Sender<Message>,
}

impl All {
    fn ask(&self) {
        let Case { subject, surface, runs } = &self.case;
        let readings: Vec<OnceLock<Reading>> = runs.iter().map(|_| OnceLock::new()).collect();
        // The smallest first: what is too large to be read in time hides nothing else.
        let mut order: Vec<usize> = (0..runs.len()).collect();
        order.sort_by_key(|at| size(&runs[*at]));
        self.each(runs.len(), |at| {
            let at = order[at];
            let expected = Duration::from_secs((size(&runs[at]) / READ_PER_SECOND) as u64);
            if Instant::now() + expected < self.reading_ends {
                let _ = readings[at].set(Reading::of(&runs[at].transcript));
            }
        });
        let readings = readings.into_iter().map(OnceLock::into_inner);
        let read: Vec<(&Run, Reading)> =
            runs.iter().zip(readings).filter_map(|(run, reading)| Some((run, reading?))).collect();
        let unread = runs.len() - read.len();
        let evidence = Evidence::of_readings(subject, surface, read.into_iter());
        // At the deadline the receiver is gone.
        let _ = self.sender.send(Message::Unread(unread));
        let _ = self.sender.send(Message::Profile(profile::detect(&evidence)));
        let _ = self.sender.send(Message::Lacking(lacking(&evidence)));
        self.each(self.rules.len(), |at| {
            let verdict = (self.rules[at].judge)(&evidence);
            let _ = self.sender.send(Message::Verdict(at, verdict));
        });
    }

    /// Does a piece of work for each number, on all processors, as long as there is time.
    fn each(&self, count: usize, work: impl Fn(usize) + Sync) {
        let next = AtomicUsize::new(0);
        let work = || {
            while !self.is_over.load(Ordering::Relaxed) {
                let at = next.fetch_add(1, Ordering::Relaxed);
                if at >= count {
                    break;
                }
                work(at);
            }
        };
        let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get).min(count);
        thread::scope(|scope| {
            for _ in 1..threads {
                // With fewer threads it only takes longer.
                let _ = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            }
            work();
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::{RULES, rule};
    use crate::testing::{judge, ran, surface};
    /// Says nothing, ever.
    static STUCK: Rule = Rule { judge: |_| stuck(), ..*RULES[0] };
    static BROKEN: Rule = Rule { judge: |_| panic!("a flaw of the rule"), ..*RULES[0] };

    fn stuck() -> ! {
        loop {
            thread::park();
        }
    }

    const LIE: &str = r#"{"ok":false,"error":{"code":"NOT_FOUND","message":"m"}}"#;

    fn asked(
        rules: &[&'static Rule],
        until: Duration,
        cancel: &Cancel,
    ) -> Vec<Option<&'static str>> {
        let subject =
            Subject { argv: Vec::new(), shown: Vec::new(), variables: Vec::new(), fixture: None };
        let runs = vec![ran(Purpose::Sample, LIE, 0)];
        let case = Case { subject, surface: surface(), runs };
        let judgement = judge_all(case, rules, Instant::now() + until, cancel);
        judgement.verdicts.iter().map(|verdict| verdict.as_ref().map(Verdict::as_str)).collect()
    }

    const LONG: Duration = Duration::from_secs(3600);

    #[test]
    fn all_rules_speak_and_say_what_they_would_say_alone() {
        let alone: Vec<_> = RULES
            .iter()
            .map(|it| Some(judge(it, &[ran(Purpose::Sample, LIE, 0)]).as_str()))
            .collect();
        assert!(alone.contains(&Some("failed")), "{alone:?}");
        assert_eq!(asked(RULES, LONG, &Cancel::never()), alone);
    }

    #[test]
    fn one_that_never_speaks_is_not_waited_for() {
        assert_eq!(asked(&[&STUCK], Duration::from_millis(100), &Cancel::never()), [None]);
        assert_eq!(asked(RULES, Duration::ZERO, &Cancel::never()), vec![None; RULES.len()]);
    }

    #[test]
    fn what_was_said_before_the_end_counts() {
        static LAST: Rule = Rule { judge: |_| begun(), ..*RULES[0] };
        static HAS_BEGUN: AtomicBool = AtomicBool::new(false);
        fn begun() -> ! {
            HAS_BEGUN.store(true, Ordering::SeqCst);
            stuck()
        }
        // The thread that takes the last has judged another: there are as many others as threads.
        let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let mut rules = vec![rule("failure-with-exit-zero").unwrap(); threads];
        rules.push(&LAST);
        // Between two questions one message is taken in: what is unread, the profile, what commands lack, and a verdict.
        let questions = AtomicUsize::new(0);
        let cancel = Cancel::when(move || {
            let has_begun = HAS_BEGUN.load(Ordering::SeqCst);
            let before = questions.fetch_add(usize::from(has_begun), Ordering::SeqCst);
            (before > 3).then_some(libc::SIGINT)
        });
        let heard = asked(&rules, LONG, &cancel);
        assert!(heard.contains(&Some("failed")), "{heard:?}");
        assert_eq!(heard.last(), Some(&None));
    }

    #[test]
    fn a_cancelled_judge_does_not_wait() {
        let cancel = Cancel::when(|| Some(libc::SIGINT));
        assert_eq!(asked(&[&STUCK], LONG, &cancel), [None]);
    }

    #[test]
    fn what_is_too_large_to_be_read_in_time_hides_nothing_else() {
        let subject =
            Subject { argv: Vec::new(), shown: Vec::new(), variables: Vec::new(), fixture: None };
        // It would take longer than all the time there is, and is never touched.
        let huge = vec![0; READ_PER_SECOND * 40];
        let runs = vec![ran(Purpose::Missing, huge, 0), ran(Purpose::Sample, LIE, 0)];
        let case = Case { subject, surface: surface(), runs };
        let rules = [rule("failure-with-exit-zero").unwrap()];
        let deadline = Instant::now() + Duration::from_secs(60);
        let judgement = judge_all(case, &rules, deadline, &Cancel::never());
        assert_eq!(judgement.unread, 1);
        assert_eq!(judgement.verdicts[0].as_ref().map(Verdict::as_str), Some("failed"));
    }

    #[test]
    fn a_flaw_of_ours_is_not_taken_for_the_end_of_time() {
        let asked = std::panic::catch_unwind(|| asked(&[&BROKEN], LONG, &Cancel::never()));
        assert!(asked.is_err(), "{asked:?}");
    }
}

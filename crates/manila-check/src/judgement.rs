//! Asks the rules about all runs, several at a time, until each has spoken or the time is over.

use crate::evidence::Evidence;
use crate::reading::Reading;
use crate::rule::Rule;
use crate::run::Run;
use crate::subject::Subject;
use crate::surface::Surface;
use crate::verdict::Verdict;
use manila_run::Cancel;
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

/// How often to ask whether the check should end.
pub(crate) const HEARTBEAT: Duration = Duration::from_millis(20);
/// As much as the first thread of a program usually has.
pub(crate) const STACK: usize = 8 << 20;

/// What the rules are asked about.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) subject: Subject,
    pub(crate) surface: Surface,
    pub(crate) runs: Vec<Run>,
}

/// The verdicts of these rules in their order; nothing for one that had not spoken when the time was
/// over or somebody ended the check.
///
/// Reading what a program wrote takes as long as the program likes: whoever is still at it then is left
/// alone, and stops at the next run or rule.
pub(crate) fn verdicts(
    case: Case,
    rules: &[&'static Rule],
    deadline: Instant,
    cancel: &Cancel,
) -> Vec<Option<Verdict>> {
    let mut verdicts: Vec<Option<Verdict>> = rules.iter().map(|_| None).collect();
    let is_over = Arc::new(AtomicBool::new(false));
    let (tell, told) = mpsc::channel();
    let all = All { case, rules: rules.to_vec(), is_over: Arc::clone(&is_over), tell };
    let all = Arc::new(all);
    let judges = {
        let all = Arc::clone(&all);
        thread::Builder::new().stack_size(STACK).spawn(move || all.ask())
    };
    if judges.is_err() {
        // Without a thread nobody can stop waiting.
        all.ask();
    }
    drop(all);
    while verdicts.iter().any(Option::is_none) {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() || cancel.signal().is_some() {
            break;
        }
        match told.recv_timeout(left.min(HEARTBEAT)) {
            Ok((at, verdict)) => verdicts[at] = Some(verdict),
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
    verdicts
}

struct All {
    case: Case,
    rules: Vec<&'static Rule>,
    is_over: Arc<AtomicBool>,
    tell: Sender<(usize, Verdict)>,
}

impl All {
    fn ask(&self) {
        let Case { subject, surface, runs } = &self.case;
        let readings: Vec<OnceLock<Reading>> = runs.iter().map(|_| OnceLock::new()).collect();
        self.each(runs.len(), |at| {
            let _ = readings[at].set(Reading::of(&runs[at].transcript));
        });
        let readings: Option<Vec<Reading>> =
            readings.into_iter().map(OnceLock::into_inner).collect();
        let Some(readings) = readings else { return };
        let evidence = Evidence::of_readings(subject, surface, runs.iter().zip(readings));
        self.each(self.rules.len(), |at| {
            // Nobody listens any more when the time is over.
            let _ = self.tell.send((at, (self.rules[at].judge)(&evidence)));
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
    use crate::probe::Purpose;
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
        let verdicts = verdicts(case, rules, Instant::now() + until, cancel);
        verdicts.iter().map(|verdict| verdict.as_ref().map(Verdict::word)).collect()
    }

    const LONG: Duration = Duration::from_secs(3600);

    #[test]
    fn all_rules_speak_and_say_what_they_would_say_alone() {
        let alone: Vec<_> = RULES
            .iter()
            .map(|it| Some(judge(it, &[ran(Purpose::Sample, LIE, 0)]).word()))
            .collect();
        assert!(alone.contains(&Some("violated")), "{alone:?}");
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
        // The thread that takes the last has spoken for another: there are as many others as threads.
        let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let mut rules = vec![rule("failure-with-exit-zero").unwrap(); threads];
        rules.push(&LAST);
        // Between two questions one verdict is taken in.
        let questions = AtomicUsize::new(0);
        let cancel = Cancel::when(move || {
            let has_begun = HAS_BEGUN.load(Ordering::SeqCst);
            let before = questions.fetch_add(usize::from(has_begun), Ordering::SeqCst);
            (before > 0).then_some(libc::SIGINT)
        });
        let heard = asked(&rules, LONG, &cancel);
        assert!(heard.contains(&Some("violated")), "{heard:?}");
        assert_eq!(heard.last(), Some(&None));
    }

    #[test]
    fn who_is_told_to_stop_waits_for_nobody() {
        let cancel = Cancel::when(|| Some(libc::SIGINT));
        assert_eq!(asked(&[&STUCK], LONG, &cancel), [None]);
    }

    #[test]
    fn a_flaw_of_ours_is_not_taken_for_the_end_of_time() {
        let asked = std::panic::catch_unwind(|| asked(&[&BROKEN], LONG, &Cancel::never()));
        assert!(asked.is_err(), "{asked:?}");
    }
}

//! Laws that hold for every script and every policy.

use super::runtime::{Claim, Ending, RENEW, Script, SimulatedRuntime, TOOL, is_aside};
use super::script::{AGREED, FORBIDDEN, call, policy, script};
use crate::attempt::millis;
use crate::event::Cause;
use crate::outcome::{Outcome, Step};
use crate::policy::{Policy, Trust};
use manila::{Action, Change, Status};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

const CASES: u32 = 2_000;

/// Chance that is quick to draw: most of the time goes into making scripts.
pub(super) fn config() -> ProptestConfig {
    ProptestConfig {
        cases: CASES,
        failure_persistence: None,
        rng_algorithm: RngAlgorithm::XorShift,
        ..ProptestConfig::default()
    }
}

/// Programs that keep what the contract promises in their name.
fn honest(mut script: Script) -> Script {
    let all = script.calls.iter_mut().chain(&mut script.renewals).chain(&mut script.repairs);
    for answer in all {
        answer.effects &= !answer.promises_no_effects();
    }
    script
}

/// The steps of each page.
fn walks<'s>(steps: &[&'s Step]) -> Vec<Vec<&'s Step>> {
    let mut walks = vec![Vec::new()];
    for step in steps {
        if matches!(step.cause, Cause::NextPage { .. }) {
            walks.push(Vec::new());
        }
        walks.last_mut().unwrap().push(*step);
    }
    walks
}

fn is_next_page(step: &Step) -> bool {
    matches!(step.decision.action, Action::NextPage { .. })
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn what_had_effects_is_not_repeated(script in script().prop_map(honest), policy in policy()) {
        let policy = Policy { idempotent: false, ..policy };
        let (outcome, runtime) = SimulatedRuntime::play(&script, &call(), &policy);
        for (attempt, step) in runtime.calls(&outcome).iter().rev().skip(1) {
            prop_assert!(is_next_page(step) || !attempt.answer.effects, "{attempt:#?}");
        }
    }

    #[test]
    fn only_what_promises_that_nothing_was_done_is_repeated(
        script in script(),
        policy in policy(),
    ) {
        let policy = Policy { idempotent: false, ..policy };
        let (outcome, runtime) = SimulatedRuntime::play(&script, &call(), &policy);
        for (attempt, step) in runtime.calls(&outcome).iter().rev().skip(1) {
            prop_assert!(is_next_page(step) || attempt.promises_no_effects(), "{attempt:#?}");
        }
    }

    #[test]
    fn every_budget_holds(script in script(), policy in policy()) {
        let (outcome, runtime) = SimulatedRuntime::play(&script, &call(), &policy);
        let steps = &outcome.trace.steps;
        let count = |is: fn(&Cause) -> bool| steps.iter().filter(|step| is(&step.cause)).count();
        let hops = count(|it| matches!(it, Cause::Redirect { .. }));
        prop_assert!(hops <= policy.hops);
        let pages = count(|it| matches!(it, Cause::NextPage { .. })) + 1;
        prop_assert!(pages <= policy.max_pages.max(1));
        prop_assert!(count(|it| *it == Cause::Refresh) <= 1);
        prop_assert!(count(|it| *it == Cause::Fix) <= 1);
        prop_assert!(count(|it| *it == Cause::WithoutEtag) <= 1);
        let calls: Vec<&Step> = runtime.calls(&outcome).into_iter().map(|(_, step)| step).collect();
        for walk in walks(&calls) {
            prop_assert!(walk.len() <= policy.max_attempts);
        }
        for walk in walks(&steps.iter().collect::<Vec<_>>()) {
            // Something was corrected, so it is not the same any more.
            for unchanged in walk.split(|step| is_aside(step)) {
                let mut retries: HashMap<_, usize> = HashMap::new();
                for pair in unchanged.windows(2) {
                    if matches!(pair[1].cause, Cause::Retry { .. }) {
                        *retries.entry(pair[0].code.clone()).or_default() += 1;
                    }
                }
                prop_assert!(retries.values().all(|count| *count <= policy.retries));
            }
        }
    }

    #[test]
    fn nothing_is_waited_for_that_was_not_asked_for(script in script(), policy in policy()) {
        let (outcome, runtime) = SimulatedRuntime::play(&script, &call(), &policy);
        let steps = &outcome.trace.steps;
        let mut waits = runtime.waits.iter();
        for pair in steps.windows(2) {
            let Cause::Retry { waited_ms } = pair[1].cause else { continue };
            let (asked, waited) = (Duration::from_millis(waited_ms), waits.next().copied());
            prop_assert!(waited.is_some_and(|it| asked <= it && it <= asked.mul_f64(1.1)), "{waited:?}");
            // The answer says how long to wait, and no attempt comes earlier.
            let asked = Action::Retry { wait_ms: waited_ms, change: None };
            prop_assert_eq!(&pair[0].decision.action, &asked);
        }
        // The last wait may be the one in which the call ended.
        prop_assert!(waits.count() <= 1);
    }

    #[test]
    fn the_call_ends_before_its_deadline(script in script(), policy in policy()) {
        let (_, runtime) = SimulatedRuntime::play(&script, &call(), &policy);
        if let Some(deadline) = policy.deadline {
            prop_assert!(runtime.ended() <= deadline + policy.grace, "{:?}", runtime.ended());
        }
        if let Some(at) = script.cancelled_at {
            prop_assert!(runtime.ended() <= at + policy.grace, "{:?}", runtime.ended());
        }
    }

    #[test]
    fn nothing_of_the_call_begins_after_its_end(script in script(), policy in policy()) {
        let (outcome, runtime) = SimulatedRuntime::play(&script, &call(), &policy);
        let ends = [policy.deadline, script.cancelled_at].into_iter().flatten();
        let end = ends.min().unwrap_or(Duration::MAX);
        for (attempt, _) in runtime.calls(&outcome) {
            prop_assert!(attempt.began < end, "{attempt:#?}");
        }
    }

    #[test]
    fn the_story_explains_each_step(script in script(), policy in policy()) {
        let (outcome, runtime) = SimulatedRuntime::play(&script, &call(), &policy);
        let steps = &outcome.trace.steps;
        prop_assert_eq!(steps.len(), runtime.attempts.len());
        for (step, attempt) in steps.iter().zip(&runtime.attempts) {
            prop_assert_eq!(&step.argv, &attempt.argv);
            let verdict = &step.decision;
            prop_assert!(!verdict.reason.is_empty());
            prop_assert!(manila::ROWS.iter().any(|row| row.id == verdict.row), "{}", verdict.row);
        }
        prop_assert!(steps.first().is_none_or(|first| first.cause == Cause::First));
        for pair in steps.windows(2) {
            prop_assert!(leads_to(&pair[0], &pair[1]), "{:#?}", pair);
        }
        prop_assert_eq!(outcome.trace.duration_ms, millis(runtime.ended()));
    }

    #[test]
    fn a_success_is_the_undisputed_last_answer(
        script in script(),
        policy in policy(),
    ) {
        let (outcome, runtime) = SimulatedRuntime::play(&script, &call(), &policy);
        if !outcome.envelope.ok() {
            return Ok(());
        }
        let (attempt, step) = runtime.calls(&outcome).pop().unwrap();
        prop_assert_eq!(attempt.answer.status, Status::Exited(0));
        prop_assert_eq!(outcome.trace.steps.last().map(|step| &step.argv), Some(&attempt.argv));
        match attempt.answer.claim {
            Claim::Success | Claim::Vague => {}
            Claim::Silent => {
                prop_assert!(!outcome.trace.unknown.is_empty());
                let is_page = |step: &Step| matches!(step.cause, Cause::NextPage { .. });
                prop_assert!(!outcome.trace.steps.iter().any(is_page), "{attempt:#?}");
            }
            // Text of which only the beginning is kept is a success that says so.
            Claim::Otherwise => {
                let is_cut_text = attempt.answer.ending == Ending::Flood && outcome.envelope.meta().truncated;
                prop_assert!(is_cut_text, "{attempt:#?} {step:#?}");
            }
        }
        // The rest is reported as a rest.
        let is_whole = step.decision.action == Action::Accept || attempt.answer.claim == Claim::Silent;
        prop_assert!(is_whole != outcome.envelope.meta().truncated, "{attempt:#?} {step:#?}");
    }

    #[test]
    fn only_those_are_started_who_are_trusted(script in script(), policy in policy()) {
        let (outcome, runtime) = SimulatedRuntime::play(&script, &call(), &policy);
        for (attempt, step) in runtime.attempts.iter().zip(&outcome.trace.steps) {
            if step.cause == Cause::Refresh {
                // The caller's own words.
                prop_assert_eq!(attempt.argv.join(" "), format!("{RENEW} token"));
                continue;
            }
            let is_forbidden = |word: &String| word.starts_with(FORBIDDEN);
            prop_assert!(policy.denied_args.is_empty() || !attempt.argv.iter().any(is_forbidden));
            let is_ours = attempt.argv.join(" ").starts_with(&format!("{TOOL} run 1"));
            let is_trusted = match policy.trust {
                Trust::Never => is_ours,
                Trust::SameProgram => attempt.argv[0] == TOOL,
                Trust::Any => true,
                Trust::Ask(_) => is_ours || attempt.argv.iter().any(|word| word == AGREED),
            };
            prop_assert!(is_trusted, "{:?}", attempt.argv);
            prop_assert!(policy.fixes || step.cause != Cause::Fix);
        }
    }

    #[test]
    fn the_same_script_is_the_same_story(script in script(), policy in policy()) {
        let played = |(outcome, runtime): (Outcome, SimulatedRuntime)| {
            (serde_json::to_string(&outcome.with_summary(crate::Detail::Steps)).unwrap(), runtime.lines(), runtime.ended())
        };
        let once = played(SimulatedRuntime::play(&script, &call(), &policy));
        prop_assert_eq!(once, played(SimulatedRuntime::play(&script, &call(), &policy)));
    }
}

/// A law about what never happens would prove nothing.
#[test]
fn the_scripts_lead_everywhere() {
    let chance = TestRng::deterministic_rng(RngAlgorithm::XorShift);
    let mut runner = TestRunner::new_with_rng(config(), chance);
    let scripts = (script(), policy());
    let (mut rows, mut causes, mut ends) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for _ in 0..4_000 {
        let (script, policy) = scripts.new_tree(&mut runner).unwrap().current();
        let (outcome, _) = SimulatedRuntime::play(&script, &call(), &policy);
        for step in &outcome.trace.steps {
            rows.insert(step.decision.row);
            let cause = serde_json::to_value(&step.cause).unwrap();
            causes.insert(cause["because"].as_str().unwrap().to_owned());
        }
        ends.insert(outcome.envelope.error().map_or("none".to_owned(), |error| error.code.clone()));
    }
    // This one never decides anything.
    let all = manila::ROWS.iter().map(|row| row.id).filter(|row| *row != "warnings-absent");
    assert_eq!(rows, all.collect());
    let all = "again first fix next-page redirect refresh retry without-etag";
    assert_eq!(causes.iter().map(String::as_str).collect::<Vec<_>>().join(" "), all);
    let some = "none CANCELLED DEADLINE TOO_MANY_ATTEMPTS UNTRUSTED_ANSWER TIMEOUT KILLED \
                OUTPUT_TOO_LARGE SYSTEM_REFUSED FAILED_WITHOUT_ENVELOPE MALFORMED_ENVELOPE";
    for end in some.split_whitespace() {
        assert!(ends.contains(end), "{end}");
    }
}

/// Whether the step after is what was decided about the step before.
fn leads_to(before: &Step, after: &Step) -> bool {
    if is_aside(before) {
        return after.cause == Cause::Again;
    }
    match (&before.decision.action, &after.cause) {
        (Action::Retry { wait_ms, change: None }, Cause::Retry { waited_ms }) => {
            wait_ms == waited_ms
        }
        (Action::NextPage { cursor: asked }, Cause::NextPage { cursor }) => {
            asked == cursor && after.argv.iter().any(|word| word.ends_with(cursor))
        }
        (Action::Redirect { command: stated, .. }, Cause::Redirect { command }) => {
            stated == command
        }
        (Action::Retry { change: Some(Change::WithoutEtag), .. }, Cause::WithoutEtag)
        | (Action::RefreshCredentials, Cause::Refresh)
        | (Action::ApplyFix { .. }, Cause::Fix) => true,
        _ => false,
    }
}

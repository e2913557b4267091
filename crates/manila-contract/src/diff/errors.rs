//! Compares failures: codes that were removed, added, renamed, merged or split, their classes, exit codes and
//! advice for the caller.

use super::change::{Place, Sink, place};
use super::rule::Rule;
use super::rule::errors as rules;
use super::rule::process::{EXIT_STATUS_CHANGED, FAILURE_NOW_NONZERO, FAILURE_NOW_ZERO};
use crate::lock::{Attribute, Command, Facts, Failure, Group, Outcome};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn compare(old: &Command, new: &Command, sink: &mut Sink<'_>) {
    let turned = Turned::new(old, new);
    let mut explained: [BTreeSet<&Failure>; 2] = [BTreeSet::new(), BTreeSet::new()];
    for (was, is) in turned.pairs() {
        explained[0].insert(was);
        explained[1].insert(is);
        changed(was, is, old, new, sink);
    }
    for (was, all) in turned.split(new) {
        explained[0].insert(was);
        explained[1].extend(&all);
        let shown = all.iter().map(|it| code(it)).collect::<Vec<_>>().join(", ");
        let at = |value| Some(place(was.to_string(), value));
        sink.add(&rules::ERROR_CODE_SPLIT, at(code(was)), at(shown));
    }
    for (is, all) in turned.merged(old) {
        explained[1].insert(is);
        explained[0].extend(&all);
        let shown = all.iter().map(|it| code(it)).collect::<Vec<_>>().join(", ");
        let at = |value| Some(place(is.to_string(), value));
        sink.add(&rules::ERROR_CODES_MERGED, at(shown), at(code(is)));
    }
    for (failure, was) in &old.failures {
        match new.failures.get(failure) {
            Some(is) => advice([failure, failure], [was, is], is_same_dialect(old, new), sink),
            None if explained[0].contains(failure) || turned.ends(failure) => {}
            None => only(failure, true, sink),
        }
    }
    for failure in new.failures.keys().filter(|it| !old.failures.contains_key(it)) {
        if !explained[1].contains(failure) && !turned.begins(failure) {
            only(failure, false, sink);
        }
    }
}

fn code(failure: &Failure) -> String {
    match failure {
        Failure::Code(code) => code.clone(),
        Failure::Exit(status) => format!("exit code {status}"),
    }
}

/// A code that is on one side only. A failure without a code is reported by its calls.
fn only(failure: &Failure, is_gone: bool, sink: &mut Sink<'_>) {
    if let Failure::Code(_) = failure {
        let place = Some(place(failure.to_string(), ""));
        if is_gone {
            sink.add(&rules::ERROR_CODE_REMOVED, place, None);
        } else {
            sink.add(&rules::ERROR_CODE_ADDED, None, place);
        }
    }
}

/// Which failure of the old contract became which of the new one, by equal calls.
struct Turned<'c> {
    forward: BTreeMap<&'c Failure, BTreeSet<&'c Failure>>,
    backward: BTreeMap<&'c Failure, BTreeSet<&'c Failure>>,
    /// Failures of calls that are none on the other side, or were not made there.
    ends: BTreeSet<&'c Failure>,
    begins: BTreeSet<&'c Failure>,
}

/// The failures among outcomes.
fn failures(all: &BTreeSet<Outcome>) -> Vec<&Failure> {
    all.iter().filter_map(|it| if let Outcome::Failed(it) = it { Some(it) } else { None }).collect()
}

impl<'c> Turned<'c> {
    fn new(old: &'c Command, new: &'c Command) -> Turned<'c> {
        let mut turned = Turned {
            forward: BTreeMap::new(),
            backward: BTreeMap::new(),
            ends: BTreeSet::new(),
            begins: BTreeSet::new(),
        };
        for (name, was) in &old.calls {
            let was = failures(was);
            let is = new.calls.get(name).map(|it| failures(it)).unwrap_or_default();
            if is.is_empty() {
                turned.ends.extend(&was);
            }
            if let ([was], [is]) = (was.as_slice(), is.as_slice()) {
                turned.forward.entry(was).or_default().insert(is);
                turned.backward.entry(is).or_default().insert(was);
            }
        }
        for (name, is) in &new.calls {
            if old.calls.get(name).map(|it| failures(it)).unwrap_or_default().is_empty() {
                turned.begins.extend(failures(is));
            }
        }
        turned
    }

    /// One became one other. A failure without a code is nothing but its exit code, which several may have.
    fn pairs(&self) -> Vec<(&'c Failure, &'c Failure)> {
        let only =
            |set: &BTreeSet<&'c Failure>| if set.len() == 1 { set.first().copied() } else { None };
        let one = |(was, all): (&&'c Failure, &BTreeSet<&'c Failure>)| {
            let is = only(all)?;
            let back = self.backward.get(is).and_then(only)?;
            (back == *was && is != *was).then_some((*was, is))
        };
        let are_exits =
            |pair: &(&Failure, &Failure)| matches!(pair, (Failure::Exit(_), Failure::Exit(_)));
        let exits = self.forward.iter().flat_map(|(was, all)| all.iter().map(|is| (*was, *is)));
        let exits = exits.filter(|pair| are_exits(pair) && pair.0 != pair.1);
        let named = self.forward.iter().filter_map(one).filter(|pair| !are_exits(pair));
        named.chain(exits).collect()
    }

    /// One became several, of which at least one is new; all have codes.
    fn split(&self, new: &Command) -> Vec<(&'c Failure, BTreeSet<&'c Failure>)> {
        let is_code = |it: &&Failure| matches!(it, Failure::Code(_));
        let several = self
            .forward
            .iter()
            .filter(|(was, all)| all.len() > 1 && is_code(was) && all.iter().all(is_code));
        let several = several.filter(|(was, all)| {
            !new.failures.contains_key(**was)
                || all.iter().any(|it| self.backward[it].len() == 1 && it != *was)
        });
        several.map(|(was, all)| (*was, all.clone())).collect()
    }

    /// Several became one.
    fn merged(&self, old: &Command) -> Vec<(&'c Failure, BTreeSet<&'c Failure>)> {
        let is_code = |it: &&Failure| matches!(it, Failure::Code(_));
        let several = self
            .backward
            .iter()
            .filter(|(is, all)| all.len() > 1 && is_code(is) && all.iter().all(is_code));
        let several = several.filter(|(is, all)| {
            !old.failures.contains_key(**is)
                || all.iter().any(|it| self.forward[it].len() == 1 && it != *is)
        });
        several.map(|(is, all)| (*is, all.clone())).collect()
    }

    fn ends(&self, failure: &Failure) -> bool {
        self.ends.contains(failure) || (matches!(failure, Failure::Exit(_)))
    }

    fn begins(&self, failure: &Failure) -> bool {
        self.begins.contains(failure) || (matches!(failure, Failure::Exit(_)))
    }
}

/// One failure that became another.
fn changed(was: &Failure, is: &Failure, old: &Command, new: &Command, sink: &mut Sink<'_>) {
    // A code that both sides have did not change its name. An exit code has no name: the call ends with another.
    let is_kept = new.failures.contains_key(was) || old.failures.contains_key(is);
    if is_kept && !matches!((was, is), (Failure::Exit(_), Failure::Exit(_))) {
        return;
    }
    let at = |failure: &Failure| Some(place(failure.to_string(), ""));
    match (was, is) {
        (Failure::Code(_), Failure::Code(_)) => {
            sink.add(&rules::ERROR_CODE_RENAMED, at(was), at(is));
        }
        (Failure::Code(_), Failure::Exit(_)) => sink.add(&rules::ERROR_CODE_LOST, at(was), at(is)),
        (Failure::Exit(_), Failure::Code(_)) => {
            sink.add(&rules::ERROR_CODE_GAINED, at(was), at(is));
        }
        (Failure::Exit(_), Failure::Exit(_)) => {}
    }
    if let (Some(before), Some(after)) = (old.failures.get(was), new.failures.get(is)) {
        let is_kind_kept = matches!(was, Failure::Code(_)) == matches!(is, Failure::Code(_));
        let [before, after] = [before, after].map(|facts| {
            // What is said beside a code comes and goes with it.
            let is_kept =
                |it: Attribute| is_kind_kept || matches!(it, Attribute::Status | Attribute::Class);
            facts.iter().filter(|(it, _)| is_kept(**it)).map(|(it, of)| (*it, of.clone())).collect()
        });
        advice([was, is], [&before, &after], is_same_dialect(old, new), sink);
    }
}

/// Whether the failures of both are read alike: the class of one may depend on its dialect.
fn is_same_dialect(old: &Command, new: &Command) -> bool {
    let dialect = |command: &Command| {
        command.answers.get(&Group::Failure)?.facts.get(&Attribute::Dialect).cloned()
    };
    dialect(old) == dialect(new)
}

fn advice(
    [was, is]: [&Failure; 2],
    [old, new]: [&Facts; 2],
    is_same_dialect: bool,
    sink: &mut Sink<'_>,
) {
    let at = |failure: &Failure, facts: &Facts, attribute: Attribute| {
        let values = facts.get(&attribute)?.iter().cloned().collect::<Vec<_>>().join(" ");
        Some(place(format!("{failure} {}", attribute.as_str()), values))
    };
    let both = |attribute| (at(was, old, attribute), at(is, new, attribute));
    let differs = |pair: &(Option<Place>, Option<Place>)| match pair {
        (Some(was), Some(is)) => was.value != is.value,
        _ => false,
    };
    let status = both(Attribute::Status);
    let class = both(Attribute::Class);
    // Which classes a code has depends on the calls; another class has none of them.
    let has_common = match (old.get(&Attribute::Class), new.get(&Attribute::Class)) {
        (Some(was), Some(is)) => !was.is_disjoint(is),
        _ => true,
    };
    let is_other_class = !has_common && is_same_dialect;
    // A failure that ends with 0 is of the class of successes.
    let mut is_told = false;
    if differs(&status) {
        let is_zero = |place: &Option<Place>| place.as_ref().is_some_and(|it| it.value == "0");
        let rule = match (is_zero(&status.0), is_zero(&status.1)) {
            (false, true) => &FAILURE_NOW_ZERO,
            (true, false) => &FAILURE_NOW_NONZERO,
            _ => &EXIT_STATUS_CHANGED,
        };
        // A failure of another class has another exit code; that is one change.
        let is_exit = rule == &EXIT_STATUS_CHANGED;
        is_told = !is_exit;
        if !(is_exit && is_other_class) {
            sink.add(rule, status.0, status.1);
        }
    }
    if is_other_class && !is_told {
        sink.add(&rules::ERROR_CLASS_CHANGED, class.0, class.1);
    }
    let retryable = both(Attribute::Retryable);
    match (&retryable.0, &retryable.1) {
        (Some(was), Some(is)) if was.value != is.value => {
            // Runs may differ: never, sometimes, always.
            let rank = |place: &Place| {
                usize::from(place.value.contains("true"))
                    + usize::from(!place.value.contains("false"))
            };
            let is_true = rank(is) > rank(was);
            let rule: &'static Rule = if is_true {
                &rules::RETRYABLE_BECAME_TRUE
            } else {
                &rules::RETRYABLE_BECAME_FALSE
            };
            sink.add(rule, retryable.0, retryable.1);
        }
        _ => sink.gone_or_new(
            (&rules::RETRYABLE_REMOVED, &rules::RETRYABLE_ADDED),
            retryable.0,
            retryable.1,
        ),
    }
    for (attribute, changed, gone, new) in [
        (
            Attribute::RetryAfter,
            Some(&rules::RETRY_AFTER_UNIT_CHANGED),
            &rules::RETRY_AFTER_REMOVED,
            &rules::RETRY_AFTER_ADDED,
        ),
        (Attribute::Phase, Some(&rules::PHASE_CHANGED), &rules::PHASE_REMOVED, &rules::PHASE_ADDED),
        (Attribute::Suggestion, None, &rules::SUGGESTION_REMOVED, &rules::SUGGESTION_ADDED),
        (Attribute::Redirect, None, &rules::REDIRECT_REMOVED, &rules::REDIRECT_ADDED),
    ] {
        let pair = both(attribute);
        match changed.filter(|_| differs(&pair)) {
            Some(rule) => sink.add(rule, pair.0, pair.1),
            None => sink.gone_or_new((gone, new), pair.0, pair.1),
        }
    }
}

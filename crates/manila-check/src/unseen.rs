//! What a check did not see of a program: calls that were not made in time, and commands that lacked something.

use crate::observe::probe::Probe;
use crate::observe::run::{Ended, Run};
use crate::plan::usual::{special_of_one, usual_of_one};
use crate::rule::definition::Rule;
use crate::surface::model::Surface;
use manila::Exit;
use std::collections::{BTreeMap, BTreeSet};

/// What was run and not judged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unjudged {
    rules: usize,
    runs: usize,
    /// How many runs wrote more than is kept.
    oversized: usize,
    /// How many rules were not judged in time.
    pub(crate) late: usize,
    /// How many runs were not read in time.
    pub(crate) unread: usize,
}

impl Unjudged {
    /// What is known before any rule is judged.
    pub(crate) fn of(rules: &[&'static Rule], runs: &[Run]) -> Unjudged {
        let oversized = runs.iter().filter(|run| run.ended == Ended::Oversized).count();
        Unjudged { rules: rules.len(), runs: runs.len(), oversized, late: 0, unread: 0 }
    }

    /// Whether the deadline is the reason.
    pub(crate) fn is_cut_short(&self) -> bool {
        self.late + self.unread > 0
    }

    /// The same in words.
    pub(crate) fn gaps(&self) -> impl Iterator<Item = String> {
        let Unjudged { rules, runs, oversized, late, unread } = *self;
        let late = format!("{late} of {rules} rules were not judged before the deadline");
        let unread = format!(
            "{unread} of {runs} runs wrote too much to be read before the deadline; raise --deadline"
        );
        let oversized = format!(
            "{oversized} of {runs} runs wrote more than is kept, so their answers were not judged"
        );
        let all = [(self.late, late), (self.unread, unread), (self.oversized, oversized)];
        all.into_iter().filter(|(count, _)| *count > 0).map(|(_, text)| text)
    }
}

/// Which calls were not made in time, in words.
pub(crate) fn left_out(planned: &[Probe], made: &[Option<Run>]) -> Option<String> {
    let skipped = planned.iter().zip(made).filter(|(_, run)| run.is_none());
    let mut commands: BTreeMap<String, usize> = BTreeMap::new();
    for (probe, _) in skipped {
        *commands.entry(probe.command.join(" ")).or_default() += 1;
    }
    let calls: usize = commands.values().sum();
    let mut names: Vec<String> =
        commands
            .into_keys()
            .map(|name| {
                if name.is_empty() { "the program itself".to_owned() } else { format!("`{name}`") }
            })
            .collect();
    let more = names.len().saturating_sub(MOST_NAMED);
    names.truncate(MOST_NAMED);
    let more = if more > 0 { format!(" and {more} more commands") } else { String::new() };
    (calls > 0).then(|| {
        format!(
            "{calls} calls were not made before the deadline: of {}{more}; raise --deadline",
            names.join(", ")
        )
    })
}

/// How many commands are named where some were left out.
const MOST_NAMED: usize = 8;

/// Which commands failed for want of something, in words: a line for each thing.
pub(crate) fn lacking(commands: BTreeMap<Exit, Vec<Vec<String>>>) -> impl Iterator<Item = String> {
    let mut things: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (class, commands) in commands {
        let what = match class {
            Exit::AuthRequired | Exit::PermissionDenied | Exit::PaymentRequired => "a login",
            Exit::Unavailable | Exit::Timeout | Exit::RateLimited => "a service or the network",
            _ => "a project or a configuration",
        };
        things.entry(what).or_default().extend(commands.iter().map(|words| words.join(" ")));
    }
    things.into_iter().map(|(what, commands)| {
        let names = commands.iter().take(MOST_NAMED).map(|name| match name.as_str() {
            "" => "the program itself".to_owned(),
            name => format!("`{name}`"),
        });
        let names: Vec<String> = names.collect();
        let more = commands.len().saturating_sub(MOST_NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!(
            "{}{more} failed for want of {what}; declare a fixture or env in manila.toml",
            names.join(", ")
        )
    })
}

/// The rules that could be broken by calls which were not made: their own, or the usual ones, of one command of each
/// shape. Calls of further commands widen what is seen, and are named where they are left out.
pub(crate) fn unseen(
    surface: &Surface,
    rules: &[&'static Rule],
    planned: &[Probe],
    made: &[Option<Run>],
) -> BTreeSet<&'static str> {
    let lacking = planned.iter().zip(made).filter(|(_, run)| run.is_none());
    let lacking: BTreeSet<&Probe> = lacking.map(|(probe, _)| probe).collect();
    let lacks = |probes: Vec<Probe>| probes.iter().any(|probe| lacking.contains(probe));
    let lacks_usual = lacks(usual_of_one(surface));
    let is_unseen = |rule: &&&Rule| lacks_usual || lacks(special_of_one(surface, rule.plan));
    rules.iter().filter(is_unseen).map(|rule| rule.id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::probe::{Purpose, Stdout};
    use crate::rule::rule;
    use manila::Transcript;

    #[test]
    fn a_rule_is_unseen_if_a_call_of_its_own_or_a_usual_one_was_not_made() {
        let surface = crate::testing::surface();
        let rules = ["closed-reader-crash", "failure-with-exit-zero"].map(|id| rule(id).unwrap());
        let lacking =
            |probe: &Probe| unseen(&surface, &rules, std::slice::from_ref(probe), &[None]);
        let sample = crate::testing::ran(Purpose::Sample, "", 0).probe;
        assert_eq!(lacking(&sample).len(), 2, "a usual one");
        let own = sample.clone().with_stdout(Stdout::ClosedPipe { after: 0 });
        assert_eq!(lacking(&own).into_iter().collect::<Vec<_>>(), ["closed-reader-crash"]);
        let other = Probe { command: vec!["other".to_owned()], ..sample.clone() };
        assert_eq!(lacking(&other).len(), 0, "of no such command");
        assert!(
            unseen(
                &surface,
                &rules,
                std::slice::from_ref(&sample),
                &[Some(Run::recorded(sample.clone(), Transcript::default()))]
            )
            .is_empty()
        );
    }
}

//! The words that several formats use for the same part of a report.

use super::put;
use crate::profile::Profile;
use crate::report::cause::Cause;
use crate::report::model::{Outcome, Report, RunSummary};
use crate::rule::verdict::Finding;
use std::time::Duration;

/// What is said of a profile that is not known.
const UNSEEN: &str =
    "the deadline passed before it was seen what the program promises; raise --deadline";

impl Report {
    /// The verdict in a few words, which follow the name of the program.
    pub fn headline(&self) -> String {
        match self.outcome() {
            Outcome::Conforms => "conforms".to_owned(),
            Outcome::DoesNotConform => "does not conform".to_owned(),
            Outcome::Inconclusive => {
                let [_, _, undecided] = self.counts();
                let all = self.judged.len();
                format!("is inconclusive: {} of {all} rules decided", all - undecided)
            }
        }
    }

    /// What the profile means and how many rules it makes apply, in words.
    pub(crate) fn profile_line(&self) -> String {
        let (applying, all) = (self.judged.len(), self.judged.len() + self.not_applicable);
        let about = self.profile.map_or(UNSEEN, Profile::about);
        format!("{about}; {applying} of {} apply", counted(all, "rule"))
    }

    /// The score in words; no grade where little is known.
    pub(crate) fn score_line(&self) -> String {
        let covered = self.score().covered;
        match self.grade() {
            Some(held) => format!("{held} of 100, with {covered} % covered"),
            None => format!("no grade: only {covered} % covered"),
        }
    }

    /// Which rules failed, in one sentence.
    pub fn complaint(&self) -> String {
        let ids: Vec<&str> = self.failing().map(|judged| judged.rule.id).collect();
        format!("{} failed: {}", counted(ids.len(), "rule"), ids.join(", "))
    }

    /// How many rules came to which verdict, in words.
    pub fn tally(&self) -> String {
        let [passed, failed, undecided] = self.counts();
        let mut tally = format!("{passed} passed, {failed} failed, {undecided} undecided");
        let waived = self.waived();
        if waived > 0 {
            put(&mut tally, format_args!(", {} waived", counted(waived, "finding")));
        }
        tally
    }
}

impl Cause<'_> {
    /// Where it shows beside the first finding, in words: `and 12 more commands`.
    pub fn more(&self) -> Option<String> {
        match (self.commands().len(), self.calls()) {
            (_, 1) => None,
            (1, calls) => Some(format!("and {} of the same", counted(calls - 1, "more call"))),
            (commands, _) => Some(format!("and {}", counted(commands - 1, "more command"))),
        }
    }

    /// Every command that shows it, in words.
    pub fn places(&self) -> Vec<String> {
        self.commands().into_iter().map(place).collect()
    }
}

impl Finding {
    /// The command that broke the rule, in words.
    pub fn place(&self) -> String {
        place(&self.command)
    }
}

fn place(command: &[String]) -> String {
    match command {
        [] => "the program itself".to_owned(),
        words => words.join(" "),
    }
}

impl RunSummary {
    /// What was run, in words.
    pub fn text(&self) -> String {
        if self.containment.is_empty() {
            return counted(self.probes, "recorded run");
        }
        let mut text = format!(
            "{}, {} of {}{}, {}, {} at most",
            counted(self.probes, "run"),
            self.run,
            counted(self.commands, "command"),
            if self.withheld > 0 {
                format!(" ({} not called: not known to be read-only)", self.withheld)
            } else {
                String::new()
            },
            seconds(self.time),
            mebibytes(self.peak_memory),
        );
        if self.skipped > 0 {
            put(&mut text, format_args!("; {} not made in time", counted(self.skipped, "run")));
        }
        text
    }
}

/// A number of things, in words.
pub fn counted(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

fn seconds(time: Duration) -> String {
    format!("{}.{:02} s", time.as_secs(), time.subsec_millis() / 10)
}

fn mebibytes(bytes: u64) -> String {
    format!("{} MiB", bytes.div_ceil(1 << 20))
}

#[cfg(test)]
mod tests {
    use crate::report::fixtures::report;
    use crate::rule::verdict::Verdict;

    #[test]
    fn the_headline_of_an_inconclusive_check_says_how_much_was_decided() {
        let mut report = report();
        assert_eq!(report.headline(), "does not conform");
        report.judged.retain(|judged| matches!(judged.verdict, Verdict::Undecided { .. }));
        assert_eq!(report.headline(), "is inconclusive: 0 of 1 rules decided");
    }

    #[test]
    fn the_rest_is_counted_by_commands_and_else_by_calls() {
        let report = report();
        let more: Vec<_> = report.causes().filter_map(|(_, cause)| cause.more()).collect();
        assert_eq!(more, ["and 1 more command", "and 1 more call of the same"]);
    }
}

//! The words that several formats use for the same part of a comparison.

use crate::diff::Bump;
use crate::report::{Classified, Comparison, Outcome, Purpose, Test, Witness};
use manila_check::internal::counted;

impl Comparison {
    /// The command that made it.
    pub fn title(&self) -> &'static str {
        match self.purpose {
            Purpose::Diff => "manila diff",
            Purpose::Verify => "manila verify",
        }
    }

    /// What was compared, in words.
    pub fn subject(&self) -> String {
        match self.purpose {
            Purpose::Diff => format!("{} → {}", self.names[0], self.names[1]),
            Purpose::Verify => format!("{} against {}", self.names[1], self.names[0]),
        }
    }

    /// The outcome in a few words.
    pub(crate) fn headline(&self) -> &'static str {
        match (self.outcome(), self.purpose) {
            (Outcome::Clean, Purpose::Diff) => "nothing breaking",
            (Outcome::Clean, Purpose::Verify) => "as the lock says",
            (Outcome::Changed, Purpose::Diff) => "breaking",
            (Outcome::Changed, Purpose::Verify) => "not as the lock says",
            (Outcome::Incomplete, _) => "could not be compared in full",
        }
    }

    /// How many changes there are, in words.
    pub fn tally(&self) -> String {
        let [breaking, human, compatible] = self.counts();
        let mut tally = format!(
            "{breaking} breaking, {} a human, {compatible} compatible",
            if human == 1 { "1 needs".to_owned() } else { format!("{human} need") }
        );
        let accepted = self.changes.len() - self.open().count();
        if accepted > 0 {
            tally.push_str(&format!(", {accepted} accepted"));
        }
        if !self.snapshots.is_empty() {
            tally.push_str(&format!(", {} changed", counted(self.snapshots.len(), "snapshot")));
        }
        tally
    }

    /// Which rules count against it, in one sentence.
    pub fn complaint(&self) -> String {
        let rules = self.rules();
        let changes = self.changes.iter().filter(|it| self.counts_against(it)).count();
        let what = match self.purpose {
            Purpose::Diff => counted(changes, "breaking change"),
            Purpose::Verify => counted(changes, "difference"),
        };
        match (rules.is_empty(), self.snapshots.is_empty()) {
            (true, false) => format!("{} changed", counted(self.snapshots.len(), "snapshot")),
            _ => format!("{what}: {}", rules.join(", ")),
        }
    }

    /// The smallest honest versions, in one sentence.
    pub(crate) fn advice(&self) -> String {
        let (program, envelope) = self.bumps();
        let program = match program {
            Bump::None => "the program needs no new version".to_owned(),
            bump => format!("the program needs a {} version", bump.as_str()),
        };
        match envelope {
            Bump::None if !self.has_envelope => program,
            Bump::None => format!("{program}, the envelope keeps its version"),
            bump => format!("{program}, the envelope a {} one", bump.as_str()),
        }
    }
}

impl Classified {
    /// The change in one line.
    pub fn line(&self) -> String {
        let change = &self.change;
        let (subject, values) = (change.subject(), change.values());
        match (subject.is_empty(), values.is_empty()) {
            (true, _) => change.rule.what.trim_end_matches('.').to_owned(),
            (false, true) => subject,
            (false, false) => format!("{subject}: {values}"),
        }
    }

    /// What was run for it, in words.
    pub(crate) fn witnessed(&self) -> Option<String> {
        let held = |test: &Test| format!("`{}` holds for `{}`", test.holds, test.old_call);
        match &self.witness {
            Witness::None => None,
            Witness::Confirmed(test) => {
                Some(format!("{} and not for `{}`", held(test), test.new_call))
            }
            Witness::Unconfirmed(test) if test.old_call.is_empty() => {
                Some("no call shows it; a person has to look".to_owned())
            }
            Witness::Unconfirmed(test) => Some(format!(
                "could not be confirmed with `{}`; a person has to look",
                test.old_call
            )),
        }
    }
}

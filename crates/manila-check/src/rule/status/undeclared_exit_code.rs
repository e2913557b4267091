//! A command ends with a status that it does not declare.

use super::one_status_for_all::one_status;
use super::{at_outcome, exited, is_reserved, settled, succeeds_with_nonzero};
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::Evidence;
use crate::rule::evidence::dedup_key;
use crate::rule::refusal::is_unknown_command;
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use std::collections::BTreeSet;

pub(crate) static RULE: Rule = Rule {
    id: "undeclared-exit-code",
    family: Family::Status,
    severity: Severity::Warning,
    scope: Scope::MANIFEST,
    flaw: "A command ends with an exit status that it does not declare.",
    fix: "Declare every status that a command ends with, or end with one that is declared.",
    page: include_str!("undeclared_exit_code.md"),
    modes: &[1],
    requirements: &["F-001"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    let mut found = BTreeSet::new();
    let for_all = one_status(evidence);
    for seen in settled(evidence) {
        let Some(declared) = seen.command.and_then(|it| it.exit_codes.as_ref()) else { continue };
        let Some(status) = exited(seen) else { continue };
        builder.observe();
        let is_known = status == 0 || declared.contains(&status);
        // Numbers that mean something else to a shell, and contradictions, have rules of their own.
        if is_known
            || is_reserved(status)
            || for_all == Some(status)
            || succeeds_with_nonzero(seen)
            // A command that is not there keeps no promise.
            || is_unknown_command(evidence, seen)
            || !found.insert((dedup_key(seen), status))
        {
            continue;
        }
        let declared: Vec<String> = declared.iter().map(ToString::to_string).collect();
        let message = format!(
            "{} ends with {status}, and declares {}",
            seen.called(),
            if declared.is_empty() { "none".to_owned() } else { declared.join(", ") }
        );
        let finding = Finding::new(seen, message).because_of(status.to_string());
        builder.report(at_outcome(finding, seen));
    }
    builder.verdict("no command declares its exit statuses", None)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::Purpose;
    use crate::testing::{judge_with, ran, surface};

    fn verdict(declared: Option<Vec<i32>>, status: i32) -> &'static str {
        let mut surface = surface();
        surface.commands[1].exit_codes = declared;
        judge_with(&RULE, &surface, &[ran(Purpose::Missing, r#"{"ok":false}"#, status)]).as_str()
    }

    #[test]
    fn only_declared_numbers_are_expected() {
        assert_eq!(verdict(Some(vec![0, 3]), 4), "failed");
        assert_eq!(verdict(Some(vec![0, 3]), 3), "passed");
        assert_eq!(verdict(Some(vec![0, 3]), 0), "passed");
        assert_eq!(verdict(Some(vec![0, 3]), 255), "passed");
        assert_eq!(verdict(None, 4), "undecided");
    }
}

//! The number is not the one that the dialect has for the error's class.

use super::one_status_for_all::one_status;
use super::{at_outcome, exited, settled};
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::dedup_key;
use crate::rule::evidence::{Evidence, ObservedRun};
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use manila::exit::Grain;
use manila::{Confidence, Exit};
use std::collections::BTreeSet;

pub(crate) static RULE: Rule = Rule {
    id: "exit-class-differs",
    family: Family::Status,
    severity: Severity::Warning,
    scope: Scope::ENVELOPE,
    flaw: "The exit status is not the one that the dialect has for the error's code.",
    fix: "End with the number that the dialect's table has for the error.",
    page: include_str!("exit_class_differs.md"),
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
        let Some((class, expected)) = expected(seen) else { continue };
        let Some(status) = exited(seen).filter(|status| *status != 0) else { continue };
        builder.observe();
        // A command's own numbers are its own business, if it declares them. Another rule reports
        // undeclared numbers, and one more a program that ends everything with one number.
        let is_own = matches!(status, 64..=125);
        let declared = seen.command.and_then(|it| it.exit_codes.as_ref());
        let is_undeclared = declared.is_some_and(|codes| !codes.contains(&status));
        if status == expected
            || is_own
            || is_undeclared
            || super::is_reserved(status)
            || for_all == Some(status)
            || !found.insert((dedup_key(seen), class))
        {
            continue;
        }
        let message = format!(
            "{} ends with {status}, and {} is {expected} in its dialect",
            seen.called(),
            class.name()
        );
        builder.report(at_outcome(Finding::new(seen, message), seen));
    }
    builder.verdict("no failure is in a dialect that has a number for it", None)
}

/// The class that an error's code names, and its number, where both are beyond doubt.
fn expected(seen: &ObservedRun<'_>) -> Option<(Exit, i32)> {
    let opened = seen.reading.opened.as_ref()?;
    let (code, _) = seen.reading.answer.as_ref()?.code.as_ref()?;
    let about = opened.detection.dialect.table();
    let known = about.codes.iter().find(|(name, _)| name == code).map(|(_, class)| *class);
    let class = known.or_else(|| Exit::from_name(code))?;
    // A coarse table has one number for many classes.
    let is_fine = about.exits.grain == Grain::Fine;
    // Two revisions of one dialect swap these numbers, and what answers say of their revision is as
    // often said of something else: the contract of the command.
    let is_swapped = matches!(class, Exit::ArgError | Exit::PartialFailure)
        && about.id.starts_with("response-envelope/")
        && matches!(exited(seen), Some(2 | 3));
    let is_clear = is_fine
        && opened.detection.confidence == Confidence::Certain
        && !opened.detection.contested
        && !is_swapped
        && !matches!(class, Exit::Success | Exit::General);
    let row = about.exits.rows.iter().find(|row| row.exit == class).filter(|_| is_clear)?;
    Some((class, row.status))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::Purpose;
    use crate::testing::{judge, ran};

    fn verdict(code: &str, status: i32) -> &'static str {
        let stdout = format!(
            r#"{{"ok":false,"data":null,"error":{{"code":"{code}","message":"m"}},"warnings":[],"meta":{{"duration_ms":1,"schema_version":"1.0"}}}}"#
        );
        judge(&RULE, &[ran(Purpose::Missing, stdout, status)]).as_str()
    }

    #[test]
    fn the_table_has_a_number_for_a_class() {
        assert_eq!(verdict("NOT_FOUND", 5), "passed");
        assert_eq!(verdict("NOT_FOUND", 4), "failed");
        assert_eq!(verdict("NOT_FOUND", 80), "passed");
        assert_eq!(verdict("NO_SUCH_NOTE", 4), "undecided");
        assert_eq!(verdict("ARG_ERROR", 4), "failed");
        assert_eq!(verdict("ARG_ERROR", 2), "undecided");
    }
}

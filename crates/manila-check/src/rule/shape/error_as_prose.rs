//! A failure is reported in text although JSON was asked for.

use crate::observe::probe::Purpose;
use crate::profile::{Profile, Scope};
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::{Evidence, ObservedRun};
use crate::rule::refusal::{
    because_of_json, gives_json, is_prose, is_refused_by_parser, owes_json, prose,
};
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::model::Command;
use manila_pack::asks_for_json;

pub(crate) static RULE: Rule = Rule {
    id: "error-as-prose",
    family: Family::Shape,
    severity: Severity::Error,
    scope: Scope::JSON.relaxed(Profile::Json, Severity::Warning),
    flaw: "A call that asked for JSON fails in text.",
    fix: "Answer failures in the same form as successes.",
    page: include_str!("error_as_prose.md"),
    modes: &[2, 18],
    requirements: &["F-004", "C-013"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    for seen in evidence.json().filter(|seen| is_asked(evidence, seen)) {
        if seen.exited_zero() || seen.status().is_none() {
            continue;
        }
        // What is declared is meant to answer, and an error for want of a login is an answer too.
        if seen.failed_precondition().is_some() && !is_declared(seen) {
            continue;
        }
        // An id that is no number is refused before it is looked for.
        if seen.run.probe.purpose == Purpose::Missing && is_refused_by_parser(evidence, seen) {
            continue;
        }
        builder.observe();
        if is_prose(seen) {
            let why = because_of_json(evidence, seen);
            let message = format!("{} fails in text {why}", seen.called());
            let finding = Finding::new(seen, message);
            builder.report_once(match prose(seen) {
                Some((stream, span)) => finding.at(seen, stream, span),
                None => finding,
            });
        }
    }
    builder.verdict(
        "no call failed for another reason than its arguments",
        Some("commands.\"…\".missing: a call that cannot succeed"),
    )
}

/// Usage errors have a rule of their own.
fn is_asked(evidence: &Evidence<'_>, seen: &ObservedRun<'_>) -> bool {
    match seen.run.probe.purpose {
        Purpose::Recorded => asks_for_json(&seen.run.transcript.argv),
        Purpose::Sample | Purpose::Empty | Purpose::Missing => {
            let probe = &seen.run.probe;
            let owes = gives_json(evidence) && owes_json(evidence, &probe.command);
            let is_meant = is_declared(seen) && evidence.surface.takes_json(&probe.command);
            probe.is_plain() && (owes || is_meant)
        }
        _ => false,
    }
}

fn is_declared(seen: &ObservedRun<'_>) -> bool {
    seen.command.is_some_and(Command::is_declared)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::Purpose;
    use crate::testing::{judge, judge_with, ran, surface};

    #[test]
    fn text_is_found_where_other_answers_are_json() {
        let good = ran(Purpose::Sample, r#"{"items":[]}"#, 0);
        let runs = |last: &str| [good.clone(), ran(Purpose::Missing, last, 1)];
        assert_eq!(judge(&RULE, &runs("no such note")).as_str(), "failed");
        assert_eq!(judge(&RULE, &runs(r#"{"error":{"code":"A"}}"#)).as_str(), "passed");
        assert_eq!(judge(&RULE, &runs("")).as_str(), "passed");
        assert_eq!(judge(&RULE, &[ran(Purpose::Missing, "no", 1)]).as_str(), "undecided");
    }

    #[test]
    fn a_declared_command_answers_for_want_of_a_service_too() {
        let down = [ran(Purpose::Sample, "Error: getaddrinfo ENOTFOUND api.example.com", 1)];
        let mut surface = surface();
        assert_eq!(judge_with(&RULE, &surface, &down).as_str(), "undecided");
        surface.commands[1].known_from.declaration = true;
        assert_eq!(judge_with(&RULE, &surface, &down).as_str(), "failed");
    }

    #[test]
    fn what_the_parser_of_arguments_refuses_is_a_usage_error() {
        let good = ran(Purpose::Sample, r#"{"items":[]}"#, 0);
        let verdict = |status, of_flag| {
            let no_number =
                ran(Purpose::Missing, "usage: notes list ID\nID: invalid int 'x'", status);
            let no_flag = ran(Purpose::UnknownFlag, "usage: notes list ID\nunknown: --x", of_flag);
            judge(&RULE, &[good.clone(), no_number, no_flag]).as_str()
        };
        assert_eq!(verdict(2, 2), "undecided");
        assert_eq!(verdict(4, 2), "failed");
        assert_eq!(verdict(1, 1), "failed", "every failure ends with 1");
    }

    #[test]
    fn json_that_is_quoted_in_a_text_is_text() {
        let mut quotes = ran(Purpose::Missing, "", 1);
        quotes.transcript.stderr = "Invalid config: [\n  {\n    \"code\": 1\n  }\n]\n".into();
        let runs = [ran(Purpose::Sample, r#"{"items":[]}"#, 0), quotes];
        assert_eq!(judge(&RULE, &runs).as_str(), "failed");
    }
}

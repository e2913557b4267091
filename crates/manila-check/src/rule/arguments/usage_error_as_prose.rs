//! A usage error is reported in text although JSON was asked for.

use crate::observe::probe::Form;
use crate::plan::collection::Plan;
use crate::plan::usual::two_unknown_flags;
use crate::profile::{Profile, Scope};
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::Evidence;
use crate::rule::refusal::{because_of_json, gives_json, is_prose, owes_json, prose};
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::model::Surface;

pub(crate) static RULE: Rule = Rule {
    id: "usage-error-as-prose",
    family: Family::Arguments,
    severity: Severity::Error,
    scope: Scope::JSON.relaxed(Profile::Json, Severity::Warning),
    flaw: "A call with wrong arguments that asked for JSON is refused in text.",
    fix: "Look for the flag that asks for JSON before parsing anything else, and answer usage errors in JSON.",
    page: include_str!("usage_error_as_prose.md"),
    modes: &[14, 18],
    requirements: &["F-004", "C-006", "C-013"],
    plan,
    judge,
};

fn plan(surface: &Surface, plan: &mut Plan) {
    for command in &surface.commands {
        plan.ask_each(two_unknown_flags(surface, command, Form::Json));
    }
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    let is_refused = |purpose: crate::observe::probe::Purpose| purpose.must_fail();
    for seen in evidence.json().filter(|_| gives_json(evidence)) {
        let probe = &seen.run.probe;
        if !is_refused(probe.purpose)
            || !probe.is_plain()
            || seen.exited_zero()
            || !owes_json(evidence, &probe.command)
        {
            continue;
        }
        builder.observe();
        // What is silent, cut or a crash has rules of its own.
        if is_prose(seen) {
            let why = because_of_json(evidence, seen);
            let message = format!("{} refuses its arguments in text {why}", seen.called());
            let finding = Finding::new(seen, message);
            builder.report_once(match prose(seen) {
                Some((stream, span)) => finding.at(seen, stream, span),
                None => finding,
            });
        }
    }
    builder.verdict(
        "no call that asked for JSON was refused",
        Some("program.json: the words that ask for JSON"),
    )
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::Purpose;
    use crate::surface::model::{Json, Surface};
    use crate::testing::{judge, judge_with, ran, surface};

    #[test]
    fn every_class_of_usage_error_is_looked_at() {
        let good = ran(Purpose::Sample, r#"{"items":[]}"#, 0);
        for purpose in [
            Purpose::UnknownFlag,
            Purpose::UnknownCommand,
            Purpose::MissingArgument,
            Purpose::InvalidValue,
        ] {
            let verdict =
                |stdout: &str| judge(&RULE, &[good.clone(), ran(purpose, stdout, 2)]).as_str();
            assert_eq!(verdict("error: no\n\nUsage: notes"), "failed");
            assert_eq!(verdict(r#"{"error":{"code":"USAGE"}}"#), "passed");
            assert_eq!(verdict("thread 'main' panicked at src/main.rs"), "passed");
        }
        assert_eq!(judge(&RULE, &[ran(Purpose::UnknownFlag, "no", 2)]).as_str(), "undecided");
    }

    #[test]
    fn a_command_that_prints_something_else_may_refuse_in_text() {
        let surface = Surface { json: Json::Always, ..surface() };
        let verdict = |own: &str| {
            let mut other = ran(Purpose::Sample, r#"{"items":[]}"#, 0);
            other.probe.command = vec!["rows".to_owned()];
            let own = ran(Purpose::Sample, own, 0);
            let refused = ran(Purpose::UnknownFlag, "error: no such option", 2);
            judge_with(&RULE, &surface, &[other, own, refused]).as_str()
        };
        assert_eq!(verdict("BEGIN TRANSACTION;\nCOMMIT;\n"), "undecided");
        assert_eq!(verdict("[]\n"), "failed");
    }
}

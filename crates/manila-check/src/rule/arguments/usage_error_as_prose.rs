//! A usage error is told in text although JSON was asked for.

use crate::evidence::Evidence;
use crate::plan::two_unknown_flags;
use crate::probe::{Form, Plan};
use crate::refusal::{gives_json, is_prose, prose, takes_json};
use crate::rule::{Family, Rule, Severity};
use crate::surface::Surface;
use crate::verdict::{Finding, Judging, Verdict};

pub(crate) static RULE: Rule = Rule {
    id: "usage-error-as-prose",
    family: Family::Arguments,
    severity: Severity::Error,
    flaw: "A call with wrong arguments that asked for JSON is refused in text.",
    fix: "Look for the words that ask for JSON before anything else, and answer usage errors in it.",
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
    let mut judging = Judging::default();
    let is_refused = |purpose: crate::probe::Purpose| purpose.must_fail();
    for seen in evidence.json().filter(|_| gives_json(evidence)) {
        let probe = &seen.run.probe;
        if !is_refused(probe.purpose)
            || !probe.is_plain()
            || seen.exited_zero()
            || !takes_json(evidence.surface, &probe.command)
        {
            continue;
        }
        judging.look();
        // What is silent, cut or a crash has rules of its own.
        if is_prose(seen) {
            let message = format!(
                "{} refuses its arguments in text although JSON was asked for",
                seen.called()
            );
            let finding = Finding::new(seen, message);
            judging.find_once(match prose(seen) {
                Some((stream, span)) => finding.at(seen, stream, span),
                None => finding,
            });
        }
    }
    judging.verdict(
        "no call that asked for JSON was refused",
        Some("program.json: the words that ask for JSON"),
    )
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::probe::Purpose;
    use crate::testing::{judge, ran};

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
                |stdout: &str| judge(&RULE, &[good.clone(), ran(purpose, stdout, 2)]).word();
            assert_eq!(verdict("error: no\n\nUsage: notes"), "violated");
            assert_eq!(verdict(r#"{"error":{"code":"USAGE"}}"#), "holds");
            assert_eq!(verdict("thread 'main' panicked at src/main.rs"), "holds");
        }
        assert_eq!(judge(&RULE, &[ran(Purpose::UnknownFlag, "no", 2)]).word(), "undecided");
    }
}

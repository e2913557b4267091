//! Log records are on stdout beside the document.

use super::{circumstance, judge_stdout};
use crate::observe::probe::{Form, Setting};
use crate::observe::text_kind::TextKind;
use crate::plan::collection::Plan;
use crate::plan::usual::samples;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::{Finding, Verdict};
use crate::severity::Severity;
use crate::surface::model::Surface;
use manila::Stream;

pub(crate) static RULE: Rule = Rule {
    id: "log-record-on-stdout",
    family: Family::Document,
    severity: Severity::Error,
    scope: Scope::JSON,
    flaw: "Log records are mixed with the JSON document on stdout.",
    fix: "Write the log to stderr, whatever its level and format.",
    page: include_str!("log_record_on_stdout.md"),
    modes: &[3, 68],
    requirements: &["F-006", "F-060"],
    plan,
    judge,
};

/// What people set to see a log.
const LEVELS: &[(&str, &str)] = &[("DEBUG", "1"), ("LOG_LEVEL", "debug"), ("RUST_LOG", "debug")];

fn plan(surface: &Surface, plan: &mut Plan) {
    let logged = |probe| {
        LEVELS.iter().fold(probe, |probe: crate::observe::probe::Probe, (name, value)| {
            probe.variable(name, value)
        })
    };
    plan.ask_each(samples(surface, Form::Json).map(logged));
}

/// Whether a run was asked for a log. Whatever text it adds because of that is one.
pub(super) fn is_logged(setting: &Setting) -> bool {
    LEVELS.iter().any(|(name, _)| setting.variables.contains_key(*name))
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    judge_stdout(evidence, |seen, scan| {
        let setting = &seen.run.probe.setting;
        let added = || {
            let is_usual = evidence
                .plain_twin(seen)
                .is_none_or(|usual| usual.scan().text(TextKind::Prose).is_some());
            scan.text(TextKind::Prose).filter(|_| is_logged(setting) && !is_usual)
        };
        let span = scan.records.first().or_else(|| scan.text(TextKind::Log)).or_else(added)?;
        let message =
            format!("a log record is mixed with the document on stdout{}", circumstance(setting));
        Some(Finding::new(seen, message).at(seen, Stream::Stdout, span.clone()))
    })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::Purpose;
    use crate::rule::verdict::Verdict;
    use crate::testing::{judge, ran};

    #[test]
    fn records_are_found_in_text_and_in_json() {
        for stdout in [
            "[INFO] ready\n{\"a\":1}\n",
            "{\"level\":\"info\",\"msg\":\"x\"}\n{\"a\":1}\n",
            "{\"a\":1}\ntime=1 level=info msg=done\n",
        ] {
            assert_eq!(judge(&RULE, &[ran(Purpose::Sample, stdout, 0)]).as_str(), "failed");
        }
        for stdout in ["{\"a\":1}\n", "Hi\n{\"a\":1}\n", "{\"level\":\"info\",\"msg\":\"x\"}\n"] {
            assert_eq!(judge(&RULE, &[ran(Purpose::Sample, stdout, 0)]).as_str(), "passed");
        }
    }

    #[test]
    fn what_a_log_level_adds_is_a_log() {
        let usual = ran(Purpose::Sample, "{\"a\":1}\n", 0);
        let mut logged = ran(Purpose::Sample, "reading settings\n{\"a\":1}\n", 0);
        logged.probe = logged.probe.variable("LOG_LEVEL", "debug");
        let Verdict::Failed(findings) = judge(&RULE, &[usual, logged]) else {
            panic!("nothing is found");
        };
        assert!(findings[0].message.ends_with("when LOG_LEVEL is set"));
    }
}

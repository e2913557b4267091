//! The document is another one in a file, in a slow pipe or on a terminal.

use super::{answers, plan_stdouts};
use crate::observe::probe::{Form, Stdout};
use crate::plan::collection::Plan;
use crate::plan::usual::samples;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::dedup_key;
use crate::rule::evidence::{Evidence, ObservedRun};
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::model::Surface;
use std::collections::BTreeSet;

pub(crate) static RULE: Rule = Rule {
    id: "differs-by-outlet",
    family: Family::Document,
    severity: Severity::Error,
    scope: Scope::JSON,
    flaw: "The JSON answer depends on what kind of file stdout is.",
    fix: "Let a terminal change only text for people, never JSON.",
    page: include_str!("differs_by_outlet.md"),
    modes: &[2, 8],
    requirements: &["F-003"],
    plan,
    judge,
};

fn plan(surface: &Surface, plan: &mut Plan) {
    plan_stdouts(surface, plan);
    plan.ask_each(samples(surface, Form::Json).map(|probe| probe.round(1)));
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    let mut found = BTreeSet::new();
    for other in answers(evidence) {
        let place = match other.run.probe.setting.stdout {
            // Another width than the usual one is about the width.
            Stdout::Terminal { columns: 80 } => "on a terminal",
            Stdout::File => "in a file",
            Stdout::SlowPipe => "when the reader is slow",
            _ => continue,
        };
        let Some(usual) = evidence.plain_twin(other).filter(|it| is_whole(it)) else { continue };
        builder.observe();
        if is_flawed(other) || found.contains(&dedup_key(other)) {
            continue;
        }
        let (status, usually) = (other.run.transcript.status, usual.run.transcript.status);
        let what = if status == usually {
            let Some(difference) = evidence.difference(usual, other) else { continue };
            // An escape in a string has a rule of its own.
            if has_escape(&difference.other) != has_escape(&difference.usual) {
                continue;
            }
            match difference.path.as_str() {
                "" => format!("there is {}", difference.other),
                path => format!("{path} is {} instead of {}", difference.other, difference.usual),
            }
        } else {
            format!("it ends with {status} instead of {usually}")
        };
        found.insert(dedup_key(other));
        let message = format!("{} answers otherwise {place}: {what}", other.called());
        builder.report(Finding::new(other, message));
    }
    builder.verdict(
        "no call was made that answers with a document",
        Some("commands.\"…\".effects = \"none\", and args if it needs any"),
    )
}

fn is_whole(seen: &ObservedRun<'_>) -> bool {
    seen.run.ended_by_itself() && seen.reading.answer.is_some() && !seen.is_oversized()
}

/// Whether the bytes have a flaw of their own, such as colour or a document that is cut.
fn is_flawed(seen: &ObservedRun<'_>) -> bool {
    let scan = seen.scan_of_answer();
    scan.has_json() && !scan.defects.is_empty()
}

/// Whether a value, as a finding shows it, has a terminal escape.
fn has_escape(shown: &str) -> bool {
    shown.contains("\\u001b") || shown.contains('\u{1b}')
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::{Purpose, Stdout};
    use crate::observe::run::Run;
    use crate::testing::{judge, ran};

    fn through(to: Stdout, stdout: &str) -> Run {
        let mut run = ran(Purpose::Sample, stdout, 0);
        run.probe.setting.stdout = to;
        run
    }

    fn verdict(to: Stdout, stdout: &str) -> &'static str {
        judge(&RULE, &[ran(Purpose::Sample, "{\"a\":1}\n", 0), through(to, stdout)]).as_str()
    }

    #[test]
    fn another_document_or_none_is_found() {
        assert_eq!(verdict(Stdout::File, "{\"a\":2}\n"), "failed");
        assert_eq!(verdict(Stdout::Terminal { columns: 80 }, "a is 1\n"), "failed");
        assert_eq!(verdict(Stdout::SlowPipe, ""), "failed");
        assert_eq!(verdict(Stdout::File, "{\"a\": 1}"), "passed");
    }

    #[test]
    fn what_is_cut_or_coloured_is_left_to_its_rule() {
        assert_eq!(verdict(Stdout::SlowPipe, "{\"a\":"), "passed");
        assert_eq!(verdict(Stdout::Terminal { columns: 80 }, "\x1b[1m{\"a\":1}"), "passed");
        assert_eq!(verdict(Stdout::Terminal { columns: 80 }, "Hi\n{\"a\":1}"), "passed");
        let coloured = "{\"a\":\"\\u001b[1mb\\u001b[0m\"}";
        assert_eq!(verdict(Stdout::Terminal { columns: 80 }, coloured), "passed");
    }
}

//! The document is another one in a file, in a slow pipe or on a terminal.

use super::{answers, plan_outlets};
use crate::evidence::{Evidence, Seen};
use crate::plan::samples;
use crate::probe::{Form, Outlet, Plan};
use crate::rule::{Family, Rule, Severity, told_once};
use crate::surface::Surface;
use crate::verdict::{Finding, Judging, Verdict};
use std::collections::BTreeSet;

pub(crate) static RULE: Rule = Rule {
    id: "differs-by-outlet",
    family: Family::Document,
    severity: Severity::Error,
    flaw: "The JSON answer depends on what standard output is.",
    fix: "Let a terminal change what people read, never what was asked for as JSON.",
    page: include_str!("differs_by_outlet.md"),
    modes: &[2, 8],
    requirements: &["F-003"],
    plan,
    judge,
};

fn plan(surface: &Surface, plan: &mut Plan) {
    plan_outlets(surface, plan);
    plan.ask_each(samples(surface, Form::Json).map(|probe| probe.round(1)));
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut judging = Judging::default();
    let mut found = BTreeSet::new();
    for other in answers(evidence) {
        let place = match other.run.probe.setting.outlet {
            // Another width than the usual one is about the width.
            Outlet::Terminal { columns: 80 } => "on a terminal",
            Outlet::File => "in a file",
            Outlet::SlowPipe => "when the reader is slow",
            _ => continue,
        };
        let Some(usual) = evidence.plain_twin(other).filter(|it| is_whole(it)) else { continue };
        judging.look();
        if is_flawed(other) || found.contains(&told_once(other)) {
            continue;
        }
        let (status, usually) = (other.run.transcript.status, usual.run.transcript.status);
        let what = if status == usually {
            let Some(difference) = evidence.difference(usual, other) else { continue };
            match difference.path.as_str() {
                "" => format!("there is {}", difference.other),
                path => format!("{path} is {} instead of {}", difference.other, difference.usual),
            }
        } else {
            format!("it ends with {status} instead of {usually}")
        };
        found.insert(told_once(other));
        let message = format!("{} answers otherwise {place}: {what}", other.called());
        judging.find(Finding::new(other, message));
    }
    judging.verdict(
        "no call was made that answers with a document",
        Some("commands.\"…\".effects = \"none\", and args if it needs any"),
    )
}

fn is_whole(seen: &Seen<'_>) -> bool {
    seen.run.ended_by_itself() && seen.reading.answer.is_some() && !seen.is_oversized()
}

/// Whether the bytes have a flaw of their own, such as colour or a document that is cut.
fn is_flawed(seen: &Seen<'_>) -> bool {
    let look = seen.look_at_answer();
    look.has_json() && !look.blemishes.is_empty()
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::probe::{Outlet, Purpose};
    use crate::run::Run;
    use crate::testing::{judge, ran};

    fn through(outlet: Outlet, stdout: &str) -> Run {
        let mut run = ran(Purpose::Sample, stdout, 0);
        run.probe.setting.outlet = outlet;
        run
    }

    fn verdict(outlet: Outlet, stdout: &str) -> &'static str {
        judge(&RULE, &[ran(Purpose::Sample, "{\"a\":1}\n", 0), through(outlet, stdout)]).word()
    }

    #[test]
    fn another_document_or_none_is_found() {
        assert_eq!(verdict(Outlet::File, "{\"a\":2}\n"), "violated");
        assert_eq!(verdict(Outlet::Terminal { columns: 80 }, "a is 1\n"), "violated");
        assert_eq!(verdict(Outlet::SlowPipe, ""), "violated");
        assert_eq!(verdict(Outlet::File, "{\"a\": 1}"), "holds");
    }

    #[test]
    fn what_is_cut_or_coloured_is_left_to_its_rule() {
        assert_eq!(verdict(Outlet::SlowPipe, "{\"a\":"), "holds");
        assert_eq!(verdict(Outlet::Terminal { columns: 80 }, "\x1b[1m{\"a\":1}"), "holds");
        assert_eq!(verdict(Outlet::Terminal { columns: 80 }, "Hi\n{\"a\":1}"), "holds");
    }
}

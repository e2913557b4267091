//! An empty list is not answered with a list.

use super::silent_first_page::list;
use crate::observe::probe::{Form, Probe, Purpose};
use crate::plan::collection::Plan;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::{Evidence, ObservedRun};
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::model::Surface;
use manila::Stream;

pub(crate) static RULE: Rule = Rule {
    id: "empty-result-as-prose",
    family: Family::Behaviour,
    severity: Severity::Error,
    scope: Scope::JSON,
    flaw: "An empty list is answered with text, an error or nothing.",
    fix: "Answer with the same document as usual and an empty list in it.",
    page: include_str!("empty_result_as_prose.md"),
    modes: &[2],
    requirements: &["F-074"],
    plan,
    judge,
};

fn plan(surface: &Surface, plan: &mut Plan) {
    let commands = surface.commands.iter().filter(|command| command.is_safe());
    for command in commands.filter(|_| surface.json.is_known()) {
        let args = command.empty.iter();
        plan.ask_each(
            args.map(|args| Probe::new(command, Purpose::Empty, Form::Json, args, &surface.json)),
        );
    }
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    for seen in evidence.of(Purpose::Empty, Form::Json).filter(|seen| seen.run.ended_by_itself()) {
        builder.observe();
        if let Some(finding) = flaw(evidence, seen) {
            builder.report_once(finding);
        }
    }
    builder.verdict(
        "no call is known that lists nothing",
        Some("commands.\"…\".empty: the arguments of a call that lists nothing"),
    )
}

fn flaw(evidence: &Evidence<'_>, seen: &ObservedRun<'_>) -> Option<Finding> {
    let called = seen.called();
    // A document that cannot be read is about the document.
    if seen.reading.stdout.broken.is_some() {
        return None;
    }
    let Some(answer) = &seen.reading.answer else {
        // A command that fails with nothing on stdout, and never did anything else, may lack a
        // server.
        if !seen.exited_zero() && seen.reading.stdout.is_empty && !has_succeeded(evidence, seen) {
            return None;
        }
        // No output at all is reported by another rule.
        if seen.exited_zero() && seen.reading.stdout.is_empty && seen.reading.stderr.is_empty {
            return None;
        }
        let finding =
            Finding::new(seen, format!("{called} has no document when there is nothing to list"));
        let text = seen.reading.stdout.text.first();
        return Some(
            text.map_or(finding.clone(), |span| finding.at(seen, Stream::Stdout, span.clone())),
        );
    };
    let is_error = seen.reading.says_failure() == Some(true) || !seen.exited_zero();
    // An error that is about the arguments says that the call was not understood, not that it found
    // nothing.
    let is_absence = answer.code.as_ref().is_some_and(|(code, _)| {
        let code = code.to_ascii_lowercase();
        ["not_found", "notfound", "empty", "no_results", "none"].iter().any(|it| code.contains(it))
    });
    if is_error && is_absence {
        let message = format!("{called} fails when there is nothing to list");
        let span = answer.error.clone().unwrap_or(answer.span.clone());
        return Some(Finding::new(seen, message).at(seen, answer.stream, span));
    }
    let usual = seen.command.and_then(|command| {
        let plain = evidence.plain().find(|it| {
            it.run.probe.command == command.path
                && it.run.probe.purpose == Purpose::Sample
                && it.run.probe.form == Form::Json
        });
        plain.and_then(list)
    });
    if !is_error
        && usual.is_some()
        && list(seen).is_none()
        && !seen.is_oversized()
        && !seen.run.is_folded
    {
        let message = format!("{called} has no list in its answer when there is nothing to list");
        let span = answer.data.clone().unwrap_or(answer.span.clone());
        return Some(Finding::new(seen, message).at(seen, answer.stream, span));
    }
    None
}

/// Whether another call of the same command gave an answer.
fn has_succeeded(evidence: &Evidence<'_>, seen: &ObservedRun<'_>) -> bool {
    evidence.of(Purpose::Sample, Form::Json).any(|it| {
        it.run.probe.command == seen.run.probe.command
            && it.exited_zero()
            && it.reading.answer.is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::Purpose;
    use crate::testing::{judge, ran};

    #[test]
    fn nothing_is_a_list_too() {
        let usual = r#"{"ok":true,"data":{"items":[1]}}"#;
        let verdict = |stdout: &str, status| {
            let runs = [ran(Purpose::Sample, usual, 0), ran(Purpose::Empty, stdout, status)];
            judge(&RULE, &runs).as_str()
        };
        assert_eq!(verdict(r#"{"ok":true,"data":{"items":[]}}"#, 0), "passed");
        assert_eq!(verdict(r#"{"ok":true,"data":{}}"#, 0), "failed");
        assert_eq!(verdict(r#"{"ok":true,"data":null}"#, 0), "failed");
        assert_eq!(verdict("No notes.", 0), "failed");
        assert_eq!(verdict(r#"{"ok":false,"error":{"code":"NOT_FOUND"}}"#, 1), "failed");
        assert_eq!(verdict(r#"{"ok":false,"error":{"code":"ARG_ERROR"}}"#, 3), "passed");
        assert_eq!(verdict("", 1), "failed");
    }

    #[test]
    fn a_command_that_never_succeeds_says_nothing_about_lists() {
        let runs = [ran(Purpose::Sample, "", 1), ran(Purpose::Empty, "", 1)];
        assert_eq!(judge(&RULE, &runs).as_str(), "passed");
    }
}

//! Text is on stdout beside the document.

use super::log_record_on_stdout::is_logged;
use super::{circumstance, judge_stdout, plan_stdouts};
use crate::observe::probe::Purpose;
use crate::observe::text_kind::TextKind;
use crate::plan::collection::Plan;
use crate::plan::deprecated;
use crate::profile::Scope;
use crate::rule::behaviour::prompts::question;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::{Finding, Verdict, stable};
use crate::severity::Severity;
use crate::surface::model::Surface;
use manila::Stream;

pub(crate) static RULE: Rule = Rule {
    id: "prose-on-stdout",
    family: Family::Document,
    severity: Severity::Error,
    scope: Scope::JSON,
    flaw: "There is text before or after the JSON document on stdout.",
    fix: "Write everything that is not the answer to stderr.",
    page: include_str!("prose_on_stdout.md"),
    modes: &[2, 3, 68],
    requirements: &["F-006", "F-060"],
    plan,
    judge,
};

fn plan(surface: &Surface, plan: &mut Plan) {
    plan_stdouts(surface, plan);
    plan.ask_each(deprecated::calls(surface));
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    // Questions, logs, progress, notices and crashes have rules of their own; an answer without any document is
    // another flaw.
    judge_stdout(evidence, |seen, scan| {
        let setting = &seen.run.probe.setting;
        let span = scan.text(TextKind::Prose).filter(|_| !is_logged(setting))?;
        // What an argument ran may have written anything.
        let is_injected = seen.run.probe.purpose == Purpose::ShellWords;
        if is_injected || question(seen).is_some_and(|(stream, _)| stream == Stream::Stdout) {
            return None;
        }
        let place = match scan.documents.as_slice() {
            [first, ..] if span.end <= first.start => "before",
            [.., last] if last.end <= span.start => "after",
            [_] => "in the middle of",
            _ => "beside",
        };
        let circumstance = circumstance(setting);
        let message = format!("there is text {place} the document on stdout{circumstance}");
        let text = String::from_utf8_lossy(&seen.run.transcript.stdout[span.clone()]);
        let finding =
            Finding::new(seen, message).because_of(stable(text.lines().next().unwrap_or_default()));
        Some(finding.at(seen, Stream::Stdout, span.clone()))
    })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::Purpose;
    use crate::rule::verdict::Verdict;
    use crate::testing::{judge, ran};

    #[test]
    fn text_is_found_with_its_bytes_wherever_it_stands() {
        for (stdout, span, place) in [
            ("Hi\n{}\n", 0..2, "before"),
            ("{}\nDone.\n", 3..8, "after"),
            ("Result: {\"a\":1}\n", 0..7, "before"),
            ("{\"a\":[\nerror: disk full\n1]}\n", 7..23, "in the middle of"),
        ] {
            let Verdict::Failed(findings) = judge(&RULE, &[ran(Purpose::Sample, stdout, 0)]) else {
                panic!("{stdout:?} is fine");
            };
            let excerpt = findings[0].excerpt.clone().expect("a place");
            assert_eq!(excerpt.start..excerpt.end, span);
            assert!(findings[0].message.contains(place), "{}", findings[0].message);
        }
    }

    #[test]
    fn a_document_alone_holds_and_text_alone_tells_nothing() {
        let verdict = |stdout| judge(&RULE, &[ran(Purpose::Sample, stdout, 0)]).as_str();
        assert_eq!(verdict("{}\n"), "passed");
        assert_eq!(verdict("[INFO] x\n{}\n"), "passed");
        assert_eq!(verdict("Hi\n"), "undecided");
    }
}

//! Text stands beside the document on standard output.

use super::log_record_on_stdout::is_logged;
use super::{circumstance, judge_stdout, plan_outlets};
use crate::evidence::Evidence;
use crate::outworn;
use crate::probe::Plan;
use crate::probe::Purpose;
use crate::rule::behaviour::prompts::question;
use crate::rule::{Family, Rule, Severity};
use crate::surface::Surface;
use crate::talk::Talk;
use crate::verdict::{Finding, Verdict};
use manila::Stream;

pub(crate) static RULE: Rule = Rule {
    id: "prose-on-stdout",
    family: Family::Document,
    severity: Severity::Error,
    flaw: "Text stands before or after the JSON document on standard output.",
    fix: "Write everything that is not the answer to standard error.",
    page: include_str!("prose_on_stdout.md"),
    modes: &[2, 3, 68],
    requirements: &["F-006", "F-060"],
    plan,
    judge,
};

fn plan(surface: &Surface, plan: &mut Plan) {
    plan_outlets(surface, plan);
    plan.ask_each(outworn::calls(surface));
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    // Questions, logs, progress, notices and crashes have rules of their own; an answer without any document is
    // another flaw.
    judge_stdout(evidence, |seen, look| {
        let setting = &seen.run.probe.setting;
        let span = look.text(Talk::Prose).filter(|_| !is_logged(setting))?;
        // What an argument ran may have written anything.
        let is_injected = seen.run.probe.purpose == Purpose::ShellWords;
        if is_injected || question(seen).is_some_and(|(stream, _)| stream == Stream::Stdout) {
            return None;
        }
        let place = match look.documents.as_slice() {
            [first, ..] if span.end <= first.start => "before",
            [.., last] if last.end <= span.start => "after",
            [_] => "in the middle of",
            _ => "beside",
        };
        let circumstance = circumstance(setting);
        let message = format!("text stands {place} the document on standard output{circumstance}");
        Some(Finding::new(seen, message).at(seen, Stream::Stdout, span.clone()))
    })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::probe::Purpose;
    use crate::testing::{judge, ran};
    use crate::verdict::Verdict;

    #[test]
    fn text_is_found_with_its_bytes_wherever_it_stands() {
        for (stdout, span, place) in [
            ("Hi\n{}\n", 0..2, "before"),
            ("{}\nDone.\n", 3..8, "after"),
            ("Result: {\"a\":1}\n", 0..7, "before"),
            ("{\"a\":[\nerror: disk full\n1]}\n", 7..23, "in the middle of"),
        ] {
            let Verdict::Violated(findings) = judge(&RULE, &[ran(Purpose::Sample, stdout, 0)])
            else {
                panic!("{stdout:?} is fine");
            };
            let excerpt = findings[0].excerpt.clone().expect("a place");
            assert_eq!(excerpt.start..excerpt.end, span);
            assert!(findings[0].message.contains(place), "{}", findings[0].message);
        }
    }

    #[test]
    fn a_document_alone_holds_and_text_alone_tells_nothing() {
        let verdict = |stdout| judge(&RULE, &[ran(Purpose::Sample, stdout, 0)]).word();
        assert_eq!(verdict("{}\n"), "holds");
        assert_eq!(verdict("[INFO] x\n{}\n"), "holds");
        assert_eq!(verdict("Hi\n"), "undecided");
    }
}

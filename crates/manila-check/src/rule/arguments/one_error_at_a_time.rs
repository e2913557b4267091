//! Of two wrong arguments only one is reported.

use crate::observe::placeholder::{NO_FLAG, NO_OTHER_FLAG};
use crate::observe::probe::{Form, Purpose};
use crate::plan::collection::Plan;
use crate::plan::usual::two_unknown_flags;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::envelope_shape::certain_dialect;
use crate::rule::evidence::Evidence;
use crate::rule::object_answer::object_answers;
use crate::rule::refusal::{is_accepted, names};
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::model::Surface;
use serde_json::Value;

pub(crate) static RULE: Rule = Rule {
    id: "one-error-at-a-time",
    family: Family::Arguments,
    severity: Severity::Note,
    scope: Scope::ENVELOPE,
    flaw: "Only the first of several invalid arguments is reported.",
    fix: "Check all arguments, then report every error in one answer.",
    page: include_str!("one_error_at_a_time.md"),
    modes: &[14],
    requirements: &["F-015", "C-006"],
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
    let answers = object_answers(evidence);
    // The specification demands it, and a dialect with a list for errors promises it; no other
    // does.
    let is_demanded =
        certain_dialect(&answers).is_some_and(|it| it.id().starts_with("response-envelope/"));
    let has_list = answers.iter().filter(|answer| answer.is_failure).any(|answer| {
        let error = answer.document.get("error").unwrap_or(&Value::Null);
        let is_list = |key: &str| {
            [answer.document, error].iter().any(|it| it.get(key).is_some_and(Value::is_array))
        };
        ["errors", "issues", "problems", "details"].into_iter().any(is_list)
    });
    let runs = evidence.of(Purpose::TwoUnknownFlags, Form::Json);
    for seen in runs.filter(|_| is_demanded || has_list) {
        let named = [NO_FLAG, NO_OTHER_FLAG].map(|flag| names(seen, flag));
        // `help` takes words, and takes the first for the name of a command. A program that names
        // none of them decides nothing, and one that accepts them has another flaw.
        let is_help = seen.run.probe.command.last().is_some_and(|word| word == "help");
        let is_clear = seen.run.ended_by_itself() && !is_accepted(seen) && !is_help;
        if !is_clear || named == [false, false] {
            continue;
        }
        builder.observe();
        if named != [true, true] {
            let reported = if named[0] { NO_FLAG } else { NO_OTHER_FLAG };
            let message = format!("of two unknown flags only {reported} is reported");
            let finding = Finding::new(seen, message);
            let place = seen.reading.answer.as_ref().and_then(|answer| {
                answer.message.as_ref().map(|(_, span)| (answer.stream, span.clone()))
            });
            builder.report_once(match place {
                Some((stream, span)) => finding.at(seen, stream, span),
                None => finding,
            });
        }
    }
    builder.verdict("nothing says that this program reports all errors at once", None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{judge, ran};

    #[test]
    fn a_dialect_with_a_list_tells_all() {
        let answer = |messages: &[&str]| {
            let errors: Vec<String> = messages.iter().map(|it| format!("{it:?}")).collect();
            format!(r#"{{"ok":false,"errors":[{}],"meta":{{}}}}"#, errors.join(","))
        };
        let verdict =
            |stdout: &str| judge(&RULE, &[ran(Purpose::TwoUnknownFlags, stdout, 2)]).as_str();
        assert_eq!(verdict(&answer(&[NO_FLAG, NO_OTHER_FLAG])), "passed");
        assert_eq!(verdict(&answer(&[NO_FLAG])), "failed");
        assert_eq!(verdict(&format!(r#"{{"error":{{"message":"{NO_FLAG}"}}}}"#)), "undecided");
    }
}

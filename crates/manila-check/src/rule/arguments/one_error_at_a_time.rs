//! Of two wrong arguments only one is told.

use crate::evidence::Evidence;
use crate::frame::{framed, spoken};
use crate::plan::{NO_FLAG, NO_OTHER_FLAG, two_unknown_flags};
use crate::probe::{Form, Plan, Purpose};
use crate::refusal::{is_accepted, names};
use crate::rule::{Family, Rule, Severity};
use crate::surface::Surface;
use crate::verdict::{Finding, Judging, Verdict};
use serde_json::Value;

pub(crate) static RULE: Rule = Rule {
    id: "one-error-at-a-time",
    family: Family::Arguments,
    severity: Severity::Note,
    flaw: "Of several wrong arguments only the first is told.",
    fix: "Check all arguments, then tell everything that is wrong in one answer.",
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
    let mut judging = Judging::default();
    let answers = framed(evidence);
    // The specification demands it, and who has a list for errors promises it; nobody else does.
    let is_demanded = spoken(&answers).is_some_and(|it| it.id().starts_with("response-envelope/"));
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
        // `help` takes words, and takes the first for the name of a command. Who names none of them
        // tells nothing, and who accepts them has another flaw.
        let is_help = seen.run.probe.command.last().is_some_and(|word| word == "help");
        let is_clear = seen.run.ended_by_itself() && !is_accepted(seen) && !is_help;
        if !is_clear || named == [false, false] {
            continue;
        }
        judging.look();
        if named != [true, true] {
            let told = if named[0] { NO_FLAG } else { NO_OTHER_FLAG };
            let message = format!("of two flags that do not exist only {told} is told");
            let finding = Finding::new(seen, message);
            let place = seen.reading.answer.as_ref().and_then(|answer| {
                answer.message.as_ref().map(|(_, span)| (answer.stream, span.clone()))
            });
            judging.find_once(match place {
                Some((stream, span)) => finding.at(seen, stream, span),
                None => finding,
            });
        }
    }
    judging.verdict("nothing says that this program tells all errors at once", None)
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
            |stdout: &str| judge(&RULE, &[ran(Purpose::TwoUnknownFlags, stdout, 2)]).word();
        assert_eq!(verdict(&answer(&[NO_FLAG, NO_OTHER_FLAG])), "holds");
        assert_eq!(verdict(&answer(&[NO_FLAG])), "violated");
        assert_eq!(verdict(&format!(r#"{{"error":{{"message":"{NO_FLAG}"}}}}"#)), "undecided");
    }
}

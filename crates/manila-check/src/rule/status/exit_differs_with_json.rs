//! The same call ends otherwise when JSON is asked for.

use super::{exited, fails_with_zero, settled, succeeds_with_nonzero};
use crate::observe::probe::Form;
use crate::plan::collection::Plan;
use crate::plan::usual::{missing, missing_alike, missing_argument, unknown_command, unknown_flag};
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::{Evidence, ObservedRun};
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::model::Surface;
use manila::Stream;

pub(crate) static RULE: Rule = Rule {
    id: "exit-differs-with-json",
    family: Family::Status,
    severity: Severity::Error,
    scope: Scope::JSON,
    flaw: "The same call ends with another exit status when JSON is asked for.",
    fix: "Decide the exit status before the output format.",
    page: include_str!("exit_differs_with_json.md"),
    modes: &[1],
    requirements: &["F-001"],
    plan,
    judge,
};

fn plan(surface: &Surface, plan: &mut Plan) {
    for command in &surface.commands {
        for call in [unknown_flag, unknown_command, missing, missing_alike, missing_argument] {
            plan.ask_each(call(surface, command, Form::Text));
        }
    }
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    let form = &evidence.surface.json;
    let words = form.words();
    if words.is_empty() {
        return builder.verdict("there is no flag that asks for JSON", None);
    }
    for text in settled(evidence).filter(|seen| is_plain(seen, Form::Text)) {
        let json = settled(evidence).filter(|seen| is_plain(seen, Form::Json)).find(|json| {
            let (one, two) = (&json.run.probe, &text.run.probe);
            one.command == two.command
                && one.purpose == two.purpose
                && one.args == form.added_to(two.args.clone())
        });
        let Some(json) = json else { continue };
        let Some((with, without)) = exited(json).zip(exited(text)) else { continue };
        builder.observe();
        let lacks = json.failed_precondition().or(text.failed_precondition()).is_some();
        if with == without || lacks || is_anothers(json, words) || fails_with_zero(text).is_some() {
            continue;
        }
        let message = format!(
            "{} ends with {with} when JSON is asked for and with {without} otherwise",
            json.called()
        );
        builder.report(Finding::new(json, message));
    }
    builder.verdict("no call was made with and without JSON", None)
}

fn is_plain(seen: &ObservedRun<'_>, form: Form) -> bool {
    seen.run.probe.is_plain() && seen.run.probe.form == form
}

/// Whether another rule reports what is wrong: the answer and the status contradict one another, an
/// argument is ignored, or the command does not know the flag for JSON and says so.
fn is_anothers(json: &ObservedRun<'_>, words: &[String]) -> bool {
    let names = |stream: Stream| {
        let text = String::from_utf8_lossy(json.run.transcript.stream(stream));
        words.iter().any(|word| text.contains(word.as_str()))
    };
    let is_refused = !json.exited_zero() && (names(Stream::Stdout) || names(Stream::Stderr));
    fails_with_zero(json).is_some()
        || succeeds_with_nonzero(json)
        || (json.exited_zero() && json.run.probe.purpose.must_fail())
        || is_refused
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::{Form, Purpose};
    use crate::testing::{judge, ran};

    fn verdict(purpose: Purpose, json: (&str, i32), text: i32) -> &'static str {
        let with = ran(purpose, json.0, json.1);
        let mut without = ran(purpose, "text", text);
        without.probe.form = Form::Text;
        without.probe.args.pop();
        judge(&RULE, &[with, without]).as_str()
    }

    #[test]
    fn the_status_must_not_depend_on_the_form() {
        assert_eq!(verdict(Purpose::Missing, ("[]", 0), 1), "failed");
        assert_eq!(verdict(Purpose::Missing, (r#"{"ok":false}"#, 5), 1), "failed");
        assert_eq!(verdict(Purpose::Missing, (r#"{"ok":false}"#, 5), 5), "passed");
    }

    #[test]
    fn what_another_rule_tells_is_left_to_it() {
        assert_eq!(verdict(Purpose::Missing, (r#"{"ok":false}"#, 0), 1), "passed");
        assert_eq!(verdict(Purpose::Sample, ("unknown option --json", 2), 0), "passed");
    }
}

//! A list is cut, and nothing says so.

use crate::observe::probe::{Form, Probe, Purpose};
use crate::plan::collection::Plan;
use crate::plan::usual::sample;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::{Evidence, ObservedRun};
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::model::{Command, Surface};
use serde_json::Value;

pub(crate) static RULE: Rule = Rule {
    id: "silent-first-page",
    family: Family::Behaviour,
    severity: Severity::Error,
    scope: Scope::JSON,
    flaw: "A list is cut, and nothing in the answer says so.",
    fix: "Report that there is more: `truncated`, the total, and a cursor for the next page.",
    page: include_str!("silent_first_page.md"),
    modes: &[5, 43],
    requirements: &["F-018", "F-019", "O-003"],
    plan,
    judge,
};

/// The flags that say how much of a list is wanted.
const LIMITS: &[&str] =
    &["limit", "max", "max-results", "max-items", "count", "page-size", "per-page", "top", "first"];
/// More than any default.
const MANY: &str = "1000";
/// Keys that say that there is more.
const MARKS: &[&str] = &[
    "truncated",
    "has_more",
    "hasMore",
    "more",
    "cursor",
    "next_cursor",
    "nextCursor",
    "next",
    "next_page",
    "nextPage",
    "next_page_token",
    "nextPageToken",
    "pagination",
    "page",
    "remaining",
];
/// Keys that say how much there is.
const TOTALS: &[&str] = &["total", "total_count", "totalCount"];

fn plan(surface: &Surface, plan: &mut Plan) {
    for command in &surface.commands {
        plan.ask_each(with_many(surface, command));
    }
}

/// The sample call of a command, asking for much more than it gives by itself.
fn with_many(surface: &Surface, command: &Command) -> Option<Probe> {
    let limit = LIMITS.iter().find_map(|name| command.flag(name))?;
    let usual = sample(surface, command, Form::Json)?;
    let mut args = command.sample.clone()?;
    args.extend([limit.spelling(), MANY.to_owned()]);
    Some(Probe {
        purpose: Purpose::Extra,
        ..Probe::new(command, Purpose::Extra, usual.form, args, &surface.json)
    })
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    for seen in evidence.plain().filter(|seen| seen.exited_zero()) {
        if !matches!(seen.run.probe.purpose, Purpose::Sample | Purpose::Recorded) {
            continue;
        }
        let Some((document, length)) = list(seen) else { continue };
        if let Some(total) = number(document, TOTALS)
            && total > length as u64
        {
            builder.observe();
            if !says_how_to_go_on(document) {
                let called = seen.called();
                let message = format!("{called} gives {length} of {total} and no way to the rest");
                builder.report_once(at_answer(seen, message));
            }
            continue;
        }
        let more = seen.command.and_then(|command| with_many(evidence.surface, command));
        let more = more.and_then(|probe| evidence.run_of(&probe)).and_then(list);
        let Some((_, all)) = more else { continue };
        builder.observe();
        if all > length && !says_how_to_go_on(document) {
            let called = seen.called();
            let message =
                format!("{called} gives {length} of {all} and does not say that there are more");
            builder.report_once(at_answer(seen, message));
        }
    }
    builder.verdict(
        "no command is known that lists and takes a limit",
        Some("commands.\"…\".lists = true, and its flag for the limit in its help"),
    )
}

fn at_answer(seen: &ObservedRun<'_>, message: String) -> Finding {
    let finding = Finding::new(seen, message);
    match &seen.reading.answer {
        Some(answer) => {
            finding.at(seen, answer.stream, answer.data.clone().unwrap_or(answer.span.clone()))
        }
        None => finding,
    }
}

/// The answer and how long the list in it is: the data themselves, or the only list among them.
pub(crate) fn list<'s>(seen: &'s ObservedRun<'_>) -> Option<(&'s Value, usize)> {
    // Of a list that was made small the length is not known.
    let document = seen.document().filter(|_| !seen.run.is_folded)?;
    let length = match seen.payload()? {
        Value::Array(elements) => elements.len(),
        Value::Object(members) => {
            let mut lists = members.values().filter_map(Value::as_array);
            let only = lists.next()?.len();
            if lists.next().is_some() {
                return None;
            }
            only
        }
        _ => return None,
    };
    Some((document, length))
}

/// Whether a key of the answer says that there is more.
fn says_how_to_go_on(document: &Value) -> bool {
    members(document).any(|(key, value)| {
        MARKS.contains(&key.as_str()) && !matches!(value, Value::Null | Value::Bool(false))
    })
}

fn number(document: &Value, keys: &[&str]) -> Option<u64> {
    members(document)
        .find(|(key, _)| keys.contains(&key.as_str()))
        .and_then(|(_, value)| value.as_u64())
}

/// The members of the answer, of its data, and of what it says about itself.
fn members(document: &Value) -> impl Iterator<Item = (&String, &Value)> {
    let inner = ["data", "meta", "result", "pagination", "page"]
        .iter()
        .filter_map(|key| document.get(*key));
    let deeper = ["data", "meta"].iter().filter_map(|key| document.get(*key)?.get("pagination"));
    std::iter::once(document).chain(inner).chain(deeper).filter_map(Value::as_object).flatten()
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::Purpose;
    use crate::testing::{judge, ran};

    #[test]
    fn a_total_without_a_way_on_is_a_flaw() {
        let verdict = |stdout| judge(&RULE, &[ran(Purpose::Sample, stdout, 0)]).as_str();
        assert_eq!(verdict(r#"{"ok":true,"data":{"items":[1,2],"total":5}}"#), "failed");
        assert_eq!(verdict(r#"{"ok":true,"data":{"items":[1,2],"total":5,"next":"x"}}"#), "passed");
        assert_eq!(verdict(r#"{"ok":true,"data":{"items":[1,2],"total":2}}"#), "undecided");
    }
}

//! The words that ask for JSON are accepted by a command and change nothing.

use crate::observe::probe::{Form, Purpose};
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::{Evidence, ObservedRun};
use crate::rule::recorded::{asks_for_text, is_unasked_help};
use crate::rule::refusal::{is_accepted, is_prose};
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::discover::is_for_people;
use crate::surface::model::Command;
use manila::Stream;
use manila_pack::asks_for_json;

pub(crate) static RULE: Rule = Rule {
    id: "json-flag-ignored",
    family: Family::Discovery,
    severity: Severity::Error,
    scope: Scope::JSON,
    flaw: "A command accepts the words that ask for JSON and answers in text.",
    fix: "Answer in JSON in every command, or reject the flag where a command has no JSON answer.",
    page: include_str!("json_flag_ignored.md"),
    modes: &[2],
    requirements: &["O-001", "F-003"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    let is_asked = evidence.surface.json.is_asked();
    let runs = [Purpose::Sample, Purpose::Empty, Purpose::Slow];
    let runs = runs.into_iter().filter(|_| is_asked);
    let runs = runs.flat_map(|purpose| evidence.of(purpose, Form::Json));
    let recorded = evidence.of(Purpose::Recorded, Form::Json).filter(|seen| is_asked_of(seen));
    for seen in runs.chain(recorded).filter(|seen| seen.run.probe.is_plain() && is_accepted(seen)) {
        // An empty result in words has a rule of its own.
        let is_empty_result = seen.run.probe.purpose == Purpose::Empty
            && evidence.of(Purpose::Sample, Form::Json).any(|other| {
                other.run.probe.command == seen.run.probe.command
                    && !other.reading.stdout.documents.is_empty()
            });
        if is_empty_result || seen.command.is_some_and(is_text) {
            continue;
        }
        builder.observe();
        let Some(span) = seen.reading.stdout.text.first().filter(|_| is_prose(seen)) else {
            continue;
        };
        let words = match evidence.surface.json.words() {
            [] => "the words that ask for JSON".to_owned(),
            words => words.join(" "),
        };
        let message = format!("{} accepts {words} and answers in text", seen.called());
        builder.report_once(Finding::new(seen, message).at(seen, Stream::Stdout, span.clone()));
    }
    builder.verdict(
        "no flag asks for JSON, or no command could be run with it",
        Some("program.json: the words that ask for JSON"),
    )
}

/// Whether a recorded run was asked for JSON where there is some. Unasked help has a rule of its own.
fn is_asked_of(seen: &ObservedRun<'_>) -> bool {
    let run = &seen.run.transcript;
    asks_for_json(&run.argv) && !asks_for_text(&run.argv) && !is_unasked_help(run)
}

fn is_text(command: &Command) -> bool {
    let last = command.path.last().map_or("", String::as_str);
    command.is_text_only || is_for_people(last)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::Purpose;
    use crate::testing::{judge, ran};

    #[test]
    fn text_in_spite_of_the_flag_is_found() {
        let verdict =
            |stdout: &str, status| judge(&RULE, &[ran(Purpose::Sample, stdout, status)]).as_str();
        assert_eq!(verdict("1  Buy bread\n", 0), "failed");
        assert_eq!(verdict("{}", 0), "passed");
        assert_eq!(verdict("Hi\n{}", 0), "passed");
        assert_eq!(verdict("unknown flag --json", 2), "undecided");
    }

    #[test]
    fn an_empty_result_in_words_is_left() {
        let runs = [ran(Purpose::Sample, "{}", 0), ran(Purpose::Empty, "No notes.", 0)];
        assert_eq!(judge(&RULE, &runs).as_str(), "passed");
    }
}

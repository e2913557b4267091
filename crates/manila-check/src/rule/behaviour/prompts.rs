//! A question is asked without a terminal.

use crate::observe::probe::{Form, Purpose, Stdout};
use crate::observe::run::{Ended, Waiting};
use crate::observe::text_kind::pattern;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::{Evidence, ObservedRun};
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use manila::Stream;
use regex::bytes::Regex;
use std::ops::Range;
use std::sync::LazyLock;

pub(crate) static RULE: Rule = Rule {
    id: "prompts",
    family: Family::Behaviour,
    severity: Severity::Error,
    scope: Scope::PLAIN,
    flaw: "A question is asked without a terminal.",
    fix: "Without a terminal, fail with an error that names the flag which replaces the prompt.",
    page: include_str!("prompts.md"),
    modes: &[10],
    requirements: &["F-009", "C-005"],
    plan: no_probes,
    judge,
};

/// How questions end, or what they contain.
static QUESTION: LazyLock<Regex> = LazyLock::new(|| {
    let choices = r"[\[(](?:y/n|yes/no|Y/n|y/N|yes/No|Yes/no)[\])]";
    let keys = r"(?i:press (?:any key|enter|return)\b)";
    let secrets = r"(?i:(?:password|passphrase|username|token|otp)[^\n:]{0,40}: ?\z)";
    let asked = r"(?i:(?:are you sure|do you want to|would you like to|continue|proceed|overwrite)[^\n?]{0,60}\?[^\n]{0,20}\z)";
    let wanted =
        r"(?i:(?:^|\n)(?:please )?(?:enter|type|choose|select|input)\b[^\n]{0,60}[:>?] ?\z)";
    pattern(&format!("{choices}|{keys}|{secrets}|{asked}|{wanted}"))
});

/// The question that a run asks, if it asks one outside of its answer.
pub(crate) fn question(seen: &ObservedRun<'_>) -> Option<(Stream, Range<usize>)> {
    for stream in [Stream::Stdout, Stream::Stderr] {
        let bytes = seen.run.transcript.stream(stream);
        for text in &seen.reading.on(stream).text {
            if let Some(found) = QUESTION.find(&bytes[text.clone()]) {
                return Some((stream, text.start + found.start()..text.start + found.end()));
            }
        }
    }
    None
}

/// Whether a run that was asked for JSON still waits at the terminal when its time is over: whatever it has
/// drawn there is a question.
pub(crate) fn waits_at_terminal(seen: &ObservedRun<'_>) -> bool {
    seen.run.probe.form == Form::Json
        && matches!(seen.run.probe.setting.stdout, Stdout::Terminal { .. })
        && seen.run.ended == Ended::AtLimit(Waiting::ForTerminal)
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    // Help may quote a question, and a terminal may have a user, unless JSON is asked for.
    let is_asked = evidence.surface.json.is_asked();
    let is_terminal =
        |seen: &ObservedRun<'_>| matches!(seen.run.probe.setting.stdout, Stdout::Terminal { .. });
    let meant = evidence.usual().filter(|seen| {
        let probe = &seen.run.probe;
        (!is_terminal(seen) || (is_asked && probe.form == Form::Json))
            && !matches!(probe.purpose, Purpose::Help | Purpose::Bare | Purpose::Manifest)
    });
    for seen in meant {
        builder.observe();
        if let Some((stream, span)) = question(seen) {
            let place = if is_terminal(seen) {
                "on a terminal although JSON is asked for"
            } else {
                "on a pipe"
            };
            let message = format!("{} asks a question {place}", seen.called());
            builder.report_once(Finding::new(seen, message).at(seen, stream, span));
        } else if is_asked && waits_at_terminal(seen) {
            let called = seen.called();
            let message =
                format!("{called} waits for an answer on a terminal although JSON is asked for");
            builder.report_once(Finding::new(seen, message));
        }
    }
    builder.verdict("no run was made", None)
}

#[cfg(test)]
mod tests {
    use super::{QUESTION, RULE};
    use crate::observe::probe::{Form, Purpose, Stdout};
    use crate::observe::run::{Ended, Waiting};
    use crate::testing::{judge, ran};

    #[test]
    fn questions_differ_from_statements() {
        for asked in
            ["Overwrite? [y/N] ", "Password: ", "Continue?", "Enter a name: ", "Press any key"]
        {
            assert!(QUESTION.is_match(asked.as_bytes()), "{asked}");
        }
        for statement in
            ["error: no token: set NOTES_TOKEN", "continue with --force", "usage: notes [y]"]
        {
            assert!(!QUESTION.is_match(statement.as_bytes()), "{statement}");
        }
    }

    #[test]
    fn a_caller_that_asks_for_json_on_a_terminal_is_not_prompted() {
        let mut run = ran(Purpose::Sample, "Token: {\"ok\":true}", 0);
        run.probe.setting.stdout = Stdout::Terminal { columns: 80 };
        assert_eq!(judge(&RULE, std::slice::from_ref(&run)).as_str(), "failed");
        run.probe.form = Form::Text;
        assert_eq!(judge(&RULE, &[run]).as_str(), "undecided");
    }

    #[test]
    fn a_program_that_waits_at_a_terminal_has_prompted() {
        let mut run = ran(Purpose::Sample, "\u{25c6}  From address", 0);
        run.probe.setting.stdout = Stdout::Terminal { columns: 80 };
        run.ended = Ended::AtLimit(Waiting::ForTerminal);
        assert_eq!(judge(&RULE, std::slice::from_ref(&run)).as_str(), "failed");
        run.ended = Ended::AtLimit(Waiting::ForNetwork);
        assert_eq!(judge(&RULE, &[run]).as_str(), "passed");
    }

    #[test]
    fn a_question_inside_the_answer_is_data() {
        let verdict = |stdout| judge(&RULE, &[ran(Purpose::Sample, stdout, 0)]).as_str();
        assert_eq!(verdict("{\"text\":\"Continue? [y/N] \"}"), "passed");
        assert_eq!(verdict("Continue? [y/N] "), "failed");
    }
}

//! A question is asked where nobody can answer.

use crate::evidence::{Evidence, Seen};
use crate::probe::{Form, Outlet, Purpose};
use crate::rule::{Family, Rule, Severity, nothing_more};
use crate::surface::Json;
use crate::verdict::{Finding, Judging, Verdict};
use manila::Stream;
use regex::bytes::Regex;
use std::ops::Range;
use std::sync::LazyLock;

pub(crate) static RULE: Rule = Rule {
    id: "prompts",
    family: Family::Behaviour,
    severity: Severity::Error,
    flaw: "A question is asked where nobody can answer.",
    fix: "Without a terminal, fail with a code that names the flag which answers the question.",
    page: include_str!("prompts.md"),
    modes: &[10],
    requirements: &["F-009", "C-005"],
    plan: nothing_more,
    judge,
};

/// How questions end, or what they contain.
static QUESTION: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let choices = r"[\[(](?:y/n|yes/no|Y/n|y/N|yes/No|Yes/no)[\])]";
    let keys = r"(?i:press (?:any key|enter|return)\b)";
    let secrets = r"(?i:(?:password|passphrase|username|token|otp)[^\n:]{0,40}: ?\z)";
    let asked = r"(?i:(?:are you sure|do you want to|would you like to|continue|proceed|overwrite)[^\n?]{0,60}\?[^\n]{0,20}\z)";
    let wanted =
        r"(?i:(?:^|\n)(?:please )?(?:enter|type|choose|select|input)\b[^\n]{0,60}[:>?] ?\z)";
    Regex::new(&format!("{choices}|{keys}|{secrets}|{asked}|{wanted}")).ok()
});

/// The question that a run asks, if it asks one outside of its answer.
pub(crate) fn question(seen: &Seen<'_>) -> Option<(Stream, Range<usize>)> {
    let regex = QUESTION.as_ref()?;
    for stream in [Stream::Stdout, Stream::Stderr] {
        let bytes = seen.run.transcript.stream(stream);
        for text in &seen.reading.on(stream).text {
            if let Some(found) = regex.find(&bytes[text.clone()]) {
                return Some((stream, text.start + found.start()..text.start + found.end()));
            }
        }
    }
    None
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut judging = Judging::default();
    // Help may quote a question, and somebody may sit at a terminal, unless they ask for JSON.
    let is_asked = matches!(evidence.surface.json, Json::Asked(_));
    let is_terminal =
        |seen: &Seen<'_>| matches!(seen.run.probe.setting.outlet, Outlet::Terminal { .. });
    let meant = evidence.runs.iter().filter(|seen| {
        let probe = &seen.run.probe;
        (!is_terminal(seen) || (is_asked && probe.form == Form::Json))
            && !matches!(probe.purpose, Purpose::Help | Purpose::Bare | Purpose::Manifest)
    });
    for seen in meant {
        judging.look();
        if let Some((stream, span)) = question(seen) {
            let place = if is_terminal(seen) {
                "on a terminal although JSON is asked for"
            } else {
                "on a pipe"
            };
            let message = format!("{} asks a question {place}", seen.called());
            judging.find_once(Finding::new(seen, message).at(seen, stream, span));
        }
    }
    judging.verdict("no run was made", None)
}

#[cfg(test)]
mod tests {
    use super::{QUESTION, RULE};
    use crate::probe::{Form, Outlet, Purpose};
    use crate::testing::{judge, ran};

    #[test]
    fn questions_are_told_from_statements() {
        let regex = QUESTION.as_ref().expect("a regular expression");
        for asked in
            ["Overwrite? [y/N] ", "Password: ", "Continue?", "Enter a name: ", "Press any key"]
        {
            assert!(regex.is_match(asked.as_bytes()), "{asked}");
        }
        for told in
            ["error: no token: set NOTES_TOKEN", "continue with --force", "usage: notes [y]"]
        {
            assert!(!regex.is_match(told.as_bytes()), "{told}");
        }
    }

    #[test]
    fn who_asks_for_json_on_a_terminal_is_asked_nothing() {
        let mut run = ran(Purpose::Sample, "Token: {\"ok\":true}", 0);
        run.probe.setting.outlet = Outlet::Terminal { columns: 80 };
        assert_eq!(judge(&RULE, std::slice::from_ref(&run)).word(), "violated");
        run.probe.form = Form::Text;
        assert_eq!(judge(&RULE, &[run]).word(), "undecided");
    }

    #[test]
    fn a_question_inside_the_answer_is_data() {
        let verdict = |stdout| judge(&RULE, &[ran(Purpose::Sample, stdout, 0)]).word();
        assert_eq!(verdict("{\"text\":\"Continue? [y/N] \"}"), "holds");
        assert_eq!(verdict("Continue? [y/N] "), "violated");
    }
}

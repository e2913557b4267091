//! Terminal escapes are in the document or around it.

use super::{circumstance, is_terminal, judge_each, named, plan_stdouts};
use crate::observe::defect::Defect;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::{Finding, Verdict};
use crate::severity::Severity;

pub(crate) static RULE: Rule = Rule {
    id: "escape-in-document",
    family: Family::Document,
    severity: Severity::Error,
    scope: Scope::JSON,
    flaw: "There are terminal escapes in the JSON document or around it.",
    fix: "Write JSON without colour, and do not query the terminal when JSON is asked for.",
    page: include_str!("escape_in_document.md"),
    modes: &[2, 8],
    requirements: &["F-007"],
    plan: plan_stdouts,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    judge_each(evidence, |seen, scan| {
        let setting = &seen.run.probe.setting;
        // Colour that a variable forces has a rule of its own.
        if setting.variables.keys().any(|name| name.contains("COLOR")) {
            return None;
        }
        let stdout = seen.run.transcript.stream(scan.stream);
        let mut escapes = scan.defects.iter().filter(|(it, _)| *it == Defect::Escape);
        // On a terminal people look on, and JSON in colour is still JSON to them.
        let (_, span) =
            escapes.find(|(_, span)| !is_terminal(setting) || !is_colour(&stdout[span.clone()]))?;
        let is_inside = scan.documents.iter().any(|it| it.start < span.start && span.end < it.end);
        let place = if is_inside { "in the document" } else { "beside the document" };
        let what = match &stdout[span.clone()] {
            escape if is_colour(escape) => "a colour",
            [_, b']', ..] => "an operating system command",
            _ => "a terminal escape",
        };
        let message = format!("{what} {place} on {}{}", named(scan.stream), circumstance(setting));
        Some(Finding::new(seen, message).at(seen, scan.stream, span.clone()))
    })
}

fn is_colour(escape: &[u8]) -> bool {
    escape.starts_with(b"\x1b[") && escape.ends_with(b"m")
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::{Purpose, Stdout};
    use crate::testing::{judge, ran};

    const COLOURED: &str = "\x1b[32m{\"a\":1}\x1b[0m\n";
    const ASKING: &str = "\x1b]11;?\x07{\"a\":1}\n";

    #[test]
    fn colour_and_questions_to_the_terminal_are_found() {
        for stdout in [COLOURED, ASKING, "{\"a\":\"\x1b[1mx\"}\n"] {
            assert_eq!(judge(&RULE, &[ran(Purpose::Sample, stdout, 0)]).as_str(), "failed");
        }
        assert_eq!(judge(&RULE, &[ran(Purpose::Sample, "{\"a\":1}\n", 0)]).as_str(), "passed");
    }

    #[test]
    fn on_a_terminal_colour_is_fine_and_asking_is_not() {
        let on_terminal = |stdout| {
            let mut run = ran(Purpose::Sample, stdout, 0);
            run.probe.setting.stdout = Stdout::Terminal { columns: 80 };
            judge(&RULE, &[run]).as_str()
        };
        assert_eq!(on_terminal(COLOURED), "passed");
        assert_eq!(on_terminal(ASKING), "failed");
    }

    #[test]
    fn coloured_prose_is_prose() {
        let run = ran(Purpose::Sample, "\x1b[1mHi\x1b[0m\n{\"a\":1}\n", 0);
        assert_eq!(judge(&RULE, &[run]).as_str(), "passed");
    }
}

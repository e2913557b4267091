//! An error has a code that the command does not declare.

use crate::observe::probe::Purpose;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::error_object::ErrorObject;
use crate::rule::evidence::Evidence;
use crate::rule::object_answer::object_answers;
use crate::rule::shape::unstable_error_code::asked_for;
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;

pub(crate) static RULE: Rule = Rule {
    id: "undeclared-error-code",
    family: Family::Discovery,
    severity: Severity::Warning,
    scope: Scope::MANIFEST,
    flaw: "An error has a code that the manifest does not declare for the command.",
    fix: "Declare every code that a command can answer with.",
    page: include_str!("undeclared_error_code.md"),
    modes: &[18],
    requirements: &["C-001"],
    plan: no_probes,
    judge,
};

/// Parts of codes for wrong arguments. A list without any does not cover usage errors.
const USAGE: &[&str] = &["ARG", "USAGE", "INVALID", "VALIDATION", "UNKNOWN", "PARSE", "INPUT"];

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    for answer in object_answers(evidence).iter().filter(|answer| answer.is_failure) {
        let seen = answer.seen;
        let declared = seen.command.and_then(|command| command.error_codes.as_ref());
        let path = ErrorObject::of(answer).and_then(|error| error.code);
        let code = path.as_ref().and_then(|path| answer.text(path));
        let (Some(declared), Some(path), Some(code)) = (declared, path, code) else { continue };
        let is_usage = |code: &String| {
            let code = code.to_ascii_uppercase();
            USAGE.iter().any(|part| code.contains(part))
        };
        let purpose = seen.run.probe.purpose;
        let is_asked =
            purpose == Purpose::Missing || (purpose.must_fail() && declared.iter().any(is_usage));
        if !is_asked {
            continue;
        }
        builder.observe();
        let is_declared = declared.iter().any(|it| it.eq_ignore_ascii_case(&code));
        // A code that contains what was asked for, or is a sentence, is reported by another rule.
        let is_word = !code.contains(char::is_whitespace) && asked_for(answer, &code).is_none();
        if !is_declared && is_word {
            let message = format!("{} does not declare the code {code}", seen.called());
            let finding = Finding::new(seen, message).because_of(code);
            builder.report_once(match answer.place(&path) {
                Some((stream, span)) => finding.at(seen, stream, span),
                None => finding,
            });
        }
    }
    builder.verdict("no command that failed declares its error codes", None)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::Purpose;
    use crate::testing::{judge_with, ran, surface};

    #[test]
    fn a_code_is_one_of_the_declared() {
        let verdict = |declared: &[&str], purpose| {
            let mut surface = surface();
            let declared = declared.iter().map(|code| (*code).to_owned()).collect();
            surface.commands[1].error_codes = Some(declared);
            let stdout = r#"{"ok":false,"error":{"code":"NOT_FOUND","message":"m"}}"#;
            judge_with(&RULE, &surface, &[ran(purpose, stdout, 1)]).as_str()
        };
        assert_eq!(verdict(&["NOT_FOUND"], Purpose::Missing), "passed");
        assert_eq!(verdict(&["CONFLICT"], Purpose::Missing), "failed");
        assert_eq!(verdict(&["CONFLICT"], Purpose::UnknownFlag), "undecided");
        assert_eq!(verdict(&["USAGE"], Purpose::UnknownFlag), "failed");
    }

    #[test]
    fn the_name_of_the_command_is_no_code() {
        let mut surface = surface();
        surface.commands[1].error_codes = Some(vec!["notes.usage".to_owned()]);
        let stdout = r#"{"ok":false,"kind":"list","data":{},"issues":[{"severity":"error","code":"notes.usage"}],"meta":{}}"#;
        let run = ran(Purpose::UnknownFlag, stdout, 2);
        assert_eq!(judge_with(&RULE, &surface, &[run]).as_str(), "passed");
    }
}

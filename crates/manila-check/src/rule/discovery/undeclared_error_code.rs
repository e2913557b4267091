//! An error has a code that the command does not declare.

use crate::evidence::Evidence;
use crate::fault::Fault;
use crate::frame::framed;
use crate::probe::Purpose;
use crate::rule::shape::unstable_error_code::asked_for;
use crate::rule::{Family, Rule, Severity, nothing_more};
use crate::verdict::{Finding, Judging, Verdict};

pub(crate) static RULE: Rule = Rule {
    id: "undeclared-error-code",
    family: Family::Discovery,
    severity: Severity::Warning,
    flaw: "An error has a code that the manifest does not declare for the command.",
    fix: "Declare every code that a command can answer with.",
    page: include_str!("undeclared_error_code.md"),
    modes: &[18],
    requirements: &["C-001"],
    plan: nothing_more,
    judge,
};

/// Parts of codes for wrong arguments. A list without any is not meant to tell of them.
const USAGE: &[&str] = &["ARG", "USAGE", "INVALID", "VALIDATION", "UNKNOWN", "PARSE", "INPUT"];

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut judging = Judging::default();
    for answer in framed(evidence).iter().filter(|answer| answer.is_failure) {
        let seen = answer.seen;
        let declared = seen.command.and_then(|command| command.error_codes.as_ref());
        let path = Fault::of(answer).and_then(|fault| fault.code);
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
        judging.look();
        let is_declared = declared.iter().any(|it| it.eq_ignore_ascii_case(&code));
        // A code that holds what was asked for, or is a sentence, is told as such.
        let is_word = !code.contains(char::is_whitespace) && asked_for(answer, &code).is_none();
        if !is_declared && is_word {
            let message = format!("{} does not declare the code {code}", seen.called());
            let finding = Finding::new(seen, message);
            judging.find_once(match answer.place(&path) {
                Some((stream, span)) => finding.at(seen, stream, span),
                None => finding,
            });
        }
    }
    judging.verdict("no command that failed declares its error codes", None)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::probe::Purpose;
    use crate::testing::{judge_with, ran, surface};

    #[test]
    fn a_code_is_one_of_the_declared() {
        let verdict = |declared: &[&str], purpose| {
            let mut surface = surface();
            let declared = declared.iter().map(|code| (*code).to_owned()).collect();
            surface.commands[1].error_codes = Some(declared);
            let stdout = r#"{"ok":false,"error":{"code":"NOT_FOUND","message":"m"}}"#;
            judge_with(&RULE, &surface, &[ran(purpose, stdout, 1)]).word()
        };
        assert_eq!(verdict(&["NOT_FOUND"], Purpose::Missing), "holds");
        assert_eq!(verdict(&["CONFLICT"], Purpose::Missing), "violated");
        assert_eq!(verdict(&["CONFLICT"], Purpose::UnknownFlag), "undecided");
        assert_eq!(verdict(&["USAGE"], Purpose::UnknownFlag), "violated");
    }

    #[test]
    fn the_name_of_the_command_is_no_code() {
        let mut surface = surface();
        surface.commands[1].error_codes = Some(vec!["notes.usage".to_owned()]);
        let stdout = r#"{"ok":false,"kind":"list","data":{},"issues":[{"severity":"error","code":"notes.usage"}],"meta":{}}"#;
        let run = ran(Purpose::UnknownFlag, stdout, 2);
        assert_eq!(judge_with(&RULE, &surface, &[run]).word(), "holds");
    }
}

//! The code of an error is not the same each time.

use super::found;
use crate::evidence::Evidence;
use crate::fault::Fault;
use crate::frame::{Framed, framed, of};
use crate::plan::{missing, unknown_command, unknown_flag};
use crate::probe::{Form, Plan};
use crate::rule::{Family, Rule, Severity};
use crate::surface::Surface;
use crate::verdict::{Judging, Verdict};

pub(crate) static RULE: Rule = Rule {
    id: "unstable-error-code",
    family: Family::Shape,
    severity: Severity::Warning,
    flaw: "The code of an error is a sentence, holds what was asked for, or changes.",
    fix: "Use a fixed word for each class of error; what varies belongs in the message.",
    page: include_str!("unstable_error_code.md"),
    modes: &[18],
    requirements: &["C-013"],
    plan,
    judge,
};

/// Longer than any code that is a name.
const LONGEST: usize = 64;

fn plan(surface: &Surface, plan: &mut Plan) {
    for command in &surface.commands {
        plan.ask_each(missing(surface, command, Form::Json).map(|probe| probe.round(1)));
        plan.ask_each(unknown_command(surface, command, Form::Json).map(|probe| probe.round(1)));
        if command.is_root() {
            plan.ask_each(unknown_flag(surface, command, Form::Json).map(|probe| probe.round(1)));
        }
    }
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut judging = Judging::default();
    for answer in framed(evidence).iter().filter(|answer| answer.is_failure) {
        let Some((path, code)) = code(answer) else { continue };
        judging.look();
        let again = evidence.run_of(&answer.seen.run.probe.clone().round(1));
        let again = again.and_then(of).and_then(|again| self::code(&again)).map(|(_, code)| code);
        let why = if code.contains(char::is_whitespace) || code.chars().count() > LONGEST {
            format!("the code is a sentence: {code}")
        } else if let Some(word) = asked_for(answer, &code) {
            format!("the code holds what was asked for ({word}): {code}")
        } else if let Some(other) = again.filter(|other| *other != code) {
            format!("the code was {code} and, in an equal call, {other}")
        } else {
            continue;
        };
        judging.find_once(found(answer, &path, why));
    }
    judging.verdict(
        "no run failed with a code in JSON",
        Some("commands.\"…\".missing: a call that cannot succeed"),
    )
}

fn code(answer: &Framed<'_, '_>) -> Option<(Vec<String>, String)> {
    let path = Fault::of(answer)?.code?;
    let text = answer.text(&path)?;
    Some((path, text))
}

/// The word of the call that stands in the code, whatever its case and its dashes have become. Only
/// words of ours are looked for: those of the program may well be in its codes.
pub(crate) fn asked_for(answer: &Framed<'_, '_>, code: &str) -> Option<String> {
    let plain = |text: &str| {
        text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase()
    };
    let args = answer.seen.run.probe.args.iter().map(|word| word.to_string_lossy().into_owned());
    let is_ours = |word: &String| word.contains("manila") || plain(word) == "987654321";
    args.filter(is_ours).find(|word| plain(code).contains(&plain(word)))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::probe::{Form, Probe, Purpose};
    use crate::run::Run;
    use crate::testing::{judge, run_of, surface};

    fn answer(code: &str, round: u8) -> Run {
        let surface = surface();
        let args = ["manila-no-such-thing"];
        let probe =
            Probe::new(&surface.commands[1], Purpose::Missing, Form::Json, args, &surface.json);
        let stdout = format!(r#"{{"ok":false,"error":{{"code":"{code}","message":"m"}}}}"#);
        run_of(probe.round(round), stdout, 1)
    }

    #[test]
    fn a_code_is_a_word_that_stays() {
        let verdict = |code: &str| judge(&RULE, &[answer(code, 0)]).word();
        assert_eq!(verdict("NOT_FOUND"), "holds");
        assert_eq!(verdict("E1004"), "holds");
        assert_eq!(verdict("note was not found"), "violated");
        assert_eq!(verdict("MANILA_NO_SUCH_THING_NOT_FOUND"), "violated");
    }

    #[test]
    fn two_equal_calls_have_one_code() {
        let verdict = |again: &str| judge(&RULE, &[answer("E1", 0), answer(again, 1)]).word();
        assert_eq!(verdict("E1"), "holds");
        assert_eq!(verdict("E2"), "violated");
    }
}

//! The code of an error is not the same each time.

use super::found;
use crate::observe::placeholder::NO_FLAG;
use crate::observe::probe::{Form, Purpose};
use crate::plan::collection::Plan;
use crate::plan::usual::{missing, unknown_command, unknown_flag};
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::error_object::ErrorObject;
use crate::rule::evidence::Evidence;
use crate::rule::object_answer::{ObjectAnswer, object_answers, of};
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::model::Surface;
use manila::{Exit, Status, Transcript};
use manila_pack::BUILTIN;
use std::collections::BTreeSet;

pub(crate) static RULE: Rule = Rule {
    id: "unstable-error-code",
    family: Family::Shape,
    severity: Severity::Warning,
    scope: Scope::JSON,
    flaw: "An error code is a sentence, contains an argument of the call, or changes between calls or commands.",
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
    let mut builder = VerdictBuilder::default();
    let answers = object_answers(evidence);
    for answer in answers.iter().filter(|answer| answer.is_failure) {
        let Some((path, code)) = code(answer) else { continue };
        builder.observe();
        let again = evidence.run_of(&answer.seen.run.probe.clone().round(1));
        let again = again.and_then(of).and_then(|again| self::code(&again)).map(|(_, code)| code);
        let why = if code.contains(char::is_whitespace) || code.chars().count() > LONGEST {
            format!("the code is a sentence: {code}")
        } else if let Some(word) = asked_for(answer, &code) {
            format!("the code contains an argument of the call ({word}): {code}")
        } else if let Some(other) = again.filter(|other| *other != code) {
            format!("the code was {code} and, in an equal call, {other}")
        } else {
            continue;
        };
        builder.report_once(found(answer, &path, why));
    }
    for drift in drifts(&answers) {
        builder.report_once(drift);
    }
    builder.verdict(
        "no run failed with a code in JSON",
        Some("commands.\"…\".missing: a call that cannot succeed"),
    )
}

fn code(answer: &ObjectAnswer<'_, '_>) -> Option<(Vec<String>, String)> {
    let path = ErrorObject::of(answer)?.code?;
    let text = answer.text(&path)?;
    Some((path, text))
}

/// A failure that every command can have, and that has one code wherever it happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Common {
    UnknownFlag,
    MissingThing,
    /// What the system does not find is not what the program does not know.
    MissingFile,
}

/// How systems say that a file does not exist.
const NO_FILE: &str = "no such file or directory";

impl Common {
    /// Which one an answer tells of. Its message has to say so: what was refused for another reason, such as a login,
    /// has another code with every right. One that only names what was asked for says so by a status that no wrong
    /// usage has.
    fn of(answer: &ObjectAnswer<'_, '_>, usage: &BTreeSet<i32>) -> Option<Common> {
        let message = answer.text(&ErrorObject::of(answer)?.message?)?;
        match answer.seen.run.probe.purpose {
            Purpose::UnknownFlag => {
                message.contains(NO_FLAG.trim_start_matches('-')).then_some(Common::UnknownFlag)
            }
            Purpose::Missing => {
                let status = answer.seen.status().filter(|it| *it > 2 && !usage.contains(it));
                let missing = answer.seen.command.and_then(|it| it.missing.as_ref()?.last());
                let names_it = missing.is_some_and(|missing| message.contains(missing.as_str()));
                let is_reported = names_it && status.is_some();
                if message.to_ascii_lowercase().contains(NO_FILE) {
                    return Some(Common::MissingFile);
                }
                (is_reported || is_not_found(answer, message)).then_some(Common::MissingThing)
            }
            _ => None,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Common::UnknownFlag => "an unknown flag",
            Common::MissingThing => "something that does not exist",
            Common::MissingFile => "a file that does not exist",
        }
    }
}

/// Whether a message says that something does not exist.
fn is_not_found(answer: &ObjectAnswer<'_, '_>, message: String) -> bool {
    let said = Transcript {
        stdout: Vec::new(),
        stderr: message.into_bytes(),
        status: Status::Exited(1),
        ..answer.seen.run.transcript.clone()
    };
    manila_pack::read_call(&said, &BUILTIN).class == Some(Exit::NotFound)
}

/// The answers whose code for a common failure is another word than most commands have for it.
fn drifts(answers: &[ObjectAnswer<'_, '_>]) -> Vec<Finding> {
    let mut found = Vec::new();
    let is_usage = |answer: &&ObjectAnswer<'_, '_>| {
        use Purpose::{InvalidValue, MissingArgument, UnknownCommand, UnknownFlag};
        let purpose = answer.seen.run.probe.purpose;
        matches!(purpose, InvalidValue | MissingArgument | UnknownCommand | UnknownFlag)
    };
    let usage = answers.iter().filter(is_usage).filter_map(|it| it.seen.status()).collect();
    for common in [Common::UnknownFlag, Common::MissingThing, Common::MissingFile] {
        let failures: Vec<_> = answers
            .iter()
            .filter(|answer| answer.is_failure && Common::of(answer, &usage) == Some(common))
            .filter_map(|answer| code(answer).map(|(path, code)| (answer, path, code)))
            // The words of a sentence and numbers say nothing about what is meant.
            .filter(|(answer, _, code)| is_word(code) && asked_for(answer, code).is_none())
            .collect();
        let commands = |code: &str| {
            let of = failures.iter().filter(|failure| failure.2 == code);
            of.map(|(answer, ..)| &answer.seen.run.probe.command).collect::<BTreeSet<_>>().len()
        };
        // The first of the most frequent ones, so that one command of many is the odd one.
        let Some(usual) = failures.iter().rev().max_by_key(|failure| commands(&failure.2)) else {
            continue;
        };
        for (answer, path, code) in &failures {
            let is_same_command = answer.seen.run.probe.command == usual.0.seen.run.probe.command;
            if !is_same_command && has_drifted(code, &usual.2) {
                let (elsewhere, what) = (usual.0.seen.called(), common.words());
                let why = format!("{what} is {code} here and {} in {elsewhere}", usual.2);
                found.push(super::found(answer, path, why));
            }
        }
    }
    found
}

/// Whether a code is made of words: a number that is another one may be a finer class.
fn is_word(code: &str) -> bool {
    code.chars().any(char::is_alphabetic)
        && !code.contains(|it: char| it.is_ascii_digit() || it.is_whitespace())
}

/// Whether two codes for one thing are not two names of one family: the same word in another spelling, or no word in
/// common. `NOTE_NOT_FOUND` beside `NOT_FOUND` is a finer class.
fn has_drifted(code: &str, usual: &str) -> bool {
    let [one, other] = [code, usual].map(words_of);
    code != usual && (one == other || one.iter().all(|word| !other.contains(word)))
}

/// The words of a code in lower case, without those that say that it is one.
fn words_of(code: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for character in code.chars() {
        let is_end = !character.is_alphabetic() || (was_lower && character.is_uppercase());
        was_lower = character.is_lowercase();
        if is_end {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| character.is_alphabetic()) {
            word.extend(character.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty() && !matches!(word.as_str(), "e" | "err" | "error"));
    words
}

/// The word of the call that is in the code, whatever its case and its dashes have become. Only
/// words of ours are looked for: those of the program may well be in its codes.
pub(crate) fn asked_for(answer: &ObjectAnswer<'_, '_>, code: &str) -> Option<String> {
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
    use crate::observe::probe::{Form, Probe, Purpose};
    use crate::observe::run::Run;
    use crate::testing::{judge, judge_with, run_of, surface};

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
        let verdict = |code: &str| judge(&RULE, &[answer(code, 0)]).as_str();
        assert_eq!(verdict("NOT_FOUND"), "passed");
        assert_eq!(verdict("E1004"), "passed");
        assert_eq!(verdict("note was not found"), "failed");
        assert_eq!(verdict("MANILA_NO_SUCH_THING_NOT_FOUND"), "failed");
    }

    /// What is said of two commands that do not find what they are asked for.
    fn of_two_commands(first: (&str, &str), second: (&str, &str), status: i32) -> &'static str {
        let mut surface = surface();
        surface.commands[1].missing = Some(vec!["manila-no-such-thing".to_owned()]);
        let mut other = surface.commands[1].clone();
        other.path = vec!["show".to_owned()];
        surface.commands.push(other);
        let runs =
            [(1, first), (surface.commands.len() - 1, second)].map(|(at, (code, message))| {
                let args = ["manila-no-such-thing"];
                let command = &surface.commands[at];
                let probe = Probe::new(command, Purpose::Missing, Form::Json, args, &surface.json);
                let error = format!(r#"{{"code":"{code}","message":"{message}"}}"#);
                run_of(probe, format!(r#"{{"ok":false,"error":{error}}}"#), status)
            });
        judge_with(&RULE, &surface, &runs).as_str()
    }

    #[test]
    fn one_thing_has_one_code_in_every_command() {
        let missing = "there is no such note";
        let verdict = |other: &str| of_two_commands(("NOT_FOUND", missing), (other, missing), 1);
        assert_eq!(verdict("NOT_FOUND"), "passed");
        for finer in ["NOTE_NOT_FOUND", "ERR_NOT_FOUND_IN_BOOK", "E404"] {
            assert_eq!(verdict(finer), "passed", "{finer}");
        }
        for drifted in ["MISSING", "not_found", "NotFound", "NO_NOTE"] {
            assert_eq!(verdict(drifted), "failed", "{drifted}");
        }
        let file = ("FILE_MISSING", "x.toml: No such file or directory (os error 2)");
        assert_eq!(of_two_commands(("NO_NOTE", missing), file, 1), "passed", "a file is another");
        assert_eq!(of_two_commands(("ABSENT", file.1), file, 1), "failed");
        let refused = ("INVALID_ID", "an id has digits only");
        assert_eq!(of_two_commands(("NOT_FOUND", missing), refused, 1), "passed");
        let [one, other] =
            ["NOT_FOUND", "MISSING"].map(|code| (code, "no item manila-no-such-thing"));
        assert_eq!(of_two_commands(one, other, 1), "passed", "all failures may end so");
        assert_eq!(of_two_commands(one, other, 5), "failed");
    }

    #[test]
    fn two_equal_calls_have_one_code() {
        let verdict = |again: &str| judge(&RULE, &[answer("E1", 0), answer(again, 1)]).as_str();
        assert_eq!(verdict("E1"), "passed");
        assert_eq!(verdict("E2"), "failed");
    }
}

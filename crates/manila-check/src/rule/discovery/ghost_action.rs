//! An answer names what to call next, and the program does not have it.

use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::Evidence;
use crate::rule::object_answer::object_answers;
use crate::rule::shape::found;
use crate::rule::verdict::{Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::model::{Command, Surface};
use serde_json::Value;

pub(crate) static RULE: Rule = Rule {
    id: "ghost-action",
    family: Family::Discovery,
    severity: Severity::Warning,
    scope: Scope::MANIFEST,
    flaw: "An answer names a command to call next that the program does not have.",
    fix: "Generate such commands from the table that the argument parser uses.",
    page: include_str!("ghost_action.md"),
    modes: &[52],
    requirements: &["O-041"],
    plan: no_probes,
    judge,
};

/// Where answers name what to call next: the objects, and the keys in them.
const OBJECTS: &[&[&str]] = &[&[], &["meta"], &["error"], &["data"]];
const KEYS: &[&str] = &[
    "next_actions",
    "nextActions",
    "next_steps",
    "nextSteps",
    "next_command",
    "nextCommand",
    "next",
    "redirect",
];

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    for answer in object_answers(evidence) {
        for path in places() {
            for call in answer.get(&path).map(calls).into_iter().flatten() {
                let Some(words) = own_call(evidence, call) else { continue };
                builder.observe();
                if let Some(word) = unknown(evidence.surface, &words) {
                    let message = format!("the answer says to call {call:?}; there is no {word}");
                    builder.report_once(found(&answer, &path, message));
                }
            }
        }
    }
    builder.verdict("no answer names a command to call next", None)
}

fn places() -> impl Iterator<Item = Vec<&'static str>> {
    OBJECTS.iter().flat_map(|object| KEYS.iter().map(|key| [*object, &[*key]].concat()))
}

/// The calls that a value names: itself, its `command`, or those of its elements.
fn calls(value: &Value) -> Vec<&str> {
    match value {
        Value::String(call) => vec![call],
        Value::Object(members) => {
            members.get("command").and_then(Value::as_str).into_iter().collect()
        }
        Value::Array(elements) => {
            elements.iter().filter(|it| !it.is_array()).flat_map(calls).collect()
        }
        _ => Vec::new(),
    }
}

/// The words of a call of this program, without its name.
fn own_call(evidence: &Evidence<'_>, call: &str) -> Option<Vec<String>> {
    let words = shlex::split(call)?;
    let (program, words) = words.split_first()?;
    let program = program.rsplit('/').next()?;
    let is_own = program == evidence.surface.name || program == evidence.subject.name();
    is_own.then(|| words.to_vec())
}

/// The first word where only a command can stand and none is known by that name.
fn unknown(surface: &Surface, words: &[String]) -> Option<String> {
    let mut command = surface.commands.first()?;
    for word in words.iter().filter(|word| !word.starts_with('-')) {
        let is_it = |it: &&Command| {
            let parent = it.path.split_last();
            parent.is_some_and(|(own, above)| {
                above == command.path && (own == word || it.aliases.contains(word))
            })
        };
        let Some(next) = surface.commands.iter().find(is_it) else {
            let is_word = word.starts_with(|it: char| it.is_ascii_alphabetic());
            let must_be = command.is_group && command.positionals.is_empty();
            return (must_be && is_word).then(|| word.clone());
        };
        command = next;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::Purpose;
    use crate::testing::{judge, ran};

    fn verdict(members: &str) -> &'static str {
        let answer = format!(r#"{{"ok":true,"data":{{}},"error":null,{members}}}"#);
        judge(&RULE, &[ran(Purpose::Sample, answer, 0)]).as_str()
    }

    #[test]
    fn a_command_that_is_not_there_is_found_wherever_it_is_named() {
        assert_eq!(verdict(r#""next_actions":[{"command":"notes lst --json"}]"#), "failed");
        assert_eq!(verdict(r#""meta":{"next_command":"notes frob 7"}"#), "failed");
        assert_eq!(verdict(r#""nextActions":["notes list","notes frob"]"#), "failed");
    }

    #[test]
    fn what_is_there_and_what_is_of_others_is_left() {
        assert_eq!(verdict(r#""next_actions":[{"command":"notes list --limit 2"}]"#), "passed");
        assert_eq!(verdict(r#""next_actions":["notes --help"]"#), "passed");
        assert_eq!(verdict(r#""next_actions":["notes <command>"]"#), "passed");
        assert_eq!(verdict(r#""next_actions":["git status"]"#), "undecided");
        assert_eq!(verdict(r#""meta":{"next":"opaque-cursor"}"#), "undecided");
    }
}

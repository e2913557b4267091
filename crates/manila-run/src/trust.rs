//! Whether a command that a program printed may be run in place of the call.

use crate::argv;
use crate::known::{is_confirmation, raises_effect};
use crate::policy::{Policy, Trust};

/// Why a command may not be run in place of the call; nothing if it may.
pub(crate) fn objection(policy: &Policy, call: &[String], command: &[String]) -> Option<String> {
    let is_forbidden = |word: &&String| {
        let is_named = |denied_args: &String| argv::is_option(word, denied_args);
        policy.denied_args.iter().any(is_named) && !call.contains(word)
    };
    let shown = || command.join(" ");
    if let Some(word) = command.iter().find(is_forbidden) {
        return Some(format!("{:?} is not run: it brings in {word}", shown()));
    }
    if let Some(word) = command.iter().find(|word| is_confirmation(word) && !call.contains(word)) {
        return Some(format!(
            "{:?} is not run: it adds {word}, which the call does not have",
            shown()
        ));
    }
    if raises_effect(call, command, policy) {
        return Some(format!("{:?} is not run: it does more than the call", shown()));
    }
    match (&policy.trust, command.first(), call.first()) {
        (Trust::Never, ..) => {
            Some(format!("{:?} is not run: the caller follows no redirects", shown()))
        }
        (Trust::SameProgram, Some(named), Some(called)) if !argv::is_same(called, named) => {
            Some(format!("{:?} is not run: it is of another program", shown()))
        }
        (Trust::Ask(agrees), ..) if !agrees(command) => {
            Some(format!("{:?} is not run: it was not confirmed", shown()))
        }
        _ => None,
    }
}

/// The arguments of a command that a program printed, if it may be suggested in place of the call: no shell is needed, it
/// names the same program, does no more than the call, and brings in neither a confirmation nor a denied argument.
/// Nothing is run.
pub fn suggestion(policy: &Policy, call: &[String], command: &str) -> Option<Vec<String>> {
    let words = manila::split_command(command)?;
    let policy = Policy { trust: Trust::SameProgram, ..policy.clone() };
    objection(&policy, call, &words).is_none().then_some(words)
}

/// The command with the very program that was called, if it names that one by its bare name.
pub(crate) fn of_same_program(call: &[String], mut command: Vec<String>) -> Vec<String> {
    if let (Some(called), Some(named)) = (call.first(), command.first_mut())
        && argv::is_same(called, named)
    {
        named.clone_from(called);
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn argv(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    fn objects(policy: &Policy, command: &str) -> bool {
        objection(policy, &argv("/bin/t rm --force"), &argv(command)).is_some()
    }

    #[test]
    fn another_program_is_not_run_unless_the_caller_says_so() {
        assert!(!objects(&Policy::default(), "t delete"));
        assert!(!objects(&Policy::default(), "/bin/t delete"));
        assert!(objects(&Policy::default(), "/tmp/t delete"));
        assert!(objects(&Policy::default(), "sudo t delete"));
        assert!(!objects(&Policy { trust: Trust::Any, ..Policy::default() }, "sudo t delete"));
        assert!(objects(&Policy { trust: Trust::Never, ..Policy::default() }, "t delete"));
    }

    #[test]
    fn only_what_could_replace_the_call_is_suggested() {
        let policy = Policy { trust: Trust::Never, ..Policy::default() };
        let may = |command| suggestion(&policy, &argv("/bin/t ls"), command).is_some();
        assert!(may("t list 'a b'"));
        for command in ["t list; rm x", "rm x", "t ls --yes", "t delete", "t 'ls", ""] {
            assert!(!may(command), "{command}");
        }
    }

    #[test]
    fn the_question_shows_the_exact_command() {
        let ask = |command: &[String]| command == argv("t delete");
        let policy = Policy { trust: Trust::Ask(Arc::new(ask)), ..Policy::default() };
        assert!(!objects(&policy, "t delete"));
        assert!(objects(&policy, "t delete all"));
    }

    #[test]
    fn what_is_forbidden_may_only_be_there_if_the_caller_wrote_it() {
        let policy =
            |word: &str| Policy { denied_args: vec![word.to_owned()], ..Policy::default() };
        assert!(objects(&policy("--yes"), "t delete --yes"));
        assert!(objects(&policy("--yes"), "t delete --yes=true"));
        assert!(!objects(&policy("--force"), "t delete --force"));
    }

    #[test]
    fn a_bare_name_means_the_program_that_was_called() {
        assert_eq!(of_same_program(&argv("/bin/t x"), argv("t y")), argv("/bin/t y"));
        assert_eq!(of_same_program(&argv("/bin/t x"), argv("u y")), argv("u y"));
    }
}

//! What is known about a call before it is made: the pack of its program, and what it may change.

use crate::invocation::Invocation;
use crate::policy::Policy;
use manila_pack::{CallEffect, Effect, effects};

/// What is known about a call.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    /// Whether there is a pack of the program, or of the one that it starts.
    pub(crate) has_pack: bool,
    pub(crate) effect: Effect,
}

impl Known {
    pub(crate) fn about(argv: &[String], policy: &Policy) -> Known {
        let program = argv.first().map_or("", String::as_str);
        let name = program.rsplit('/').next().unwrap_or(program);
        let has_pack = policy.packs.lookup().find(name).is_some();
        let effect = effect(argv, policy).map_or(Effect::None, |known| known.effect);
        Known { has_pack, effect }
    }

    /// Whether it is certain that the program itself writes the output, and that it has no
    /// envelope: a call of unknown effect may start any other program.
    pub(crate) fn is_program_itself(&self) -> bool {
        self.has_pack && self.effect != Effect::Unknown
    }
}

/// The call with the environment that its pack asks for: no pager, no prompt, messages in the C locale. What
/// the caller has set already stays as it is.
pub(crate) fn with_pack_environment(call: Invocation, policy: &Policy) -> Invocation {
    let name = call.program().to_string_lossy();
    let name = name.rsplit('/').next().unwrap_or_default();
    let Some(pack) = policy.packs.lookup().find(name) else { return call };
    let environment = &pack.model().environment;
    let is_unset = |name: &str| std::env::var_os(name).is_none() || name == "LC_ALL";
    let set = environment.set.0.iter().filter(|(name, _)| is_unset(name));
    let call = environment.unset.iter().fold(call, |call, name| call.pack_removes(name));
    set.fold(call, |call, (name, value)| call.pack_sets(name, value))
}

/// What a call may change; nothing if the caller has written down that it only reads.
fn effect(argv: &[String], policy: &Policy) -> Option<CallEffect> {
    let arguments = argv.get(1..).unwrap_or_default();
    let begins = |read: &String| {
        let words: Vec<&str> = read.split_whitespace().collect();
        !words.is_empty()
            && arguments.len() >= words.len()
            && words.iter().zip(arguments).all(|(a, b)| a == b)
    };
    if policy.reads.iter().any(begins) {
        return None;
    }
    Some(effects(argv, policy.packs.lookup()))
}

/// Whether a command would do more than the call that it is to replace, as far as is known.
pub(crate) fn raises_effect(call: &[String], command: &[String], policy: &Policy) -> bool {
    let (before, after) = (Known::about(call, policy).effect, Known::about(command, policy).effect);
    if after != Effect::Unknown || before != Effect::Unknown {
        return after > before;
    }
    // Nothing is known about the program, so its arguments have to decide.
    let does_more = |word: &&String| {
        is_forceful(word) && !call.iter().any(|said| is_forceful(said) && alike(said, word))
    };
    command.iter().skip(1).any(|word| does_more(&word))
}

/// Whether both words are options, or both are verbs.
fn alike(one: &str, other: &str) -> bool {
    one.starts_with('-') == other.starts_with('-')
}

/// Verbs and options that change, remove or confirm.
#[rustfmt::skip]
const FORCEFUL: &[&str] = &[
    "delete", "del", "remove", "rm", "destroy", "drop", "purge", "prune", "kill", "reset", "wipe", "erase", "clean",
    "clear", "uninstall", "revoke", "deploy", "publish", "release", "push", "apply", "truncate", "overwrite", "format",
    "shutdown", "terminate", "stop", "cancel", "rollback", "exec", "run", "eval", "sudo",
    "--yes", "-y", "--force", "-f", "--assume-yes", "--auto-approve", "--confirm", "--no-confirm", "--no-verify", "--hard",
    "--purge", "--delete", "--all", "--confirm-destructive", "--skip-confirmation", "--non-interactive", "--overwrite",
];

fn is_forceful(word: &str) -> bool {
    let word = word.split('=').next().unwrap_or(word);
    FORCEFUL.contains(&word.to_ascii_lowercase().as_str())
}

/// An option that confirms or forces, which a command may bring in only if the caller wrote it.
pub(crate) fn is_confirmation(word: &str) -> bool {
    word.starts_with('-') && is_forceful(word)
}

/// Whether a command is the call under another name: other words for the command, the same arguments.
pub(crate) fn is_rename(call: &[String], command: &[String]) -> bool {
    let (Some(call), Some(command)) = (call.get(1..), command.get(1..)) else { return false };
    let same = call.iter().rev().zip(command.iter().rev()).take_while(|(a, b)| a == b).count();
    let is_name = |words: &[String]| {
        words.len() <= 3 && !words.is_empty() && words.iter().all(|word| !word.starts_with('-'))
    };
    let shared = call.iter().zip(command).take_while(|(a, b)| a == b).count();
    let same = same.min(call.len().min(command.len()) - shared.min(call.len().min(command.len())));
    is_name(&call[shared..call.len() - same]) && is_name(&command[shared..command.len() - same])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn argv(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn a_command_may_not_do_more_than_the_call() {
        let raises = |call, command| raises_effect(&argv(call), &argv(command), &Policy::default());
        assert!(raises("./tool list", "./tool delete everything"));
        assert!(raises("./tool list", "./tool ls --yes"));
        assert!(!raises("./tool rm a", "./tool delete a"));
        assert!(!raises("./tool user add", "./tool users add"));
        assert!(raises("npm view x", "npm publish x"));
        assert!(!raises("npm show x", "npm view x"));
    }

    #[test]
    fn a_rename_keeps_the_arguments() {
        let renames = |call, command| is_rename(&argv(call), &argv(command));
        assert!(renames("t user add --name a", "t users add --name a"));
        assert!(renames("t rm a", "t delete a"));
        assert!(renames("t old a", "t new sub a"));
        assert!(!renames("t list", "t list --all"));
        assert!(!renames("t list a", "t list b c d e f"));
        assert!(!renames("t a", "t a"));
    }

    #[test]
    fn what_is_written_down_is_known() {
        let policy = Policy { reads: vec!["pr view".to_owned()], ..Policy::default() };
        assert_eq!(Known::about(&argv("./acme pr view 7"), &policy).effect, Effect::None);
        assert_eq!(Known::about(&argv("./acme pr merge 7"), &policy).effect, Effect::Unknown);
    }
}

//! Calls of safe commands with a value of our own in the place of one that they take.

use crate::observe::probe::{Form, Probe, Purpose};
use crate::surface::model::{Command, Flag, Surface};
use std::ffi::OsString;

/// Words in the name of a flag whose value is a place that is written to, asked or run.
const REACHING: &[&str] = &[
    "out", "file", "dir", "path", "log", "config", "dest", "target", "exec", "command", "cmd",
    "shell", "editor", "server", "url", "host", "port", "socket", "save", "write", "export",
    "record", "cache", "root", "home", "profile", "import", "from", "to", "cwd", "chdir",
];

/// Words in the name of a flag that does more than change an answer.
const ACTING: &[&str] = &[
    "watch",
    "follow",
    "tail",
    "interactive",
    "edit",
    "open",
    "web",
    "browser",
    "fix",
    "force",
    "yes",
    "delete",
    "remove",
    "apply",
    "update",
    "upgrade",
    "install",
    "uninstall",
    "login",
    "logout",
    "daemon",
    "serve",
    "reset",
    "clean",
    "purge",
    "prune",
    "wait",
    "stdin",
    "pager",
    "shell",
    "confirm",
    "sync",
    "push",
    "init",
    "create",
    "sleep",
    "delay",
    "background",
    "detach",
    "live",
    "execute",
    "run",
];

/// Whether a flag only changes what a safe command answers, judged by its name.
pub(crate) fn is_harmless(flag: &Flag) -> bool {
    let Some(long) = &flag.long else { return false };
    let is_one_of = |words: &[&str]| long.split(['-', '_']).any(|word| words.contains(&word));
    let takes_place = flag.value.is_some() && (is_one_of(REACHING) || long.contains("output"));
    !is_one_of(ACTING) && !takes_place
}

/// A call of a safe command with this value where it takes one of the caller's own: the positional
/// of its sample call, or a flag that takes any text. Nothing if it takes none.
pub(crate) fn call_with(
    surface: &Surface,
    command: &Command,
    purpose: Purpose,
    value: impl Into<OsString>,
) -> Option<Probe> {
    if !command.is_safe() {
        return None;
    }
    let examples = [&command.missing, &command.sample, &command.empty];
    let example = examples
        .into_iter()
        .flatten()
        .find(|args| args.last().is_some_and(|last| !last.starts_with('-')));
    let mut args: Vec<OsString> = match (example, text_flag(command), &command.sample) {
        (Some(args), ..) => args[..args.len() - 1].iter().map(OsString::from).collect(),
        (None, Some(flag), Some(sample)) => {
            sample.iter().cloned().chain([flag.spelling()]).map(OsString::from).collect()
        }
        _ => return None,
    };
    args.push(value.into());
    Some(Probe::new(command, purpose, Form::Json, args, &surface.json))
}

fn text_flag(command: &Command) -> Option<&Flag> {
    command.flags.iter().find(|flag| {
        flag.value.is_some() && !flag.is_number && flag.choices.is_empty() && is_harmless(flag)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::surface;

    #[test]
    fn the_value_takes_the_place_of_the_caller_s() {
        let mut surface = surface();
        let list = &surface.commands[1];
        assert_eq!(call_with(&surface, list, Purpose::OddBytes, "x"), None);
        surface.commands[1].missing = Some(vec!["--id".to_owned(), "no".to_owned()]);
        let probe = call_with(&surface, &surface.commands[1], Purpose::OddBytes, "x");
        assert_eq!(probe.expect("a call").args, ["list", "--id", "x", "--json"]);
    }

    #[test]
    fn a_flag_is_harmless_by_its_name() {
        let flag = |long: &str, value: Option<&str>| Flag {
            long: Some(long.to_owned()),
            value: value.map(str::to_owned),
            ..Flag::default()
        };
        assert!(is_harmless(&flag("sort", Some("KEY"))));
        assert!(!is_harmless(&flag("output-file", Some("FILE"))));
        assert!(!is_harmless(&flag("follow", None)));
    }
}

//! Calls by names that a program is about to give up, or keeps beside the usual ones: flags that its
//! help calls deprecated, and other names of its commands. What it says about them must not get into
//! the answer.

use crate::observe::probe::{Form, Probe, Purpose};
use crate::plan::adversarial::is_harmless;
use crate::surface::model::{Command, Flag, Surface};

/// How many names are tried for each command.
const MOST: usize = 3;
/// What help says of a flag or a command that goes.
const WORDS: &[&str] = &["deprecated", "obsolete", "legacy", "will be removed", "replaced by"];

/// Sample calls by such names, asked for JSON.
pub(crate) fn calls(surface: &Surface) -> Vec<Probe> {
    if !surface.json.is_known() {
        return Vec::new();
    }
    surface.commands.iter().flat_map(|command| of(command, surface)).collect()
}

fn of(command: &Command, surface: &Surface) -> Vec<Probe> {
    let Some(sample) = command.sample.as_ref().filter(|_| command.is_safe()) else {
        return Vec::new();
    };
    let probe = |command: &Command, args: Vec<String>| {
        Probe::new(command, Purpose::Extra, Form::Json, args, &surface.json)
    };
    let flags = command.flags.iter().filter(|flag| is_deprecated(flag) && is_harmless(flag));
    let by_flag = flags.take(MOST).map(|flag| {
        let value = flag.value.as_ref().map(|_| match flag.choices.first() {
            Some(choice) => choice.clone(),
            None => "1".to_owned(),
        });
        let args = sample.iter().cloned().chain([flag.spelling()]).chain(value).collect();
        probe(command, args)
    });
    let names = command.aliases.iter().filter(|_| !command.is_root()).take(MOST);
    let by_name = names.map(|alias| {
        let mut other = command.clone();
        other.path.pop();
        other.path.push(alias.clone());
        Probe { command: command.path.clone(), ..probe(&other, sample.clone()) }
    });
    by_flag.chain(by_name).collect()
}

fn is_deprecated(flag: &Flag) -> bool {
    let about = flag.about.to_lowercase();
    WORDS.iter().any(|word| about.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::surface;

    #[test]
    fn deprecated_flags_and_other_names_are_called() {
        let mut surface = surface();
        let flag = |long: &str, about: &str| Flag {
            long: Some(long.to_owned()),
            about: about.to_owned(),
            ..Flag::default()
        };
        surface.commands[1].aliases = vec!["ls".to_owned()];
        surface.commands[1].flags = vec![
            flag("all", "Show all of them"),
            flag("full", "Deprecated: use --all"),
            flag("force-reset", "Deprecated, and it does harm"),
        ];
        let words = |probe: &Probe| {
            let words: Vec<_> = probe.args.iter().map(|it| it.to_string_lossy()).collect();
            (probe.command.join(" "), words.join(" "))
        };
        let called: Vec<_> = calls(&surface).iter().map(words).collect();
        let expected =
            ["list --full --json", "ls --json"].map(|it| ("list".to_owned(), it.to_owned()));
        assert_eq!(called, expected);
    }
}

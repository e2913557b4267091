//! What the usages of a command agree on: the arguments it takes, and whether a command follows it.

use super::page::Page;
use super::usage::Usage;
use crate::surface::model::{Positional, Subcommand};

/// The arguments: one is needed if it is in each of the usages.
pub(super) fn positionals(usages: &[Usage], path: &[String]) -> Vec<Positional> {
    // A usage with further words is of a command below this one.
    let usages: Vec<&Usage> = usages
        .iter()
        .filter(|usage| usage.words == path || !usage.words.starts_with(path))
        .collect();
    let Some(longest) = usages.iter().max_by_key(|usage| usage.positionals.len()) else {
        return Vec::new();
    };
    let is_needed_in = |usage: &Usage, name: &str| {
        usage.positionals.iter().any(|it| it.is_required && it.name == name)
    };
    let mut positionals = longest.positionals.clone();
    for positional in &mut positionals {
        positional.is_required &= usages.iter().all(|usage| is_needed_in(usage, &positional.name));
    }
    positionals
}

/// Whether a page proves that nothing but one of the commands it lists can follow. A page that lists
/// none, or says in any of its usages that the command takes something else, proves nothing.
pub(super) fn subcommand(page: &Page, path: &[String]) -> Subcommand {
    let usages = &page.usages;
    if page.commands.is_empty() || !page.positionals.is_empty() || usages.is_empty() {
        return Subcommand::Unproven;
    }
    // One with further words begins with a command: `ship move <x> <y>`.
    let is_below = |usage: &Usage| usage.words.starts_with(path) && usage.words.len() > path.len();
    let own: Vec<&Usage> = usages.iter().filter(|usage| !is_below(usage)).collect();
    let leads_on = |usage: &&Usage| {
        usage.words == path
            && usage.command_follows
            && usage.positionals.is_empty()
            && !usage.flags.iter().any(|flag| flag.is_required)
    };
    if !own.iter().all(leads_on) {
        return Subcommand::Unproven;
    }
    // cobra writes `tool [command]`, with `tool [flags]` before it where the tool itself can be run.
    let is_cobra = page.text.contains("[command] --help\" for more information about a command");
    if is_cobra || !own.iter().any(|usage| usage.command_is_optional) {
        Subcommand::Required
    } else {
        Subcommand::Optional
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proven(usage: &str, more: &str) -> Subcommand {
        let text = format!("Usage: {usage}\n\nCommands:\n  list  List it\n  show  Show it\n{more}");
        super::super::read(&text, &[]).subcommand
    }

    #[test]
    fn only_a_usage_that_names_a_command_and_nothing_else_is_a_proof() {
        for (usage, expected) in [
            ("tool [OPTIONS] <COMMAND>", Subcommand::Required),
            ("tool [options] [command]", Subcommand::Optional),
            ("tool [-v] <command> [<args>]", Subcommand::Required),
            ("tool [-v] [<command> [<args>]]", Subcommand::Optional),
            ("tool [-h] {list,show} ...", Subcommand::Required),
            ("tool [OPTIONS] COMMAND [ARGS]...", Subcommand::Required),
            ("tool [OPTIONS]", Subcommand::Unproven),
            ("tool [OPTIONS] <ENVIRONMENT>", Subcommand::Unproven),
            ("tool [OPTIONS] [COMMAND] [TARGET]", Subcommand::Unproven),
            ("tool -f FILE <COMMAND>", Subcommand::Unproven),
            ("tool [command|file]", Subcommand::Unproven),
            ("tool [args...]", Subcommand::Unproven),
        ] {
            assert_eq!(proven(usage, ""), expected, "{usage}");
        }
    }

    #[test]
    fn a_tool_that_can_be_run_itself_needs_no_command() {
        assert_eq!(proven("tool <command>\n       tool [flags]", ""), Subcommand::Unproven);
        let cobra = "\nUse \"tool [command] --help\" for more information about a command.\n";
        assert_eq!(proven("tool [command]", cobra), Subcommand::Required);
        assert_eq!(proven("tool [flags]\n       tool [command]", cobra), Subcommand::Unproven);
    }

    #[test]
    fn usages_that_each_begin_with_a_command_are_a_proof() {
        let read = |text: &str| super::super::read(text, &[]).subcommand;
        assert_eq!(read("Usage:\n  ship new <name>\n  ship move <x>\n"), Subcommand::Required);
        assert_eq!(read("Usage:\n  ship new <name>\n  ship <x>\n"), Subcommand::Unproven);
        assert_eq!(read("Usage: deploy [options]\n\nDeploy to production\n"), Subcommand::Unproven);
    }
}

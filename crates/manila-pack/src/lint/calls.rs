//! Checks of what a pack says about calls: options, effects, wrappers.

use super::Linter;
use super::place::Step;
use crate::condition::Count;
use crate::model::{Effect, EffectRule};
use crate::pattern::word_matches;
use crate::text::Text;

pub(super) fn check(linter: &mut Linter<'_>) {
    let model = linter.model;
    for (key, options) in [("values", &model.options.values), ("flags", &model.options.flags)] {
        are_options(linter, &[Step::Key("options"), Step::Key(key)], options);
    }
    for flag in &model.options.flags {
        if model.options.values.contains(flag) {
            let message = format!("{flag} is among the values and among the flags");
            let path = [Step::Key("options"), Step::Key("flags")];
            linter.report(&path, message, "an option either takes the next word or does not");
        }
    }
    for (index, rule) in model.option.iter().enumerate() {
        let path = [Step::Key("option"), Step::Index(index)];
        are_options(linter, &path, &rule.values);
        are_options(linter, &path, &rule.flags);
        are_programs(linter, &path, &rule.program);
    }
    for (index, rule) in model.effect.iter().enumerate() {
        effect(linter, index, rule);
    }
    for (index, rule) in model.wraps.iter().enumerate() {
        let path = [Step::Key("wraps"), Step::Index(index)];
        are_programs(linter, &path, &rule.program);
        linter.evidence(&path, &rule.evidence);
        let lengths = rule.command.iter().map(|command| command.split_whitespace().count());
        let lengths: std::collections::BTreeSet<usize> = lengths.collect();
        if lengths.len() > 1 {
            let hint = "write a rule for each number of words";
            linter.report(&path, "the commands have different numbers of words", hint);
        }
        if rule.until.is_empty() != rule.after.is_empty() {
            linter.report(&path, "`after` and `until` belong together", "write both, or neither");
        }
    }
    for (index, rule) in model.json.iter().enumerate() {
        if rule.add.is_empty() {
            let path = [Step::Key("json"), Step::Index(index)];
            linter.report(&path, "the JSON switch adds nothing", "add = [\"--json\"]");
        }
    }
    for (index, rule) in model.page.iter().enumerate() {
        if rule.flag.is_none() && rule.cut_by.is_none() {
            let path = [Step::Key("page"), Step::Index(index)];
            linter.report(&path, "the page names no option", "flag = \"--cursor\"");
        }
    }
    if model.refresh.as_ref().is_some_and(|refresh| refresh.argv.is_empty()) {
        let hint = "argv = [\"<program>\", \"login\"]";
        linter.report(&[Step::Key("refresh")], "the refresh has no command", hint);
    }
}

fn are_options(linter: &mut Linter<'_>, path: &[Step<'_>], options: &[Text<'_>]) {
    for option in options {
        let is_option = option.starts_with('-') && option.len() > 1;
        if !is_option || option.contains(['=', ' ']) {
            let hint = "write the bare name, such as --output or -o";
            linter.report(path, format!("{:?} is not the name of an option", &**option), hint);
        }
    }
}

fn are_programs(linter: &mut Linter<'_>, path: &[Step<'_>], programs: &[Text<'_>]) {
    for program in programs {
        if !linter.model.programs.contains(program) {
            let message = format!("{program} is not a program of this pack");
            linter.report(path, message, "add it to `programs`, or correct the name");
        }
    }
}

fn effect(linter: &mut Linter<'_>, index: usize, rule: &EffectRule<'_>) {
    let path = [Step::Key("effect"), Step::Index(index)];
    let key = |name: &'static str| [path[0], path[1], Step::Key(name)];
    linter.evidence(&path, &rule.evidence);
    are_programs(linter, &key("program"), &rule.program);
    are_options(linter, &key("flag"), &rule.flag);
    are_options(linter, &key("without"), &rule.without);
    are_options(linter, &key("only"), rule.only.as_deref().unwrap_or_default());
    if !linter.places.has(&key("effect")) {
        let hint = "effect = \"none\", \"idempotent\", \"writes\", \"destroys\" or \"unknown\"";
        linter.report(&path, "the rule names no effect", hint);
    }
    let has_value = !rule.flag_value.is_empty() || !rule.flag_value_except.is_empty();
    if has_value && rule.flag.is_empty() {
        let message = "a value is asked for without an option";
        linter.report(&path, message, "add flag = [\"--the-option\"]");
    }
    if rule.arguments.as_deref().is_some_and(|count| Count::parse(count).is_none()) {
        let hint = "write a number of words: \"0\", \"1\", \"2+\" or \"0-1\"";
        linter.report(&key("arguments"), "`arguments` is not a number of words", hint);
    }
    for command in &rule.command {
        if command.trim().is_empty() {
            let hint = "leave `command` out for any call";
            linter.report(&key("command"), "a command is empty", hint);
        }
        if command.split_whitespace().any(|word| word.starts_with('-')) {
            let hint = "put options into `flag`";
            linter.report(&key("command"), format!("the command {command} has an option"), hint);
        }
    }
    if rule.effect == Effect::None && rule.command.first().is_some_and(|command| **command == *"*")
    {
        let message = "any command at all is called a read";
        linter.report(&path, message, "list the commands that only read");
    }
    let mut earlier = linter.model.effect[..index].iter();
    if let Some(hiding) = earlier.find(|earlier| hides(earlier, rule)) {
        let message = format!("{} matches whatever this rule matches", hiding.id());
        linter.report(&path, message, "move this rule before it, or remove it");
    }
}

/// Whether the first of two rules matches every call that the second does, as far as that is easily
/// seen: it has no condition but program and command.
fn hides(first: &EffectRule<'_>, second: &EffectRule<'_>) -> bool {
    let is_plain = first.flag.is_empty()
        && first.without.is_empty()
        && first.only.is_none()
        && first.arguments.is_none()
        && first.argument.is_empty();
    let has_programs = first.program.is_empty()
        || (!second.program.is_empty()
            && second.program.iter().all(|program| first.program.contains(program)));
    let covers = |command: &Text<'_>| first.command.iter().any(|pattern| begins(pattern, command));
    let has_commands = first.command.is_empty()
        || (!second.command.is_empty() && second.command.iter().all(covers));
    is_plain && has_programs && has_commands
}

/// Whether the words of a pattern cover the first words of a command.
fn begins(pattern: &str, command: &str) -> bool {
    let mut words = command.split_whitespace();
    pattern
        .split_whitespace()
        .all(|pattern| words.next().is_some_and(|word| word_matches(pattern, word, false)))
}

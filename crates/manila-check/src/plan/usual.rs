//! The usual runs that most rules look at; a rule asks for more if it needs more.

use crate::observe::placeholder::{NO_NUMBER, NO_THING};
use crate::observe::probe::{Form, Probe, Purpose};
use crate::plan::collection::Plan;
use crate::surface::discover::is_showing;
use crate::surface::gate;
use crate::surface::known_effects::KnownEffects;
use crate::surface::model::{Command, Surface};
use std::collections::BTreeSet;
use std::ffi::OsString;

use crate::observe::placeholder::{NO_COMMAND, NO_FLAG, NO_OTHER_FLAG};

/// Every run that a check needs and that may be made, the most informative first: what is dropped
/// at the deadline matters least.
pub(crate) fn plan(
    surface: &Surface,
    known: KnownEffects<'_>,
    requests: impl IntoIterator<Item = fn(&Surface, &mut Plan)>,
) -> Vec<Probe> {
    let mut plan = Plan::default();
    for command in &surface.commands {
        usual(surface, command, &mut plan);
    }
    let usual = plan.count();
    for request in requests {
        request(surface, &mut plan);
    }
    let (probes, last) = plan.into_parts();
    let representatives = representatives(surface, usize::MAX);
    let mut ranked: Vec<(Rank, Probe)> = probes
        .into_iter()
        .enumerate()
        .map(|(at, probe)| (rank(&probe, at < usual, &representatives), probe))
        .collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    let mut probes: Vec<Probe> = ranked.into_iter().map(|(_, probe)| probe).chain(last).collect();
    probes.retain(|probe| {
        gate::permits(surface, known, probe) && !asks_text_for_json(surface, probe)
    });
    probes
}

/// The runs for one command of each shape that a rule asks for, beside the usual ones.
pub(crate) fn special_of_one(surface: &Surface, request: fn(&Surface, &mut Plan)) -> Vec<Probe> {
    let mut plan = Plan::default();
    request(surface, &mut plan);
    of_one(surface, plan)
}

/// The usual runs for one command of each shape.
pub(crate) fn usual_of_one(surface: &Surface) -> Vec<Probe> {
    let mut plan = Plan::default();
    for command in &surface.commands {
        usual(surface, command, &mut plan);
    }
    of_one(surface, plan)
}

fn of_one(surface: &Surface, plan: Plan) -> Vec<Probe> {
    let representatives = representatives(surface, usize::MAX);
    let (probes, last) = plan.into_parts();
    probes.into_iter().chain(last).filter(|probe| is_of_one(probe, &representatives)).collect()
}

/// How informative a run is, the most first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// What many rules look at, for one command of each shape.
    UsualOfOne,
    /// What single rules look at, for the same commands.
    SpecialOfOne,
    /// What many rules look at, for all other commands.
    UsualOfOthers,
    SpecialOfOthers,
}

fn rank(probe: &Probe, is_usual: bool, representatives: &[&[String]]) -> Rank {
    match (is_of_one(probe, representatives), is_usual) {
        (true, true) => Rank::UsualOfOne,
        (true, false) => Rank::SpecialOfOne,
        (false, true) => Rank::UsualOfOthers,
        (false, false) => Rank::SpecialOfOthers,
    }
}

fn is_of_one(probe: &Probe, representatives: &[&[String]]) -> bool {
    probe.command.is_empty() || representatives.contains(&probe.command.as_slice())
}

/// The declared commands, and one command of each shape that can be called, no more than this many.
pub(crate) fn representatives(surface: &Surface, most: usize) -> Vec<&[String]> {
    let shape = |command: &Command| {
        let asks = command.missing.is_some();
        (command.lists, asks, command.streams, surface.takes_json(&command.path))
    };
    let mut seen = BTreeSet::new();
    let declared = surface.commands.iter().filter(|it| it.is_declared());
    let called = surface.commands.iter().filter(|it| !it.is_root() && it.safe_call().is_some());
    let (showing, others): (Vec<&Command>, Vec<&Command>) =
        called.partition(|it| is_showing(&it.path));
    let one_of_each =
        showing.into_iter().chain(others).filter(|command| seen.insert(shape(command)));
    let mut found: Vec<&[String]> = Vec::new();
    for command in declared.chain(one_of_each) {
        if found.len() < most && !found.contains(&command.path.as_slice()) {
            found.push(&command.path);
        }
    }
    found
}

/// Whether JSON is asked of a command that prints a text about the program, or whose help does not offer it.
fn asks_text_for_json(surface: &Surface, probe: &Probe) -> bool {
    let mut commands = surface.commands.iter().filter(|it| it.path == probe.command);
    let is_text = |it: &Command| it.prints_text_about_program() || !surface.takes_json(&it.path);
    probe.form == Form::Json && commands.any(|command| !command.is_declared() && is_text(command))
}

fn usual(surface: &Surface, command: &Command, plan: &mut Plan) {
    plan.ask(help(command));
    for form in [Form::Json, Form::Text] {
        plan.ask_each(sample(surface, command, form));
    }
    plan.ask_each(unknown_flag(surface, command, Form::Json));
    plan.ask_each(unknown_command(surface, command, Form::Json));
    plan.ask_each(missing(surface, command, Form::Json));
    plan.ask_each(missing_alike(surface, command, Form::Json));
    plan.ask_each(missing_argument(surface, command, Form::Json));
    if command.is_root() {
        plan.ask(Probe::new(command, Purpose::Version, Form::Text, ["--version"], &surface.json));
        if let Some(manifest) = &surface.manifest {
            plan.ask(Probe::new(
                command,
                Purpose::Manifest,
                Form::Text,
                &manifest.args,
                &surface.json,
            ));
        }
    }
}

/// The help of a command, which no program's effects forbid.
pub(crate) fn help(command: &Command) -> Probe {
    Probe::new(
        command,
        Purpose::Help,
        Form::Text,
        ["--help"],
        &crate::surface::model::Json::Unknown,
    )
}

/// A complete, harmless call of a command that has one.
pub(crate) fn sample(surface: &Surface, command: &Command, form: Form) -> Option<Probe> {
    if form == Form::Json && !surface.json.is_known() {
        return None;
    }
    let args = command.sample.as_ref().filter(|_| command.is_safe())?;
    // A call that does not end is not a sample of an answer.
    (command.slow.as_ref() != Some(args))
        .then(|| Probe::new(command, Purpose::Sample, form, args, &surface.json))
}

/// The sample calls of all commands that have one.
pub(crate) fn samples(surface: &Surface, form: Form) -> impl Iterator<Item = Probe> {
    surface.commands.iter().filter_map(move |command| sample(surface, command, form))
}

/// A harmless call with a flag that no program has. A program that ignores it runs, so only commands
/// that are safe get one, and the root of a program that does nothing without a command.
pub(crate) fn unknown_flag(surface: &Surface, command: &Command, form: Form) -> Option<Probe> {
    with_flags(surface, command, form, Purpose::UnknownFlag, &[NO_FLAG])
}

/// The same before the arguments of the call, where there are any.
pub(crate) fn unknown_flag_first(
    surface: &Surface,
    command: &Command,
    form: Form,
) -> Option<Probe> {
    let sample = command.sample.as_ref().filter(|it| command.is_safe() && !it.is_empty())?;
    let args = std::iter::once(NO_FLAG).chain(sample.iter().map(String::as_str));
    Some(Probe::new(command, Purpose::UnknownFlag, form, args, &surface.json))
}

/// The same with two of them.
pub(crate) fn two_unknown_flags(surface: &Surface, command: &Command, form: Form) -> Option<Probe> {
    with_flags(surface, command, form, Purpose::TwoUnknownFlags, &[NO_FLAG, NO_OTHER_FLAG])
}

fn with_flags(
    surface: &Surface,
    command: &Command,
    form: Form,
    purpose: Purpose,
    flags: &[&str],
) -> Option<Probe> {
    if !command.is_safe() && !command.is_root() {
        return None;
    }
    // A program that ignores the flags would run until its limit.
    if command.sample.is_none() && command.slow.is_some() {
        return None;
    }
    let sample = command.sample.clone().unwrap_or_default();
    let args = sample.iter().map(String::as_str).chain(flags.iter().copied());
    Some(Probe::new(command, purpose, form, args, &surface.json))
}

/// A command that does not exist, where there are commands.
pub(crate) fn unknown_command(surface: &Surface, command: &Command, form: Form) -> Option<Probe> {
    let leads_on = surface.commands.iter().any(|other| {
        other.path.len() == command.path.len() + 1 && other.path.starts_with(&command.path)
    });
    leads_on
        .then(|| Probe::new(command, Purpose::UnknownCommand, form, [NO_COMMAND], &surface.json))
}

/// A call that asks a safe command for something which does not exist.
pub(crate) fn missing(surface: &Surface, command: &Command, form: Form) -> Option<Probe> {
    let args = command.missing.as_ref().filter(|_| command.is_safe())?;
    Some(Probe::new(command, Purpose::Missing, form, args, &surface.json))
}

/// The same for something whose name looks as if it might exist. A program that validates names
/// rejects ours before it looks anything up, and that is a different failure.
pub(crate) fn missing_alike(surface: &Surface, command: &Command, form: Form) -> Option<Probe> {
    let missing = command.missing.as_ref().filter(|_| command.is_safe())?;
    let sample = command.sample.as_ref().and_then(|it| it.last()).filter(|it| !it.starts_with('-'));
    let (last, others) = missing.split_last()?;
    let name = match sample {
        Some(sample) => alike(sample)?,
        None if last == NO_THING => NO_NUMBER.to_owned(),
        None => return None,
    };
    let args = others.iter().chain([&name]);
    let is_other = Some(&name) != sample && name != *last;
    is_other.then(|| Probe::new(command, Purpose::Missing, form, args, &surface.json))
}

/// Another name of the same form: `SKU-9876` for `SKU-0001`. Nothing if it has no number to change.
fn alike(name: &str) -> Option<String> {
    let is_digit = |it: char| it.is_ascii_digit();
    let end = name.rfind(is_digit)? + 1;
    let start = name[..end].rfind(|it| !is_digit(it)).map_or(0, |at| at + 1);
    let (before, after) = (&name[..start], &name[end..]);
    let stands_alone = !before.ends_with(char::is_alphanumeric)
        && !after.starts_with(char::is_alphanumeric)
        && !name.contains(['/', '.']);
    // A number that has few digits is counted, and the first few exist.
    let digits = NO_NUMBER.get(..(end - start).max(4)).filter(|_| stands_alone)?;
    Some(match (before, after) {
        ("", "") => NO_NUMBER.to_owned(),
        _ => format!("{before}{digits}{after}"),
    })
}

/// A complete call of a safe command with one argument more than it takes, where that is known.
pub(crate) fn extra_argument(surface: &Surface, command: &Command, form: Form) -> Option<Probe> {
    let sample = sample(surface, command, form).filter(|_| !command.is_root())?;
    let given = command.sample.as_ref()?;
    let takes = &command.positionals;
    let is_full = given.len() == takes.len() && given.iter().all(|word| !word.starts_with('-'));
    if command.has_unknown_arguments || takes.iter().any(|it| it.is_many) || !is_full {
        return None;
    }
    let at = command.path.len() + given.len();
    let mut args = sample.args.clone();
    args.insert(at, NO_THING.into());
    Some(Probe { purpose: Purpose::ExtraArgument, args, ..sample })
}

/// A safe command that needs an argument without it.
pub(crate) fn missing_argument(surface: &Surface, command: &Command, form: Form) -> Option<Probe> {
    let is_needed = command.positionals.iter().any(|it| it.is_required)
        || command.flags.iter().any(|flag| flag.is_required);
    let none: [OsString; 0] = [];
    (is_needed && command.is_safe())
        .then(|| Probe::new(command, Purpose::MissingArgument, form, none, &surface.json))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::surface;

    #[test]
    fn another_name_has_the_form_of_the_first() {
        let named = |name| alike(name).unwrap_or_default();
        assert_eq!(named("SKU-0001"), "SKU-9876");
        assert_eq!(named("T-7"), "T-9876");
        assert_eq!(named("#12!"), "#9876!");
        assert_eq!(named("7"), NO_NUMBER);
        for name in ["cake", "v2", "3f2b9c1a", "notes/1.txt"] {
            assert_eq!(alike(name), None, "{name}");
        }
    }

    #[test]
    fn what_does_not_exist_is_asked_for_in_the_form_of_what_does() {
        let mut surface = surface();
        let args = |surface: &Surface| {
            let probe = missing_alike(surface, &surface.commands[1], Form::Json);
            probe.map(|probe| probe.args)
        };
        assert_eq!(args(&surface), None, "nothing is missing");
        surface.commands[1].missing = Some(vec![NO_THING.to_owned()]);
        surface.commands[1].sample = None;
        assert_eq!(
            args(&surface),
            Some(["list", NO_NUMBER, "--json"].map(OsString::from).to_vec())
        );
        surface.commands[1].sample = Some(vec!["T-7".to_owned()]);
        assert_eq!(args(&surface), Some(["list", "T-9876", "--json"].map(OsString::from).to_vec()));
        surface.commands[1].sample = Some(vec!["cake".to_owned()]);
        assert_eq!(args(&surface), None, "it has no number");
    }
}

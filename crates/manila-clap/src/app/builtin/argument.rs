//! The arguments of a command, from clap to the manifest.

use crate::secret::Secret;
use clap::builder::{StyledStr, ValueRange};
use clap::{Arg, ArgAction, Command, ValueHint};
use manila::manifest::{Argument, Choice, Multiple, Type};
use std::any::TypeId;
use std::collections::{BTreeMap, BTreeSet};
use std::num::{NonZeroU8, NonZeroU16, NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

/// Describes an argument of a command that is built.
pub(super) fn describe(arg: &Arg, conflicts: &Conflicts) -> Argument {
    let takes_value = arg.get_action().takes_values();
    let kind = type_of(arg);
    let default = if takes_value && kind != Type::Secret && !arg.is_hide_default_value_set() {
        arg.get_default_values()
    } else {
        &[]
    };
    let names = arg.get_value_names().filter(|_| takes_value);
    let choices = arg.get_possible_values().into_iter().filter(|value| !value.is_hide_set());
    Argument {
        name: name(arg),
        long: arg.get_long().map(str::to_owned),
        short: arg.get_short(),
        aliases: arg
            .get_visible_aliases()
            .unwrap_or_default()
            .into_iter()
            .map(str::to_owned)
            .collect(),
        value_name: names.map(|names| names.join(" ")),
        kind,
        required: arg.is_required_set(),
        default: default.iter().map(|value| value.to_string_lossy().into_owned()).collect(),
        choices: choices
            .filter(|_| kind == Type::Enum)
            .map(|value| Choice {
                name: value.get_name().to_owned(),
                help: value.get_help().map(StyledStr::to_string),
            })
            .collect(),
        multiple: multiple(arg),
        env: arg.get_env().map(|name| name.to_string_lossy().into_owned()),
        help: arg.get_help().or_else(|| arg.get_long_help()).map(StyledStr::to_string),
        global: arg.is_global_set(),
        conflicts: conflicts.with(arg),
        exclusive: arg.is_exclusive_set(),
        requires_equals: arg.is_require_equals_set(),
        last: arg.is_last_set(),
    }
}

/// What other entries call an argument.
fn name(arg: &Arg) -> String {
    let short = || arg.get_short().map(String::from);
    let long = arg.get_long().map(str::to_owned);
    long.or_else(short).unwrap_or_else(|| arg.get_id().to_string())
}

/// Whether an argument is one of the boundary's flags.
fn is_ours(arg: &Arg) -> bool {
    arg.get_id().as_str().starts_with(crate::flag::ID)
}

fn multiple(arg: &Arg) -> Option<Multiple> {
    // Of ours the last one counts, so that giving one twice is never needed.
    let repeats = matches!(arg.get_action(), ArgAction::Append | ArgAction::Count);
    let repeat = repeats && !arg.is_positional() && !is_ours(arg);
    let usual = usize::from(arg.get_action().takes_values());
    let range = arg.get_num_args().unwrap_or_else(|| ValueRange::new(usual));
    let (min, max) = (range.min_values(), range.max_values());
    let delimiter = arg.get_value_delimiter();
    if !repeat && delimiter.is_none() && (min, max) == (usual, usual) {
        return None;
    }
    Some(Multiple { repeat, min, max: Some(max).filter(|max| *max < usize::MAX), delimiter })
}

fn type_of(arg: &Arg) -> Type {
    if !arg.get_action().takes_values() {
        return Type::Boolean;
    }
    let id = arg.get_value_parser().type_id();
    let is_any = |types: &[TypeId]| types.iter().any(|of| id == *of);
    let hint = arg.get_value_hint();
    if is_any(&[TypeId::of::<Secret>()]) {
        Type::Secret
    } else if is_any(&[TypeId::of::<bool>()]) {
        Type::Boolean
    } else if !arg.get_possible_values().is_empty() {
        Type::Enum
    } else if is_any(&integers()) {
        Type::Integer
    } else if is_any(&[TypeId::of::<f32>(), TypeId::of::<f64>()]) {
        Type::Number
    } else if is_any(&[TypeId::of::<PathBuf>()])
        || matches!(hint, ValueHint::AnyPath | ValueHint::FilePath | ValueHint::DirPath)
    {
        Type::Path
    } else {
        Type::String
    }
}

fn integers() -> [TypeId; 17] {
    [
        TypeId::of::<i8>(),
        TypeId::of::<i16>(),
        TypeId::of::<i32>(),
        TypeId::of::<i64>(),
        TypeId::of::<i128>(),
        TypeId::of::<isize>(),
        TypeId::of::<u8>(),
        TypeId::of::<u16>(),
        TypeId::of::<u32>(),
        TypeId::of::<u64>(),
        TypeId::of::<u128>(),
        TypeId::of::<usize>(),
        TypeId::of::<NonZeroU8>(),
        TypeId::of::<NonZeroU16>(),
        TypeId::of::<NonZeroU32>(),
        TypeId::of::<NonZeroU64>(),
        TypeId::of::<NonZeroUsize>(),
    ]
}

/// Which arguments exclude which, listed on both sides, although clap needs it on one only.
#[derive(Clone, Debug, Default)]
pub(super) struct Conflicts(BTreeMap<String, BTreeSet<String>>);

impl Conflicts {
    /// Those of a command, with those of the arguments that it has from above.
    pub(super) fn of_command(
        command: &Command,
        from_above: &[&Arg],
        above: &Conflicts,
    ) -> Conflicts {
        let mut conflicts = above.clone();
        let own = |arg: &&Arg| !from_above.iter().any(|other| other.get_id() == arg.get_id());
        for arg in command.get_arguments().filter(own) {
            // clap looks for the conflicts of a global argument among commands, where it finds no
            // groups and panics. Where the argument is defined, a local one has the same conflicts.
            for other in command.get_arg_conflicts_with(&arg.clone().global(false)) {
                conflicts.add(arg, other);
            }
        }
        let find = |id: &clap::Id| command.get_arguments().find(|arg| arg.get_id() == id);
        for group in command.get_groups().filter(|group| !(*group).clone().is_multiple()) {
            let members: Vec<&Arg> = group.get_args().filter_map(find).collect();
            for (at, member) in members.iter().enumerate() {
                members[..at].iter().for_each(|other| conflicts.add(member, other));
            }
        }
        conflicts
    }

    fn add(&mut self, one: &Arg, other: &Arg) {
        if one.get_id() == other.get_id() || one.is_hide_set() || other.is_hide_set() {
            return;
        }
        for (one, other) in [(one, other), (other, one)] {
            self.0.entry(one.get_id().to_string()).or_default().insert(name(other));
        }
    }

    /// Those of some arguments alone. Another command may have arguments of the same ids.
    pub(super) fn only(&self, args: &[&Arg]) -> Conflicts {
        let is_one = |id: &str| args.iter().any(|arg| arg.get_id() == id);
        let kept = self.0.iter().filter(|(id, _)| is_one(id));
        Conflicts(kept.map(|(id, names)| (id.clone(), names.clone())).collect())
    }

    fn with(&self, arg: &Arg) -> Vec<String> {
        self.0.get(arg.get_id().as_str()).into_iter().flatten().cloned().collect()
    }
}

/// The groups of which one argument must be given, each by the names of its members.
pub(super) fn required_groups(command: &Command) -> Vec<Vec<String>> {
    let visible = |id: &clap::Id| {
        command.get_arguments().find(|arg| arg.get_id() == id && !arg.is_hide_set()).map(name)
    };
    command
        .get_groups()
        .filter(|group| group.is_required_set())
        .map(|group| group.get_args().filter_map(visible).collect())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{ArgGroup, value_parser};

    fn built(arg: Arg) -> Arg {
        let mut command = Command::new("tool").arg(arg);
        command.build();
        command.get_arguments().next().expect("an argument").clone()
    }

    fn json(arg: &Arg) -> String {
        serde_json::to_string(&describe(arg, &Conflicts::default())).expect("serialises")
    }

    // proves: C-015
    #[test]
    fn a_type_is_read_off_the_parser() {
        let of = |arg: Arg| type_of(&built(arg.long("x")));
        let arg = || Arg::new("x");
        assert_eq!(of(arg()), Type::String);
        assert_eq!(of(arg().value_parser(value_parser!(u16))), Type::Integer);
        assert_eq!(of(arg().value_parser(value_parser!(usize))), Type::Integer);
        assert_eq!(of(arg().value_parser(value_parser!(i64).range(1..9))), Type::Integer);
        assert_eq!(of(arg().value_parser(value_parser!(f64))), Type::Number);
        assert_eq!(of(arg().value_parser(value_parser!(bool))), Type::Boolean);
        assert_eq!(of(arg().value_parser(value_parser!(PathBuf))), Type::Path);
        assert_eq!(of(arg().value_hint(ValueHint::DirPath)), Type::Path);
        assert_eq!(of(arg().value_parser(["a", "b"])), Type::Enum);
        assert_eq!(of(arg().value_parser(value_parser!(Secret))), Type::Secret);
        assert_eq!(of(arg().value_parser(Secret::by_reference)), Type::Secret);
        assert_eq!(of(arg().action(ArgAction::SetTrue)), Type::Boolean);
        assert_eq!(of(arg().action(ArgAction::Count)), Type::Boolean);
    }

    #[test]
    fn one_value_is_not_worth_a_word_and_any_other_number_is() {
        let of = |arg: Arg| multiple(&built(arg));
        let some = |repeat, min, max, delimiter| Some(Multiple { repeat, min, max, delimiter });
        let arg = || Arg::new("x").long("x");
        assert_eq!(of(arg()), None);
        assert_eq!(of(arg().action(ArgAction::SetTrue)), None);
        assert_eq!(of(arg().action(ArgAction::Append)), some(true, 1, Some(1), None));
        assert_eq!(of(arg().action(ArgAction::Count)), some(true, 0, Some(0), None));
        assert_eq!(of(arg().num_args(0..=1)), some(false, 0, Some(1), None));
        assert_eq!(of(arg().value_delimiter(',')), some(false, 1, Some(1), Some(',')));
        let many = Arg::new("x").num_args(2..).action(ArgAction::Append);
        assert_eq!(of(many), some(false, 2, None, None));
    }

    #[test]
    fn a_hidden_or_secret_default_stays_hidden() {
        let arg = || Arg::new("x").long("x").default_value("hunter2");
        assert!(json(&built(arg())).contains("hunter2"));
        assert!(!json(&built(arg().hide_default_value(true))).contains("hunter2"));
        assert!(!json(&built(arg().value_parser(value_parser!(Secret)))).contains("hunter2"));
    }

    fn flag(name: &'static str) -> Arg {
        Arg::new(name).long(name).action(ArgAction::SetTrue)
    }

    fn names(command: &Command, conflicts: &Conflicts, id: &str) -> Vec<String> {
        let arg = command.get_arguments().find(|arg| arg.get_id() == id);
        conflicts.with(arg.expect("an argument"))
    }

    // proves: C-026
    #[test]
    fn conflicts_are_listed_on_both_sides_and_groups_are_resolved() {
        let mut command = Command::new("tool")
            .arg(flag("quiet").global(true).conflicts_with("loud"))
            .args([flag("shout"), flag("sing"), flag("hidden").hide(true)])
            .arg(flag("a").conflicts_with("hidden"))
            .arg(flag("b"))
            .group(ArgGroup::new("loud").args(["shout", "sing"]).multiple(true))
            .group(ArgGroup::new("one").args(["a", "b"]).required(true));
        command.build();
        let conflicts = Conflicts::of_command(&command, &[], &Conflicts::default());
        let names = |id| names(&command, &conflicts, id);
        assert_eq!(names("quiet"), ["shout", "sing"]);
        assert_eq!(names("sing"), ["quiet"]);
        assert_eq!((names("a"), names("b")), (vec!["b".to_owned()], vec!["a".to_owned()]));
        assert_eq!(required_groups(&command), [["a", "b"]]);
    }

    #[test]
    fn what_a_command_has_from_above_keeps_its_conflicts_and_nothing_else_does() {
        let mut root = Command::new("tool")
            .arg(flag("quiet").global(true).conflicts_with("loud"))
            .arg(flag("loud").global(true))
            .args([flag("a").conflicts_with("b"), flag("b")])
            .subcommand(Command::new("sub").arg(flag("a")));
        root.build();
        let above = Conflicts::of_command(&root, &[], &Conflicts::default());
        assert_eq!(names(&root, &above, "a"), ["b"]);
        let globals: Vec<&Arg> = root.get_arguments().filter(|arg| arg.is_global_set()).collect();
        let sub = root.find_subcommand("sub").expect("it is there");
        let below = Conflicts::of_command(sub, &globals, &above.only(&globals));
        assert_eq!(names(sub, &below, "loud"), ["quiet"]);
        assert_eq!(names(sub, &below, "a"), [""; 0]);
    }
}

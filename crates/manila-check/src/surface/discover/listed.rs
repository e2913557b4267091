//! What is there to ask for: a command that shows one thing gets the name of one that another lists.

use super::ask::Asking;
use crate::observe::placeholder::{NO_NUMBER, NO_THING};
use crate::observe::probe::{Form, Purpose};
use crate::observe::reading::Reading;
use crate::observe::run::Run;
use crate::surface::gate::{self, Permitted};
use crate::surface::model::{Command, Json};
use manila::Status;
use serde_json::Value;

/// How many commands get a name, each of which costs a run to see whether it is the right one.
const MOST: usize = 50;
/// Keys that hold the name by which a thing is asked for.
const NAMES: &[&str] = &["id", "key", "slug", "name", "number", "uuid", "uid", "ref", "code"];

/// Completes the calls that lack nothing but the name of something, and work with it.
pub(super) fn complete(asking: &Asking<'_>, commands: &mut [Command], json: &Json) {
    if !json.is_known() {
        return;
    }
    let seekers = commands.iter().filter(|it| seeks(it)).take(MOST);
    let pairs: Vec<(usize, usize)> = seekers
        .filter_map(|seeker| Some((place(commands, seeker)?, lister(commands, seeker)?)))
        .collect();
    let mut listers: Vec<usize> = pairs.iter().map(|(_, lister)| *lister).collect();
    listers.sort_unstable();
    listers.dedup();
    listers.retain(|at| commands[*at].is_safe());
    let lists = asking.ask(
        &listers.iter().filter_map(|at| call(&commands[*at], &[], json)).collect::<Vec<_>>(),
        Purpose::Sample,
        Form::Json,
    );
    let named: Vec<(usize, Vec<String>)> = pairs
        .into_iter()
        .filter_map(|(seeker, lister)| {
            let at = listers.iter().position(|it| *it == lister)?;
            let name = name(lists.get(at)?.as_ref()?, &commands[seeker])?;
            Some((seeker, with(&commands[seeker], &name)?))
        })
        .collect();
    let shown = asking.ask(
        &named.iter().filter_map(|(at, args)| call(&commands[*at], args, json)).collect::<Vec<_>>(),
        Purpose::Sample,
        Form::Json,
    );
    for ((at, args), run) in named.into_iter().zip(shown) {
        if run.is_some_and(|run| run.transcript.status == Status::Exited(0)) {
            commands[at].sample = Some(args);
        }
    }
}

fn place(commands: &[Command], command: &Command) -> Option<usize> {
    commands.iter().position(|it| it.path == command.path)
}

/// A call as the plan makes it, so that its run serves there too.
fn call(command: &Command, args: &[String], json: &Json) -> Option<Permitted> {
    Some(gate::call(command, args)?.in_json(json))
}

/// Whether nothing is known that the command would find, and it asks for one thing alone.
fn seeks(command: &Command) -> bool {
    let is_open = command.sample.is_none() && command.slow.is_none();
    let missing = command.missing.iter().flatten();
    is_open && command.is_safe() && missing.filter(|it| is_nothing(it)).count() == 1
}

fn is_nothing(word: &str) -> bool {
    [NO_THING, NO_NUMBER].contains(&word)
}

/// The call for nothing, with a name in its place.
fn with(command: &Command, name: &str) -> Option<Vec<String>> {
    let missing = command.missing.as_ref()?.iter();
    Some(missing.map(|it| if is_nothing(it) { name } else { it }.to_owned()).collect())
}

/// The command beside this one that lists what it asks for: `list` for `show`, `list-users` for
/// `get-user`.
fn lister(commands: &[Command], seeker: &Command) -> Option<usize> {
    let (own, above) = seeker.path.split_last()?;
    let shared = |it: &Command| {
        let name = it.path.last().map_or("", String::as_str);
        let words = |text: &str| text.split(['-', '_']).map(str::to_owned).collect::<Vec<_>>();
        let own = words(own);
        let is_shared = |word: &String| {
            own.iter().any(|it| it.starts_with(word.as_str()) || word.starts_with(it.as_str()))
        };
        words(name).iter().filter(|word| is_shared(word)).count()
    };
    let listers = commands.iter().enumerate().filter(|(_, it)| {
        let is_beside = it.path.split_last().is_some_and(|(_, parent)| parent == above);
        is_beside && it.lists == Some(true) && it.sample.as_ref().is_some_and(Vec::is_empty)
    });
    // Of those that share the same, the first.
    listers.rev().max_by_key(|(_, it)| shared(it)).map(|(at, _)| at)
}

/// The name of the first thing in a list, as this command asks for it.
fn name(run: &Run, seeker: &Command) -> Option<String> {
    let answer = Reading::of(&run.transcript).answer?;
    let data = run.transcript.stream(answer.stream).get(answer.data.unwrap_or(answer.span))?;
    let data: Value = serde_json::from_slice(data).ok()?;
    let mut lists =
        data.as_object().into_iter().flat_map(|it| it.values().filter_map(Value::as_array));
    let list = data.as_array().or_else(|| lists.next())?;
    let asked = seeker.positionals.iter().find(|it| it.is_required);
    let asked =
        asked.map(|it| it.name.trim_matches(|it: char| "<>[].".contains(it)).to_lowercase());
    let first = list.first()?;
    let of_object =
        || asked.as_deref().into_iter().chain(NAMES.iter().copied()).find_map(|key| first.get(key));
    let name = match if first.is_object() { of_object()? } else { first } {
        Value::String(name) => name.clone(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    (!name.is_empty() && !name.starts_with('-')).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::probe::Probe;
    use crate::subject::Subject;
    use crate::surface::model::Positional;
    use manila::Transcript;
    use manila_pack::Effect;

    fn command(name: &str, missing: &str) -> Command {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let asks = !missing.is_empty();
        let id =
            Positional { name: "<SKU>".to_owned(), is_required: true, ..Positional::default() };
        Command {
            path: words(name),
            effects: Effect::None,
            lists: (!asks).then_some(true),
            sample: (!asks).then(Vec::new),
            missing: asks.then(|| words(missing)),
            positionals: asks.then_some(id).into_iter().collect(),
            ..Command::default()
        }
    }

    /// The samples of these commands where listing gives this, and only `A-1` is there.
    fn completed(commands: &[Command], list: &str) -> Vec<Option<Vec<String>>> {
        let lab = |probes: &[Probe]| -> Vec<Option<Run>> {
            let run = |probe: &Probe| {
                let lists = probe.command.last().is_some_and(|it| it.starts_with("list"));
                assert!(
                    probe.command.iter().zip(&probe.args).all(|(path, word)| word == path.as_str())
                );
                let is_there = probe.args.iter().any(|it| it == "A-1");
                let status = Status::Exited(i32::from(!lists && !is_there));
                let stdout = if lists { list } else { "{}" };
                Some(Run::recorded(probe.clone(), Transcript::from_stdout(stdout, status)))
            };
            probes.iter().map(run).collect()
        };
        let subject =
            Subject { argv: Vec::new(), shown: Vec::new(), variables: Vec::new(), fixture: None };
        let mut commands = commands.to_vec();
        let json = Json::Arguments(vec!["--json".to_owned()]);
        let packs = manila_pack::Packs::default();
        let known = crate::surface::known_effects::KnownEffects::new(&subject, &packs);
        let reach = super::super::ask::Reach::default();
        complete(
            &Asking { lab: &lab, subject: &subject, known, reach: &reach },
            &mut commands,
            &json,
        );
        commands.into_iter().map(|it| it.sample).collect()
    }

    #[test]
    fn a_name_comes_from_the_list_beside_the_command() {
        let commands = [command("list", ""), command("show", NO_THING)];
        let found = Some(vec!["A-1".to_owned()]);
        for list in [
            r#"[{"id":1,"sku":"A-1"}]"#,
            r#"{"items":[{"sku":"A-1"}],"total":1}"#,
            r#"{"ok":true,"data":["A-1"],"error":null,"warnings":[],"meta":{"duration_ms":1}}"#,
        ] {
            assert_eq!(completed(&commands, list)[1], found, "{list}");
        }
    }

    #[test]
    fn what_does_not_work_is_no_sample() {
        let commands = [command("list", ""), command("show", NO_THING)];
        assert_eq!(completed(&commands, r#"[{"sku":"B-2"}]"#)[1], None);
        assert_eq!(completed(&commands, "[]")[1], None);
        assert_eq!(completed(&commands, "no")[1], None);
        let apart = [command("item list", ""), command("user show", NO_THING)];
        assert_eq!(completed(&apart, r#"[{"sku":"A-1"}]"#)[1], None);
    }

    #[test]
    fn the_list_of_the_same_things_is_asked() {
        let commands = [
            command("list-orders", ""),
            command("list-users", ""),
            command("get-user", "--id manila-no-such-thing"),
        ];
        assert_eq!(lister(&commands, &commands[2]), Some(1));
        let found = completed(&commands, r#"[{"sku":"A-1"}]"#)[2].clone();
        assert_eq!(found, Some(vec!["--id".to_owned(), "A-1".to_owned()]));
    }
}

//! Which calls are made, what each is called in the lock, and what surrounds each round of them.

use crate::error::Error;
use manila_check::Declaration;
use manila_check::internal::{Form, Home, Probe, Purpose, Run, Session, Setting};
use manila_check::surface::{Json, Surface};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::PathBuf;

/// How often each call is made.
pub(super) const ROUNDS: u8 = 3;
/// The round of a call that is made to confirm something.
pub(super) const AGAIN: u8 = 9;

/// A call that is made, and its name.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) command: Vec<String>,
    pub(super) name: String,
    pub(super) probe: Probe,
    /// A directory of files that it alone finds.
    fixture: Option<PathBuf>,
    /// Whether text is all that the program has, so that scripts cut it into columns.
    pub(super) is_all_text: bool,
}

impl Call {
    /// A call that was recorded earlier.
    pub(super) fn new(command: Vec<String>, name: String, probe: Probe) -> Call {
        Call { command, name, probe, fixture: None, is_all_text: false }
    }

    /// Its arguments, for a message.
    pub(super) fn shown(&self) -> String {
        let words: Vec<_> = self.probe.args.iter().map(|it| it.to_string_lossy()).collect();
        words.join(" ")
    }
}

/// All calls of a program: the usual ones and those that are declared.
pub(super) fn calls(session: &Session, declaration: &Declaration) -> Vec<Call> {
    let mut names: BTreeSet<(Vec<String>, String)> = BTreeSet::new();
    let mut calls = Vec::new();
    let is_all_text = !session.surface().json.is_known();
    for probe in session.calls() {
        // Its words are the surface, which the lock has.
        if matches!(probe.purpose, Purpose::Help | Purpose::Manifest) {
            continue;
        }
        let base = name(&probe);
        let mut name = base.clone();
        for number in 2.. {
            if names.insert((probe.command.clone(), name.clone())) {
                break;
            }
            name = format!("{base}-{number}");
        }
        let command = probe.command.clone();
        calls.push(Call { command, name, probe, fixture: None, is_all_text });
    }
    for case in &declaration.cases {
        let probe = case_probe(session.surface(), &case.argv);
        let name = format!("case-{}", case.name);
        calls.push(Call {
            command: probe.command.clone(),
            name,
            probe,
            fixture: case.fixture.clone(),
            is_all_text,
        });
    }
    calls
}

/// What a usual call is called.
fn name(probe: &Probe) -> String {
    let purpose = match probe.purpose {
        Purpose::Sample => "sample",
        Purpose::Empty => "empty",
        Purpose::Missing => "missing",
        Purpose::UnknownFlag => "unknown-flag",
        Purpose::UnknownCommand => "unknown-command",
        Purpose::MissingArgument => "missing-argument",
        Purpose::Bare => "bare",
        Purpose::Version => "version",
        _ => "other",
    };
    match probe.form {
        Form::Json => purpose.to_owned(),
        Form::Text if probe.purpose == Purpose::Version => purpose.to_owned(),
        Form::Text => format!("{purpose}-text"),
    }
}

/// The call of a declared case: the longest command that it begins with, in the form that it asks for.
fn case_probe(surface: &Surface, argv: &[String]) -> Probe {
    let command = surface
        .commands
        .iter()
        .filter(|command| argv.starts_with(&command.path))
        .max_by_key(|command| command.path.len());
    let asks = match &surface.json {
        Json::Arguments(words) | Json::ArgumentsFirst(words) => {
            argv.windows(words.len().max(1)).any(|some| some == words.as_slice())
        }
        Json::Always => true,
        Json::Unknown => false,
    };
    Probe {
        command: command.map(|command| command.path.clone()).unwrap_or_default(),
        args: argv.iter().map(OsString::from).collect(),
        purpose: Purpose::Recorded,
        form: if asks { Form::Json } else { Form::Text },
        setting: Setting::default(),
    }
}

/// Makes a round of the calls: each round has another home, width, locale, time zone and process id.
pub(super) fn make(
    session: &Session,
    calls: &[Call],
    round: u8,
) -> Result<Vec<Option<Run>>, Error> {
    let probes: Vec<Probe> = calls.iter().map(|call| varied(call.probe.clone(), round)).collect();
    let mut made: Vec<Option<Run>> = vec![None; calls.len()];
    let mut places: BTreeMap<Option<&PathBuf>, Vec<usize>> = BTreeMap::new();
    for (at, call) in calls.iter().enumerate() {
        places.entry(call.fixture.as_ref()).or_default().push(at);
    }
    for (fixture, indexes) in places {
        let some: Vec<Probe> = indexes.iter().map(|at| probes[*at].clone()).collect();
        let runs = match fixture {
            None => session.run(&some),
            Some(fixture) => session.run_in(fixture, &some)?,
        };
        for (at, run) in indexes.into_iter().zip(runs) {
            made[at] = run;
        }
    }
    Ok(made)
}

fn varied(probe: Probe, round: u8) -> Probe {
    let surroundings: &[(&str, &str)] = match round {
        0 | AGAIN => &[],
        1 => &[("COLUMNS", "200"), ("LC_ALL", "C"), ("TZ", "Asia/Tokyo")],
        // Shells complain about an LC_ALL that the machine does not have, and Perl about any.
        _ => &[
            ("COLUMNS", "40"),
            ("LANG", "de_DE.UTF-8"),
            ("LANGUAGE", "de"),
            ("PERL_BADLANG", "0"),
            ("TZ", "America/New_York"),
        ],
    };
    let home = if round == 1 { Home::Elsewhere } else { Home::Fresh };
    let probe = probe.round(round).home(home).used_ids(round % AGAIN);
    surroundings.iter().fold(probe, |probe, (name, value)| probe.variable(name, value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use manila_check::surface::Command;

    fn surface() -> Surface {
        let command = |path: &[&str]| Command {
            path: path.iter().map(|it| (*it).to_owned()).collect(),
            ..Command::default()
        };
        Surface {
            commands: vec![command(&[]), command(&["note"]), command(&["note", "show"])],
            json: Json::Arguments(vec!["--output".to_owned(), "json".to_owned()]),
            ..Surface::default()
        }
    }

    #[test]
    fn a_case_belongs_to_the_longest_command_that_it_begins_with() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let probe = case_probe(&surface(), &words("note show 7 --output json"));
        assert_eq!((probe.command, probe.form), (words("note show"), Form::Json));
        let probe = case_probe(&surface(), &words("other show --output text"));
        assert_eq!((probe.command.len(), probe.form), (0, Form::Text));
    }

    #[test]
    fn rounds_differ_in_what_surrounds_them() {
        let probe = case_probe(&surface(), &[]);
        let settings: BTreeSet<Setting> =
            (0..ROUNDS).map(|round| varied(probe.clone(), round).setting).collect();
        assert_eq!(settings.len(), usize::from(ROUNDS));
        assert!(varied(probe, 1).setting.home == Home::Elsewhere);
    }
}

//! Made-up runs for the tests of rules.

use crate::observe::probe::{Form, Probe, Purpose};
use crate::observe::run::Run;
use crate::rule::definition::Rule;
use crate::rule::evidence::Evidence;
use crate::rule::verdict::Verdict;
use crate::subject::Subject;
use crate::surface::model::{Command, Json, Surface};
use manila::{Status, Transcript};
use manila_pack::Effect;

/// A program with one safe command, `list`, and `--json`.
pub(crate) fn subject() -> Subject {
    Subject {
        argv: vec!["tool".into()],
        shown: vec!["tool".to_owned()],
        variables: Vec::new(),
        fixture: None,
    }
}

/// A program with two commands, one of which may be run.
pub(crate) fn surface() -> Surface {
    let root = Command { is_group: true, ..Command::default() };
    let list = Command {
        path: vec!["list".to_owned()],
        effects: Effect::None,
        sample: Some(Vec::new()),
        ..Command::default()
    };
    Surface {
        name: "notes".to_owned(),
        commands: vec![root, list],
        json: Json::Arguments(vec!["--json".to_owned()]),
        ..Surface::default()
    }
}

/// A plain run of `list` that was asked for JSON.
pub(crate) fn ran(purpose: Purpose, stdout: impl Into<Vec<u8>>, status: i32) -> Run {
    let surface = surface();
    let probe = Probe::new(&surface.commands[1], purpose, Form::Json, [""; 0], &surface.json);
    run_of(probe, stdout, status)
}

/// A run of this probe.
pub(crate) fn run_of(probe: Probe, stdout: impl Into<Vec<u8>>, status: i32) -> Run {
    Run::recorded(probe, Transcript::from_stdout(stdout, Status::Exited(status)))
}

/// What a rule says about these runs of that program.
pub(crate) fn judge(rule: &Rule, runs: &[Run]) -> Verdict {
    judge_with(rule, &surface(), runs)
}

/// What a rule says about these runs of a program.
pub(crate) fn judge_with(rule: &Rule, surface: &Surface, runs: &[Run]) -> Verdict {
    let subject = Subject {
        argv: vec!["notes".into()],
        shown: vec!["notes".to_owned()],
        variables: Vec::new(),
        fixture: None,
    };
    (rule.judge)(&Evidence::new(&subject, surface, runs))
}

//! Runs of the lab left on disk as recorded runs, with the conditions they ran under.

use crate::observe::probe::{Home, Stdin, Stdout};
use crate::observe::run::Run;
use manila::record::Recording;
use manila_run::write_recording;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// What the `run.json` of a run in the lab says beside what every recorded run says. It is for people.
#[derive(Serialize)]
struct Conditions<'r> {
    purpose: String,
    stdout: String,
    stdin: String,
    home: String,
    variables: &'r BTreeMap<String, Option<String>>,
    ended: String,
    written: [u64; 2],
    wrote: Vec<String>,
    started: Vec<&'r [String]>,
    left: u32,
    is_terminal_changed: bool,
}

/// Leaves a run in a new directory below this one. Nothing that is there is touched.
pub(super) fn record(below: &Path, run: &Run) -> io::Result<()> {
    let recording = Recording::new(&run.transcript, conditions(run));
    write_recording(below, &recording, &run.transcript.stdout, &run.transcript.stderr)?;
    Ok(())
}

fn conditions(run: &Run) -> Conditions<'_> {
    let setting = &run.probe.setting;
    Conditions {
        purpose: format!("{:?}", run.probe.purpose),
        stdout: match setting.stdout {
            Stdout::Pipe => "pipes".to_owned(),
            Stdout::Terminal { columns } => format!("terminals of {columns} columns"),
            Stdout::File => "files".to_owned(),
            Stdout::SlowPipe => "pipes, read when they are full".to_owned(),
            Stdout::ClosedPipe { after } => format!("pipes, closed after {after} bytes"),
        },
        stdin: match setting.stdin {
            Stdin::Empty => "at its end",
            Stdin::Silent => "silent",
            Stdin::Closed => "closed",
        }
        .to_owned(),
        home: match setting.home {
            Home::Fresh => "new",
            Home::Unset => "not set",
            Home::Used => "used before",
            Home::Elsewhere => "elsewhere",
        }
        .to_owned(),
        variables: &setting.variables,
        ended: format!("{:?}", run.ended),
        written: run.written,
        wrote: run
            .wrote
            .iter()
            .map(|it| format!("{:?} {:?} {}", it.fate, it.place, it.path))
            .collect(),
        started: run.started.iter().map(|it| it.argv.as_slice()).collect(),
        left: run.left,
        is_terminal_changed: run.is_terminal_changed,
    }
}

//! Runs left on disk as recorded runs: a folder with `run.json`, `stdout` and `stderr`.

use crate::probe::{Home, Inlet, Outlet};
use crate::run::Run;
use manila::Status;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

/// The `run.json` of a run. What `manila` reads of it comes first, the rest is for people.
#[derive(Serialize)]
struct RunFile<'r> {
    argv: &'r [String],
    exit_code: Option<i32>,
    signal: Option<i32>,
    duration_ms: Option<u64>,
    recorded: bool,
    purpose: String,
    outlet: String,
    inlet: String,
    home: String,
    variables: &'r BTreeMap<String, Option<String>>,
    ended: String,
    written: [u64; 2],
    wrote: Vec<String>,
    started: Vec<&'r [String]>,
    left: u32,
    is_terminal_changed: bool,
}

/// Leaves a run in a new folder below this one. Nothing that is there is touched.
pub(super) fn record(below: &Path, run: &Run) -> io::Result<()> {
    fs::create_dir_all(below)?;
    let folder = (1..u32::MAX)
        .map(|number| below.join(format!("{number:04}")))
        .find_map(|folder| match fs::create_dir(&folder) {
            Ok(()) => Some(Ok(folder)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => None,
            Err(error) => Some(Err(error)),
        })
        .unwrap_or_else(|| Err(io::Error::other("there is no number left")))?;
    fs::write(folder.join("stdout"), &run.transcript.stdout)?;
    fs::write(folder.join("stderr"), &run.transcript.stderr)?;
    // Last, because a folder is a recorded run once it has this file.
    fs::write(folder.join("run.json"), serde_json::to_vec_pretty(&run_file(run))?)
}

fn run_file(run: &Run) -> RunFile<'_> {
    let (exit_code, signal) = match run.transcript.status {
        Status::Exited(code) => (Some(code), None),
        Status::Signaled(signal) => (None, Some(signal)),
        Status::Unknown => (None, None),
    };
    let setting = &run.probe.setting;
    RunFile {
        argv: &run.transcript.argv,
        exit_code,
        signal,
        duration_ms: run.transcript.duration_ms,
        recorded: true,
        purpose: format!("{:?}", run.probe.purpose),
        outlet: match setting.outlet {
            Outlet::Pipe => "pipes".to_owned(),
            Outlet::Terminal { columns } => format!("terminals of {columns} columns"),
            Outlet::File => "files".to_owned(),
            Outlet::SlowPipe => "pipes, read when they are full".to_owned(),
            Outlet::ClosedPipe { after } => format!("pipes, closed after {after} bytes"),
        },
        inlet: match setting.inlet {
            Inlet::Empty => "at its end",
            Inlet::Silent => "silent",
            Inlet::Closed => "closed",
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

//! A pack as a file, with the runs beside it: each must be read as it says.
#![expect(clippy::disallowed_methods, reason = "a check reads a pack and its runs")]

use super::{Finding, lint};
use crate::action::first_action;
use crate::effect::effects;
use crate::model::Model;
use crate::pack::{Lookup, Origin, Pack};
use crate::read::{Reading, read};
use manila::Exit;
use manila::record::{NoMore, RUN_FILE, Recording, STDERR_FILE, STDOUT_FILE};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};

/// What a run beside a pack must be read as.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Expectation {
    /// The class, or `UNKNOWN`.
    pub class: String,
    /// What a caller should do.
    #[serde(rename = "do", default, skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// The code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The cause.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The wait.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait_ms: Option<u64>,
    /// For people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A pack that was looked at.
#[derive(Clone, Debug, Serialize)]
pub struct Checked {
    /// Its file.
    pub file: PathBuf,
    /// Its name.
    pub name: Option<String>,
    /// How many runs beside it were read.
    pub runs: usize,
    /// What is wrong.
    pub findings: Vec<Finding>,
}

/// Lints a `pack.toml` and reads the runs beside it. Wrapped programs are looked up in `packs`.
pub fn check_file(file: &Path, packs: &dyn Lookup) -> io::Result<Checked> {
    let text = std::fs::read_to_string(file)?;
    let (model, mut findings) = lint(&text);
    let mut runs = 0;
    if let Some(model) = &model {
        let directory = file.parent().unwrap_or(Path::new("."));
        name(file, directory, model, &mut findings);
        let own = Own { pack: Pack::new(model.clone(), Origin::File(file.to_owned())), packs };
        let cases = cases(&directory.join("runs"))?;
        runs = cases.len();
        evidence(model, &cases, &text, &mut findings);
        for case in &cases {
            let directory = directory.join("runs").join(case);
            let found = run(&directory, &own).unwrap_or_else(|error| {
                vec![(format!("the run cannot be read: {error}"), "see docs/packs.md".to_owned())]
            });
            findings.extend(found.into_iter().map(|(message, hint)| Finding {
                line: None,
                run: Some(case.clone()),
                message,
                hint,
            }));
        }
    }
    let name = model.map(|model| model.name.to_string());
    Ok(Checked { file: file.to_owned(), name, runs, findings })
}

/// The pack under test before all others.
struct Own<'p> {
    pack: Pack,
    packs: &'p dyn Lookup,
}

impl Lookup for Own<'_> {
    fn find(&self, program: &str) -> Option<Pack> {
        let is_own = self.pack.model().programs.iter().any(|name| **name == *program);
        if is_own { Some(self.pack.clone()) } else { self.packs.find(program) }
    }
}

fn name(file: &Path, directory: &Path, model: &Model<'_>, findings: &mut Vec<Finding>) {
    let is_in_directory = file.file_name().is_some_and(|name| name == "pack.toml");
    let stem =
        if is_in_directory { directory.canonicalize().ok() } else { Some(file.with_extension("")) };
    let stem = stem.and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
    if let Some(stem) = stem.filter(|stem| *stem != *model.name) {
        findings.push(Finding {
            line: Some(1),
            run: None,
            message: format!("the pack is called {} and its place {stem}", model.name),
            hint: format!("name = {stem:?}"),
        });
    }
}

/// The names of the runs beside a pack, in order.
fn cases(directory: &Path) -> io::Result<Vec<String>> {
    let entries = match std::fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut cases = Vec::new();
    for entry in entries {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            cases.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    cases.sort();
    Ok(cases)
}

/// Each run that a rule names must be there.
fn evidence(model: &Model<'_>, cases: &[String], text: &str, findings: &mut Vec<Finding>) {
    let all = model.effect.iter().map(|rule| &rule.evidence);
    let all = all.chain(model.error.iter().map(|rule| &rule.evidence));
    let all = all.chain(model.status.iter().map(|rule| &rule.evidence));
    let all = all.chain(model.wraps.iter().map(|rule| &rule.evidence));
    let all = all.chain(model.json.iter().map(|rule| &rule.evidence));
    let all = all.chain(model.page.iter().map(|rule| &rule.evidence));
    let all = all.chain(model.refresh.iter().map(|refresh| &refresh.evidence));
    let mut missing: Vec<&str> = all
        .flatten()
        .filter_map(|text| text.strip_prefix("run:"))
        .filter(|case| !cases.iter().any(|known| known == case))
        .collect();
    missing.sort_unstable();
    missing.dedup();
    for case in missing {
        let line = text.find(&format!("run:{case}\"")).map(|at| super::place::line_of(text, at));
        findings.push(Finding {
            line,
            run: None,
            message: format!("there is no run {case} beside the pack"),
            hint: "record it with `manila packs record`, or name another".to_owned(),
        });
    }
}

type Complaints = Vec<(String, String)>;

fn run(directory: &Path, own: &Own<'_>) -> io::Result<Complaints> {
    let bytes = |name: &str| std::fs::read(directory.join(name));
    let about = Recording::<NoMore>::from_json(&bytes(RUN_FILE)?).map_err(io::Error::other)?;
    let (stdout, stderr) = (bytes(STDOUT_FILE)?, bytes(STDERR_FILE)?);
    let expected: Expectation =
        serde_json::from_slice(&bytes("expect.json")?).map_err(io::Error::other)?;
    let mut complaints = Vec::new();
    if about.recorded == Some(false) && about.source.is_none() {
        let hint = "add \"source\": \"<where it was read>\" to run.json";
        complaints
            .push(("a run that was not recorded names no source".to_owned(), hint.to_owned()));
    }
    if about.recorded.is_none() || about.program_version.is_none() {
        let hint = "add \"recorded\": true and \"program_version\": \"…\" to run.json";
        let message = "the run does not say whether it was recorded, and with which version";
        complaints.push((message.to_owned(), hint.to_owned()));
    }
    let transcript = about.into_transcript(stdout, stderr);
    let reading = read(&transcript, &own.pack);
    let effect = effects(&transcript.argv, own);
    let action = first_action(&reading, transcript.status, effect.effect, &own.pack);
    compare(&expected, &reading, action.name(), &mut complaints);
    Ok(complaints)
}

fn compare(expected: &Expectation, reading: &Reading, action: &str, complaints: &mut Complaints) {
    let is_class = Exit::from_name(&expected.class).is_some() || expected.class == "UNKNOWN";
    if !is_class {
        let message = format!("{:?} in expect.json is not a class", expected.class);
        complaints.push((message, "NOT_FOUND, UNKNOWN, …".to_owned()));
        return;
    }
    let mut differs = |what: &str, wanted: &str, found: &str| {
        if wanted != found {
            let message = format!("{what} is {found}, and {wanted} was expected");
            let by = format!("it was read by {}", reading.rule);
            let why = reading.why.as_deref().map_or_else(String::new, |why| format!(": {why}"));
            complaints.push((message, format!("{by}{why}")));
        }
    };
    differs("the class", &expected.class, reading.class_name());
    if let Some(wanted) = &expected.action {
        differs("the action", wanted, action);
    }
    if let Some(wanted) = &expected.code {
        differs("the code", wanted, reading.code.as_deref().unwrap_or("absent"));
    }
    if let Some(wanted) = &expected.message {
        differs("the message", wanted, reading.message.as_deref().unwrap_or("absent"));
    }
    if let Some(wanted) = expected.wait_ms {
        let found = reading.wait_ms.map_or_else(|| "absent".to_owned(), |wait| wait.to_string());
        differs("the wait", &wanted.to_string(), &found);
    }
}

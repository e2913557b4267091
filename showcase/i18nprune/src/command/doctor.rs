//! `doctor`: whether the project is set up so that the other commands can work.

use crate::code::Code;
use crate::finding::{Finding, Outcome, Strictness};
use crate::project::Project;
use crate::words::count;
use clap::Args;
use manila_clap::{Call, Reply, Screen};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::Path;

/// How strict to be.
#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// Fail on warnings too
    #[arg(long)]
    strict: bool,
}

/// What was examined.
#[derive(Debug, Default, Serialize, JsonSchema, Reply)]
#[reply(kind = "doctor", show = show)]
pub(crate) struct Examination {
    findings: Vec<Examined>,
    /// Whether warnings fail it.
    strict: bool,
}

/// One thing that was examined.
#[derive(Debug, Serialize, JsonSchema)]
struct Examined {
    /// What it is about.
    id: &'static str,
    ok: bool,
    severity: Health,
    title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Health {
    Ok,
    Warn,
    Error,
}

impl Examined {
    fn well(id: &'static str, title: &str, detail: String) -> Examined {
        let title = title.to_owned();
        Examined { id, ok: true, severity: Health::Ok, title, detail: Some(detail) }
    }

    fn ill(id: &'static str, finding: &Finding) -> Examined {
        let severity = if finding.is_error() { Health::Error } else { Health::Warn };
        let title = finding.code.entry().meaning.to_owned();
        let message = &finding.message;
        let detail = match &finding.path {
            Some(path) if !message.contains(path) => format!("{path}: {message}"),
            _ => message.clone(),
        };
        Examined { id, ok: false, severity, title, detail: Some(detail) }
    }
}

/// Examines everything, however much of it fails: what is wrong is the answer.
pub(crate) fn run(
    arguments: &DoctorArgs,
    config: Option<&Path>,
    call: &Call,
) -> Outcome<Examination> {
    let mut visit = Visit::default();
    let project = Project::open(config, call);
    if let Some(project) = visit.note_missing("config", Code::DoctorConfig, project) {
        let path = project.config_path.display().to_string();
        visit.well("config", "Configuration file loaded", path);
        examine(&project, call, &mut visit);
    }
    let Visit { examined, findings } = visit;
    let strictness = if arguments.strict { Strictness::Warnings } else { Strictness::Errors };
    let data = Examination { findings: examined, strict: arguments.strict };
    Outcome { strictness, ..Outcome::new(data, findings) }
}

fn examine(project: &Project, call: &Call, visit: &mut Visit) {
    if let Some(source) = visit.note_missing("source", Code::DoctorSourceLocale, project.source()) {
        let texts = count(source.leaves().len(), "text");
        let detail = format!("{} · {texts}", project.source_path().display());
        visit.well("source", "Source locale loaded", detail);
    }
    let codes = project.target_codes();
    if let Some(codes) = visit.note_missing("paths", Code::DoctorDirectories, codes) {
        let failures = codes.iter().filter_map(|code| project.target(code).err());
        let failures: Vec<Finding> = failures.collect();
        for failure in &failures {
            visit.ill("locales", &Finding { code: Code::DoctorLocales, ..failure.clone() });
        }
        if failures.is_empty() {
            let list = if codes.is_empty() { "none yet".to_owned() } else { codes.join(", ") };
            visit.well("locales", "Target locales loaded", list);
        }
    }
    let scanned = project.scan(call);
    if let Some((scan, findings)) = visit.note_missing("paths", Code::DoctorDirectories, scanned) {
        for finding in &findings {
            visit.ill("scan", finding);
        }
        let calls = scan.observations.len() + scan.dynamic.len();
        let files = count(scan.files, "file");
        let detail = format!("{} in {files}", count(calls, "translation call"));
        if calls == 0 {
            let finding = Finding::new(Code::DoctorNothingFound, detail).at(&project.src_root);
            visit.ill("scan", &finding);
        } else {
            visit.well("scan", "Sources scanned", detail);
        }
    }
}

/// What was examined so far.
#[derive(Default)]
struct Visit {
    examined: Vec<Examined>,
    findings: Vec<Finding>,
}

impl Visit {
    fn well(&mut self, id: &'static str, title: &str, detail: String) {
        self.examined.push(Examined::well(id, title, detail));
    }

    fn ill(&mut self, id: &'static str, finding: &Finding) {
        self.examined.push(Examined::ill(id, finding));
        self.findings.push(finding.clone());
    }

    /// What is there, or a note that it is not, under the doctor's own code.
    fn note_missing<T>(
        &mut self,
        id: &'static str,
        code: Code,
        what: Result<T, Finding>,
    ) -> Option<T> {
        what.map_err(|finding| self.ill(id, &Finding { code, ..finding })).ok()
    }
}

fn show(examination: &Examination, screen: &mut Screen) {
    let row = |examined: &Examined| {
        let health = match examined.severity {
            Health::Ok => "ok",
            Health::Warn => "warning",
            Health::Error => "error",
        };
        let detail = examined.detail.clone().unwrap_or_default();
        [health.to_owned(), examined.title.clone(), detail]
    };
    screen.table(["HEALTH", "WHAT", "DETAIL"], examination.findings.iter().map(row));
}

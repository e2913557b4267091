//! What a command finds, what it comes to, and when that is a failure.

use crate::code::{CODES, Code};
use manila::json::{Members, Raw, SerializeError};
use manila_clap::{Call, Declared, Error, Failure, Issue, Kind, Reply, Screen, Severity, Shape};
use std::path::Path;

/// Something that was found, under a code of the table.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub(crate) code: Code,
    pub(crate) message: String,
    pub(crate) path: Option<String>,
}

impl Finding {
    /// That this was found.
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Finding {
        Finding { code, message: message.into(), path: None }
    }

    /// The file or the directory it is about.
    pub(crate) fn at(self, path: &Path) -> Finding {
        Finding { path: Some(path.display().to_string()), ..self }
    }

    /// Whether it fails the command.
    pub(crate) fn is_error(&self) -> bool {
        self.code.entry().severity == Severity::Error
    }

    fn issue(&self) -> Issue {
        let entry = self.code.entry();
        let mut extra = Members::default();
        extra.push("docPath", Raw::text(&entry.page()));
        Issue {
            code: entry.name.to_owned(),
            severity: entry.severity,
            message: Some(self.message.clone()),
            path: self.path.clone(),
            link: Some(entry.link()),
            extra,
        }
    }
}

/// What a command came to: its data, and everything it found beside them.
#[derive(Debug)]
pub(crate) struct Outcome<D> {
    pub(crate) data: D,
    pub(crate) findings: Vec<Finding>,
    pub(crate) strictness: Strictness,
}

/// Which findings fail a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strictness {
    /// Errors.
    Errors,
    /// Warnings too.
    Warnings,
}

impl Strictness {
    fn refuses(self, finding: &Finding) -> bool {
        let is_warning = finding.code.entry().severity == Severity::Warning;
        finding.is_error() || (self == Strictness::Warnings && is_warning)
    }
}

impl<D> Outcome<D> {
    /// These data and findings.
    pub(crate) fn new(data: D, findings: Vec<Finding>) -> Outcome<D> {
        Outcome { data, findings, strictness: Strictness::Errors }
    }
}

/// Reports everything that was found, and fails if something of it is an error. A command that could
/// not even begin answers in its shape, with nothing in it.
pub(crate) fn settle<D: Reply + Default + 'static>(
    call: &Call,
    worked: Result<Outcome<D>, Finding>,
) -> Result<D, Failed> {
    let outcome = match worked {
        Ok(outcome) => outcome,
        Err(finding) => {
            call.issue(finding.issue());
            return Err(Failed::new(finding, D::default(), Face::Hidden));
        }
    };
    let Outcome { data, findings, strictness } = outcome;
    for finding in &findings {
        call.issue(finding.issue());
    }
    let grave = findings.iter().find(|finding| finding.is_error());
    let grave = grave.or_else(|| findings.iter().find(|finding| strictness.refuses(finding)));
    match grave {
        Some(finding) => Err(Failed::new(finding.clone(), data, Face::Shown)),
        None => Ok(data),
    }
}

/// A command that failed: why, and what it has to show nevertheless.
pub(crate) struct Failed {
    finding: Finding,
    payload: Payload,
}

impl Failed {
    fn new(finding: Finding, data: impl Reply + 'static, face: Face) -> Failed {
        Failed { finding, payload: Payload { data: Box::new(data), face } }
    }
}

impl Failure for Failed {
    fn into_error(self) -> Error {
        let entry = self.finding.code.entry();
        Error::new(entry.name, entry.exit, self.finding.message)
            .suggestion(entry.remedy)
            .target(self.finding.path)
            .data(self.payload)
    }

    fn declared(list: &mut Vec<Declared>) {
        list.extend(CODES.iter().map(|entry| Declared {
            suggestion: Some(entry.remedy),
            ..Declared::new(entry.name, entry.exit, entry.meaning)
        }));
    }
}

/// The reply of a command that failed.
struct Payload {
    data: Box<dyn Reply>,
    face: Face,
}

/// Whether people see the data of a failure.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Face {
    Shown,
    /// There is nothing in them; programs rely on their shape all the same.
    Hidden,
}

impl Reply for Payload {
    fn kind(&self) -> &'static str {
        self.data.kind()
    }

    fn data(&self, shape: Shape) -> Result<Raw, SerializeError> {
        self.data.data(shape)
    }

    fn show(&self, screen: &mut Screen) {
        if self.face == Face::Shown {
            self.data.show(screen);
        }
    }

    // It is of a kind that a success declares.
    fn kinds(_: &mut Vec<Kind>) {}
}

//! What `packs check` and `dialects check` find in files, as a report and for people.

use crate::error::{Found, SoFar};
use crate::human::title;
use crate::humanize;
use crate::scan::report::line;
use clap::{Args, ValueEnum};
use manila::json::{Raw, SerializeError};
use manila_clap::{Kind, Reply, Screen, Shape};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;

/// Files to lint.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The files
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Format of the report, unless --json asks for an envelope
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    pub(crate) format: Format,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Lines for people
    #[default]
    Human,
    /// The report as one JSON document
    Json,
}

/// What is wrong with files.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "LintReport")]
pub(crate) struct Report {
    /// The name and the version of this document.
    schema: Schema,
    files: Vec<LintedFile>,
    #[serde(skip)]
    format: Format,
}

/// The name and the version of the document that `--format json` writes.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[schemars(rename = "LintSchema")]
enum Schema {
    #[serde(rename = "manila-lint/1")]
    Lint1,
}

/// A file that was linted.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct LintedFile {
    pub(crate) file: String,
    /// What the file declares: the pack or the dialect, if it could be read.
    pub(crate) name: Option<String>,
    /// How many recorded runs or examples were read with it.
    pub(crate) samples: usize,
    pub(crate) findings: Vec<Finding>,
}

/// Something about a file.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "LintFinding")]
pub(crate) struct Finding {
    pub(crate) severity: Severity,
    /// The line, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<usize>,
    /// The recorded run or the example that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sample: Option<String>,
    pub(crate) message: String,
    pub(crate) hint: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "LintSeverity")]
pub(crate) enum Severity {
    Mistake,
    Note,
}

impl LintedFile {
    fn count(&self, severity: Severity) -> u64 {
        self.findings.iter().filter(|finding| finding.severity == severity).count() as u64
    }

    /// How much was read and found, on one line.
    fn tally(&self) -> String {
        let name = self.name.as_ref().map_or_else(String::new, |name| format!("{name}, "));
        let samples = humanize::things(self.samples as u64, "sample", "samples");
        let mistakes = humanize::things(self.count(Severity::Mistake), "mistake", "mistakes");
        let notes = humanize::things(self.count(Severity::Note), "note", "notes");
        format!("{}: {name}{samples}, {mistakes}, {notes}", self.file)
    }
}

impl Report {
    pub(crate) fn new(files: Vec<LintedFile>, format: Format) -> Report {
        Report { schema: Schema::Lint1, files, format }
    }

    /// The report if it has no mistake, or else what the error of the command says.
    pub(crate) fn verdict(self) -> Result<Report, Found> {
        let mistakes = self.files.iter().map(|file| file.count(Severity::Mistake)).sum();
        if mistakes == 0 {
            return Ok(self);
        }
        let bad = |file: &&LintedFile| file.count(Severity::Mistake) > 0;
        let tallies = self.files.iter().filter(bad).map(LintedFile::tally);
        Err(Found {
            complaint: humanize::things(mistakes, "mistake", "mistakes"),
            tally: tallies.collect::<Vec<_>>().join("; "),
            counts: Raw::from_serialize(&self.files).ok(),
            answer: SoFar::of(self),
        })
    }
}

impl Reply for Report {
    fn kind(&self) -> &'static str {
        "lint-report"
    }

    fn data(&self, _: Shape) -> Result<Raw, SerializeError> {
        Raw::from_serialize(self)
    }

    fn show(&self, screen: &mut Screen) {
        match self.format {
            Format::Human => show(self, screen),
            Format::Json => screen.verbatim(&line(self)),
        }
    }

    fn kinds(list: &mut Vec<Kind>) {
        list.push(Kind::new::<Report>("lint-report"));
    }
}

fn show(report: &Report, screen: &mut Screen) {
    for linted in &report.files {
        for Finding { severity, line, sample, message, hint } in &linted.findings {
            let line = line.map_or_else(String::new, |line| format!(":{line}"));
            let sample = sample.as_ref().map_or_else(String::new, |name| format!("{name}: "));
            let severity = match severity {
                Severity::Mistake => "mistake",
                Severity::Note => "note",
            };
            title(screen, &format!("{}{line}: {severity}: {sample}{message}", linted.file));
            screen.line(format_args!("  hint: {hint}"));
        }
        screen.line(linted.tally());
    }
}

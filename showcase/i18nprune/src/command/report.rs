//! `report`: everything that is known about the project, as an answer or as a document of its own.

use crate::code::Code;
use crate::compare;
use crate::finding::{Finding, Outcome};
use crate::project::{Project, current_dir, write_failed};
use crate::report::{Document, Format};
use clap::Args;
use manila_clap::{Call, Effect, Reply, Screen};
use schemars::JsonSchema;
use serde::Serialize;
use showcase_store::{Error, Lock, Operation};
use std::io;
use std::path::{Path, PathBuf};

/// What to write, and where.
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// The format of the document: html, json, csv or text; without it, what the name of --out
    /// says, and else text
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,

    /// Write the document to this file; without it, to stdout
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// The report.
#[derive(Debug, Default, Serialize, JsonSchema, Reply)]
#[reply(kind = "report", show = show)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reported {
    format: Format,
    /// The file that was written, if one was.
    output_path: Option<String>,
    document: Body,
    /// The document in its format.
    #[serde(skip)]
    text: String,
}

/// A document, or nothing if there was none to make.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
enum Body {
    Whole(Box<Document>),
    Nothing {},
}

impl Default for Body {
    fn default() -> Body {
        Body::Nothing {}
    }
}

/// Makes the report, and writes it if a file is named.
pub(crate) fn run(
    arguments: &ReportArgs,
    config: Option<&Path>,
    call: &Call,
) -> Result<Outcome<Reported>, Finding> {
    let format = format(arguments)?;
    let cwd = current_dir()?;
    let project = Project::open(config, call)?;
    let source = project.source()?;
    let (scan, mut findings) = project.scan(call)?;
    findings.extend(compare::dynamic_sites(&scan, Code::ScanDynamic));
    let document = Document::new(&project, &source, &scan, cwd.display().to_string());
    let text = format.render(&document);
    let output_path = arguments.out.as_ref().map(|path| cwd.join(path));
    if let Some(path) = &output_path {
        write(path, &text).map_err(|error| write_failed(&error))?;
        call.effect(Effect::Created);
    }
    let data = Reported {
        format,
        output_path: output_path.map(|path| path.display().to_string()),
        document: Body::Whole(Box::new(document)),
        text,
    };
    Ok(Outcome::new(data, findings))
}

fn format(arguments: &ReportArgs) -> Result<Format, Finding> {
    let Some(word) = &arguments.format else {
        let extension = arguments.out.as_ref().and_then(|path| path.extension()?.to_str());
        return Ok(extension.and_then(Format::from_extension).unwrap_or_default());
    };
    Format::named(word).ok_or_else(|| {
        let message = format!("invalid --format {word:?}: expected html, json, csv or text");
        Finding::new(Code::InvalidFormat, message)
    })
}

/// Puts the document in the place of whatever is there, whole. Directories are not made: a name that is
/// misspelled should not make any.
fn write(path: &Path, text: &str) -> Result<(), Error> {
    let directory = path.parent().unwrap_or(Path::new("."));
    let refused = |kind, why| Err(Error::new(Operation::Write, path, io::Error::new(kind, why)));
    if !directory.is_dir() {
        return refused(io::ErrorKind::NotFound, "there is no such directory");
    }
    // A device or a pipe would be gone once a file had its name.
    let is_taken = path.metadata().is_ok_and(|metadata| !metadata.is_file());
    if is_taken || path.file_name().is_none() {
        return refused(io::ErrorKind::InvalidInput, "it is not a regular file");
    }
    Lock::on(directory)?.replace(path, text.as_bytes())
}

fn show(reported: &Reported, screen: &mut Screen) {
    match &reported.output_path {
        Some(path) => {
            screen.line(format_args!("Wrote {path} ({})", reported.format.as_str()));
        }
        None => screen.verbatim(&reported.text),
    }
}

//! What `freeze`, `verify` and `diff` share: how programs are observed, how locks and recorded runs are
//! read, and how a comparison is shown.

use crate::checking::{self, Declarations, Limits, known_format};
use crate::error::{CliError, Found, SoFar};
use clap::Args;
use manila::json::{Raw, SerializeError};
use manila_check::Declaration;
use manila_check::render::{Format, text_of};
use manila_clap::{Call, Kind, Reply, Screen, Shape};
use manila_contract::render::FORMATS;
use manila_contract::render::human::{self, Detail};
use manila_contract::render::json::Document;
use manila_contract::{Comparison, Lock, Observed, from_recorded, observe};
use manila_pack::Packs;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The usual name of a lock.
pub(crate) const LOCK: &str = "manila.lock";

/// The one program that is observed, or its recorded runs.
#[derive(Debug, Args)]
pub(crate) struct Source {
    /// Program to observe, and the arguments that begin each call; no shell is involved
    #[arg(trailing_var_arg = true, value_name = "COMMAND", value_hint = clap::ValueHint::CommandWithArguments)]
    pub(crate) command: Vec<OsString>,

    /// Read recorded runs instead of running anything: directories with run.json, or their parents
    #[arg(long, value_name = "DIR", num_args = 1.., conflicts_with = "command")]
    pub(crate) run: Vec<PathBuf>,
}

/// How programs are observed.
#[derive(Debug, Args)]
pub(crate) struct Observation {
    #[command(flatten)]
    pub(crate) declarations: Declarations,

    /// Stop observing a program after this time
    #[arg(long, value_name = "TIME", value_parser = checking::time, default_value = "3m", help_heading = "Limits")]
    deadline: Duration,

    #[command(flatten)]
    limits: Limits,
}

impl Observation {
    /// Observes the program of these words, or the declared one.
    pub(crate) fn observe(
        &self,
        words: &[OsString],
        declaration: &Declaration,
        call: &Call,
    ) -> Result<Observed, CliError> {
        let place = || self.declarations.path().display().to_string();
        let none = || CliError::NothingToObserve { place: place() };
        let subject = checking::subject(words, declaration, none)?;
        let options = self.limits.options(self.deadline, call)?;
        let observed = checking::settled(call, observe(&subject, declaration, &options))?;
        for note in observed.notes.iter().chain(&observed.gaps) {
            call.warn(note);
        }
        Ok(observed)
    }
}

/// The lock of recorded runs.
pub(crate) fn recorded(
    directories: &[PathBuf],
    declaration: &Declaration,
) -> Result<Lock, CliError> {
    let runs = checking::recorded(directories)?;
    Ok(from_recorded(&runs, declaration, &Packs::from_environment()?))
}

/// The longest lock that is read.
const MOST_BYTES: u64 = 256 << 20;

/// Reads a lock.
pub(crate) fn read_lock(path: &Path) -> Result<Lock, CliError> {
    let unreadable = |error| CliError::unreadable(path.to_owned(), error);
    let length = fs::metadata(path).map_err(unreadable)?.len();
    let bad = |message: String, hint: &str| CliError::BadLock { message, hint: hint.to_owned() };
    if length > MOST_BYTES {
        let message = format!("{} has {length} bytes, more than any lock", path.display());
        return Err(bad(message, "name a lock that `manila freeze` wrote"));
    }
    let bytes = fs::read(path).map_err(unreadable)?;
    let text = String::from_utf8(bytes).map_err(|_| {
        bad(format!("{} is not UTF-8", path.display()), "name a lock that `manila freeze` wrote")
    })?;
    Lock::read(&text).map_err(|error| {
        bad(format!("{}: {error}", path.display()), error.suggestion().unwrap_or_default())
    })
}

/// How a comparison is shown.
#[derive(Debug, Args)]
pub(crate) struct Report {
    /// Format of the report
    #[arg(long, value_name = "FORMAT", value_parser = known_format(FORMATS), default_value = "human", help_heading = "Report")]
    format: &'static Format<Comparison>,

    /// Write the report to this file; - is stdout
    #[arg(short = 'o', long = "out", value_name = "FILE", help_heading = "Report")]
    out: Option<PathBuf>,

    /// Show compatible and accepted changes too, and what to do about each
    #[arg(long, help_heading = "Report")]
    verbose: bool,
}

/// A comparison, and how it is shown.
#[derive(Debug)]
pub(crate) struct Compared {
    comparison: Box<Comparison>,
    kind: &'static str,
    format: &'static Format<Comparison>,
    detail: Detail,
    /// Where it was written, if it was.
    written: Option<PathBuf>,
    /// What was rewritten to accept it.
    blessed: Vec<String>,
}

impl Compared {
    /// The comparison that a command of this kind made, written to a file if one is named.
    pub(crate) fn new(
        comparison: Comparison,
        kind: &'static str,
        report: &Report,
        blessed: Vec<String>,
    ) -> Result<Compared, CliError> {
        let detail = if report.verbose { Detail::All } else { Detail::Brief };
        let (comparison, format) = (Box::new(comparison), report.format);
        let mut compared = Compared { comparison, kind, format, detail, written: None, blessed };
        if let Some(path) = report.out.as_ref().filter(|path| path.as_os_str() != "-") {
            checking::replace(path, &compared.text())?;
            compared.written = Some(path.clone());
        }
        Ok(compared)
    }

    /// The comparison as data.
    fn document(&self) -> Document<'_> {
        Document::from(self.comparison.as_ref())
    }

    /// It, as what an error reports.
    pub(crate) fn into_found(self) -> Found {
        Found {
            complaint: self.comparison.complaint(),
            tally: self.comparison.tally(),
            counts: Raw::from_serialize(&self.document()).ok(),
            answer: SoFar::of(self),
        }
    }

    fn text(&self) -> String {
        match self.format.name {
            "human" => text_of(&human::lines(&self.comparison, self.detail)),
            _ => (self.format.render)(&self.comparison),
        }
    }
}

impl Reply for Compared {
    fn kind(&self) -> &'static str {
        self.kind
    }

    fn data(&self, _: Shape) -> Result<Raw, SerializeError> {
        Raw::from_serialize(&self.document())
    }

    fn show(&self, screen: &mut Screen) {
        if let Some(path) = &self.written {
            checking::paint(screen, &human::summary(&self.comparison));
            screen.line(format!("{:<11}{}", "written", path.display()));
        } else if self.format.name == "human" {
            checking::paint(screen, &human::lines(&self.comparison, self.detail));
        } else {
            screen.verbatim(&self.text());
        }
        for path in &self.blessed {
            screen.line(format!("{:<11}{path}", "blessed"));
        }
    }

    /// The command lists it.
    fn kinds(_: &mut Vec<Kind>) {}
}

/// The answer of a command that compares.
macro_rules! answer {
    ($kind:literal) => {
        /// A comparison.
        pub(crate) struct Answer($crate::contract::Compared);

        impl manila_clap::Reply for Answer {
            fn kind(&self) -> &'static str {
                self.0.kind()
            }

            fn data(
                &self,
                shape: manila_clap::Shape,
            ) -> Result<manila::json::Raw, manila::json::SerializeError> {
                self.0.data(shape)
            }

            fn show(&self, screen: &mut manila_clap::Screen) {
                self.0.show(screen);
            }

            fn kinds(list: &mut Vec<manila_clap::Kind>) {
                type Document = manila_contract::render::json::Document<'static>;
                list.push(manila_clap::Kind::new::<Document>($kind));
            }
        }
    };
}
pub(crate) use answer;

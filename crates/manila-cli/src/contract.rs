//! What `freeze`, `verify` and `diff` share: how programs are observed, how locks and recorded runs are
//! read, and how a comparison is shown.

use crate::checking;
use crate::error::{CliError, Found, SoFar};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use manila::Transcript;
use manila::json::{Raw, SerializeError};
use manila_check::observe::{Network, Unconfined};
use manila_check::{Declaration, Options, Progress, Subject};
use manila_clap::{Call, Kind, Reply, Screen, Shape};
use manila_contract::observe::{Observed, from_recorded, observe};
use manila_contract::render::human::{self, Detail};
use manila_contract::render::json::Document;
use manila_contract::render::{FORMATS, Format};
use manila_contract::{Comparison, Lock};
use manila_pack::Packs;
use manila_run::{Cancel, reset_sigchld};
use std::ffi::OsString;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The usual name of a lock.
pub(crate) const LOCK: &str = "manila.lock";

/// How programs are observed.
#[derive(Debug, Args)]
pub(crate) struct Observation {
    /// Read declarations from this file [default: manila.toml, if it exists]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Stop observing a program after this time
    #[arg(long, value_name = "TIME", value_parser = checking::time, default_value = "3m", help_heading = "Limits")]
    deadline: Duration,

    /// Stop each run after this time
    #[arg(long, value_name = "TIME", value_parser = checking::time, default_value = "5s", help_heading = "Limits")]
    limit: Duration,

    /// Number of parallel runs [default: number of cores]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    jobs: Option<NonZeroUsize>,

    /// Give the program access to the network
    #[arg(long, help_heading = "Limits")]
    keep_network: bool,

    /// Make every call even if the system cannot confine the program; otherwise only --help and --version
    #[arg(long, help_heading = "Limits")]
    unconfined: bool,
}

impl Observation {
    /// Where the declaration is, if there is one.
    pub(crate) fn place(&self) -> PathBuf {
        checking::declaration_path(self.config.as_deref())
    }

    /// The declarations. A file that was not named explicitly need not exist.
    pub(crate) fn declared(&self) -> Result<Declaration, CliError> {
        checking::declared(self.config.as_deref())
    }

    /// Observes the program of these words, or the declared one.
    pub(crate) fn observe(
        &self,
        words: &[OsString],
        declaration: &Declaration,
        call: &Call,
    ) -> Result<Observed, CliError> {
        let words = words.iter().map(|word| {
            word.clone().into_string().map_err(|word| CliError::InvalidValue {
                message: format!("{} is not UTF-8", word.display()),
                suggestion: "a program and its first arguments are named in UTF-8".to_owned(),
            })
        });
        let words: Vec<String> = words.collect::<Result<_, _>>()?;
        if words.is_empty() && declaration.program.is_empty() {
            return Err(CliError::NothingToObserve { place: self.place().display().to_string() });
        }
        let subject = Subject::resolve(&words, declaration, Path::new("."))?;
        let observed = observe(&subject, declaration, &self.options(call)?);
        crate::progress::clear(call);
        call.check_cancelled()?;
        let observed = observed?;
        for note in observed.notes.iter().chain(&observed.gaps) {
            call.warn(note);
        }
        Ok(observed)
    }

    fn options(&self, call: &Call) -> Result<Options, CliError> {
        reset_sigchld();
        Ok(Options {
            deadline: self.deadline,
            limit: self.limit,
            jobs: self.jobs,
            network: if self.keep_network { Network::Host } else { Network::Cut },
            progress: call.shows_progress().then(|| Arc::new(checking::progress) as Progress),
            cancel: Cancel::when(call.cancellation()),
            unconfined: if self.unconfined { Unconfined::All } else { Unconfined::Help },
            packs: Packs::from_environment()?,
            ..Options::default()
        })
    }

    /// The lock of recorded runs.
    pub(crate) fn recorded(
        &self,
        directories: &[PathBuf],
        declaration: &Declaration,
    ) -> Result<Lock, CliError> {
        let mut runs: Vec<(String, Transcript)> = Vec::new();
        for directory in directories {
            checking::gather(directory, &mut runs)?;
        }
        Ok(from_recorded(&runs, declaration, &Packs::from_environment()?))
    }
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

/// The names of formats.
pub(crate) fn known_format() -> impl TypedValueParser<Value = &'static Format> {
    PossibleValuesParser::new(FORMATS.iter().map(|format| format.name))
        .try_map(|name| manila_contract::render::format(&name).ok_or("there is no such format"))
}

/// A comparison, and how it is shown.
#[derive(Debug)]
pub(crate) struct Compared {
    pub(crate) comparison: Box<Comparison>,
    pub(crate) kind: &'static str,
    pub(crate) format: &'static Format,
    pub(crate) detail: Detail,
    /// Where it was written, if it was.
    pub(crate) written: Option<PathBuf>,
    /// What was rewritten to accept it.
    pub(crate) blessed: Vec<String>,
}

impl Compared {
    /// Writes it to a file, if one is named.
    pub(crate) fn write(mut self, out: Option<&PathBuf>) -> Result<Compared, CliError> {
        if let Some(path) = out.filter(|path| path.as_os_str() != "-") {
            checking::replace(path, &self.text())?;
            self.written = Some(path.clone());
        }
        Ok(self)
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
            "human" => checking::text(&human::lines(&self.comparison, self.detail)),
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

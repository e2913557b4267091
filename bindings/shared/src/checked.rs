//! A check of a program, from the words and the options of a caller in another language.

use crate::error::Error;
use crate::source::read;
use manila_check::{
    Declaration, Network, Options, Report, RuleSelection, Severity, Subject, Threshold, Unconfined,
    render,
};
use manila_pack::Packs;
use manila_run::Cancel;
use serde::Deserialize;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The file that is read by default, if it exists.
const DECLARATION: &str = "manila.toml";

/// How a program is checked.
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CheckOptions {
    config: Option<PathBuf>,
    deadline_ms: Option<u64>,
    limit_ms: Option<u64>,
    jobs: Option<NonZeroUsize>,
    select: Vec<String>,
    ignore: Vec<String>,
    fail_on: Option<FailOn>,
    strict: bool,
    quick: bool,
    keep_network: bool,
    unconfined: bool,
    record: Option<PathBuf>,
}

/// The least finding that counts.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum FailOn {
    Error,
    Warning,
    Note,
}

/// What a check found.
#[derive(Debug)]
pub struct Checked(Report);

impl Checked {
    /// Whether nothing keeps the program from conforming.
    pub fn conforms(&self) -> bool {
        self.0.conforms()
    }

    /// The report in one of the formats of `manila check --format`.
    pub fn render(&self, format: &str) -> Result<String, Error> {
        let known = render::format(format).ok_or_else(|| {
            let names: Vec<&str> = render::FORMATS.iter().map(|format| format.name).collect();
            Error::option(format!("{format:?} is not a format: they are {}", names.join(", ")))
        })?;
        Ok((known.render)(&self.0))
    }
}

impl CheckOptions {
    /// Reads the options, which are a JSON object.
    pub fn read(options: &str) -> Result<CheckOptions, Error> {
        let options: CheckOptions = read(options)?;
        for name in options.select.iter().chain(&options.ignore) {
            let is_family = manila_check::Family::ALL.iter().any(|family| family.as_str() == name);
            if !is_family && manila_check::rule(name).is_none() {
                return Err(Error::option(format!("{name:?} is neither a rule nor a family")));
            }
        }
        Ok(options)
    }

    fn declaration(&self) -> Result<Declaration, Error> {
        let file = self.config.clone().unwrap_or_else(|| PathBuf::from(DECLARATION));
        if self.config.is_none() && !file.exists() {
            return Ok(Declaration::default());
        }
        Ok(Declaration::read(&file)?)
    }

    fn options(self, cancel: Cancel) -> Result<Options, Error> {
        let usual = Options::default();
        let fail_on = match self.fail_on {
            None => Threshold::default().fail_on,
            Some(FailOn::Error) => Severity::Error,
            Some(FailOn::Warning) => Severity::Warning,
            Some(FailOn::Note) => Severity::Note,
        };
        Ok(Options {
            deadline: self.deadline_ms.map_or(usual.deadline, Duration::from_millis),
            limit: self.limit_ms.map_or(usual.limit, Duration::from_millis),
            jobs: self.jobs,
            network: if self.keep_network { Network::Host } else { Network::Cut },
            unconfined: if self.unconfined { Unconfined::All } else { Unconfined::Help },
            record: self.record,
            is_quick: self.quick,
            cancel,
            packs: Packs::from_environment()?,
            // A check whose result depends on the date is not a test: waivers do not expire here.
            rules: RuleSelection {
                select: self.select,
                ignore: self.ignore,
                threshold: Threshold { fail_on, is_strict: self.strict },
                ..RuleSelection::default()
            },
            ..usual
        })
    }
}

/// Checks a program. What is wrong with it is the report; an error is that it could not be checked.
pub fn check(argv: &[String], options: CheckOptions, cancel: Cancel) -> Result<Checked, Error> {
    let declaration = options.declaration()?;
    let subject = Subject::resolve(argv, &declaration, Path::new("."))?;
    let report = manila_check::check(&subject, &declaration, &options.options(cancel)?)?;
    Ok(Checked(report))
}

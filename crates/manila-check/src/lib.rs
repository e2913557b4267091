//! Check what any program answers, in any language.
//!
//! ```no_run
//! use manila_check::{Declaration, Options, Subject, check, render};
//! use std::path::Path;
//!
//! let declaration = Declaration::default();
//! let subject = Subject::resolve(&["git".to_owned()], &declaration, Path::new("."))?;
//! let report = check(&subject, &declaration, &Options::default())?;
//! let markdown = render::format("markdown").expect("one of the formats");
//! print!("{}", (markdown.render)(&report));
//! # Ok::<(), manila_check::Error>(())
//! ```
//!
//! ```text
//! Subject ─▶ discover ─▶ Surface ─▶ plan ─▶ Probes ─▶ Lab ─▶ Runs ─▶ Evidence ─▶ judge ─▶ Report ─▶ render
//! ```
//!
//! [`check`] runs the whole pipeline, [`check_recorded`] judges recorded runs, and [`assert_conforms!`] is a
//! check as a test. A rule is one file in `rule/` with its page beside it. It plans probes and judges runs. Its
//! [`Verdict`] is one of three: passed, failed at these bytes, or undecided with the declaration that would decide it.

mod assertion;
mod check;
mod declaration;
mod error;
mod json_schema;
mod manila_toml;
mod observe;
mod options;
mod plan;
mod profile;
pub mod render;
mod report;
mod rule;
mod selection;
mod session;
mod severity;
pub mod spec;
mod subject;
pub mod surface;
#[cfg(test)]
mod testing;
mod unseen;
mod worker;

pub use assertion::conforms;
pub use check::{check, check_recorded};
pub use declaration::{Accepted, Case, CommandDeclaration, Declaration, JsonPosition, Waiver};
pub use error::{Error, ErrorKind};
pub use manila_toml::init::{declared, init};
pub use observe::lab::{Network, Unconfined};
pub use options::{Options, Progress, RuleSelection};
pub use profile::{Profile, Scope};
pub use report::cause::Cause;
pub use report::model::{Counted, Judged, Outcome, Report, RunSummary, Score};
pub use rule::definition::{Family, Rule};
pub use rule::verdict::{Excerpt, Finding, Verdict, VerdictKind};
pub use rule::{RULES, rule};
pub use severity::{Severity, Threshold};
pub use subject::Subject;
pub use surface::survey::{Survey, survey};

/// What manila's other crates and this crate's tests use: single runs of a program, discovery with another runner,
/// and what reports have in common. It is no part of the interface and may change with any release.
#[doc(hidden)]
pub mod internal {
    pub use crate::observe::lab::{Conditions, Lab};
    pub use crate::observe::probe::{Form, Home, Probe, Purpose, Setting, Signal, Stdin, Stdout};
    pub use crate::observe::reading::{Content, Reading};
    pub use crate::observe::reproduce::{joined, reproduce};
    pub use crate::observe::run::{Ended, Fate, Place, Run, Tool, Waiting, Written};
    pub use crate::render::shared::escape::{code, markdown, markup, uri, visible};
    pub use crate::render::shared::line::piece;
    pub use crate::render::shared::wording::counted;
    pub use crate::render::shared::{page, put};
    pub use crate::session::Session;
    pub use crate::surface::discover::{Runner, discover};
}

//! Finds what is wrong with the answers of any program, in any language.
//!
//! ```text
//! Subject ─▶ discover ─▶ Surface ─▶ plan ─▶ Probes ─▶ Lab ─▶ Runs ─▶ Evidence ─▶ judge ─▶ Report ─▶ render
//! ```
//!
//! [`check`] does all of it, [`check_recorded`] judges runs that somebody recorded, and
//! [`assert_conforms!`] is a check as a test. A rule is one file in `rule/` with its page beside it; it
//! asks for probes and judges runs, and its [`Verdict`] is one of three: it holds, it is broken and here
//! are the bytes, or nobody can tell and this declaration would change that.

mod assertion;
mod blemish;
mod check;
mod compare;
mod declaration;
mod discover;
mod error;
mod evidence;
mod fault;
mod frame;
mod gate;
mod habit;
mod hostile;
mod judgement;
mod lab;
#[cfg(test)]
mod made_up;
mod outworn;
mod plan;
mod probe;
mod reading;
mod recorded;
mod refusal;
pub mod render;
mod report;
mod reproduce;
mod rule;
mod run;
pub mod spec;
mod subject;
mod surface;
mod survey;
mod talk;
#[cfg(test)]
mod testing;
mod verdict;

pub use assertion::conforms;
pub use check::{Asked, Options, Tell, check, check_recorded};
pub use compare::{Difference, Volatile};
pub use declaration::{CommandDeclaration, Declaration, Waiver, declared, init};
pub use discover::{Runner, discover};
pub use error::{Error, ErrorKind};
pub use evidence::{Evidence, Seen};
pub use lab::{Conditions, Lab, Network, Unconfined};
pub use probe::{Disturbance, Form, Home, Inlet, Outlet, Plan, Probe, Purpose, Setting};
pub use reading::{Answer, Content, Reading, Said};
pub use report::{Bar, Judged, Outcome, Report, Score, Sweep};
pub use rule::{Family, RULES, Rule, Severity, rule};
pub use run::{Ended, Fate, Place, Run, Started, Tool, Waiting, Written};
pub use subject::Subject;
pub use surface::{
    Command, Effects, Flag, Json, KnownFrom, Manifest, Positional, Subcommand, Surface,
};
pub use survey::{Survey, survey};
pub use verdict::{Excerpt, Finding, Judging, Verdict};

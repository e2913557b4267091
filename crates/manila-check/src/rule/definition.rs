//! What a rule is: its id, its family and severity, its page, and its two functions.

use crate::plan::collection::Plan;
use crate::profile::Scope;
use crate::rule::evidence::Evidence;
use crate::rule::verdict::Verdict;
use crate::severity::Severity;
use crate::surface::model::Surface;
use serde::Serialize;
use std::fmt;

/// A promise that a program can break.
pub struct Rule {
    /// Names the flaw, in kebab case, and is the name of its file.
    pub id: &'static str,
    /// What it is about.
    pub family: Family,
    /// How much it matters in a program that answers in envelopes, unless `manila.toml` says otherwise.
    pub severity: Severity,
    /// To which programs it applies, and where it matters less.
    pub scope: Scope,
    /// What is wrong with a program that breaks it, in one sentence.
    pub flaw: &'static str,
    /// What to do about it, in one sentence.
    pub fix: &'static str,
    /// Its page: what it means, why it matters, how to fix it, how to waive it.
    pub page: &'static str,
    /// The failure modes of the CLI Agent Spec that it establishes.
    pub modes: &'static [u8],
    /// The requirements of the CLI Agent Spec that it establishes.
    pub requirements: &'static [&'static str],
    /// Asks for the runs that it needs beside the usual ones.
    pub(crate) plan: fn(&Surface, &mut Plan),
    /// Looks at all runs.
    pub(crate) judge: fn(&Evidence<'_>) -> Verdict,
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id)
    }
}

/// What a rule is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// The bytes of the answer.
    Document,
    /// What is written where.
    Streams,
    /// How the process ends.
    Status,
    /// What the answer says.
    Shape,
    /// What is made of arguments.
    Arguments,
    /// What else it does.
    Behaviour,
    /// What it says about itself.
    Discovery,
    /// What no other program should see.
    Secrets,
}

impl Family {
    /// All of them, in the order of reports.
    pub const ALL: &'static [Family] = &[
        Family::Document,
        Family::Streams,
        Family::Status,
        Family::Shape,
        Family::Arguments,
        Family::Behaviour,
        Family::Discovery,
        Family::Secrets,
    ];

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Family::Document => "document",
            Family::Streams => "streams",
            Family::Status => "status",
            Family::Shape => "shape",
            Family::Arguments => "arguments",
            Family::Behaviour => "behaviour",
            Family::Discovery => "discovery",
            Family::Secrets => "secrets",
        }
    }
}

/// For rules that look at what is run anyway.
pub(crate) fn no_probes(_: &Surface, _: &mut Plan) {}

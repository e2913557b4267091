//! `manila.toml`: what cannot be guessed about a program, which rules are asked, and what is waived.
//!
//! ```toml
//! [program]
//! command = ["cargo", "run", "-q", "--"]    # or one text
//! json = ["--json"]                         # the words that ask for JSON; [] if it always answers so
//! json_position = "after"                   # or "before": where those words stand
//! profile = "json"                          # or "plain", "envelope"; what its answers show if it is not there
//! manifest = ["manifest"]                   # the words that print its description of itself
//! fixture = "tests/fixture"                 # a directory whose files are copied into the working directory of each run
//! env = { NOTES_FILE = "notes.json" }       # what each run gets
//!
//! [commands."note show"]
//! effects = "none"                          # or "writes", "destroys"
//! args = ["1"]                              # a complete, harmless call
//! missing = ["no-such-note"]                # asks for something that is not there
//! empty = ["--filter", "nothing"]           # lists nothing
//! slow = ["--follow"]                       # takes long enough to be interrupted
//! lists = true                              # answers with a list
//! streams = false                           # answers with many documents
//!
//! [rules]
//! select = ["document", "status"]           # rules or families; all if it is not there
//! ignore = ["secret-as-argument"]
//! severity = { "update-notice" = "note" }   # or "error", "warning", "off"
//!
//! [[waive]]
//! rule = "prose-on-stdout"
//! command = "note export"                   # all commands if it is not there
//! reason = "goes away with version 2"
//! expires = 2027-01-31
//!
//! [[case]]                                  # a call of `manila freeze` and its like
//! name = "one-task"
//! argv = ["task", "show", "1", "--json"]
//! fixture = "tests/one-task"                # in place of that of the program
//!
//! [contract]
//! maps = [".data.by_host"]                  # objects whose keys are data
//!
//! [[accept]]                                # a change that `manila diff` reports
//! change = "a3f8c21b9d04"
//! reason = "announced for version 3"
//! expires = 2027-01-31
//! ```

use crate::profile::Profile;
use crate::severity::Severity;
use jiff::civil::Date;
use manila_pack::Effect;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What is declared about a program and its check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declaration {
    /// The program and its first arguments, for a check that names none.
    pub program: Vec<String>,
    /// The words that ask for JSON.
    pub json: Option<Vec<String>>,
    /// Where those words stand.
    pub json_position: JsonPosition,
    /// The words that print the manifest.
    pub manifest: Option<Vec<String>>,
    /// A directory whose files each run finds in its working directory.
    pub fixture: Option<PathBuf>,
    /// Variables that each run gets.
    pub variables: BTreeMap<String, String>,
    /// What the program is judged as.
    pub profile: Option<Profile>,
    /// Commands, by their words.
    pub commands: BTreeMap<String, CommandDeclaration>,
    /// Rules and families that are asked; all if there are none.
    pub select: Vec<String>,
    /// Rules and families that are not asked.
    pub ignore: Vec<String>,
    /// How much a rule matters here.
    pub severities: BTreeMap<String, Severity>,
    /// What is waived.
    pub waivers: Vec<Waiver>,
    /// Calls that a contract is inferred from, beside the usual ones.
    pub cases: Vec<Case>,
    /// Paths of objects whose keys are data, for a contract.
    pub maps: Vec<String>,
    /// Changes of a contract that are accepted for a while.
    pub accepted: Vec<Accepted>,
}

/// A declared call, to infer a contract from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// What it is called in the lock.
    pub name: String,
    /// The arguments, without the program.
    pub argv: Vec<String>,
    /// A directory whose files it finds in its working directory.
    pub fixture: Option<PathBuf>,
}

/// A change of a contract that is accepted for a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The fingerprint of the change.
    pub change: String,
    /// Why.
    pub reason: String,
    /// The last day on which it counts.
    pub expires: Option<Date>,
}

/// Where the words that ask for JSON stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JsonPosition {
    /// After the command and its arguments.
    #[default]
    After,
    /// Before the command.
    Before,
}

/// What is declared about a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommandDeclaration {
    /// What running it does.
    pub effects: Option<Effect>,
    /// The arguments of a complete, harmless call.
    pub args: Option<Vec<String>>,
    /// The arguments of a call for something that does not exist.
    pub missing: Option<Vec<String>>,
    /// The arguments of a call that lists nothing.
    pub empty: Option<Vec<String>>,
    /// The arguments of a call that takes long.
    pub slow: Option<Vec<String>>,
    /// Whether it lists.
    pub lists: Option<bool>,
    /// Whether it answers with many documents.
    pub streams: Option<bool>,
}

/// A finding that is accepted for a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiver {
    /// The rule.
    pub rule: String,
    /// The command it is waived for; all if there is none.
    pub command: Option<String>,
    /// Why.
    pub reason: String,
    /// The last day on which it counts.
    pub expires: Option<Date>,
}

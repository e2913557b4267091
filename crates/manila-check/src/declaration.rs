//! `manila.toml`: what cannot be guessed about a program, which rules are asked, and what is waived.
//!
//! ```toml
//! [program]
//! command = ["cargo", "run", "-q", "--"]    # or one text
//! json = ["--json"]                         # the words that ask for JSON; [] if it always answers so
//! manifest = ["manifest"]                   # the words that print its description of itself
//! fixture = "tests/fixture"                 # a folder whose files each run finds
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
//! ```

mod init;
mod read;

pub use init::{declared, init};

use crate::error::{Error, ErrorKind};
use crate::rule::Severity;
use crate::surface::Effects;
use jiff::civil::Date;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What somebody declares about a program and its check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declaration {
    /// The program and its first arguments, for a check that names none.
    pub program: Vec<String>,
    /// The words that ask for JSON.
    pub json: Option<Vec<String>>,
    /// The words that print the manifest.
    pub manifest: Option<Vec<String>>,
    /// A folder whose files each run finds in its working folder.
    pub fixture: Option<PathBuf>,
    /// Variables that each run gets.
    pub variables: BTreeMap<String, String>,
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
}

impl Declaration {
    /// Reads a file. What it names by relative paths lies beside it.
    pub fn read(path: &Path) -> Result<Declaration, Error> {
        let text = std::fs::read_to_string(path).map_err(|error| {
            let message = format!("{} cannot be read: {error}", path.display());
            Error::new(ErrorKind::BadDeclaration, message)
                .suggest("`manila check --init` writes one")
        })?;
        let folder = path.parent().unwrap_or_else(|| Path::new(""));
        let mut declaration = Declaration::parse(&text).map_err(|error| error.of(path))?;
        declaration.fixture = declaration.fixture.map(|fixture| folder.join(fixture));
        Ok(declaration)
    }

    /// Reads the text of such a file.
    pub fn parse(text: &str) -> Result<Declaration, Error> {
        read::parse(text)
    }
}

/// What somebody declares about a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommandDeclaration {
    /// What running it does.
    pub effects: Option<Effects>,
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

//! What a page of help says.

use super::usage::Usage;
use crate::surface::model::{Flag, Positional, Subcommand};

/// A page of help.
#[derive(Clone, Debug, Default)]
pub(crate) struct Page {
    /// All of its text.
    pub text: String,
    /// How the program calls itself.
    pub program: String,
    /// Its first words that are not a usage.
    pub about: String,
    pub usages: Vec<Usage>,
    pub commands: Vec<Listed>,
    pub aliases: Vec<String>,
    pub flags: Vec<Flag>,
    pub positionals: Vec<Positional>,
    /// Whether it says that there are more commands than it lists.
    pub has_more: bool,
    /// Whether a command must or may follow.
    pub leads_on: bool,
    /// Whether nothing but a command can follow.
    pub subcommand: Subcommand,
}

/// A command that a page lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Listed {
    /// Its words below the page's own.
    pub words: Vec<String>,
    pub aliases: Vec<String>,
    pub about: String,
    /// What comes after its words, such as `<id> [options]`.
    pub rest: String,
    /// Whether it only stands above commands that are listed.
    pub is_implied: bool,
}

impl Listed {
    /// A command that no page lists, above one that a page does.
    pub(crate) fn implied() -> Listed {
        Listed { is_implied: true, ..Listed::default() }
    }
}

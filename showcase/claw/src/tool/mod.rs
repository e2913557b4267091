//! The tools that `exec-tool` runs, in one table.

mod bash;
mod file_read;
mod glob;
mod grep;
mod pattern;
mod walk;

use crate::error::Error;
use crate::site::{Site, Work};

/// A tool of the inventory that is code of this program.
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) source_hint: &'static str,
    pub(crate) responsibility: &'static str,
    pub(crate) pool: Pool,
    pub(crate) run: fn(&str, &Site<'_>) -> Result<Work, Error>,
}

/// Which pools a tool is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pool {
    /// The simple one too.
    Simple,
    /// Only the full one.
    Full,
}

/// All of them.
pub(crate) const TOOLS: &[Tool] = &[
    Tool {
        name: "BashTool",
        source_hint: "tool/bash.rs",
        responsibility: "runs one of a few harmless programs under a time limit, without a shell",
        pool: Pool::Simple,
        run: bash::run,
    },
    Tool {
        name: "FileReadTool",
        source_hint: "tool/file_read.rs",
        responsibility: "reads a text file of the worktree",
        pool: Pool::Simple,
        run: file_read::run,
    },
    Tool {
        name: "GlobTool",
        source_hint: "tool/glob.rs",
        responsibility: "finds files of the worktree by a pattern of their path",
        pool: Pool::Full,
        run: glob::run,
    },
    Tool {
        name: "GrepTool",
        source_hint: "tool/grep.rs",
        responsibility: "searches the text files of the worktree for words",
        pool: Pool::Full,
        run: grep::run,
    },
];

/// The tool of this name.
pub(crate) fn find(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}

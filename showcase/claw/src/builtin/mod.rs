//! The commands that `exec-command` runs, in one table.

mod add_dir;
mod add_file;
mod init;
mod status;

use crate::error::Error;
use crate::site::{Site, Work};

/// A command of the inventory that is code of this program.
pub(crate) struct Builtin {
    pub(crate) name: &'static str,
    pub(crate) source_hint: &'static str,
    pub(crate) responsibility: &'static str,
    pub(crate) run: fn(&str, &Site<'_>) -> Result<Work, Error>,
}

/// All of them.
pub(crate) const BUILTINS: &[Builtin] = &[
    Builtin {
        name: "add-dir",
        source_hint: "builtin/add_dir.rs",
        responsibility: "creates a new directory in the worktree",
        run: add_dir::run,
    },
    Builtin {
        name: "add-file",
        source_hint: "builtin/add_file.rs",
        responsibility: "creates a new empty file in the worktree, for instance for a test",
        run: add_file::run,
    },
    Builtin {
        name: "init",
        source_hint: "builtin/init.rs",
        responsibility: "prepares the worktree for sessions, plugins and skills",
        run: init::run,
    },
    Builtin {
        name: "status",
        source_hint: "builtin/status.rs",
        responsibility: "counts the sessions, plugins and skills of the worktree",
        run: status::run,
    },
];

/// The builtin of this name.
pub(crate) fn find(name: &str) -> Option<&'static Builtin> {
    BUILTINS.iter().find(|builtin| builtin.name == name)
}

//! One step on the way to the file system of a run. The steps are written down before the fork, because
//! the process that takes them may not allocate.

use std::ffi::CString;

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// A directory with these permissions.
    Directory(u32),
    /// An empty file without permission to read it.
    File,
    /// A symbolic link to `source`.
    Link,
    /// What is at `source`, writable if it is there; mounts below it stay away.
    Bind,
    /// What is at `source` with all mounts below it, to read only. It is never left writable.
    BindReadOnly,
    /// A layer above a directory that takes all writes; `source` holds its options. Where the
    /// system has none, the next step replaces it, which is skipped otherwise.
    Overlay,
}

/// One step. `target` is below the directory of the run's file system, `source` anywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) action: Action,
    pub(crate) source: CString,
    pub(crate) target: CString,
    /// Whether there is no confinement without it.
    pub(crate) is_needed: bool,
}

/// All steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Steps {
    /// Where the new file system is put together: a directory that nothing else uses.
    pub(crate) top: CString,
    /// The permissions of its root.
    pub(crate) root_mode: u32,
    pub(crate) all: Vec<Step>,
}

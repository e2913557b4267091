//! What the file system of a run consists of.

use crate::observe::lab::sys::Steps;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// How the file system of a run is put together, and what of it is new.
#[derive(Debug, Default)]
pub(crate) struct Sandbox {
    pub(crate) steps: Steps,
    /// Directories that take writes, by their place below the top: what they stand for.
    pub(super) areas: Vec<(PathBuf, Area)>,
    /// What the steps put there.
    pub(super) skeleton: BTreeSet<PathBuf>,
}

/// A directory that takes writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Area {
    /// The directory of the host in whose place it is.
    pub(super) real: PathBuf,
    /// Whether it is a layer above it, so that what was there before is seen through it.
    pub(super) is_layer: bool,
}

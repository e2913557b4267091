//! What the fork server works with.

use super::shared_page::SharedPages;
use super::step::Steps;
use std::ops::Range;

/// What the fork server works with.
#[derive(Clone, Copy)]
pub(super) struct Rules<'r> {
    pub(super) pages: &'r SharedPages,
    pub(super) containment: Namespaces,
    /// The largest file that a program may write.
    pub(super) file_size: u64,
    /// How many processes the user may have, where that counts for the namespace alone.
    pub(super) processes: Option<u64>,
    /// The same as a text for the namespace of processes, where it has a limit of its own.
    pub(super) process_numbers: Option<&'static [u8]>,
    /// How the file system of a run is put together. Only the fork server itself reads it.
    pub(super) steps: &'r Steps,
    /// The memory that is left out of the processes of runs.
    pub(super) allocated: &'r [Range<usize>],
}

/// Which namespaces are entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Namespaces {
    /// A new user namespace, mount namespaces, and one of processes for each run.
    Confined,
    /// The same, and one without a network.
    ConfinedWithoutNetwork,
    /// None.
    None,
}

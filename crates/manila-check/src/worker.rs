//! What the threads that do a check's own work have in common.

use std::time::Duration;

/// How often a waiting thread asks whether the check should end.
pub(crate) const HEARTBEAT: Duration = Duration::from_millis(20);
/// The stack size that the main thread of a program usually has.
pub(crate) const STACK: usize = 8 << 20;

//! The commands, one file each: arguments in, data and findings out.

pub(crate) mod doctor;
pub(crate) mod explain;
pub(crate) mod init;
pub(crate) mod missing;
pub(crate) mod quality;
pub(crate) mod report;
pub(crate) mod sync;
pub(crate) mod validate;

/// The commands that answer `--json` with an envelope. On anything else, help and the built-in
/// commands included, it does not switch stdout.
pub(crate) const COMMANDS_WITH_JSON_OUTPUT: &[&str] =
    &["validate", "missing", "sync", "quality", "doctor", "report", "init"];

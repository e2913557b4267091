//! Arguments that no program knows, for calls that must be refused.

/// A flag that no program has.
pub(crate) const NO_FLAG: &str = "--manila-no-such-flag";
/// Another one.
pub(crate) const NO_OTHER_FLAG: &str = "--manila-no-other-flag";
/// A command that no program has.
pub(crate) const NO_COMMAND: &str = "manila-no-such-command";
/// Something that no program knows.
pub(crate) const NO_THING: &str = "manila-no-such-thing";
/// The number of something that no program knows.
pub(crate) const NO_NUMBER: &str = "987654321";
/// A file that does not exist.
pub(crate) const NO_FILE: &str = "manila-no-such-file";

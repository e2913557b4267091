//! The commands, one file each: arguments in, data and findings out.

pub(crate) mod doctor;
pub(crate) mod explain;
pub(crate) mod init;
pub(crate) mod missing;
pub(crate) mod quality;
pub(crate) mod report;
pub(crate) mod sync;
pub(crate) mod validate;

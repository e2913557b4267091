//! The file `manila.toml`: read into a declaration, and written from a surface.

mod contract;
pub(crate) mod init;
pub(crate) mod read;
mod words;

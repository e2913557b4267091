//! `add-file`: makes the empty file that the prompt ends with, never in the place of another.

use crate::error::Error;
use crate::site::{Site, Work, object};
use rustix::fs::{Mode, OFlags, openat};
use std::path::Path;

pub(super) fn run(prompt: &str, site: &Site<'_>) -> Result<Work, Error> {
    let word = object(prompt)?;
    let (directory, name) = site.free(&word)?;
    let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::CLOEXEC;
    let made = openat(directory, name, flags, Mode::from_raw_mode(0o666));
    made.map_err(|error| Error::system("create", Path::new(&word), &error.into()))?;
    Ok(Work::done("created file"))
}

//! `add-file`: makes the empty file that the prompt ends with, never in the place of another.

use crate::site::{Site, Work, object};
use crate::trouble::Trouble;
use rustix::fs::{Mode, OFlags, openat};
use std::path::Path;

pub(super) fn run(prompt: &str, site: &Site<'_>) -> Result<Work, Trouble> {
    let word = object(prompt)?;
    let (folder, name) = site.free(&word)?;
    let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::CLOEXEC;
    let made = openat(folder, name, flags, Mode::from_raw_mode(0o666));
    made.map_err(|error| Trouble::system("create", Path::new(&word), &error.into()))?;
    Ok(Work::done("created file"))
}

//! `add-dir`: makes the directory that the prompt ends with.

use crate::error::Error;
use crate::site::{Site, Work, object};
use rustix::fs::{Mode, mkdirat};
use std::path::Path;

pub(super) fn run(prompt: &str, site: &Site<'_>) -> Result<Work, Error> {
    let word = object(prompt)?;
    let (directory, name) = site.free(&word)?;
    let made = mkdirat(directory, name, Mode::from_raw_mode(0o777));
    made.map_err(|error| Error::system("create", Path::new(&word), &error.into()))?;
    Ok(Work::done("created directory"))
}

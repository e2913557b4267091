//! `add-dir`: makes the directory that the prompt ends with.

use crate::site::{Site, Work, object};
use crate::trouble::Trouble;
use rustix::fs::{Mode, mkdirat};
use std::path::Path;

pub(super) fn run(prompt: &str, site: &Site<'_>) -> Result<Work, Trouble> {
    let word = object(prompt)?;
    let (folder, name) = site.free(&word)?;
    let made = mkdirat(folder, name, Mode::from_raw_mode(0o777));
    made.map_err(|error| Trouble::system("create", Path::new(&word), &error.into()))?;
    Ok(Work::done("created directory"))
}

//! `add-dir`: makes the directory that the prompt ends with.

use crate::site::{Site, Work, object};
use crate::trouble::Trouble;
use std::fs;
use std::path::Path;

pub(super) fn run(prompt: &str, site: &Site<'_>) -> Result<Work, Trouble> {
    let word = object(prompt)?;
    let made = fs::create_dir(site.free(&word)?);
    made.map_err(|error| Trouble::system("create", Path::new(&word), &error))?;
    Ok(Work::done("created directory"))
}

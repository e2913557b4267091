//! `add-file`: makes the empty file that the prompt ends with, never in the place of another.

use crate::site::{Site, Work, object};
use crate::trouble::Trouble;
use std::fs::File;
use std::path::Path;

pub(super) fn run(prompt: &str, site: &Site<'_>) -> Result<Work, Trouble> {
    let word = object(prompt)?;
    let made = File::create_new(site.free(&word)?);
    made.map_err(|error| Trouble::system("create", Path::new(&word), &error))?;
    Ok(Work::done("created file"))
}

//! `init`: makes the directories in which sessions, plugins and skills are looked for.

use crate::directory::{PLUGINS, SKILLS};
use crate::error::Error;
use crate::session::DEFAULT_DIRECTORY;
use crate::site::{Site, Work};
use std::fs;
use std::path::Path;

pub(super) fn run(_: &str, site: &Site<'_>) -> Result<Work, Error> {
    let mut made = Vec::new();
    for directory in [DEFAULT_DIRECTORY, PLUGINS, SKILLS] {
        let path = site.root().join(directory);
        if !path.is_dir() {
            let created = fs::create_dir_all(&path);
            created.map_err(|error| Error::system("create", Path::new(directory), &error))?;
            made.push(directory);
        }
    }
    if made.is_empty() {
        return Ok(Work::done("everything is there already"));
    }
    Ok(Work::done(format!("created {}", made.join(", "))))
}

//! `init`: makes the folders in which sessions, plugins and skills are looked for.

use crate::inventory::{PLUGINS, SKILLS};
use crate::session::DEFAULT_DIRECTORY;
use crate::site::{Site, Work};
use crate::trouble::Trouble;
use std::fs;
use std::path::Path;

pub(super) fn run(_: &str, site: &Site<'_>) -> Result<Work, Trouble> {
    let mut made = Vec::new();
    for folder in [DEFAULT_DIRECTORY, PLUGINS, SKILLS] {
        let path = site.root().join(folder);
        if !path.is_dir() {
            let created = fs::create_dir_all(&path);
            created.map_err(|error| Trouble::system("create", Path::new(folder), &error))?;
            made.push(folder);
        }
    }
    if made.is_empty() {
        return Ok(Work::done("everything is there already"));
    }
    Ok(Work::done(format!("created {}", made.join(", "))))
}

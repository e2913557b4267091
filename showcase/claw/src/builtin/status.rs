//! `status`: counts what the worktree has.

use crate::folder;
use crate::inventory::{PLUGINS, SKILLS};
use crate::session::{DEFAULT_DIRECTORY, Sessions};
use crate::site::{Site, Work};
use crate::trouble::Trouble;
use std::path::Path;

pub(super) fn run(_: &str, _: &Site<'_>) -> Result<Work, Trouble> {
    let sessions = Sessions::at(Path::new(DEFAULT_DIRECTORY)).ids()?.len();
    let plugins = folder::names(Path::new(PLUGINS), ".json")?.len();
    let skills = folder::names(Path::new(SKILLS), ".md")?.len();
    Ok(Work::done(format!("sessions: {sessions}, plugins: {plugins}, skills: {skills}")))
}

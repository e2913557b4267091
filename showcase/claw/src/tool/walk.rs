//! The files below the current folder, in the order of their paths. Links are not followed.

use crate::site::Site;
use crate::trouble::Trouble;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders that hold what other programs made.
const SKIPPED: &[&str] = &[".git", "target", "node_modules"];
/// No more files are looked at.
const MOST: usize = 100_000;

/// Every regular file below a folder of the site, as paths from its root. What may not be read is
/// left out, as it would be by whoever looks.
pub(super) fn files(site: &Site<'_>, start: &Path) -> Result<Vec<PathBuf>, Trouble> {
    let mut files = Vec::new();
    let mut folders = vec![start.to_owned()];
    while let Some(folder) = folders.pop() {
        site.watch.check().map_err(|stop| stop.while_doing("walk", &folder.to_string_lossy()))?;
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            let is_skipped = || SKIPPED.iter().any(|name| entry.file_name() == *name);
            if kind.is_dir() && !is_skipped() {
                folders.push(entry.path());
            } else if kind.is_file() && files.len() < MOST {
                let path = entry.path();
                files.push(path.strip_prefix(site.root()).unwrap_or(&path).to_owned());
            }
        }
    }
    files.sort_unstable();
    Ok(files)
}

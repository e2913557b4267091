//! The files below the current directory, in the order of their paths. Links are not followed.

use crate::error::Error;
use crate::site::Site;
use rustix::fs::{Dir, FileType};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The directory itself, the one above, and those that hold what other programs made.
const SKIPPED: &[&str] = &[".", "..", ".git", "target", "node_modules"];
/// No more files are looked at.
const MOST: usize = 100_000;

/// Every regular file at a path of the site or below it, as paths from its root. What may not be read
/// is skipped, as `ls` does.
pub(super) fn files(site: &Site<'_>, start: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    let mut left = vec![start.to_owned()];
    while let Some(path) = left.pop() {
        site.watch.check().map_err(|stop| stop.while_doing("walk", &path.to_string_lossy()))?;
        let Ok(opened) = site.open(&path) else { continue };
        if opened.metadata().is_ok_and(|metadata| metadata.is_file()) {
            files.push(path);
            continue;
        }
        for entry in Dir::read_from(&opened).into_iter().flatten().flatten() {
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            let is_skipped = || SKIPPED.iter().any(|skipped| name == *skipped);
            match entry.file_type() {
                FileType::RegularFile if files.len() < MOST => files.push(path.join(name)),
                // A file system that does not report the type reveals it on opening.
                FileType::Directory | FileType::Unknown if !is_skipped() => {
                    left.push(path.join(name));
                }
                _ => {}
            }
        }
    }
    files.sort_unstable();
    Ok(files)
}

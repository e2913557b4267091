//! `GlobTool`: the files whose path fits a pattern.

use super::{pattern, walk};
use crate::site::{Site, Work};
use crate::trouble::Trouble;

/// No more paths are shown.
const MOST: usize = 1000;

pub(super) fn run(payload: &str, site: &Site<'_>) -> Result<Work, Trouble> {
    let files = walk::files(site, site.root())?;
    let paths = files.iter().filter_map(|path| path.to_str());
    let found: Vec<&str> = paths.filter(|path| pattern::fits(payload, path)).collect();
    let output: String = found.iter().take(MOST).flat_map(|path| [path, "\n"]).collect();
    Ok(Work { message: format!("files: {}", found.len()), output: Some(output) })
}

//! `GlobTool`: the files whose path fits a pattern.

use super::{pattern, walk};
use crate::error::Error;
use crate::site::{Site, Work};
use std::path::Path;

/// No more paths are shown.
const MOST: usize = 1000;

pub(super) fn run(payload: &str, site: &Site<'_>) -> Result<Work, Error> {
    let (mut count, mut output) = (0, String::new());
    for path in walk::files(site, Path::new(""))? {
        site.watch.check().map_err(|stop| stop.while_doing("match", payload))?;
        let Some(path) = path.to_str().filter(|path| pattern::fits(payload, path)) else {
            continue;
        };
        if count < MOST {
            output.extend([path, "\n"]);
        }
        count += 1;
    }
    Ok(Work { message: format!("files: {count}"), output: Some(output) })
}

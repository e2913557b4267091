//! `FileReadTool`: the text of a file below the current directory, up to a limit.

use crate::error::Error;
use crate::site::{Site, Work, object};
use showcase_store::LARGEST;
use std::path::Path;

/// How many characters are shown.
const SHOWN: usize = 64 << 10;

pub(super) fn run(payload: &str, site: &Site<'_>) -> Result<Work, Error> {
    let word = object(payload)?;
    let text = site.read(&site.existing(&word)?, LARGEST);
    let text = text.map_err(|error| Error::system("read", Path::new(&word), &error))?;
    let lines = text.lines().count();
    let shown: String = text.chars().take(SHOWN).collect();
    let message = match text.len() - shown.len() {
        0 => format!("read {lines} lines"),
        rest => format!("read {lines} lines; the last {rest} bytes are left out"),
    };
    Ok(Work { message, output: Some(shown) })
}

//! `FileReadTool`: the text of a file below the current folder, up to a limit.

use crate::site::{Site, Work, object};
use crate::trouble::Trouble;
use std::io;
use std::path::Path;

/// How many characters are shown.
const SHOWN: usize = 64 << 10;

pub(super) fn run(payload: &str, site: &Site<'_>) -> Result<Work, Trouble> {
    let word = object(payload)?;
    let bytes = showcase_store::read(&site.existing(&word)?)?.unwrap_or_default();
    let text = String::from_utf8(bytes).map_err(|_| {
        let error = io::Error::new(io::ErrorKind::InvalidData, "the file is not UTF-8 text");
        Trouble::system("read", Path::new(&word), &error)
    })?;
    let lines = text.lines().count();
    let shown: String = text.chars().take(SHOWN).collect();
    let message = match text.len() - shown.len() {
        0 => format!("read {lines} lines"),
        rest => format!("read {lines} lines; the last {rest} bytes are left out"),
    };
    Ok(Work { message, output: Some(shown) })
}

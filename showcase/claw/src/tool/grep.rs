//! `GrepTool`: the lines of text files that have some words, unchanged.

use super::walk;
use crate::error::Error;
use crate::site::{Site, Work, words};
use std::path::{Path, PathBuf};

/// No more lines are shown.
const MOST: usize = 200;
/// How much of a line is shown.
const SHOWN: usize = 200;
/// Larger files are not searched: they are generated.
const LARGEST: u64 = 1 << 20;

pub(super) fn run(payload: &str, site: &Site<'_>) -> Result<Work, Error> {
    let (needle, start) = match words(payload)?.as_slice() {
        [needle] if !needle.is_empty() => (needle.clone(), PathBuf::new()),
        [needle, start] if !needle.is_empty() => (needle.clone(), site.existing(start)?),
        _ => {
            return Err(Error::Usage {
                target: payload.to_owned(),
                message: "the payload is the words to search for, and perhaps a path".to_owned(),
                hint: "put several words in quotes: \"'fn main' src\"".to_owned(),
            });
        }
    };
    let (mut matches, mut files, mut output) = (0, 0, String::new());
    for path in walk::files(site, &start)? {
        site.watch.check().map_err(|stop| stop.while_doing("search", payload))?;
        // What cannot be read, or is not text, has no matches.
        let text = site.read(&path, LARGEST).unwrap_or_default();
        let mut found = found(&path, &text, &needle).peekable();
        files += usize::from(found.peek().is_some());
        for line in found {
            if matches < MOST {
                output.push_str(&line);
            }
            matches += 1;
        }
    }
    Ok(Work { message: format!("matches: {matches}, files: {files}"), output: Some(output) })
}

/// The lines of a text that have the words, with their place.
fn found(path: &Path, text: &str, needle: &str) -> impl Iterator<Item = String> {
    let found = text.lines().zip(1..).filter(move |(line, _)| line.contains(needle));
    found.map(move |(line, number): (&str, usize)| {
        let line: String = line.chars().take(SHOWN).collect();
        format!("{}:{number}: {line}\n", path.display())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_reported_with_their_place() {
        let found: Vec<String> =
            found(Path::new("a.txt"), "one\ntwo two\nthree\n", "two").collect();
        assert_eq!(found, ["a.txt:2: two two\n"]);
    }
}

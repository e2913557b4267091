//! `GrepTool`: the lines of text files that have some words, as they stand there.

use super::walk;
use crate::site::{Site, Work, words};
use crate::trouble::Trouble;
use std::fs;
use std::path::Path;

/// No more lines are shown.
const MOST: usize = 200;
/// How much of a line is shown.
const SHOWN: usize = 200;
/// Larger files are not searched: nobody wrote them.
const LARGEST: u64 = 1 << 20;

pub(super) fn run(payload: &str, site: &Site<'_>) -> Result<Work, Trouble> {
    let (needle, start) = match words(payload)?.as_slice() {
        [needle] if !needle.is_empty() => (needle.clone(), site.root().to_owned()),
        [needle, start] if !needle.is_empty() => (needle.clone(), site.existing(start)?),
        _ => {
            return Err(Trouble::Usage {
                target: payload.to_owned(),
                message: "the payload is the words to search for, and perhaps a folder".to_owned(),
                hint: "put several words in quotes: \"'fn main' src\"".to_owned(),
            });
        }
    };
    let (mut lines, mut files) = (Vec::new(), 0);
    for path in walk::files(site, &start)? {
        site.watch.check().map_err(|stop| stop.while_doing("search", payload))?;
        let found = search(&site.root().join(&path), &path, &needle);
        files += usize::from(!found.is_empty());
        lines.extend(found);
    }
    let message = format!("matches: {}, files: {files}", lines.len());
    lines.truncate(MOST);
    Ok(Work { message, output: Some(lines.concat()) })
}

/// The lines of a file that have the words. What is no text has none.
fn search(file: &Path, path: &Path, needle: &str) -> Vec<String> {
    let is_small = fs::metadata(file).is_ok_and(|metadata| metadata.len() <= LARGEST);
    let text = is_small.then(|| fs::read_to_string(file).ok()).flatten().unwrap_or_default();
    let found = text.lines().zip(1..).filter(|(line, _)| line.contains(needle));
    let shown = found.map(|(line, number): (&str, usize)| {
        let line: String = line.chars().take(SHOWN).collect();
        format!("{}:{number}: {line}\n", path.display())
    });
    shown.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_with_their_place() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.txt");
        fs::write(&file, "one\ntwo two\nthree\n").unwrap();
        assert_eq!(search(&file, Path::new("a.txt"), "two"), ["a.txt:2: two two\n"]);
        fs::write(&file, b"two\xff").unwrap();
        assert!(search(&file, Path::new("a.txt"), "two").is_empty());
    }
}

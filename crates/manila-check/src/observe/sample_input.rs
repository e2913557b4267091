//! Small files that each run finds in its working directory where no fixture is declared, so that a program that takes
//! a file, a document, a directory or a repository has one.

use crate::observe::sample_repository;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

/// A text of a few lines.
pub(crate) const TEXT: &str = "sample.txt";
/// A JSON document.
pub(crate) const DOCUMENT: &str = "sample.json";

/// The files, with what is in them. The last one makes a directory.
const FILES: &[(&str, &str)] = &[
    (TEXT, "alpha 1\nbeta 2\ngamma 3\n"),
    (DOCUMENT, "{\"items\":[{\"id\":1,\"name\":\"alpha\"},{\"id\":2,\"name\":\"beta\"}]}\n"),
    ("sample/notes.txt", "alpha\n"),
];

/// When they were changed: long before the index of the repository was made, or git would look at them again and write
/// it anew.
const CHANGED: Duration = Duration::from_secs(1_767_225_600);

/// Writes them into a directory.
pub(crate) fn write(directory: &Path) -> io::Result<()> {
    for (name, content) in FILES {
        let path = directory.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        let mut file = File::create(path)?;
        file.write_all(content.as_bytes())?;
        file.set_modified(UNIX_EPOCH + CHANGED)?;
    }
    sample_repository::write(directory, FILES)
}

/// The files that these arguments name, with what is in them: each file, or all of a directory.
pub(crate) fn named_by(args: &[OsString]) -> Vec<(&'static str, &'static str)> {
    let is_named = |path: &str| {
        args.iter().filter_map(|word| word.to_str()).any(|word| {
            let word = word.rsplit_once('=').map_or(word, |(_, value)| value);
            word == "."
                || path == word
                || path.strip_prefix(word).is_some_and(|it| it.starts_with('/'))
        })
    };
    FILES.iter().filter(|(path, _)| is_named(path)).copied().collect()
}

/// What is in the file of this name.
pub(crate) fn content(name: &str) -> Option<&'static str> {
    FILES.iter().find(|(known, _)| *known == name).map(|(_, content)| *content)
}

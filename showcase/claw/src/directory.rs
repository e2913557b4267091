//! What is in a directory that other programs write to.

use showcase_store::{Error, Operation};
use std::fs;
use std::io;
use std::path::Path;

/// Where plugins are: JSON files that add commands and tools.
pub(crate) const PLUGINS: &str = ".claw/plugins";
/// Where skills are: Markdown files, each of them a command.
pub(crate) const SKILLS: &str = ".claw/skills";

/// The names in a directory that end like this, in their order; none if there is no such directory. Hidden
/// ones are left out: they are work in progress.
pub(crate) fn names(directory: &Path, ending: &str) -> Result<Vec<String>, Error> {
    let failed = |error| Error::new(Operation::Read, directory, error);
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(failed)?,
    };
    let mut names = Vec::new();
    for entry in entries {
        let name = entry.map_err(failed)?.file_name();
        names.extend(
            name.to_str()
                .filter(|name| !name.starts_with('.'))
                .and_then(|name| name.strip_suffix(ending))
                .map(str::to_owned),
        );
    }
    names.sort_unstable();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_hidden_ones_left_out() {
        let directory = tempfile::tempdir().unwrap();
        for name in ["b.md", "a.md", ".c.md", "d.txt"] {
            fs::write(directory.path().join(name), "").unwrap();
        }
        assert_eq!(names(directory.path(), ".md").unwrap(), ["a", "b"]);
        assert_eq!(names(&directory.path().join("none"), ".md").unwrap(), Vec::<String>::new());
    }
}
